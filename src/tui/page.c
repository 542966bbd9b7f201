/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page.c - all figures of the chosen row, those included that have no column on
 * the screen, with texts whole.  Time moves below it.
 */
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/wrap.h"
#include "tui/tui_int.h"

#define NAME_COLUMN ((size_t)30)
#define HELP_COLUMN ((size_t)46)

struct page_view {
	struct tui *t;
	struct screen *to;
	size_t skip; /* lines that are scrolled out */
	size_t at, end; /* on the screen */
	size_t n; /* lines so far */
};

/* The next line; NULL: it is not on the screen. */
static struct line *next_line(struct page_view *p)
{
	if (p->n++ < p->skip || p->at >= p->end)
		return NULL;
	return screen_line(p->to, p->at++);
}

/* A text below its name, whole. */
static void paint_text(struct page_view *p, struct line *l, struct span text,
	enum style style)
{
	struct buf safe = BUF_INIT, lines = BUF_INIT;
	size_t width = p->to->width - GS_MIN(p->to->width, NAME_COLUMN);
	const char *at;

	utf8_add_safe(&safe, text.ptr, span_len(text));
	wrap_add(&lines, buf_str(&safe), 0, 0, GS_MAX(width, (size_t)20));
	for (at = buf_str(&lines); *at;) {
		size_t len = strcspn(at, "\n");

		if (l) {
			line_pad(p->to, l, STYLE_PLAIN, NAME_COLUMN);
			line_add(p->to, l, style, at, len);
		}
		at += len + (at[len] == '\n');
		l = *at ? next_line(p) : NULL;
	}
	buf_release(&safe);
	buf_release(&lines);
}

static void paint_figure(struct page_view *p, const struct grid *g,
	const struct grid_row *row, size_t k)
{
	const struct tui *t = p->t;
	const struct cell_style style = { .utf8 = t->utf8,
		.zone = &t->src->zone, .date = true };
	const struct cell *c = &row->cell[k];
	struct line *l = next_line(p);
	struct buf b = BUF_INIT;

	if (l)
		line_printf(p->to, l, STYLE_HEAD, " %.*s",
		    (int)NAME_COLUMN - 3, g->col[k].name);
	if (c->kind == CELL_TEXT && c->len > 0) {
		paint_text(p, l, cell_span(c), colour_of(&g->col[k], c, 0));
		return;
	}
	if (!l)
		return;
	cell_add_text(&b, g->col[k].quantity, c, &style);
	line_pad(p->to, l, STYLE_PLAIN, NAME_COLUMN);
	line_add(p->to, l, colour_of(&g->col[k], c, 0), b.ptr, b.len);
	line_add_str(p->to, l, STYLE_PLAIN, "  ");
	line_pad(p->to, l, STYLE_PLAIN, HELP_COLUMN);
	if (g->col[k].help)
		line_add_cut(p->to, l, STYLE_DIM, g->col[k].help, SIZE_MAX);
	buf_release(&b);
}

void paint_page(struct tui *t, struct screen *to, size_t first, size_t end)
{
	struct page_view p = { .t = t, .to = to, .at = first, .end = end };
	const struct grid *g;
	size_t grid, row, k;

	t->room = end - first;
	if (!sheet_get(&t->sheet, tui_level(t)->row, &grid, &row)) {
		line_add_str(to, screen_line(to, first), STYLE_DIM,
		    " the row is not there now");
		return;
	}
	g = t->shot.grid[grid];
	p.skip = t->scroll;
	for (k = 0; k < g->n_col; k++)
		paint_figure(&p, g, &g->row[row], k);
	/* scrolled beyond its end */
	t->scroll = GS_MIN(t->scroll, p.n - GS_MIN(p.n, t->room));
}

void page_key(struct tui *t, int key)
{
	static const char times[] = "tT[]{}()bnN";

	if (key == TKEY_DOWN || key == 'j')
		t->scroll++;
	else if (key == TKEY_UP || key == 'k')
		t->scroll -= GS_MIN(t->scroll, 1);
	else if (key == TKEY_PAGE_DOWN || key == ' ')
		t->scroll += t->room;
	else if (key == TKEY_PAGE_UP)
		t->scroll -= GS_MIN(t->scroll, t->room);
	else if (key == TKEY_ESCAPE || key == 'd' || key == 'q' ||
	    key == TKEY_ENTER || key == '\n' || key == TKEY_BACKSPACE)
		t->mode = MODE_TABLE;
	else if (key > 0 && key < 256 && strchr(times, key))
		command_key(t, key);
	else
		tui_message(t, "Esc goes back; t T and others move in time");
}
