/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cursor.h - steps through the ticks of a recording, live or from files.
 *
 * A consumer of ticks cannot tell where they come from.  It applies each tick
 * to a world; after CURSOR_GAP it calls world_lost() first.
 */
#ifndef GS_MODEL_CURSOR_H
#define GS_MODEL_CURSOR_H

#include "base/err.h"
#include "model/summary.h"
#include "model/tick.h"

enum cursor_step {
	CURSOR_TICK, /* *ret is the next tick, valid until the next step */
	CURSOR_REPEAT, /* *ret is a tick that was returned before, now as a key:
		        * apply it, do not count it */
	CURSOR_GAP, /* something is missing here; see cursor_gap */
	CURSOR_WAIT, /* nothing yet: a writer is at work */
	CURSOR_END, /* the end: a clean one, or the last whole tick */
	CURSOR_ERROR /* can not continue; the reason is in err */
};

#define GAP_WHY_MAX 200

/* What is missing. */
struct cursor_gap {
	int64_t from_ns, to_ns; /* last tick before, first after; INT64_MIN,
	                         * INT64_MAX where there is none */
	uint64_t ticks; /* how many ticks, 0: not known */
	uint64_t bytes; /* damaged or cut bytes, 0: none */
	const char *file; /* "" if not in a single file */
	uint64_t offset; /* where the damage begins */
	bool damage; /* bytes are wrong or gone; else the ticks were never
	              * written */
	char why[GAP_WHY_MAX];
};

/* What a gist is for. */
struct gist_about {
	bool has_catalog;
	bool shows_waits; /* all of its ticks do; else it tells them, */
	uint64_t relations; /* for these, with which it begins (analysis/sessions.h) */
};

struct cursor_ops {
	enum cursor_step (*next)(void *self, const struct tick **ret,
		struct cursor_gap *gap, struct gs_err *err);
	int (*seek)(void *self, int64_t wall_ns, struct gs_err *err);
	const struct summary *(*ahead)(void *self, uint64_t seq,
		int64_t wall_ns);
	bool (*leap)(void *self, const struct summary *last);
	bool (*gist)(void *self, uint64_t seq, int64_t wall_ns,
		int64_t until_ns, int64_t *ret_to_ns);
	bool (*take_gist)(void *self, struct gist_about *ret);
	void (*drop_gist)(void *self);
	bool (*refuse_gist)(void *self);
	bool (*beside)(void *self, int64_t wall_ns, int64_t *ret_before_ns,
		int64_t *ret_after_ns);
};

struct cursor {
	const struct cursor_ops *ops;
	void *self;
};

static inline enum cursor_step cursor_next(struct cursor c,
	const struct tick **ret, struct cursor_gap *gap, struct gs_err *err)
{
	return c.ops->next(c.self, ret, gap, err);
}

/* Goes to a key with at least two ticks between it and wall_ns, or to the
 * first key.  INT64_MIN: to the start; a cursor that is there stays, with what
 * is damaged before the first key.  A pipe goes on from where it is. */
static inline int cursor_seek(struct cursor c, int64_t wall_ns,
	struct gs_err *err)
{
	return c.ops->seek(c.self, wall_ns, err);
}

/* The summary of the stretch that begins with the tick of that number and
 * time: the last one returned, or the end of the stretch before.  NULL: none is
 * known.  Valid until the next call. */
static inline const struct summary *cursor_ahead(struct cursor c,
	uint64_t seq, int64_t wall_ns)
{
	return c.ops->ahead ? c.ops->ahead(c.self, seq, wall_ns) : NULL;
}

/* The next step is the key at the end of that stretch, as a tick; if it can't be
 * read, false, and the next step is the last tick again. */
static inline bool cursor_leap(struct cursor c, const struct summary *last)
{
	return c.ops->leap && c.ops->leap(c.self, last);
}

/*
 * A gist has the ticks of a stretch in few bytes: what processes do is told later
 * than it happened, but no later than at the end of the stretch, which is a
 * key; and so that sums of processes and sessions come out the same.
 *
 * Whether a stretch with a gist begins with the tick of that number and time,
 * the last one returned; *ret_to_ns is its last tick.  One that ends after until_ns
 * need not be found.
 */
static inline bool cursor_gist(struct cursor c, uint64_t seq, int64_t wall_ns,
	int64_t until_ns, int64_t *ret_to_ns)
{
	return c.ops->gist && c.ops->gist(c.self, seq, wall_ns, until_ns,
	    ret_to_ns);
}

/* The next steps are the last tick again, as a key, and the ticks of that gist;
 * false: it can't be read, and nothing has changed.  A step that fails with GS_E_AGAIN
 * was in a gist that breaks in the middle: there is no way from there to the ticks in
 * its place.  Who begins again, with a seek and all sums at 0, gets no gists. */
static inline bool cursor_take_gist(struct cursor c, struct gist_about *ret)
{
	return c.ops->take_gist && c.ops->take_gist(c.self, ret);
}

/* Right after that: it is not for whoever has taken the ticks so far.  The next steps are
 * the ticks in its place. */
static inline void cursor_drop_gist(struct cursor c)
{
	c.ops->drop_gist(c.self);
}

/* The last tick returned can't be applied: true if it was of a gist, with which it is as
 * if the step had failed with GS_E_AGAIN. */
static inline bool cursor_refuse_gist(struct cursor c)
{
	return c.ops->refuse_gist && c.ops->refuse_gist(c.self);
}

/* The times of the new ticks next to an instant, by an index, without reading
 * them, so that one may turn out to be damaged: INT64_MIN and INT64_MAX where there
 * is none.  The place of the cursor stays.  False: there is no index. */
static inline bool cursor_beside(struct cursor c, int64_t wall_ns,
	int64_t *ret_before_ns, int64_t *ret_after_ns)
{
	return c.ops->beside && c.ops->beside(c.self, wall_ns, ret_before_ns,
	    ret_after_ns);
}

#endif
