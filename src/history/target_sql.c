/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target_sql.c - statements to the database of a history.
 */
#include "history/target_int.h"

int target_ask(struct target *t, const char *sql, PGresult **ret,
	struct gs_err *err)
{
	return server_ask(t->pg, sql, ret, err);
}

int target_do(struct target *t, const char *sql, struct gs_err *err)
{
	PGresult *r;
	int status = target_ask(t, sql, &r, err);

	if (status == GS_OK)
		PQclear(r);
	return status;
}

int target_undo(struct target *t, struct gs_err *err)
{
	return target_do(t, "ROLLBACK", err);
}
