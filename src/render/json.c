/*
 * json.c - one object per table, each on a line of its own.
 *
 * {"version":1, "view":..., "from":..., "to":..., "covered_seconds":...,
 *  "every_seconds":..., "ticks":..., "interval_seconds":..., "files":[...],
 *  "hosts":[...], "holes":[{"from","to","seconds","why"}], "notes":[...],
 *  "columns":[{"name","unit","title","help"}], "rows":[{name: value}],
 *  "others":null or {name: value}, "others_count":..., "total_rows":...,
 *  "marks":[{"row","column","mark"}]}
 *
 * marks names the cells that are no plain values: "estimate", "at_least";
 * row counts from 0, and is null for others.
 */
#include <string.h>

#include <yajl/yajl_gen.h>

#include "base/utf8.h"
#include "base/zone.h"
#include "render/cell.h"
#include "render/render_int.h"

#define JSON_VERSION 1

struct json {
	yajl_gen gen;
	struct buf *scratch;
};

static void print(void *to, const char *p, size_t len)
{
	buf_add(to, p, len);
}

/* yajl's answers tell misuse of its grammar only, which the order of calls
 * here rules out; so none is looked at. */
static void open_map(struct json *j)
{
	(void)yajl_gen_map_open(j->gen);
}

static void close_map(struct json *j)
{
	(void)yajl_gen_map_close(j->gen);
}

static void open_list(struct json *j)
{
	(void)yajl_gen_array_open(j->gen);
}

static void close_list(struct json *j)
{
	(void)yajl_gen_array_close(j->gen);
}

static void add_null(struct json *j)
{
	(void)yajl_gen_null(j->gen);
}

static void add_int(struct json *j, int64_t v)
{
	(void)yajl_gen_integer(j->gen, (long long)v);
}

static void add_bytes(struct json *j, const char *p, size_t len)
{
	(void)yajl_gen_string(j->gen, (const unsigned char *)p, len);
}

static void add_str(struct json *j, const char *s)
{
	buf_reset(j->scratch);
	utf8_add_safe(j->scratch, s, strlen(s));
	add_bytes(j, buf_str(j->scratch), j->scratch->len);
}

/* Names are constants of the program, or machine names. */
static void add_name(struct json *j, const char *name)
{
	add_bytes(j, name, strlen(name));
}

static void add_instant(struct json *j, int64_t ns)
{
	buf_reset(j->scratch);
	zone_add_iso(ns, j->scratch);
	add_bytes(j, buf_str(j->scratch), j->scratch->len);
}

static void add_value(struct json *j, enum quantity q, const struct cell *c)
{
	buf_reset(j->scratch);
	if (!cell_add_exact(j->scratch, q, c))
		add_null(j);
	else if (c->kind == CELL_TEXT || q == Q_TIME)
		add_bytes(j, buf_str(j->scratch), j->scratch->len);
	else
		(void)yajl_gen_number(j->gen, buf_str(j->scratch),
		    j->scratch->len);
}

static void add_real(struct json *j, double v)
{
	struct cell c = cell_real(v);

	add_value(j, Q_NUMBER, &c);
}

static void add_strings(struct json *j, const char *name,
	const char *const *s, size_t n)
{
	size_t i;

	add_name(j, name);
	open_list(j);
	for (i = 0; i < n; i++)
		add_str(j, s[i]);
	close_list(j);
}

/* The holes that touch the grid's range. */
static void add_holes(struct json *j, const struct report *rep,
	const struct grid *g)
{
	size_t i;

	add_name(j, "holes");
	open_list(j);
	for (i = 0; i < rep->n_hole; i++) {
		const struct report_hole *h = &rep->hole[i];

		if (rep->every_ns &&
		    (h->to_ns <= g->from_ns || h->from_ns >= g->to_ns))
			continue;
		open_map(j);
		add_name(j, "from");
		add_instant(j, h->from_ns);
		add_name(j, "to");
		add_instant(j, h->to_ns);
		add_name(j, "seconds");
		add_real(j, (double)(h->to_ns - h->from_ns) / 1e9);
		add_name(j, "why");
		add_str(j, h->why);
		close_map(j);
	}
	close_list(j);
}

