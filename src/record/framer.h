/* SPDX-License-Identifier: Apache-2.0 */
/*
 * framer.h - from a tick to a frame in the writer's queue.
 *
 * Joins the encoder, the codec and the writer: asks for a key when the writer
 * lost something and tells the hole in it, decides when a new file begins,
 * and repeats the last tick as its first frame, so that no interval is lost
 * at the seam.
 *
 * Use per tick: framer_begin(), then any calls on framer_encoder() that stand
 * between encoder_begin() and encoder_end(), framer_end().
 */
#ifndef GS_RECORD_FRAMER_H
#define GS_RECORD_FRAMER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/tick_encoder.h"
#include "record/writer.h"

struct framer;

struct framer_options {
	int level; /* of zstd */
	uint64_t rotate_bytes; /* 0: only at the limit of the format */
	int64_t rotate_ns; /* 0: never; at multiples of it */
	bool lean; /* the tick that framer_end() returns has no blocks: they
	            * are encoded one by one */
	bool endless; /* a stream: never begin a new file */
};

/* Takes ownership of the header; the writer must outlive the framer.  Without
 * a writer (NULL) ticks are made and no frames. */
struct framer *framer_new(struct header *header, struct writer *w,
	const struct framer_options *opt);
void framer_free(struct framer *f);

/* Begins a tick; key: it must be one. */
void framer_begin(struct framer *f, int64_t wall_ns, bool key);

struct tick_encoder *framer_encoder(struct framer *f);

/* A new file begins after the next tick. */
void framer_rotate(struct framer *f);

/* Ends the tick and queues its frame.  *ret_queued (may be NULL): it was not
 * lost so far.  The tick is valid until framer_settle(). */
const struct tick *framer_end(struct framer *f, bool *ret_queued);

/* The last tick was lost since it does not fit into a frame. */
bool framer_was_too_large(const struct framer *f);

/* What the last of both calls, framer_end() and framer_settle(), queued. */
size_t framer_queued_bytes(const struct framer *f);

/* To be called after each framer_end(), when the tick is not used any more:
 * begins a new file if it is time to, with the tick repeated as a key, which
 * is returned; else NULL.  It is valid until framer_begin(). */
const struct tick *framer_settle(struct framer *f);

#endif
