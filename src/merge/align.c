/* SPDX-License-Identifier: Apache-2.0 */
#include "merge/align.h"

#include "base/clock.h"

static int64_t interval_of(const struct align_next *n)
{
	return n->interval_ns > 0 ? n->interval_ns : GS_NSEC_PER_SEC;
}

static bool first_of(const struct align_next *next, size_t n, int64_t *ret)
{
	bool any = false;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!next[i].has || (any && next[i].at_ns >= *ret))
			continue;
		*ret = next[i].at_ns;
		any = true;
	}
	return any;
}

/* A recording that begins later does not count yet. */
static int64_t finest(const struct align_next *next, size_t n, int64_t first)
{
	int64_t ns = INT64_MAX;
	size_t i;

	for (i = 0; i < n; i++) {
		int64_t own = interval_of(&next[i]);

		if (next[i].has && own < ns && (next[i].begun ||
		    next[i].at_ns - first < own))
			ns = own;
	}
	return ns;
}

bool align_choose(struct align_next *next, size_t n, struct aligned *ret)
{
	const struct align_next *lead = NULL;
	int64_t first = 0;
	size_t i;

	if (!first_of(next, n, &first))
		return false;
	ret->interval_ns = finest(next, n, first);
	for (i = 0; i < n; i++) {
		next[i].joined = next[i].has &&
		    next[i].at_ns - first < (ret->interval_ns + 1) / 2;
		if (next[i].joined && (!lead ||
		    interval_of(&next[i]) < interval_of(lead)))
			lead = &next[i];
	}
	ret->at_ns = lead->at_ns;
	return true;
}
