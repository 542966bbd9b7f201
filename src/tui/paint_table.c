/* SPDX-License-Identifier: Apache-2.0 */
/*
 * paint_table.c - tables, the help and menus on the screen.
 *
 * A heading has < and > where columns are beyond the edges.
 * The first column has a mark: > the chosen row, * the pinned row, + one that
 * hides rows below it, - one that has ended.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "tui/tui_int.h"
#include "view/asked.h"
#include "view/empty.h"

/* ---- lines of tables ---------------------------------------------------- */

struct drawing {
	struct tui *t;
	struct screen *to;
	double **sum; /* by grid and column */
};

static void add_pad(const struct drawing *d, struct line *l,
	enum style style, size_t n)
{
	line_pad(d->to, l, style, l->width + n);
}

/* One piece in its column, aligned left or right. */
static void paint_piece(const struct drawing *d, struct line *l,
	const struct layout *lay, size_t col, const struct piece *p,
	enum style style, bool last)
{
	bool left = lay->g->col[col].quantity == Q_TEXT;
	size_t room = lay->width[col], used;
	struct buf cut = BUF_INIT;

	if (!left && p->width < room)
		add_pad(d, l, STYLE_PLAIN, room - p->width);
	used = layout_add_cut(&cut, buf_str(&lay->text) + p->at, p->len, room,
	    d->to->utf8);
	line_add(d->to, l, style, buf_str(&cut), cut.len);
	if (!last)
		add_pad(d, l, STYLE_PLAIN, LAYOUT_GAP + (left ? room - used
		    : 0));
	buf_release(&cut);
}

/* The sort column; n_col: none. */
static size_t sorted_column(const struct drawing *d, size_t grid)
{
	const struct grid *g = d->t->shot.grid[grid];
	const char *sort = d->t->ask && grid + 1 == d->t->shot.n_grid &&
	    !view_is_overview(ask_view(d->t->ask))
	    ? ask_of_view(d->t->ask)->sort : "";
	size_t len;
	int at;

	sort += *sort == '+' || *sort == '-';
	len = strcspn(sort, ",");
	at = len > 0 ? grid_find_col(g, sort, len) : -1;
	return at >= 0 ? (size_t)at : g->n_col;
}

static void paint_head(const struct drawing *d, struct line *l, size_t grid)
{
	const struct layout *lay = &d->t->sheet.layout[grid];
	const struct piece *p = layout_titles(lay);
	size_t k, sorted = sorted_column(d, grid), last = lay->g->n_col;

	line_add_str(d->to, l, STYLE_HEAD, tui_level(d->t)->left > 0 ? "<"
	    : " ");
	while (last > 0 && !lay->shown[last - 1])
		last--;
	for (k = 0; k < last; k++) {
		if (lay->shown[k])
			paint_piece(d, l, lay, k, &p[k], k == sorted
			    ? STYLE_SORTED : STYLE_HEAD, k + 1 == last);
	}
	if (!d->t->sheet.beyond[grid] || l->width >= d->to->width)
		return;
	line_pad(d->to, l, STYLE_PLAIN, d->to->width - 1);
	line_add_str(d->to, l, STYLE_HEAD, ">");
}

static void paint_row(const struct drawing *d, struct line *l, size_t grid,
	size_t row, char mark)
{
	const struct layout *lay = &d->t->sheet.layout[grid];
	const struct grid *g = lay->g;
	const struct piece *p = layout_row(lay, row);
	bool ended = row_has_ended(g, &g->row[row]);
	size_t k;

	if (mark == ' ' && folds_hide(&tui_level(d->t)->folds, g, row,
	    d->t->sheet.identity[grid][row]))
		mark = '+';
	else if (mark == ' ' && ended)
		mark = '-';
	line_add(d->to, l, STYLE_NOTE, &mark, 1);
	for (k = 0; k < g->n_col; k++) {
		enum style style = STYLE_DIM;

		if (!lay->shown[k])
			continue;
		if (!ended)
			style = colour_of(&g->col[k], &g->row[row].cell[k],
			    d->sum[grid][k]);
		paint_piece(d, l, lay, k, &p[k], style, false);
	}
}

/* There is one sample, and more will come. */
static bool nothing_yet(const struct tui_source *s)
{
	return s->grows && s->first_ns == s->last_ns;
}

