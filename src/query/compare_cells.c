/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare_cells.c - columns and cells of a comparison, and noise.
 */
#include <math.h>
#include <stdio.h>
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

void compare_look(struct compare *c)
{
	const struct grid *now = c->grid[PART_NOW];
	double base_s = c->grid[PART_BASE]->covered_s;
	size_t i;

	c->scale = base_s > 0 ? now->covered_s / base_s : 1;
	c->scaled = !c->ask->totals && fabs(c->scale - 1) > SAME_TIME;
	if (!c->scaled)
		c->scale = 1;
	for (i = 0; i < now->n_col; i++)
		c->compared[i] = !c->key[i] && !now->col[i].stands_in &&
		    compare_floor(now->col[i].quantity) > 0;
	find_first(c);
	find_db_time(c);
}

/* ---- columns ------------------------------------------------------------ */

static void add_col(struct compare *c, const struct grid_col *of,
	const char *suffix, const char *title, const char *help,
	unsigned min_width)
{
	struct grid_col col = *of;
	char text[256];
	int n;

	n = snprintf(text, sizeof(text), "%s%s", of->name, suffix);
	col.name = grid_text(c->to, text, (size_t)n + 1).ptr;
	n = snprintf(text, sizeof(text), "%s%s", of->help ? of->help : "",
	    help);
	n = GS_MIN(n, (int)sizeof(text) - 1);
	col.help = grid_text(c->to, text, (size_t)n + 1).ptr;
	if (title)
		col.title = title;
	col.min_width = min_width;
	col.flexible = false;
	/* a name made for a table is freed with it */
	col.name = grid_text(c->to, col.name, strlen(col.name) + 1).ptr;
	col.title = grid_text(c->to, col.title, strlen(col.title) + 1).ptr;
	grid_add_col(c->to, &col);
}

static void add_compared(struct compare *c, const struct grid_col *col,
	unsigned min_width)
{
	struct grid_col diff = *col, ratio = *col;

	/* a sum with missing parts is no bound of a difference */
	diff.additive = false;
	ratio.quantity = Q_NUMBER;
	ratio.additive = ratio.grows = false;
	add_col(c, col, "", NULL, "", min_width);
	add_col(c, col, "_base", "WAS", ", in the baseline", min_width);
	add_col(c, &diff, "_diff", "DIFF", ", difference from the baseline",
	    GRID_ON_REQUEST);
	add_col(c, &ratio, "_ratio", "x", ", divided by that of the baseline",
	    min_width);
}

/* On a narrow screen columns of larger width go first: so key columns stay
 * longest, and figures go together with their baseline. */
#define FIRST_WIDTH 77
#define NARROW 80
#define FIGURE_WIDTH 20 /* of a figure, what it was, and the ratio */
#define FIGURES_MAX 4

/* Width of the key columns, with gaps. */
static size_t key_widths(const struct compare *c)
{
	const struct grid *g = c->grid[PART_NOW];
	size_t i, k, sum = sizeof("CHANGE  ");

	for (i = 0; i < g->n_col; i++) {
		size_t most = strlen(g->col[i].title);

		if (!c->key[i] || g->col[i].min_width > NARROW)
			continue;
		for (k = 0; k < g->n_row; k++) {
			const struct cell *cell = &g->row[k].cell[i];

			if (cell->kind == CELL_TEXT)
				most = GS_MAX(most, span_len(cell->text));
		}
		sum += GS_MIN(most, (size_t)30) + 2;
	}
	return sum;
}

/* Number of compared columns for narrow screens. */
static size_t figures_on_narrow(const struct compare *c)
{
	size_t room = NARROW + FIGURE_WIDTH / 2 -
	    GS_MIN(key_widths(c), (size_t)NARROW);
	size_t n = room / FIGURE_WIDTH;

	return GS_MAX(GS_MIN(n, (size_t)FIGURES_MAX), (size_t)1);
}

