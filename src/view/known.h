/* SPDX-License-Identifier: Apache-2.0 */
/*
 * known.h - rows without figures: sessions and queries that only the catalog
 * knows, as no process of them is recorded, and expected hosts without data.
 */
#ifndef GS_VIEW_KNOWN_H
#define GS_VIEW_KNOWN_H

#include "view/view_int.h"

/* Sessions or queries that have a row with figures. */
struct known_shown {
	const void **of;
	size_t n, cap;
	bool sorted; /* by address; nothing is added any more */
};

void known_note_shown(struct known_shown *s, const struct group *g,
	bool as_queries);
void known_release(struct known_shown *s);

/* Adds a row for each session or query without one. */
void known_put(struct view_sink *to, struct known_shown *s, bool as_queries);

/* Adds a row for each expected host without one. */
void known_put_hosts(struct view_sink *to, const struct view *v);

#endif
