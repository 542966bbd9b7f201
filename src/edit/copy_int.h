/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copy_int.h - shared by copy.c and copy_events.c.
 */
#ifndef GS_EDIT_COPY_INT_H
#define GS_EDIT_COPY_INT_H

#include "edit/copy.h"
#include "edit/row_filter.h"
#include "edit/thin.h"
#include "model/walk.h"

/* What is missing before the next tick. */
struct copy_gap {
	bool any;
	char damage[GAP_WHY_MAX]; /* of the source; "": none */
};

struct copy {
	const struct copy_options *o;
	struct copy_result *ret;
	struct sink *to;
	struct row_filter filter;
	struct tick_encoder *encoder; /* NULL: no tick was written yet */
	bool as_is; /* only a range of time is selected */
	struct thin *thin; /* NULL: all ticks are written */
	bool pending; /* the previous tick was not */
	bool pending_key; /* one of the pending ticks must be a key */
	int64_t pending_ns; /* its time */
	uint64_t pending_seq;
	uint64_t left_out; /* ticks of the recording since the last written one */
	uint64_t skipped; /* ticks that were never sampled, since then */
	int64_t before_ns; /* the source's tick before, if it follows */
	bool follows;
	struct tick passed; /* events since the last written tick */
	uint8_t recording[RECORDING_ID_LEN]; /* of the source, written last */
	uint64_t offset; /* of our sequence numbers to the source's */
	uint64_t last_seq; /* ours */
	/* The last tick at or before the range, which is written once it is
	 * known to be the last. */
	bool have_base;
	int64_t base_ns; /* its scheduled time */
	int64_t base_wall_ns;
	uint64_t base_seq;
	struct copy_gap gap;
	bool seam; /* nothing is missing, but another recording goes on */
	struct walk walk;
};

/* True if the host of that number is selected. */
bool copy_wants_host(struct copy *c, uint32_t index);

/* Of the current tick, into the one that is written; of the first one those in the
 * range. */
void copy_encode_events(struct copy *c, const struct tick *t);

/* Here so many ticks are missing because the source is damaged, which this file is not:
 * the next tick says so, as a recorder's does after ticks that it could not write.  Before
 * its own events: what comes first is the reason (tick_lost_why()). */
void copy_encode_damage(struct copy *c, uint64_t missing, int64_t wall_ns);

/* Events of a tick that is left out, for the next one. */
void copy_pass_events(struct copy *c, const struct tick *t);

#endif
