/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_find.h - when a condition held: replay --find.
 */
#ifndef GS_CLI_SHOW_FIND_H
#define GS_CLI_SHOW_FIND_H

#include "cli/show.h"

/* Checks for options that exclude each other; GS_E_USAGE. */
int show_find_check(const struct replay_options *o, struct gs_err *err);

/*
 * One pass through the range; writes the table of what was found, and ends it.
 * *ret_found: intervals, before --where and --limit.  Nothing is written if no
 * tick is within the range.
 */
int show_find(const struct replay_options *o, const struct show_source *src,
	struct printer *out, const struct range *r, struct show_result *ret,
	size_t *ret_found, struct gs_err *err);

#endif
