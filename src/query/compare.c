/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare.c - matches rows of two ranges, and orders them.
 */
#include "query/compare.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "query/compare_int.h"
#include "query/sort.h"
#include "query/view_key.h"

/* ---- what says which row it is ------------------------------------------ */

struct key_col {
	size_t col;
	bool loose; /* numbers at its start are ignored */
	bool power; /* compared by the nearest power of two */
	bool instant; /* compared approximately */
};

/* Clocks of hosts differ by less for the same instant. */
#define ABOUT_NS (4 * GS_NSEC_PER_SEC)

struct keys {
	struct key_col col[GS_MAX(VIEW_KEY_COLS, 16)];
	size_t n;
};

static void add_key(struct keys *k, const struct grid *g, const char *name)
{
	bool loose = *name == '~', power = *name == '^';
	size_t i;

	name += loose || power;
	for (i = 0; i < g->n_col && k->n < GS_LEN(k->col); i++) {
		if (strcmp(g->col[i].name, name) == 0) {
			k->col[k->n++] = (struct key_col) { i, loose,
				power, g->col[i].quantity == Q_TIME };
			return;
		}
	}
}

static bool is_without(const struct compare_ask *ask, const char *name)
{
	size_t i;

	name += *name == '~' || *name == '^';
	for (i = 0; i < ask->n_without; i++) {
		if (strcmp(ask->without[i], name) == 0)
			return true;
	}
	return false;
}

/* A view that is not in the table of keys is identified by its first column. If
 * rows are matched without all key columns, all rows of a side are one. */
static void choose_keys(struct keys *k, const struct grid *g,
	const struct compare_ask *ask)
{
	const struct view_key *t = view_key_of_view(ask->view);
	const char *const *name = t ? t->same[0] ? t->same : t->shown : NULL;
	size_t i;

	*k = (struct keys) { .n = 0 };
	for (i = 0; i < ask->n_key && i < g->n_col; i++) {
		if (!is_without(ask, g->col[i].name))
			add_key(k, g, g->col[i].name);
	}
	if (ask->nested)
		add_key(k, g, "level");
	for (i = 0; ask->n_key == 0 && name && i < VIEW_KEY_COLS && name[i];
	     i++) {
		if (!is_without(ask, name[i]))
			add_key(k, g, name[i]);
	}
	if (k->n == 0 && g->n_col > 0 && ask->n_without == 0)
		k->col[k->n++].col = 0;
}

/* Columns that identify the row for a reader; if there are none, those of the
 * key. */
static void mark_shown(struct compare *c, const struct keys *k)
{
	const struct grid *g = c->grid[PART_NOW];
	const struct view_key *t = view_key_of_view(c->ask->view);
	struct keys shown = { .n = 0 };
	size_t i;

	for (i = 0; c->ask->n_key == 0 && t && i < VIEW_KEY_COLS && t->shown[i];
	    i++) {
		if (!is_without(c->ask, t->shown[i]))
			add_key(&shown, g, t->shown[i]);
	}
	if (shown.n == 0)
		shown = *k;
	for (i = 0; i < shown.n; i++)
		c->key[shown.col[i].col] = true;
}

static struct span loosened(struct span s)
{
	const char *p = s.ptr;

	while (p < s.end && (isdigit((unsigned char)*p) || *p == '-'))
		p++;
	if (p < s.end && *p == ' ')
		s.ptr = p + 1;
	return s;
}

/* shift: instants are compared by slots of ABOUT_NS; the slots before and after
 * may match, too. */
static void add_to_key(struct buf *b, const struct compare *c,
	const struct key_col *k, const struct cell *cell, int shift)
{
	int64_t about = k->instant && cell->kind == CELL_INT
	    ? cell->i / ABOUT_NS + shift
	    : k->power && cell->kind == CELL_REAL && cell->r > 0
	    ? llround(log2(cell->r)) : cell->i;
	struct span s = cell->kind == CELL_TEXT ? compare_class(c, k->col, cell)
	    : span_of((const char *)&about, sizeof(about));
	uint64_t len;

	if (cell->kind == CELL_TEXT && k->loose)
		s = loosened(s);
	if (cell->kind == CELL_ABSENT)
		s.ptr = s.end;
	len = span_len(s);
	buf_add_char(b, (char)('0' + cell->kind));
	buf_add(b, &len, sizeof(len));
	buf_add(b, s.ptr, len);
}

