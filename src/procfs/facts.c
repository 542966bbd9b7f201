/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/host.h"

/*
 * Files that hold one fact:
 *
 *   /proc/sys/vm/swappiness                           60
 *   /proc/sys/kernel/osrelease                        6.1.0-18-amd64
 *   /sys/kernel/mm/transparent_hugepage/enabled       always [madvise] never
 */
void fact_number(struct span text, struct cells c, unsigned col)
{
	uint64_t v;

	if (scan_s64(&text, &v))
		cells_set(c, col, v);
}

struct span fact_line(struct span text)
{
	struct span line;

	if (!scan_line(&text, &line))
		return span_of("", 0);
	scan_blank(&line);
	while (!span_empty(line) &&
	    (line.end[-1] == ' ' || line.end[-1] == '\t'))
		line.end--;
	return line;
}

struct span fact_choice(struct span text)
{
	struct span before, choice;

	if (!scan_until(&text, '[', &before) ||
	    !scan_until(&text, ']', &choice))
		return span_of("", 0);
	return choice;
}
