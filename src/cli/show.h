/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show.h - tables of a source of ticks, by the options of replay: the same
 * for files and for what is being sampled.
 *
 * Use: show_new() checks the options; show_range() as often as wanted, the
 * source's times may have grown meanwhile; show_end(); show_free().
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

/* Where ticks come from, and what stands above tables. */
struct show_source {
	struct cursor cursor;
	int64_t interval_ns;
	int64_t first_ns, last_ns; /* of its ticks */
	bool is_pipe; /* last_ns is not known, and it can be read once only */
	struct zone zone; /* what times are shown in */
	/* Names files and adds notes, in memory that report_release()
	 * knows. */
	void (*head)(void *ctx, struct report *rep);
	/* NULL, or: true if no more tables are wanted. */
	bool (*is_over)(void *ctx);
	void *ctx;
};

struct show_result {
	bool any; /* a tick was within the range */
	bool stopped; /* the output takes no more, or enough was shown */
	size_t n_holes;
	bool unrecorded; /* some of what the view shows: nobody asked */
};

/* The options as an ask takes them. */
void show_words(const struct replay_options *o, struct ask_words *ret);

struct show;

/* Everything must outlive the show; out is not begun.  GS_E_USAGE: the options
 * do not fit. */
int show_new(const struct replay_options *o, const struct show_source *src,
	struct printer *out, struct show **ret, struct gs_err *err);

bool show_is_overview(const struct show *s);

/* The range that all tables are compared with, read before they are; its
 * holes count for the next show_range().  GS_E_NOTFOUND: it has no tick. */
int show_against(struct show *s, const struct range *r, struct gs_err *err);

/* All tables of a range.  With windows: one of each, at the end of each step
 * of the range or of the whole. */
int show_range(struct show *s, const struct range *r,
	struct show_result *ret, struct gs_err *err);

/*
 * As show_range(), without windows and of a view that is not the overview, of
 * a range whose ticks are yet to come: show_more() shows what is complete by
 * now, each table for itself where the output redraws, and returns
 * RANGE_WAITS, or GS_OK where no more will be shown; show_close() shows what
 * is left.
 */
void show_open(struct show *s, const struct range *r);
int show_more(struct show *s, struct gs_err *err);
int show_close(struct show *s, struct show_result *ret, struct gs_err *err);

/* What was asked for by name and was in no table, in words; NULL: there was
 * such a thing.  Valid as long as the show. */
const char *show_unseen(const struct show *s);

/* What comes next takes the place of all before, where the output redraws. */
void show_again(struct show *s);

/* Ends the output, if it was begun.  Notes that had no place in it are
 * told. */
void show_end(struct show *s);
void show_free(struct show *s);

#endif
