/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uncounted.h - whether the kernels count what a view shows, and
 * let agents read it.
 */
#ifndef GS_VIEW_UNCOUNTED_H
#define GS_VIEW_UNCOUNTED_H

#include "base/buf.h"
#include "view/view.h"

/* True if the view shows delays that some host does not count at the end of
 * the range; appends which, and what helps. */
bool uncounted_note(const struct engine *e, const struct view *v,
	struct buf *to);

/* True if the view sums up processes, and the IO of some is not readable at the
 * end of the range; appends how many, and what helps. */
bool uncounted_unread_note(const struct engine *e, const struct view *v,
	struct buf *to);

/* True if the view shows temporary files, and the agent of some host could not list
 * all of them in time at the end of the range; appends what that means. */
bool uncounted_spill_note(const struct engine *e, const struct view *v,
	struct buf *to);

#endif
