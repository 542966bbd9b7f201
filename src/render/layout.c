/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layout.c - fits columns on a line.
 *
 * A line is never longer than the width.  If the columns need more, empty ones
 * for wider screens are left out first, and sentences but the first; then texts are cut, the
 * flexible one first, down to a sixth of the width, and then the widest, down to TEXT_FLOOR,
 * or WRAP_FLOOR where the rest of the text goes on below;
 * then whole columns are left out, those for the widest screens first, and those
 * that name the rows last.  Before anything is cut, "public." is left out of
 * names.  On a screen narrower than every column's min_width, the columns with the
 * lowest one are tried, and where that is an option's, those of the first column's.
 *
 * The text of a statement is more than a name: it keeps a quarter of the width,
 * and the columns that yield to it go first.  Where there is none, columns that
 * are only shown where some row has them do.
 */
#include "render/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

#define TEXT_FLOOR ((size_t)10)
/* A text that wraps has room for some words. */
#define WRAP_FLOOR ((size_t)22)
#define STATEMENT_FLOOR ((size_t)20)

/* Columns with at most this min_width are for every screen. */
#define EVERY_SCREEN 80u

size_t layout_add_cut(struct buf *to, const char *p, size_t len,
	size_t columns, bool utf8)
{
	const char *more = utf8 ? "\xe2\x80\xa6" : "...";
	size_t more_width = utf8 ? 1 : 3;
	size_t fit;

	if (utf8_width(p, len) <= columns) {
		buf_add(to, p, len);
		return utf8_width(p, len);
	}
	if (columns <= more_width) {
		fit = utf8_fit(p, len, columns);
		buf_add(to, p, fit);
		return utf8_width(p, fit);
	}
	fit = utf8_fit(p, len, columns - more_width);
	buf_add(to, p, fit);
	buf_add_str(to, more);
	return utf8_width(p, fit) + more_width;
}

/* A nested row shows the key of its own level: those above it name the rows
 * above it. */
static bool is_blank(const struct grid *g, size_t row, size_t col)
{
	return g->row[row].level > 0 && g->col[col].key > 0 &&
	    g->col[col].key != g->row[row].level;
}

void layout_end_piece(const struct layout *l, struct piece *p)
{
	p->len = (uint32_t)(l->text.len - p->at);
	p->width = p->len
	    ? (uint32_t)utf8_width(l->text.ptr + p->at, p->len) : 0;
}

static void end_piece(struct layout *l, struct piece *p, size_t col)
{
	layout_end_piece(l, p);
	l->natural[col] = GS_MAX(l->natural[col], p->width);
}

/* Columns with a larger min_width are not shown.  One that was asked for, which
 * has the lowest, does not leave out the name of the row. */
static size_t widest(const struct grid *g, size_t screen)
{
	size_t name = g->n_col > 0 && g->col[0].quantity == Q_TIME, i;
	unsigned least = UINT_MAX;

	for (i = 0; i < g->n_col; i++)
		least = GS_MIN(least, g->col[i].min_width);
	if (name < g->n_col && g->col[name].min_width <= EVERY_SCREEN)
		least = GS_MAX(least, g->col[name].min_width);
	return GS_MAX(least, screen);
}

static bool alarms(const struct grid_col *col, const struct cell *c)
{
	return col->alarms && ((c->kind == CELL_INT && c->i > 0) ||
	    (c->kind == CELL_REAL && c->r > 0));
}

void layout_init(struct layout *l, const struct grid *g,
	const struct cell_style *style, size_t screen)
{
	size_t most = widest(g, screen);
	struct cell_style of_col = *style;
	struct piece *p;
	size_t i, k;

	*l = (struct layout) { .g = g, .style = *style };
	l->piece = gs_calloc((g->n_row + 1) * g->n_col, sizeof(*l->piece));
	l->natural = gs_calloc(g->n_col, sizeof(*l->natural));
	l->width = gs_calloc(g->n_col, sizeof(*l->width));
	l->shown = gs_calloc(g->n_col, sizeof(*l->shown));
	l->empty = gs_calloc(g->n_col, sizeof(*l->empty));
	l->alarms = gs_calloc(g->n_col, sizeof(*l->alarms));
	for (k = 0; k < g->n_col; k++)
		l->empty[k] = true;
	p = l->piece;
	for (i = 0; i < g->n_row; i++) {
		for (k = 0; k < g->n_col; k++, p++) {
			p->at = l->text.len;
			if (g->col[k].min_width > most)
				continue;
			of_col.plus = g->col[k].plus;
			of_col.fine = g->col[k].fine;
			if (!is_blank(g, i, k))
				cell_add_text(&l->text,
				    grid_quantity(&g->col[k], &g->row[i]),
				    &g->row[i].cell[k], &of_col);
			l->empty[k] &= cell_is_absent(&g->row[i].cell[k]);
			l->alarms[k] |= alarms(&g->col[k],
			    &g->row[i].cell[k]);
			end_piece(l, p, k);
		}
	}
	for (k = 0; k < g->n_col; k++, p++) {
		p->at = l->text.len;
		buf_add_str(&l->text, g->col[k].title);
		end_piece(l, p, k);
	}
}

