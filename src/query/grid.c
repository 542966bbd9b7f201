/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grid.c - building a grid, finding and choosing its columns, cutting its
 * list.
 */
#include "query/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/suggest.h"

const char *quantity_unit(enum quantity q)
{
	static const char *const units[] = { [Q_TEXT] = "",
		[Q_COUNT] = "count", [Q_ID] = "id", [Q_NUMBER] = "number",
		[Q_RATE] = "per second", [Q_PERCENT] = "percent",
		[Q_BYTES] = "bytes", [Q_BYTES_RATE] = "bytes per second",
		[Q_SECONDS] = "seconds", [Q_LATENCY] = "seconds",
		[Q_AGE] = "seconds",
		[Q_TIME] = "time", [Q_BY_ROW] = "" };

	return units[q];
}

struct grid *grid_new(const char *name, const char *title)
{
	struct grid *g = gs_calloc(1, sizeof(*g));

	g->name = name;
	g->title = title;
	g->arena = arena_new();
	return g;
}

void grid_free(struct grid *g)
{
	while (g) {
		struct grid *more = g->more;

		arena_free(g->arena);
		free(g->col);
		free(g->row);
		free(g);
		g = more;
	}
}

struct grid *grid_take(struct grid *g)
{
	struct grid *mine = gs_calloc(1, sizeof(*mine));

	*mine = *g;
	*g = (struct grid) { .name = mine->name };
	return mine;
}

void grid_add_col(struct grid *g, const struct grid_col *col)
{
	g->col = gs_realloc(g->col, (g->n_col + 1) * sizeof(*g->col));
	g->col[g->n_col++] = *col;
}

struct grid_row *grid_add_row(struct grid *g)
{
	struct grid_row *row;

	GS_GROW(g->row, &g->row_cap, g->n_row + 1);
	row = &g->row[g->n_row++];
	*row = (struct grid_row) { 0 };
	row->cell = arena_zalloc(g->arena, g->n_col * sizeof(*row->cell));
	g->n_total = g->n_row;
	return row;
}

struct span grid_text(struct grid *g, const char *p, size_t len)
{
	return span_of(arena_dup(g->arena, p, len), len);
}

struct cell grid_copy_cell(struct grid *g, const struct cell *c)
{
	struct cell to = *c;

	if (c->kind == CELL_TEXT)
		to.text = grid_text(g, c->text, c->len).ptr;
	return to;
}

static bool same(const char *a, const char *name, size_t len)
{
	return strlen(a) == len && strncasecmp(a, name, len) == 0;
}

/* "cpu_ratio": the column of "cpu", "cpu_percent_ratio". */
static int find_beside(const struct grid *g, const char *name, size_t len)
{
	const char *end = memrchr(name, '_', len);
	size_t stem = end ? (size_t)(end - name) : 0, i;
	int col = stem > 0 ? grid_find_col(g, name, stem) : -1;
	size_t whole = col >= 0 ? strlen(g->col[col].name) : 0;

	for (i = 0; col >= 0 && i < g->n_col; i++) {
		const char *one = g->col[i].name;

		if (strncmp(one, g->col[col].name, whole) == 0 &&
		    same(one + whole, end, len - stem))
			return (int)i;
	}
	return -1;
}

/* The column whose name begins so, up to an underscore; -1: none. */
static int find_begun(const struct grid *g, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		const char *whole = g->col[i].name;

		if (strlen(whole) > len && whole[len] == '_' &&
		    strncasecmp(whole, name, len) == 0)
			return (int)i;
	}
	return -1;
}

int grid_find_exactly(const struct grid *g, const char *name)
{
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		if (strcmp(g->col[i].name, name) == 0)
			return (int)i;
	}
	return -1;
}

int grid_find_col(const struct grid *g, const char *name, size_t len)
{
	size_t i;
	int begun;

	for (i = 0; i < g->n_col; i++) {
		if (same(g->col[i].name, name, len))
			return (int)i;
	}
	for (i = 0; i < g->n_col; i++) {
		if (g->col[i].also && same(g->col[i].also, name, len))
			return (int)i;
	}
	for (i = 0; i < g->n_col; i++) {
		const char *title = g->col[i].title;

		if (strlen(title) == len && memcmp(title, name, len) == 0)
			return (int)i;
	}
	begun = find_begun(g, name, len);
	if (begun >= 0 && !(g->is_key && g->is_key(span_of(name, len))))
		return begun;
	for (i = 0; i < g->n_col; i++) {
		if (same(g->col[i].title, name, len))
			return (int)i;
	}
	return find_beside(g, name, len);
}

/* Columns that belong to another one and contain its name. */
static bool is_beside(const struct grid *g, size_t col)
{
	static const char *const suffix[] = { "_base", "_diff", "_ratio" };
	const char *name = g->col[col].name;
	size_t i, k;

	for (i = 0; i < col; i++) {
		size_t len = strlen(g->col[i].name);

		if (strncmp(name, g->col[i].name, len) != 0)
			continue;
		for (k = 0; k < GS_LEN(suffix); k++) {
			if (strcmp(name + len, suffix[k]) == 0)
				return true;
		}
	}
	return false;
}

