/* SPDX-License-Identifier: Apache-2.0 */
/*
 * find.c - intervals, updated with each table.  What can be checked before
 * there is a table is in find_ask.c.
 */
#include "view/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/fnv.h"
#include "base/mem.h"
#include "view/find_int.h"
#include "view/view_int.h"

/* An answer after a silence of the host covers the silence if it covers at
 * least this share of it. */
#define COVERS 0.9

/* Where an interval is cut off. */
enum {
	CUT_START = 1 << 0, /* at the start of the range */
	CUT_HOLE_BEFORE = 1 << 1,
	CUT_HOLE_INSIDE = 1 << 2,
	CUT_HOLE_AFTER = 1 << 3,
	CUT_END = 1 << 4
};

static const char *const cuts[] = { "start", "hole before",
	"hole inside", "hole after", "end" };

struct held {
	uint64_t id;
	int64_t start_ns, end_ns, peak_at_ns;
	struct cell *peak; /* per figure */
	struct cell *label; /* per shown column; texts below */
	char *text;
	unsigned cut;
	size_t ticks;
	uint64_t seen; /* number of the last table that had it */
	bool blind; /* its state is unknown since: */
	int64_t blind_ns;
	bool bridged; /* no silence: a server was not asked, and then it did not
		       * hold */
	UT_hash_handle hh;
};

static double seconds(int64_t ns)
{
	return (double)ns / 1e9;
}

static void held_free(struct held *h)
{
	if (!h)
		return;
	free(h->peak);
	free(h->label);
	free(h->text);
	free(h);
}

void find_clear(struct find *f)
{
	struct held *h, *tmp;
	size_t i;

	HASH_ITER (hh, f->open, h, tmp) {
		HASH_DEL(f->open, h);
		held_free(h);
	}
	for (i = 0; i < f->n_done; i++)
		held_free(f->done[i]);
	free(f->done);
}

static struct held *find_open_one(const struct find *f, uint64_t id)
{
	struct held *h = NULL;

	HASH_FIND(hh, f->open, &id, sizeof(id), h);
	return h;
}

/* ---- one row ------------------------------------------------------------ */

/* Copies texts of a table, which are freed with it. */
static void keep_label(const struct find *f, struct held *h,
	const struct grid_row *row)
{
	size_t i, len = 0;

	h->label = gs_calloc(f->n_shown, sizeof(*h->label));
	for (i = 0; i < f->n_shown; i++) {
		h->label[i] = row->cell[f->shown[i]];
		if (h->label[i].kind == CELL_TEXT)
			len += h->label[i].len;
	}
	h->text = gs_malloc(len + 1);
	for (i = 0, len = 0; i < f->n_shown; i++) {
		struct cell *c = &h->label[i];
		size_t n = c->kind == CELL_TEXT ? c->len : 0;

		if (n > 0)
			memcpy(h->text + len, c->text, n);
		if (c->kind == CELL_TEXT)
			c->text = h->text + len;
		len += n;
	}
}

/* What a server answers is of the time since it was asked before: of so many ticks. */
static int64_t start_of(const struct find *f, const struct grid_row *row,
	const struct engine *e)
{
	double ticks = e->interval_ns > 0
	    ? row->answered_s / seconds(e->interval_ns) : 0;
	int64_t ns = (int64_t)(GS_MIN(ticks, 1e4) + 0.5) * e->interval_ns;

	/* no later than it is: the clock may have been set back */
	return GS_MIN(e->to_ns, GS_MAX(f->start_ns, GS_MIN(e->from_ns,
	    gs_difference(e->to_ns, ns))));
}

static struct held *begin(struct find *f, uint64_t id,
	const struct grid_row *row, const struct engine *e)
{
	struct held *h = gs_calloc(1, sizeof(*h));

	h->id = id;
	h->start_ns = start_of(f, row, e);
	h->cut = h->start_ns == f->start_ns ? CUT_START
	    : f->after_hole ? CUT_HOLE_BEFORE : 0;
	h->peak = gs_calloc(f->n_figure + 1, sizeof(*h->peak));
	keep_label(f, h, row);
	HASH_ADD(hh, f->open, id, sizeof(h->id), h);
	return h;
}

