/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worst.h - the findings of the whole recording, looked for a few ticks at a
 * time, so that keys are handled meanwhile.
 *
 * Use: worst_begin(); worst_step() when idle until it returns false;
 * worst_grid() at any time; worst_release().
 */
#ifndef GS_TUI_WORST_H
#define GS_TUI_WORST_H

#include "findings/findings.h"
#include "query/range.h"
#include "tui/source.h"

/* A recording of more ticks is searched only if the user asks: it takes as long
 * as two passes of a view. */
#define WORST_UNASKED_TICKS 20000

struct worst {
	bool begun, over, failed;
	const struct tui_source *src; /* not owned */
	struct engine engine;
	struct findings *findings;
	struct range range;
	struct range_result result;
	struct range_run *run;
	struct cursor of; /* the source's; others move it between steps */
	bool moved, after_gap;
	int64_t at_ns; /* the last tick that was taken; INT64_MIN: none */
	uint64_t at_seq;
	int64_t until_ns; /* of this step, by the monotonic clock */
	unsigned steps;
	bool paused; /* it ended before the recording did */
};

/* src must outlive it. */
void worst_begin(struct worst *w, const struct tui_source *src);
void worst_release(struct worst *w);

/* True if it would not be begun without being asked for. */
bool worst_is_long(const struct tui_source *src);

/* Goes on for about so long; true: there is more to do. */
bool worst_step(struct worst *w, int64_t for_ns);

/* The part of the recording that was searched, 0 to 100. */
unsigned worst_percent(const struct worst *w);

/* What was found so far, the worst first; the caller frees it.  NULL: no
 * search. */
struct grid *worst_grid(const struct worst *w);

#endif
