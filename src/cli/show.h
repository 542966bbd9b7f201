/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show.h - tables of a source of ticks, by the options of replay: the same for
 * files and for live samples.
 *
 * Use: show_new() checks the options; show_range() any number of times, the
 * source's range may grow in between; show_end(); show_free().
 */
#ifndef GS_CLI_SHOW_H
#define GS_CLI_SHOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/zone.h"
#include "cli/output.h"
#include "cli/show_opts.h"
#include "model/cursor.h"
#include "query/range.h"
#include "view/ask.h"

/* The source of ticks, and of the lines above tables. */
struct show_source {
	struct cursor cursor;
	int64_t interval_ns;
	int64_t first_ns, last_ns; /* of its ticks */
	bool is_pipe; /* last_ns is not known, and it can be read once only */
	struct zone zone; /* zone of the times shown */
	/* Names files and adds notes, in memory that report_release()
	 * knows. */
	void (*head)(void *ctx, struct report *rep);
	/* NULL, or: true if no more tables are wanted. */
	bool (*is_over)(void *ctx);
	void *ctx;
};

struct show_result {
	bool any; /* a tick was within the range */
	bool stopped; /* the output failed, or enough was shown */
	size_t n_holes;
	bool unrecorded; /* some data of the view were not recorded */
};

/* The options as an ask. */
void show_words(const struct replay_options *o, struct ask_words *ret);

struct show;

/* Everything must outlive the show; out is not begun.  GS_E_USAGE: the options
 * do not fit. */
int show_new(const struct replay_options *o, const struct show_source *src,
	struct printer *out, struct show **ret, struct gs_err *err);

bool show_is_overview(const struct show *s);

/* The baseline of all tables, read before them; its holes count for the next
 * show_range().  GS_E_NOTFOUND: it has no tick. */
int show_against(struct show *s, const struct range *r, struct gs_err *err);

/* All tables of a range.  With windows: one of each, at the end of each step
 * of the range or of the whole. */
int show_range(struct show *s, const struct range *r,
	struct show_result *ret, struct gs_err *err);

/*
 * As show_range(), without windows and of a view other than the overview, for a
 * range whose ticks are yet to come: show_more() shows what is complete, each
 * table alone if the output redraws, and returns RANGE_WAITS, or GS_OK if no
 * more will be shown; show_close() shows the rest.
 */
void show_open(struct show *s, const struct range *r);
int show_more(struct show *s, struct gs_err *err);
int show_close(struct show *s, struct show_result *ret, struct gs_err *err);

/* A text about what was asked for by name and was in no table; NULL: all was
 * found.  Valid as long as the show. */
const char *show_unseen(const struct show *s);

/* The next output replaces all before, if the output redraws. */
void show_again(struct show *s);

/* Ends the output, if it was begun.  Notes that it has no room for go to the
 * standard error. */
void show_end(struct show *s);
void show_free(struct show *s);

#endif
