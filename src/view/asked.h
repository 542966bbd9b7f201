/* SPDX-License-Identifier: Apache-2.0 */
/*
 * asked.h - for how much of what is shown the databases were asked: views of
 * what they say of themselves are empty where nobody asked them, and that is
 * not "none".
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
	bool answered; /* at all */
};

struct asked {
	double covered_s; /* of all tables */
	double interval_s;
	struct asked_server *server;
	size_t n, cap;
	char *why; /* the newest reason against it in the range; NULL: none */
};

void asked_add(struct asked *a, const struct engine *e);

/* Whether some of what the view shows is not recorded; to is added, in words,
 * which. */
bool asked_note(const struct asked *a, const struct view *v, struct buf *to);

void asked_release(struct asked *a);

#endif
