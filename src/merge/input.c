/* SPDX-License-Identifier: Apache-2.0 */
#include "merge/input.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"

int input_open(char *const *path, size_t n, struct pick *pick,
	struct input **ret, struct gs_err *err)
{
	struct input *l = gs_calloc(1, sizeof(*l));
	int r = archive_open(path, n, &l->archive, err);
	const struct header *h;

	if (r < 0) {
		free(l);
		return r;
	}
	h = archive_header(l->archive);
	l->recorder = gs_strdup(h->recorder_host ? h->recorder_host : "");
	row_filter_init(&l->filter, pick, h->interval_ns);
	walk_begin(&l->walk, archive_cursor(l->archive), h->interval_ns);
	if (!archive_range(l->archive, &l->first_ns, &l->last_ns)) {
		r = gs_fail(err, GS_E_USAGE, "%s: can't be read "
		    "twice: merge needs files", path[0]);
		input_free(l);
		return r;
	}
	*ret = l;
	return GS_OK;
}

static void clear_hosts(struct input *l)
{
	size_t i;

	for (i = 0; i < l->n_host; i++)
		free(l->host[i].name);
	l->n_host = 0;
}

void input_free(struct input *l)
{
	if (!l)
		return;
	clear_hosts(l);
	row_filter_release(&l->filter);
	archive_free(l->archive);
	free(l->recorder);
	free(l->thin);
	free(l->full);
	free(l->host);
	free(l->led);
	free(l);
}

int64_t input_interval(const struct input *l)
{
	return l->filter.pace.interval_ns > 0 ? l->filter.pace.interval_ns
	                               : GS_NSEC_PER_SEC;
}

const char *input_name(const struct input *l)
{
	return archive_file(l->archive, 0);
}

struct input_host *input_host(struct input *l, size_t i)
{
	GS_GROW(l->host, &l->host_cap, i + 1);
	while (l->n_host <= i)
		l->host[l->n_host++] = (struct input_host) { .seen = false };
	return &l->host[i];
}

/* ---- ticks ------------------------------------------------------------ */

int input_seek(struct input *l, int64_t wall_ns, struct gs_err *err)
{
	struct pick *pick = l->filter.pick;
	int64_t interval = l->filter.pace.interval_ns;

	row_filter_release(&l->filter);
	row_filter_init(&l->filter, pick, interval);
	clear_hosts(l);
	l->held = NULL;
	l->ended = l->waits = l->begun = l->joined = l->gap = false;
	l->merged = 0;
	l->n_led = 0;
	return walk_seek(&l->walk, wall_ns == INT64_MIN
	    ? INT64_MIN : wall_ns + l->shift_ns, err);
}

static int64_t ours(const struct input *l, int64_t ns)
{
	return ns == INT64_MIN || ns == INT64_MAX ? ns : ns - l->shift_ns;
}

/* Of several successive gaps the first gives the reason. */
static void note_gap(struct input *l, const struct cursor_gap *gap)
{
	uint64_t ticks = l->gap ? l->gap_is.ticks : 0;

	row_filter_lost(&l->filter);
	if (!l->gap || !l->gap_is.why[0]) {
		l->gap_is = *gap;
		l->gap_is.from_ns = l->begun ? l->at_ns
		                             : ours(l, gap->from_ns);
	} else {
		l->gap_is.ticks += gap->ticks;
		l->gap_is.damage |= gap->damage;
	}
	l->gap_is.to_ns = ours(l, gap->to_ns);
	l->gap_is.ticks = GS_MAX(l->gap_is.ticks, ticks);
	l->gap = true;
}

/* The tick can't be applied; the next ones are skipped up to a key. */
static void note_loss(struct input *l, const struct gs_err *why)
{
	if (why->status == GS_E_MEMORY)
		l->refused = *why; /* input_fetch() ends with it */
	walk_lose(&l->walk, why);
	row_filter_lost(&l->filter);
}

/* A tick that was returned before, as a key. */
static void repeat(struct input *l, const struct tick *t)
{
	struct gs_err why;

	if (row_filter_tick(&l->filter, t, &why) < 0)
		note_loss(l, &why);
}

enum cursor_step input_fetch(struct input *l, struct gs_err *err)
{
	const struct tick *t = NULL;
	struct cursor_gap gap;
	enum cursor_step s;

	while (!l->held && !l->ended && l->refused.status == GS_OK) {
		s = walk_next(&l->walk, &t, &gap, err);
		if (s == CURSOR_ERROR)
			return s;
		if (s == CURSOR_GAP) {
			note_gap(l, &gap);
		} else if (s == CURSOR_REPEAT) {
			repeat(l, t);
		} else if (s != CURSOR_TICK) {
			l->ended = true;
			l->waits = s == CURSOR_WAIT;
		} else {
			l->held = t;
			l->next_ns = ours(l, t->wall_ns);
		}
	}
	if (l->refused.status != GS_OK) {
		(void)gs_fail(err, l->refused.status, "%s", l->refused.msg);
		return CURSOR_ERROR;
	}
	if (l->gap && l->held)
		l->gap_is.to_ns = l->next_ns;
	return l->held ? CURSOR_TICK : l->waits ? CURSOR_WAIT : CURSOR_END;
}

/* A key repeats hosts that did not answer. */
static bool is_fresh(const struct host *h)
{
	return h->sampled && (h->blocks == 1 ||
	    h->clock.mono_ns != h->prev.mono_ns ||
	    h->clock.sequence != h->prev.sequence ||
	    h->clock.connection != h->prev.connection);
}

static void update_hosts(struct input *l)
{
	size_t i;

	for (i = 0; i < world_hosts(l->filter.world); i++) {
		struct input_host *b = input_host(l, i);

		b->fresh = is_fresh(world_host(l->filter.world, i));
		/* a delta does not repeat */
		b->lost = !b->fresh && !l->held->key &&
		    world_host(l->filter.world, i)->sampled;
		b->seen = b->fresh || (b->seen && !b->lost);
		if (b->fresh)
			b->seen_ns = l->at_ns;
	}
}

bool input_apply(struct input *l, uint64_t merged)
{
	struct gs_err why;
	size_t i;

	l->at_ns = l->next_ns;
	l->begun = true;
	if (row_filter_tick(&l->filter, l->held, &why) < 0) {
		for (i = 0; i < l->n_host; i++)
			l->host[i].fresh = l->host[i].lost = false;
		note_loss(l, &why);
		return false;
	}
	l->merged = merged;
	l->joined = true;
	update_hosts(l);
	return true;
}

bool input_covers(const struct input *l, int64_t now_ns)
{
	if (l->joined)
		return true;
	return l->begun && l->held && !l->gap && now_ns >= l->at_ns &&
	    walk_is_near(l->at_ns, l->next_ns, input_interval(l));
}
