/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare_cells.c - cells of a comparison, and noise.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "query/compare_int.h"

/* Differences that are noise.  SHARE_FLOOR applies also to amounts of time, and
 * to all figures of rows with a share of database time. */
static const struct {
	enum quantity quantity;
	double floor;
} floors[] = {
	{ Q_COUNT, 1 },
	{ Q_NUMBER, 0.1 },
	{ Q_RATE, 1 }, /* per second */
	{ Q_PERCENT, 1 }, /* point */
	{ Q_BYTES, 1024 * 1024 },
	{ Q_BYTES_RATE, 16 * 1024 }, /* per second */
	{ Q_SECONDS, 0.05 },
	{ Q_LATENCY, 0.001 },
};

#define SHARE_FLOOR 0.01 /* of covered time, of DB time */

/* Covered times that differ by less than this are the same. */
#define SAME_TIME 0.01

/* Amounts of views that make their tables themselves. */
static const char *const amounts[] = { "seconds", "db_seconds",
	"max_seconds", "average_seconds", "excess_seconds", "samples",
	"waits" };

double compare_floor(enum quantity q)
{
	size_t i;

	for (i = 0; i < GS_LEN(floors); i++) {
		if (floors[i].quantity == q)
			return floors[i].floor;
	}
	return 0;
}

bool compare_is_amount(const struct grid_col *col)
{
	size_t i;

	for (i = 0; i < GS_LEN(amounts); i++) {
		if (strcmp(col->name, amounts[i]) == 0)
			return true;
	}
	return col->grows;
}

static bool number(const struct cell *c, double *ret)
{
	*ret = c->kind == CELL_INT ? (double)c->i : c->r;
	return (c->kind == CELL_INT || c->kind == CELL_REAL) &&
	    isfinite(*ret);
}

/* ---- what is compared --------------------------------------------------- */

static int find(const struct grid *g, const char *name)
{
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		if (strcmp(g->col[i].name, name) == 0)
			return (int)i;
	}
	return -1;
}

/* DB time, from rows with a part of it and its share. */
static double db_time(const struct grid *g, int seconds, int share)
{
	double most = 0;
	size_t i;

	for (i = 0; seconds >= 0 && share >= 0 && i < g->n_row; i++) {
		double s, p;

		if (number(&g->row[i].cell[seconds], &s) &&
		    number(&g->row[i].cell[share], &p) && p > 0)
			most = fmax(most, 100 * s / p);
	}
	return most;
}

static void find_db_time(struct compare *c)
{
	const struct grid *now = c->grid[PART_NOW];
	int share = find(now, "db_percent");

	c->seconds = share >= 0 ? find(now, "seconds") : -1;
	c->db_time_s = fmax(db_time(now, c->seconds, share),
	    c->scale * db_time(c->grid[PART_BASE], c->seconds, share));
}

/* Chooses the view's sort column if it can be compared; else the first column
 * on a narrow screen. */
static void find_first(struct compare *c)
{
	const struct grid *g = c->grid[PART_NOW];
	const char *sort = c->ask->sort;
	size_t i, len;
	int col;

	sort += *sort == '+' || *sort == '-';
	len = strcspn(sort, ",");
	col = len > 0 ? grid_find_col(g, sort, len) : -1;
	c->first = g->n_col;
	c->sorts_by_figure = col < 0 || c->compared[col];
	if (col >= 0 && c->compared[col])
		c->first = (size_t)col;
	for (i = 0; c->first == g->n_col && i < g->n_col; i++) {
		if (c->compared[i] && g->col[i].min_width <= 80)
			c->first = i;
	}
}

/* A session that waits uses no CPU. */
static bool is_time(const struct compare *c, size_t at)
{
	const struct grid_col *col = &c->grid[PART_NOW]->col[at];

	return col->quantity == Q_SECONDS && col->additive &&
	    compare_is_amount(col) && col->min_width != GRID_ON_REQUEST;
}

/* More than one amount of time can decide the order. */
static void find_picks(struct compare *c)
{
	const struct grid *g = c->grid[PART_NOW];
	size_t i, n = 0;

	if (c->ask->fixed || !c->sorts_by_figure || c->first == g->n_col ||
	    !is_time(c, c->first))
		return;
	for (i = 0; i < g->n_col; i++)
		n += c->compared[i] && is_time(c, i);
	c->picks = n > 1;
}

double compare_scale(double covered_s, double base_s)
{
	double scale = base_s > 0 ? covered_s / base_s : 1;

	return fabs(scale - 1) > SAME_TIME ? scale : 1;
}

