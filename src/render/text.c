/*
 * text.c - aligned tables for people.
 *
 * A line is never longer than the width: where the columns need more, those of
 * wider screens that hold nothing at all are left out first; then texts are
 * cut, the flexible one first, down to a sixth of the width, and then the
 * widest, down to TEXT_FLOOR; then whole columns are left out, those for the widest screens first.  On a
 * screen narrower than any column asks for, those that ask for least are
 * tried.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "render/text_int.h"

#define GAP ((size_t)2)
#define TEXT_FLOOR ((size_t)10)

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

/* The text of one cell, within the layout's buf. */
struct piece {
	size_t at, len;
	size_t width; /* columns */
};

struct layout {
	const struct grid *g;
	struct piece *piece; /* row by row, n_col each; then the titles */
	struct buf text;
	size_t *natural; /* width of each column */
	size_t *width; /* as shown */
	bool *shown;
	bool *empty; /* no row has a value */
};

size_t text_add_cut(const struct render *r, const char *p, size_t len,
	size_t columns)
{
	const char *more = r->options.utf8 ? "\xe2\x80\xa6" : "...";
	size_t more_width = r->options.utf8 ? 1 : 3;
	size_t fit;

	if (utf8_width(p, len) <= columns) {
		buf_add(r->to, p, len);
		return utf8_width(p, len);
	}
	if (columns <= more_width) {
		fit = utf8_fit(p, len, columns);
		buf_add(r->to, p, fit);
		return utf8_width(p, fit);
	}
	fit = utf8_fit(p, len, columns - more_width);
	buf_add(r->to, p, fit);
	buf_add_str(r->to, more);
	return utf8_width(p, fit) + more_width;
}

static void end_piece(struct layout *l, struct piece *p, size_t col)
{
	p->len = l->text.len - p->at;
	p->width = p->len ? utf8_width(l->text.ptr + p->at, p->len) : 0;
	l->natural[col] = GS_MAX(l->natural[col], p->width);
}

static void layout_init(struct layout *l, const struct render *r,
	const struct grid *g)
{
	struct cell_style style = text_style(r);
	struct piece *p;
	size_t i, k;

	*l = (struct layout) { .g = g };
	l->piece = gs_calloc((g->n_row + 1) * g->n_col, sizeof(*l->piece));
	l->natural = gs_calloc(g->n_col, sizeof(*l->natural));
	l->width = gs_calloc(g->n_col, sizeof(*l->width));
	l->shown = gs_calloc(g->n_col, sizeof(*l->shown));
	l->empty = gs_calloc(g->n_col, sizeof(*l->empty));
	for (k = 0; k < g->n_col; k++)
		l->empty[k] = true;
	p = l->piece;
	for (i = 0; i < g->n_row; i++) {
		for (k = 0; k < g->n_col; k++, p++) {
			p->at = l->text.len;
			cell_add_text(&l->text, g->col[k].quantity,
			    &g->row[i].cell[k], &style);
			l->empty[k] &= cell_is_absent(&g->row[i].cell[k]);
			end_piece(l, p, k);
		}
	}
	for (k = 0; k < g->n_col; k++, p++) {
		p->at = l->text.len;
		buf_add_str(&l->text, g->col[k].title);
		end_piece(l, p, k);
	}
}

static void layout_release(struct layout *l)
{
	free(l->piece);
	free(l->natural);
	free(l->width);
	free(l->shown);
	free(l->empty);
	buf_release(&l->text);
}

/* Columns that the shown columns need together. */
static size_t needed(const struct layout *l)
{
	size_t i, sum = 0;

	for (i = 0; i < l->g->n_col; i++) {
		if (l->shown[i])
			sum += l->width[i] + (sum ? GAP : 0);
	}
	return sum;
}

static size_t floor_of(const struct grid_col *col, size_t width)
{
	return col->flexible ? GS_MAX(TEXT_FLOOR, width / 6) : TEXT_FLOOR;
}

/* The text column that is cut next, or n_col. */
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

/* The column that is left out next, or n_col if only one is left. */
static size_t to_drop(const struct layout *l)
{
	size_t i, n = 0, best = l->g->n_col;

	for (i = 0; i < l->g->n_col; i++) {
		if (!l->shown[i])
			continue;
		n++;
		if (best == l->g->n_col ||
		    l->g->col[i].min_width >= l->g->col[best].min_width)
			best = i;
	}
	return n > 1 ? best : l->g->n_col;
}

