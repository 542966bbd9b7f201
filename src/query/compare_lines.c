/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare_lines.c - the lines form of a comparison: one row per figure, of those
 * that differ by more than noise, or of all.
 */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "metric/section.h"
#include "query/compare_int.h"
#include "query/sort.h"
#include "query/view_key.h"

/* Smaller values are no base of a percentage. */
#define PERCENT_BASE_MIN 1e-12

/* A difference that is a smaller part of the larger value is noise, too. */
#define SHARE_MIN 0.05

static const struct grid_col line_cols[LINE_COLS] = {
	[LINE_CHANGE] = GRID_COL("change", "CHANGE", Q_TEXT, 40,
	    "new: only in B; gone: only in A"),
	[LINE_METRIC] = GRID_COL("metric", "METRIC", Q_TEXT, 40,
	    "column of the view, or metric"),
	[LINE_UNIT] = GRID_COL("unit", "UNIT", Q_TEXT, GRID_ON_REQUEST,
	    "unit of a, b and difference"),
	[LINE_SECTION] = GRID_COL("section", "SECTION", Q_TEXT,
	    GRID_ON_REQUEST, "what the metric is about: --sections list"),
	[LINE_A] = GRID_COL("a", "A", Q_BY_ROW, 40, "value in A"),
	[LINE_B] = GRID_COL("b", "B", Q_BY_ROW, 40, "value in B"),
	[LINE_DIFFERENCE] = GRID_COL("difference", "DIFF", Q_BY_ROW, 60,
	    "B minus A; of a text: same, differs", .plus = true),
	[LINE_PERCENT] = GRID_COL("percent", "%", Q_PERCENT, 60,
	    "difference, in percent of A", .plus = true),
};

size_t compare_line_col(const struct grid *lines, enum compare_line_col c)
{
	int at = grid_find_col(lines, "change", strlen("change"));

	return (size_t)at + (size_t)c;
}

/* ---- columns ------------------------------------------------------------ */

static int named(const struct grid *g, const char *name)
{
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		if (strcmp(g->col[i].name, name) == 0)
			return (int)i;
	}
	return -1;
}

/* A long text that identifies the row: of a query. */
static bool is_about(const struct compare *c, size_t col)
{
	const struct view_key *k = view_key_of_view(c->ask->view);
	const struct grid_col *of = &c->grid[PART_NOW]->col[col];
	size_t i;

	for (i = 0; k && c->ask->n_key == 0 && of->flexible && !c->key[col] &&
	    i < VIEW_KEY_COLS && k->same[i]; i++) {
		if (strcmp(k->same[i], of->name) == 0)
			return true;
	}
	return false;
}

static void add_of(struct compare *c, size_t col, unsigned min_width)
{
	struct grid_col to = c->grid[PART_NOW]->col[col];

	to.min_width = min_width;
	to.key = 0; /* not blank in further lines of a row */
	to.name = grid_text(c->to, to.name, strlen(to.name) + 1).ptr;
	to.title = grid_text(c->to, to.title, strlen(to.title) + 1).ptr;
	grid_add_col(c->to, &to);
}

/* A number that stands for the text of the column; a text; or itself. */
static size_t judge_of(const struct compare *c, size_t col)
{
	const struct grid *g = c->grid[PART_NOW];

	return col + 1 < g->n_col && g->col[col + 1].stands_in ? col + 1 : col;
}

/* A figure of the row in each of its lines, named "a_processes": it
 * does not begin with the name of a figure. */
static void add_side(struct compare *c, size_t col, char side)
{
	struct grid_col to = c->grid[PART_NOW]->col[col];
	struct buf text = BUF_INIT;

	buf_printf(&text, "%c_%s", side, to.name);
	to.name = grid_text(c->to, buf_str(&text), text.len + 1).ptr;
	buf_reset(&text);
	buf_printf(&text, "%s %c", to.title, side - 'a' + 'A');
	to.title = grid_text(c->to, buf_str(&text), text.len + 1).ptr;
	buf_reset(&text);
	buf_printf(&text, "%s, in %c", to.help, side - 'a' + 'A');
	to.help = grid_text(c->to, buf_str(&text), text.len + 1).ptr;
	to.min_width = to.min_width <= 80 ? 120 : GRID_ON_REQUEST;
	to.additive = false;
	grid_add_col(c->to, &to);
	buf_release(&text);
}

/* How many a group has, and for how long. */
static void add_size(struct compare *c)
{
	static const char *const counts[] = { "processes", "threads" };
	const struct grid *g = c->grid[PART_NOW];
	int col = -1, stay = named(g, "stay_percent");
	size_t i;

	for (i = 0; i < GS_LEN(counts) && col < 0; i++)
		col = named(g, counts[i]);
	if (c->ask->n_key == 0 || col < 0 || stay < 0)
		return;
	c->size[c->n_size++] = (size_t)col;
	c->size[c->n_size++] = (size_t)stay;
	for (i = 0; i < c->n_size; i++) {
		add_side(c, c->size[i], 'a');
		add_side(c, c->size[i], 'b');
	}
}

