/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slots.h - small numbers that stand for the rows of one entity.
 *
 * A number that is given back is given out again by a later answer only, the
 * first one first: where all rows are replaced they stand in order again.
 */
#ifndef GS_MODEL_SLOTS_H
#define GS_MODEL_SLOTS_H

#include <stddef.h>
#include <stdint.h>

struct slots {
	uint32_t next; /* never given out yet */
	uint32_t *free;
	size_t first; /* of free: those before were given out */
	size_t n_free, free_cap;
	size_t n_usable; /* of free: given back before this answer */
};

void slots_release(struct slots *s);

/* An answer begins. */
void slots_begin(struct slots *s);

uint32_t slots_take(struct slots *s);
void slots_give(struct slots *s, uint32_t slot);

#endif
