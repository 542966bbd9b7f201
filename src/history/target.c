/* SPDX-License-Identifier: Apache-2.0 */
#include "history/target.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/zone.h"
#include "history/target_int.h"
#include "render/cell.h"

/* Each, and its parts, is locked up to the end of the transaction; PostgreSQL has room for
 * 6,400 locks unless it is told otherwise. */
#define PARTITIONS_MAX 500u

/* ---- connection -------------------------------------------------------- */

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
	t->last_character = server_last_character(t->pg);
	*ret = t;
	return GS_OK;
}

void target_close(struct target *t)
{
	size_t i;

	if (!t)
		return;
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
	buf_release(&t->cell);
	buf_release(&t->text);
	free(t);
}

uint64_t target_rows(const struct target *t)
{
	return t->rows;
}

void target_add_text(const struct target *t, struct buf *to, struct span s)
{
	const char *p = s.ptr;

	if (t->last_character == UINT32_MAX) {
		buf_add(to, s.ptr, span_len(s));
		return;
	}
	while (p < s.end) {
		uint32_t c;
		size_t i, n = utf8_decode(p, (size_t)(s.end - p), &c);

		if (c <= t->last_character)
			buf_add(to, p, n);
		for (i = 0; c > t->last_character && i < n; i++)
			buf_printf(to, "\\x%02X", (uint8_t)p[i]);
		p += n;
	}
}

/* ---- rows -------------------------------------------------------------- */

#define COPY_BUFFER ((size_t)1 << 20)

/* A text in the format of COPY. */
static void add_copy_text(struct buf *to, const char *p, size_t len)
{
	size_t i, from = 0;

	for (i = 0; i < len; i++) {
		char c = p[i] == '\t' ? 't' : p[i] == '\n' ? 'n'
		    : p[i] == '\r' ? 'r' : p[i] == '\\' ? '\\' : '\0';

		if (c == '\0')
			continue;
		buf_add(to, p + from, i - from);
		buf_add_char(to, '\\');
		buf_add_char(to, c);
		from = i + 1;
	}
	buf_add(to, p + from, len - from);
}

/* Neither COPY nor a terminal needs anything of it escaped. */
static bool is_plain(struct span s)
{
	const char *p = s.ptr;

	while (p < s.end && *p >= ' ' && *p <= '~' && *p != '\\')
		p++;
	return p == s.end;
}

static void add_text(struct target *t, struct buf *to, struct span text)
{
	if (is_plain(text)) {
		buf_add(to, text.ptr, span_len(text));
		return;
	}
	buf_reset(&t->cell);
	buf_reset(&t->text);
	utf8_add_safe(&t->cell, text.ptr, span_len(text));
	target_add_text(t, &t->text, span_of(buf_str(&t->cell), t->cell.len));
	add_copy_text(to, buf_str(&t->text), t->text.len);
}

/* Nothing of it is to be escaped. */
static void add_number(struct buf *to, enum quantity q, const struct cell *c)
{
	if (c->kind == CELL_MAX && q != Q_TEXT)
		buf_add_str(to, "Infinity"); /* above every number */
	else if (c->kind == CELL_REAL && (q == Q_ID || q == Q_TIME))
		buf_printf(to, "%.0f", c->r);
	else /* the server reads a real back to the bit */
		(void)cell_add_exact(to, q, c); /* it is there */
}

/* The type of numbers that name something is bigint. */
static bool fits(enum quantity q, const struct cell *c)
{
	return q != Q_ID || (c->kind != CELL_MAX && (c->kind != CELL_REAL ||
	    (c->r > -0x1p63 && c->r < 0x1p63)));
}

static int add_cell(struct target *t, struct buf *to,
	const struct grid_col *col, const struct cell *c, const char *table,
	struct gs_err *err)
{
	buf_add_char(to, '\t');
	if (cell_is_absent(c) || !fits(col->quantity, c))
		buf_add(to, "\\N", 2);
	else if (c->kind != CELL_TEXT)
		add_number(to, col->quantity, c);
	else if (col->quantity == Q_TEXT)
		add_text(t, to, cell_span(c));
	else
		return gs_fail(err, GS_E_FORMAT, "%s.%s: expected a number, "
		    "got \"%.*s\"", table, col->name,
		    (int)GS_MIN(c->len, (size_t)60), c->text);
	return GS_OK;
}

static int flush(struct target *t, size_t i, struct gs_err *err)
{
	struct target_table *x = &t->table[i];
	PGresult *r;
	bool ok;

	if (x->rows.len == 0)
		return GS_OK;
	buf_reset(&t->sql);
	ddl_add(&t->sql, t->schema, "COPY $.%n (%s) FROM STDIN",
	    history_tables[i].name, buf_str(&x->columns));
	r = PQexec(t->pg, t->sql.ptr);
	ok = PQresultStatus(r) == PGRES_COPY_IN;
	PQclear(r);
	/* libpq takes an int */
	ok = ok && PQputCopyData(t->pg, x->rows.ptr, (int)x->rows.len) == 1 &&
	    PQputCopyEnd(t->pg, NULL) == 1;
	if (!ok)
		return server_failed(t->pg, history_tables[i].name, err);
	while ((r = PQgetResult(t->pg)) != NULL) {
		ok = ok && PQresultStatus(r) == PGRES_COMMAND_OK;
		PQclear(r);
	}
	buf_reset(&x->rows);
	return ok ? GS_OK : server_failed(t->pg, history_tables[i].name, err);
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
	struct cell covered = cell_real(g->covered_s);

	buf_reset(&t->step);
	buf_printf(&t->step, "%" PRIu32 "\t", recording);
	zone_add_iso(g->from_ns, &t->step);
	buf_add_char(&t->step, '\t');
	zone_add_iso(g->to_ns, &t->step);
	buf_add_char(&t->step, '\t');
	(void)cell_add_exact(&t->step, Q_SECONDS, &covered); /* it is there */
}

static int add_row(struct target *t, size_t i, const struct grid *g,
	const struct grid_row *row, struct gs_err *err)
{
	struct buf *to = &t->table[i].rows;
	size_t k;
	int r = GS_OK;

	buf_add(to, t->step.ptr, t->step.len);
	for (k = 0; r == GS_OK && k < g->n_col; k++)
		r = add_cell(t, to, &g->col[k], &row->cell[k],
		    history_tables[i].name, err);
	buf_add_char(to, '\n');
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
