/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/host.h"

/*
 * /proc/loadavg: averages with two digits, runnable/all tasks, newest pid.
 *
 *   0.20 0.18 0.12 1/80 11206
 */
void loadavg_scan(struct span text, struct cells host)
{
	uint64_t v;
	unsigned i;

	for (i = 0; i < 3; i++) {
		if (!scan_fixed(&text, 100, &v))
			return;
		cells_set(host, COL(HOST, LOAD1) + i, v);
	}
	if (!scan_u64(&text, &v) || span_empty(text) || *text.ptr != '/')
		return;
	text.ptr++;
	if (scan_u64(&text, &v))
		cells_set(host, COL(HOST, TASKS), v);
}

_Static_assert(COL(HOST, LOAD15) == COL(HOST, LOAD1) + 2,
	"the averages are columns in their order");

uint64_t loadavg_last_pid(struct span text)
{
	const char *blank;
	struct span last;
	uint64_t v;

	while (!span_empty(text) && text.end[-1] == '\n')
		text.end--;
	blank = memrchr(text.ptr, ' ', span_len(text));
	if (!blank || !memchr(text.ptr, '/', span_len(text)))
		return 0;
	last = span_of(blank + 1, (size_t)(text.end - blank - 1));
	return scan_u64(&last, &v) && v <= INT32_MAX ? v : 0;
}
