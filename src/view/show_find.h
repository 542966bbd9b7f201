/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_find.h - when a condition held: replay --find.
 */
#ifndef GS_VIEW_SHOW_FIND_H
#define GS_VIEW_SHOW_FIND_H

#include "view/show.h"

struct show_find {
	const char *expression;
	struct ask_words words; /* where, sort, columns: of the table found */
	bool has_notes; /* as in struct show_options */
	const struct show_source *source;
	const struct show_output *out;
};

/*
 * One pass through the range, by its steps or ticks; writes the table of what was
 * found, and ends it.  *ret_found: intervals, before --where and --limit.  Nothing
 * is written if no tick is within the range.
 */
int show_find(const struct show_find *o, const struct range *r,
	struct show_result *ret, size_t *ret_found, struct gs_err *err);

#endif
