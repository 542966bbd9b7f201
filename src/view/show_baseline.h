/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_baseline.h - the table of the range that another is compared with.
 */
#ifndef GS_VIEW_SHOW_BASELINE_H
#define GS_VIEW_SHOW_BASELINE_H

#include "query/range.h"
#include "view/ask.h"
#include "view/show_source.h"

/* Begins zeroed. */
struct baseline {
	struct grid *grid; /* NULL: none */
	struct report report; /* its range, and what it covers */
};

/* Reads the range; its every_ns is ignored.  Fails with GS_E_NOTFOUND if no
 * tick is within it. */
int baseline_read(struct baseline *b, const struct show_source *src,
	const struct ask *ask, const struct range *r, struct gs_err *err);

/* Whether the range, of its first and last tick, has a part of the baseline: it
 * is compared with itself there. */
bool baseline_overlaps(const struct baseline *b, int64_t from_ns,
	int64_t to_ns);

/* Puts it into the lines above the table, whose range is there: with notes on what
 * makes a comparison worth less. */
void baseline_tell(const struct baseline *b, struct report *rep);
void baseline_release(struct baseline *b);

/* The table with the baseline beside it, sorted; the caller frees it, and keeps
 * g. */
int baseline_compare(const struct baseline *b, const struct ask *ask,
	const struct grid *g, struct grid **ret, struct gs_err *err);

#endif
