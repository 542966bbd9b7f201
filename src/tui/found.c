/* SPDX-License-Identifier: Apache-2.0 */
/*
 * found.c - when a condition held in the recording, as a list to choose from.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "query/view_key.h"
#include "tui/tui_int.h"
#include "view/find.h"
#include "view/show_find.h"

struct hits {
	struct tui *t;
	const char *view; /* whose rows they are; NULL: of none */
	size_t n;
};

static bool begin(void *ctx, const struct report *rep)
{
	(void)ctx;
	(void)rep;
	return true;
}

static bool end(void *ctx)
{
	(void)ctx;
	return true;
}

static void note(void *ctx, const char *text)
{
	struct hits *h = ctx;

	tui_message(h->t, "%s", text);
}

static void head(void *ctx, struct report *rep)
{
	(void)ctx;
	(void)rep;
}

/* ---- the list ------------------------------------------------------------- */

/* A line of the layout, or its heading: columns below each other. */
static void add_pieces(const struct layout *l, const struct piece *p,
	struct buf *to)
{
	size_t k, used;

	for (k = 0; k < l->g->n_col; k++) {
		bool left = l->g->col[k].quantity == Q_TEXT;
		size_t room = l->width[k];
		size_t pad = room - GS_MIN(p[k].width, room);

		if (!l->shown[k])
			continue;
		buf_printf(to, "%*s", left ? 0 : (int)pad, "");
		used = layout_add_cut(to, buf_str(&l->text) + p[k].at, p[k].len,
		    room, l->style.utf8);
		buf_printf(to, "%*s", (int)(LAYOUT_GAP + (left ? room - used
		    : 0)), "");
	}
}

/* Whole characters. */
static void set_text(char *to, size_t size, const struct buf *b)
{
	(void)snprintf(to, size, "%.*s", (int)utf8_fit(buf_str(b),
	    GS_MIN(b->len, size - 1), size), buf_str(b));
}

#define MARK_ROOM 3 /* of an item: whether it is chosen, its number */

static void fill_menu(struct tui *t, const struct grid *g)
{
	const struct cell_style style = { .utf8 = t->utf8,
		.date = !zone_same_date(&t->src->zone, t->src->first_ns,
		    t->src->last_ns), .zone = &t->src->zone };
	size_t room = t->width - GS_MIN(t->width, (size_t)MARK_ROOM), i;
	struct buf b = BUF_INIT;
	struct layout l;

	layout_init(&l, g, &style, t->width);
	layout_fit(&l, t->width, room);
	for (i = 0; i < t->menu.n; i++) {
		struct menu_item *item = &t->menu.item[i];

		buf_reset(&b);
		add_pieces(&l, layout_row(&l, (size_t)item->value), &b);
		set_text(item->text, sizeof(item->text), &b);
		item->value = (int64_t)i;
	}
	buf_reset(&b);
	/* as far to the right as the items */
	buf_add_str(&b, t->menu.n <= 9 ? "  " : "");
	add_pieces(&l, layout_titles(&l), &b);
	set_text(t->menu.made, sizeof(t->menu.made), &b);
	t->menu.title = t->menu.made;
	layout_release(&l);
	buf_release(&b);
}

/* ---- which row it was so of ------------------------------------------------ */

/* The cells of the columns that name the rows of a view, in any table of it. */
static char *name_of(const char *view, const struct grid *g,
	const struct grid_row *row)
{
	const struct view_key *k = view_key_of_view(view);
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; k && i < VIEW_KEY_COLS && k->shown[i]; i++) {
		int col = grid_find_col(g, k->shown[i], strlen(k->shown[i]));

		if (col >= 0 && strcmp(g->col[col].name, k->shown[i]) == 0)
			(void)cell_add_exact(&b, g->col[col].quantity,
			    &row->cell[col]);
		buf_add_char(&b, '\x1f'); /* in no text */
	}
	buf_add_char(&b, '\0');
	return b.ptr;
}

