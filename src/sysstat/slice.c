/* SPDX-License-Identifier: Apache-2.0 */
#include "sysstat/slice.h"

#include "sysstat/instant.h"

static int64_t to_seconds(uint64_t cs)
{
	return (int64_t)((cs + 50) / 100);
}

static bool is_due(struct slice *s, uint64_t uptime_cs)
{
	int64_t at = to_seconds(uptime_cs - s->first_cs);
	int64_t passed = to_seconds(uptime_cs - s->last_cs);
	int64_t every = (int64_t)s->every_s, multiple;

	s->last_cs = uptime_cs;
	if (every <= 1)
		return true;
	/* the one before, and the next */
	for (multiple = at / every * every; multiple <= at + every;
	    multiple += every) {
		if (multiple >= at - passed / 2 &&
		    multiple < at + passed / 2 + passed % 2)
			return true;
	}
	return false;
}

bool slice_has(struct slice *s, const struct host *h, bool first)
{
	uint64_t uptime_cs = instant_of(h).uptime_cs;

	if (first)
		s->first_cs = s->last_cs = uptime_cs;
	return first || is_due(s, uptime_cs);
}
