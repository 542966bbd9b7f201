/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sumcheck.h - whether the summaries of a file fit its ticks.
 */
#ifndef GS_EDIT_SUMCHECK_H
#define GS_EDIT_SUMCHECK_H

#include "base/reading.h"
#include "query/stretch.h"

/* What makes the figures of summaries. */
struct sumcheck_also {
	struct stretch_also also;
	bool (*knows)(void *self, struct span name); /* a figure: it is wrong where `also`
	                                              * makes none; others are of other
	                                              * versions */
};

/* Makes all summaries of the file again, from its ticks; returns the number of
 * those in the file that say something else.  reading may be NULL. */
size_t sumcheck_file(const char *path, const struct sumcheck_also *also,
	const struct reading *reading);

#endif