void found_release(struct found *f)
{
	while (f->n > 0)
		free(f->hit[--f->n].name);
	f->view = NULL;
}

static void keep_hit(struct hits *h, const struct grid *g, size_t row)
{
	struct tui *t = h->t;
	struct found_hit *hit = &t->found.hit[t->found.n++];

	*hit = (struct found_hit) { g->row[row].cell[0].i,
		h->view ? name_of(h->view, g, &g->row[row]) : NULL };
	t->menu.item[t->menu.n++].value = (int64_t)row;
}

static void choose_row(struct tui *t, const char *view, const char *name)
{
	size_t n, grid, row;
	bool same = false;

	tui_refresh(t, t->width);
	for (n = 0; !t->stale && !same &&
	    sheet_get(&t->sheet, n, &grid, &row); n++) {
		const struct grid *g = t->shot.grid[grid];
		char *is = name_of(view, g, &g->row[row]);

		same = strcmp(is, name) == 0;
		if (same)
			tui_choose(t, n);
		free(is);
	}
}

static bool take(void *ctx, const struct grid *g)
{
	struct hits *h = ctx;
	size_t i;

	h->n = 0;
	h->t->menu.n = h->t->menu.at = 0;
	found_release(&h->t->found);
	h->t->found.view = h->view;
	for (i = 0; i < g->n_row; i++) {
		if (g->row[i].cell[0].kind != CELL_INT)
			continue;
		if (h->n++ < MENU_MAX)
			keep_hit(h, g, i);
	}
	fill_menu(h->t, g);
	return true;
}

/* The first tick at which it was so: it begins with the end of the tick before. */
static void choose(struct tui *t, int64_t item)
{
	const struct found_hit *hit = &t->found.hit[item];

	t->newest = false;
	time_go(t, source_after(t->src, hit->at_ns));
	if (hit->name)
		choose_row(t, t->found.view, hit->name);
	buf_reset(&t->message); /* that of the list */
}

/* The view that its columns name, or NULL. */
static const char *view_of(const char *expression)
{
	const char *view;

	return find_view(expression, NULL, &view, NULL) == GS_OK ? view : NULL;
}

/* view: to change to; NULL: none. */
static void show(struct tui *t, const struct hits *h, const char *view)
{
	if (view)
		(void)tui_show_view(t, view);
	t->menu.choose = choose;
	t->menu.wide = true;
	t->mode = MODE_MENU;
	if (h->n > MENU_MAX)
		tui_message(t, "when it was so, the first %d of %zu times",
		    MENU_MAX, h->n);
	else
		tui_message(t, "when it was so: Enter goes there, Esc back");
}

int found_list(struct tui *t, const char *expression, struct gs_err *err)
{
	const char *view = view_of(expression);
	struct patience patience;
	struct hits hits = { .t = t, .view = view };
	struct show_source src = { .cursor = patience_cursor(&patience, t->src),
		.interval_ns = t->src->interval_ns,
		.first_ns = t->src->first_ns, .last_ns = t->src->last_ns,
		.zone = t->src->zone, .head = head };
	struct show_output out = { .begin = begin, .grid = take, .end = end,
		.note = note, .ctx = &hits };
	struct show_find find = { .expression = expression,
		.words = { .view = view ? view : tui_level(t)->view,
		    .wait = WAIT_ASK_INIT },
		.source = &src, .out = &out };
	const struct range all = { t->src->first_ns, t->src->last_ns, 0 };
	struct show_result res;
	size_t found = 0;
	int r = show_find(&find, &all, &res, &found, err);

	if (r < 0 && patience.lost)
		return gs_fail(err, GS_E_BUSY, "interrupted by a key; Enter "
		    "searches again");
	if (r < 0)
		return r;
	if (hits.n == 0)
		return gs_fail(err, GS_E_NOTFOUND, "it was never so");
	show(t, &hits, view);
	return GS_OK;
}
