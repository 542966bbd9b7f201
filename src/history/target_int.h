/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target_int.h - shared by the files of target.
 *
 *   target.c         connection, rows
 *   target_sql.c     statements
 *   target_schema.c  tables, columns, partitions
 */
#ifndef GS_HISTORY_TARGET_INT_H
#define GS_HISTORY_TARGET_INT_H

#include "history/copyrow.h"
#include "history/sending.h"
#include "history/target.h"

struct target_table {
	struct buf rows; /* as COPY takes them */
	struct buf columns; /* of these rows */
	int64_t *day; /* days that have a partition */
	size_t n_day, day_cap;
};

struct target {
	PGconn *pg;
	enum dialect dialect;
	struct copyrow copy;
	struct sending sending; /* from target_prepare() on */
	char *schema;
	bool upgraded; /* the schema was of an older version */
	struct target_table *table; /* one for each of history_tables */
	struct buf step; /* prefix of each row of the current step */
	struct buf sql; /* scratch */
	uint64_t rows;
	size_t partitions; /* that this transaction has made */
};

/* Makes the partition of that day if it is needed. */
int target_need_day(struct target *t, size_t table, int64_t day,
	struct gs_err *err);

#endif