/* The one of both that is closer to the word, and close enough. */
static const char *nearer(const char *word, const char *name,
	const char *near)
{
	return suggest_is_close(word, name) && (!near ||
	    suggest_distance(word, name) < suggest_distance(word, near))
	    ? name : near;
}

int grid_no_col(const struct grid *g, const char *name, size_t len,
	struct gs_err *err)
{
	char list[GS_ERR_MSG_MAX - 256] = "";
	char word[64];
	const char *near = NULL, *by = g->by ? "the table by " : "";
	bool several = false;
	size_t i, used = 0;
	int begun = find_begun(g, name, len);

	(void)snprintf(word, sizeof(word), "%.*s", (int)GS_MIN(len, 60), name);
	for (i = 0; i < g->n_col; i++) {
		const char *col = g->col[i].name;
		const char *also = g->col[i].also;
		int n;

		if (is_beside(g, i)) {
			several = true;
			continue;
		}
		n = snprintf(list + used, sizeof(list) - used, "%s%s",
		    i ? ", " : "", col);

		used = GS_MIN(used + (size_t)n, sizeof(list) - 1);
		near = nearer(word, col, near);
		near = also ? nearer(word, also, near) : near;
	}
	if (begun >= 0)
		near = g->col[begun].name;
	if (several) /* the buffer may be full: then they are left out */
		(void)snprintf(list + used, sizeof(list) - used,
		    "; of numbers NAME_base, NAME_diff, NAME_ratio");
	if (near)
		return gs_fail(err, GS_E_USAGE, "no column \"%s\" in %s%s (did "
		    "you mean %s?); there are:\n%s", word, by,
		    g->by ? g->by : g->name, near, list);
	return gs_fail(err, GS_E_USAGE, "no column \"%s\" in %s%s; there "
	    "are:\n%s", word, by, g->by ? g->by : g->name, list);
}

static double cell_number(const struct cell *c)
{
	return c->kind == CELL_INT ? (double)c->i : c->r;
}

void grid_add_cell(struct cell *sum, const struct cell *c)
{
	bool fits = sum->kind == CELL_INT && c->kind == CELL_INT &&
	    (c->i >= 0 ? sum->i <= INT64_MAX - c->i
	               : sum->i >= INT64_MIN - c->i);

	if (sum->kind == CELL_ABSENT) {
		char mark = sum->mark;

		*sum = *c;
		sum->mark = mark;
	} else if (sum->kind == CELL_MAX || c->kind == CELL_MAX) {
		sum->kind = CELL_MAX;
	} else if (fits) {
		sum->i += c->i;
	} else {
		double r = cell_number(sum) + cell_number(c);

		sum->kind = CELL_REAL;
		sum->r = r;
	}
}

/* A running sum. */
struct adding {
	struct cell sum;
	bool missing, estimate;
};

static void add_row_cell(struct adding *a, const struct grid_row *row,
	size_t col)
{
	const struct cell *c = &row->cell[col];

	if (c->ended)
		return;
	a->missing |= (c->kind == CELL_ABSENT && !row->residual &&
	    c->mark != '0') || c->mark == '>';
	a->estimate |= c->mark == '~';
	if (c->kind == CELL_INT || c->kind == CELL_REAL ||
	    c->kind == CELL_MAX)
		grid_add_cell(&a->sum, c);
}

/* The sum of column col over n rows, and over folded ones. */
static struct cell sum_of(const struct grid *g, size_t col,
	const struct grid_row *rows, size_t n)
{
	struct adding a = { .missing = false };
	size_t i;

	for (i = 0; i < n; i++)
		add_row_cell(&a, &rows[i], col);
	if (g->folded.n_others > 0)
		add_row_cell(&a, &g->folded, col);
	if (a.sum.kind != CELL_ABSENT)
		a.sum.mark = a.estimate ? '~' : a.missing ? '>' : 0;
	return a.sum;
}

void grid_sum_rows(const struct grid *g, const struct grid_row *rows, size_t n,
	struct grid_row *to)
{
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		if (g->col[i].additive)
			to->cell[i] = sum_of(g, i, rows, n);
	}
}

/* The column for "480 others": the first if it has text, else the last text
 * column shown on narrow screens. */
static size_t label_col(const struct grid *g)
{
	size_t i, best = g->n_col;

	if (g->col[0].quantity == Q_TEXT)
		return 0;
	for (i = 0; i < g->n_col; i++) {
		if (g->col[i].quantity == Q_TEXT && !g->col[i].if_any &&
		    (best == g->n_col ||
		    g->col[i].min_width <= g->col[best].min_width))
			best = i;
	}
	return best;
}

size_t grid_others_label(const struct grid_row *row,
	char to[GRID_LABEL_MAX])
{
	return (size_t)snprintf(to, GRID_LABEL_MAX, "%zu other%s",
	    row->n_others, row->n_others == 1 ? "" : "s");
}