/* In a fixed order, rows below others are indented. */
static size_t depth_of(const struct cell *first)
{
	size_t n = 0;

	if (first->kind != CELL_TEXT)
		return 0;
	while (n < first->len && first->text[n] == ' ')
		n++;
	return n;
}

/* above: the row that it is part of; NULL: none. */
static void make_key(struct buf *b, const struct compare *c,
	const struct keys *k, const struct grid_row *row, const struct grid_row *above, int shift)
{
	size_t n;

	buf_reset(b);
	buf_add_char(b, above ? '/' : '.'); /* never empty */
	for (n = 0; above && n < k->n; n++)
		add_to_key(b, c, &k->col[n], &above->cell[k->col[n].col], 0);
	for (n = 0; n < k->n; n++)
		add_to_key(b, c, &k->col[n], &row->cell[k->col[n].col], shift);
}

/* ---- rows that belong together ------------------------------------------ */

/* Pairs by key. */
struct entry {
	size_t pair;
	char *key;
	UT_hash_handle hh;
};

/* A row, and its key. */
struct keyed {
	const struct keys *keys;
	const struct grid_row *row, *above; /* above: NULL: not below one */
	enum part part;
	struct buf key;
};

static struct compare_pair *find_pair(struct compare *c, struct entry *all,
	struct keyed *r, int shift)
{
	struct entry *e;

	make_key(&r->key, c, r->keys, r->row, r->above, shift);
	HASH_FIND(hh, all, r->key.ptr, r->key.len, e);
	return e ? &c->pair[e->pair] : NULL;
}

/* A pair of about the same instants that has no row of this side. */
static struct compare_pair *find_near(struct compare *c, struct entry *all,
	struct keyed *r)
{
	static const int shifts[] = { -1, 1 };
	size_t i;

	for (i = 0; r->part != PART_NOW && i < GS_LEN(shifts); i++) {
		struct compare_pair *p = find_pair(c, all, r, shifts[i]);

		if (p && p->n[r->part] == 0)
			return p;
	}
	return NULL;
}

static struct compare_pair *add_pair(struct compare *c, struct entry **all,
	struct keyed *r)
{
	struct entry *e = gs_calloc(1, sizeof(*e));

	make_key(&r->key, c, r->keys, r->row, r->above, 0);
	GS_GROW(c->pair, &c->pair_cap, c->n_pair + 1);
	c->pair[c->n_pair] = (struct compare_pair) { .order = c->n_pair };
	e->pair = c->n_pair++;
	e->key = gs_strndup(r->key.ptr, r->key.len);
	HASH_ADD_KEYPTR(hh, *all, e->key, r->key.len, e);
	return &c->pair[e->pair];
}

/* The pair of a row; made if it is new. */
static struct compare_pair *pair_of(struct compare *c, struct entry **all,
	struct keyed *r)
{
	struct compare_pair *p = find_pair(c, *all, r, 0);

	if (!p)
		p = find_near(c, *all, r);
	return p ? p : add_pair(c, all, r);
}

static bool is_same(const struct cell *a, const struct cell *b)
{
	return a->kind == b->kind && sort_compare_cells(a, b) == 0;
}

static void add_number(struct cell *to, const struct cell *from)
{
	bool estimate = to->mark == '~' || from->mark == '~';
	bool part = to->mark == '>' || from->mark == '>' ||
	    (to->kind == CELL_ABSENT) != (from->kind == CELL_ABSENT);

	if (from->kind == CELL_INT || from->kind == CELL_REAL ||
	    from->kind == CELL_MAX)
		grid_add_cell(to, from);
	to->mark = estimate ? '~' : part ? '>' : 0;
}

