/* SPDX-License-Identifier: Apache-2.0 */
/*
 * colpick.c - the columns of a table, to choose from: Space takes one in or out,
 * J and K move it, Enter shows the result.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/tui_int.h"

static void forget(struct colpick *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		free(p->item[i].name);
	free(p->item);
	*p = (struct colpick) { 0 };
}

void colpick_release(struct colpick *p)
{
	forget(p);
}

static void add(struct colpick *p, const struct grid_col *c, bool on)
{
	GS_GROW(p->item, &p->cap, p->n + 1);
	p->item[p->n++] = (struct colpick_item) { gs_strdup(c->name),
		c->help ? c->help : "", on };
}

/* Shown ones first, in their order. */
void colpick_open(struct tui *t, int arg)
{
	const struct grid *g = table_of(t);
	struct colpick *p = &t->pick;
	const bool *shown;
	size_t k;

	(void)arg;
	if (!g) {
		tui_message(t, "this view has columns of its own");
		return;
	}
	forget(p);
	shown = t->sheet.layout[t->sheet.n_grid - 1].shown;
	for (k = 0; k < g->n_col; k++) {
		if (shown[k])
			add(p, &g->col[k], true);
	}
	for (k = 0; k < g->n_col; k++) {
		if (!shown[k])
			add(p, &g->col[k], false);
	}
	t->mode = MODE_PICK;
}

/* The item changes its place with the next or the one before. */
static void move(struct colpick *p, int by)
{
	size_t to = p->at + (size_t)by;
	struct colpick_item was;

	if (to >= p->n) /* also below 0 */
		return;
	was = p->item[to];
	p->item[to] = p->item[p->at];
	p->item[p->at] = was;
	p->at = to;
}

static void apply(struct tui *t)
{
	const struct colpick *p = &t->pick;
	struct gs_err err = { .status = GS_OK };
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < p->n; i++) {
		if (p->item[i].on)
			buf_printf(&b, "%s%s", b.len > 0 ? "," : "",
			    p->item[i].name);
	}
	t->mode = MODE_TABLE;
	tui_level(t)->left = 0;
	if (prompt_apply(t, ASK_COLUMNS, buf_str(&b), &err) < 0)
		tui_error(t, err.msg);
	buf_release(&b);
}

void colpick_key(struct tui *t, int key)
{
	struct colpick *p = &t->pick;

	buf_reset(&t->message);
	if (key == TKEY_DOWN || key == 'j')
		p->at = GS_MIN(p->at + 1, p->n - 1);
	else if (key == TKEY_UP || key == 'k')
		p->at -= GS_MIN(p->at, 1);
	else if (key == TKEY_PAGE_DOWN)
		p->at = GS_MIN(p->at + t->room, p->n - 1);
	else if (key == TKEY_PAGE_UP)
		p->at -= GS_MIN(p->at, t->room);
	else if (key == ' ')
		p->item[p->at].on = !p->item[p->at].on;
	else if (key == 'J' || key == '>')
		move(p, 1);
	else if (key == 'K' || key == '<')
		move(p, -1);
	else if (key == TKEY_ENTER || key == '\n')
		apply(t);
	else
		t->mode = MODE_TABLE;
}

void paint_colpick(struct tui *t, struct screen *to, size_t first, size_t end)
{
	const struct colpick *p = &t->pick;
	size_t rows = GS_MAX(end - first, (size_t)1), i;
	size_t skip = p->at >= rows ? p->at - rows + 1 : 0;

	t->room = rows;
	t->place.list = (struct list_place) { first, rows, skip, 0 };
	for (i = skip; i < p->n && i - skip < rows; i++) {
		struct line *l = screen_line(to, first + i - skip);
		const struct colpick_item *is = &p->item[i];

		line_add_str(to, l, STYLE_NOTE, i == p->at ? ">" : " ");
		line_printf(to, l, is->on ? STYLE_STRONG : STYLE_PLAIN,
		    "[%c] %s", is->on ? 'x' : ' ', is->name);
		line_pad(to, l, STYLE_PLAIN, 34);
		line_add_str(to, l, STYLE_DIM, " ");
		line_add_cut(to, l, STYLE_DIM, is->help, SIZE_MAX);
		l->selected = i == p->at;
		if (l->selected)
			line_pad(to, l, STYLE_PLAIN, to->width);
	}
}