static void end(struct find *f, struct held *h, unsigned cut)
{
	HASH_DEL(f->open, h);
	h->cut |= cut;
	if (f->n_done == FIND_MAX) {
		f->n_more++;
		held_free(h);
		return;
	}
	GS_GROW(f->done, &f->done_cap, f->n_done + 1);
	f->done[f->n_done++] = h;
}

static bool is_beyond(const struct cell *c, const struct cell *peak,
	enum filter_side side)
{
	int r = sort_compare_cells(c, peak);

	if (c->kind != CELL_INT && c->kind != CELL_REAL)
		return false;
	return peak->kind == CELL_ABSENT ||
	    (side == FILTER_LEAST ? r < 0 : r > 0);
}

static void add(const struct find *f, struct held *h,
	const struct grid_row *row, const struct engine *e)
{
	size_t i;

	for (i = 0; i < f->n_figure; i++) {
		const struct cell *c = &row->cell[f->figure[i].col];

		if (!is_beyond(c, &h->peak[i], f->figure[i].side))
			continue;
		h->peak[i] = *c;
		if (i == 0)
			h->peak_at_ns = e->to_ns;
	}
	h->end_ns = e->to_ns;
	h->ticks += e->n_ticks;
	h->cut |= engine_blind_ns(e) > 0 ? CUT_HOLE_INSIDE : 0;
}

/* ---- silence ------------------------------------------------------------ */

/* Covered time of the row's host in the table; of all hosts, if the row has
 * none. */
static double covered_s(const struct find *f, const struct engine *e,
	const struct cell *label)
{
	const struct cell *c = f->host < f->n_shown ? &label[f->host] : NULL;
	size_t i;

	for (i = 0; c && c->kind == CELL_TEXT &&
	    i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);

		if (span_eq(cell_span(c), h->name))
			return seconds(rollup_covered_ns(grouping_rollup(
			    e->grouping[0]), h));
	}
	return engine_covered_s(e);
}

static bool covers(double s, const struct held *h, const struct engine *e)
{
	return s >= COVERS * seconds(e->to_ns - h->blind_ns);
}

/* Whether the first answer after a silence covers the silence, too. */
static bool is_bridged(const struct find *f, const struct held *h,
	const struct grid_row *row, const struct engine *e)
{
	return covers(row->answered_s, h, e) ||
	    covers(covered_s(f, e, h->label), h, e);
}

static void set_blind(const struct find *f, struct held *h,
	const struct engine *e)
{
	if (!h->blind)
		h->blind_ns = e->from_ns;
	h->blind = true;
	h->bridged = false;
	h->seen = f->table;
}

/* ---- tables ------------------------------------------------------------- */

/* An id for rows that are identified by their cells only. */
static uint64_t id_of(const struct find *f, const struct grid_row *row)
{
	uint64_t h = FNV_BASIS;
	size_t i;

	if (row->id && f->by_id)
		return row->id;
	for (i = 0; i < f->n_shown; i++) {
		const struct cell *c = &row->cell[f->shown[i]];
		const char *p = c->kind == CELL_TEXT ? c->text
		                                     : (const char *)&c->i;
		size_t n = c->kind == CELL_TEXT ? c->len
		    : c->kind == CELL_ABSENT ? 0 : sizeof(c->i);

		h = fnv_add(h, p, n);
		h = (h ^ (unsigned)c->kind) * FNV_PRIME;
	}
	return h;
}

/* Decides whether the rest of a row has to be computed. */
bool find_keep(void *ctx, const struct grid_row *row)
{
	struct find *f = ctx;
	const struct held *h;
	bool missed;

	if (filter_needs_rows(f->filter) || filter_match(f->filter, row))
		return true;
	missed = filter_missed(f->filter);
	if (!row->id || !f->by_id)
		return missed || (f->open && row->answered_s > 0);
	h = find_open_one(f, row->id);
	return h && (missed || h->blind);
}

