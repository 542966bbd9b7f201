/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet.c - the tables of a shot as lines, and each row's identity, which stays
 * while time moves.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/wrap.h"
#include "tui/tui_int.h"

/* Columns that tell rows apart, besides the first. */
static const char *const naming[] = { "host", "pid", "segment", "slice",
	"event", "disk", "cpu", "net", "mount", "cgroup",
	"device" };

static bool names_row(const struct grid *g, size_t col)
{
	size_t i;

	if (col == 0 || g->col[col].key > 0)
		return true;
	/* a process stays the same in any session */
	if (strcmp(g->col[col].name, "session") == 0)
		return g->col[col].quantity == Q_TEXT &&
		    grid_find_col(g, "pid", 3) < 0;
	for (i = 0; i < GS_LEN(naming); i++) {
		if (strcmp(g->col[col].name, naming[i]) == 0)
			return true;
	}
	return false;
}

/* names: whether a column tells rows apart; below: the table is one of several of
 * the same rows, the n-th. */
static char *identify(const struct grid *g, const bool *names,
	const struct grid_row *row, size_t below)
{
	struct buf b = BUF_INIT;
	size_t k;

	if (below > 0)
		buf_printf(&b, "%zu\x1e", below);
	buf_printf(&b, "%s", row->others ? "others" : row->residual
	    ? "residual" : "");
	for (k = 0; k < g->n_col; k++) {
		/* a row is the same with deeper ones in the table, or without */
		if (!names[k] ||
		    (row->level > 0 && g->col[k].key > row->level))
			continue;
		buf_add_char(&b, '\x1f'); /* in no text */
		(void)cell_add_exact(&b, g->col[k].quantity, &row->cell[k]);
	}
	return b.ptr;
}

static bool is_busy_state(const struct cell *c)
{
	static const char *const busy[] = { "active", "lock", "queue", "repl",
		"idle-tx", "aborted", "R", "D" };
	size_t i;

	for (i = 0; c->kind == CELL_TEXT && i < GS_LEN(busy); i++) {
		if (span_eq(cell_span(c), busy[i]))
			return true;
	}
	return false;
}

static bool is_work(enum quantity q)
{
	return q == Q_RATE || q == Q_PERCENT || q == Q_BYTES_RATE ||
	    q == Q_SECONDS;
}

/* It does something, or waits; in tables without such a column all rows are
 * active. */
static bool is_active(const struct grid *g, const struct grid_row *row)
{
	bool tells = false;
	size_t k;

	for (k = 0; k < g->n_col; k++) {
		const struct cell *c = &row->cell[k];

		if (strcmp(g->col[k].name, "state") == 0 && is_busy_state(c))
			return true;
		if (!g->col[k].additive || !is_work(g->col[k].quantity) ||
		    g->col[k].min_width == GRID_ON_REQUEST)
			continue;
		tells = true;
		if ((c->kind == CELL_REAL && c->r > 0) ||
		    (c->kind == CELL_INT && c->i > 0))
			return true;
	}
	return !tells;
}

void grid_drop_idle(struct grid *g)
{
	size_t i, kept = 0;

	for (i = 0; i < g->n_row; i++) {
		if (is_active(g, &g->row[i]))
			g->row[kept++] = g->row[i];
	}
	g->n_row = kept;
}

bool row_has_ended(const struct grid *g, const struct grid_row *row)
{
	int col = grid_find_col(g, "state", strlen("state"));
	const struct cell *c = col >= 0 ? &row->cell[col] : NULL;

	return c && c->kind == CELL_TEXT && (span_eq(cell_span(c), "ended") ||
	    span_eq(cell_span(c), "left"));
}

static void add_line(struct sheet *s, enum line_kind kind, size_t grid,
	size_t row)
{
	GS_GROW(s->line, &s->line_cap, s->n_line + 1);
	s->line[s->n_line].kind = kind;
	s->line[s->n_line].grid = grid;
	s->line[s->n_line++].row = row;
}

#define TITLE_LINES 200 /* of a query */

bool sheet_title(const struct grid *g, size_t width, size_t n,
	struct buf *to)
{
	struct buf safe = BUF_INIT, lines = BUF_INIT;
	const char *p;
	size_t len;

