/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statements of sessions: by their query id, else by the shape of their text.
 */
#include "query/statement.h"

#include "cases.h"

/* id 0: the server did not know it yet. */
static uint64_t key(struct statements *s, int64_t id, const char *text)
{
	struct session n = { .has_query_id = id != 0, .query_id = id };
	const struct statement *is;

	n.text = (char *)(uintptr_t)text; /* only read */
	is = statement_of_session(s, &n);
	return is ? is->key : 0;
}

static void test_one_without_an_id_joins_that_of_its_text(void **state)
{
	struct statements *s = statements_new();
	uint64_t a = key(s, 0, "update t set x = 1"), b;

	(void)state;
	assert_int_not_equal(a, 0);
	assert_int_equal(key(s, 7, "update t set x = 2"), a);
	assert_int_equal(key(s, 0, "update t set x = 3"), a);
	/* and the other way round */
	b = key(s, 8, "select 1");
	assert_int_not_equal(b, a);
	assert_int_equal(key(s, 0, "select 2"), b);
	statements_free(s);
}

static void test_ids_stay_apart(void **state)
{
	struct statements *s = statements_new();
	uint64_t a = key(s, 7, "select 1"), b = key(s, 8, "select 1");

	(void)state;
	assert_int_not_equal(a, b);
	assert_int_equal(key(s, 7, "select 2"), a);
	assert_int_equal(key(s, 8, "select 2"), b);
	assert_int_equal(key(s, 0, "select 3"), a);
	/* no text is no common text */
	assert_int_not_equal(key(s, 9, ""), key(s, 10, ""));
	assert_int_equal(key(s, 0, ""), 0);
	statements_free(s);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "one without an id joins that of its text",
	    test_one_without_an_id_joins_that_of_its_text, NULL);
	cases_add(&c, "ids stay apart", test_ids_stay_apart, NULL);
	return cases_run(&c, "statement");
}
