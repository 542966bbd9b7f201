/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_event.c - events of a merged tick: of all sources, in order of time.
 *
 * Events of a host, or of the database, come from the owner of its samples.
 */
#include "merge/merge_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"
#include "base/when.h"

static bool is_of_database(enum event_kind kind)
{
	return kind == EVENT_DATABASE_UP || kind == EVENT_DATABASE_DOWN ||
	    kind == EVENT_SEGMENT || kind == EVENT_SESSION;
}

/* The number in the merged recording of a host of an input. */
static uint32_t number_of(struct input *l, uint32_t index)
{
	size_t i;

	for (i = 0; i < world_hosts(l->filter.world); i++) {
		if (world_host(l->filter.world, i)->index == index &&
		    input_host(l, i)->is_known)
			return (uint32_t)l->host[i].out;
	}
	return EVENT_NO_HOST;
}

static bool is_anothers(const struct merge *m, const struct input *l,
	const struct event *e, uint32_t host)
{
	size_t i;

	if (host != EVENT_NO_HOST)
		return m->host[host].owner && m->host[host].owner != l;
	for (i = 0; is_of_database(e->kind) && i < m->n_host; i++) {
		if (m->host[i].catalog && m->host[i].owner &&
		    m->host[i].owner != l)
			return true;
	}
	return false;
}

static const char *text_of(const struct tick *t, const struct event *e)
{
	return tick_text_at(t, e->off);
}

static bool is_same(const struct tick *t, const struct event *a,
	const struct event *b)
{
	return a->kind == b->kind && a->wall_ns == b->wall_ns &&
	    a->host == b->host && a->value == b->value && a->len == b->len &&
	    memcmp(text_of(t, a), text_of(t, b), a->len) == 0;
}

/* Inserts the event after those of its time; one that two recorders report
 * comes once. */
static void sort_in(struct tick *t)
{
	struct event last = t->event[t->n_event - 1];
	size_t i;

	for (i = 0; i + 1 < t->n_event; i++) {
		if (is_same(t, &t->event[i], &last)) {
			t->n_event--;
			return;
		}
	}
	for (; i > 0 && t->event[i - 1].wall_ns > last.wall_ns; i--)
		t->event[i] = t->event[i - 1];
	t->event[i] = last;
}

/* All times of a source are shifted by one difference. */
static void note_step(struct merge *m, const struct input *l,
	const struct event *e)
{
	struct buf b = BUF_INIT;
	char span[WHEN_SPAN_MAX];

	if (e->kind != EVENT_CLOCK_STEP || e->host != EVENT_NO_HOST ||
	    m->n_input == 1)
		return;
	when_span(span, e->value < 0 ? gs_difference(0, e->value) : e->value);
	buf_printf(&b, "%s: the clock of its recorder was set %s by %s while "
	    "it recorded: from then on its times are so far from those of the "
	    "others", input_name(l), e->value < 0 ? "back" : "forward", span);
	merge_add_note(m, b.ptr);
}

/* add_hole() tells of it. */
static bool is_hole(const struct merge *m, const struct input *l,
	const struct event *e)
{
	return e->kind == EVENT_HOLE && !m->gap_reported && l->gap &&
	    e->len == strlen(l->gap_is.why) &&
	    memcmp(text_of(l->held, e), l->gap_is.why, e->len) == 0;
}

static void add_events(struct merge *m, struct input *l)
{
	const struct tick *t = l->held;
	size_t i;

	for (i = 0; i < t->n_event; i++) {
		const struct event *e = &t->event[i];
		uint32_t host = e->host == EVENT_NO_HOST ? EVENT_NO_HOST
		    : number_of(l, e->host);

		note_step(m, l, e);
		if (is_anothers(m, l, e, host) || is_hole(m, l, e))
			continue;
		tick_add_event(&m->events, e->kind, e->wall_ns - l->shift_ns,
		    host, e->value, text_of(t, e), e->len);
		sort_in(&m->events);
	}
}

/* A hole of this input: its hosts were not seen, while others were. */
static void add_hole(struct merge *m, const struct input *l)
{
	struct buf b = BUF_INIT;

	if (!l->gap || !l->gap_is.why[0])
		return;
	buf_printf(&b, "%s%s%s", l->gap_is.why, l->recorder[0]
	    ? ": recorder on " : "", l->recorder);
	tick_add_event(&m->events, EVENT_HOLE, l->at_ns, EVENT_NO_HOST,
	    (int64_t)GS_MIN(l->gap_is.ticks, INT64_MAX), buf_str(&b), b.len);
	sort_in(&m->events);
	buf_release(&b);
}

void merge_encode_events(struct merge *m)
{
	struct tick *t = &m->events;
	size_t i;

	for (i = 0; i < m->n_input; i++) {
		if (!m->input[i]->joined)
			continue;
		if (!m->gap_reported)
			add_hole(m, m->input[i]);
		add_events(m, m->input[i]);
	}
	for (i = 0; i < t->n_event; i++) {
		char *text = gs_strndup(text_of(t, &t->event[i]),
		    t->event[i].len);

		encoder_event(m->encoder, t->event[i].kind, t->event[i].wall_ns,
		    t->event[i].host, t->event[i].value, text);
		free(text);
	}
	tick_reset(t);
}