static void add_difference(struct compare *c, size_t col)
{
	const struct grid *g = c->grid[PART_NOW];
	struct grid_col to = g->col[judge_of(c, col)];
	struct buf name = BUF_INIT;

	buf_printf(&name, "%s_diff", g->col[col].name);
	to.name = grid_text(c->to, buf_str(&name), name.len + 1).ptr;
	to.title = grid_text(c->to, to.title, strlen(to.title) + 1).ptr;
	to.help = "difference of this figure in the row that the line is of";
	to.min_width = GRID_ON_REQUEST;
	to.additive = to.stands_in = false;
	to.plus = true;
	grid_add_col(c->to, &to);
	buf_release(&name);
}

/* Names that are neither of a line nor a number are left to the caller. */
static void add_order(struct compare *c)
{
	const struct grid *g = c->grid[PART_NOW];
	struct span rest = span_str(c->ask->order), name;
	size_t i;

	while (grid_next_name(&rest, &name) && c->n_order < COMPARE_ORDER_MAX) {
		int col;

		name.ptr += !span_empty(name) &&
		    (*name.ptr == '-' || *name.ptr == '+');
		col = span_empty(name) ||
		    grid_find_col(c->to, name.ptr, span_len(name)) >= 0 ? -1
		    : grid_find_col(g, name.ptr, span_len(name));
		if (col >= 0 && compare_floor(
		    g->col[judge_of(c, (size_t)col)].quantity) > 0)
			c->order[c->n_order++] = (size_t)col;
	}
	for (i = 0; i < c->n_order; i++)
		add_difference(c, c->order[i]);
}

void compare_line_columns(struct compare *c)
{
	const struct grid *g = c->grid[PART_NOW];
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		if (c->key[i])
			add_of(c, i, g->col[i].min_width <= 80 ? 40
			                                       : g->col[i].min_width);
	}
	for (i = 0; i < LINE_COLS; i++) {
		struct grid_col col = line_cols[i];

		/* the names of metrics do not tell that they are rates */
		if (i == LINE_UNIT && c->ask->all)
			col.min_width = 80;
		grid_add_col(c->to, &col);
	}
	for (i = 0; i < g->n_col; i++) {
		if (is_about(c, i))
			add_of(c, i, 80);
	}
	add_size(c);
	if (c->ask->order)
		add_order(c);
}

/* ---- which figures ------------------------------------------------------ */

/* The column is one of a list of names. */
static bool is_listed(const struct grid *g, const char *names, size_t col)
{
	struct span rest = span_str(names), name;

	while (grid_next_name(&rest, &name)) {
		if (grid_find_col(g, name.ptr, span_len(name)) == (int)col)
			return true;
	}
	return false;
}

static bool is_wanted(const struct compare *c, size_t col)
{
	const struct grid *g = c->grid[PART_NOW];
	const struct grid_col *at = &g->col[col];

	if (c->key[col] || at->stands_in || at->quantity == Q_TIME)
		return false;
	if (c->ask->metrics)
		return is_listed(g, c->ask->metrics, col);
	if (c->ask->all)
		return !is_about(c, col) &&
		    (c->ask->totals || !compare_is_amount(at));
	return c->compared[col] && at->min_width != GRID_ON_REQUEST &&
	    (c->ask->totals || !compare_is_amount(at));
}

/* A figure that neither side has says nothing. */
static bool is_known(struct compare *c, const struct compare_pair *p,
	size_t col)
{
	return compare_cell(c, p, PART_BASE, col).kind != CELL_ABSENT ||
	    compare_cell(c, p, PART_NOW, col).kind != CELL_ABSENT;
}

/* Nothing is known to compare a row of one side with: its own value counts. */
static bool is_enough(const struct compare *c, const struct compare_pair *p,
	size_t col)
{
	enum part part = p->cell[PART_NOW] ? PART_NOW : PART_BASE;
	double v;

	return compare_value(c, p, part, col, &v) &&
	    fabs(v) >= compare_floor_of(c, col);
}

static bool is_small_part(const struct compare *c,
	const struct compare_pair *p, size_t col)
{
	double a, b;

	return compare_value(c, p, PART_BASE, col, &a) &&
	    compare_value(c, p, PART_NOW, col, &b) &&
	    fabs(a - b) < SHARE_MIN * fmax(fabs(a), fabs(b));
}

static bool is_news(const struct compare *c, const struct compare_pair *p,
	size_t col)
{
	bool both = p->cell[PART_NOW] && p->cell[PART_BASE];

	if (!c->compared[col])
		return false;
	if (both || c->grid[PART_NOW]->col[col].additive)
		return !compare_is_noise(c, p, col) &&
		    !is_small_part(c, p, col);
	return is_enough(c, p, col);
}

/* ---- rows --------------------------------------------------------------- */

static struct cell copied(struct compare *c, struct cell cell)
{
	if (cell.kind == CELL_TEXT)
		cell.text = grid_text(c->to, cell.text, cell.len).ptr;
	return cell;
}

