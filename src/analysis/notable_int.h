/* SPDX-License-Identifier: Apache-2.0 */
/*
 * notable_int.h - what the files of notable.h share.
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

/* Kills of the tick before, of which no victim had vanished yet. */
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
	/* the tick at hand */
	const struct world *w;
	const struct sessions *s;
	const struct tick *t;
};

/* ---- notable_list.c ---- */

/* Begins one; its text is whatever is added to n->texts until
 * notable_end(). */
void notable_begin(struct notables *n, enum event_kind kind,
	const struct host *h, int64_t value);
void notable_end(struct notables *n);

/* ---- notable_server.c ---- */

/* What ended is looked at before what came: a tick may have both. */
void notable_servers(struct notables *n);
void notable_forget_servers(struct notables *n);

/* ---- notable_memory.c ---- */

/* A large process takes its time to vanish: it is waited for once. */
void notable_late_kills(struct notables *n);
void notable_memory(struct notables *n, const struct host *h);

static inline uint64_t notable_cell(const struct row *r, unsigned col)
{
	uint64_t v = 0;

	(void)row_get(r, col, &v); /* absent counts as 0 */
	return v;
}

/* The process is gone, and neither only out of sight nor with its host. */
static inline bool notable_is_gone(const struct row *r)
{
	return !r->host->rebooted &&
	    (r->closed == CLOSE_EXITED || r->closed == CLOSE_UNSEEN);
}

#endif
