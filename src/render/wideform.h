/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wideform.h - one row per line, a column per metric, for programs: CSV of any
 * number of rows, which need not be in memory at once.
 *
 * RFC 4180, but lines end with LF.  An absent cell is empty, an empty text is
 * "".
 */
#ifndef GS_RENDER_WIDEFORM_H
#define GS_RENDER_WIDEFORM_H

#include "base/buf.h"
#include "query/grid.h"

/* Appends a line of n texts. */
void wideform_heading(struct buf *to, const char *const *name, size_t n);

/* Appends a line of n cells.  scratch: memory that is kept between calls. */
void wideform_row(struct buf *to, struct buf *scratch,
	const struct cell *cell, size_t n);

#endif
