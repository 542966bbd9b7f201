/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target.h - a database that holds a history: its connection, its schema, and
 * rows on their way into it.
 *
 * Use: target_connect(); target_prepare();
 * target_begin(), rows, target_commit(), as often as wanted; target_close().
 * Nothing is there before target_commit(); whatever fails in between is
 * undone by target_close().
 */
#ifndef GS_HISTORY_TARGET_H
#define GS_HISTORY_TARGET_H

#include <stdint.h>

#include <libpq-fe.h>

#include "history/ddl.h"

struct target;

struct target_options {
	const char *dsn; /* libpq's keywords or URI; NULL: what PG* say */
	const char *schema;
	const char *program; /* "0.1.0" */
	const struct history_metrics *metrics; /* NULL: none */
	int64_t day_ns; /* an instant that rows are of; for target_prepare() */
};

/* Words of the connection string are in no message. */
int target_connect(const struct target_options *o, struct target **ret,
	struct gs_err *err);

/* Makes the schema or brings it up to date. */
int target_prepare(struct target *t, const struct target_options *o,
	struct gs_err *err);

void target_close(struct target *t);

const char *target_schema(const struct target *t);

/* Appends a text of UTF-8 as the database can keep it: bytes of characters
 * that its encoding does not have are \xHH. */
void target_add_text(const struct target *t, struct buf *to, struct span s);

/* A transaction in which nobody else loads. */
int target_begin(struct target *t, struct gs_err *err);
int target_commit(struct target *t, struct gs_err *err);

/* Ends it before the first row. */
int target_undo(struct target *t, struct gs_err *err);

/* One statement without an answer, or with: the caller clears it. */
int target_do(struct target *t, const char *sql, struct gs_err *err);
int target_ask(struct target *t, const char *sql, PGresult **ret,
	struct gs_err *err);

/* Adds all rows of a grid to the table of that number; they are of a step
 * that begins at g->from_ns. */
int target_add(struct target *t, size_t table, uint32_t recording,
	const struct grid *g, struct gs_err *err);

/* Rows that were added since target_connect(). */
uint64_t target_rows(const struct target *t);

#endif
