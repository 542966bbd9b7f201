/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tables.h - what is kept in SQL: one table for each of these views, with a
 * row for each of theirs and each step of time.
 */
#ifndef GS_HISTORY_TABLES_H
#define GS_HISTORY_TABLES_H

#include "base/err.h"
#include "view/view.h"

struct history_table {
	const char *name; /* of the view and the table */
	const char *spread; /* column by which Greenplum distributes rows;
	                     * NULL: at random */
	bool usual; /* filled unless somebody chooses */
	const char *help; /* comment on the table */
};

extern const struct history_table history_tables[];
extern const size_t n_history_tables;

/* Bits of a list of names with commas; NULL: the usual ones; "all".
 * GS_E_USAGE: there is no such table. */
int history_choose(const char *list, uint64_t *ret, struct gs_err *err);

/* Its columns, in a grid without rows; the caller frees it. */
struct grid *history_columns(const struct history_table *t);

#endif
