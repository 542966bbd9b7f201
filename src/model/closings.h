/* SPDX-License-Identifier: Apache-2.0 */
/*
 * closings.h - why rows closed in the last tick of a world, by serial.  Many
 * may close at once, so they are found by binary search.
 */
#ifndef GS_MODEL_CLOSINGS_H
#define GS_MODEL_CLOSINGS_H

#include "model/world.h"

struct closing {
	uint32_t serial;
	enum row_close why;
};

struct closings {
	struct closing *at; /* sorted by serial */
	size_t n, cap;
};

void closings_release(struct closings *c);

/* Lists the closed rows of one entity, in place of the previous list. */
void closings_list(struct closings *c, const struct world *w,
	enum entity_id e);

/* 0: it did not close. */
enum row_close closings_why(const struct closings *c, uint32_t serial);

#endif
