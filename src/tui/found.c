/* SPDX-License-Identifier: Apache-2.0 */
/*
 * found.c - when a condition held in the recording, as a list to choose from.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "tui/tui_int.h"
#include "view/find.h"
#include "view/show_find.h"

struct hits {
	struct tui *t;
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

/* "19:11:22 - 19:11:34  12.0s  56  web": what there is besides the times. */
static void add_item(struct tui *t, const struct grid *g, size_t row)
{
	struct menu_item *item = &t->menu.item[t->menu.n++];
	const struct cell_style style = { .utf8 = t->utf8,
		.date = !zone_same_date(&t->src->zone, t->src->first_ns,
		    t->src->last_ns), .zone = &t->src->zone };
	const struct grid_row *is = &g->row[row];
	struct buf b = BUF_INIT;
	size_t k;

	for (k = 0; k < g->n_col; k++) {
		if (g->col[k].min_width >= GRID_ON_REQUEST ||
		    cell_is_absent(&is->cell[k]))
			continue;
		if (b.len > 0)
			buf_add_str(&b, "  ");
		cell_add_text(&b, g->col[k].quantity, &is->cell[k], &style);
	}
	(void)snprintf(item->text, sizeof(item->text), "%.*s",
	    (int)utf8_fit(buf_str(&b), GS_MIN(b.len, sizeof(item->text) - 1),
	    sizeof(item->text)), buf_str(&b));
	item->value = is->cell[0].i;
	buf_release(&b);
}

/* "when it was so: from, to, length, host ...", as the items have them. */
static void set_title(struct tui *t, const struct grid *g)
{
	struct buf b = BUF_INIT;
	size_t k;

	buf_add_str(&b, "when it was so:");
	for (k = 0; k < g->n_col; k++) {
		if (g->col[k].min_width < GRID_ON_REQUEST)
			buf_printf(&b, "%s %s", k ? "," : "", g->col[k].title);
	}
	(void)snprintf(t->menu.made, sizeof(t->menu.made), "%s", buf_str(&b));
	t->menu.title = t->menu.made;
	buf_release(&b);
}

static bool take(void *ctx, const struct grid *g)
{
	struct hits *h = ctx;
	size_t i;

	h->n = 0;
	h->t->menu.n = h->t->menu.at = 0;
	set_title(h->t, g);
	for (i = 0; i < g->n_row; i++) {
		if (g->row[i].cell[0].kind != CELL_INT)
			continue;
		if (h->n++ < MENU_MAX)
			add_item(h->t, g, i);
	}
	return true;
}

/* The first tick at which it was so: it begins with the end of the tick before. */
static void choose(struct tui *t, int64_t at_ns)
{
	t->newest = false;
	time_go(t, source_after(t->src, at_ns));
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
		tui_message(t, "the first %d of %zu times", MENU_MAX, h->n);
}

int found_list(struct tui *t, const char *expression, struct gs_err *err)
{
	const char *view = view_of(expression);
	struct patience patience;
	struct hits hits = { .t = t };
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
