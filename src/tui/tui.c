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

struct level *tui_level(struct tui *t)
{
	return t->n_zoomed > 0 ? &t->zoomed[t->n_zoomed - 1]
	                       : &t->base[t->view];
}

void tui_say(struct tui *t, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap); /* cut is fine */
	va_end(ap);
	buf_reset(&t->message);
	buf_add_str(&t->message, text);
	t->trouble = false;
}

void tui_complain(struct tui *t, const char *text)
{
	tui_say(t, "%s", text);
	t->trouble = true;
}

void tui_tell(struct tui *t, const char *text)
{
	tui_say(t, "%s", text);
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
	t->stale = true;
	return true;
}

void tui_choose(struct tui *t, size_t row)
{
	struct level *l = tui_level(t);

	l->row = row;
	level_set(&l->chosen, sheet_identity(&t->sheet, row));
}

/* ---- beginning ------------------------------------------------------------- */

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
	if (r < 0) {
		free(t);
		return r;
	}
	open_levels(t, &o->words, view_name(ask_view(ask)));
	ask_free(ask);
	set_window(t, o);
	(void)sweep_init(&t->sweep, s, 0, NULL, NULL); /* names no column */
	t->stale = true;
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
	for (i = 0; i < t->n_base; i++)
		level_release(&t->base[i]);
	while (t->n_zoomed > 0)
		level_release(&t->zoomed[--t->n_zoomed]);
	free(t->base);
	sweep_release(&t->sweep);
	buf_release(&t->where);
	buf_release(&t->message);
	edit_release(&t->edit);
	free(t);
}

/* ---- looking ------------------------------------------------------------------ */

static bool same_date(const struct zone *z, int64_t a, int64_t b)
{
	struct civil x = zone_to_civil(z, a), y = zone_to_civil(z, b);

	return x.day == y.day && x.month == y.month && x.year == y.year;
}

static void lay_out(struct tui *t)
{
	const struct range *r = &t->shot.range;
	struct cell_style style = { .utf8 = t->utf8, .zone = &t->src->zone,
		.date = !same_date(&t->src->zone, r->from_ns, r->to_ns),
		.digits = t->src->interval_ns < GS_NSEC_PER_SEC ? 3 : 0 };

	sheet_make(&t->sheet, &t->shot, &style, t->width);
}

/* The row that was chosen, wherever it is now. */
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

/* What was shot takes the place of what there was. */
static void install(struct tui *t, const struct shot *shot, struct ask *ask,
	const struct buf *where)
{
	size_t i;

	sheet_release(&t->sheet);
	shot_release(&t->shot);
	ask_free(t->ask);
	buf_release(&t->where);
	t->shot = *shot;
	t->ask = ask;
	t->where = *where;
	for (i = 0; tui_level(t)->active && i < shot->n_grid; i++)
		grid_drop_idle(t->shot.grid[i]);
	lay_out(t);
	find_chosen(t);
}

enum shot_result tui_shoot(struct tui *t, struct gs_err *err)
{
	struct range r = source_range(t->src, t->pos_ns, t->window_ns);
	struct shot shot = { 0 };
	struct ask *ask = NULL;
	struct buf where = BUF_INIT;
	struct ask_words words = level_words(tui_level(t), &where);
	enum shot_result is = SHOT_FAILED;

	if (ask_new(&words, &ask, err) == GS_OK)
		is = shot_take(&shot, t->src, ask, &r, err);
	t->given_up = is == SHOT_GIVEN_UP;
	t->stale = is != SHOT_DONE;
	if (is == SHOT_DONE) {
		install(t, &shot, ask, &where);
		return is;
	}
	ask_free(ask);
	buf_release(&where);
	return is;
}

void tui_look(struct tui *t, size_t width)
{
	static const struct shot nothing = { 0 };
	static const struct buf empty = BUF_INIT;
	bool resized = width != t->width;
	struct gs_err err = { .status = GS_OK };

	t->width = width;
	if (!t->stale && resized) {
		lay_out(t);
		find_chosen(t);
	}
	if (!t->stale || tui_shoot(t, &err) != SHOT_FAILED)
		return;
	tui_complain(t, err.msg);
	install(t, &nothing, NULL, &empty);
	t->stale = false; /* it would fail again */
}

/* ---- keys and time --------------------------------------------------------------- */

void tui_key(struct tui *t, int key)
{
	static void (*const by_mode[])(struct tui *t, int key) = {
		[MODE_TABLE] = command_key,
		[MODE_PROMPT] = prompt_key,
		[MODE_HELP] = help_key,
		[MODE_MENU] = menu_key,
	};

	if (key != TKEY_RESIZE && key != TKEY_NONE)
		by_mode[t->mode](t, key);
}

static bool look_for_ticks(struct tui *t)
{
	int64_t last = t->src->last_ns, first = t->src->first_ns;

	if (!t->src->refresh)
		return false;
	t->src->refresh(t->src->ctx, t->src);
	if (t->src->last_ns == last && t->src->first_ns == first)
		return false;
	sweep_extend(&t->sweep, t->src);
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
		tui_say(t, "this is the end");
		return true;
	}
	t->pos_ns = to;
	t->stale = true;
	return true;
}

bool tui_idle(struct tui *t, int64_t now_ns, bool *ret_busy)
{
	bool paint = t->given_up || t->repaint;

	t->repaint = false;
	if (now_ns - t->looked_ns >= GS_NSEC_PER_SEC / 4) {
		t->looked_ns = now_ns;
		paint |= look_for_ticks(t);
	}
	paint |= play(t, now_ns);
	if (!sweep_is_done(&t->sweep)) {
		(void)sweep_step(&t->sweep, t->src, t->sweep.start_ns, false);
		paint = true;
	}
	*ret_busy = t->given_up || !sweep_is_done(&t->sweep);
	return paint;
}

bool tui_is_over(const struct tui *t)
{
	return t->over;
}
