/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target_sql.c - statements to the database of a history.
 */
#include "history/target_int.h"

static int ask(struct target *t, PGresult **ret, struct gs_err *err,
	const char *sql, va_list *ap)
{
	int r = sending_wait(&t->sending, err);

	if (r < 0)
		return r;
	buf_reset(&t->sql);
	ddl_vadd(&t->sql, t->schema, sql, ap);
	return server_ask(t->pg, buf_str(&t->sql), t->sending.is_stopped, ret,
	    err);
}

int target_ask(struct target *t, PGresult **ret, struct gs_err *err,
	const char *sql, ...)
{
	va_list ap;
	int status;

	va_start(ap, sql);
	status = ask(t, ret, err, sql, &ap);
	va_end(ap);
	return status;
}

int target_do(struct target *t, struct gs_err *err, const char *sql, ...)
{
	PGresult *r;
	va_list ap;
	int status;

	va_start(ap, sql);
	status = ask(t, &r, err, sql, &ap);
	va_end(ap);
	if (status == GS_OK)
		PQclear(r);
	return status;
}