static void take_row(struct find *f, struct grid_row *row,
	const struct engine *e)
{
	uint64_t id = row->id = id_of(f, row);
	bool holds = filter_match(f->filter, row);
	struct held *h = find_open_one(f, id);

	if (!holds) {
		filter_learn(f->filter, row);
		if (h && h->seen != f->table && filter_missed(f->filter))
			set_blind(f, h, e);
		else if (h)
			h->bridged = h->blind && covers(row->answered_s, h, e);
		return;
	}
	if (h && e->to_ns < h->end_ns) { /* the clock was set back */
		end(f, h, 0);
		h = NULL;
	}
	if (h && h->blind && !is_bridged(f, h, row, e)) {
		end(f, h, CUT_HOLE_AFTER);
		h = begin(f, id, row, e);
		h->cut = CUT_HOLE_BEFORE;
	}
	if (!h)
		h = begin(f, id, row, e);
	h->blind = false;
	h->seen = f->table;
	add(f, h, row, e);
}

/* The condition holds for no such row in the table: ends intervals, or marks
 * them if data was missing. */
static void end_rest(struct find *f, const struct engine *e)
{
	struct held *h, *tmp;

	HASH_ITER (hh, f->open, h, tmp) {
		if (h->seen == f->table)
			continue;
		if (covered_s(f, e, h->label) > 0)
			end(f, h, h->blind && !h->bridged ? CUT_HOLE_AFTER : 0);
		else
			set_blind(f, h, e);
	}
}

static void end_all(struct find *f, unsigned cut)
{
	struct held *h, *tmp;

	HASH_ITER (hh, f->open, h, tmp)
		end(f, h, h->blind ? CUT_HOLE_AFTER : cut);
}

/* More than half of the table is a hole. */
static bool is_blind(const struct engine *e)
{
	return e->n_ticks == 0 ||
	    engine_blind_ns(e) > (e->to_ns - e->from_ns) / 2;
}

/* ---- stretches ---------------------------------------------------------- */

/* Whether the condition held for no row at any tick of the stretch. */
static bool may_skip(void *ctx, const struct summary *s)
{
	struct find *f = ctx;
	size_t i;

	if (f->open)
		return false;
	for (i = 0; i < f->part->n_col; i++) {
		const struct summary_figure *of = summary_find_figure(s,
		    view_name(f->view), f->part->col[i].name);

		f->bounds[i] = (struct filter_bounds) { .known = of != NULL };
		if (of) {
			f->bounds[i].low = of->low;
			f->bounds[i].high = of->high;
		}
	}
	return !filter_may_match(f->filter, f->bounds);
}

/* A column whose width depends on the table must be in the last one. */
static bool has_steady_columns(const struct find *f)
{
	size_t i;

	for (i = 0; i < f->n_shown; i++) {
		if (f->part->col[f->shown[i]].min_width == WHERE_UNEVEN)
			return false;
	}
	return true;
}

bool find_takes_gists(const struct find *f)
{
	return view_takes_gists(f->view, &f->ask);
}

/* Summaries know the view's own rows. */
static bool may_have_bounds(const struct find *f)
{
	return f->by_id && f->ask.n_key == 0 && f->ask.n_ema == 0;
}

void find_open(struct find *f, struct engine *e, bool skips)
{
	f->use = view_open(f->view, e, &f->ask);
	if (!skips || !may_have_bounds(f) || !has_steady_columns(f))
		return;
	f->bounds = gs_calloc(f->part->n_col, sizeof(*f->bounds));
	f->skip = (struct engine_skip) { may_skip, f };
	e->skip = &f->skip;
}

/* The columns that are shown depend on how many hosts there are. */
static void note_widths(struct find *f, const struct grid *g)
{
	size_t i;

	for (i = 0; i < f->n_shown; i++)
		f->shown_width[i] = g->col[f->shown[i]].min_width;
}

static void take_skipped(struct find *f, const struct engine *e)
{
	struct grid *g = view_grid(f->use, e);

	note_widths(f, g);
	grid_free(g);
	f->after_hole = false;
}

void find_take(struct find *f, const struct engine *e)
{
	struct grid *g;
	size_t i;

	if (e->n_ticks == 0 && e->n_hole == 0)
		return;
	if (f->table++ == 0)
		f->start_ns = e->from_ns;
	f->thinned |= e->thinned_ns > 0;
	if (is_blind(e)) {
		end_all(f, CUT_HOLE_AFTER);
		f->after_hole = true;
		return;
	}
	if (e->skipped) {
		take_skipped(f, e);
		return;
	}
	g = view_grid(f->use, e);
	filter_table(f->filter, g);
	for (i = 0; i < g->n_row; i++)
		take_row(f, &g->row[i], e);
	note_widths(f, g);
	grid_free(g);
	end_rest(f, e);
	f->after_hole = false;
}

