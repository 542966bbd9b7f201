/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target_schema.c - the schema of a history: makes it if it does not exist,
 * leaves a newer one alone, and adds missing columns.
 *
 * All is done in one transaction, by one loader at a time: a second one
 * waits for the lock on schema_version, or for the name of the schema, and
 * then finds it complete.
 */
#include "history/target_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* 1 if the query has a row, 0 if not; clears it. */
static int has_row(PGresult *r)
{
	int n = PQntuples(r);

	PQclear(r);
	return n > 0;
}

static int has_relation(struct target *t, const char *name,
	struct gs_err *err)
{
	PGresult *r;
	int status = target_ask(t, &r, err, "SELECT 1 FROM "
	    "pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = "
	    "c.relnamespace WHERE n.nspname = %l AND c.relname = %l",
	    t->schema, name);

	return status < 0 ? status : has_row(r);
}

static int has_schema(struct target *t, struct gs_err *err)
{
	PGresult *r;
	int status = target_ask(t, &r, err, "SELECT 1 FROM "
	    "pg_catalog.pg_namespace WHERE nspname = %l", t->schema);

	return status < 0 ? status : has_row(r);
}

/* Runs complete statements, which are cleared. */
static int run(struct target *t, struct buf *sql, struct gs_err *err)
{
	int r = target_do(t, err, "%s", buf_str(sql));

	buf_release(sql);
	return r;
}

/* ---- version ----------------------------------------------------------- */

static int make_base(struct target *t, const char *program,
	struct gs_err *err)
{
	struct buf sql = BUF_INIT;
	int r = has_schema(t, err);

	if (r < 0)
		return r;
	if (r == 0)
		ddl_schema(&sql, t->schema);
	ddl_base(&sql, t->dialect, t->schema, program);
	return run(t, &sql, err);
}

static int upgrade(struct target *t, int version, const char *program,
	struct gs_err *err)
{
	struct buf sql = BUF_INIT;

	t->upgraded = true;
	ddl_upgrade(&sql, t->schema, version, program);
	return run(t, &sql, err);
}

static int check_version(struct target *t, const char *program,
	struct gs_err *err)
{
	PGresult *r;
	int version, status;

	status = target_do(t, err,
	    "LOCK TABLE $.\"schema_version\" IN EXCLUSIVE MODE");
	if (status < 0)
		return status;
	status = target_ask(t, &r, err, "SELECT max(version), max(program) "
	    "FROM $.\"schema_version\"");
	if (status < 0)
		return status;
	version = PQgetisnull(r, 0, 0) ? 0 : atoi(PQgetvalue(r, 0, 0));
	if (version > DDL_VERSION)
		status = gs_fail(err, GS_E_VERSION, "schema %s has version "
		    "%d, made by gpsnap %s; this gpsnap knows version %d: use a "
		    "newer one, or another --schema", t->schema, version,
		    PQgetvalue(r, 0, 1), DDL_VERSION);
	else if (version < DDL_VERSION)
		status = upgrade(t, version, program, err);
	PQclear(r);
	return status;
}

/* ---- tables ------------------------------------------------------------ */

/* The type of a column, "" if there is none. */
static const char *type_of(const PGresult *r, const char *column)
{
	int i;

	for (i = 0; i < PQntuples(r); i++) {
		if (strcmp(PQgetvalue(r, i, 0), column) == 0)
			return PQgetvalue(r, i, 1);
	}
	return "";
}

/* 1: some were added. */
static int compare_columns(struct target *t, const char *table,
	const struct grid *g, const PGresult *r, struct gs_err *err)
{
	struct buf sql = BUF_INIT;
	size_t i;
	int status;

	for (i = 0; i < g->n_col; i++) {
		const char *want = ddl_known_type(g->col[i].quantity);
		const char *is = type_of(r, g->col[i].name);

		if (!*is) {
			ddl_add_column(&sql, t->schema, table, &g->col[i]);
		} else if (strcmp(is, want) != 0) {
			buf_release(&sql);
			return gs_fail(err, GS_E_EXISTS, "%s.%s.%s is %s, "
			    "expected %s: use another --schema", t->schema,
			    table, g->col[i].name, is, want);
		}
	}
	if (sql.len == 0)
		return 0;
	status = run(t, &sql, err);
	return status < 0 ? status : 1;
}

