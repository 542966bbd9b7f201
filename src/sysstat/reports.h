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

/* How a column is written. */
enum column_style {
	STYLE_PERCENT, /* coloured by how much it is */
	STYLE_SHARE, /* the same, of memory */
	STYLE_RATE, /* with decimals */
	STYLE_BYTES_RATE, /* bytes per second; in kB unless for humans */
	STYLE_KIB, /* whole; scaled for humans */
	STYLE_WHOLE,
	STYLE_ITEM, /* names something */
	STYLE_WORD
};

struct column {
	const char *name; /* in JSON */
	enum column_style style;
	int width;
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