/* What rows of one key have together at the end: no part of it is of one that has ended. */
static void add_level(struct cell *to, const struct cell *from)
{
	static const struct cell none = { .ended = true };

	if (!from->ended && to->ended)
		*to = *from;
	else if (from->ended && to->ended)
		*to = none;
}

/* Adds another row of the same key: amounts and levels are summed; a rate over
 * all of them is not known. */
static void add_up(const struct grid *g, struct cell *to,
	const struct cell *from)
{
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		const struct grid_col *col = &g->col[i];
		bool rate = col->quantity == Q_RATE ||
		    col->quantity == Q_BYTES_RATE ||
		    col->quantity == Q_PERCENT;

		if (col->additive && !rate && (to[i].ended || from[i].ended))
			add_level(&to[i], &from[i]);
		else if (col->additive && !rate)
			add_number(&to[i], &from[i]);
		else if (rate || !is_same(&to[i], &from[i]))
			to[i] = (struct cell) { .kind = CELL_ABSENT };
	}
}

static void take_row(struct compare *c, struct compare_pair *p,
	enum part part, const struct grid_row *row)
{
	const struct grid *g = c->grid[part];
	size_t bytes = g->n_col * sizeof(*row->cell);

	p->residual |= row->residual;
	p->level = row->level;
	if (p->n[part]++ == 0) {
		p->cell[part] = row->cell;
		p->at[part] = (size_t)(row - g->row);
		return;
	}
	c->several = true;
	if (!p->sum[part]) {
		p->sum[part] = arena_zalloc(c->to->arena, bytes);
		if (bytes > 0)
			memcpy(p->sum[part], p->cell[part], bytes);
		p->cell[part] = p->sum[part];
	}
	add_up(g, p->sum[part], row->cell);
}

/* The rows with the key of a pair come first: a row of about the same instant
 * must not take the place of one with the same. */
static void take_rows(struct compare *c, struct entry **all,
	const struct keys *k, enum part part)
{
	const struct grid *g = c->grid[part];
	bool *taken = gs_calloc(g->n_row + 1, sizeof(*taken));
	struct keyed r = { .keys = k, .part = part, .key = BUF_INIT };
	int pass;
	size_t i;

	for (pass = 0; pass < 2; pass++) {
		const struct grid_row *above = NULL;

		for (i = 0; i < g->n_row; i++) {
			bool below = c->ask->fixed && depth_of(g->row[i].cell) > 0;
			struct compare_pair *p;

			r.row = &g->row[i];
			above = below ? above : r.row;
			r.above = below ? above : NULL;
			if (taken[i])
				continue;
			p = pass > 0 ? pair_of(c, all, &r)
			    : find_pair(c, *all, &r, 0);
			taken[i] = p != NULL;
			if (p)
				take_row(c, p, part, r.row);
		}
	}
	buf_release(&r.key);
	free(taken);
}

static void match_rows(struct compare *c, const struct keys *k)
{
	struct entry *all = NULL, *e, *tmp;

	take_rows(c, &all, k, PART_NOW);
	take_rows(c, &all, k, PART_BASE);
	HASH_ITER (hh, all, e, tmp) {
		HASH_DEL(all, e);
		free(e->key);
		free(e);
	}
}

static void match_similar(struct compare *c, const struct keys *k)
{
	size_t col[GS_LEN(k->col)], i;

	for (i = 0; i < k->n; i++)
		col[i] = k->col[i].col;
	compare_fuzzy(c, col, k->n);
}

/* ---- order -------------------------------------------------------------- */