static bool figure(const struct cell *c, double *ret)
{
	*ret = c->kind == CELL_INT ? (double)c->i : c->r;
	return c->kind == CELL_INT || c->kind == CELL_REAL;
}

/* The last text of a column. */
static void paint_last(const struct drawing *d, struct line *l,
	const struct grid *g, size_t col)
{
	struct span text = span_str("");
	struct buf safe = BUF_INIT;
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		if (g->row[i].cell[col].kind == CELL_TEXT)
			text = cell_span(&g->row[i].cell[col]);
	}
	utf8_add_safe(&safe, text.ptr, span_len(text));
	line_printf(d->to, l, STYLE_HEAD, " %-8s", g->col[col].title);
	line_add_str(d->to, l, STYLE_PLAIN, " ");
	line_add(d->to, l, STYLE_BAD, safe.ptr, safe.len);
	buf_release(&safe);
}

/* Values of a column over its rows, as high as they are large. */
static void paint_spark(const struct drawing *d, struct line *l,
	const struct grid *g, size_t col)
{
	static const char *const block[] = { " ", "▁", "▂", "▃", "▄", "▅",
		"▆", "▇", "█" };
	static const char *const ascii[] = { " ", ".", ":", "-", "=", "+",
		"*", "#", "@" };
	struct cell_style style = { .utf8 = d->to->utf8 };
	struct buf b = BUF_INIT;
	double top = 0, v;
	size_t i, n;

	for (i = 0; i < g->n_row; i++) {
		if (figure(&g->row[i].cell[col], &v))
			top = GS_MAX(top, v);
	}
	line_printf(d->to, l, STYLE_HEAD, " %-8s ", g->col[col].title);
	for (i = 0; i < g->n_row; i++) {
		bool known = figure(&g->row[i].cell[col], &v);

		n = known && top > 0 && v > 0 ? (size_t)ceil(v / top * 8) : 0;
		n = GS_MIN(n, (size_t)8);
		line_add_str(d->to, l, known ? STYLE_PLAIN : STYLE_DIM,
		    !known ? "-" : d->to->utf8 ? block[n] : ascii[n]);
	}
	cell_add_text(&b, g->col[col].quantity, &(struct cell) {
	    .kind = CELL_REAL, .r = top }, &style);
	line_printf(d->to, l, STYLE_DIM, "  at most %s", buf_str(&b));
	buf_release(&b);
}

static void paint_title(const struct drawing *d, struct line *l,
	const struct grid *g, size_t n)
{
	struct buf b = BUF_INIT;

	(void)sheet_title(g, d->to->width, n, &b); /* it was counted */
	line_add_str(d->to, l, STYLE_TITLE, " ");
	line_add(d->to, l, STYLE_TITLE, b.ptr, b.len);
	buf_release(&b);
}

/* A choice may be why there is no row. */
static bool is_filtered(const struct level *l)
{
	return l->where || l->session || l->zoom || l->active || l->event ||
	    l->class || l->query_id;
}

/* Nobody may have asked for it. */
static void paint_none(const struct drawing *d, struct line *l)
{
	const struct view *v = ask_view(d->t->ask);
	const struct engine *e = d->t->shot.engine;
	struct buf why = BUF_INIT;
	struct asked asked = { .n = 0 };

	if (e && d->t->shot.any) {
		asked_add(&asked, e);
		if (!asked_note(&asked, v, &why) && why.len == 0 &&
		    !asked_rare_note(&asked, v, false, &why) &&
		    !is_filtered(tui_level(d->t)))
			(void)empty_note(e, &asked, v, &why);
	}
	line_printf(d->to, l, STYLE_DIM, " nothing to show%s%s",
	    why.len > 0 ? ": " : "", buf_str(&why));
	asked_release(&asked);
	buf_release(&why);
}

static void paint_line(const struct drawing *d, struct line *l,
	const struct sheet_line *is, bool selected, bool kept)
{
	const struct grid *g = d->t->shot.grid[is->grid];

	l->selected = selected;
	if (is->kind == LINE_TITLE)
		paint_title(d, l, g, is->row);
	else if (is->kind == LINE_SPARK)
		(g->col[is->row].quantity == Q_TEXT ? paint_last
		    : paint_spark)(d, l, g, is->row);
	else if (is->kind == LINE_HEAD)
		paint_head(d, l, is->grid);
	else if (is->kind == LINE_NONE && nothing_yet(d->t->src))
		line_add_str(d->to, l, STYLE_DIM,
		    " waiting for the next sample: figures are of two");
	else if (is->kind == LINE_NONE)
		paint_none(d, l);
	else if (is->kind == LINE_ROW)
		paint_row(d, l, is->grid, is->row, selected ? '>' : kept ? '*'
		    : ' ');
	if (selected)
		line_pad(d->to, l, STYLE_PLAIN, d->to->width);
}

