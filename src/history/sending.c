/* SPDX-License-Identifier: Apache-2.0 */
#include "history/sending.h"

#include "history/server.h"

void sending_init(struct sending *s, PGconn *pg, bool threads)
{
	*s = (struct sending) { .pg = pg,
		.worker = threads ? worker_new() : NULL };
}

void sending_release(struct sending *s)
{
	worker_free(s->worker);
	buf_release(&s->sql);
	buf_release(&s->rows);
}

static int send_rows(struct sending *s)
{
	PGresult *r = PQexec(s->pg, buf_str(&s->sql));
	bool ok = PQresultStatus(r) == PGRES_COPY_IN;

	PQclear(r);
	/* libpq takes an int */
	ok = ok && PQputCopyData(s->pg, s->rows.ptr, (int)s->rows.len) == 1 &&
	    PQputCopyEnd(s->pg, NULL) == 1;
	if (!ok)
		return server_failed(s->pg, s->table, &s->err);
	while ((r = PQgetResult(s->pg)) != NULL) {
		ok = ok && PQresultStatus(r) == PGRES_COMMAND_OK;
		PQclear(r);
	}
	return ok ? GS_OK : server_failed(s->pg, s->table, &s->err);
}

static void work(void *ctx)
{
	struct sending *s = ctx;

	s->status = send_rows(s);
}

void sending_start(struct sending *s, const char *table, struct buf *rows)
{
	struct buf empty = s->rows;

	s->rows = *rows;
	*rows = empty;
	buf_reset(rows);
	s->table = table;
	if (s->worker)
		worker_start(s->worker, work, s);
	else
		work(s);
}

int sending_wait(struct sending *s, struct gs_err *err)
{
	int status;

	if (s->worker)
		worker_wait(s->worker);
	status = s->status;
	s->status = GS_OK;
	if (status < 0 && err)
		*err = s->err;
	return status;
}
