/*
 * feed.h - one recording as a source: the state of its hosts, and the rows of
 * it that are wanted, in places that they keep.
 *
 * Files number their rows anew at every key; here a row has one place from
 * the tick in which it comes to be wanted to the one in which it is not.
 */
#ifndef GS_EDIT_FEED_H
#define GS_EDIT_FEED_H

#include "edit/pick.h"
#include "model/header.h"
#include "model/tick_encoder.h"

/* The wanted rows of one host, in the order in which they came. */
struct lineup {
	struct table table[ENTITY_COUNT];
	bool wanted; /* the host is */
	bool said; /* in the output */
	bool gone; /* a key came without it: its rows have ended */
	bool absent; /* the newest key had none of it, nor anything since */
};

struct feed {
	struct pick *pick; /* not owned */
	struct world *world;
	struct sessions *sessions; /* NULL: nobody asks for them */
	struct header *header; /* of the newest key; NULL: none yet */
	int64_t interval_ns;
	struct lineup *lineup; /* by position of the host in the world */
	size_t n_lineup, lineup_cap;
	/* Rows that closed stay until their host is said; else only those of
	 * the last tick of which there is more to say than their end. */
	bool keeps;
	const struct tick_sum *(*sums)(void *ctx, const struct row *r,
		size_t *ret_n); /* of encoder_rows */
	void *sums_ctx;
	bool begins; /* of the last tick only what there is is said */
	struct row **ended; /* held, and still in their places */
	size_t n_ended, ended_cap;
};

void feed_init(struct feed *f, struct pick *p, int64_t interval_ns);

/* Sessions are asked for, even if all are wanted; before the first tick. */
void feed_need_sessions(struct feed *f);
void feed_release(struct feed *f);

/* Takes in a tick.  Fails as world_apply() does: a key must come next, after
 * feed_lost(). */
int feed_tick(struct feed *f, const struct tick *t, struct gs_err *err);
void feed_lost(struct feed *f);

/* What is made begins with the last tick: what that tells of the time before
 * is not said. */
void feed_begin(struct feed *f);

/* Gives the i-th host of the world to the encoder, as host number index, whose
 * clocks say this. */
void feed_say(struct feed *f, size_t i, struct tick_encoder *m, uint32_t index,
	const struct sample_clock *clock);

/* Makes the encoder forget it as host number index. */
void feed_forget(
    struct feed *f, size_t i, struct tick_encoder *m, uint32_t index);

/* The lineup of the i-th host of the world. */
struct lineup *feed_lineup(struct feed *f, size_t i);

#endif