static unsigned width_of(const struct compare *c, size_t n)
{
	return n < c->n_narrow ? FIRST_WIDTH + (unsigned)n
	    : (unsigned)(NARROW + 25 * (n - c->n_narrow + 1));
}

static unsigned key_width(const struct grid_col *col)
{
	return col->min_width <= NARROW ? FIRST_WIDTH : col->min_width;
}

static const struct grid_col own_cols[] = {
	GRID_COL("change", "CHANGE", Q_TEXT, FIRST_WIDTH + 1,
	    "new: not in the baseline; gone: in the baseline only"),
	{ .name = "rows", .title = "ROWS", .quantity = Q_COUNT,
	    .help = "rows that are summed up", .additive = true },
	{ .name = "rows_base", .title = "WAS", .quantity = Q_COUNT,
	    .help = "rows that are summed up, in the baseline",
	    .additive = true },
};

static void add_own(struct compare *c)
{
	size_t i;

	for (i = 0; i < GS_LEN(own_cols); i++) {
		struct grid_col col = own_cols[i];

		if (i > 0)
			col.min_width = c->several ? FIRST_WIDTH
			                           : GRID_ON_REQUEST;
		grid_add_col(c->to, &col);
	}
}

/* Number of compared columns with higher priority. */
static size_t rank(const struct compare *c, size_t col)
{
	const struct grid_col *all = c->grid[PART_NOW]->col;
	size_t i, n = 0;

	for (i = 0; i < c->grid[PART_NOW]->n_col; i++) {
		bool before = all[i].min_width < all[col].min_width ||
		    (all[i].min_width == all[col].min_width && i < col);

		if (c->compared[i] && i != col && col != c->first)
			n += before || i == c->first;
	}
	return n;
}

/* Ages are not compared; those that the view has on a narrow screen are there if
 * figures leave room. */
static unsigned other_width(const struct grid_col *col)
{
	bool age = col->quantity == Q_AGE && col->min_width <= NARROW;

	return age ? NARROW : GS_MAX(col->min_width, 160);
}

/* Columns in order: the key, what changed, figures, other columns of now. */
void compare_columns(struct compare *c)
{
	const struct grid *g = c->grid[PART_NOW];
	size_t i;

	c->n_narrow = figures_on_narrow(c);
	for (i = 0; i < g->n_col; i++) {
		if (c->key[i])
			add_col(c, &g->col[i], "", NULL, "",
			    key_width(&g->col[i]));
	}
	add_own(c);
	for (i = 0; i < g->n_col; i++) {
		if (c->compared[i])
			add_compared(c, &g->col[i],
			    g->col[i].min_width == GRID_ON_REQUEST &&
			    i != c->first ? GRID_ON_REQUEST
			                  : width_of(c, rank(c, i)));
	}
	for (i = 0; i < g->n_col; i++) {
		if (c->key[i] || c->compared[i])
			continue;
		add_col(c, &g->col[i], "", NULL, "",
		    other_width(&g->col[i]));
		c->to->col[c->to->n_col - 1].flexible = g->col[i].flexible;
	}
}

/* What changed, or what a column was, grew by, grew to: a column that only
 * comparisons have. */
static bool is_own_col(const struct grid *g, struct span name)
{
	static const char *const ends[] = { "_base", "_diff", "_ratio" };
	size_t i;

	name.ptr += span_starts(name, "+");
	if (span_eq(name, "change"))
		return true;
	for (i = 0; i < GS_LEN(ends); i++) {
		size_t n = strlen(ends[i]), len = span_len(name);

		if (len > n && memcmp(name.end - n, ends[i], n) == 0 &&
		    grid_find_col(g, name.ptr, len - n) >= 0)
			return true;
	}
	return false;
}

/* The column and, if there are such of the other side, these; true: there
 * are. */