static struct cell same_or_not(struct compare *c,
	const struct compare_pair *p, size_t col)
{
	struct cell a = compare_cell(c, p, PART_BASE, col);
	struct cell b = compare_cell(c, p, PART_NOW, col);
	const char *word;

	if (a.kind == CELL_ABSENT || b.kind == CELL_ABSENT)
		return (struct cell) { .kind = CELL_ABSENT };
	word = a.kind == b.kind && sort_compare_cells(&a, &b) == 0 ? "same"
	    : "differs";
	return cell_text(grid_text(c->to, word, strlen(word)));
}

static struct cell percent(const struct compare *c,
	const struct compare_pair *p, size_t col)
{
	struct cell diff = compare_difference(c, p, col), cell;
	double a, d = diff.kind == CELL_INT ? (double)diff.i : diff.r;

	if (diff.kind == CELL_ABSENT || !p->cell[PART_BASE] ||
	    !compare_value(c, p, PART_BASE, col, &a) ||
	    fabs(a) < PERCENT_BASE_MIN)
		return (struct cell) { .kind = CELL_ABSENT };
	cell = cell_real(100 * d / fabs(a));
	cell.mark = diff.mark;
	return cell;
}

static void add_key(struct compare *c, const struct compare_pair *p,
	struct grid_row *row)
{
	struct cell *to = row->cell;
	size_t i;

	for (i = 0; i < c->grid[PART_NOW]->n_col; i++) {
		if (c->key[i])
			*to++ = compare_shown(c, p, i);
	}
	*to = compare_change(c, p);
	to += LINE_COLS;
	for (i = 0; i < c->grid[PART_NOW]->n_col; i++) {
		if (is_about(c, i))
			*to++ = compare_shown(c, p, i);
	}
	for (i = 0; i < c->n_size; i++) {
		*to++ = compare_cell(c, p, PART_BASE, c->size[i]);
		*to++ = compare_cell(c, p, PART_NOW, c->size[i]);
	}
	for (i = 0; i < c->n_order; i++)
		*to++ = compare_difference(c, p, judge_of(c, c->order[i]));
}

static struct cell text_of(struct compare *c, const char *text)
{
	return cell_text(grid_text(c->to, text, strlen(text)));
}

static void add_line(struct compare *c, const struct compare_pair *p,
	size_t col)
{
	const struct grid_col *of = &c->grid[PART_NOW]->col[col];
	size_t judge = judge_of(c, col);
	struct grid_row *row = grid_add_row(c->to);
	struct cell *to = row->cell + compare_line_col(c->to, LINE_CHANGE);
	const char *unit;

	add_key(c, p, row);
	row->residual = p->residual;
	row->quantity = c->grid[PART_NOW]->col[judge].quantity;
	unit = quantity_unit(row->quantity);
	to[LINE_METRIC] = text_of(c, of->name);
	if (*unit)
		to[LINE_UNIT] = text_of(c, unit);
	to[LINE_SECTION] = text_of(c, metric_section_name(
	    (enum metric_section)of->section));
	to[LINE_A] = copied(c, compare_cell(c, p, PART_BASE, col));
	to[LINE_B] = copied(c, compare_cell(c, p, PART_NOW, col));
	if (row->quantity == Q_TEXT || row->quantity == Q_ID) {
		to[LINE_DIFFERENCE] = same_or_not(c, p, judge);
		return;
	}
	to[LINE_DIFFERENCE] = compare_difference(c, p, judge);
	to[LINE_PERCENT] = percent(c, p, judge);
}

/* True if some figure of a row of one side could be compared with nothing. */
static bool is_judged(const struct compare *c)
{
	size_t i;

	for (i = 0; i < c->grid[PART_NOW]->n_col; i++) {
		if (is_wanted(c, i) && c->grid[PART_NOW]->col[i].additive)
			return true;
	}
	return false;
}

static bool is_size(const struct compare *c, size_t col)
{
	size_t i;

	for (i = 0; i < c->n_size; i++) {
		if (c->size[i] == col)
			return true;
	}
	return false;
}

/* One line says that a row is new or gone: of the view's first figure, or of
 * the next that is more than noise, the size of a group last; without figures if
 * nothing could be judged. */
static void add_one(struct compare *c, const struct compare_pair *p)
{
	size_t i, n = c->grid[PART_NOW]->n_col;

	if (c->first < n && is_wanted(c, c->first) && is_news(c, p, c->first)) {
		add_line(c, p, c->first);
		return;
	}
	for (i = 0; i < 2 * n; i++) {
		if (is_size(c, i % n) == (i >= n) && is_wanted(c, i % n) &&
		    is_news(c, p, i % n)) {
			add_line(c, p, i % n);
			return;
		}
	}
	if (!is_judged(c))
		add_key(c, p, grid_add_row(c->to));
}

void compare_lines(struct compare *c, const struct compare_pair *p)
{
	bool both = p->cell[PART_NOW] && p->cell[PART_BASE];
	size_t i;

	if (!both && !c->ask->all && !c->ask->metrics) {
		add_one(c, p);
		return;
	}
	for (i = 0; i < c->grid[PART_NOW]->n_col; i++) {
		if (is_wanted(c, i) && (c->ask->all || (is_news(c, p, i) &&
		    is_known(c, p, i))))
			add_line(c, p, i);
	}
}
