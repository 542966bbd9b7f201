/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.h - the rows of an entity that are all read at every tick.
 *
 * Per tick: rows_begin(), then for each instance fill rows_now() and call
 * rows_put() with its key, a number that no other has; then rows_end() closes
 * those that were not put.  Instances in the same order as at the tick before
 * are found at once, others by a hash table.
 *
 * If the rows of an entity have several sources, each source has a part of
 * them: rows_begin_part() leaves the rows of other parts alone.
 */
#ifndef GS_MODEL_ROWS_H
#define GS_MODEL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/slots.h"
#include "model/sent_texts.h"

struct rows_item {
	uint64_t key;
	uint32_t slot;
	uint32_t part;
	uint32_t again; /* the keys after this one that rows_unused() tried */
	bool seen;
	uint8_t why; /* enum row_close, if it is closed for another reason; 0:
		      * none */
	struct cells was; /* owned */
};

struct rows {
	enum entity_id entity;
	struct sent_texts *sent; /* not owned */
	struct delta *delta; /* of the answer being made; not owned */
	struct slots slots;
	struct rows_item *item;
	size_t n, cap;
	size_t next; /* where the next one is expected */
	uint32_t part; /* the part being read */
	size_t *bucket; /* item number + 1 by key; 0: none */
	size_t n_bucket, bucket_cap; /* n_bucket 0: to be filled */
	struct cells now; /* owned */
};

void rows_init(struct rows *r, enum entity_id e, struct sent_texts *sent);
void rows_release(struct rows *r);

void rows_begin(struct rows *r, struct delta *delta);
void rows_begin_part(struct rows *r, struct delta *delta, uint32_t part);

/* Empty cells to fill, and the previous cells of the row with that key (val is
 * NULL if it is new).  A text cell that is set there belongs to the row. */
struct cells rows_now(struct rows *r);
struct cells rows_was(struct rows *r, uint64_t key);

/* True if a row with that key was put already. */
bool rows_seen(struct rows *r, uint64_t key);

/* That key, or the next one after it with which no row was put: for instances
 * that share a key.  However many they are, each is found at once. */
uint64_t rows_unused(struct rows *r, uint64_t key);

/* Stores the filled cells.  A new row has appeared, or opens as set by the
 * caller. */
void rows_put(struct rows *r, uint64_t key);
void rows_put_as(struct rows *r, uint64_t key, enum row_open how);

/* The row with that key stays as it was, unread; false if there is none. */
bool rows_keep(struct rows *r, uint64_t key);

/* If the row with that key is not put, it closes for this reason instead of
 * the default. */
void rows_leave(struct rows *r, uint64_t key, enum row_close why);

/* Closes all, after rows_begin(): rows put after that are new. */
void rows_close_all(struct rows *r, enum row_close why);

/* Closes rows that were not put: CLOSE_EXITED, or as given to rows_leave(). */
void rows_end(struct rows *r);
void rows_end_as(struct rows *r, enum row_close why);

#endif
