/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ask.h - what somebody wants to see of a range, as it was written: which
 * view, which of its rows, in which order, which columns.  Options of a
 * command and keys at a terminal come to the same tables through it.
 *
 * Use: ask_new() checks what can be checked before there is a table;
 * view_open() with ask_view() and ask_of_view(); ask_refine() on each grid
 * that the view makes; ask_free().
 */
#ifndef GS_VIEW_ASK_H
#define GS_VIEW_ASK_H

#include <stdint.h>

#include "base/err.h"
#include "base/when.h"
#include "view/view.h"

/* Words as people write them; NULL: the view's own. */
struct ask_words {
	const char *view;
	const char *group_by; /* "user,database" */
	const char *ema; /* time constants "5m,15m" */
	const char *where; /* filter.h */
	const char *session; /* "7", "con7", the pid of a backend */
	const char *server; /* as the column of that name has it */
	const char *sort; /* sort.h */
	const char *columns; /* grid_choose() */
	size_t limit; /* rows of a list; 0: all */
	bool compared; /* with another range: tables stand in an order of their
	                * own before ask_refine() */
	struct wait_ask wait;
};

struct ask;

/* words are not owned and must outlive it.  GS_E_USAGE: they do not fit the
 * view, or there is no such view. */
int ask_new(const struct ask_words *words, struct ask **ret,
	struct gs_err *err);
void ask_free(struct ask *a);

const struct view *ask_view(const struct ask *a);

/* For view_open(); owned by the ask. */
const struct view_ask *ask_of_view(const struct ask *a);

/* The rows and columns that are wanted, in order; when is for conditions on
 * instants.  GS_E_USAGE: the table has no such columns. */
int ask_refine(struct ask *a, struct grid *g, const struct when_env *when,
	struct gs_err *err);

/* If a server is asked for that e does not know: g->unseen and the title of an
 * empty table say so, and which servers there are. */
void ask_note_server(const struct ask *a, const struct engine *e,
	struct grid *g);

#endif
