/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gist_tell.h - the ticks of a stretch, told again as a gist has them: a world
 * follows all of them, of which the planned part is encoded.
 */
#ifndef GS_EDIT_GIST_TELL_H
#define GS_EDIT_GIST_TELL_H

#include "base/err.h"
#include "edit/gist_plan.h"
#include "model/header.h"
#include "model/tick.h"

struct gist_tell;

/* Takes ownership of the header; seq: of the first tick. */
struct gist_tell *gist_tell_new(const struct gist_plan *p, struct header *h,
	uint64_t seq);
void gist_tell_free(struct gist_tell *g);

/* The key with which the stretch begins: a reader has its rows. */
int gist_tell_first(struct gist_tell *g, const struct tick *t,
	struct gs_err *err);

/* The next tick as it is told, valid until the next call. */
int gist_tell_next(struct gist_tell *g, const struct tick *t,
	const struct tick **ret, struct gs_err *err);

#endif
