/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findings.c - one tick: the table of each view, the rules on its rows.
 */
#include "findings/findings.h"

#include <stdlib.h>

#include "base/mem.h"
#include "findings/findings_int.h"
#include "model/walk.h"

static void apply(struct judged *j, struct grid *g,
	const struct tick_span *t, const struct engine *e)
{
	size_t i;

	filter_table(j->filter, g);
	for (i = 0; i < g->n_row; i++) {
		struct grid_row *row = &g->row[i];
		bool holds = judged_holds(j, row, NULL);

		if (j->until && filter_match(j->until, row))
			run_over(j, row);
		if (holds)
			run_hold(j, g, row, t, e);
		else
			filter_learn(j->filter, row);
	}
	if (j->in->ask.tell)
		runs_tell(j, g, e);
}

static bool is_set_back(const struct findings *f, const struct engine *e)
{
	return f->any && e->to_ns < f->before_ns;
}

/* After a hole, or with another clock, the first tick says only what was within its own
 * interval. */
static struct tick_span span_of_tick(const struct findings *f,
	const struct engine *e)
{
	int64_t interval_ns = e->skipped_all ? engine_sampled_ns(e) : e->interval_ns;
	struct tick_span t = { f->before_ns, e->to_ns, 0, interval_ns,
		.blind = false };
	struct cursor_gap gap = { .from_ns = f->before_ns,
		.to_ns = e->to_ns };

	if (!f->any) {
		t.from_ns = e->to_ns;
		t.cut = CUT_START;
	} else if (is_set_back(f, e)) {
		t.from_ns = e->to_ns - interval_ns;
		t.cut = CUT_HOLE_BEFORE;
	} else if (interval_ns > 0 && walk_is_hole(&gap, interval_ns)) {
		t.from_ns = e->to_ns - interval_ns;
		t.cut = CUT_HOLE_BEFORE;
		t.blind = pace_is_blind(e->to_ns - f->before_ns, interval_ns);
	} else if (f->ticks == 0) {
		t.cut = CUT_START;
	}
	return t;
}

static void tick(void *self, const struct engine *e)
{
	struct findings *f = self;
	struct tick_span t = span_of_tick(f, e);
	size_t i, k;

	if (!f->begun) { /* restart() would drop all that it says */
		f->before_ns = e->to_ns;
		f->any = true;
		return;
	}
	if (t.blind)
		stall_note(f, e);
	for (i = 0; i < f->n_judged && is_set_back(f, e); i++)
		runs_cut(&f->judged[i]);
	for (i = 0; i < f->n_table; i++) {
		struct table_use *u = f->table[i];
		bool recorded = false;
		struct grid *g;

		if (u->n_judged == 0)
			continue;
		if (!f->from->has_rows(u->use, e, &recorded)) {
			u->recorded |= recorded;
			continue;
		}
		g = f->from->grid(u->use, e);
		for (k = 0; k < u->n_judged; k++)
			apply(u->judged[k], g, &t, e);
		grid_free(g);
	}
	for (i = 0; i < f->n_judged; i++)
		runs_end(&f->judged[i], &t);
	f->before_ns = e->to_ns;
	f->any = true;
	f->ticks++;
}

static void drop_done(struct findings *f)
{
	size_t i;

	for (i = 0; i < f->n_done; i++)
		run_free(f->done[i]);
	f->n_done = 0;
	f->n_more = 0;
}

static void drop_open(struct findings *f)
{
	size_t i;

	for (i = 0; i < f->n_judged; i++)
		runs_drop(&f->judged[i]);
}

/* A range begins.  What ended before is not in it; what began before is, with
 * its beginning, and what is said of it is of the worst tick of the range.  But nothing
 * began before the first range: figures depend on nothing before that but the tick at
 * its start. */
static void restart(void *self, const struct engine *e)
{
	struct findings *f = self;
	size_t i;

	(void)e;
	drop_done(f);
	f->range++;
	if (f->begun) {
		for (i = 0; i < f->n_judged; i++) {
			if (!f->judged[i].until)
				runs_restart(&f->judged[i]);
		}
		return;
	}
	f->begun = true;
	f->ticks = 0;
	drop_open(f);
	for (i = 0; i < f->n_judged; i++) {
		filter_forget(f->judged[i].filter);
		f->judged[i].n_row = f->judged[i].n_judged = 0;
	}
}

struct findings *findings_new(const struct findings_from *from,
	struct engine *e, const struct zone *zone)
{
	const struct findings_ask all = { .all = true };

	return findings_new_of(from, e, zone, &all);
}

struct findings *findings_new_of(const struct findings_from *from,
	struct engine *e, const struct zone *zone,
	const struct findings_ask *ask)
{
	struct findings *f = gs_calloc(1, sizeof(*f));
	struct follower follow = { .self = f, .tick = tick,
		.restart = restart };

	f->from = from;
	f->zone = zone;
	f->ask = *ask;
	tables_make(f, e);
	engine_add_follower(e, &follow);
	return f;
}

void findings_free(struct findings *f)
{
	if (!f)
		return;
	drop_done(f);
	drop_open(f);
	free(f->done);
	tables_free(f);
	free(f);
}

bool findings_are_cheap(int64_t length_ns, int64_t interval_ns)
{
	return length_ns <= 0 || interval_ns <= 0 ||
	    length_ns / interval_ns <= FINDINGS_UNASKED_TICKS;
}
