/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row.h - the cells of one entity instance at one instant.
 *
 * A row has one value per column of its entity and one presence bit per
 * column.  An absent cell's value is 0 by invariant, so that differences
 * against it count from 0.
 */
#ifndef GS_MODEL_ROW_H
#define GS_MODEL_ROW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "metric/metric.h"

/* How a row was opened. */
enum row_open {
	OPEN_CONTINUED = 0, /* repeated by a key; it was open already */
	OPEN_BORN = 1, /* started after the host's previous sample */
	OPEN_APPEARED = 2 /* existed before: first values are a baseline */
};

/* Why a row was closed. */
enum row_close {
	CLOSE_EXITED = 1,
	CLOSE_LEFT = 2, /* no longer selected */
	CLOSE_HOST_LOST = 3,
	CLOSE_UNREADABLE = 4,
	CLOSE_UNSEEN = 5 /* gone when the data continued after a hole */
};

/* Cells of one row; they do not own the memory. */
struct cells {
	uint64_t *present; /* COL_WORDS(ncols) words */
	uint64_t *val; /* ncols values */
};

static inline bool cells_has(struct cells c, unsigned col)
{
	return c.present[col / 64] >> (col % 64) & 1;
}

static inline void cells_set(struct cells c, unsigned col, uint64_t v)
{
	c.present[col / 64] |= UINT64_C(1) << (col % 64);
	c.val[col] = v;
}

static inline void cells_unset(struct cells c, unsigned col)
{
	c.present[col / 64] &= ~(UINT64_C(1) << (col % 64));
	c.val[col] = 0;
}

/* The value, or false if it is absent. */
static inline bool cells_get(struct cells c, unsigned col, uint64_t *ret)
{
	if (!cells_has(c, col))
		return false;
	*ret = c.val[col];
	return true;
}

/* Words that one row of an entity needs: presence, then values. */
static inline size_t cells_words(enum entity_id e)
{
	size_t ncols = entity_get(e)->ncols;

	return COL_WORDS(ncols) + ncols;
}

/* Lays cells over cells_words(e) words. */
static inline struct cells cells_over(enum entity_id e, uint64_t *words)
{
	return (struct cells) { words, words + COL_WORDS(entity_get(e)->ncols) };
}

static inline void cells_clear(enum entity_id e, struct cells c)
{
	memset(c.present, 0, cells_words(e) * sizeof(uint64_t));
}

static inline void cells_copy(enum entity_id e, struct cells to,
	struct cells from)
{
	memcpy(to.present, from.present, cells_words(e) * sizeof(uint64_t));
}

/* Fresh zeroed cells on the heap; release with cells_free(). */
static inline struct cells cells_new(enum entity_id e)
{
	return cells_over(e, gs_calloc(cells_words(e), sizeof(uint64_t)));
}

static inline void cells_free(struct cells c)
{
	free(c.present);
}

#endif