/* ---- what was found ----------------------------------------------------- */

static void add_peak_col(const struct find *f, struct grid *g,
	const struct find_figure *fig)
{
	struct grid_col c = f->part->col[fig->col];
	bool low = fig->side == FILTER_LEAST;
	char text[160];
	int n;

	n = snprintf(text, sizeof(text), "%s_%s", low ? "low" : "peak",
	    c.name);
	c.name = grid_text(g, text, (size_t)n + 1).ptr;
	n = snprintf(text, sizeof(text), "%s %s", low ? "LOW" : "PEAK",
	    c.title);
	c.title = grid_text(g, text, (size_t)n + 1).ptr;
	c.min_width = 80;
	c.flexible = c.additive = false;
	grid_add_col(g, &c);
}

static const struct grid_col first_cols[] = {
	GRID_COL("start", "START", Q_TIME, 80, "start of the interval in which it held"),
	GRID_COL("end", "END", Q_TIME, 80, "until when"),
	GRID_COL("length_seconds", "LENGTH", Q_AGE, 80, "from start to end"),
};

/* Columns that are left out on narrow screens, the last first. */
static const struct grid_col last_cols[] = {
	GRID_COL("cut", "CUT", Q_TEXT, 80,
	    "edges where it may have held longer: the start or the end of the range, a hole"),
	GRID_COL("ticks", "TICKS", Q_COUNT, 120, "samples"),
	GRID_COL("peak_at", "PEAK AT", Q_TIME, 80, "time of the peak of the first figure"),
};

static void add_columns(const struct find *f, struct grid *g)
{
	size_t i;

	for (i = 0; i < GS_LEN(first_cols); i++)
		grid_add_col(g, &first_cols[i]);
	for (i = 0; i < f->n_shown; i++) {
		struct grid_col c = f->part->col[f->shown[i]];

		c.min_width = f->shown_width[i];
		grid_add_col(g, &c);
	}
	for (i = 0; i < f->n_figure; i++)
		add_peak_col(f, g, &f->figure[i]);
	for (i = 0; i < GS_LEN(last_cols); i++)
		grid_add_col(g, &last_cols[i]);
}

static struct cell cut_cell(struct grid *g, unsigned cut)
{
	char text[80] = "";
	size_t i, len = 0;

	for (i = 0; i < GS_LEN(cuts); i++) {
		if (cut >> i & 1)
			len += (size_t)snprintf(text + len, sizeof(text) - len,
			    "%s%s", len ? ", " : "", cuts[i]); /* fits */
	}
	return len ? cell_text(grid_text(g, text, len))
	           : (struct cell) { .kind = CELL_ABSENT };
}

static void add_held(const struct find *f, struct grid *g,
	const struct held *h)
{
	struct cell *c = grid_add_row(g)->cell;
	size_t i;

	*c++ = cell_int(h->start_ns);
	*c++ = cell_int(h->end_ns);
	*c = cell_real(seconds(h->end_ns - h->start_ns));
	(c++)->mark = f->thinned ? '~' : 0;
	for (i = 0; i < f->n_shown; i++)
		*c++ = h->label[i];
	for (i = 0; i < f->n_figure; i++)
		*c++ = h->peak[i];
	*c++ = cut_cell(g, h->cut);
	*c++ = cell_int((int64_t)h->ticks);
	if (f->n_figure > 0 && h->peak[0].kind != CELL_ABSENT)
		*c = cell_int(h->peak_at_ns);
}

struct grid *find_grid(struct find *f)
{
	struct grid *g = grid_new("find", NULL);
	size_t i;

	end_all(f, CUT_END);
	view_close(f->use);
	f->use = NULL;
	add_columns(f, g);
	for (i = 0; i < f->n_done; i++)
		add_held(f, g, f->done[i]);
	if (f->n_more > 0)
		grid_set_folded(g, f->n_more);
	g->n_total = g->n_row + f->n_more;
	return g;
}
