/* SPDX-License-Identifier: Apache-2.0 */
/*
 * empty.h - why a table of a view has no rows.
 */
#ifndef GS_VIEW_EMPTY_H
#define GS_VIEW_EMPTY_H

#include "base/buf.h"
#include "view/asked.h"

/* a: of the same range.  True if it is known, of a view without rows that nobody
 * filtered; appends it.  What asked_note() says is not repeated. */
bool empty_note(const struct engine *e, const struct asked *a,
	const struct view *v, struct buf *to);

#endif