/* Sums of columns, for shares. */
static void add_up(struct drawing *d)
{
	const struct shot *shot = &d->t->shot;
	size_t i, k, n;

	d->sum = gs_calloc(shot->n_grid, sizeof(*d->sum));
	for (i = 0; i < shot->n_grid; i++) {
		const struct grid *g = shot->grid[i];

		d->sum[i] = gs_calloc(g->n_col, sizeof(double));
		for (n = 0; n < g->n_row; n++) {
			for (k = 0; k < g->n_col; k++) {
				const struct cell *c = &g->row[n].cell[k];

				if (!d->t->sheet.layout[i].shown[k])
					continue;
				if (c->kind == CELL_REAL)
					d->sum[i][k] += c->r;
				else if (c->kind == CELL_INT)
					d->sum[i][k] += (double)c->i;
			}
		}
	}
}

static void release(struct drawing *d)
{
	size_t i;

	for (i = 0; i < d->t->shot.n_grid; i++)
		free(d->sum[i]);
	free(d->sum);
}

/* The number of lines at the top that do not scroll: the heading of a single
 * table. */
static size_t fixed_lines(const struct sheet *s)
{
	size_t i;

	for (i = 0; s->n_grid == 1 && i < s->n_line; i++) {
		if (s->line[i].kind == LINE_ROW)
			return i;
	}
	return 0;
}

/* The first line below the fixed ones, so that the chosen row is visible. */
static size_t scroll_to(struct level *l, const struct sheet *s, size_t fixed,
	size_t room)
{
	size_t at = sheet_row_line(s, l->row);
	size_t most = s->n_line > fixed + room ? s->n_line - room : fixed;

	l->top = GS_MAX(l->top, fixed);
	if (at < s->n_line && at < l->top)
		l->top = l->row == 0 ? fixed : at;
	if (at < s->n_line && room > 0 && at >= l->top + room)
		l->top = at - room + 1;
	l->top = GS_MIN(l->top, most);
	return l->top;
}

/* The identity of a row, as in the sheet: "6026, sdw1". */
static void paint_names(const struct drawing *d, struct line *line,
	const char *names)
{
	size_t n;

	for (; *names; names += n) {
		if (*names == '\x1f') {
			line_add_str(d->to, line, STYLE_DIM, ", ");
			names++;
		}
		n = strcspn(names, "\x1f");
		line_printf(d->to, line, STYLE_DIM, "%.*s", (int)n, names);
	}
}

/* The pinned row comes first; it may be absent now.  Returns the number of its
 * lines. */
static size_t paint_kept(const struct drawing *d, const struct level *l,
	size_t at, size_t end)
{
	const struct sheet *s = &d->t->sheet;
	struct line *line = screen_line(d->to, at);
	size_t n, grid, row;

	if (!l->kept || at >= end)
		return 0;
	n = sheet_find(s, l->kept);
	if (sheet_get(s, n, &grid, &row)) {
		paint_row(d, line, grid, row, '*');
		return 1;
	}
	line_add_str(d->to, line, STYLE_NOTE, "*");
	paint_names(d, line, strchr(l->kept, '\x1f') + 1);
	line_add_str(d->to, line, STYLE_DIM, " is not there now");
	return 1;
}

static void paint_lines(struct drawing *d, size_t first, size_t end)
{
	struct tui *t = d->t;
	struct level *l = tui_level(t);
	const struct sheet *s = &t->sheet;
	size_t fixed = fixed_lines(s), at = first, i;
	size_t chosen = sheet_row_line(s, l->row);

	for (i = 0; i < fixed && at < end; i++) {
		t->place.line[at] = i;
		paint_line(d, screen_line(d->to, at++), &s->line[i], false,
		    false);
	}
	at += paint_kept(d, l, at, end);
	t->room = end - GS_MIN(at, end);
	for (i = scroll_to(l, s, fixed, t->room); i < s->n_line && at < end;
	    i++) {
		const struct sheet_line *is = &s->line[i];

		t->place.line[at] = i;
		paint_line(d, screen_line(d->to, at++), is, i == chosen,
		    l->kept && is->kind == LINE_ROW && strcmp(l->kept,
		    s->identity[is->grid][is->row]) == 0);
	}
}

