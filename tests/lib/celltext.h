/* SPDX-License-Identifier: Apache-2.0 */
/*
 * celltext.h - cells as text for comparing: "name=value ..." of the present
 * ones, by column.  Text cells show their number.
 */
#ifndef TESTS_LIB_CELLTEXT_H
#define TESTS_LIB_CELLTEXT_H

#include <inttypes.h>

#include "base/buf.h"
#include "model/row.h"

static inline void celltext_add(struct buf *to, enum entity_id e,
	struct cells c, const char *between)
{
	const struct entity *en = entity_get(e);
	const char *sep = "";
	unsigned col;
	uint64_t v;

	for (col = 0; col < en->ncols; col++) {
		if (!cells_get(c, col, &v))
			continue;
		if (en->metrics[col].flags & F_SIGNED)
			buf_printf(to, "%s%s=%" PRId64, sep,
			    en->metrics[col].name, (int64_t)v);
		else
			buf_printf(to, "%s%s=%" PRIu64, sep,
			    en->metrics[col].name, v);
		sep = between;
	}
}

#endif
