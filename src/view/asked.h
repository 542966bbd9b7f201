/* SPDX-License-Identifier: Apache-2.0 */
/*
 * asked.h - what databases were asked for in a range, and for which part of it.  A
 * view of the catalog is empty if nobody asked the database; that does not mean
 * "none".  All commands, formats and options decide by this what is missing.
 *
 * Use: zeroed; asked_add() with each table of a range; asked_note(), asked_rare_note();
 * asked_release().
 */
#ifndef GS_VIEW_ASKED_H
#define GS_VIEW_ASKED_H

#include "base/buf.h"
#include "view/uncollected.h"
#include "view/view.h"

/* One database server. */
struct asked_server {
	uint32_t index; /* of its catalog */
	char *name; /* NULL: not known */
	double asked_s;
	bool answered; /* at any time */
	struct collected is;
};

struct asked {
	double covered_s; /* sum over all tables */
	double interval_s;
	struct asked_server *server;
	size_t n, cap;
	char *why; /* the newest error in the range; NULL: none */
};

void asked_add(struct asked *a, const struct engine *e);

/* True if some of the view's data is missing: of the catalog that it shows, the
 * database was asked for nothing, or for something else, or in a part of the range
 * only.  Appends that; false: also what no server of the range has, or what else is
 * worth to be known, or nothing. */
bool asked_note(const struct asked *a, const struct view *v, struct buf *to);

/* True if the view's figures are what grew between two answers, and the servers gave
 * none, or, if still, no new one; appends that. */
bool asked_rare_note(const struct asked *a, const struct view *v, bool still,
	struct buf *to);

/* The same of several tables together: true if no server answered twice. */
bool asked_rare_notes(const struct asked *a, const struct view *v,
	struct buf *to);

/* The collectors that bring what the view shows of the catalog; 0: none does. */
uint32_t asked_collectors(const struct view *v);

/* Servers are known, and none is of a product and version that has one of these
 * collectors. */
bool asked_none_has(const struct asked *a, uint32_t collectors);

void asked_release(struct asked *a);

#endif