static int by_weight(const void *a, const void *b)
{
	const struct compare_pair *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

static int by_place(const void *a, const void *b)
{
	const struct compare_pair *x = a, *y = b;

	if (x->behind != y->behind)
		return x->behind < y->behind ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static int by_base(const void *a, const void *b)
{
	const struct compare_pair *x = a, *y = b;
	size_t i = x->at[PART_BASE], k = y->at[PART_BASE];

	return (i > k) - (i < k);
}

/* The position after a row and after its parts, except those of p. */
static size_t behind_parts(const struct compare *c,
	const struct compare_pair *p, size_t behind)
{
	const struct grid *now = c->grid[PART_NOW];

	while (behind < now->n_row &&
	    depth_of(now->row[behind].cell) > depth_of(p->cell[PART_BASE]))
		behind++;
	return behind;
}

/* In a fixed order, a row that is gone follows the row that it followed. */
static void place_gone(struct compare *c)
{
	size_t i, behind = 0;

	qsort(c->pair, c->n_pair, sizeof(*c->pair), by_base);
	for (i = 0; i < c->n_pair; i++) {
		struct compare_pair *p = &c->pair[i];

		if (p->cell[PART_NOW])
			p->behind = p->at[PART_NOW] + 1;
		if (p->cell[PART_NOW] && p->cell[PART_BASE])
			behind = p->behind;
		else if (p->cell[PART_BASE])
			p->behind = behind_parts(c, p, behind);
	}
	qsort(c->pair, c->n_pair, sizeof(*c->pair), by_place);
}

static void put_in_order(struct compare *c)
{
	size_t i, in;

	if (c->n_pair == 0)
		return;
	if (c->ask->fixed) {
		place_gone(c);
		return;
	}
	for (i = 0; i < c->n_pair; i++)
		c->pair[i].weight = compare_weight(c, &c->pair[i], &in);
	qsort(c->pair, c->n_pair, sizeof(*c->pair), by_weight);
}

/* ---- the table ---------------------------------------------------------- */

static bool has_figures(const struct compare *c)
{
	size_t i;

	for (i = 0; i < c->grid[PART_NOW]->n_col; i++) {
		if (c->compared[i])
			return true;
	}
	return false;
}

/* The view's order of names, which a comparison keeps; by any column. */
static bool has_order(const struct compare *c)
{
	return !c->ask->lines && !c->ask->fixed && !c->sorts_by_figure &&
	    c->ask->sort[0] != '\0';
}

static void make(struct compare *c)
{
	size_t i;

	if (c->ask->lines) {
		compare_line_columns(c);
	} else {
		compare_columns(c);
		compare_pick_made(c, has_order(c) ? 0 : c->ask->width);
	}
	put_in_order(c);
	for (i = 0; i < c->n_pair; i++) {
		if (c->ask->lines)
			compare_lines(c, &c->pair[i]);
		else
			compare_row(c, &c->pair[i]);
	}
	c->to->n_total = c->to->n_row;
	if (c->ask->nested && !c->ask->lines)
		compare_nest(c->to);
	if (has_order(c))
		(void)sort_grid(c->to, c->ask->sort, NULL); /* else unchanged */
}

int compare_grids(const struct grid *now, const struct grid *base,
	const struct compare_ask *ask, struct grid **ret, struct gs_err *err)
{
	struct compare c = { .grid = { now, base }, .ask = ask };
	struct keys k;
	int r = GS_OK;

	c.key = gs_calloc(now->n_col + 1, sizeof(*c.key));
	c.compared = gs_calloc(now->n_col + 1, sizeof(*c.compared));
	c.told = gs_calloc(now->n_col + 1, sizeof(*c.told));
	c.to = grid_new(now->name, NULL);
	if (now->title) /* it is freed with its grid */
		c.to->title = grid_text(c.to, now->title,
		    strlen(now->title) + 1).ptr;
	c.to->from_ns = now->from_ns;
	c.to->to_ns = now->to_ns;
	c.to->covered_s = now->covered_s;
	choose_keys(&k, now, ask);
	mark_shown(&c, &k);
	compare_names(&c);
	compare_look(&c);
	if (has_figures(&c)) {
		match_rows(&c, &k);
		if (ask->fuzzy && ask->n_key > 0 && !ask->nested)
			match_similar(&c, &k);
		make(&c);
		*ret = c.to;
	} else {
		grid_free(c.to);
		r = gs_fail(err, GS_E_USAGE, "the view %s has no figures that "
		    "could be compared", ask->view);
	}
	compare_names_free(&c);
	free(c.key);
	free(c.compared);
	free(c.told);
	free(c.made);
	free(c.row);
	free(c.pair);
	return r;
}
