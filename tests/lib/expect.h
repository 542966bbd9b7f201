/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expect.h - what comes out of a recording against what went into it.
 */
#ifndef TESTS_LIB_EXPECT_H
#define TESTS_LIB_EXPECT_H

#include "cases.h"
#include "recording.h"

/* A tick with the number and cells of one that was recorded. */
static inline void recording_expect(const struct recording *r,
	const struct tick *t, const struct world *w)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		if (r->tick[i].seq == t->seq &&
		    r->tick[i].wall_ns == t->wall_ns) {
			assert_int_equal(digest_world(w), r->tick[i].digest);
			return;
		}
	}
	fail_msg("tick %u was never recorded", (unsigned)t->seq);
}

#endif
