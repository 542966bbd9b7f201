/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slots.h - small numbers (slots) for the rows of one entity.
 *
 * A freed slot is reused only by a later answer, in the order of freeing: if
 * all rows are replaced, they are in order again.
 */
#ifndef GS_MODEL_SLOTS_H
#define GS_MODEL_SLOTS_H

#include <stddef.h>
#include <stdint.h>

struct slots {
	uint32_t next; /* never used yet */
	uint32_t *free;
	size_t first; /* of free: those before it were reused */
	size_t n_free, free_cap;
	size_t n_usable; /* of free: freed before this answer */
};

void slots_release(struct slots *s);

/* An answer begins. */
void slots_begin(struct slots *s);

uint32_t slots_alloc(struct slots *s);
void slots_return(struct slots *s, uint32_t slot);

#endif
