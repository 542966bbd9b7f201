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
#include "cli/replay_opts.h"
#include "model/cursor.h"
#include "view/ask.h"
#include "view/range.h"

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
	void *ctx;
};

struct show_result {
	bool any; /* a tick was within the range */
	bool stopped; /* the output takes no more */
	size_t n_holes;
};

/* The options as an ask takes them. */
void show_words(const struct replay_options *o, struct ask_words *ret);

struct show;

/* Everything must outlive the show; out is not begun.  GS_E_USAGE: the options
 * do not fit. */
int show_new(const struct replay_options *o, const struct show_source *src,
	struct printer *out, struct show **ret, struct gs_err *err);

/* All tables of a range.  With windows: one of each, at the end of each step
 * of the range or of the whole. */
int show_range(struct show *s, const struct range *r,
	struct show_result *ret, struct gs_err *err);

/* Ends the output, if it was begun.  Notes that had no place in it are
 * told. */
void show_end(struct show *s);
void show_free(struct show *s);

#endif