void layout_release(struct layout *l)
{
	free(l->piece);
	free(l->natural);
	free(l->width);
	free(l->shown);
	free(l->empty);
	free(l->alarms);
	buf_release(&l->text);
}

/* Total width of the shown columns. */
static size_t needed(const struct layout *l)
{
	size_t i, sum = 0;

	for (i = 0; i < l->g->n_col; i++) {
		if (l->shown[i])
			sum += l->width[i] + (sum ? LAYOUT_GAP : 0);
	}
	return sum;
}

static size_t floor_of(const struct grid_col *col, size_t width)
{
	size_t least = col->wraps ? WRAP_FLOOR : TEXT_FLOOR;
	size_t share = !col->kept ? 0 : col->below ? width / 3 : width / 5;

	if (col->least > 0)
		return GS_MAX((size_t)col->least, share);
	if (col->statement)
		return GS_MAX(STATEMENT_FLOOR, width / 4);
	return col->flexible ? GS_MAX(least, width / 6) : least;
}

/* The text column to cut next, or n_col. */
static size_t to_cut(const struct layout *l, size_t width)
{
	size_t i, best = l->g->n_col;

	for (i = 0; i < l->g->n_col; i++) {
		const struct grid_col *col = &l->g->col[i];

		if (!l->shown[i] || col->quantity != Q_TEXT ||
		    l->width[i] <= floor_of(col, width))
			continue;
		if (col->flexible)
			return i;
		if (best == l->g->n_col || l->width[i] > l->width[best])
			best = i;
	}
	return best;
}

static bool has_kept(const struct grid *g)
{
	size_t i = 0;

	while (i < g->n_col && !g->col[i].kept)
		i++;
	return i < g->n_col;
}

/* The first column, and the text that gets the remaining width, say what a row
 * is about, unless the table has others for it: they are left out last. */
static bool names_rows(const struct layout *l, size_t col)
{
	const struct grid_col *c = &l->g->col[col];

	if (c->min_width > EVERY_SCREEN)
		return false;
	if (l->alarms[col])
		return true;
	return has_kept(l->g) ? c->kept : col == 0 || c->flexible;
}

/* The shown column with the text of a statement, or n_col. */
static size_t statement_of(const struct layout *l)
{
	size_t i = 0;

	while (i < l->g->n_col && !(l->shown[i] && l->g->col[i].statement))
		i++;
	return i;
}

/* True if column a is left out before b, which stands before it. */
static bool goes_first(const struct layout *l, size_t a, size_t b)
{
	const struct grid *g = l->g;
	const struct grid_col *x = &g->col[a], *y = &g->col[b];

	if (names_rows(l, a) != names_rows(l, b))
		return names_rows(l, b);
	if (x->min_width != y->min_width)
		return x->min_width > y->min_width;
	if (statement_of(l) == g->n_col && !has_kept(g))
		return x->if_any || !y->if_any;
	return x->yields >= y->yields;
}

/* The column to leave out next, or n_col if only one is left. */
static size_t to_drop(const struct layout *l)
{
	size_t i, n = 0, best = l->g->n_col;

	for (i = 0; i < l->g->n_col; i++) {
		if (!l->shown[i])
			continue;
		n++;
		if (best == l->g->n_col || goes_first(l, i, best))
			best = i;
	}
	return n > 1 ? best : l->g->n_col;
}

/* Cuts texts until all columns fit; false if they can't. */
static bool cut_texts(struct layout *l, size_t width)
{
	size_t i;

	for (i = 0; i < l->g->n_col; i++)
		l->width[i] = l->natural[i];
	while (needed(l) > width) {
		size_t excess = needed(l) - width;
		size_t col = to_cut(l, width);
		size_t room;

		if (col == l->g->n_col)
			return false;
		room = l->width[col] - floor_of(&l->g->col[col], width);
		l->width[col] -= GS_MIN(room, excess);
	}
	return true;
}

static void drop_empty(struct layout *l, size_t width)
{
	size_t i;

	for (i = 0; i < l->g->n_col; i++)
		l->width[i] = l->natural[i];
	for (i = l->g->n_col; i-- > 0 && needed(l) > width;) {
		if (l->empty[i] && l->g->col[i].min_width > EVERY_SCREEN)
			l->shown[i] = false;
	}
}

