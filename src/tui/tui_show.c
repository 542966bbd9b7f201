/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tui_show.c - what is shown: the table, the bottom line, and the shot that the
 * table is made of.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/units.h"
#include "tui/tui_int.h"

struct level *tui_level(const struct tui *t)
{
	const struct level *zoomed = t->zoomed;

	return t->n_zoomed == 0 ? &t->base[t->view]
	    : (struct level *)(uintptr_t)&zoomed[t->n_zoomed - 1];
}

void tui_message(struct tui *t, const char *fmt, ...)
{
	char text[600];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap); /* cut is fine */
	va_end(ap);
	buf_reset(&t->message);
	buf_add_str(&t->message, text);
	t->trouble = false;
}

void tui_error(struct tui *t, const char *text)
{
	tui_message(t, "%s", text);
	t->trouble = true;
}

void tui_note(struct tui *t, const char *text)
{
	tui_message(t, "%s", text);
	t->repaint = true;
}

bool tui_show_view(struct tui *t, const char *name)
{
	const struct view *v = view_find(name);
	size_t i;

	if (!v)
		return false;
	while (t->n_zoomed > 0)
		level_release(&t->zoomed[--t->n_zoomed]);
	for (i = 0; i < t->n_base; i++) {
		if (strcmp(view_at(i), view_name(v)) == 0)
			t->view = i;
	}
	t->base[t->view].left = 0;
	t->stale = true;
	return true;
}

void tui_choose(struct tui *t, size_t row)
{
	struct level *l = tui_level(t);

	l->row = row;
	level_set(&l->chosen, sheet_identity(&t->sheet, row));
}

void tui_lay_out(struct tui *t)
{
	const struct range *r = &t->shot.range;
	struct cell_style style = { .utf8 = t->utf8, .zone = &t->src->zone,
		.date = !zone_same_date(&t->src->zone, r->from_ns, r->to_ns),
		.digits = t->src->interval_ns < GS_NSEC_PER_SEC ? 3 : 0 };

	sheet_make(&t->sheet, &t->shot, &style, t->width, tui_level(t));
}

/* Finds the chosen row in the new table. */
static void find_chosen(struct tui *t)
{
	struct level *l = tui_level(t);
	size_t n = t->sheet.n_row;

	if (l->chosen) {
		size_t at = sheet_find(&t->sheet, l->chosen);

		l->row = at < n ? at : l->row;
	}
	l->row = n > 0 ? GS_MIN(l->row, n - 1) : 0;
}

/* The new tables are shown. */
static void show_tables(struct tui *t)
{
	size_t i;

	for (i = 0; tui_level(t)->active && i < t->shot.n_grid; i++)
		grid_drop_idle(t->shot.grid[i]);
	i = t->shot.n_window > 0 ? 0 : t->shot.n_grid - 1; /* below the head */
	for (; tui_level(t)->tree && !tui_level(t)->nested &&
	    i < t->shot.n_grid; i++)
		folds_by_path(t->shot.grid[i]);
	tui_lay_out(t);
	find_chosen(t);
}

/* The new shot replaces the old one. */
static void install(struct tui *t, const struct shot *shot, struct ask *ask,
	const struct buf *where)
{
	sheet_release(&t->sheet);
	shot_release(&t->shot);
	ask_free(t->ask);
	ask_free(t->opened);
	buf_release(&t->where);
	t->shot = *shot;
	t->ask = ask;
	t->opened = NULL;
	t->where = *where;
	show_tables(t);
}

static int find_baseline(const struct tui *t, const struct range *window,
	struct range *ret, struct gs_err *err)
{
	if (!t->src->baseline)
		return gs_fail(err, GS_E_USAGE, "nothing can be compared here");
	return t->src->baseline(t->src->ctx, t->baseline, window, ret, err);
}

/* What a shot is made of, besides order, condition, columns and baseline. */
static void add_made(const struct tui *t, const struct range *r,
	const struct ask_words *w, struct buf *to)
{
	const char *const text[] = { w->view, w->group_by, w->ema, w->session,
		w->wait.event, w->wait.classes, w->wait.query_id,
		t->windows };
	size_t i;

	buf_printf(to, "%" PRId64 " %" PRId64 " %d %zu %d %zu", r->from_ns,
	    r->to_ns, w->nested, w->top, w->normalize, w->n_flatten);
	for (i = 0; i < GS_LEN(text); i++)
		buf_printf(to, "\x1f%s", text[i] ? text[i] : "");
}

