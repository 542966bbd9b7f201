/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_rows.c - rows of a layout as lines.
 */
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "render/layout.h"
#include "render/text_int.h"

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
	p->len -= (uint32_t)next;
	p->width = p->len
	    ? (uint32_t)utf8_width(text + next, p->len) : 0;
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

void text_add_row(const struct render *r, const struct layout *l,
	const struct piece *p, struct piece *rest, bool bold)
{
	bool more;

	memcpy(rest, p, l->g->n_col * sizeof(*rest));
	do {
		if (bold)
			buf_add_str(r->to, TEXT_BOLD);
		more = add_line(r, l, rest);
		buf_add_str(r->to, bold ? TEXT_PLAIN "\n" : "\n");
	} while (more);
}

/* Chosen columns have no min_width: grid_choose(). */
static bool is_missed(const struct layout *l, size_t col)
{
	const struct grid_col *c = &l->g->col[col];

	return c->min_width == 0 && !l->shown[col] &&
	    !(l->has_below && c->below);
}

void text_add_missed(struct render *r, const struct layout *l)
{
	struct buf text = BUF_INIT;
	size_t i;

	for (i = 0; i < l->g->n_col; i++) {
		if (is_missed(l, i))
			buf_printf(&text, "%s%s", text.len > 0 ? ", "
			    : "no room for ", l->g->col[i].name);
	}
	if (text.len > 0) {
		buf_add_str(&text, "; see --width");
		text_add_wrapped(r, buf_str(&text), 0);
	}
	buf_release(&text);
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

void text_add_below(struct render *r, const struct layout *l, size_t row)
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
