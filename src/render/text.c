/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.c - aligned tables for reading, with columns fitted by layout.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "render/layout.h"
#include "render/text_int.h"

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

/* Indent of texts below a row. */
#define BELOW ((size_t)4)

/* Length of the words that fit into room columns; of a part of a word that does
 * not. */
static size_t whole_words(const char *p, size_t len, size_t room)
{
	size_t fit = utf8_fit(p, len, room), n = fit;

	while (n > 0 && p[n] != ' ')
		n--;
	return n > 0 ? n : fit;
}

/* Appends what fits of a text that wraps, and leaves the rest in the piece.
 * Returns the columns used. */
static size_t add_words(const struct render *r, const struct layout *l,
	struct piece *p, size_t room)
{
	const char *text = buf_str(&l->text) + p->at;
	size_t used = whole_words(text, p->len, room), next = used;

	while (next < p->len && text[next] == ' ')
		next++;
	buf_add(r->to, text, used);
	p->at += next;
	p->len -= next;
	p->width = p->len ? utf8_width(text + next, p->len) : 0;
	return utf8_width(text, used);
}

/* Appends a piece, or the part of it that fits, and leaves the rest in it. */
static size_t add_piece(const struct render *r, const struct layout *l,
	struct piece *p, size_t col)
{
	size_t room = l->width[col], used;

	if (l->g->col[col].wraps && p->width > room && room > 0)
		return add_words(r, l, p, room);
	used = layout_add_cut(r->to, buf_str(&l->text) + p->at, p->len, room,
	    r->options.utf8);
	p->len = p->width = 0;
	return used;
}

/* One line of pieces, without trailing blanks; the pieces keep what is for the
 * next line.  True if there is one. */
static bool add_line(const struct render *r, const struct layout *l,
	struct piece *p)
{
	size_t i, pad = 0;
	bool more = false;

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
		used = add_piece(r, l, p, i);
		pad += LAYOUT_GAP + (left ? room - used : 0);
		more |= p->len > 0;
	}
	return more;
}

/* The title of a table, on as many lines as needed. */
static void add_bold(struct render *r, const char *text)
{
	if (r->options.bold)
		buf_add_str(r->to, BOLD);
	text_add_wrapped(r, text, 0);
	if (r->options.bold) {
		r->to->len--; /* the newline */
		buf_add_str(r->to, PLAIN "\n");
	}
}

/* A row, or the titles, on as many lines as needed; rest has room for it. */
static void add_row(const struct render *r, const struct layout *l,
	const struct piece *p, struct piece *rest, bool bold)
{
	bool more;

	memcpy(rest, p, l->g->n_col * sizeof(*rest));
	do {
		if (bold)
			buf_add_str(r->to, BOLD);
		more = add_line(r, l, rest);
		buf_add_str(r->to, bold ? PLAIN "\n" : "\n");
	} while (more);
}

/* Whether a text has lines of its own below the row: always, or as it was cut. */
static bool is_below(const struct render *r, const struct layout *l, size_t col,
	const struct piece *p)
{
	const struct grid_col *c = &l->g->col[col];

	if (c->below)
		return c->min_width <= GS_MAX(r->options.width, (size_t)80);
	return r->options.wrap && l->shown[col] && c->flexible &&
	    !c->wraps && p->width > l->width[col];
}

/* These texts, indented. */
static void add_below(struct render *r, const struct layout *l, size_t row)
{
	const struct piece *p = layout_row(l, row);
	size_t i;

	for (i = 0; !l->g->row[row].others && i < l->g->n_col; i++) {
		if (p[i].len == 0 || !is_below(r, l, i, &p[i]) ||
		    (l->g->col[i].below &&
		    l->g->row[row].cell[i].kind == CELL_ABSENT))
			continue;
		buf_reset(&r->scratch);
		buf_add(&r->scratch, buf_str(&l->text) + p[i].at, p[i].len);
		buf_add_fill(r->to, ' ', BELOW);
		text_add_wrapped(r, buf_str(&r->scratch), BELOW);
	}
}

static void add_table(struct render *r, const struct grid *g)
{
	struct cell_style style = text_style(r);
	struct piece *rest = gs_calloc(g->n_col, sizeof(*rest));
	struct layout l;
	size_t i;

	layout_init(&l, g, &style, r->options.width);
	l.has_below = true;
	layout_fit(&l, r->options.width, r->options.width);
	if (!r->options.no_header)
		add_row(r, &l, layout_titles(&l), rest, r->options.bold);
	for (i = 0; i < g->n_row; i++) {
		add_row(r, &l, layout_row(&l, i), rest, false);
		add_below(r, &l, i);
	}
	layout_release(&l);
	free(rest);
}

/* The step's range, and the covered time if that is less. */
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
	text_add_skipped(r->report, &r->scratch);
	text_add_uneven(r->report, &r->scratch);
	add_bold(r, buf_str(&r->scratch));
}

static bool has_head(const struct render *r)
{
	return !r->options.no_header && !r->options.timeless;
}

static void begin(struct render *r)
{
	if (has_head(r))
		text_head(r);
}

static void grid(struct render *r, const struct grid *g)
{
	if (r->n_grid > 0 || has_head(r))
		buf_add_char(r->to, '\n');
	if (r->report->every_ns || r->report->n_window > 0) {
		add_step(r, g);
		text_add_holes(r);
		text_add_marks(r);
	} else if (g->title) {
		add_bold(r, g->title);
	}
	if (g->n_row == 0 && g->says_empty)
		return;
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
