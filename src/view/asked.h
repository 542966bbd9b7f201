/* SPDX-License-Identifier: Apache-2.0 */
/*
 * asked.h - for which part of a range the databases were asked.  A view of the
 * catalog is empty if nobody asked the database; that does not mean "none".
 *
 * Use: zeroed; asked_add() with each table of a range; asked_note();
 * asked_release().
 */
#ifndef GS_VIEW_ASKED_H
#define GS_VIEW_ASKED_H

#include "base/buf.h"
#include "view/view.h"

/* One database server. */
struct asked_server {
	uint32_t index; /* of its catalog */
	char *name; /* NULL: not known */
	double asked_s;
	bool answered; /* at any time */
};

struct asked {
	double covered_s; /* sum over all tables */
	double interval_s;
	struct asked_server *server;
	size_t n, cap;
	char *why; /* the newest error in the range; NULL: none */
};

void asked_add(struct asked *a, const struct engine *e);

/* True if some of the view's data is not recorded; appends a description to
 * `to`. */
bool asked_note(const struct asked *a, const struct view *v, struct buf *to);

void asked_release(struct asked *a);

#endif
