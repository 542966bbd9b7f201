/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_taskstats.c - any bytes as a netlink message about delays, whose family
 * is in its type: what is found lies within it, and becomes cells.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "procfs/taskstats.h"

static void use(struct span stats)
{
	static const struct taskstats_opt opt = { 1, true, true, true, true };
	struct cells c = cells_new(ENTITY_PROCESS);
	struct delays d;
	unsigned i;

	if (taskstats_scan(stats, &d)) {
		for (i = 0; i < DELAY_KINDS; i++) {
			if (d.of[i].has_peaks && !d.of[i].has)
				abort();
		}
		taskstats_set(&d, &opt, c);
	}
	cells_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span msg = span_of((const char *)data, size);
	struct taskstats_reply r;
	uint16_t family = 0;

	(void)taskstats_family(msg, &family); /* must not crash */
	if (size >= 6)
		memcpy(&family, data + 4, sizeof(family));
	if (taskstats_reply(msg, family, &r) && r.error == 0) {
		if (r.stats.ptr < msg.ptr || r.stats.end > msg.end)
			abort();
		use(r.stats);
	}
	use(msg);
	return 0;
}