/* Of several sentences the first keeps its room. */
static void drop_further_texts(struct layout *l, size_t width)
{
	const struct grid_col *c = l->g->col;
	size_t i, first = 0;

	while (first < l->g->n_col && !(c[first].below && l->shown[first]))
		first++;
	for (i = first + 1; i < l->g->n_col && needed(l) > width; i++) {
		if (c[i].below && c[i].min_width > 0) /* it was not asked for */
			l->shown[i] = false;
	}
}

/* The schema that everybody has says least of a name. */
static void shorten_names(struct layout *l)
{
	static const char schema[] = "public.";
	const size_t len = sizeof(schema) - 1;
	const struct grid *g = l->g;
	size_t i, k;

	l->short_names = true;
	for (k = 0; k < g->n_col; k++) {
		if (!g->col[k].schema)
			continue;
		l->natural[k] = layout_titles(l)[k].width;
		for (i = 0; i < g->n_row; i++) {
			struct piece *p = &l->piece[i * g->n_col + k];

			if (p->len > len && memcmp(l->text.ptr + p->at, schema,
			    len) == 0) {
				p->at += len;
				p->len -= (uint32_t)len;
				p->width -= (uint32_t)len;
			}
			l->natural[k] = GS_MAX(l->natural[k], p->width);
		}
	}
}

static void fit(struct layout *l, size_t screen, size_t width)
{
	size_t i, most = widest(l->g, screen);

	for (i = 0; i < l->g->n_col; i++)
		l->shown[i] = l->g->col[i].min_width <= most &&
		    !(l->has_below && l->g->col[i].below) &&
		    !(l->g->col[i].if_any && l->empty[i]);
	drop_empty(l, width);
	drop_further_texts(l, width);
	if (needed(l) > width && !l->short_names)
		shorten_names(l);
	while (!cut_texts(l, width)) {
		size_t col = to_drop(l);

		if (col < l->g->n_col) {
			l->shown[col] = false;
			continue;
		}
		for (i = 0; i < l->g->n_col; i++)
			l->width[i] = GS_MIN(l->width[i], width);
		return;
	}
}

static bool has_label(const struct layout *l, size_t row)
{
	const struct grid *g = l->g;
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		if (l->shown[i] && !is_blank(g, row, i) &&
		    g->row[row].cell[i].kind == CELL_TEXT)
			return true;
	}
	return false;
}

static bool is_text(const struct layout *l, size_t col)
{
	return l->g->col[col].quantity == Q_TEXT;
}

static size_t first_shown(const struct layout *l)
{
	size_t i = l->timed;

	while (i < l->g->n_col && !l->shown[i])
		i++;
	return i;
}

/* If the column with the label of a row of others is left out, the first column
 * gets the label. */
static void label_others(struct layout *l)
{
	const struct grid *g = l->g;
	struct piece *p = l->piece;
	char label[GRID_LABEL_MAX];
	size_t i, first = first_shown(l), len;

	for (i = 0; i < g->n_row && first < g->n_col; i++, p += g->n_col) {
		if (!g->row[i].others || has_label(l, i))
			continue;
		len = grid_others_label(&g->row[i], label);
		p[first].at = l->text.len;
		buf_add(&l->text, label, len);
		end_piece(l, &p[first], first);
	}
}

/* The text of a cell of a column that is left out. */
static struct piece piece_of(struct layout *l, const struct cell *c)
{
	struct piece p = { .at = l->text.len };

	cell_add_text(&l->text, Q_TEXT, c, &l->style);
	layout_end_piece(l, &p);
	return p;
}

/* A name that stands in the first column is cut to so much. */
#define NAME_MOST ((size_t)9)

/* The column in which the text that is left out stands: that of statements, else
 * that of names. */
static size_t stand_in_column(const struct layout *l)
{
	size_t to = statement_of(l), first = first_shown(l);

	return to < l->g->n_col || first == l->g->n_col || !is_text(l, first)
	    ? to : first;
}

/* Where it is; a name is cut itself, and so none is better. */
static bool says_enough(const struct layout *l, const struct piece *row,
	size_t col, size_t to)
{
	return l->shown[col] && (row[col].width <= l->width[col] ||
	    !l->g->col[to].statement);
}

/* In rows without a statement, the text of a column that is left out, or cut, stands
 * for it; where there are no statements, for the name of a row that has none. */
