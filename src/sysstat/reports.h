/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reports.h - the reports of pidstat and their columns.
 *
 * To add a report: add it to the enum, in the order of output, and to the
 * table.
 */
#ifndef GS_SYSSTAT_REPORTS_H
#define GS_SYSSTAT_REPORTS_H

#include "sysstat/calc.h"

enum report_id {
	REPORT_CPU,
	REPORT_CPU_CHILD,
	REPORT_MEMORY,
	REPORT_MEMORY_CHILD,
	REPORT_STACK,
	REPORT_IO,
	REPORT_SWITCHES,
	REPORT_KERNEL,
	REPORT_REALTIME,
	REPORT_COUNT
};

struct column {
	const char *name; /* in JSON */
	struct value_format format;
	calc_fn fn;
	unsigned arg;
};

#define REPORT_COLUMNS_MAX 8

struct report {
	const char *name; /* in JSON */
	const char *heading;
	const struct column *column;
	size_t n_column;
	uint64_t active; /* a row whose figures (bits) changed is shown */
};

extern const struct report reports[REPORT_COUNT];

#endif
