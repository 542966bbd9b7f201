/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gistwaits.h - the DB time of sessions by event, in the ticks of a gist that do not show
 * it: of recordings with a catalog.  A tick in which there is the session has all of it.
 *
 * The relations with which the gist begins, 8 bytes.
 * As varints: the number of the first tick that does not show it; of waits, of events,
 * and of rows, of whose sessions they are.  Of each event its kind, and its name, its
 * length before it.  Then, a column after the other: of each row its tick, the difference
 * to the row before; its host; its slot, zigzag of the difference to the row before; the
 * number of its waits.  Of each wait the number of its event, from 0; its time, 8 bytes.
 *
 * Private to src/format and who makes gists.
 */
#ifndef GS_FORMAT_GISTWAITS_H
#define GS_FORMAT_GISTWAITS_H

#include "base/buf.h"
#include "base/scan.h"
#include "format/breaks.h"
#include "model/tick.h"

/* A gist with more can't be read. */
#define GISTWAITS_MAX 65536u
#define GISTWAITS_EVENTS_MAX 512u

/* Memory of what so many bytes are read to, at most. */
size_t gistwaits_memory(size_t len);

struct gistwaits {
	bool any; /* else each tick shows all */
	uint64_t relations; /* with which the gist begins (struct gist_about) */
	uint32_t from; /* the first tick that does not; the number of ticks: all do */
	struct tick_wait *wait; /* in order of ticks, those of a row next to each other */
	size_t n, cap;
	struct gistwaits_event {
		uint32_t kind;
		char *name;
	} *event; /* that are written, each once */
	size_t n_event, event_cap;
};

void gistwaits_release(struct gistwaits *g);

/* Makes it empty; keeps the memory. */
void gistwaits_reset(struct gistwaits *g);

/* w->event is copied. */
void gistwaits_add(struct gistwaits *g, const struct tick_wait *w);

void gistwaits_put(const struct gistwaits *g, struct buf *to,
	struct breaks *breaks);

/* Replaces what g has by that with which *s begins, which is moved past it.  Its bytes
 * must stay valid.  ticks: of the gist.  False: it is none. */
bool gistwaits_open(struct gistwaits *g, struct span *s, size_t ticks);

/* What tick number i of the gist has of it. */
void gistwaits_give(const struct gistwaits *g, size_t i, struct tick *t);

#endif
