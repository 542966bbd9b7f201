/* SPDX-License-Identifier: Apache-2.0 */
#include "query/series.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/fnv.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "query/series_int.h"

struct series *series_new(const struct series_ask *ask)
{
	struct series *s = gs_calloc(1, sizeof(*s));

	s->ask = ask;
	s->arena = arena_new();
	return s;
}

void series_free(struct series *s)
{
	size_t i;

	if (!s)
		return;
	HASH_CLEAR(by_id, s->by_id);
	HASH_CLEAR(by_name, s->by_name);
	for (i = 0; i < s->n_line; i++) {
		free(s->line[i]->point);
		free(s->line[i]->label);
		free(s->line[i]);
	}
	free(s->line);
	free(s->at_ns);
	free(s->covered_s);
	arena_free(s->arena);
	free(s);
}

/* ---- columns ------------------------------------------------------------- */

static bool is_figure(enum quantity q)
{
	return q != Q_TEXT && q != Q_ID && q != Q_TIME && q != Q_BY_ROW;
}

static int find_metric(struct series *s, const struct grid *g,
	struct span name, struct gs_err *err)
{
	int col = grid_find_col(g, name.ptr, span_len(name));
	size_t i;

	if (span_empty(name))
		return gs_fail(err, GS_E_USAGE, "expected names of columns, "
		    "such as cpu,memory: got \"%.60s\"", s->ask->metrics);
	if (col < 0)
		return grid_no_col(g, name.ptr, span_len(name), err);
	if (!is_figure(g->col[col].quantity))
		return gs_fail(err, GS_E_USAGE, "%s is not a figure, and has "
		    "no course", g->col[col].name);
	for (i = 0; i < s->n_metric; i++) {
		if (s->metric_at[i] == (size_t)col)
			return GS_OK;
	}
	if (s->n_metric == SERIES_METRICS_MAX)
		return gs_fail(err, GS_E_USAGE, "expected at most %zu columns",
		    SERIES_METRICS_MAX);
	s->metric_at[s->n_metric++] = (size_t)col;
	return GS_OK;
}

static int find_metrics(struct series *s, const struct grid *g,
	struct gs_err *err)
{
	struct span rest = span_str(s->ask->metrics), name;
	int r = GS_OK;

	while (r == GS_OK && grid_next_name(&rest, &name))
		r = find_metric(s, g, name, err);
	return r;
}

static void add_shown(struct series *s, size_t col)
{
	size_t i;

	for (i = 0; i < s->n_shown; i++) {
		if (s->shown_at[i] == col)
			return;
	}
	if (s->n_shown < SERIES_SHOWN_MAX)
		s->shown_at[s->n_shown++] = col;
}

static void find_shown(struct series *s, const struct grid *g)
{
	const struct view_key *key = view_key_of_view(s->ask->view);
	size_t i;
	int col;

	for (i = 0; i < GS_MIN(s->ask->n_key, SERIES_SHOWN_MAX); i++)
		add_shown(s, i);
	s->n_named = s->n_shown;
	if (s->ask->n_key > 0)
		return;
	for (i = 0; key && i < VIEW_KEY_COLS && key->shown[i]; i++) {
		col = grid_find_col(g, key->shown[i], strlen(key->shown[i]));
		if (col >= 0)
			add_shown(s, (size_t)col);
	}
	if (s->n_shown == 0)
		add_shown(s, 0);
	s->n_named = s->n_shown;
	/* what a session without a number is called by */
	col = grid_find_col(g, "command", strlen("command"));
	if (col >= 0)
		add_shown(s, (size_t)col);
}

/* Names of columns are the table's: they are copied. */
static void keep_names(struct series *s, struct grid_col *col, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		col[i].name = arena_dup(s->arena, col[i].name,
		    strlen(col[i].name) + 1);
		col[i].title = arena_dup(s->arena, col[i].title,
		    strlen(col[i].title) + 1);
		col[i].help = col[i].help ? arena_dup(s->arena, col[i].help,
		    strlen(col[i].help) + 1) : NULL;
	}
}

/* Of the first table; later ones differ in which columns are for which width. */
static int find_columns(struct series *s, const struct grid *g,
	struct gs_err *err)
{
	size_t i;
	int r;

