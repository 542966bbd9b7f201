/* SPDX-License-Identifier: Apache-2.0 */
#include "base/compiler.h"
#include "procfs/host.h"
#include "procfs/keys.h"

/*
 * /proc/net/snmp and /proc/net/netstat: pairs of lines, names and values.
 * Newer kernels add names anywhere, so values are found by name.
 *
 *   Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors
 *   Udp: 55 0 0 55 0
 */
#define H(key, SYM) KEY_ROW(key, KEY_SET, COL(HOST, SYM))

static const struct key_row ip[] = {
	H("ForwDatagrams", IP_FORWARDED),
	H("FragCreates", IP_FRAG_CREATES),
	H("FragFails", IP_FRAG_FAILS),
	H("FragOKs", IP_FRAG_OKS),
	H("InAddrErrors", IP_IN_ADDR_ERRORS),
	H("InDelivers", IP_IN_DELIVERS),
	H("InDiscards", IP_IN_DISCARDS),
	H("InHdrErrors", IP_IN_HDR_ERRORS),
	H("InReceives", IP_IN),
	H("InUnknownProtos", IP_IN_UNKNOWN),
	H("OutDiscards", IP_OUT_DISCARDS),
	H("OutNoRoutes", IP_OUT_NO_ROUTES),
	H("OutRequests", IP_OUT),
	H("ReasmFails", IP_REASM_FAILS),
	H("ReasmOKs", IP_REASM_OKS),
	H("ReasmReqds", IP_REASM_REQDS),
	H("ReasmTimeout", IP_REASM_TIMEOUT),
};

static const struct key_row tcp[] = {
	H("ActiveOpens", TCP_ACTIVE_OPENS),
	H("AttemptFails", TCP_ATTEMPT_FAILS),
	H("CurrEstab", TCP_CURR_ESTAB),
	H("EstabResets", TCP_ESTAB_RESETS),
	H("InErrs", TCP_IN_ERRS),
	H("InSegs", TCP_IN_SEGS),
	H("OutRsts", TCP_OUT_RSTS),
	H("OutSegs", TCP_OUT_SEGS),
	H("PassiveOpens", TCP_PASSIVE_OPENS),
	H("RetransSegs", TCP_RETRANS_SEGS),
};

static const struct key_row udp[] = {
	H("InDatagrams", UDP_IN),
	H("InErrors", UDP_IN_ERRORS),
	H("NoPorts", UDP_NO_PORTS),
	H("OutDatagrams", UDP_OUT),
	H("RcvbufErrors", UDP_RCVBUF_ERRORS),
	H("SndbufErrors", UDP_SNDBUF_ERRORS),
};

static const struct key_row tcpext[] = {
	H("ListenDrops", TCP_LISTEN_DROPS),
	H("ListenOverflows", TCP_LISTEN_OVERFLOWS),
	H("PruneCalled", TCP_PRUNED),
	H("SyncookiesSent", SYNCOOKIES_SENT),
	H("TCPAbortOnMemory", TCP_ABORT_ON_MEMORY),
	H("TCPBacklogDrop", TCP_BACKLOG_DROP),
	H("TCPLostRetransmit", TCP_LOST_RETRANSMIT),
	H("TCPRcvQDrop", TCP_RCVQ_DROP),
	H("TCPSynRetrans", TCP_SYN_RETRANS),
	H("TCPTimeouts", TCP_TIMEOUTS),
};

struct group {
	const char *name;
	const struct key_row *key;
	size_t n;
};

static const struct group snmp[] = {
	{ "Ip", ip, GS_LEN(ip) },
	{ "Tcp", tcp, GS_LEN(tcp) },
	{ "Udp", udp, GS_LEN(udp) },
};

static const struct group netstat[] = {
	{ "TcpExt", tcpext, GS_LEN(tcpext) },
};

static void scan_pair(const struct group *g, struct span names,
	struct span values, struct cells host)
{
	struct span name, value;

	while (scan_word(&names, &name) && scan_word(&values, &value)) {
		const struct key_row *row = key_find(g->key, g->n, name);

		if (row)
			key_store(row, value, host, NULL);
	}
}

static void scan_groups(struct span text, const struct group *group, size_t n,
	struct cells host)
{
	struct span names, values, name1, name2;
	size_t i;

	while (scan_line(&text, &names) && scan_line(&text, &values)) {
		if (!scan_until(&names, ':', &name1) ||
		    !scan_until(&values, ':', &name2))
			continue;
		for (i = 0; i < n; i++) {
			if (span_eq(name1, group[i].name) &&
			    span_eq(name2, group[i].name))
				scan_pair(&group[i], names, values, host);
		}
	}
}

void snmp_scan(struct span text, struct cells host)
{
	scan_groups(text, snmp, GS_LEN(snmp), host);
}

void netstat_scan(struct span text, struct cells host)
{
	scan_groups(text, netstat, GS_LEN(netstat), host);
}
