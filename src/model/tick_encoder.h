/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tick_encoder.h - makes the ticks of a recording from the worlds of its hosts.
 *
 * It keeps the last encoded state of every host (the base) and encodes the
 * difference; a key encodes the full state again.  It has slots and text ids
 * of its own: a closed slot is reused only after the next key, text ids are
 * valid from one key to the next.
 *
 * Use per tick: encoder_begin(), encoder_event() and encoder_block() any
 * number of times, encoder_end().  The next tick builds on what encoder_end()
 * returned; if that could not be written, call encoder_need_key(): the next
 * tick will be a key.
 */
#ifndef GS_MODEL_TICK_ENCODER_H
#define GS_MODEL_TICK_ENCODER_H

#include "model/header.h"
#include "model/tick.h"
#include "model/world.h"

/* Ticks from key to key, at most: what is damaged costs those up to the next key, and
 * reading begins at one.  A quarter of all bytes are keys, so of ticks of up to a second
 * each, which are two minutes, there are twice as many. */
#define ENCODER_KEY_EVERY 60
#define ENCODER_KEY_EVERY_FAST 120
/* A key is also due after this many bytes of texts, which a reader keeps up to
 * the next key. */
#define ENCODER_TEXTS_MAX ((size_t)32 << 20)
/* A key is also due after this many rows of all tables: each takes a slot that
 * a reader keeps up to the next key, and a reader keeps at most 8 Mi slots. */
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

/* There is no key but by encoder_need_key(), and where numbers run out: the
 * first tick is a delta, too, and in it rows get slots in the order of the source's. */
void encoder_no_key(struct tick_encoder *m);

/* Readers have no text of the ticks so far. */
void encoder_forget_texts(struct tick_encoder *m);

/* Starts a tick, which is a key if one is due. */
void encoder_begin(struct tick_encoder *m, int64_t wall_ns);

/* The tick that was begun is one. */
bool encoder_is_key(const struct tick_encoder *m);

/* Adds the state of one host: src is a world of that one host; index is its
 * number in the recording.  At most once per host and tick.  In a key, hosts
 * that were added before but not in this tick are repeated from the base. */
void encoder_block(
    struct tick_encoder *m, uint32_t index, const struct world *src);

/* One host of a source that has several, or a part of its rows. */
struct encoder_rows {
	const struct world *world; /* the world of these rows */
	const struct sample_clock *clock;
	/* ENTITY_COUNT tables.  A row keeps its slot in them, even if the
	 * source moves it to another.  The last cells of a row that closed are
	 * encoded if the tables still have it. */
	const struct table *table;
	/* Sums of the row to encode besides its cells, valid until the next
	 * call; NULL: the sums of the last tick. */
	const struct tick_sum *(*sums)(void *ctx, const struct row *r,
		size_t *ret_n);
	/* The same of what it was seen to wait for. */
	const struct row_waited *(*waited)(void *ctx, const struct row *r,
		size_t *ret_n);
	/* Whether a row that was encoded before is encoded now, with all that
	 * has changed since, but for the columns of *ret_later, a bit each
	 * (NULL at first: none); else a later tick has it.  NULL: in each tick
	 * that changed it. */
	bool (*is_due)(void *ctx, const struct row *r,
		const uint64_t **ret_later);
	/* Counters of a row that opens now, a bit each, that are 0 until a later
	 * tick has them; NULL: none.  NULL function: of no row. */
	const uint64_t *(*begins_at_0)(void *ctx, const struct row *r);
	void *ctx;
};

/* The same, from a source of any kind.  When a host is encoded for the first
 * time, rows that existed before the tick are continued in a key, and appear
 * in a delta.  Rows that are in no table any more and did not close have left.
 * True: the tables must close their gaps now, so that rows stay in order and
 * slots do not run out. */
bool encoder_block_of(struct tick_encoder *m, uint32_t index,
	const struct encoder_rows *src);

/* Encodes only these columns of an entity; before the first tick. */
void encoder_choose(struct tick_encoder *m, enum entity_id e,
	const uint64_t col[COL_WORDS_MAX]);

/* fn gives the columns of a row that are left out, a bit each; NULL: none.  Before the
 * first tick. */
typedef const uint64_t *encoder_hide_fn(void *arg, const struct row *r);
void encoder_hide_cells(struct tick_encoder *m, encoder_hide_fn *fn, void *arg);

/* fn decides the text of a cell of the source: false leaves the cell out, else
 * *ret is encoded; it must be valid until the next call.  Before the first
 * tick. */
typedef bool encoder_text_fn(void *arg, const struct row *r, unsigned col,
	struct span text, struct span *ret);
void encoder_change_texts(
    struct tick_encoder *m, encoder_text_fn *fn, void *arg);

/* The next tick has this sequence number. */
void encoder_set_seq(struct tick_encoder *m, uint64_t seq);

/* This many ticks just before the next one were left out. */
void encoder_leave_out(struct tick_encoder *m, uint64_t n);

/* So many were never sampled, as a tick of a thinned recording tells it. */
void encoder_skip(struct tick_encoder *m, uint64_t n);

/* The host is gone: its rows close as CLOSE_HOST_LOST. */
void encoder_host_lost(struct tick_encoder *m, uint32_t index);

/* Drops the base of the host.  The next tick is a key: it has the host in
 * full, or does not have it; then the host's rows close there as
 * CLOSE_HOST_LOST.  Between ticks. */
void encoder_forget(struct tick_encoder *m, uint32_t index);

/* Passes blocks to fn as soon as they are complete, in order; the tick does
 * not have them.  So a tick of many hosts takes the memory of one block.  b is
 * valid during the call only. */
void encoder_give_blocks(struct tick_encoder *m,
	void (*fn)(void *arg, const struct block *b), void *arg);

void encoder_event(struct tick_encoder *m, enum event_kind kind,
    int64_t wall_ns, uint32_t host, int64_t value, const char *text);

/* The tick; valid until the next encoder_begin(), and its rows may be taken away.
 * Increments the sequence. */
struct tick *encoder_end(struct tick_encoder *m);

/* Encoded size of the last tick for a host in bytes, approximately. */
#define ENCODER_ALL_HOSTS UINT32_MAX
size_t encoder_base_bytes(const struct tick_encoder *m, uint32_t index);

/* The last tick again, as a key with the same sequence number, for the first
 * frame of a new file of the same recording.  header.file_number must have
 * been raised before.  As encoder_end(). */
struct tick *encoder_repeat_as_key(struct tick_encoder *m);

#endif