/* Cuts texts until all fits; false if it can't. */
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

/* Every screen has room for those that ask for no more than this. */
#define EVERY_SCREEN 80u

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

static void fit(struct layout *l, size_t width)
{
	unsigned least = UINT_MAX;
	size_t i;

	for (i = 0; i < l->g->n_col; i++)
		least = GS_MIN(least, l->g->col[i].min_width);
	for (i = 0; i < l->g->n_col; i++)
		l->shown[i] = l->g->col[i].min_width <= GS_MAX(least, width);
	drop_empty(l, width);
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

/* Where the column with the label of the row of others is left out, the
 * first column says it. */
static void label_others(struct layout *l)
{
	const struct grid *g = l->g;
	struct piece *p = l->piece + (g->n_row - 1) * g->n_col;
	char label[GRID_LABEL_MAX];
	size_t i, first = g->n_col, len;

	if (!g->row[g->n_row - 1].others)
		return;
	for (i = g->n_col; i-- > 0;) {
		if (l->shown[i])
			first = i;
		if (l->shown[i] && g->row[g->n_row - 1].cell[i].kind ==
		    CELL_TEXT)
			return;
	}
	len = grid_others_label(&g->row[g->n_row - 1], label);
	if (first == g->n_col)
		return;
	p[first].at = l->text.len;
	buf_add(&l->text, label, len);
	end_piece(l, &p[first], first);
}

/* One line of pieces, without blanks and newline at its end. */
static void add_line(const struct render *r, const struct layout *l,
	const struct piece *p)
{
	size_t i, pad = 0;

	for (i = 0; i < l->g->n_col; i++, p++) {
		bool left = l->g->col[i].quantity == Q_TEXT;
		size_t room = l->width[i];
		size_t used;

		if (!l->shown[i])
			continue;
		if (!left && p->width < room)
			pad += room - p->width;
		if (p->len > 0) {
			buf_add_fill(r->to, ' ', pad);
			pad = 0;
		}
		used = text_add_cut(r, buf_str(&l->text) + p->at, p->len,
		    room);
		pad += GAP + (left ? room - used : 0);
	}
}

static void add_bold(const struct render *r, const char *text)
{
	if (r->options.bold)
		buf_add_str(r->to, BOLD);
	(void)text_add_cut(r, text, strlen(text), r->options.width);
	buf_add_str(r->to, r->options.bold ? PLAIN "\n" : "\n");
}

static void add_table(const struct render *r, const struct grid *g)
{
	struct layout l;
	size_t i;

	layout_init(&l, r, g);
	fit(&l, r->options.width);
	label_others(&l);
	fit(&l, r->options.width);
	if (r->options.bold)
		buf_add_str(r->to, BOLD);
	add_line(r, &l, l.piece + g->n_row * g->n_col);
	buf_add_str(r->to, r->options.bold ? PLAIN "\n" : "\n");
	for (i = 0; i < g->n_row; i++) {
		add_line(r, &l, l.piece + i * g->n_col);
		buf_add_char(r->to, '\n');
	}
	layout_release(&l);
}

/* The step's range, and the time in it that has data where that is less. */
static void add_step(struct render *r, const struct grid *g)
{
	double whole = (double)(g->to_ns - g->from_ns) / 1e9;

	buf_reset(&r->scratch);
	if (g->title)
		buf_printf(&r->scratch, "%s, ", g->title);
	text_add_range(r, &r->scratch, g->from_ns, g->to_ns);
	if (g->covered_s < 0.95 * whole)
		buf_printf(&r->scratch, ", %.1fs of it covered",
		    g->covered_s);
	add_bold(r, buf_str(&r->scratch));
}

static void begin(struct render *r)
{
	text_head(r);
}

static void grid(struct render *r, const struct grid *g)
{
	buf_add_char(r->to, '\n');
	if (r->report->every_ns || r->report->n_window > 0) {
		add_step(r, g);
		text_add_holes(r);
	} else if (g->title) {
		add_bold(r, g->title);
	}
	if (g->n_row == 0 || g->n_col == 0) {
		buf_add_str(r->to, "nothing to show\n");
		return;
	}
	add_table(r, g);
}

static void end(struct render *r)
{
	(void)r; /* nothing is open */
}

const struct render_ops render_text = { begin, grid, end };