void grid_limit(struct grid *g, size_t limit)
{
	struct grid_row others = { .others = true };
	char label[GRID_LABEL_MAX];
	size_t i, len;

	g->n_total = g->n_row + g->folded.n_others;
	if (g->folded.n_others > 0 && (limit == 0 || limit >= g->n_row))
		limit = g->n_row;
	else if (limit == 0 || g->n_row <= limit)
		limit = g->n_total;
	if (g->n_total <= limit || g->n_col == 0)
		return;
	others.n_others = g->n_total - limit;
	others.cell = arena_zalloc(g->arena, g->n_col * sizeof(*others.cell));
	grid_sum_rows(g, g->row + GS_MIN(limit, g->n_row),
	    g->n_row - GS_MIN(limit, g->n_row), &others);
	len = grid_others_label(&others, label);
	i = label_col(g);
	if (i < g->n_col)
		others.cell[i] = cell_text(grid_text(g, label, len));
	GS_GROW(g->row, &g->row_cap, limit + 1);
	g->row[limit] = others;
	g->n_row = limit + 1;
}

void grid_set_folded(struct grid *g, size_t n)
{
	g->folded = (struct grid_row) { .others = true, .n_others = n,
		.cell = arena_zalloc(g->arena, g->n_col *
		    sizeof(struct cell)) };
}

bool grid_next_name(struct span *list, struct span *ret)
{
	if (!list->ptr)
		return false;
	if (!scan_until(list, ',', ret)) {
		*ret = *list;
		list->ptr = NULL;
	}
	return true;
}

bool grid_list_has(const char *list, const char *name)
{
	struct span rest = span_str(list), word;

	while (grid_next_name(&rest, &word)) {
		if (span_eq(word, name))
			return true;
	}
	return false;
}

/* A statement that is chosen without the column that stands for it keeps the
 * cells of that. */
static void keep_stand_ins(struct grid *g, const size_t *from, size_t n)
{
	bool statement = false;
	size_t in = 0, i;

	while (in < g->n_col && !g->col[in].stands_for_it)
		in++;
	for (i = 0; i < n; i++) {
		statement |= g->col[from[i]].statement;
		if (from[i] == in)
			return;
	}
	for (i = 0; statement && in < g->n_col && i < g->n_row; i++) {
		if (!g->row[i].others)
			g->row[i].stand_in = &g->row[i].cell[in];
	}
}

/* Moves column from of the old grid to index to of the new cells. */
static void keep_columns(struct grid *g, const size_t *from, size_t n)
{
	struct grid_col *col = gs_calloc(n, sizeof(*col));
	size_t i, k;

	for (i = 0; i < n; i++) {
		col[i] = g->col[from[i]];
		col[i].min_width = 0;
		col[i].if_any = false;
	}
	for (i = 0; i < g->n_row; i++) {
		struct cell *cell = arena_zalloc(g->arena, n * sizeof(*cell));

		for (k = 0; k < n; k++)
			cell[k] = g->row[i].cell[from[k]];
		g->row[i].cell = cell;
	}
	free(g->col);
	g->col = col;
	g->n_col = n;
}

/* The first name without + in a list that begins with one; false: none. */
static bool unsigned_name(const char *list, struct span *ret)
{
	struct span rest = span_str(list);

	if (!span_starts(rest, "+"))
		return false;
	while (grid_next_name(&rest, ret)) {
		if (!span_starts(*ret, "+"))
			return true;
	}
	return false;
}

bool grid_list_is_mixed(const char *list)
{
	struct span name;

	return unsigned_name(list, &name);
}

/* "+a,b" could mean "+a,+b" or "a,b": GS_E_USAGE. */
static int check_added(const char *list, struct gs_err *err)
{
	struct span name;

	if (!unsigned_name(list, &name))
		return GS_OK;
	return gs_fail(err, GS_E_USAGE, "a list of columns that begins with + "
	    "adds columns: write +%.*s, or no + before the first for these "
	    "columns alone", (int)GS_MIN(span_len(name), (size_t)60), name.ptr);
}

int grid_choose(struct grid *g, const char *list, struct gs_err *err)
{
	struct span rest = span_str(list), name;
	size_t *from = NULL;
	size_t n = 0, cap = 0;
	bool add = span_starts(rest, "+");
	int r = check_added(list, err);

	while (r == GS_OK && grid_next_name(&rest, &name)) {
		int col;

		name.ptr += span_starts(name, "+");
		col = grid_find_col(g, name.ptr, span_len(name));
		if (col < 0) {
			r = grid_no_col(g, name.ptr, span_len(name), err);
			goto out;
		}
		g->col[col].min_width = 0;
		g->col[col].if_any = false;
		GS_GROW(from, &cap, n + 1);
		from[n++] = (size_t)col;
	}
	if (r == GS_OK && !add) {
		keep_stand_ins(g, from, n);
		keep_columns(g, from, n);
	}
out:
	free(from);
	return r;
}
