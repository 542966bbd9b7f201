/* SPDX-License-Identifier: Apache-2.0 */
/*
 * presence.h - when each host of a recording answered, and when it did not.
 *
 * A host in the newest header is expected.  If it does not answer for more than
 * 1.5 intervals while the recorder runs, data is missing: a hole of that host
 * alone, from its newest answer on.  A late answer makes no hole: the next answer
 * covers its time.  interval_ns: at which hosts were asked, whatever a recording leaves
 * out (pace_sampled()).
 */
#ifndef GS_MODEL_PRESENCE_H
#define GS_MODEL_PRESENCE_H

#include "model/world.h"

struct presence;

struct presence *presence_new(void);
void presence_free(struct presence *p);

/* A range begins at the tick at wall_ns: earlier knowledge is dropped. */
void presence_begin(struct presence *p, int64_t wall_ns);

/* A hole of one host; why includes the host's name. */
typedef void (*presence_fn)(void *ctx, const struct host *h, int64_t from_ns,
	int64_t to_ns, const char *why);

/* Call after the tick at wall_ns: reports the holes that it ends. */
void presence_tick(struct presence *p, const struct world *w,
	int64_t wall_ns, int64_t interval_ns, presence_fn fn, void *ctx);

/* The recorder itself has no data up to to_ns. */
void presence_gap(struct presence *p, int64_t from_ns, int64_t to_ns);

/* Reports the holes that are still open at the tick at wall_ns: of a host that was
 * lost from the first answer on that it missed, of one that may only be late from
 * the third on. */
void presence_open(const struct presence *p, const struct world *w,
	int64_t wall_ns, int64_t interval_ns, presence_fn fn, void *ctx);

/* Whether the host answered at any tick of the range, and at the last. */
bool presence_was_there(const struct presence *p, const struct host *h);
bool presence_is_there(const struct presence *p, const struct host *h,
	int64_t wall_ns, int64_t interval_ns);

/* Whether every host that is expected answered at the tick at wall_ns. */
bool presence_is_full(const struct presence *p, const struct world *w,
	int64_t wall_ns);

/* Its newest answer, or the time from which it is expected; INT64_MIN: it is not
 * known. */
int64_t presence_last(const struct presence *p, const struct host *h);

/* Both know the same. */
bool presence_equal(const struct presence *a, const struct presence *b);
void presence_copy(struct presence *to, const struct presence *from);

#endif
