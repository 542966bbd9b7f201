/* SPDX-License-Identifier: Apache-2.0 */
#include "web/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "web/families.h"

static void add(struct tally_table *t, const char *labels, double v)
{
	uint64_t before;
	struct tally *s = tally_at(t, labels, strlen(labels), &before);

	s->value[0] += v;
	s->known[0] = true;
}

static double get(struct tally_table *t, const char *labels)
{
	size_t i, n = tally_count(t);

	for (i = 0; i < n; i++) {
		const struct tally *s = tally_get(t, i);

		if (s->len == strlen(labels) &&
		    memcmp(s->labels, labels, s->len) == 0)
			return s->value[0];
	}
	return -1;
}

/* What stays, stays for ever; the rest is one series. */
static void test_rest(void **state)
{
	struct tally_table *t = tally_new(2, "rest");

	(void)state;
	assert_int_equal(tally_count(t), 0);
	tally_tick(t, false);
	add(t, "a", 1);
	add(t, "b", 2);
	assert_int_equal(tally_count(t), 2);
	add(t, "c", 4);
	add(t, "d", 8);
	assert_int_equal(tally_count(t), 3);
	tally_tick(t, false);
	add(t, "a", 16);
	tally_tick(t, false);
	add(t, "c", 32);
	assert_float_equal(get(t, "a"), 17, 0);
	assert_float_equal(get(t, "b"), 2, 0);
	assert_float_equal(get(t, "c"), -1, 0);
	assert_float_equal(get(t, "rest"), 44, 0);
	tally_free(t);
}

/* Only what the tick before had; room is free again. */
static void test_current(void **state)
{
	struct tally_table *t = tally_new(2, "rest");

	(void)state;
	tally_tick(t, true);
	add(t, "a", 1);
	add(t, "b", 2);
	tally_tick(t, true);
	add(t, "a", 4);
	assert_float_equal(get(t, "b"), 2, 0);
	tally_tick(t, true);
	add(t, "c", 8);
	assert_float_equal(get(t, "a"), 5, 0);
	assert_float_equal(get(t, "b"), -1, 0);
	assert_float_equal(get(t, "c"), 8, 0);
	assert_float_equal(get(t, "rest"), -1, 0);
	tally_free(t);
}

static void put(struct families *x)
{
	struct family f;

	family_of_figure("x", "seconds", "seconds", true, "a \"b\" \\ c", &f);
	families_begin(x, &f);
	families_add_real(x, "", 0, 1.5);
	families_add(x, "a=\"1\"", 5, &(struct cell) { .kind = CELL_ABSENT });
	families_add_real(x, "a=\"1\"", 5, 2);
	family_of_figure("x", "huge_total", "count", false, "pages", &f);
	families_begin(x, &f);
	families_add(x, "", 0, &(struct cell) { .kind = CELL_MAX });
	family_of_figure("x", "none", "", false, "nothing", &f);
	families_begin(x, &f);
	families_end(x);
}

static void test_formats(void **state)
{
	struct buf b = BUF_INIT;
	struct families x = { .to = &b };

	(void)state;
	put(&x);
	assert_string_equal(buf_str(&b),
	    "# TYPE gpsnap_x_seconds_total counter\n"
	    "# HELP gpsnap_x_seconds_total a \"b\" \\\\ c\n"
	    "gpsnap_x_seconds_total 1.5\n"
	    "gpsnap_x_seconds_total{a=\"1\"} 2\n"
	    "# TYPE gpsnap_x_huge gauge\n"
	    "# HELP gpsnap_x_huge pages\n"
	    "gpsnap_x_huge +Inf\n");
	buf_reset(&b);
	x = (struct families) { .to = &b, .openmetrics = true };
	put(&x);
	assert_string_equal(buf_str(&b),
	    "# TYPE gpsnap_x_seconds counter\n"
	    "# UNIT gpsnap_x_seconds seconds\n"
	    "# HELP gpsnap_x_seconds a \\\"b\\\" \\\\ c\n"
	    "gpsnap_x_seconds_total 1.5\n"
	    "gpsnap_x_seconds_total{a=\"1\"} 2\n"
	    "# TYPE gpsnap_x_huge gauge\n"
	    "# HELP gpsnap_x_huge pages\n"
	    "gpsnap_x_huge +Inf\n"
	    "# EOF\n");
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_current),
		cmocka_unit_test(test_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
