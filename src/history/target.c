/* SPDX-License-Identifier: Apache-2.0 */
#include "history/target.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "history/target_int.h"

/* Each, and its parts, is locked up to the end of the transaction; PostgreSQL has room for
 * 6,400 locks unless it is told otherwise. */
#define PARTITIONS_MAX 500u

/* ---- connection -------------------------------------------------------- */

/* Greenplum is not known to take binary rows in every version; and before it was
 * built with times of 64 bits, a server had others. */
static bool takes_binary(const struct target *t)
{
	const char *times = PQparameterStatus(t->pg, "integer_datetimes");

	return !ddl_is_greenplum(t->dialect) && times &&
	    strcmp(times, "on") == 0;
}

int target_connect(const struct target_options *o, struct target **ret,
	struct gs_err *err)
{
	struct target *t = gs_calloc(1, sizeof(*t));
	int r;

	t->schema = gs_strdup(o->schema);
	t->table = gs_calloc(n_history_tables, sizeof(*t->table));
	r = server_connect(o->dsn, &t->pg, &t->dialect, err);
	if (r < 0) {
		target_close(t);
		return r;
	}
	t->copy.last_character = server_last_character(t->pg);
	t->copy.is_binary = takes_binary(t);
	*ret = t;
	return GS_OK;
}

void target_close(struct target *t)
{
	size_t i;

	if (!t)
		return;
	sending_release(&t->sending);
	PQfinish(t->pg); /* rolls back an open transaction */
	for (i = 0; i < n_history_tables; i++) {
		buf_release(&t->table[i].rows);
		buf_release(&t->table[i].columns);
		free(t->table[i].day);
	}
	free(t->table);
	free(t->schema);
	buf_release(&t->step);
	buf_release(&t->sql);
	copyrow_release(&t->copy);
	free(t);
}

uint64_t target_rows(const struct target *t)
{
	return t->rows;
}

void target_add_text(const struct target *t, struct buf *to, struct span s)
{
	copyrow_add_storable(t->copy.last_character, to, s);
}

/* ---- rows -------------------------------------------------------------- */

#define COPY_BUFFER ((size_t)1 << 20)

/* Before the view's own: set_columns(), begin_step(). */
#define STEP_COLUMNS 4u

/* Sends the rows; an error comes with the next statement. */
static int flush(struct target *t, size_t i, struct gs_err *err)
{
	struct target_table *x = &t->table[i];
	struct sending *s = &t->sending;
	int r = x->rows.len > 0 ? sending_wait(s, err) : GS_OK;

	if (r < 0 || x->rows.len == 0)
		return r;
	buf_reset(&s->sql);
	ddl_add(&s->sql, t->schema, "COPY $.%n (%s) FROM STDIN%s",
	    history_tables[i].name, buf_str(&x->columns),
	    copyrow_format(&t->copy));
	copyrow_finish(&t->copy, &x->rows);
	sending_start(s, history_tables[i].name, &x->rows);
	return GS_OK;
}

/* The names of the grid's columns; pending rows with other columns are sent
 * first. */
static int set_columns(struct target *t, size_t i, const struct grid *g,
	struct gs_err *err)
{
	struct target_table *x = &t->table[i];
	struct buf list = BUF_INIT;
	size_t k;
	int r = GS_OK;

	buf_add_str(&list, "\"recording\", \"step\", \"step_end\", "
	    "\"covered_seconds\"");
	for (k = 0; k < g->n_col; k++)
		ddl_add(&list, NULL, ", %n", g->col[k].name);
	if (x->columns.len != list.len ||
	    memcmp(x->columns.ptr, list.ptr, list.len) != 0) {
		r = flush(t, i, err);
		buf_reset(&x->columns);
		buf_add(&x->columns, list.ptr, list.len);
	}
	buf_release(&list);
	return r;
}

/* The columns before the view's own in each row of a step. */
static void begin_step(struct target *t, uint32_t recording,
	const struct grid *g)
{
	const struct copyrow *c = &t->copy;

	buf_reset(&t->step);
	copyrow_begin(c, &t->step, STEP_COLUMNS + g->n_col);
	copyrow_add_id(c, &t->step, recording);
	copyrow_add_time(c, &t->step, g->from_ns);
	copyrow_add_time(c, &t->step, g->to_ns);
	copyrow_add_real(c, &t->step, g->covered_s);
}

static int add_row(struct target *t, size_t i, const struct grid *g,
	const struct grid_row *row, struct gs_err *err)
{
	struct buf *to = &t->table[i].rows;
	size_t k;
	int r = GS_OK;

	if (to->len == 0)
		copyrow_open(&t->copy, to);
	buf_add(to, t->step.ptr, t->step.len);
	for (k = 0; r == GS_OK && k < g->n_col; k++)
		r = copyrow_add_cell(&t->copy, to, &g->col[k], &row->cell[k],
		    history_tables[i].name, err);
	copyrow_end(&t->copy, to);
	t->rows++;
	return r;
}

int target_add(struct target *t, size_t i, uint32_t recording,
	const struct grid *g, struct gs_err *err)
{
	size_t k;
	int r = GS_OK;

	if (g->n_row == 0)
		return GS_OK;
	r = target_need_day(t, i, ddl_day(g->from_ns), err);
	if (r == GS_OK)
		r = set_columns(t, i, g, err);
	begin_step(t, recording, g);
	for (k = 0; r == GS_OK && k < g->n_row; k++) {
		r = add_row(t, i, g, &g->row[k], err);
		if (r == GS_OK && t->table[i].rows.len > COPY_BUFFER)
			r = flush(t, i, err);
	}
	return r;
}

/* ---- transactions ------------------------------------------------------ */

bool target_is_full(const struct target *t)
{
	return t->partitions >= PARTITIONS_MAX;
}

int target_begin(struct target *t, struct gs_err *err)
{
	int r = target_do(t, err, "BEGIN");

	t->partitions = 0;
	return r < 0 ? r : target_do(t, err,
	    "LOCK TABLE $.\"files\" IN EXCLUSIVE MODE");
}

int target_commit(struct target *t, struct gs_err *err)
{
	size_t i;
	int r = GS_OK;

	for (i = 0; r == GS_OK && i < n_history_tables; i++)
		r = flush(t, i, err);
	return r == GS_OK ? target_do(t, err, "COMMIT") : r;
}