/* Why the table is empty: a hole, or no tick. */
static void paint_nothing(struct tui *t, struct screen *to, size_t at)
{
	struct line *l = screen_line(to, at);
	size_t i;

	line_add_str(to, l, STYLE_WATCH, " nothing was recorded in this "
	    "window; n goes to the next event, t to the next tick");
	for (i = 0; i < t->timescan.n_note; i++) {
		const struct timescan_note *n = &t->timescan.note[i];

		if (n->kind != 0 || n->at_ns > t->pos_ns ||
		    n->end_ns < t->pos_ns)
			continue;
		l = screen_line(to, at + 1);
		line_printf(to, l, STYLE_WATCH, " hole: %s", n->text);
	}
}

void paint_table(struct tui *t, struct screen *to, size_t first, size_t end)
{
	struct drawing d = { .t = t, .to = to };

	if (!t->shot.any || t->shot.n_grid == 0) {
		t->room = end - first;
		paint_nothing(t, to, first);
		return;
	}
	add_up(&d);
	paint_lines(&d, first, end);
	release(&d);
}

/* ---- help and menus ----------------------------------------------------- */

#define KEY_COLUMN 14

static void paint_help_line(struct screen *to, struct line *l, const char *key,
	const char *help)
{
	size_t text = l->width + KEY_COLUMN;

	if (!key) {
		line_printf(to, l, STYLE_TITLE, " %s", help);
		return;
	}
	line_printf(to, l, STYLE_NOTE, "  %s", key);
	line_pad(to, l, STYLE_PLAIN, text);
	line_add_str(to, l, STYLE_PLAIN, help);
}

/* So wide is one of several columns of the list: a key, and what it does. */
#define HELP_COLUMN ((size_t)92)

static size_t help_columns(const struct screen *to)
{
	return GS_MAX(to->width / HELP_COLUMN, (size_t)1);
}

/* The list of keys, column by column, on lines from first up to end. */
void paint_help(struct tui *t, struct screen *to, size_t first, size_t end)
{
	const char *key, *help;
	size_t n = 0, i, rows, columns = help_columns(to);

	while (command_line(n, &key, &help))
		n++;
	t->room = end - first;
	/* as many lines as it needs, or has */
	rows = GS_MAX((n + columns - 1) / columns, GS_MIN(n, t->room));
	t->scroll = GS_MIN(t->scroll, rows > t->room ? rows - t->room : 0);
	for (i = 0; command_line(i, &key, &help); i++) {
		size_t row = i % rows;
		struct line *l;

		if (row < t->scroll || row - t->scroll >= t->room)
			continue;
		l = screen_line(to, first + row - t->scroll);
		line_pad(to, l, STYLE_PLAIN, i / rows * HELP_COLUMN);
		paint_help_line(to, l, key, help);
	}
}

#define MENU_COLUMN 18

/* One that is wide has a line per item, and scrolls. */
void paint_menu(struct tui *t, struct screen *to, size_t first, size_t end)
{
	const struct menu *m = &t->menu;
	size_t rows = GS_MAX(end - first, (size_t)1), i;
	size_t down = m->wide ? rows : GS_MAX(GS_MIN(rows, m->n), (size_t)1);
	size_t skip = m->wide && m->at >= rows ? m->at - rows + 1 : 0;

	t->place.list = (struct list_place) { first, down, skip,
		m->wide ? 0 : MENU_COLUMN };
	for (i = skip; i < m->n && (!m->wide || i - skip < rows); i++) {
		struct line *l = screen_line(to, first + (i - skip) % down);
		bool at = i == m->at;

		line_pad(to, l, STYLE_PLAIN, (i - skip) / down * MENU_COLUMN);
		line_printf(to, l, at ? STYLE_SORTED : STYLE_PLAIN, "%s",
		    at ? ">" : " ");
		if (m->n <= 9)
			line_printf(to, l, STYLE_NOTE, "%zu ", i + 1);
		line_add_cut(to, l, at ? STYLE_SORTED : STYLE_PLAIN,
		    m->item[i].text, SIZE_MAX);
	}
}