void compare_look(struct compare *c)
{
	const struct grid *now = c->grid[PART_NOW];
	size_t i;

	c->scale = c->ask->totals ? 1
	    : compare_scale(now->covered_s, c->grid[PART_BASE]->covered_s);
	c->scaled = fabs(c->scale - 1) > SAME_TIME;
	for (i = 0; i < now->n_col; i++)
		c->compared[i] = !c->key[i] && !now->col[i].stands_in &&
		    compare_floor(now->col[i].quantity) > 0;
	compare_find_told(c);
	find_first(c);
	find_picks(c);
	find_db_time(c);
}

/* ---- cells -------------------------------------------------------------- */

static const struct cell absent = { .kind = CELL_ABSENT };

/* Texts are owned by their grids. */
static struct cell copy(struct compare *c, const struct cell *from)
{
	struct cell cell = *from;

	if (cell.kind == CELL_TEXT)
		cell.text = grid_text(c->to, cell.text, cell.len).ptr;
	return cell;
}

static struct cell scaled(const struct compare *c, size_t col,
	const struct cell *from)
{
	struct cell cell = *from;
	double v;

	if (!c->scaled || !compare_is_amount(&c->grid[PART_NOW]->col[col]) ||
	    !number(from, &v))
		return cell;
	cell = cell_real(v * c->scale);
	cell.mark = from->mark == '>' ? '>' : '~';
	return cell;
}

struct cell compare_cell(const struct compare *c,
	const struct compare_pair *p, enum part part, size_t col)
{
	if (!p->cell[part])
		return cell_none();
	return part == PART_BASE ? scaled(c, col, &p->cell[part][col])
	                         : p->cell[part][col];
}

/* A missing row counts as 0 in columns that can be added up. */
bool compare_value(const struct compare *c, const struct compare_pair *p,
	enum part part, size_t col, double *ret)
{
	struct cell cell = compare_cell(c, p, part, col);

	*ret = 0;
	if (cell_is_none(&cell))
		return c->grid[PART_NOW]->col[col].additive;
	return number(&cell, ret);
}

static bool is_inexact(const struct cell *c)
{
	return c->kind != CELL_ABSENT && c->mark != 0;
}

struct cell compare_difference(const struct compare *c,
	const struct compare_pair *p, size_t col)
{
	struct cell now = compare_cell(c, p, PART_NOW, col);
	struct cell base = compare_cell(c, p, PART_BASE, col), cell = absent;
	double a, b;

	if (!compare_value(c, p, PART_NOW, col, &a) ||
	    !compare_value(c, p, PART_BASE, col, &b))
		return cell;
	cell = now.kind == CELL_INT && base.kind == CELL_INT &&
	    llabs(now.i) < INT64_MAX / 2 && llabs(base.i) < INT64_MAX / 2
	    ? cell_int(now.i - base.i) : cell_real(a - b);
	cell.mark = is_inexact(&now) || is_inexact(&base) ? '~' : 0;
	return cell;
}

double compare_floor_of(const struct compare *c, size_t at)
{
	const struct grid_col *col = &c->grid[PART_NOW]->col[at];
	double least = compare_floor(col->quantity);

	if (col->quantity == Q_SECONDS && compare_is_amount(col))
		least = fmax(least, SHARE_FLOOR * (c->db_time_s > 0
		    ? c->db_time_s : c->grid[PART_NOW]->covered_s));
	return least;
}

bool compare_is_noise(const struct compare *c, const struct compare_pair *p,
	size_t col)
{
	double a, b;
	size_t by = col;

	/* all figures of a wait are estimates of the same samples */
	if (c->seconds >= 0 && c->db_time_s > 0)
		by = (size_t)c->seconds;
	if (!compare_value(c, p, PART_NOW, by, &a) ||
	    !compare_value(c, p, PART_BASE, by, &b))
		return true;
	return fabs(a - b) < compare_floor_of(c, by);
}

static struct cell ratio(const struct compare *c,
	const struct compare_pair *p, size_t col)
{
	struct cell now = compare_cell(c, p, PART_NOW, col);
	struct cell base = compare_cell(c, p, PART_BASE, col), cell;
	double a, b;

	if (!number(&now, &a) || !number(&base, &b) || b <= 0 || a < 0 ||
	    compare_is_noise(c, p, col))
		return absent;
	cell = cell_real(a / b);
	cell.mark = is_inexact(&now) || is_inexact(&base) ? '~' : 0;
	return isfinite(cell.r) ? cell : absent;
}

static double weight_in(const struct compare *c, const struct compare_pair *p,
	size_t col)
{
	double a, b;

	if (!compare_value(c, p, PART_NOW, col, &a) ||
	    !compare_value(c, p, PART_BASE, col, &b))
		return -1;
	return fabs(a - b);
}

