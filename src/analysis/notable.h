/* SPDX-License-Identifier: Apache-2.0 */
/*
 * notable.h - what happened in a tick, concluded from its rows.
 *
 * Live and replay conclude the same, from /proc alone: a postmaster began or
 * is gone; a checkpointer was born under the postmaster of one that ended
 * (crash reset: the server lost all its processes and began anew); the kernel
 * killed for memory; a host was booted, or its clock set.  From the catalog:
 * role, mode or status of a segment changed.  From titles: a session goes on
 * under another id.  What the recorder noted itself in the same tick is not
 * said twice.
 *
 * Use: notable_tick() after every sessions_tick(); then ask.
 */
#ifndef GS_ANALYSIS_NOTABLE_H
#define GS_ANALYSIS_NOTABLE_H

#include "analysis/sessions.h"
#include "model/tick.h"
#include "model/world.h"

/* A wall clock that moved by less against the host's boot clock was slewed, or
 * is that of a captured tree, where the kernel gives whole seconds. */
#define NOTABLE_STEP_NS INT64_C(1500000000)

struct notable {
	enum event_kind kind;
	int64_t wall_ns; /* the tick's */
	uint32_t host; /* index, or EVENT_NO_HOST */
	int64_t value; /* as enum event_kind says */
	const char *text; /* one line; until the next notable_tick() */
};

struct notables;

struct notables *notables_new(void);
void notables_free(struct notables *n);

/* Looks at the last tick, which is t. */
void notable_tick(struct notables *n, const struct world *w,
	const struct sessions *s, const struct tick *t);

size_t notable_count(const struct notables *n);
struct notable notable_get(const struct notables *n, size_t i);

#endif
