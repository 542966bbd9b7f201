/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cursor_filter.h - a cursor that reads from another one, and sees each step.
 */
#ifndef GS_MODEL_CURSOR_FILTER_H
#define GS_MODEL_CURSOR_FILTER_H

#include "model/cursor.h"

struct cursor_filter {
	struct cursor of;
	/* calls cursor_next(of), or ends before it does */
	enum cursor_step (*next)(void *self, const struct tick **ret,
		struct cursor_gap *gap, struct gs_err *err);
	void *self;
};

/* Valid as long as *f, which must stay where it is; all but next is as `of` does it. */
struct cursor cursor_filter(struct cursor_filter *f);

#endif
