/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exposition.h - a harvest as OpenMetrics text.
 *
 * OpenMetrics groups samples by family, and within it by row, while a harvest
 * is in order of time: so it is collected in bounded memory and a temporary
 * file, and written at the end.
 */
#ifndef GS_HISTORY_EXPOSITION_H
#define GS_HISTORY_EXPOSITION_H

#include "history/harvest.h"

struct exposition;

/* memory: approximate limit in bytes. */
struct exposition *exposition_new(size_t memory);
void exposition_free(struct exposition *x);

/* A harvest_fn.  Events are left out: they are not samples. */
int exposition_add(void *ctx, const struct harvest_row *r,
	const struct harvest_value *v, struct gs_err *err);

/* Calls write with the text piece by piece, until it returns false. */
int exposition_write(struct exposition *x,
	bool (*write)(void *ctx, const struct buf *text), void *ctx,
	struct gs_err *err);

#endif
