/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sending.h - rows on their way to the server: by COPY, in a thread of its own, while the
 * next ones are made.
 *
 * From sending_start() to sending_wait() nobody else uses the connection.
 */
#ifndef GS_HISTORY_SENDING_H
#define GS_HISTORY_SENDING_H

#include <stdbool.h>

#include <libpq-fe.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/worker.h"
#include "history/server.h"

struct sending {
	PGconn *pg; /* not owned */
	server_stopped_fn is_stopped;
	struct worker *worker; /* NULL: whoever starts it waits */
	struct buf sql, rows;
	const char *table; /* for errors */
	int status;
	struct gs_err err;
};

/* threads: it may begin one. */
void sending_init(struct sending *s, PGconn *pg, bool threads,
	server_stopped_fn is_stopped);
void sending_release(struct sending *s);

/* Takes the rows, which s->sql copies from STDIN; rows is empty then, and may be filled
 * again at once.  The ones before have been waited for. */
void sending_start(struct sending *s, const char *table, struct buf *rows);

/* Until they are there; their error.  At once if there are none. */
int sending_wait(struct sending *s, struct gs_err *err);

#endif
