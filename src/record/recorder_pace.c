/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder_pace.c - how often is sampled: more often for a while, then as before.
 *
 * Ticks are due at multiples of another interval from the next one on.  That
 * tick is a key, whose header has the new interval: so readers know it from
 * there on.
 */
#include "record/recorder_int.h"

#include "base/clock.h"

/* At most half of the time, and half an hour at once. */
#define FAST_BURST_S 1800.0
#define FAST_SHARE 0.5

static bool is_fast(const struct recorder *r)
{
	return r->fast.until_ns > 0;
}

bool recorder_is_fast(const struct recorder *r, int64_t *ret_until_ns)
{
	if (is_fast(r))
		*ret_until_ns = gs_clock_wall_ns() + r->fast.until_ns -
		    gs_clock_mono_ns();
	return is_fast(r);
}

void recorder_go_fast(struct recorder *r, int64_t interval_ns, int64_t for_ns)
{
	int64_t now_ns = gs_clock_mono_ns();

	if (r->ended || interval_ns >= r->opt.interval_ns)
		return;
	if (r->fast.allowed.burst == 0)
		r->fast.allowed = allowance_of(FAST_BURST_S, FAST_SHARE,
		    now_ns);
	if (!is_fast(r) && !allowance_spend(&r->fast.allowed, 1, now_ns)) {
		recorder_notice(r, false, "not sampled more often: that was "
		    "so for half of the time already");
		return;
	}
	if (!is_fast(r) || interval_ns < r->ticker.schedule.interval_ns)
		ticker_set_interval(&r->ticker, interval_ns);
	if (!is_fast(r))
		r->fast.tick_ns = now_ns;
	r->fast.until_ns = GS_MAX(r->fast.until_ns, now_ns + for_ns);
}

void recorder_pace_tick(struct recorder *r)
{
	int64_t now_ns = gs_clock_mono_ns();

	if (r->interval_ns != r->ticker.schedule.interval_ns) {
		r->interval_ns = r->ticker.schedule.interval_ns;
		encoder_header(framer_encoder(r->framer))->interval_ns =
		    r->interval_ns;
		r->tick.key = true;
	}
	if (!is_fast(r))
		return;
	allowance_charge(&r->fast.allowed,
	    (double)(now_ns - r->fast.tick_ns) / 1e9, now_ns);
	r->fast.tick_ns = now_ns;
}

void recorder_pace_after(struct recorder *r)
{
	int64_t now_ns = gs_clock_mono_ns();

	if (!is_fast(r) || (now_ns < r->fast.until_ns &&
	    allowance_wait_ns(&r->fast.allowed, now_ns) == 0))
		return;
	r->fast.until_ns = 0;
	ticker_set_interval(&r->ticker, r->opt.interval_ns);
}
