/* SPDX-License-Identifier: Apache-2.0 */
#include "sysstat/instant.h"

#include "base/clock.h"
#include "base/compiler.h"
#include "model/diff.h"

static const unsigned jiffies[] = {
	COL(HOST, CPU_USER), COL(HOST, CPU_NICE), COL(HOST, CPU_SYSTEM),
	COL(HOST, CPU_IDLE), COL(HOST, CPU_IOWAIT), COL(HOST, CPU_IRQ),
	COL(HOST, CPU_SOFTIRQ), COL(HOST, CPU_STEAL),
};

struct instant instant_of(const struct host *h)
{
	struct instant t = {
		.wall_ns = h->clock.wall_ns,
		.mono_ns = h->clock.mono_ns,
		.hz = diff_env(h).clock_ticks,
	};
	const struct row *r = host_row(h);
	uint64_t v;
	size_t i;

	if (!r)
		return t;
	(void)row_get(r, COL(HOST, UPTIME), &t.uptime_cs);
	(void)row_get(r, COL(HOST, MEM_TOTAL), &t.mem_total_kib);
	for (i = 0; i < GS_LEN(jiffies); i++) {
		if (row_get(r, jiffies[i], &v))
			t.jiffies += v;
	}
	return t;
}

double instant_between_cs(const struct instant *a, const struct instant *b,
	bool strict)
{
	int64_t ns;

	if (strict)
		return b->uptime_cs > a->uptime_cs
			? (double)(b->uptime_cs - a->uptime_cs) : 1;
	if (__builtin_sub_overflow(b->mono_ns, a->mono_ns, &ns) || ns <= 0)
		return 0;
	return (double)ns / ((double)GS_NSEC_PER_SEC / 100);
}

static int64_t to_seconds(uint64_t cs)
{
	return (int64_t)((cs + 50) / 100);
}

static bool is_in_slice(struct slice *s, uint64_t uptime_cs)
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
	return first || is_in_slice(s, uptime_cs);
}
