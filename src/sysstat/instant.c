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
