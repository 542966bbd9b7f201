/* SPDX-License-Identifier: Apache-2.0 */
#include "history/sending.h"

void sending_init(struct sending *s, PGconn *pg, bool threads,
	server_stopped_fn is_stopped)
{
	*s = (struct sending) { .pg = pg, .is_stopped = is_stopped,
		.worker = threads ? worker_new() : NULL };
}

void sending_release(struct sending *s)
{
	worker_free(s->worker);
	buf_release(&s->sql);
	buf_release(&s->rows);
}

static void work(void *ctx)
{
	struct sending *s = ctx;

	s->status = server_copy(s->pg, buf_str(&s->sql), &s->rows, s->table,
	    s->is_stopped, &s->err);
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
