/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uncollected.h - whether the recorder asked the servers for what a view shows.  A
 * server may not have it, and the recorder may have been told not to ask: then
 * collectors has no such row.
 */
#ifndef GS_VIEW_UNCOLLECTED_H
#define GS_VIEW_UNCOLLECTED_H

#include "base/buf.h"
#include "view/view.h"

/* True if databases were asked up to the end of the range, and none for what the view
 * shows; appends why, and what helps. */
bool uncollected_note(const struct engine *e, const struct view *v,
	struct buf *to);

/* True if the view has figures of what grew between two answers, and up to the end of
 * the range the server did not give two; appends that. */
bool uncollected_rare_note(const struct engine *e, const struct view *v,
	struct buf *to);

#endif
