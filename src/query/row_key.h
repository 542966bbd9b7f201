/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_key.h - what makes rows the same line of a table: the same process, thread,
 * host, device or database, even if it was not seen for some time, or if its
 * counters were reset.
 */
#ifndef GS_QUERY_ROW_KEY_H
#define GS_QUERY_ROW_KEY_H

#include "model/world.h"

#define ROW_KEY 5

/* False: the row does not have all of it, and stands for itself. */
bool row_key(const struct world *w, const struct row *row,
	uint64_t key[ROW_KEY]);

#endif