static void put_stand_ins(struct layout *l)
{
	const struct grid *g = l->g;
	size_t to = stand_in_column(l), from = 0, i;
	size_t most = statement_of(l) == g->n_col ? NAME_MOST : SIZE_MAX;
	struct piece *p = l->piece;

	while (from < g->n_col && !g->col[from].stands_for_it)
		from++;
	if (to == g->n_col)
		return;
	for (i = 0; i < g->n_row; i++, p += g->n_col) {
		const struct grid_row *row = &g->row[i];
		const struct cell *in = from < g->n_col ? &row->cell[from]
		    : row->stand_in;

		if (!cell_is_absent(&row->cell[to]) || !in ||
		    cell_is_absent(in) ||
		    (from < g->n_col && says_enough(l, p, from, to)))
			continue;
		p[to] = piece_of(l, in);
		l->natural[to] = GS_MAX(l->natural[to], GS_MIN(p[to].width,
		    most));
	}
}

void layout_fit(struct layout *l, size_t screen, size_t room)
{
	fit(l, screen, room);
	label_others(l);
	put_stand_ins(l);
	fit(l, screen, room);
}

/* ---- tables that follow each other ------------------------------------- */

/* Room for other values than the first ones. */
#define STEADY_NUMBER ((size_t)5)
#define STEADY_DURATION ((size_t)6) /* "14m03s" */
#define STEADY_MARK ((size_t)2) /* before a number: at least, about */
#define STEADY_TEXT ((size_t)7)

/* A number that is wider than its place, or a column that has none. */
static bool needs_place(const struct layout *l, const struct layout_memory *m)
{
	size_t i;

	for (i = 0; i < l->g->n_col; i++) {
		if (m->empty[i] && !l->empty[i] && l->g->col[i].if_any)
			return true;
		if (l->alarms[i] && !m->shown[i])
			return true;
		if (m->shown[i] && !is_text(l, i) &&
		    l->natural[i] > m->width[i])
			return true;
	}
	return false;
}

static bool has_mark(const struct grid *g, size_t col)
{
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		if (g->row[i].cell[col].mark)
			return true;
	}
	return false;
}

static size_t spare(const struct layout *l, size_t col)
{
	enum quantity q = l->g->col[col].quantity;
	size_t mark = has_mark(l->g, col) ? STEADY_MARK : 0;

	if (q == Q_TEXT)
		return l->g->n_row > 1 ? STEADY_TEXT : 0;
	return (q == Q_SECONDS || q == Q_AGE ? STEADY_DURATION
	                                     : STEADY_NUMBER) + mark;
}

static void spare_room(struct layout *l)
{
	size_t i;

	for (i = 0; i < l->g->n_col; i++) {
		const struct grid_col *c = &l->g->col[i];
		size_t least = spare(l, i);

		if (!c->flexible && c->quantity != Q_ID)
			l->natural[i] = GS_MAX(l->natural[i], least);
	}
}

static void remember(const struct layout *l, struct layout_memory *m)
{
	size_t n = l->g->n_col;

	if (m->n == 0) {
		m->n = n;
		m->natural = gs_calloc(n, sizeof(*m->natural));
		m->width = gs_calloc(n, sizeof(*m->width));
		m->shown = gs_calloc(n, sizeof(*m->shown));
		m->empty = gs_calloc(n, sizeof(*m->empty));
	}
	m->short_names = l->short_names;
	memcpy(m->natural, l->natural, n * sizeof(*m->natural));
	memcpy(m->width, l->width, n * sizeof(*m->width));
	memcpy(m->shown, l->shown, n * sizeof(*m->shown));
	memcpy(m->empty, l->empty, n * sizeof(*m->empty));
}

bool layout_fit_as(struct layout *l, size_t screen, struct layout_memory *m)
{
	size_t i, n = l->g->n_col;

	if (m->n == n && !needs_place(l, m)) {
		memcpy(l->width, m->width, n * sizeof(*l->width));
		memcpy(l->shown, m->shown, n * sizeof(*l->shown));
		if (m->short_names)
			shorten_names(l);
		label_others(l);
		put_stand_ins(l);
		return false;
	}
	for (i = 0; m->n == n && i < n; i++) {
		l->natural[i] = GS_MAX(l->natural[i], m->natural[i]);
		l->empty[i] = l->empty[i] && m->empty[i];
	}
	spare_room(l);
	layout_fit(l, screen, screen);
	/* the last text has what is left */
	for (i = n; i-- > 0;) {
		size_t used = needed(l);

		if (!l->shown[i] || !l->g->col[i].flexible)
			continue;
		l->width[i] += screen > used ? screen - used : 0;
		break;
	}
	remember(l, m);
	return true;
}

void layout_forget(struct layout_memory *m)
{
	free(m->natural);
	free(m->width);
	free(m->shown);
	free(m->empty);
	*m = (struct layout_memory) { .n = 0 };
}

const struct piece *layout_row(const struct layout *l, size_t row)
{
	return l->piece + row * l->g->n_col;
}

const struct piece *layout_titles(const struct layout *l)
{
	return l->piece + l->g->n_row * l->g->n_col;
}
