/* SPDX-License-Identifier: Apache-2.0 */
/*
 * closings.h - why rows closed in the last tick of a world, by their serial.
 * Many may close at once: they are searched for, not passed through.
 */
#ifndef GS_MODEL_CLOSINGS_H
#define GS_MODEL_CLOSINGS_H

#include "model/world.h"

struct closing {
	uint32_t serial;
	enum row_close why;
};

struct closings {
	struct closing *at; /* in order of serials */
	size_t n, cap;
};

void closings_release(struct closings *c);

/* Those of one entity, in place of what was listed before. */
void closings_list(struct closings *c, const struct world *w,
	enum entity_id e);

/* 0: it did not close then. */
enum row_close closings_why(const struct closings *c, uint32_t serial);

#endif
