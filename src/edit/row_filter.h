/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_filter.h - one recording as a source: the state of its hosts, and its
 * selected rows, in slots that do not change.
 *
 * Files number their rows again at every key; here a row keeps one slot from
 * the tick in which it is selected until it no longer is.
 */
#ifndef GS_EDIT_ROW_FILTER_H
#define GS_EDIT_ROW_FILTER_H

#include "edit/pick.h"
#include "model/header.h"
#include "model/tick_encoder.h"

/* The wanted rows of one host, in the order in which they came. */
struct host_rows {
	struct table table[ENTITY_COUNT];
	bool wanted; /* the host is selected */
	bool written; /* written to the output */
	bool gone; /* a key came without it: its rows have ended */
	bool absent; /* not in the newest key, nor in a tick since */
};

struct row_filter {
	struct pick *pick; /* not owned */
	struct world *world;
	struct sessions *sessions; /* NULL: not needed */
	struct header *header; /* of the newest key; NULL: none yet */
	struct tick_pace pace;
	struct host_rows *host_rows; /* by position of the host in the world */
	size_t n_host, host_cap;
	/* Closed rows stay until their host is written; else only those of
	 * the last tick that have more to write than their end. */
	bool keeps;
	const struct tick_sum *(*sums)(void *ctx, const struct row *r,
		size_t *ret_n); /* of encoder_rows */
	const struct row_waited *(*waited)(void *ctx, const struct row *r,
		size_t *ret_n); /* of encoder_rows */
	void *sums_ctx;
	bool begins; /* write only the current state of the last tick */
	struct row **ended; /* held, and still in their slots */
	size_t n_ended, ended_cap;
};

void row_filter_init(struct row_filter *f, struct pick *p, int64_t interval_ns);

/* Tracks sessions even if all are selected; call before the first tick. */
void row_filter_need_sessions(struct row_filter *f);
void row_filter_release(struct row_filter *f);

/* Applies a tick.  Fails like world_apply(): then call row_filter_lost(), and
 * the next tick must be a key. */
int row_filter_tick(
    struct row_filter *f, const struct tick *t, struct gs_err *err);
void row_filter_lost(struct row_filter *f);

/* The output begins with the last tick: changes before it are not written. */
void row_filter_begin(struct row_filter *f);

/* The encoder leaves out columns that are not wanted; before its first tick.  The
 * filter must outlive it. */
void row_filter_columns(struct row_filter *f, struct tick_encoder *m);

/* Gives the i-th host of the world to the encoder, as host number index, with
 * these clocks. */
void row_filter_encode(struct row_filter *f, size_t i, struct tick_encoder *m,
    uint32_t index, const struct sample_clock *clock);

/* Makes the encoder forget it as host number index. */
void row_filter_forget(
    struct row_filter *f, size_t i, struct tick_encoder *m, uint32_t index);

/* The host_rows of the i-th host of the world. */
struct host_rows *row_filter_host(struct row_filter *f, size_t i);

#endif
