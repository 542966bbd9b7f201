/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target.h - a database that holds a history: its connection, its schema, and
 * the rows being loaded.
 *
 * Use: target_connect(); target_prepare();
 * target_begin(), rows, target_commit(), as often as wanted; target_close().
 * Rows become visible with target_commit(); target_close() rolls back an open
 * transaction.
 */
#ifndef GS_HISTORY_TARGET_H
#define GS_HISTORY_TARGET_H

#include <stdint.h>

#include <libpq-fe.h>

#include "history/ddl.h"
#include "history/server.h"

struct target;

struct target_options {
	const char *dsn; /* libpq's keywords or URI; NULL: from PG* */
	const char *schema;
	const char *program; /* "0.1.0" */
	const struct history_metrics *metrics; /* NULL: none */
	int64_t day_ns; /* an instant within the rows; for target_prepare() */
	/* for target_prepare(), too: */
	bool threads; /* rows may be sent while others are made */
	server_stopped_fn is_stopped; /* from then on */
};

/* No message contains parts of the connection string. */
int target_connect(const struct target_options *o, struct target **ret,
	struct gs_err *err);

/* Makes the schema or brings it up to date. */
int target_prepare(struct target *t, const struct target_options *o,
	struct gs_err *err);

void target_close(struct target *t);

/* Appends a UTF-8 text in a form that the database can store: bytes of
 * characters that its encoding lacks become \xHH. */
void target_add_text(const struct target *t, struct buf *to, struct span s);

/* Begins a transaction that locks out other loads. */
int target_begin(struct target *t, struct gs_err *err);
int target_commit(struct target *t, struct gs_err *err);

/* Runs SQL as of ddl_add(); target_ask() returns the result, which the caller
 * clears. */
int target_do(struct target *t, struct gs_err *err, const char *sql, ...);
int target_ask(struct target *t, PGresult **ret, struct gs_err *err,
	const char *sql, ...);

/* Adds all rows of a grid to the table of that number; their step begins at
 * g->from_ns. */
int target_add(struct target *t, size_t table, uint32_t recording,
	const struct grid *g, struct gs_err *err);

/* Rows that were added since target_connect(). */
uint64_t target_rows(const struct target *t);

/* The transaction has made so many partitions that the server may not be able to lock
 * more: commit it. */
bool target_is_full(const struct target *t);

#endif
