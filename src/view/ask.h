/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ask.h - a request as the user wrote it: which view, which rows, in which
 * order, which columns.  Options of a command and keys in the terminal make
 * tables through it.
 *
 * Use: ask_new() does all checks that need no table; view_open() with
 * ask_view() and ask_of_view(); ask_refine() on each grid that the view makes;
 * ask_free().
 */
#ifndef GS_VIEW_ASK_H
#define GS_VIEW_ASK_H

#include <stdint.h>

#include "base/err.h"
#include "base/when.h"
#include "view/view.h"

/* Words as the user wrote them; NULL: the view's default. */
struct ask_words {
	const char *view;
	const char *group_by; /* "user,database" */
	bool nested; /* also by the first key, the first two, ... */
	size_t top; /* nested: only rows of so many keys at most; 0: all */
	bool normalize; /* classes of commands and cgroups, normal.h */
	const char *const *flatten; /* globs of cgroups */
	size_t n_flatten;
	const char *ema; /* time constants "5m,15m" */
	const char *where; /* filter.h */
	const char *session; /* "7", "con7", the pid of a backend */
	const char *server; /* as in the column server */
	const char *sort; /* sort.h */
	const char *columns; /* grid_choose() */
	size_t limit; /* number of rows; 0: all */
	bool all_metrics; /* of the view's entity, as columns */
	bool stand_ins; /* metrics have what stands in for them in comparisons:
	                 * grid_col.stands_in */
	bool rates; /* metrics that are counters are rates */
	bool brief; /* for a screen: numbers on request that no column and no order
	             * names are not made */
	bool settled; /* brief, and the words stay */
	size_t width; /* of lines, if settled; 0: any */
	bool compared; /* with another range: rows have an order of their own
	                * before ask_refine() */
	const struct zone *zone; /* of instants in texts; NULL: UTC */
	bool with_sides; /* ... and chosen columns come with the other side's */
	struct wait_ask wait;
};

/* Some column must be there, whether it is shown or not. */
static inline bool ask_names_columns(const struct ask_words *w)
{
	return w->columns || w->where || w->sort || w->session || w->server ||
	    w->nested;
}

struct ask;

/* words are not owned and must outlive it.  GS_E_USAGE: they do not fit the
 * view, or there is no such view. */
int ask_new(const struct ask_words *words, struct ask **ret,
	struct gs_err *err);
void ask_free(struct ask *a);

const struct view *ask_view(const struct ask *a);

/* As view_leaps(); not for what names a server or a session. */
bool ask_leaps(const struct ask *a);

/* As view_takes_gists(). */
bool ask_takes_gists(const struct ask *a);

/* For view_open(); owned by the ask. */
const struct view_ask *ask_of_view(const struct ask *a);

/* Leaves the rows that were asked for; when is for conditions on instants.
 * GS_E_USAGE: the table has no such columns. */
int ask_keep(struct ask *a, struct grid *g, const struct when_env *when,
	struct gs_err *err);

/* Applies rows, order and columns; when is for conditions on instants.
 * GS_E_USAGE: the table has no such columns. */
int ask_refine(struct ask *a, struct grid *g, const struct when_env *when,
	struct gs_err *err);

/* If the table has no row of the requested session, and e does not know it, sets
 * g->unseen and the title to a message. */
void ask_note_session(const struct ask *a, const struct engine *e,
	struct grid *g);

/* If e does not know the requested server, sets g->unseen and the title of an
 * empty table to a message with the known servers. */
void ask_note_server(const struct ask *a, const struct engine *e,
	struct grid *g);

#endif
