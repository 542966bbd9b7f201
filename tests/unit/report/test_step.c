/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of a page: how long they are.
 */
#include "base/clock.h"
#include "cases.h"
#include "report/page.h"

#define S GS_NSEC_PER_SEC
#define HOUR (3600 * S)

struct step_case {
	const char *name;
	int64_t length_ns, interval_ns, step_ns;
};

static const struct step_case steps[] = {
	{ "a minute", 60 * S, S, RANGE_EACH_TICK },
	{ "an hour, every 5 s", HOUR - S, 5 * S, RANGE_EACH_TICK },
	{ "an hour", HOUR, S, 6 * S },
	{ "half a day", 12 * HOUR - S, 5 * S, 60 * S },
	{ "more", 13 * HOUR, 5 * S, 300 * S },
	{ "a day", 24 * HOUR, 5 * S, 300 * S },
	{ "a day of another interval", 24 * HOUR, 7 * S, 126 * S },
	{ "a week", 168 * HOUR, 5 * S, 900 * S },
	{ "a day, each 10 min", 24 * HOUR, 600 * S, RANGE_EACH_TICK },
	{ "an hour, each 100 s", HOUR, 100 * S, RANGE_EACH_TICK },
	{ "nothing", 0, S, RANGE_EACH_TICK },
};

static void test_step(void **state)
{
	const struct step_case *c = *state;

	assert_int_equal(page_step_ns(c->length_ns, c->interval_ns),
	    c->step_ns);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_step, steps);
	return cases_run(&c, "step");
}
