/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watch_judge.h"

#include <string.h>

#include "model/world.h"
#include "view/findings_view.h"

/* What ended, holes and events are dropped so often. */
#define RESTART_TICKS 64

void watch_judge_init(struct watch_judge_state *s, int64_t interval_ns,
	const struct findings_ask *ask)
{
	*s = (struct watch_judge_state) { .ask = *ask,
		.interval_ns = interval_ns,
		.budget = { .limit_bytes = WATCH_MEMORY_MAX } };
}

void watch_judge_release(struct watch_judge_state *s)
{
	if (!s->findings)
		return;
	findings_free(s->findings);
	engine_release(&s->engine);
	s->findings = NULL;
}

static void open_engine(struct watch_judge_state *s)
{
	s->zone = zone_fixed(zone_offset_here());
	engine_init(&s->engine, s->interval_ns);
	world_set_budget(s->engine.world, &s->budget);
	s->findings = findings_new_of(&findings_views, &s->engine, &s->zone,
	    &s->ask);
}

static void note_gap(struct watch_judge_state *s, const struct tick *t)
{
	struct cursor_gap gap = { .from_ns = s->engine.to_ns,
		.to_ns = t->wall_ns, .file = "" };

	if (s->begun)
		engine_gap(&s->engine, &gap);
}

static void count(struct watch_judge_state *s)
{
	if (!s->begun)
		engine_begin(&s->engine, true);
	else if (s->ticks % RESTART_TICKS == 0)
		engine_restart(&s->engine);
	s->begun = true;
	s->ticks++;
}

int watch_judge_tick(struct watch_judge_state *s, const struct tick *t,
	bool again, bool lost, struct gs_err *err)
{
	int r;

	if (!s->findings)
		open_engine(s);
	if ((s->lost || !s->begun) && !t->key)
		return GS_OK; /* nothing to build on */
	if (lost || s->lost)
		note_gap(s, t);
	if (again && s->begun && !lost && !s->lost)
		r = engine_repeat(&s->engine, t, err);
	else
		r = engine_tick(&s->engine, t, err);
	s->lost = r < 0;
	if (r == GS_OK && !again)
		count(s);
	return r == GS_E_MEMORY ? r : GS_OK;
}