static void add_head(struct json *j, const struct report *rep,
	const struct grid *g)
{
	add_name(j, "version");
	add_int(j, JSON_VERSION);
	add_name(j, "view");
	add_str(j, g->name);
	add_name(j, "from");
	add_instant(j, g->from_ns);
	add_name(j, "to");
	add_instant(j, g->to_ns);
	add_name(j, "covered_seconds");
	add_real(j, g->covered_s);
	add_name(j, "window_seconds");
	if (g->window_s > 0)
		add_real(j, g->window_s);
	else
		add_null(j);
	add_name(j, "every_seconds");
	if (rep->every_ns)
		add_real(j, (double)rep->every_ns / 1e9);
	else
		add_null(j);
	add_name(j, "ticks");
	add_int(j, (int64_t)rep->n_ticks);
	add_name(j, "interval_seconds");
	add_real(j, (double)rep->interval_ns / 1e9);
	add_strings(j, "files", rep->file, rep->n_file);
	add_strings(j, "hosts", rep->host, rep->n_host);
	add_holes(j, rep, g);
	add_strings(j, "notes", rep->note, rep->n_note);
}

static void add_columns(struct json *j, const struct grid *g)
{
	size_t i;

	add_name(j, "columns");
	open_list(j);
	for (i = 0; i < g->n_col; i++) {
		const struct grid_col *col = &g->col[i];

		open_map(j);
		add_name(j, "name");
		add_str(j, col->name);
		add_name(j, "unit");
		add_str(j, quantity_unit(col->quantity));
		add_name(j, "title");
		add_str(j, col->title);
		add_name(j, "help");
		add_str(j, col->help ? col->help : "");
		close_map(j);
	}
	close_list(j);
}

static void add_row(struct json *j, const struct grid *g,
	const struct grid_row *row)
{
	size_t i;

	open_map(j);
	for (i = 0; i < g->n_col; i++) {
		add_name(j, g->col[i].name);
		add_value(j, g->col[i].quantity, &row->cell[i]);
	}
	close_map(j);
}

static void add_rows(struct json *j, const struct grid *g)
{
	const struct grid_row *others = NULL;
	size_t i;

	add_name(j, "rows");
	open_list(j);
	for (i = 0; i < g->n_row; i++) {
		if (g->row[i].others)
			others = &g->row[i];
		else
			add_row(j, g, &g->row[i]);
	}
	close_list(j);
	add_name(j, "others");
	if (others)
		add_row(j, g, others);
	else
		add_null(j);
	add_name(j, "others_count");
	add_int(j, others ? (int64_t)others->n_others : 0);
	add_name(j, "total_rows");
	add_int(j, (int64_t)g->n_total);
}

static void add_mark(struct json *j, const struct grid *g, size_t row,
	size_t col)
{
	const struct cell *c = &g->row[row].cell[col];

	if (!c->mark || cell_is_absent(c))
		return;
	open_map(j);
	add_name(j, "row");
	if (g->row[row].others)
		add_null(j);
	else
		add_int(j, (int64_t)row);
	add_name(j, "column");
	add_str(j, g->col[col].name);
	add_name(j, "mark");
	add_str(j, c->mark == '~' ? "estimate" : "at_least");
	close_map(j);
}

static void add_marks(struct json *j, const struct grid *g)
{
	size_t i, k;

	add_name(j, "marks");
	open_list(j);
	for (i = 0; i < g->n_row; i++) {
		for (k = 0; k < g->n_col; k++)
			add_mark(j, g, i, k);
	}
	close_list(j);
}

static void begin(struct render *r)
{
	(void)r; /* every line stands for itself */
}

static void grid(struct render *r, const struct grid *g)
{
	struct json j = { yajl_gen_alloc(NULL), &r->scratch };

	if (!j.gen)
		return; /* only without memory, where others abort */
	(void)yajl_gen_config(j.gen, yajl_gen_print_callback, print, r->to);
	open_map(&j);
	add_head(&j, r->report, g);
	add_columns(&j, g);
	add_rows(&j, g);
	add_marks(&j, g);
	close_map(&j);
	yajl_gen_free(j.gen);
	buf_add_char(r->to, '\n');
}

static void end(struct render *r)
{
	(void)r; /* nothing is open */
}

const struct render_ops render_json = { begin, grid, end };
