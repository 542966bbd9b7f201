/* SPDX-License-Identifier: Apache-2.0 */
/*
 * encoder.h - makes the ticks of a recording from the worlds of its hosts.
 *
 * It remembers what it said last of every host (the base) and says the
 * difference; a key says everything anew.  Slots and text ids of the
 * recording are its own: a slot that closed is given out again only after
 * the next key, text ids are valid from one key to the next.
 *
 * Use per tick: encoder_begin(), encoder_event() and encoder_block() any number
 * of times, encoder_end().  What encoder_end() returned counts as said; if it
 * then could not be written, call encoder_need_key(): the next tick will be a
 * key.
 */
#ifndef GS_MODEL_ENCODER_H
#define GS_MODEL_ENCODER_H

#include "model/header.h"
#include "model/tick.h"
#include "model/world.h"

#define ENCODER_KEY_EVERY 60 /* ticks */
/* Or after so many bytes of texts, which a reader keeps up to the next key. */
#define ENCODER_TEXTS_MAX ((size_t)32 << 20)
/* Or after so many rows of all tables: each takes a slot that a reader keeps
 * up to the next key, and it keeps 8 Mi of them. */
#define ENCODER_SLOTS_MAX ((size_t)2 << 20)

struct tick_encoder;

/* Takes ownership of the header; it is written with every key, and may be
 * changed between ticks through encoder_header(). */
struct tick_encoder *encoder_new(struct header *header);
void encoder_free(struct tick_encoder *m);
struct header *encoder_header(struct tick_encoder *m);

/* Another header from the next tick on; takes ownership. */
void encoder_set_header(struct tick_encoder *m, struct header *header);

/* The next tick will be a key. */
void encoder_need_key(struct tick_encoder *m);

/* Starts a tick; it is a key if it has to be. */
void encoder_begin(struct tick_encoder *m, int64_t wall_ns);

/* Adds the state of one host: src is a world of that one host; index is its
 * number in the recording.  At most once per host and tick.  In a key, every
 * host that ever was added and was not now is repeated from the base. */
void encoder_block(
    struct tick_encoder *m, uint32_t index, const struct world *src);

/* One host of a source that has several, or a part of its rows. */
struct encoder_rows {
	const struct world *world; /* whose rows these are */
	const struct sample_clock *clock;
	/* ENTITY_COUNT tables in which a row keeps its place as long as it is
	 * in them, whatever slot the source has it in.  Of a row that closed
	 * what it was at last is said, if the tables still have it. */
	const struct table *table;
	/* What is said of the row besides, valid until the next call; NULL:
	 * the sums of the last tick. */
	const struct tick_sum *(*sums)(void *ctx, const struct row *r,
		size_t *ret_n);
	void *ctx;
};

/* The same, of a source of any kind: rows that were there before the tick
 * that is said first of their host are continued in a key, and appear in a
 * delta; rows that are in no table any more and did not close have left.  True:
 * the tables must close up their gaps now, so that rows stay in their order
 * and places do not run out. */
bool encoder_block_of(struct tick_encoder *m, uint32_t index,
	const struct encoder_rows *src);

/* Only these columns of an entity from now on; before the first tick. */
void encoder_choose(struct tick_encoder *m, enum entity_id e,
	const uint64_t col[COL_WORDS_MAX]);

/* Asks fn what to say for the text of a cell of the source: false leaves the cell out, else
 * *ret is said, which has to be valid until the next call.  Before the first
 * tick. */
typedef bool encoder_text_fn(void *arg, const struct row *r, unsigned col,
	struct span text, struct span *ret);
void encoder_change_texts(
    struct tick_encoder *m, encoder_text_fn *fn, void *arg);

/* The next tick has this sequence number. */
void encoder_set_seq(struct tick_encoder *m, uint64_t seq);

/* So many ticks just before the next one were left out. */
void encoder_leave_out(struct tick_encoder *m, uint64_t n);

/* The host is gone: its rows close as CLOSE_HOST_LOST. */
void encoder_host_lost(struct tick_encoder *m, uint32_t index);

/* What was said of the host is forgotten: the next tick is a key, which says
 * it anew, or is without it: then its rows end there as CLOSE_HOST_LOST.
 * Between ticks. */
void encoder_forget(struct tick_encoder *m, uint32_t index);

/* Blocks are given to fn as soon as they are complete, in their order, and are
 * not in the tick: what a tick of many hosts takes is then one block's memory.
 * b is valid during the call only. */
void encoder_give_blocks(struct tick_encoder *m,
	void (*fn)(void *arg, const struct block *b), void *arg);

void encoder_event(struct tick_encoder *m, enum event_kind kind,
    int64_t wall_ns, uint32_t host, int64_t value, const char *text);

/* The tick; valid until the next encoder_begin().  Counts the sequence. */
const struct tick *encoder_end(struct tick_encoder *m);

/* About how many bytes the last tick takes for a host, encoded. */
#define ENCODER_ALL_HOSTS UINT32_MAX
size_t encoder_base_bytes(const struct tick_encoder *m, uint32_t index);

/* The last tick again, as a key with the same sequence number, for the first
 * frame of a new file of the same recording.  header.file_number must have
 * been raised before.  Valid until the next encoder_begin(). */
const struct tick *encoder_repeat_as_key(struct tick_encoder *m);

#endif
