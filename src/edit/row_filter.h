/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter.h - one recording as a source: the state of its hosts, and the rows of
 * it that are wanted, in places that they keep.
 *
 * Files number their rows anew at every key; here a row has one place from
 * the tick in which it comes to be wanted to the one in which it is not.
 */
#ifndef GS_EDIT_ROW_FILTER_H
#define GS_EDIT_ROW_FILTER_H

#include "edit/pick.h"
#include "model/header.h"
#include "model/tick_encoder.h"

/* The wanted rows of one host, in the order in which they came. */
struct host_rows {
	struct table table[ENTITY_COUNT];
	bool wanted; /* the host is */
	bool said; /* in the output */
	bool gone; /* a key came without it: its rows have ended */
	bool absent; /* the newest key had none of it, nor anything since */
};

struct row_filter {
	struct pick *pick; /* not owned */
	struct world *world;
	struct sessions *sessions; /* NULL: nobody asks for them */
	struct header *header; /* of the newest key; NULL: none yet */
	int64_t interval_ns;
	struct host_rows *host_rows; /* by position of the host in the world */
	size_t n_host, host_cap;
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

void row_filter_init(struct row_filter *f, struct pick *p, int64_t interval_ns);

/* Sessions are asked for, even if all are wanted; before the first tick. */
void row_filter_need_sessions(struct row_filter *f);
void row_filter_release(struct row_filter *f);

/* Takes in a tick.  Fails as world_apply() does: a key must come next, after
 * row_filter_lost(). */
int row_filter_tick(
    struct row_filter *f, const struct tick *t, struct gs_err *err);
void row_filter_lost(struct row_filter *f);

/* What is made begins with the last tick: what that tells of the time before
 * is not said. */
void row_filter_begin(struct row_filter *f);

/* Gives the i-th host of the world to the encoder, as host number index, whose
 * clocks say this. */
void row_filter_say(struct row_filter *f, size_t i, struct tick_encoder *m,
    uint32_t index, const struct sample_clock *clock);

/* Makes the encoder forget it as host number index. */
void row_filter_forget(
    struct row_filter *f, size_t i, struct tick_encoder *m, uint32_t index);

/* The host_rows of the i-th host of the world. */
struct host_rows *row_filter_host(struct row_filter *f, size_t i);

#endif
