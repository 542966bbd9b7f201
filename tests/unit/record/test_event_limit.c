/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many events of a source are taken, and what is told of the rest.
 */
#include "base/clock.h"
#include "cases.h"
#include "record/event_limit.h"

#define AT(s) ((s) * GS_NSEC_PER_SEC)

static int take(struct event_limit *l, int n, int64_t now_ns)
{
	int taken = 0;

	while (n-- > 0)
		taken += event_limit_take(l, now_ns);
	return taken;
}

static void a_flood(void **state)
{
	struct event_limit l = event_limit_of(20, 0.1, AT(1));

	(void)state;
	assert_int_equal(take(&l, 20, AT(1)), 20);
	assert_int_equal(event_limit_tell(&l, AT(1)), 0);
	assert_int_equal(take(&l, 1000, AT(1)), 0);
	assert_int_equal(event_limit_tell(&l, AT(1)), 1000);
	assert_int_equal(take(&l, 1000, AT(31)), 3);
	assert_int_equal(event_limit_tell(&l, AT(31)), 0);
	assert_int_equal(take(&l, 1000, AT(61)), 3);
	assert_int_equal(event_limit_tell(&l, AT(61)), 1994);
	assert_int_equal(event_limit_tell(&l, AT(200)), 0);
	assert_int_equal(take(&l, 1000, AT(1000)), 20);
}

int main(void)
{
	struct cases c = { .n = 0 };

	cases_add(&c, "a flood", a_flood, NULL);
	return cases_run(&c, "event limit");
}