	if (s->n_col > 0 && s->n_col != g->n_col)
		return gs_fail(err, GS_E_USAGE, "%s has no steady columns",
		    g->name);
	for (i = 0; s->n_col > 0 && i < s->n_shown; i++)
		s->shown[i].min_width = g->col[s->shown_at[i]].min_width;
	if (s->n_col > 0)
		return GS_OK;
	r = find_metrics(s, g, err);
	if (r < 0)
		return r;
	find_shown(s, g);
	for (i = 0; i < s->n_metric; i++)
		s->metric[i] = g->col[s->metric_at[i]];
	for (i = 0; i < s->n_shown; i++)
		s->shown[i] = g->col[s->shown_at[i]];
	keep_names(s, s->metric, s->n_metric);
	keep_names(s, s->shown, s->n_shown);
	s->n_col = g->n_col;
	s->from_ns = g->from_ns;
	s->by = g->by ? arena_dup(s->arena, g->by, strlen(g->by) + 1) : NULL;
	return GS_OK;
}

/* ---- rows ---------------------------------------------------------------- */

/* Of the cells that identify a row for a reader. */
static uint64_t name_of(const struct series *s, const struct grid_row *row)
{
	uint64_t h = FNV_BASIS;
	size_t i;

	for (i = 0; i < s->n_named; i++) {
		const struct cell *c = &row->cell[s->shown_at[i]];
		const char *p = c->kind == CELL_TEXT ? c->text
		                                     : (const char *)&c->i;
		size_t n = c->kind == CELL_TEXT ? c->len
		    : c->kind == CELL_ABSENT ? 0 : sizeof(c->i);

		h = fnv_add(h, p, n);
		h = (h ^ (unsigned)c->kind) * FNV_PRIME;
	}
	return h;
}

/* Groups are known by their keys: an id ends with the last row of its group. */
static uint64_t id_of(const struct series *s, const struct grid_row *row)
{
	return s->ask->n_key == 0 ? row->id : 0;
}

static bool has_point(const struct series *s, const struct series_line *l)
{
	return l->n_point > 0 && l->point[l->n_point - 1].step == s->n_step - 1;
}

static struct series_line *find_id(const struct series *s,
	const struct grid_row *row)
{
	uint64_t id = id_of(s, row);
	struct series_line *l = NULL;

	if (id)
		HASH_FIND(by_id, s->by_id, &id, sizeof(id), l);
	return l;
}

/* The same row with another id, or with none: a host that did not answer, a disk
 * after its agent came back. */
static struct series_line *find_name(const struct series *s, uint64_t name)
{
	struct series_line *l = NULL;

	HASH_FIND(by_name, s->by_name, &name, sizeof(name), l);
	return l && !has_point(s, l) ? l : NULL;
}

static void set_id(struct series *s, struct series_line *l, uint64_t id)
{
	if (!id || l->id == id)
		return;
	if (l->id)
		HASH_DELETE(by_id, s->by_id, l);
	l->id = id;
	HASH_ADD(by_id, s->by_id, id, sizeof(l->id), l);
}

static void set_name(struct series *s, struct series_line *l, uint64_t name)
{
	if (l->named && l->name == name)
		return;
	if (l->named)
		HASH_DELETE(by_name, s->by_name, l);
	l->name = name;
	l->named = true;
	HASH_ADD(by_name, s->by_name, name, sizeof(l->name), l);
}

static struct series_line *add_line(struct series *s)
{
	struct series_line *l = gs_calloc(1, sizeof(*l));

	l->number = s->n_line;
	l->shown = arena_zalloc(s->arena, s->n_shown * sizeof(*l->shown));
	GS_GROW(s->line, &s->line_cap, s->n_line + 1);
	s->line[s->n_line++] = l;
	return l;
}

