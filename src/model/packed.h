/* SPDX-License-Identifier: Apache-2.0 */
/*
 * packed.h - the cells of a row in few bytes, in memory only: presence bits,
 * then each present value as a varint, small where the value is small or
 * small and negative.
 */
#ifndef GS_MODEL_PACKED_H
#define GS_MODEL_PACKED_H

#include "model/row.h"

/* The longest packed row. */
#define PACKED_MAX (COL_WORDS_MAX * 8 + COLS_MAX * 10)

/* Returns the bytes written, at most PACKED_MAX. */
size_t packed_put(enum entity_id e, struct cells c, unsigned char *to);

/* The same into memory that is kept: *bytes, of *cap, is freed by the caller; NULL
 * at first. */
void packed_keep(enum entity_id e, struct cells c, unsigned char **bytes,
	uint32_t *cap);

/* Unpacks bytes that packed_put() wrote. */
void packed_get(enum entity_id e, const unsigned char *from, struct cells to);

/* One cell of them; false if it is absent. */
bool packed_find(enum entity_id e, const unsigned char *from, unsigned col,
	uint64_t *ret);

#endif
