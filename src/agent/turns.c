/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/turns.h"

#include "base/clock.h"
#include "base/compiler.h"

/* A tick is never quite as long as the one before. */
static int64_t ticks_in(int64_t ns, int64_t interval_ns)
{
	return (ns + interval_ns / 8) / interval_ns;
}

/* What is read by turns is read again within this time, or within so many ticks
 * if these take longer, but not later than the maximum or a tick. */
static const struct {
	int64_t ns, ticks, max_ns;
} turns[TURNS] = {
	[TURN_SOON] = { 10 * GS_NSEC_PER_SEC, 10, 60 * GS_NSEC_PER_SEC },
	[TURN_LATE] = { 30 * GS_NSEC_PER_SEC, 30, 60 * GS_NSEC_PER_SEC },
	[TURN_SELDOM] = { 60 * GS_NSEC_PER_SEC, 30, 150 * GS_NSEC_PER_SEC },
};

int64_t turn_interval(const int64_t last_ns[TURN_INTERVALS])
{
	const int64_t a = last_ns[0], b = last_ns[1], c = last_ns[2];

	if (c == 0)
		return b == 0 ? a : GS_MIN(a, b);
	return GS_MAX(GS_MIN(a, b), GS_MIN(GS_MAX(a, b), c));
}

uint64_t turn_ticks(enum turn of, int64_t interval_ns)
{
	int64_t n;

	if (interval_ns <= 0)
		return 1;
	n = ticks_in(turns[of].ns, interval_ns);
	if (n < turns[of].ticks)
		n = GS_MIN(turns[of].ticks,
		    ticks_in(turns[of].max_ns, interval_ns));
	return n > 0 ? (uint64_t)n : 1;
}