static struct series_line *line_of(struct series *s,
	const struct grid_row *row)
{
	struct series_line *l = find_id(s, row);
	uint64_t name = name_of(s, row);

	l = l ? l : find_name(s, name);
	l = l ? l : add_line(s);
	set_id(s, l, id_of(s, row));
	set_name(s, l, name);
	return l;
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
	if (a->kind != b->kind || a->kind != CELL_TEXT)
		return a->kind == b->kind && a->i == b->i;
	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

/* What a row is called may become known later: the last name counts. */
static void name_line(struct series *s, struct series_line *l,
	const struct grid_row *row)
{
	size_t i;

	for (i = 0; i < s->n_shown; i++) {
		const struct cell *c = &row->cell[s->shown_at[i]];

		if (c->kind == CELL_ABSENT || same_cell(c, &l->shown[i]))
			continue;
		l->shown[i] = *c;
		if (c->kind == CELL_TEXT)
			l->shown[i].text = arena_dup(s->arena, c->text, c->len);
	}
}

double series_number(const struct cell *c)
{
	return c->kind == CELL_INT ? (double)c->i : c->kind == CELL_REAL
	    ? c->r : (double)NAN;
}

static int add_point(struct series *s, struct series_line *l,
	const struct grid_row *row, struct gs_err *err)
{
	struct series_point *p;
	size_t i;

	if (has_point(s, l))
		return GS_OK; /* the first of rows with one id */
	s->n_points += s->n_metric;
	if (s->n_points > SERIES_POINTS_MAX)
		return gs_fail(err, GS_E_USAGE, "more than %zu figures: "
		    "expected a longer --every, or a part of the range",
		    SERIES_POINTS_MAX);
	GS_GROW(l->point, &l->cap, l->n_point + 1);
	p = &l->point[l->n_point++];
	p->step = (uint32_t)(s->n_step - 1);
	p->cell = arena_zalloc(s->arena, s->n_metric * sizeof(*p->cell));
	for (i = 0; i < s->n_metric; i++)
		p->cell[i] = row->cell[s->metric_at[i]];
	return GS_OK;
}

static int add_step(struct series *s, int64_t at_ns, double covered_s,
	struct gs_err *err)
{
	if (s->n_step == SERIES_STEPS_MAX)
		return gs_fail(err, GS_E_USAGE, "more than %zu steps: expected "
		    "a longer --every, or a part of the range",
		    SERIES_STEPS_MAX);
	GS_GROW(s->at_ns, &s->step_cap, s->n_step + 1);
	GS_GROW(s->covered_s, &s->covered_cap, s->n_step + 1);
	s->at_ns[s->n_step] = at_ns;
	s->covered_s[s->n_step++] = covered_s;
	return GS_OK;
}

int series_gap(struct series *s, int64_t at_ns, struct gs_err *err)
{
	return add_step(s, at_ns, 0, err);
}

static int take_row(struct series *s, struct grid_row *row,
	struct gs_err *err)
{
	struct series_line *l = line_of(s, row);

	row->id = l->number + 1;
	l->residual = row->residual;
	name_line(s, l, row);
	return add_point(s, l, row, err);
}

int series_step(struct series *s, struct grid *g, struct gs_err *err)
{
	int r = find_columns(s, g, err);
	bool *known = gs_calloc(g->n_row + 1, sizeof(*known));
	size_t i;

	if (r == GS_OK)
		r = add_step(s, g->from_ns, g->covered_s, err);
	s->to_ns = g->to_ns;
	/* first what is certain */
	for (i = 0; r == GS_OK && i < g->n_row; i++) {
		known[i] = find_id(s, &g->row[i]) != NULL;
		if (known[i])
			r = take_row(s, &g->row[i], err);
	}
	for (i = 0; r == GS_OK && i < g->n_row; i++) {
		if (!known[i])
			r = take_row(s, &g->row[i], err);
	}
	free(known);
	return r;
}

void series_keep(struct series *s, const struct grid *g)
{
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		if (g->row[i].id > 0 && g->row[i].id <= s->n_line)
			s->line[g->row[i].id - 1]->kept = true;
	}
}

/* ---- the choice ---------------------------------------------------------- */

/* How much of the first metric there was in all steps together. */
static void set_rank(const struct series *s, struct series_line *l)
{
	size_t i;

	l->rank = (double)NAN;
	for (i = 0; i < l->n_point; i++) {
		double v = series_number(&l->point[i].cell[0]);

		if (isnan(v))
			continue;
		if (!s->metric[0].grows)
			v *= s->covered_s[l->point[i].step];
		l->rank = isnan(l->rank) ? v : l->rank + v;
	}
}

static int by_number(const void *a, const void *b)
{
	const struct series_line *const *x = a, *const *y = b;

	return (*x)->number < (*y)->number ? -1 :
	    (*x)->number > (*y)->number;
}

static int by_rank(const void *a, const void *b)
{
	const struct series_line *const *x = a, *const *y = b;

	if (isnan((*x)->rank) != isnan((*y)->rank))
		return isnan((*x)->rank) ? 1 : -1;
	if (!isnan((*x)->rank) && (*x)->rank != (*y)->rank)
		return (*x)->rank < (*y)->rank ? 1 : -1;
	return by_number(a, b);
}

static void add_word(struct buf *to, const struct cell *c)
{
	if (c->kind == CELL_ABSENT || (c->kind == CELL_TEXT &&
	    span_empty(cell_span(c))))
		return;
	if (to->len > 0)
		buf_add_char(to, ' ');
	if (c->kind == CELL_TEXT)
		utf8_add_safe(to, c->text, c->len);
	else if (c->kind == CELL_INT)
		buf_printf(to, "%" PRId64, c->i);
	else
		buf_printf(to, "%g", series_number(c));
}

