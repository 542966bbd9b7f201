/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reading.h - one side of a comparison, read once: the tables of several views,
 * and what it covers.
 */
#ifndef GS_DIFF_READING_H
#define GS_DIFF_READING_H

#include "model/header.h"
#include "query/range.h"
#include "view/ask.h"
#include "view/show_source.h"

/* What to read.  Everything must outlive it. */
struct diff_side {
	const char *name; /* as the user wrote it */
	const struct show_source *src;
	const struct header *header;
	struct range range;
	const char *host, *segment; /* the only one; NULL: all */
};

struct reading {
	const struct diff_side *side;
	char letter; /* 'A', 'B' */
	struct engine engine; /* at the end of the range */
	struct view_use **use; /* one per ask */
	struct grid **grid; /* their tables */
	size_t n;
	struct report report;
	size_t n_holes;
};

/* Reads the views of all asks in one pass.  GS_E_NOTFOUND: no tick is in the
 * range; GS_E_USAGE: there is no such host, or segment. */
int reading_run(struct reading *r, const struct diff_side *side, char letter,
	struct ask *const *ask, size_t n, struct gs_err *err);
void reading_release(struct reading *r);

#endif