double compare_weight(const struct compare *c, const struct compare_pair *p,
	size_t *ret_col)
{
	const struct grid *g = c->grid[PART_NOW];
	double most, weight;
	size_t i;

	*ret_col = c->first;
	if (c->first == g->n_col)
		return 0;
	most = weight_in(c, p, c->first);
	for (i = 0; c->picks && i < g->n_col; i++) {
		if (!c->compared[i] || !is_time(c, i))
			continue;
		weight = weight_in(c, p, i);
		if (weight > most) {
			most = weight;
			*ret_col = i;
		}
	}
	return most;
}

/* Less is shown as 0. */
#define LEAST_SHOWN 0.005

/* What decides the place of the row: the difference, and in which amount. */
static struct cell *add_pick(struct compare *c, const struct compare_pair *p,
	struct cell *to)
{
	size_t col;
	bool differs = compare_weight(c, p, &col) >= LEAST_SHOWN;
	const char *title = c->grid[PART_NOW]->col[col].title;

	*to++ = differs ? compare_difference(c, p, col) : absent;
	*to++ = differs ? cell_text(grid_text(c->to, title, strlen(title)))
	                : absent;
	return to;
}

/* Names of a class are shown alike. */
static struct cell compare_text(struct compare *c, size_t col,
	const struct cell *cell)
{
	struct span name;

	if (!c->classes[col] || cell->kind != CELL_TEXT)
		return copy(c, cell);
	name = compare_name(c, col, cell);
	return cell_text(grid_text(c->to, name.ptr, span_len(name)));
}

/* The other cells of a row that is gone are those of the baseline. */
struct cell compare_shown(struct compare *c, const struct compare_pair *p,
	size_t col)
{
	const struct cell *from = p->cell[p->cell[PART_NOW] ? PART_NOW
	                                                    : PART_BASE];

	return compare_text(c, col, &from[col]);
}

struct cell compare_change(struct compare *c, const struct compare_pair *p)
{
	const char *text = !p->cell[PART_NOW] ? "gone" : "new";

	if (p->similar)
		return compare_similar(c, p);
	if (p->cell[PART_NOW] && p->cell[PART_BASE])
		return absent;
	return cell_text(grid_text(c->to, text, strlen(text)));
}

static struct cell text_of(struct compare *c, const struct compare_pair *p,
	enum part part, size_t col)
{
	return p->cell[part] ? copy(c, &p->cell[part][col]) : cell_none();
}

static struct cell rows_of(const struct compare_pair *p, enum part part)
{
	return p->cell[part] ? cell_int((int64_t)p->n[part]) : cell_none();
}

/* The row is there, and has no number. */
static bool lacks(const struct compare_pair *p, enum part part,
	const struct cell *cell)
{
	double v;

	return p->cell[part] && !cell_is_none(cell) && !number(cell, &v);
}

/* A figure, what it was, the difference and the ratio. */
static struct cell *add_figure(const struct compare *c,
	const struct compare_pair *p, size_t col, struct cell *to)
{
	bool known;

	to[0] = compare_cell(c, p, PART_NOW, col);
	to[1] = compare_cell(c, p, PART_BASE, col);
	known = !lacks(p, PART_NOW, &to[0]) && !lacks(p, PART_BASE, &to[1]);
	to[2] = known ? compare_difference(c, p, col) : absent;
	to[3] = known ? ratio(c, p, col) : absent;
	return to + 4;
}

/* A row of the whole table, in c->row; without texts that are not kept. */
static size_t make_row(struct compare *c, const struct compare_pair *p)
{
	const struct grid *g = c->grid[PART_NOW];
	struct cell *to = c->row;
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		if (c->key[i])
			*to++ = compare_shown(c, p, i);
	}
	*to++ = compare_change(c, p);
	*to++ = rows_of(p, PART_NOW);
	*to++ = rows_of(p, PART_BASE);
	for (i = 0; i < g->n_col; i++) {
		if (!c->told[i])
			continue;
		*to++ = text_of(c, p, PART_NOW, i);
		*to++ = text_of(c, p, PART_BASE, i);
	}
	if (c->picks)
		to = add_pick(c, p, to);
	for (i = 0; i < g->n_col; i++) {
		if (c->compared[i])
			to = add_figure(c, p, i, to);
	}
	for (i = 0; i < g->n_col; i++) {
		if (c->key[i] || c->compared[i] || c->told[i])
			continue;
		if (c->made[to - c->row])
			*to = compare_shown(c, p, i);
		to++;
	}
	return (size_t)(to - c->row);
}

void compare_row(struct compare *c, const struct compare_pair *p)
{
	struct grid_row *row = grid_add_row(c->to);
	struct cell *to = row->cell;
	size_t n = make_row(c, p), i;

	row->residual = p->residual;
	row->level = p->level;
	for (i = 0; i < n; i++) {
		if (c->made[i])
			*to++ = c->row[i];
	}
}
