/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_key.h - what can be spoken of in the singular ("session", "host"), the
 * view that has its rows, and the columns that say which row it is: to a
 * reader, and in another range of time.
 */
#ifndef GS_QUERY_VIEW_KEY_H
#define GS_QUERY_VIEW_KEY_H

#include <stddef.h>

#include "base/err.h"

#define VIEW_KEY_COLS 7

struct view_key {
	const char *view;
	const char *name; /* NULL: nobody looks for it */
	const char *shown[VIEW_KEY_COLS]; /* enough for a reader to know it */
	/* What has the same in two ranges is the same; none: as shown.  "~"
	 * before a name: numbers at the beginning do not count; "^": about
	 * the same power of two will do. */
	const char *same[VIEW_KEY_COLS];
};

/* NULL: there is none of that name. */
const struct view_key *view_key_find(const char *name, size_t len);

/* That of a view; NULL: it has none. */
const struct view_key *view_key_of_view(const char *view);

/* Fails with GS_E_USAGE: there is no such thing, but these. */
int view_key_none(const char *name, size_t len, struct gs_err *err);

/* In the order of views; NULL behind the last. */
const struct view_key *view_key_at(size_t i);

#endif
