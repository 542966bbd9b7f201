/* SPDX-License-Identifier: Apache-2.0 */
/*
 * notable_int.h - shared by the files of notable.h.
 *
 *   notable.c         hosts, segments, sessions
 *   notable_list.c    what is noted of a tick
 *   notable_server.c  postmasters that come, go and crash
 *   notable_memory.c  processes that the kernel killed for memory
 */
#ifndef GS_ANALYSIS_NOTABLE_INT_H
#define GS_ANALYSIS_NOTABLE_INT_H

#include "analysis/notable.h"
#include "base/buf.h"

/* OOM kills of the tick before whose victim had not disappeared yet. */
struct late_kill {
	uint32_t host;
	uint64_t kills;
};

struct notables {
	struct below *below;
	struct item {
		enum event_kind kind;
		uint32_t host;
		int64_t value;
		size_t at; /* of its text in texts */
	} *item;
	size_t n, cap;
	struct buf texts;
	struct late_kill *late;
	size_t n_late, late_cap;
	int64_t wall_ns;
	/* the current tick */
	const struct world *w;
	const struct sessions *s;
	const struct tick *t;
};

/* ---- notable_list.c ---- */

/* Begins an event.  Its text is all that is added to n->texts before
 * notable_end(). */
void notable_begin(struct notables *n, enum event_kind kind,
	const struct host *h, int64_t value);
void notable_end(struct notables *n);

/* ---- notable_server.c ---- */

/* Ended postmasters are checked before new ones: a tick may have both. */
void notable_servers(struct notables *n);
void notable_forget_servers(struct notables *n);

/* ---- notable_memory.c ---- */

/* A large process takes time to disappear: one more tick is waited for it. */
void notable_late_kills(struct notables *n);
void notable_memory(struct notables *n, const struct host *h);

static inline uint64_t notable_cell(const struct row *r, unsigned col)
{
	uint64_t v = 0;

	(void)row_get(r, col, &v); /* absent counts as 0 */
	return v;
}

/* The process has ended: it is not merely out of sight, and its host is still
 * there. */
static inline bool notable_is_gone(const struct row *r)
{
	return !r->host->rebooted &&
	    (r->closed == CLOSE_EXITED || r->closed == CLOSE_UNSEEN);
}

#endif
