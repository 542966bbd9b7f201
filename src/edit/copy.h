/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copy.h - copies a part of a recording, tick by tick, into other files.
 *
 * The output is a complete recording: it begins with a key of the full state at
 * the first tick of the range, and goes on tick by tick, with a key wherever
 * the source has one.  Reports about the range give the same figures from the
 * output alone.
 *
 * Ticks may be left out (thin.h): for a range that begins and ends at kept
 * ticks, counters are then the same, and other figures are coarser.
 *
 * A copy of everything in a range is a piece of its recording: it keeps the
 * recording's identity and the tick numbers.  If something was left out or
 * masked it is a new recording, which names its source; the same if ticks were
 * left out, unless keeps is set.
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
	struct redact *redact; /* applied to texts; not owned; or NULL */
	int64_t thin_ns; /* keep one tick in so long; 0: keep all */
	bool keeps; /* the thinned output replaces the source in its recording:
	             * it keeps the identity and the tick numbers, in which
	             * the ticks left out are gaps of known size */
	const char *command; /* command line, for the header */
	bool is_made; /* the source is a temporary recording, made for this
	               * copy: the output keeps its identity */
	/* Per tick of the source in the range; false stops with GS_E_GONE.
	 * May be NULL. */
	bool (*step)(void *ctx, int64_t wall_ns, const struct sink *s);
	/* Per gap within the range; may be NULL. */
	void (*gap)(void *ctx, const struct cursor_gap *gap);
	void *ctx;
};

struct copy_result {
	bool any; /* a tick is in the range */
	bool waiting; /* a recorder is still writing the source */
	int64_t first_ns, last_ns; /* ticks in the output */
	uint64_t n_ticks; /* of the source */
	uint64_t n_gaps; /* missing ranges */
	uint64_t n_damaged; /* of them, by damage */
	uint64_t n_first; /* of them, before the first tick in the output */
	uint64_t n_last; /* of them, after the last one */
};

/* Copies from the cursor to the sink, without finishing the sink.
 * interval_ns: the recording's, used until the first key. */
int copy_run(const struct copy_options *o, struct cursor c,
	int64_t interval_ns, struct sink *to, struct copy_result *ret,
	struct gs_err *err);

#endif
