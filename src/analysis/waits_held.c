/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_held.c - time of segments' processes.
 *
 * Segments are asked less often than the coordinator, so a range, or a step of one,
 * may have none of their samples: what a sample saw is held until the next one, or
 * until the answers have stopped.  It is counted when the next sample comes, and
 * before sums are read; so steps add up to the whole.
 */
#include "analysis/waits_int.h"
#include "base/arith.h"
#include "base/compiler.h"

static void add_held(struct waits *s, struct seen *b, int64_t ns)
{
	const struct wait_event *event = b->backend.event;
	struct row_entry *e = waits_entry(s, b, event, b->backend.query);
	struct wait_sum *sum = waits_entry_sum(e, true);

	sum->time_ns = gs_sum(sum->time_ns, ns);
	if (event->kind < WAIT_CPU)
		return;
	b->backend.db_time_ns = gs_sum(b->backend.db_time_ns, ns);
	s->total.segment_time_ns = gs_sum(s->total.segment_time_ns, ns);
}

static void hold_to(struct waits *s, struct stream *t, int64_t to_ns)
{
	int64_t ns = gs_difference(to_ns, t->held_to_ns);
	size_t i;

	if (ns <= 0)
		return;
	for (i = 0; i < s->n_lively; i++) {
		struct seen *b = s->lively[i];

		if (b->backend.open && b->stream == t &&
		    b->sample == t->number)
			add_held(s, b, ns);
	}
	t->held_to_ns = to_ns;
	t->sum_ns = gs_sum(t->sum_ns, ns);
}

void waits_hold(struct waits *s, struct stream *t)
{
	if (!t->is_held || !t->begun)
		return;
	if (t->is_told) /* in a thinned recording, of all time up to this tick */
		t->held_to_ns = t->now_ns;
	else
		hold_to(s, t, GS_MIN(t->now_ns,
		    gs_sum(t->sample_ns, t->gap_ns)));
}

void waits_settle(struct waits *s)
{
	waits_catch_up(s);
	waits_hold(s, &s->catalog[SEGMENTS]);
}
