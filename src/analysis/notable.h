/* SPDX-License-Identifier: Apache-2.0 */
/*
 * notable.h - events of a tick, derived from its rows.
 *
 * Live and replay derive the same events.  From /proc alone: a postmaster began
 * or is gone; a checkpointer was born under the postmaster of one that ended
 * (crash reset: the server lost all its processes and started again); the OOM
 * killer ended a process; a host was booted, or its clock set.  From the
 * catalog: role, mode or status of a segment changed.  From titles: a session
 * continues under another id.  An event that the recorder itself recorded in
 * the same tick is not repeated.
 *
 * Use: notable_tick() after every sessions_tick(); then notable_count() and
 * notable_get().
 */
#ifndef GS_ANALYSIS_NOTABLE_H
#define GS_ANALYSIS_NOTABLE_H

#include "analysis/sessions.h"
#include "model/tick.h"
#include "model/world.h"

/* A wall clock that moved less than this against the host's boot clock was
 * slewed, or comes from a captured tree, where the kernel gives whole seconds. */
#define NOTABLE_STEP_NS INT64_C(1500000000)

struct notable {
	enum event_kind kind;
	int64_t wall_ns; /* time of the tick */
	uint32_t host; /* index, or EVENT_NO_HOST */
	int64_t value; /* meaning: enum event_kind */
	const char *text; /* one line; valid until the next notable_tick() */
};

struct notables;

struct notables *notables_new(void);
void notables_free(struct notables *n);

/* Processes the last tick, which is t. */
void notable_tick(struct notables *n, const struct world *w,
	const struct sessions *s, const struct tick *t);

size_t notable_count(const struct notables *n);
struct notable notable_get(const struct notables *n, size_t i);

#endif
