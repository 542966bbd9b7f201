/* SPDX-License-Identifier: Apache-2.0 */
/*
 * time.c - keys that move in time.
 */
#include "base/buf.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/when.h"
#include "tui/tui_int.h"

/* Lengths of a window, in seconds. */
static const int64_t lengths[] = { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600,
	900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 2 * 86400,
	7 * 86400, 30 * 86400 };

void time_go(struct tui *t, int64_t pos_ns)
{
	pos_ns = source_clamp(t->src, pos_ns);
	t->playing = false;
	t->newest = t->newest && pos_ns == t->src->last_ns;
	if (pos_ns != t->pos_ns)
		t->stale = true;
	t->pos_ns = pos_ns;
}

void time_span(struct tui *t, int64_t from_ns, int64_t to_ns)
{
	char span[WHEN_SPAN_MAX];

	t->newest = false;
	to_ns = source_clamp(t->src, to_ns);
	from_ns = source_clamp(t->src, from_ns);
	t->window_ns = GS_MAX(to_ns - from_ns,
	    GS_MAX(t->src->interval_ns, 1));
	time_go(t, to_ns);
	t->stale = true;
	when_age(span, (double)t->window_ns / 1e9);
	tui_message(t, "window of %s", span);
}

/* Time of the tick before the current one; its own if that is the first. */
static int64_t tick_before(struct tui *t)
{
	const struct tick *tick;
	int64_t before, after;
	struct gs_err err;

	if (cursor_beside(t->src->cursor, t->pos_ns, &before, &after))
		return before == INT64_MIN ? t->pos_ns : before;
	t->back.cursor = t->src->cursor;
	if (t->back.here.wall_ns != t->pos_ns &&
	    walk_seek(&t->back, t->pos_ns, &err) < 0)
		return t->pos_ns;
	return walk_prev(&t->back, &tick, &err) == CURSOR_TICK
	    ? tick->wall_ns : t->pos_ns;
}

void time_tick(struct tui *t, int direction)
{
	int64_t to = direction > 0 ? source_after(t->src, t->pos_ns)
	                           : tick_before(t);

	if (to == t->pos_ns)
		tui_message(t, "this is the %s tick", direction > 0 ? "last"
		                                                : "first");
	t->newest = false;
	time_go(t, to);
}

void time_move(struct tui *t, int seconds)
{
	int64_t to = t->pos_ns + (int64_t)seconds * GS_NSEC_PER_SEC;

	if (to > t->src->last_ns || to < t->src->first_ns)
		tui_message(t, "the recording %s here", seconds > 0 ? "ends"
		                                                : "begins");
	t->newest = false;
	time_go(t, to);
}

/* The first window is whole. */
void time_edge(struct tui *t, int end)
{
	t->newest = end && t->src->grows;
	time_go(t, end ? t->src->last_ns
	    : source_after(t->src, t->src->first_ns + t->window_ns - 1));
}

void time_newest(struct tui *t, int arg)
{
	(void)arg;
	time_edge(t, 1);
}

void time_pause(struct tui *t, int arg)
{
	(void)arg;
	if (t->src->grows && (t->newest || t->pos_ns == t->src->last_ns)) {
		t->newest = !t->newest;
		if (t->newest)
			time_edge(t, 1);
		else
			tui_message(t, "paused; z goes to the newest");
		return;
	}
	t->playing = !t->playing;
	if (t->playing && t->pos_ns >= t->src->last_ns && !t->src->grows) {
		t->playing = false;
		tui_message(t, "this is the end");
	}
}

/* Scans until the range between is known; NULL if a key is pending, or there is
 * no note. */
static const struct timescan_note *find_note(struct tui *t, int direction)
{
	int64_t pos = t->pos_ns;
	int64_t before = tick_before(t);

	if (before == pos)
		before = pos - 1;
	for (;;) {
		const struct timescan_note *n = direction > 0
		    ? timescan_next(&t->timescan, pos)
		    : timescan_previous(&t->timescan, before + 1);
		int64_t known = direction > 0
		    ? timescan_known_to(&t->timescan, pos)
		    : timescan_known_from(&t->timescan, pos);

		if (n && (direction > 0 ? n->at_ns <= known
			                : n->at_ns >= known))
			return n;
		if (timescan_is_done(&t->timescan))
			return n;
		if (t->src->hurry && t->src->hurry(t->src->ctx))
			return NULL;
		(void)timescan_step(&t->timescan, t->src, direction > 0 ? known
		    : known - 1, direction < 0);
	}
}

void time_note(struct tui *t, int direction)
{
	const struct timescan_note *n = find_note(t, direction);

	if (!n) {
		tui_message(t, "%s %s event or hole",
		    timescan_is_done(&t->timescan) ? "no"
		    : "still looking for an", direction > 0 ? "later"
		    : "earlier");
		return;
	}
	t->newest = false;
	/* the tick that shows it */
	time_go(t, source_after(t->src, GS_MAX(n->end_ns, n->at_ns) - 1));
	tui_message(t, "%s%s", n->kind == 0 ? "hole: " : "", n->text);
}

/* The next length, within those that suit the recording. */
static int64_t next_length(const struct tui_source *s, int64_t ns, int direction)
{
	int64_t least = s->interval_ns, best = 0;
	int64_t most = GS_MAX(s->last_ns - s->first_ns, least);
	size_t i;

	for (i = 0; i < GS_LEN(lengths); i++) {
		int64_t l = lengths[i] * GS_NSEC_PER_SEC;

		if (direction < 0 && l < ns)
			best = l;
		else if (direction > 0 && l > ns && best == 0)
			best = l;
	}
	best = GS_MAX(best == 0 && direction > 0 ? ns : best, least);
	return GS_MIN(best, most);
}

/* All of the windows, or none: they stay apart. */
static void step_windows(struct tui *t, int direction)
{
	int64_t ns[VIEW_WINDOWS_MAX], next, before = 0;
	struct buf to = BUF_INIT;
	size_t n = 0, i;

	if (units_durations(t->windows, ns, VIEW_WINDOWS_MAX, &n, NULL) < 0)
		return;
	for (i = 0; i < n; i++, before = next) {
		char span[WHEN_SPAN_MAX];

		next = next_length(t->src, ns[i], direction);
		if (next == ns[i] || next <= before ||
		    next % GS_NSEC_PER_SEC != 0) /* all there is */
			break;
		when_span(span, next);
		buf_printf(&to, "%s%s", i > 0 ? "," : "", span);
	}
	if (i == n) {
		level_set(&t->windows, buf_str(&to));
		t->stale = true;
	}
	tui_message(t, i == n ? "windows of %s" : "windows stay %s: there "
	    "are no other lengths", t->windows);
	buf_release(&to);
}

void time_window(struct tui *t, int direction)
{
	char span[WHEN_SPAN_MAX];

	if (t->windows) {
		step_windows(t, direction);
		return;
	}
	t->window_ns = next_length(t->src, t->window_ns, direction);
	t->stale = true;
	if (t->window_ns % GS_NSEC_PER_SEC == 0)
		when_span(span, t->window_ns);
	else
		when_age(span, (double)t->window_ns / 1e9);
	tui_message(t, "window of %s", span);
}
