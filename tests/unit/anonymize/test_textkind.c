/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every text column is classified.
 */
#include "anonymize/textkind.h"
#include "cases.h"

static void test_all_known(void **state)
{
	int e;
	unsigned col, unknown = 0;

	(void)state;
	for (e = 0; e < ENTITY_COUNT; e++) {
		for (col = 0; col < entity_get((enum entity_id)e)->ncols;
		    col++) {
			const struct metric *m = metric_get(
			    (enum entity_id)e, col);

			if (!metric_is_text(m) || text_kind_of(
			    (enum entity_id)e, col) != TEXT_UNKNOWN)
				continue;
			print_error("%s is not in src/anonymize/textkind.c\n",
			    m->full_name);
			unknown++;
		}
	}
	assert_int_equal(unknown, 0);
}

/* A column that may hold passwords is never plain. */
static void test_secrets(void **state)
{
	int e;
	unsigned col;

	(void)state;
	for (e = 0; e < ENTITY_COUNT; e++) {
		for (col = 0; col < entity_get((enum entity_id)e)->ncols;
		    col++) {
			const struct metric *m = metric_get(
			    (enum entity_id)e, col);
			enum text_kind k = text_kind_of((enum entity_id)e,
			    col);

			if (metric_is_text(m) && m->flags & F_SECRET)
				assert_true(k == TEXT_QUERY ||
				    k == TEXT_TITLE);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_known),
		cmocka_unit_test(test_secrets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
