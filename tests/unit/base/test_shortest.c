/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_shortest.c - doubles as text: what printf() makes of them, for numbers of
 * all sizes, beside powers of two and ten, and of measurements.
 */
#include "cases.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shortest.h"

static void by_printf(double v, char to[40])
{
	int digits;

	for (digits = 15; digits <= 17; digits++) {
		(void)snprintf(to, 40, "%.*g", digits, v);
		if (strtod(to, NULL) == v)
			return;
	}
}

static void check(double v)
{
	struct buf b = BUF_INIT;
	char want[40];

	by_printf(v, want);
	shortest_add(&b, v);
	assert_string_equal(buf_str(&b), want);
	buf_release(&b);
}

/* With its neighbours. */
static void check_near(double v)
{
	check(v);
	check(-v);
	check(nextafter(v, INFINITY));
	check(nextafter(v, -INFINITY));
}

static void test_powers(void **state)
{
	int k;

	(void)state;
	for (k = -60; k < 60; k++)
		check_near(ldexp(1, k));
	for (k = -12; k < 18; k++) {
		check_near(pow(10, k));
		check_near(5 * pow(10, k));
	}
}

static uint64_t next_random(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

static void test_any(void **state)
{
	uint64_t seed = 88172645463325252u;
	int i;

	(void)state;
	for (i = 0; i < 200000; i++) {
		double part = (double)(next_random(&seed) >> 11) / 9e15;

		check(ldexp(part, (int)(next_random(&seed) % 70) - 18));
	}
}

/* Rates, shares, seconds. */
static void test_measured(void **state)
{
	uint64_t seed = 1;
	int i;

	(void)state;
	for (i = 0; i < 100000; i++) {
		double us = (double)(next_random(&seed) % 100000000);

		check(us / 1e6);
		check(us / 60.0003);
		check(100 * us / 1e8);
	}
}

static void test_special(void **state)
{
	static const double v[] = { 0, 1, -1, 0.1, 0.3, 2.0 / 3, 1e-4, 9.9e-5,
		999999999999999.9, 1e15, 1e22, 1.2345678901234568e17, 1e300,
		5e-324, INFINITY, -INFINITY };
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(v); i++)
		check(v[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_powers),
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_measured),
		cmocka_unit_test(test_special),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
