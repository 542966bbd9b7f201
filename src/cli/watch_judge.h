/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch_judge.h - ticks as they come, and what rules find in them: the same
 * engine and the same rules as those of gpsnap findings.
 */
#ifndef GS_CLI_WATCH_JUDGE_H
#define GS_CLI_WATCH_JUDGE_H

#include "base/budget.h"
#include "findings/findings.h"
#include "query/engine.h"

/* Memory for the state of all hosts. */
#define WATCH_MEMORY_MAX ((size_t)512 << 20)

struct watch_judge_state {
	struct engine engine;
	struct gs_budget budget;
	struct findings *findings; /* NULL: no tick came yet */
	struct findings_ask ask;
	struct zone zone;
	int64_t interval_ns;
	bool begun;
	bool lost; /* up to the next key */
	uint64_t ticks;
};

/* ask is copied; what it points to must outlive it.  Must not be moved after its
 * first tick. */
void watch_judge_init(struct watch_judge_state *s, int64_t interval_ns,
	const struct findings_ask *ask);
void watch_judge_release(struct watch_judge_state *s);

/* Judges a tick; again: one that was given before, now as a key; lost: ticks
 * before it are missing.  GS_E_MEMORY: it can't go on. */
int watch_judge_tick(struct watch_judge_state *s, const struct tick *t,
	bool again, bool lost, struct gs_err *err);

#endif
