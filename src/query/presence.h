/* SPDX-License-Identifier: Apache-2.0 */
/*
 * presence.h - when each host of a recording was there, and when it was not.
 *
 * A host that the newest header names is to be there.  Where nothing of it
 * comes for more than 1.5 intervals, although the recorder was at work, data
 * is missing: a hole of that host alone.  An answer that is late is none: the
 * next one covers its time.
 */
#ifndef GS_QUERY_PRESENCE_H
#define GS_QUERY_PRESENCE_H

#include "model/world.h"

struct presence;

struct presence *presence_new(void);
void presence_free(struct presence *p);

/* What was before is not known: at the tick at wall_ns a range begins. */
void presence_begin(struct presence *p, int64_t wall_ns);

/* A hole of one host; why says of which, too. */
typedef void (*presence_fn)(void *ctx, const struct host *h, int64_t from_ns,
	int64_t to_ns, const char *why);

/* After a tick at wall_ns: gives the holes that it ends. */
void presence_tick(struct presence *p, const struct world *w,
	int64_t wall_ns, int64_t interval_ns, presence_fn fn, void *ctx);

/* The recorder itself has nothing up to to_ns. */
void presence_gap(struct presence *p, int64_t from_ns, int64_t to_ns);

/* The holes that are still open at the tick at wall_ns. */
void presence_open(const struct presence *p, const struct world *w,
	int64_t wall_ns, int64_t interval_ns, presence_fn fn, void *ctx);

/* Whether any tick of the range had an answer of the host, and the last. */
bool presence_was_there(const struct presence *p, const struct host *h);
bool presence_is_there(const struct presence *p, const struct host *h,
	int64_t wall_ns, int64_t interval_ns);

#endif