/* The ticks of the shot need not be read again. */
static bool can_go_on(const struct tui *t, const struct ask *ask,
	const struct buf *made)
{
	const struct view_ask *to = ask_of_view(ask), *of;

	if (!t->ask || !t->shot.any || t->shot.overview)
		return false;
	of = ask_of_view(t->opened ? t->opened : t->ask);
	return to->n_metric == 0 && to->most == 0 && of->n_metric == 0 &&
	    (!to->dear || of->dear) &&
	    strcmp(buf_str(made), buf_str(&t->made)) == 0;
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

/* What is beside the table need not be read again: it has the same columns, or
 * all. */
static bool same_beside(const struct tui *t, const struct ask *ask)
{
	const char *was = ask_of_view(t->ask)->brief;
	const char *is = ask_of_view(ask)->brief;

	return same_text(t->baseline, t->beside) &&
	    (!was || (is && strcmp(was, is) == 0));
}

/* By the ticks that are there; takes the ask if it succeeds. */
static enum shot_result shoot_again(struct tui *t, const struct range *base,
	struct ask *ask, struct buf *where, struct gs_err *err)
{
	const struct shot_beside beside = { .range = base,
		.same = same_beside(t, ask) };
	struct shot made;
	enum shot_result is;

	t->shot.width = t->width - 1;
	t->shot.room = t->tall;
	is = shot_again(&t->shot, t->src, ask, &beside, &made, err);
	if (is != SHOT_DONE)
		return is;
	sheet_release(&t->sheet);
	shot_replace(&t->shot, &made);
	if (t->opened)
		ask_free(t->ask);
	else
		t->opened = t->ask;
	buf_release(&t->where);
	t->ask = ask;
	t->where = *where;
	show_tables(t);
	return SHOT_DONE;
}

static enum shot_result shoot(struct tui *t, const struct range *r,
	const struct range *base, struct ask *ask, struct buf *where,
	struct gs_err *err)
{
	struct shot_windows windows = { .range_ns = t->window_ns,
		.width = t->width - 1, .room = t->tall };
	struct shot shot = { 0 };
	enum shot_result is;

	if (t->windows && units_durations(t->windows, windows.length_ns,
	    VIEW_WINDOWS_MAX, &windows.n, err) < 0)
		return SHOT_FAILED;
	is = shot_make(&shot, t->src, ask, r, base, &windows, err);
	if (is == SHOT_DONE)
		install(t, &shot, ask, where);
	return is;
}

enum shot_result tui_shoot(struct tui *t, struct gs_err *err)
{
	struct range r = source_range(t->src, t->pos_ns, t->window_ns), base;
	/* a page is of one range */
	bool page = view_is_page(view_find(tui_level(t)->view));
	const struct range *beside = t->baseline && !page ? &base : NULL;
	struct ask *ask = NULL;
	struct buf where = BUF_INIT, made = BUF_INIT;
	struct ask_words words = level_words(tui_level(t), &where);
	enum shot_result is = SHOT_FAILED;

	words.compared = words.with_sides = beside != NULL;
	words.zone = &t->src->zone;
	words.brief = t->mode != MODE_PAGE && !t->saving;
	add_made(t, &r, &words, &made);
	if ((!beside || find_baseline(t, &r, &base, err) == GS_OK) &&
	    ask_new(&words, &ask, err) == GS_OK) {
		is = can_go_on(t, ask, &made)
		    ? shoot_again(t, beside, ask, &where, err)
		    : shoot(t, &r, beside, ask, &where, err);
	}
	t->interrupted = is == SHOT_INTERRUPTED;
	t->stale = is != SHOT_DONE;
	if (is == SHOT_DONE) {
		buf_release(&t->made);
		t->made = made;
		level_set(&t->beside, t->baseline);
		return is;
	}
	ask_free(ask);
	buf_release(&where);
	buf_release(&made);
	return is;
}

void tui_refresh(struct tui *t, size_t width)
{
	static const struct shot nothing = { 0 };
	static const struct buf empty = BUF_INIT;
	bool resized = width != t->width;
	struct gs_err err = { .status = GS_OK };

	t->width = width;
	/* they may fit beside each other, or more of their rows */
	t->stale |= t->shot.n_window > 0 &&
	    (resized || t->shot.room != t->tall);
	if (!t->stale && resized) {
		tui_lay_out(t);
		find_chosen(t);
	}
	if (!t->stale || tui_shoot(t, &err) != SHOT_FAILED)
		return;
	tui_error(t, err.msg);
	install(t, &nothing, NULL, &empty);
	t->stale = false; /* it would fail again */
}