/* Adds the columns that this version has more; columns of newer versions stay
 * empty. */
static int update_table(struct target *t, const struct history_table *h,
	const struct grid *g, struct gs_err *err)
{
	PGresult *r;
	int status = target_ask(t, &r, err, "SELECT column_name, data_type "
	    "FROM information_schema.columns WHERE table_schema = %l AND "
	    "table_name = %l", t->schema, h->name);

	if (status < 0)
		return status;
	status = compare_columns(t, h->name, g, r, err);
	PQclear(r);
	return status;
}

/* 1: the table or a column of it was made: the views may change. */
static int need_table(struct target *t, const struct target_options *o,
	size_t i, struct gs_err *err)
{
	const struct history_table *h = &history_tables[i];
	struct grid *g = history_columns(o->metrics, i);
	struct buf sql = BUF_INIT;
	int r = has_relation(t, h->name, err);

	if (r > 0) {
		r = update_table(t, h, g, err);
	} else if (r == 0) {
		ddl_create(&sql, t->dialect, t->schema, h, g, o->day_ns);
		r = run(t, &sql, err);
		r = r == GS_OK ? 1 : r;
	}
	grid_free(g);
	return r;
}

/* made: views are made again, too. */
static int need_tables(struct target *t, const struct target_options *o,
	bool made, struct gs_err *err)
{
	struct buf sql = BUF_INIT;
	size_t i;
	int r = GS_OK;

	for (i = 0; r >= 0 && i < n_history_tables; i++) {
		r = need_table(t, o, i, err);
		made |= r > 0;
	}
	if (r < 0 || !made)
		return r < 0 ? r : GS_OK;
	ddl_views(&sql, t->schema);
	return run(t, &sql, err);
}

/* *ret_made: it had to make the schema. */
static int prepare(struct target *t, const struct target_options *o,
	bool *ret_made, struct gs_err *err)
{
	int r = target_do(t, err, "BEGIN");

	if (r == GS_OK)
		r = has_relation(t, "schema_version", err);
	*ret_made = r == 0;
	if (r == 0)
		r = make_base(t, o->program, err);
	else if (r > 0)
		r = check_version(t, o->program, err);
	if (r == GS_OK)
		r = need_tables(t, o, t->upgraded, err);
	return r == GS_OK ? target_do(t, err, "COMMIT") : r;
}

int target_prepare(struct target *t, const struct target_options *o,
	struct gs_err *err)
{
	bool made;
	int r;

	sending_init(&t->sending, t->pg, o->threads, o->is_stopped);
	r = prepare(t, o, &made, err);
	/* waiting for another loader that made it may end with an error */
	if (r < 0 && made && target_do(t, NULL, "ROLLBACK") == GS_OK &&
	    has_relation(t, "schema_version", NULL) > 0)
		r = prepare(t, o, &made, err);
	return r;
}

/* ---- partitions -------------------------------------------------------- */

static int make_day(struct target *t, const char *table, int64_t day,
	struct gs_err *err)
{
	struct buf name = BUF_INIT, sql = BUF_INIT;
	int r;

	ddl_partition_name(&name, t->dialect, table, day);
	r = has_relation(t, buf_str(&name), err);
	buf_release(&name);
	if (r != 0)
		return r < 0 ? r : GS_OK;
	ddl_partition(&sql, t->dialect, t->schema, table, day);
	t->partitions++;
	return run(t, &sql, err);
}

int target_need_day(struct target *t, size_t i, int64_t day,
	struct gs_err *err)
{
	struct target_table *x = &t->table[i];
	size_t k;
	int r;

	if (!ddl_has_partitions(t->dialect))
		return GS_OK;
	for (k = 0; k < x->n_day; k++) {
		if (x->day[k] == day)
			return GS_OK;
	}
	r = make_day(t, history_tables[i].name, day, err);
	if (r < 0)
		return r;
	GS_GROW(x->day, &x->day_cap, x->n_day + 1);
	x->day[x->n_day++] = day;
	return GS_OK;
}
