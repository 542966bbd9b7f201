/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table_keys.c - keys that change the table: the chosen row, the order, which
 * rows and columns.
 */
#include <string.h>

#include "base/mem.h"
#include "tui/tui_int.h"

/* ---- rows ---------------------------------------------------------------- */

void row_move(struct tui *t, int by)
{
	const struct level *l = tui_level(t);
	size_t n = t->sheet.n_row;

	if (n == 0)
		return;
	if (by < 0)
		tui_choose(t, l->row - GS_MIN(l->row, (size_t)-by));
	else
		tui_choose(t, GS_MIN(l->row + (size_t)by, n - 1));
}

void row_page(struct tui *t, int direction)
{
	row_move(t, direction * (int)GS_MAX(t->room, (size_t)2));
}

void row_edge(struct tui *t, int end)
{
	if (t->sheet.n_row > 0)
		tui_choose(t, end ? t->sheet.n_row - 1 : 0);
}

/* ---- the table ---------------------------------------------------------- */

/* Index of the sort column in the table; -1: none. */
static int sorted_by(const struct tui *t, const struct grid *g,
	const char **ret_rest, char *ret_sign)
{
	const struct level *l = tui_level(t);
	const struct view *v = view_find(l->view);
	const char *sort = l->sort ? l->sort : v ? view_default_sort(v) : "";
	size_t len;

	*ret_sign = *sort == '+' || *sort == '-' ? *sort : 0;
	sort += *ret_sign != 0;
	len = strcspn(sort, ",");
	*ret_rest = sort + len;
	return len > 0 ? grid_find_col(g, sort, len) : -1;
}

static void set_sort(struct tui *t, const char *column, char sign)
{
	struct buf b = BUF_INIT;

	if (sign)
		buf_add_char(&b, sign);
	buf_add_str(&b, column);
	level_set(&tui_level(t)->sort, buf_str(&b));
	tui_message(t, "by %s", buf_str(&b));
	buf_release(&b);
	t->stale = true;
}

const struct grid *table_of(const struct tui *t)
{
	const struct view *v = view_find(tui_level(t)->view);

	if (!v || view_is_overview(v) || view_is_fixed(v) ||
	    t->shot.n_grid == 0)
		return NULL;
	return t->shot.grid[t->shot.n_grid - 1];
}

/* The shown column to the left or right of the sort column. */
void sort_step(struct tui *t, int by)
{
	const struct grid *g = table_of(t);
	const bool *shown;
	const char *rest;
	char sign;
	int at;

	if (!g) {
		tui_message(t, "this view has an order of its own");
		return;
	}
	shown = t->sheet.layout[t->sheet.n_grid - 1].shown;
	at = sorted_by(t, g, &rest, &sign);
	for (at += by; at >= 0 && at < (int)g->n_col; at += by) {
		if (shown[at]) {
			set_sort(t, g->col[at].name, 0);
			return;
		}
	}
}

void sort_reverse(struct tui *t, int arg)
{
	const struct grid *g = table_of(t);
	bool ascending;
	const char *rest;
	char sign;
	int at;

	(void)arg;
	at = g ? sorted_by(t, g, &rest, &sign) : -1;
	if (at < 0) {
		tui_message(t, "this view has an order of its own");
		return;
	}
	ascending = sign == '+' || (!sign && g->col[at].quantity == Q_TEXT);
	set_sort(t, g->col[at].name, ascending ? '-' : '+');
}

void sort_by(struct tui *t, const struct grid *g, size_t col)
{
	const char *rest;
	char sign;

	if (table_of(t) != g)
		tui_message(t, "this table has an order of its own");
	else if (sorted_by(t, g, &rest, &sign) == (int)col)
		sort_reverse(t, 0);
	else
		set_sort(t, g->col[col].name, 0);
}

void prompt_table(struct tui *t, int kind)
{
	if (level_is_fixed(tui_level(t)))
		tui_message(t, OVERVIEW_IS_FIXED);
	else
		prompt_open(t, kind);
}

void toggle_active(struct tui *t, int arg)
{
	struct level *l = tui_level(t);

	(void)arg;
	l->active = !l->active;
	tui_message(t, l->active ? "only rows that do something, or wait"
	                     : "all rows");
	t->stale = true;
}

void toggle_kept(struct tui *t, int arg)
{
	struct level *l = tui_level(t);
	const char *id = sheet_identity(&t->sheet, l->row);

	(void)arg;
	if (l->kept || !id) {
		level_set(&l->kept, NULL);
		tui_message(t, id ? "no row is kept in view"
		                  : "no row is chosen");
		return;
	}
	level_set(&l->kept, id);
	tui_message(t, "this row stays in view; f again lets it go");
}

/* To the left and right: the first column stays. */
void column_move(struct tui *t, int by)
{
	struct level *l = tui_level(t);

	if (by < 0 && l->left == 0) {
		tui_message(t, "these are the first columns");
		return;
	}
	if (by > 0 && !t->sheet.more) {
		tui_message(t, "there are no more columns; c names others");
		return;
	}
	l->left = by < 0 ? l->left - 1 : l->left + 1;
	tui_lay_out(t);
}
