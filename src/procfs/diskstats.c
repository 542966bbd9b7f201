/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/host.h"

/*
 * /proc/diskstats: major, minor, name, 11 counters; 4 more for discards
 * since 4.19 (its documentation says 4.18), 2 more for flushes since 5.5.
 *
 *   259       0 nvme0n1 1434 420 97330 253 5566 3016 101856 6232 0 2768 6485
 *   253       0 vda 93 0 7538 18 0 0 0 0 0 24 18 0 0 0 0 0 0
 */
#define FIELDS 17

_Static_assert(COL(DISK, FLUSH_TIME) == COL(DISK, READS) + FIELDS - 1,
	"the counters are columns in the order of the line");

bool diskstats_next(struct span *text, struct cells disk,
	struct span *ret_name)
{
	struct span line, name;

	while (scan_line(text, &line)) {
		uint64_t major, minor, v;
		unsigned i;

		if (!scan_u64(&line, &major) || !scan_u64(&line, &minor) ||
		    !scan_word(&line, &name))
			continue;
		cells_set(disk, COL(DISK, MAJOR), major);
		cells_set(disk, COL(DISK, MINOR), minor);
		for (i = 0; i < FIELDS && scan_u64(&line, &v); i++)
			cells_set(disk, COL(DISK, READS) + i, v);
		*ret_name = name;
		return true;
	}
	return false;
}

bool diskstats_idle_pseudo(struct span name, struct cells disk)
{
	uint64_t v;

	if (!span_starts(name, "loop") && !span_starts(name, "ram"))
		return false;
	return !(cells_get(disk, COL(DISK, READS), &v) && v > 0) &&
	    !(cells_get(disk, COL(DISK, WRITES), &v) && v > 0);
}
