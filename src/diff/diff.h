/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff.h - two sides of recordings compared: gpsnap diff.
 *
 * The forms are a page (a section of lines for hosts, waits, sessions,
 * statements, processes, disks), one section of groups, one view as a table, and
 * one entity with all its metrics.  Rows are matched and noise is told by
 * query/compare.h.
 */
#ifndef GS_DIFF_DIFF_H
#define GS_DIFF_DIFF_H

#include "base/buf.h"
#include "diff/reading.h"
#include "view/show.h"

/* Which columns of figures are shown in text. */
enum diff_form { DIFF_USUAL, DIFF_FULL, DIFF_ARROW, DIFF_DELTA, DIFF_PERCENT, DIFF_FORMS };

struct diff_options {
	struct ask_words words; /* view NULL: the page, or groups */
	const char *entity; /* in place of a view; NULL */
	const char *sections; /* of the page, "hosts,disks"; NULL: all; of an
	                       * entity or of groups, "memory,io": by what
	                       * their figures are about; NULL: one */
	const char *metrics; /* only these columns; NULL: all that differ */
	const char *fail_if; /* NULL: never */
	enum diff_form form;
	bool totals;
	bool fuzzy; /* similar names are matched */
	bool literal; /* names as they are, not their classes */
	bool for_people; /* the output is read by people */
	bool utf8;
};

struct diff_result {
	size_t n_holes; /* of both sides */
	bool unrecorded; /* some data were not recorded */
	size_t n_true; /* rows for which fail_if holds */
};

/* The names of all sections, and what they have, as text; those that entity
 * may have. */
void diff_list_sections(struct buf *to);
void diff_list_entities(struct buf *to);

/* GS_E_USAGE, GS_E_NOTFOUND: nothing to compare. */
int diff_run(const struct diff_options *o, const struct diff_side side[2],
	const struct show_output *out, struct diff_result *ret,
	struct gs_err *err);

#endif