	utf8_add_safe(&safe, g->title, strlen(g->title));
	wrap_add(&lines, buf_str(&safe), 0, 2, width - GS_MIN(width, 1));
	p = buf_str(&lines);
	for (; n > 0 && *p; n--) {
		len = strcspn(p, "\n");
		p += len + (p[len] == '\n');
	}
	len = strcspn(p, "\n");
	buf_add(to, p, len);
	buf_release(&safe);
	buf_release(&lines);
	return len > 0;
}

static void add_title(struct sheet *s, const struct grid *g, size_t i,
	size_t width)
{
	struct buf b = BUF_INIT;
	size_t n = 0;

	while (n < TITLE_LINES && sheet_title(g, width, n, &b)) {
		add_line(s, LINE_TITLE, i, n++);
		buf_reset(&b);
	}
	if (n == 0)
		add_line(s, LINE_TITLE, i, 0);
	buf_release(&b);
}

static bool is_named(const struct grid *g, const char *name)
{
	return strcmp(g->name, name) == 0;
}

static bool has_values(const struct grid *g, size_t col)
{
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		if (!cell_is_absent(&g->row[i].cell[col]))
			return true;
	}
	return false;
}

/* The course of a query, below its text: figures and who kept it waiting. */
static void add_course(struct sheet *s, const struct shot *shot, size_t i)
{
	size_t at = i + 1, k;

	if (!is_named(shot->grid[i], "query_figures"))
		return;
	while (at < shot->n_grid && !is_named(shot->grid[at], "query_times") &&
	    !is_named(shot->grid[at], "query_figures"))
		at++;
	if (at == shot->n_grid || !is_named(shot->grid[at], "query_times"))
		return;
	for (k = 0; k < shot->grid[at]->n_col; k++) {
		const struct grid_col *c = &shot->grid[at]->col[k];

		if (c->quantity != Q_TIME && c->quantity != Q_SECONDS &&
		    c->min_width < GRID_ON_REQUEST &&
		    has_values(shot->grid[at], k))
			add_line(s, LINE_SPARK, at, k);
	}
	add_line(s, LINE_BLANK, i, 0);
}

/* Those below a folded row are left out. */
static void add_rows(struct sheet *s, const struct grid *g, size_t i,
	const struct folds *f)
{
	unsigned below = UINT_MAX; /* a row of this level */
	size_t k;

	for (k = 0; k < g->n_row; k++) {
		if (g->row[k].level > below)
			continue;
		below = folds_hide(f, g, k, s->identity[i][k])
		    ? g->row[k].level : UINT_MAX;
		add_line(s, LINE_ROW, i, k);
		s->n_row++;
	}
}

static void add_grid(struct sheet *s, const struct shot *shot, size_t i,
	size_t width, const struct folds *f)
{
	const struct grid *g = shot->grid[i];
	bool many = shot->n_grid > 1;

	if (many && i > 0)
		add_line(s, LINE_BLANK, i, 0);
	if (g->title)
		add_title(s, g, i, width);
	add_course(s, shot, i);
	if (g->n_row > 0)
		add_line(s, LINE_HEAD, i, 0);
	add_rows(s, g, i, f);
	if (g->n_row == 0)
		add_line(s, LINE_NONE, i, 0);
}

static void name_rows(char **identity, const struct grid *g, size_t below)
{
	bool *names = gs_calloc(g->n_col, sizeof(*names));
	size_t k;

	for (k = 0; k < g->n_col; k++)
		names[k] = names_row(g, k);
	for (k = 0; k < g->n_row; k++)
		identity[k] = identify(g, names, &g->row[k], below);
	free(names);
}

/* So wide that all columns but those on request are meant for it. */
#define ALL_COLUMNS 1000

/* Leaves out so many of the shown columns after the first; something stays.
 * Returns how many are shown. */
static size_t scroll_out(struct layout *l, size_t left)
{
	size_t k, at = 0, last = 0, n = 0;

	for (k = 0; k < l->g->n_col; k++) {
		if (!l->shown[k])
			continue;
		last = k;
		l->shown[k] = at == 0 || at > left;
		n += l->shown[k];
		at++;
	}
	if (at > 0 && !l->shown[last]) {
		l->shown[last] = true;
		n++;
	}
	return n;
}

/* A text that is cut keeps so much. */
#define CUT_LEAST ((size_t)4)

/* What a column gets of the room at the right edge.  A number that was cut would
 * be another one: it gets all or nothing. */
