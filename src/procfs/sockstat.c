/* SPDX-License-Identifier: Apache-2.0 */
#include "base/compiler.h"
#include "procfs/host.h"

/*
 * /proc/net/sockstat: per protocol a line of names and values.
 *
 *   sockets: used 290
 *   TCP: inuse 9 orphan 0 tw 17 alloc 11 mem 3
 */
struct row {
	const char *proto;
	const char *name;
	unsigned col;
};

static const struct row rows[] = {
	{ "sockets", "used", COL(HOST, SOCKETS) },
	{ "TCP", "inuse", COL(HOST, TCP_INUSE) },
	{ "TCP", "orphan", COL(HOST, TCP_ORPHAN) },
	{ "TCP", "tw", COL(HOST, TCP_TW) },
	{ "TCP", "alloc", COL(HOST, TCP_ALLOC) },
	{ "TCP", "mem", COL(HOST, TCP_MEM) },
	{ "UDP", "inuse", COL(HOST, UDP_INUSE) },
	{ "UDP", "mem", COL(HOST, UDP_MEM) },
	{ "RAW", "inuse", COL(HOST, RAW_INUSE) },
	{ "FRAG", "inuse", COL(HOST, FRAG_INUSE) },
};

static void store(struct span proto, struct span name, uint64_t v,
	struct cells host)
{
	size_t i;

	for (i = 0; i < GS_LEN(rows); i++) {
		if (span_eq(proto, rows[i].proto) &&
		    span_eq(name, rows[i].name))
			cells_set(host, rows[i].col, v);
	}
}

void sockstat_scan(struct span text, struct cells host)
{
	struct span line, proto, name;
	uint64_t v;

	while (scan_line(&text, &line)) {
		if (!scan_until(&line, ':', &proto))
			continue;
		while (scan_word(&line, &name) && scan_u64(&line, &v))
			store(proto, name, v, host);
	}
}
