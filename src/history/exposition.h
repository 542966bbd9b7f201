/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exposition.h - a harvest as OpenMetrics text.
 *
 * There all samples of a family stand together, and within it those of each
 * row, while a harvest comes in the order of time: so it is put aside, in
 * bounded memory and a temporary file, and written at the end.
 */
#ifndef GS_HISTORY_EXPOSITION_H
#define GS_HISTORY_EXPOSITION_H

#include "history/harvest.h"

struct exposition;

/* memory: about what it may hold. */
struct exposition *exposition_new(size_t memory);
void exposition_free(struct exposition *x);

/* A harvest_fn.  Events are left out: they are no samples. */
int exposition_add(void *ctx, const struct harvest_row *r,
	const struct harvest_value *v, struct gs_err *err);

/* Gives the text piece by piece; false from write: no more is wanted. */
int exposition_write(struct exposition *x,
	bool (*write)(void *ctx, const struct buf *text), void *ctx,
	struct gs_err *err);

#endif
