/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_series.h - figures over time: replay --series.
 */
#ifndef GS_VIEW_SHOW_SERIES_H
#define GS_VIEW_SHOW_SERIES_H

#include "view/show.h"

struct show_series {
	const char *metrics; /* names of columns: "cpu,io" */
	bool lines; /* a row for each row of the view, with a line */
	struct ask_words words; /* without order and columns */
	size_t width; /* of the screen; 0: any number of columns */
	bool signs; /* lines of signs, not of numbers */
	bool utf8;
	bool has_notes; /* as in struct show_options */
	const struct show_source *source;
	const struct show_output *out;
};

/*
 * One pass through the range, by its steps or ticks, or else by steps of a round
 * length that gives 20 to 60 of them; writes one table, and ends it.  Nothing is
 * written if no tick is within the range.  *ret_unseen: a text about what was asked
 * for by name and is not there, to be freed; NULL: all is.
 */
int show_series(const struct show_series *o, const struct range *r,
	struct show_result *ret, char **ret_unseen, struct gs_err *err);

#endif
