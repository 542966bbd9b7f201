/* SPDX-License-Identifier: Apache-2.0 */
/*
 * framer.h - turns a tick into a frame in the writer's queue.
 *
 * Joins the encoder, the codec and the writer: after a loss in the writer it
 * makes a key that records the hole; it decides when a new file begins, and
 * repeats the last tick as the first frame of that file, so that no interval
 * is lost between files.
 *
 * Use per tick: framer_begin(), then any calls on framer_encoder() that are
 * allowed between encoder_begin() and encoder_end(), framer_end().
 */
#ifndef GS_RECORD_FRAMER_H
#define GS_RECORD_FRAMER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/tick_encoder.h"
#include "record/backlog.h"
#include "record/writer.h"

struct framer;

struct framer_options {
	int level; /* of zstd */
	uint64_t rotate_bytes; /* 0: only at the limit of the format */
	int64_t rotate_ns; /* rotate at multiples of it; 0: never */
	bool lean; /* the tick that framer_end() returns has no blocks: they
	            * are encoded one by one */
	bool endless; /* a stream: never begin a new file */
	/* Called with the bytes of each tick (tickcode.h), also of one that is
	 * lost because it can't be queued; again: of one that is repeated as
	 * a key.  May be NULL. */
	void (*on_raw)(void *arg, const struct buf *raw, const struct tick *t,
		bool again);
	void *arg;
	/* Frames stay in memory, those of so long, and of so many bytes, until
	 * framer_let_out(); 0: each is queued at once. */
	int64_t before_ns;
	size_t before_bytes;
};

/* Takes ownership of the header; the writer must outlive the framer.  Without
 * a writer (NULL) ticks are made and no frames. */
struct framer *framer_new(struct header *header, struct writer *w,
	const struct framer_options *opt);
void framer_free(struct framer *f);

/* Begins a tick; key: it must be a key. */
void framer_begin(struct framer *f, int64_t wall_ns, bool key);

struct tick_encoder *framer_encoder(struct framer *f);

/* on: what is in memory is queued with each tick, as far as the writer has room,
 * and all new frames after it.  Off: frames stay in memory again.  At first it is
 * on for one tick. */
void framer_let_out(struct framer *f, bool on);

/* At the end: queues all that is in memory, and waits for the writer. */
void framer_flush(struct framer *f);

/* What is in memory. */
const struct backlog *framer_backlog(const struct framer *f);

/* A new file begins after the next tick. */
void framer_rotate(struct framer *f);

/* Ends the tick and queues its frame.  *ret_queued (may be NULL): false if the
 * frame was lost.  The tick is valid until framer_next_file(). */
const struct tick *framer_end(struct framer *f, bool *ret_queued);

/* True if the last tick was lost because it does not fit into a frame. */
bool framer_was_too_large(const struct framer *f);

/* Bytes that the last call of framer_end() or framer_next_file() queued. */
size_t framer_queued_bytes(const struct framer *f);

/* Call it after each framer_end(), when the tick is not used any more.  If it
 * is time for a new file, begins one with the tick repeated as a key, and
 * returns that, valid until framer_begin(); else returns NULL. */
const struct tick *framer_next_file(struct framer *f);

#endif
