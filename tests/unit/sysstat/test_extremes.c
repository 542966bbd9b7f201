/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least and the most of what rows were.
 */
#include "base/compiler.h"
#include "cases.h"
#include "sysstat/extremes.h"

static void test_rows(void **state)
{
	const struct value a[] = { value_real(2), value_whole(7),
		value_absent() };
	const struct value b[] = { value_real(-1), value_whole(9),
		value_real(4) };
	const struct value c[] = { value_absent(), value_whole(8),
		value_real(3) };
	struct extremes e = EXTREMES_INIT;
	const struct extremes_row *r;

	(void)state;
	assert_null(extremes_find(&e, "", "sda"));
	extremes_add(&e, "", "sda", a, 3);
	extremes_add(&e, "", "sdb", c, 3);
	extremes_add(&e, "", "sda", b, 3);
	extremes_add(&e, "", "sda", c, 3);
	r = extremes_find(&e, "", "sda");
	assert_true(r->least[0].real < 0 && r->most[0].real > 1);
	assert_int_equal(r->least[1].whole, 7);
	assert_int_equal(r->most[1].whole, 9);
	assert_true(r->least[2].real < 3.5 && r->most[2].real > 3.5);
	r = extremes_find(&e, "", "sdb");
	assert_int_equal(r->least[0].kind, VALUE_ABSENT);
	assert_int_equal(r->most[0].kind, VALUE_ABSENT);
	assert_null(extremes_find(&e, "other", "sda"));
	extremes_release(&e);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "rows", test_rows, NULL);
	return cases_run(&c, "sysstat/extremes");
}
