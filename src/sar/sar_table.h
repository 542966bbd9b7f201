/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_table.h - sar's activities and their columns, for all that print them.
 *
 * To add an activity: add it to the enum, in sar's order of output, and to
 * the table; to add a column, a row to its activity's columns.  A column's
 * function has its rule for averages in it: rates are over the run, levels
 * of the host are means, those of file systems are the last ones.
 *
 * Use, for each sample and activity:
 *
 *	size_t at = 0;
 *	while (sar_next_row(data, activity, choice, average, &at, &calc))
 *		for each column: column->fn(&calc, column->arg)
 */
#ifndef GS_SAR_SAR_TABLE_H
#define GS_SAR_SAR_TABLE_H

#include "base/err.h"
#include "sar/chart.h"
#include "sar/sar_calc.h"

enum sar_activity_id {
	SAR_A_CPU,
	SAR_A_CPU_ALL,
	SAR_A_PCSW,
	SAR_A_SWAP,
	SAR_A_PAGE,
	SAR_A_IO,
	SAR_A_MEMORY,
	SAR_A_MEMORY_ALL,
	SAR_A_SWAP_SPACE,
	SAR_A_HUGE,
	SAR_A_KTABLES,
	SAR_A_QUEUE,
	SAR_A_DISK,
	SAR_A_NET_DEV,
	SAR_A_NET_EDEV,
	SAR_A_NET_SOCK,
	SAR_A_NET_IP,
	SAR_A_NET_EIP,
	SAR_A_NET_TCP,
	SAR_A_NET_ETCP,
	SAR_A_NET_UDP,
	SAR_A_FS,
	SAR_A_FS_MOUNT,
	SAR_A_PSI_CPU,
	SAR_A_PSI_IO,
	SAR_A_PSI_MEM,
	SAR_ACTIVITIES
};

_Static_assert(SAR_ACTIVITIES <= 64, "one bit for each");

struct sar_column {
	const char *name; /* heading, and in sadf -d and -p; NULL: not there */
	const char *key; /* in JSON and XML */
	const char *xml; /* in XML; NULL: key */
	const char *group; /* in JSON and XML: what it stands in; NULL: none */
	struct value_format format;
	sar_fn fn;
	unsigned arg;
	enum chart_unit chart; /* those of one unit are in one chart */
};

#define SAR_COLUMNS_MAX 16
#define SAR_ITEM_LAST (-1)

struct sar_activity {
	const char *what; /* in sentences: "paging" */
	const char *option; /* of sar: "-r ALL" */
	enum sar_kind kind;
	bool has_all; /* a first row, of all of the kind together */
	const char *item; /* heading of what names a row; NULL: one row */
	int item_width; /* SAR_ITEM_LAST: after the values */
	const char *json; /* name of its object, or of its list if it has
	                   * items */
	const char *json_item;
	const char *group; /* what that stands in, in JSON and XML: "network";
	                    * NULL: nothing */
	const char *xml; /* element of a row */
	const char *xml_item;
	const char *xml_attr; /* of the element that holds the activity, or its
	                       * group: "per=\"second\""; NULL: none */
	bool xml_elements; /* columns are elements, those of a group the
	                    * attributes of one; else attributes */
	unsigned only_with; /* column of the host without which sar knows of
	                     * no such activity; 0: it always does */
	const struct sar_column *column;
	size_t n_column;
};

extern const struct sar_activity sar_activities[SAR_ACTIVITIES];

/* Which rows. */
struct sar_choice {
	/* CPUs by number, rising; owned */
	uint64_t *cpu;
	size_t n_cpu;
	bool every_cpu; /* -P ALL */
	bool no_all; /* not all CPUs together */
	char *disks, *nets, *filesystems; /* "a,b"; NULL: all; owned */
	bool omit_idle; /* -z */
};

#define SAR_CHOICE_INIT { 0 }

/* "0,2-4,all", "ALL".  GS_E_USAGE: it is neither. */
int sar_choice_cpus(struct sar_choice *c, const char *list,
	struct gs_err *err);
void sar_choice_release(struct sar_choice *c);

/* The names that were given of such items; NULL: none. */
const char *sar_choice_named(const struct sar_choice *c, enum sar_kind kind);

/* The next row of an activity, from *at = 0 on; false: no more. */
bool sar_next_row(const struct sar_data *d, const struct sar_activity *a,
	const struct sar_choice *choice, bool average, size_t *at,
	struct sar_calc *ret);

/* Whether sar has the activity at all, with or without rows. */
bool sar_is_known(const struct sar_data *d, const struct sar_activity *a);

/* How many lines sar believes that a report has. */
size_t sar_lines(const struct sar_data *d, const struct sar_activity *a,
	const struct sar_choice *choice);

/* The wanted activities (bits) of which nothing was seen, except those without
 * rows because idle rows are omitted. */
uint64_t sar_missing(uint64_t wanted, uint64_t seen,
	const struct sar_choice *choice);

/* A notice of each; d (may be NULL) of a host, for what there is instead. */
typedef void (*sar_notice_fn)(void *arg, const char *text);
void sar_report_missing(uint64_t missing, const struct sar_choice *choice,
	const struct sar_data *d, sar_notice_fn notice, void *arg);

/* The name of a row: "all", "0", "sda"; "" for a host's only row. */
const char *sar_row_name(const struct sar_activity *a,
	const struct sar_calc *row);

#endif
