/* SPDX-License-Identifier: Apache-2.0 */
/*
 * At which instant a tick was due: times in milliseconds, of recordings with a
 * tick each second, and thinned from that to one each 20 s.
 */
#include "base/clock.h"
#include "cases.h"
#include "model/pace.h"

static int64_t ms(int64_t n)
{
	return n * GS_NSEC_PER_MSEC;
}

static void a_late_tick_is_of_the_multiple_before(void **state)
{
	const struct tick_pace second = { .interval_ns = GS_NSEC_PER_SEC };

	(void)state;
	assert_int_equal(tick_instant(ms(40249), second), ms(40000));
	assert_int_equal(tick_instant(ms(40250), second), ms(40250));
	assert_int_equal(tick_instant(ms(-1900), second), ms(-2000));
	assert_int_equal(tick_instant(ms(40249), (struct tick_pace) { 0 }),
	    ms(40249));
}

static void one_that_stays_is_due_as_in_the_source(void **state)
{
	const struct tick_pace pace = { 20 * GS_NSEC_PER_SEC, GS_NSEC_PER_SEC };

	(void)state;
	/* the first one of 20 s, which was late */
	assert_int_equal(tick_instant(ms(40900), pace), ms(40000));
	/* the last one of all */
	assert_int_equal(tick_instant(ms(43003), pace), ms(43000));
	assert_int_equal(tick_instant(ms(43300), pace), ms(43300));
	assert_int_equal(tick_instant(ms(59999), pace), ms(59999));
	assert_int_equal(tick_instant(ms(-39100), pace), ms(-40000));
	assert_int_equal(tick_instant(ms(-36900), pace), ms(-37000));
}

static void the_last_of_a_longer_interval_is_not_due_twice(void **state)
{
	const struct tick_pace second = { .interval_ns = GS_NSEC_PER_SEC };
	const struct tick_pace five = { .interval_ns = 5 * GS_NSEC_PER_SEC };

	(void)state;
	assert_int_equal(tick_due(ms(41200), ms(35000), second, five),
	    ms(40000));
	assert_int_equal(tick_due(ms(41200), ms(40000), second, five),
	    ms(41000));
	assert_int_equal(tick_due(ms(41200), ms(40000), five, second),
	    ms(40000));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_late_tick_is_of_the_multiple_before),
		cmocka_unit_test(one_that_stays_is_due_as_in_the_source),
		cmocka_unit_test(the_last_of_a_longer_interval_is_not_due_twice)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
