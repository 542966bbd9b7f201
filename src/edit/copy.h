/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copy.h - a part of a recording, tick by tick, into other files.
 *
 * What comes out is a recording by itself: it begins with a key of all that
 * was known at the tick where the range begins, and goes on tick by tick, with
 * a key wherever the source has one.  All that is said of the range can be
 * said from it alone, in the same figures.
 *
 * Ticks may be left out (thin.h): what is said of a range whose edges are among
 * those that stay is then the same in all that counts, and coarser in the rest.
 *
 * A copy of everything in a range is a piece of its recording: it has its
 * identity, and its ticks their numbers.  Where something was left out or
 * masked it is another recording, which names the one that it was made of; so
 * it is where ticks were left out, but for one that keeps its place.
 */
#ifndef GS_EDIT_COPY_H
#define GS_EDIT_COPY_H

#include "anonymize/redact.h"
#include "edit/pick.h"
#include "edit/sink.h"
#include "model/cursor.h"

struct copy_options {
	int64_t from_ns, to_ns; /* as of a replay; INT64_MIN, INT64_MAX */
	struct pick *pick; /* not owned */
	struct redact *redact; /* over it; not owned; NULL: none */
	int64_t thin_ns; /* leave ticks out, one in so long stays; 0: none */
	bool keeps; /* what is thinned takes the place of the source in its
	             * recording: as a copy of everything, with holes in the
	             * numbers of its ticks that say how large they are */
	const char *command; /* the line that asks for it, for the header */
	bool is_made; /* the source is a recording that is made by the way, for
	               * this copy: what comes out is that one */
	/* Per tick of the source that is in the range; false stops with
	 * GS_E_GONE.  NULL: nobody looks. */
	bool (*step)(void *ctx, int64_t wall_ns, const struct sink *s);
	/* What is missing within the range; NULL: nobody cares. */
	void (*gap)(void *ctx, const struct cursor_gap *gap);
	void *ctx;
};

struct copy_result {
	bool any; /* a tick is in the range */
	bool waiting; /* a recorder is at work: up to what it has written */
	int64_t first_ns, last_ns; /* ticks in the output */
	uint64_t n_ticks; /* of the source */
	uint64_t n_gaps; /* ranges that are missing */
	uint64_t n_damaged; /* of them, by damage */
};

/* Runs the cursor into the sink, which is not finished.  interval_ns: the
 * recording's, until a key says it. */
int copy_run(const struct copy_options *o, struct cursor c,
	int64_t interval_ns, struct sink *to, struct copy_result *ret,
	struct gs_err *err);

#endif
