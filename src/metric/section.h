/* SPDX-License-Identifier: Apache-2.0 */
/*
 * section.h - what a metric is about: scheduling, memory, IO ...
 *
 * It follows from the kernel file, the name and the unit, in that order, so that
 * a new metric needs no entry.
 */
#ifndef GS_METRIC_SECTION_H
#define GS_METRIC_SECTION_H

#include "metric/metric.h"

enum metric_section {
	SECTION_OTHER, /* identity, state */
	SECTION_SCHEDULING,
	SECTION_MEMORY,
	SECTION_IO,
	SECTION_NETWORK,
	SECTION_DELAYS,
	SECTION_PRESSURE,
	SECTION_LIMITS,
	SECTION_CGROUP,
	SECTION_COUNT
};

enum metric_section metric_section_of(const struct metric *m);

/* "scheduling". */
const char *metric_section_name(enum metric_section s);

/* "CPU time, run queue, context switches, wakeups, migrations". */
const char *metric_section_help(enum metric_section s);

#endif
