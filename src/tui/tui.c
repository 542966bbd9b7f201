/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/tui.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "tui/tui_int.h"

#define WINDOW_NS (60 * GS_NSEC_PER_SEC) /* that is usual in a recording */
#define PLAY_NS (GS_NSEC_PER_SEC / 2) /* from tick to tick, at most */

/* ---- beginning ---------------------------------------------------------- */

static void open_levels(struct tui *t, const struct ask_words *words,
	const char *view)
{
	size_t i;

	while (view_at(t->n_base))
		t->n_base++;
	t->base = gs_calloc(t->n_base, sizeof(*t->base));
	for (i = 0; i < t->n_base; i++) {
		bool first = strcmp(view_at(i), view) == 0;

		level_init(&t->base[i], view_at(i), first ? words : NULL);
		if (first)
			t->view = i;
	}
}

static void set_window(struct tui *t, const struct tui_options *o)
{
	const struct tui_source *s = t->src;
	int64_t all = GS_MAX(s->last_ns - s->first_ns, s->interval_ns);

	t->pos_ns = source_clamp(s, o->to_ns);
	t->newest = s->grows && o->to_ns >= s->last_ns;
	t->window_ns = o->window_ns > 0 ? o->window_ns
	    : s->grows && t->newest ? s->interval_ns : WINDOW_NS;
	t->window_ns = GS_MIN(GS_MAX(t->window_ns, s->interval_ns), all);
	if (o->from_ns != INT64_MIN && o->from_ns < t->pos_ns)
		t->window_ns = t->pos_ns - source_clamp(s, o->from_ns);
	t->window_ns = GS_MAX(t->window_ns, s->interval_ns);
}

int tui_new(const struct tui_options *o, struct tui_source *s,
	struct tui **ret, struct gs_err *err)
{
	struct tui *t = gs_calloc(1, sizeof(*t));
	struct ask *ask;
	int r = ask_new(&o->words, &ask, err);

	t->src = s;
	t->utf8 = o->utf8;
	t->colour = o->colour;
	if (r < 0) {
		free(t);
		return r;
	}
	open_levels(t, &o->words, view_name(ask_view(ask)));
	t->windows = o->windows ? gs_strdup(o->windows) : NULL;
	ask_free(ask);
	set_window(t, o);
	(void)timescan_init(
	    &t->timescan, s, 0, NULL, NULL); /* names no column */
	t->stale = true;
	t->place.pressed = SIZE_MAX;
	t->opening = o->opens_worst;
	if (t->opening)
		opening_begin(t);
	timescan_suit(&t->timescan);
	columns_load(t, o->state);
	*ret = t;
	return GS_OK;
}

void tui_free(struct tui *t)
{
	size_t i;

	if (!t)
		return;
	sheet_release(&t->sheet);
	shot_release(&t->shot);
	ask_free(t->ask);
	ask_free(t->opened);
	buf_release(&t->made);
	for (i = 0; i < t->n_base; i++)
		level_release(&t->base[i]);
	while (t->n_zoomed > 0)
		level_release(&t->zoomed[--t->n_zoomed]);
	free(t->base);
	timescan_release(&t->timescan);
	worst_release(&t->worst);
	free(t->baseline);
	free(t->beside);
	free(t->windows);
	found_release(&t->found);
	free(t->search);
	free(t->file_name);
	free(t->state);
	buf_release(&t->copied);
	free(t->place.line);
	colpick_release(&t->pick);
	buf_release(&t->where);
	buf_release(&t->message);
	edit_release(&t->edit);
	free(t);
}

/* ---- keys and time ------------------------------------------------------ */

void tui_key(struct tui *t, int key)
{
	static void (*const by_mode[])(struct tui *t, int key) = {
		[MODE_TABLE] = command_key,
		[MODE_PROMPT] = prompt_key,
		[MODE_HELP] = help_key,
		[MODE_MENU] = menu_key,
		[MODE_PAGE] = page_key,
		[MODE_EXPLAIN] = help_key,
		[MODE_PICK] = colpick_key,
	};

	if (key == TKEY_RESIZE || key == TKEY_MOUSE || key == TKEY_NONE)
		return;
	opening_stop(t);
	by_mode[t->mode](t, key);
}

static bool find_ticks(struct tui *t)
{
	int64_t last = t->src->last_ns, first = t->src->first_ns;

	if (!t->src->refresh)
		return false;
	t->src->refresh(t->src->ctx, t->src);
	if (t->src->last_ns == last && t->src->first_ns == first)
		return false;
	timescan_extend(&t->timescan, t->src);
	if (t->newest || t->pos_ns < t->src->first_ns) {
		t->pos_ns = t->newest ? t->src->last_ns : t->src->first_ns;
		t->stale = true;
	}
	return true;
}

static bool play(struct tui *t, int64_t now_ns)
{
	int64_t to;

	if (!t->playing || now_ns - t->played_ns < GS_MIN(PLAY_NS,
	    t->src->interval_ns))
		return false;
	t->played_ns = now_ns;
	to = source_after(t->src, t->pos_ns);
	if (to == t->pos_ns) {
		t->playing = false;
		tui_message(t, "this is the end");
		return true;
	}
	t->pos_ns = to;
	t->stale = true;
	return true;
}

bool tui_idle(struct tui *t, int64_t now_ns, bool *ret_busy)
{
	bool paint = t->interrupted || t->repaint;

	t->repaint = false;
	if (now_ns - t->refreshed_ns >= GS_NSEC_PER_SEC / 4) {
		t->refreshed_ns = now_ns;
		paint |= find_ticks(t);
	}
	paint |= play(t, now_ns);
	paint |= opening_idle(t);
	*ret_busy = t->interrupted || opening_is_busy(t);
	return paint;
}

bool tui_take_copy(struct tui *t, struct buf *to)
{
	buf_reset(to);
	buf_add(to, t->copied.ptr, t->copied.len);
	buf_reset(&t->copied);
	return to->len > 0;
}

bool tui_is_over(const struct tui *t)
{
	return t->over;
}
