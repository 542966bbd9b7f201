/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_key.h - singular names of a view's rows ("session", "host"), their view,
 * and the columns that identify a row: for a reader, and in another range.
 */
#ifndef GS_QUERY_VIEW_KEY_H
#define GS_QUERY_VIEW_KEY_H

#include <stddef.h>

#include "base/err.h"

#define VIEW_KEY_COLS 7

struct view_key {
	const char *view; /* at most one row for each */
	const char *name; /* at most one row for each; NULL: --find does not
	                   * use it */
	const char *shown[VIEW_KEY_COLS]; /* columns that identify it for a
	                                   * reader */
	/* Columns that identify it across ranges; none: as shown.  A "~" before
	 * a column's name: numbers at the start of its text are ignored; "^":
	 * about the same power of two is equal. */
	const char *same[VIEW_KEY_COLS];
};

/* NULL: no such name. */
const struct view_key *view_key_find(const char *name, size_t len);

/* The key of a view; NULL: it has none. */
const struct view_key *view_key_of_view(const char *view);

/* Fails with GS_E_USAGE: no such name; the message lists the names. */
int view_key_none(const char *name, size_t len, struct gs_err *err);

/* In the order of views; NULL after the last. */
const struct view_key *view_key_at(size_t i);

#endif