static void set_label(const struct series *s, struct series_line *l,
	unsigned mask)
{
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < s->n_shown; i++) {
		if (mask & (1u << i))
			add_word(&b, &l->shown[i]);
	}
	/* it lacks just these: the last is what it does */
	for (i = s->n_shown; b.len == 0 && i-- > 0;)
		add_word(&b, &l->shown[i]);
	free(l->label);
	l->label = gs_strdup(b.len > 0 ? buf_str(&b) : "-");
	buf_release(&b);
}

static bool labels_differ(const struct series_choice *c)
{
	size_t i, k;

	for (i = 0; i < c->n; i++) {
		for (k = i + 1; k < c->n; k++) {
			if (strcmp(c->line[i]->label, c->line[k]->label) == 0)
				return false;
		}
	}
	return true;
}

/* Columns that say what the number in the first one means. */
static unsigned first_mask(const struct series *s)
{
	size_t i;

	if (s->ask->n_key > 0)
		return (1u << GS_MIN(s->n_shown, (size_t)31)) - 1;
	for (i = 1; i < s->n_shown; i++) {
		if (s->shown[0].quantity == Q_ID && (
		    strcmp(s->shown[i].name, "command") == 0 ||
		    strcmp(s->shown[i].name, "thread") == 0))
			return 1u | (1u << i);
	}
	return 1u;
}

/* The shortest labels that tell them apart. */
static void set_labels(const struct series *s, const struct series_choice *c)
{
	unsigned mask = first_mask(s);
	size_t i, next = 1;

	for (;;) {
		for (i = 0; i < c->n; i++)
			set_label(s, c->line[i], mask);
		if (c->n > 1000 || labels_differ(c))
			return;
		while (next < s->n_shown && (mask & (1u << next)))
			next++;
		if (next >= s->n_shown)
			return;
		mask |= 1u << next;
	}
}

struct series_choice series_choose(struct series *s, size_t limit)
{
	struct series_choice c = { .line = gs_calloc(s->n_line + 1,
	    sizeof(*c.line)) };
	size_t i;

	for (i = 0; i < s->n_line; i++) {
		if (!s->line[i]->kept)
			continue;
		set_rank(s, s->line[i]);
		c.line[c.n_all++] = s->line[i];
	}
	qsort(c.line, c.n_all, sizeof(*c.line), s->ask->fixed ? by_number
	                                                      : by_rank);
	c.n = limit > 0 && !s->ask->fixed ? GS_MIN(limit, c.n_all) : c.n_all;
	set_labels(s, &c);
	return c;
}

static int by_step(const void *key, const void *element)
{
	const size_t *step = key;
	const struct series_point *p = element;

	return *step < p->step ? -1 : *step > p->step;
}

static const struct series_point *find_point(const struct series_line *l,
	size_t step)
{
	return l->n_point == 0 ? NULL : bsearch(&step, l->point, l->n_point,
	    sizeof(*l->point), by_step);
}

const struct cell *series_at(const struct series_line *l, size_t step,
	size_t metric)
{
	static const struct cell absent = { .kind = CELL_ABSENT };
	const struct series_point *p = find_point(l, step);

	return p ? &p->cell[metric] : &absent;
}

struct cell series_sum(struct series_line *const *line, size_t n,
	size_t step, size_t metric)
{
	struct cell sum = { .kind = CELL_ABSENT };
	bool missing = false, estimate = false;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct series_point *p = find_point(line[i], step);
		const struct cell *c = p ? &p->cell[metric] : NULL;

		if (!c || c->ended) /* no such row: nothing is missing */
			continue;
		missing |= c->mark == '>' || (c->kind == CELL_ABSENT &&
		    c->mark != '0' && !line[i]->residual);
		estimate |= c->mark == '~';
		if (c->kind != CELL_ABSENT && c->kind != CELL_TEXT)
			grid_add_cell(&sum, c);
	}
	if (sum.kind != CELL_ABSENT)
		sum.mark = estimate ? '~' : missing ? '>' : 0;
	return sum;
}

void series_title(const struct series *s, const struct series_look *look,
	struct buf *to)
{
	size_t i;

	for (i = 0; i < s->n_metric; i++)
		buf_printf(to, "%s%s", i ? ", " : "", s->metric[i].title);
	buf_printf(to, " %s %s, every %s", s->by ? "by" : "of",
	    s->by ? s->by : s->ask->view, look->span);
}
