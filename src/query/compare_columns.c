/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare_columns.c - the columns of a comparison, and which of them there is room
 * for.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "query/compare_int.h"

#define NARROW 80 /* columns of a screen */

/* ---- texts beside what they were ----------------------------------------- */

/* Texts of sessions, of which what they were says as much as what they are; the room
 * that each needs. */
static const struct {
	const char *name;
	unsigned least;
} told[] = { { "state", 7 }, { "wait", 12 } };

/* The room; 0: another column. */
static unsigned told_least(const struct grid_col *col)
{
	size_t i;

	for (i = 0; col->min_width <= NARROW && i < GS_LEN(told); i++) {
		if (strcmp(told[i].name, col->name) == 0)
			return told[i].least;
	}
	return 0;
}

static bool has_col(const struct grid *g, const char *name)
{
	size_t i = 0;

	while (i < g->n_col && strcmp(g->col[i].name, name) != 0)
		i++;
	return i < g->n_col;
}

/* The state alone of a query or a process says little. */
void compare_find_told(struct compare *c)
{
	const struct grid *g = c->grid[PART_NOW];
	size_t i;

	for (i = 0; has_col(g, "wait") && i < g->n_col; i++) {
		c->told[i] = !c->key[i] && told_least(&g->col[i]) > 0;
		c->tells |= c->told[i];
	}
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
	n = GS_MIN(n, (int)sizeof(text) - 1);
	/* what is made for a table is freed with it */
	col.name = grid_text(c->to, text, (size_t)n + 1).ptr;
	n = snprintf(text, sizeof(text), "%s%s", of->help ? of->help : "",
	    help);
	n = GS_MIN(n, (int)sizeof(text) - 1);
	col.help = grid_text(c->to, text, (size_t)n + 1).ptr;
	if (title)
		col.title = title;
	col.min_width = min_width;
	col.flexible = false;
	col.title = grid_text(c->to, col.title, strlen(col.title) + 1).ptr;
	grid_add_col(c->to, &col);
}

/* On a narrow screen columns of larger width go first: so key columns stay
 * longest, and figures go together with their baseline. */
#define FIRST_WIDTH 77

static void add_told(struct compare *c, const struct grid_col *col)
{
	struct grid_col text = *col;

	text.least = told_least(col);
	add_col(c, &text, "", NULL, "", FIRST_WIDTH + 1);
	add_col(c, &text, "_base", "WAS", ", in the baseline", FIRST_WIDTH + 1);
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
	/* it can be seen from the two, where room is short */
	add_col(c, &ratio, "_ratio", "x", ", divided by that of the baseline",
	    min_width == FIRST_WIDTH && c->tells ? FIRST_WIDTH + 1 : min_width);
}

#define FIGURE_WIDTH 20 /* of a figure, what it was, and the ratio */
#define FIGURES_MAX 4

/* What each row has its place by, where that isn't the same for all. */
static const struct grid_col pick_cols[] = {
	GRID_COL("differs_by", "DIFF", Q_SECONDS, FIRST_WIDTH,
	    "difference in the amount of time that differs most; rows are ordered by it",
	    .plus = true),
	GRID_COL("differs_in", "IN", Q_TEXT, FIRST_WIDTH,
	    "the amount of time that differs most"),
};

#define PICK_WIDTH ((size_t)16) /* of both, with gaps */

static void add_picks(struct compare *c)
{
	size_t i;

	for (i = 0; c->picks && i < GS_LEN(pick_cols); i++)
		grid_add_col(c->to, &pick_cols[i]);
}

/* Width of the key columns, with gaps. */
static size_t key_widths(const struct compare *c)
{
	const struct grid *g = c->grid[PART_NOW];
	size_t i, k, sum = sizeof("CHANGE  ") + (c->picks ? PICK_WIDTH : 0);

	for (i = 0; i < g->n_col; i++) {
		size_t most = strlen(g->col[i].title);

		if (!c->key[i] || g->col[i].min_width > NARROW)
			continue;
		for (k = 0; k < g->n_row; k++) {
			const struct cell *cell = &g->row[k].cell[i];

			if (cell->kind == CELL_TEXT)
				most = GS_MAX(most, cell->len);
		}
		sum += GS_MIN(most, (size_t)30) + 2;
	}
	for (i = 0; i < g->n_col; i++)
		sum += 2 * (c->told[i] ? told_least(&g->col[i]) + 2 : 0);
	return sum;
}

/* Number of compared columns for narrow screens. */
static size_t figures_on_narrow(const struct compare *c)
{
	size_t room = NARROW + FIGURE_WIDTH / 2 -
	    GS_MIN(key_widths(c), (size_t)NARROW);
	size_t n = room / FIGURE_WIDTH;

	return GS_MAX(GS_MIN(n, (size_t)FIGURES_MAX), (size_t)!c->picks);
}

static unsigned width_of(const struct compare *c, size_t n)
{
	if (n < c->n_narrow)
		return FIRST_WIDTH + (unsigned)n;
	/* each row tells what differs most: others can go */
	return (unsigned)(NARROW + 25 * (n - c->n_narrow + !c->picks));
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
		if (c->told[i])
			add_told(c, &g->col[i]);
	}
	add_picks(c);
	for (i = 0; i < g->n_col; i++) {
		if (c->compared[i])
			add_compared(c, &g->col[i],
			    g->col[i].min_width == GRID_ON_REQUEST &&
			    i != c->first ? GRID_ON_REQUEST
			                  : width_of(c, rank(c, i)));
	}
	for (i = 0; i < g->n_col; i++) {
		if (c->key[i] || c->compared[i] || c->told[i])
			continue;
		add_col(c, &g->col[i], "", NULL, "",
		    other_width(&g->col[i]));
		c->to->col[c->to->n_col - 1].flexible = g->col[i].flexible;
	}
}

/* What stands for a statement is shown without room of its own. */
void compare_pick_made(struct compare *c, size_t width)
{
	struct grid *g = c->to;
	size_t widest = width > 0 ? GS_MAX(width, (size_t)NARROW) : SIZE_MAX;
	size_t i, n = 0;

	c->made = gs_calloc(g->n_col + 1, sizeof(*c->made));
	c->row = gs_calloc(g->n_col + 1, sizeof(*c->row));
	for (i = 0; i < g->n_col; i++) {
		c->made[i] = g->col[i].stands_for_it ||
		    g->col[i].min_width <= widest;
		if (c->made[i])
			g->col[n++] = g->col[i];
	}
	g->n_col = n;
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
		buf_printf(to, ",%s%s", plus, other.ptr);
	buf_reset(&other);
	buf_printf(&other, "%.*s_diff", len, plain.ptr);
	if (grid_find_col(g, other.ptr, other.len) >= 0) /* it is a number */
		buf_printf(to, ",%s%s,%s%.*s_ratio", plus, other.ptr, plus, len,
		    plain.ptr);
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