static size_t part_of(const struct layout *l, size_t col, size_t room)
{
	if (l->width[col] <= room)
		return l->width[col];
	return l->g->col[col].quantity == Q_TEXT && room >= CUT_LEAST ? room
	    : 0;
}

/* Leaves out shown columns beyond the right edge; true: there are some, or one is
 * cut. */
static bool cut_off(struct layout *l, size_t screen)
{
	size_t room = screen - GS_MIN(screen, 1), part, k;
	bool beyond = false, first = true;

	for (k = 0; k < l->g->n_col; k++) {
		if (!l->shown[k])
			continue;
		/* there is room beside the name of a row */
		if (first && l->g->col[k].quantity == Q_TEXT)
			l->width[k] = GS_MIN(l->width[k], room / 2);
		first = false;
		part = part_of(l, k, room);
		beyond = beyond || part < l->width[k];
		l->shown[k] = part > 0;
		l->width[k] = part;
		room = beyond ? 0 : room - GS_MIN(room, part + LAYOUT_GAP);
	}
	return beyond;
}

/* True: there are more columns to the right. */
static bool scroll(struct layout *l, size_t screen, size_t left)
{
	bool one_left = scroll_out(l, left) <= 2; /* besides the first */

	return cut_off(l, screen) && !one_left;
}

/* Without scrolling: some column is not shown. */
static bool hides(const struct layout *l)
{
	size_t k;

	for (k = 0; k < l->g->n_col; k++) {
		if (!l->shown[k] && l->g->col[k].min_width < GRID_ON_REQUEST)
			return true;
	}
	return false;
}

void sheet_make(struct sheet *s, const struct shot *shot,
	const struct cell_style *style, size_t screen, const struct level *l)
{
	size_t left = l->left, wide = left > 0 ? ALL_COLUMNS : screen, i;

	sheet_release(s);
	s->n_grid = shot->n_grid;
	s->layout = gs_calloc(s->n_grid, sizeof(*s->layout));
	s->identity = gs_calloc(s->n_grid, sizeof(*s->identity));
	s->beyond = gs_calloc(s->n_grid, sizeof(*s->beyond));
	for (i = 0; i < s->n_grid; i++) {
		const struct grid *g = shot->grid[i];

		layout_init(&s->layout[i], g, style, wide);
		if (l->tree && !l->nested)
			folds_names(&s->layout[i]);
		/* the first column is for marks */
		layout_fit(&s->layout[i], wide, wide - GS_MIN(wide, 1));
		s->beyond[i] = left > 0 ? scroll(&s->layout[i], screen, left)
		                        : hides(&s->layout[i]);
		s->more |= s->beyond[i];
		s->identity[i] = gs_calloc(g->n_row, sizeof(char *));
		name_rows(s->identity[i], g, shot->n_window > 0 ? i : 0);
		add_grid(s, shot, i, screen, &l->folds);
	}
}

void sheet_release(struct sheet *s)
{
	size_t i, k;

	for (i = 0; i < s->n_grid; i++) {
		for (k = 0; k < s->layout[i].g->n_row; k++)
			free(s->identity[i][k]);
		free(s->identity[i]);
		layout_release(&s->layout[i]);
	}
	free(s->layout);
	free(s->beyond);
	free(s->identity);
	free(s->line);
	*s = (struct sheet) { 0 };
}

size_t sheet_row_line(const struct sheet *s, size_t n)
{
	size_t i;

	for (i = 0; i < s->n_line; i++) {
		if (s->line[i].kind == LINE_ROW && n-- == 0)
			return i;
	}
	return s->n_line;
}

bool sheet_get(const struct sheet *s, size_t n, size_t *ret_grid,
	size_t *ret_row)
{
	size_t i = sheet_row_line(s, n);

	if (i == s->n_line)
		return false;
	*ret_grid = s->line[i].grid;
	*ret_row = s->line[i].row;
	return true;
}

const char *sheet_identity(const struct sheet *s, size_t n)
{
	size_t grid, row;

	return sheet_get(s, n, &grid, &row) ? s->identity[grid][row] : NULL;
}

size_t sheet_find(const struct sheet *s, const char *identity)
{
	size_t i, n = 0;

	for (i = 0; i < s->n_line; i++) {
		const struct sheet_line *l = &s->line[i];

		if (l->kind != LINE_ROW)
			continue;
		if (strcmp(s->identity[l->grid][l->row], identity) == 0)
			return n;
		n++;
	}
	return s->n_row;
}