static bool add_with_side(const struct grid *g, struct span name, bool first,
	struct buf *to)
{
	const char *plus = span_starts(name, "+") ? "+" : "";
	struct span plain = { name.ptr + strlen(plus), name.end };
	int len = (int)span_len(plain);
	struct buf other = BUF_INIT;
	bool has;

	buf_printf(&other, "%.*s_base", len, plain.ptr);
	has = grid_find_col(g, other.ptr, other.len) >= 0;
	if (has && first)
		buf_printf(to, "%schange,", plus);
	buf_printf(to, "%s%.*s", plus, len, plain.ptr);
	if (has)
		buf_printf(to, ",%s%s,%s%.*s_diff,%s%.*s_ratio", plus,
		    other.ptr, plus, len, plain.ptr, plus, len, plain.ptr);
	buf_release(&other);
	return has;
}

void compare_add_sides(const struct grid *g, const char *list,
	struct buf *to)
{
	struct span rest = span_str(list), name;
	bool any = false;

	while (grid_next_name(&rest, &name)) {
		if (is_own_col(g, name)) { /* they are named as wanted */
			buf_add_str(to, list);
			return;
		}
	}
	rest = span_str(list);
	while (grid_next_name(&rest, &name)) {
		if (to->len > 0)
			buf_add_char(to, ',');
		any |= add_with_side(g, name, !any, to);
	}
}

/* ---- cells -------------------------------------------------------------- */

static const struct cell absent = { .kind = CELL_ABSENT };
static const struct cell nothing = { .kind = CELL_ABSENT, .mark = '0' };

/* Texts are owned by their grids. */
static struct cell copy(struct compare *c, const struct cell *from)
{
	struct cell cell = *from;

	if (cell.kind == CELL_TEXT)
		cell.text = grid_text(c->to, cell.text.ptr,
		    span_len(cell.text));
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
		return nothing;
	return part == PART_BASE ? scaled(c, col, &p->cell[part][col])
	                         : p->cell[part][col];
}

/* A missing row counts as 0 in columns that can be added up. */
bool compare_value(const struct compare *c, const struct compare_pair *p,
	enum part part, size_t col, double *ret)
{
	struct cell cell = compare_cell(c, p, part, col);

	*ret = 0;
	if (!p->cell[part])
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

double compare_weight(const struct compare *c, const struct compare_pair *p)
{
	double a, b;

	if (c->first == c->grid[PART_NOW]->n_col)
		return 0;
	if (!compare_value(c, p, PART_NOW, c->first, &a) ||
	    !compare_value(c, p, PART_BASE, c->first, &b))
		return -1;
	return fabs(a - b);
}

/* The other cells of a row that is gone are those of the baseline. */
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

static struct cell rows_of(const struct compare_pair *p, enum part part)
{
	return p->cell[part] ? cell_int((int64_t)p->n[part]) : nothing;
}

void compare_row(struct compare *c, const struct compare_pair *p)
{
	const struct grid *g = c->grid[PART_NOW];
	struct grid_row *row = grid_add_row(c->to);
	struct cell *to = row->cell;
	size_t i;

	row->residual = p->residual;
	row->level = p->level;
	for (i = 0; i < g->n_col; i++) {
		if (c->key[i])
			*to++ = compare_shown(c, p, i);
	}
	*to++ = compare_change(c, p);
	*to++ = rows_of(p, PART_NOW);
	*to++ = rows_of(p, PART_BASE);
	for (i = 0; i < g->n_col; i++) {
		if (!c->compared[i])
			continue;
		*to++ = compare_cell(c, p, PART_NOW, i);
		*to++ = compare_cell(c, p, PART_BASE, i);
		*to++ = compare_difference(c, p, i);
		*to++ = ratio(c, p, i);
	}
	for (i = 0; i < g->n_col; i++) {
		if (!c->key[i] && !c->compared[i])
			*to++ = compare_shown(c, p, i);
	}
}
