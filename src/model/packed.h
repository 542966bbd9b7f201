/* SPDX-License-Identifier: Apache-2.0 */
/*
 * packed.h - the cells of a row in few bytes, in memory only: presence bits,
 * then each value that is not 0 in as many bytes as it needs, few where it is small
 * or small and negative.
 */
#ifndef GS_MODEL_PACKED_H
#define GS_MODEL_PACKED_H

#include "model/row.h"

/* A row's cells, which several may hold: as long as they do they don't change. */
struct packed;

/* Packs the cells into *p, in place of those it had.  NULL at first.  Where others
 * hold the old ones, *p is another one afterwards, unless the cells are the same. */
void packed_keep(enum entity_id e, struct cells c, struct packed **p);

/* One more holder of it; returns it. */
struct packed *packed_hold(struct packed *p);

/* One holder less, which frees it with the last.  NULL: nothing to do. */
void packed_drop(struct packed *p);

/* All cells of the row, absent ones cleared. */
void packed_get(enum entity_id e, const struct packed *p, struct cells to);

/* One cell; false if it is absent. */
bool packed_find(enum entity_id e, const struct packed *p, unsigned col,
	uint64_t *ret);

#endif
