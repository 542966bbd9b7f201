/* SPDX-License-Identifier: Apache-2.0 */
#include "record/event_limit.h"

#include "base/clock.h"

#define TELL_EVERY_NS (60 * GS_NSEC_PER_SEC)

struct event_limit event_limit_of(double burst, double per_second,
	int64_t now_ns)
{
	return (struct event_limit) {
		.allowed = allowance_of(burst, per_second, now_ns) };
}

bool event_limit_take(struct event_limit *l, int64_t now_ns)
{
	if (allowance_spend(&l->allowed, 1, now_ns))
		return true;
	l->left_out++;
	return false;
}

uint64_t event_limit_tell(struct event_limit *l, int64_t now_ns)
{
	uint64_t n = l->left_out;

	if (n == 0 || (l->told_ns != 0 && now_ns - l->told_ns < TELL_EVERY_NS))
		return 0;
	l->told_ns = now_ns;
	l->left_out = 0;
	return n;
}
