/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/host.h"

/*
 * /proc/net/dev: two lines of headings, then per interface 8 counters
 * received and 8 sent.  The first may follow the colon without a blank; a
 * name may hold a colon itself (an alias), so the last one counts.
 *
 *   eth0: 8374 52 0 0 0 0 0 0 6318 43 0 0 0 0 0 0
 */
#define FIELDS 16

_Static_assert(COL(NET, TX_COMPRESSED) == COL(NET, RX) + FIELDS - 1,
	"the counters are columns in the order of the line");

bool net_dev_next(struct span *text, struct cells net, struct span *ret_name)
{
	struct span line;

	while (scan_line(text, &line)) {
		const char *colon = memrchr(line.ptr, ':', span_len(line));
		struct span name, rest;
		uint64_t v;
		unsigned i;

		if (!colon)
			continue;
		name = (struct span) { line.ptr, colon };
		rest = (struct span) { colon + 1, line.end };
		scan_blank(&name);
		if (span_empty(name))
			continue;
		for (i = 0; i < FIELDS && scan_u64(&rest, &v); i++)
			cells_set(net, COL(NET, RX) + i, v);
		*ret_name = name;
		return true;
	}
	return false;
}
