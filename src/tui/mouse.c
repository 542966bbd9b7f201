/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mouse.c - a click on a row or item chooses it, on a heading orders by it; on the
 * timeline it goes there, and a drag is a window; the wheel scrolls rows, and
 * changes the window on the timeline.
 */
#include "base/mem.h"
#include "tui/tui_int.h"

#define WHEEL_ROWS 3

static bool on_strip(const struct tui *t, const struct tui_mouse *m)
{
	return m->y >= t->place.strip && m->y < t->place.strip_end &&
	    m->x >= t->place.strip_left;
}

/* The number of the row that a line of the sheet has. */
static size_t row_number(const struct sheet *s, size_t line)
{
	size_t n = 0, i;

	for (i = 0; i < line; i++)
		n += s->line[i].kind == LINE_ROW;
	return n;
}

/* The shown column at a column of the screen; n_col: none. */
static size_t column_at(const struct layout *l, size_t x)
{
	size_t at = 1, k; /* the first one is for marks */

	for (k = 0; k < l->g->n_col; k++) {
		if (!l->shown[k])
			continue;
		at += l->width[k] + LAYOUT_GAP;
		if (x < at)
			return k;
	}
	return k;
}

static void press_table(struct tui *t, const struct tui_mouse *m)
{
	size_t i = m->y < t->place.n_line ? t->place.line[m->y] : SIZE_MAX;
	const struct sheet_line *l;
	size_t col;

	if (i >= t->sheet.n_line)
		return;
	l = &t->sheet.line[i];
	if (l->kind == LINE_ROW)
		tui_choose(t, row_number(&t->sheet, i));
	if (l->kind != LINE_HEAD)
		return;
	col = column_at(&t->sheet.layout[l->grid], m->x);
	if (col < t->shot.grid[l->grid]->n_col)
		sort_by(t, t->shot.grid[l->grid], col);
}

static void release_strip(struct tui *t, const struct tui_mouse *m)
{
	struct strip s = strip_of_screen(t, t->place.width, t->place.n_line);
	size_t left = t->place.strip_left;
	size_t from = t->place.pressed, to = GS_MAX(m->x, left) - left;

	t->place.pressed = SIZE_MAX;
	to = GS_MIN(to, s.width - 1);
	if (from == to) {
		t->newest = false;
		/* the tick at the middle of the column, or the next one */
		time_go(t, source_after(t->src, (strip_instant(&s, to) +
		    strip_instant(&s, to + 1)) / 2 - 1));
		return;
	}
	time_span(t, strip_instant(&s, GS_MIN(from, to)),
	    strip_instant(&s, GS_MAX(from, to) + 1));
}

static void on_table(struct tui *t, const struct tui_mouse *m)
{
	bool strip = on_strip(t, m);

	switch (m->what) {
	case MOUSE_PRESS:
		t->place.pressed = strip ? m->x - t->place.strip_left
		                         : SIZE_MAX;
		if (!strip)
			press_table(t, m);
		break;
	case MOUSE_RELEASE:
		if (t->place.pressed != SIZE_MAX)
			release_strip(t, m);
		break;
	case MOUSE_WHEEL_UP:
	case MOUSE_WHEEL_DOWN:
		if (strip)
			time_window(t, m->what == MOUSE_WHEEL_UP ? -1 : 1);
		else
			row_move(t, m->what == MOUSE_WHEEL_UP ? -WHEEL_ROWS
			                                     : WHEEL_ROWS);
		break;
	}
}

/* The item of n that a place on the screen is of; SIZE_MAX: none. */
static size_t item_at(const struct list_place *l, size_t x, size_t y, size_t n)
{
	size_t i;

	if (y < l->first || y - l->first >= l->rows)
		return SIZE_MAX;
	i = l->skip + y - l->first;
	if (l->column > 0)
		i += x / l->column * l->rows;
	return i < n ? i : SIZE_MAX;
}

/* A click on an item is Enter, or Space where several are taken. */
static void press_item(struct tui *t, const struct tui_mouse *m)
{
	bool menu = t->mode == MODE_MENU;
	size_t *at = menu ? &t->menu.at : &t->pick.at;
	size_t i = item_at(&t->place.list, m->x, m->y, menu ? t->menu.n
	    : t->pick.n);

	if (i == SIZE_MAX)
		return;
	*at = i;
	tui_key(t, menu ? TKEY_ENTER : ' ');
}

static void on_list(struct tui *t, const struct tui_mouse *m)
{
	if (m->what == MOUSE_WHEEL_UP || m->what == MOUSE_WHEEL_DOWN)
		tui_key(t, m->what == MOUSE_WHEEL_UP ? TKEY_UP : TKEY_DOWN);
	else if (m->what == MOUSE_PRESS && (t->mode == MODE_MENU ||
	    t->mode == MODE_PICK))
		press_item(t, m);
}

/* In lists and pages the wheel is the arrow keys. */
void tui_mouse(struct tui *t, const struct tui_mouse *m)
{
	if (t->mode == MODE_PROMPT)
		return;
	if (t->mode != MODE_TABLE) {
		on_list(t, m);
		return;
	}
	opening_stop(t);
	if (m->what != MOUSE_RELEASE)
		buf_reset(&t->message);
	t->trouble = false;
	on_table(t, m);
}
