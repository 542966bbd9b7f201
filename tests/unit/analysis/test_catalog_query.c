/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data from the catalog beside process titles: the limits of queries.
 */
#include "base/compiler.h"
#include "simcatalog.h"

static void test_query_start_decides(void **state)
{
	struct query_charge c;
	const struct session *n;
	struct lab l;
	size_t b;

	(void)state;
	set_up(&l);
	cluster(&l, "mdw", 5432);
	(void)start(&l, 0, 100, 10, "postgres: alice shop [local] SELECT");
	b = backend(&l, -1, 100, 0, "active");
	runs(&l, b, 0, "SELECT 1");
	tick(&l);
	n = session(&l, 0);
	assert_int_equal(n->query->number, 1);
	/* the title is the same, the query is not: began 1/4 s into the
	 * tick */
	runs(&l, b, -250, "SELECT 2");
	tick(&l);
	assert_int_equal(n->query->number, 2);
	c = sessions_charge_of(l.s, proc(&l, 0));
	assert_int_equal(c.to->number, 1);
	assert_non_null(c.also);
	assert_int_equal(c.also->number, 2);
	assert_int_equal(c.share, CHARGE_WHOLE / 4);
	assert_true(c.to->estimated && c.also->estimated);
	/* it continues: another title is another activity */
	title(&l, 0, "postgres: alice shop [local] COMMIT");
	tick(&l);
	assert_int_equal(n->query->number, 2);
	c = sessions_charge_of(l.s, proc(&l, 0));
	assert_true(!c.also && c.to == n->query);
	/* idle, then the next one: all of the tick is the next one's */
	CAT_TEXT(&l, BACKEND, b, STATE, "idle");
	title(&l, 0, "postgres: alice shop [local] idle");
	tick(&l);
	assert_null(n->query);
	c = sessions_charge_of(l.s, proc(&l, 0));
	assert_true(!c.also && c.to->number == 2);
	runs(&l, b, -900, "SELECT 3");
	tick(&l);
	c = sessions_charge_of(l.s, proc(&l, 0));
	assert_true(!c.also && c.to->number == 3);
	assert_false(n->query->estimated);
	tear_down(&l);
}

/* What a session that is idle again ran last may not be what it was seen to
 * run: others had a share of the tick, and nothing tells how much. */
static void test_others_ran_unseen(void **state)
{
	static const struct {
		int64_t last_ms_ago; /* start of what it ran last */
		bool mixed;
	} row[] = { { 1500, false }, { 300, true } };
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(row); i++) {
		const struct query *to;
		struct session *n;
		struct lab l;
		size_t b;

		set_up(&l);
		cluster(&l, "mdw", 5432);
		(void)start(&l, 0, 100, 10,
		    "postgres: alice shop [local] UPDATE waiting");
		b = backend(&l, -1, 100, 0, "active");
		runs(&l, b, 500, "UPDATE");
		tick(&l);
		n = session(&l, 0);
		title(&l, 0, "postgres: alice shop [local] idle");
		runs(&l, b, row[i].last_ms_ago, "COMMIT");
		CAT_TEXT(&l, BACKEND, b, STATE, "idle");
		tick(&l);
		assert_null(n->query);
		to = sessions_charge_of(l.s, proc(&l, 0)).to;
		assert_int_equal(to == session_mixed(n), row[i].mixed);
		tear_down(&l);
	}
}

/* A query seen in titles gets its start when the catalog answers; without it
 * titles decide again. */
static void test_catalog_comes_and_goes(void **state)
{
	struct session *n;
	struct lab l;
	size_t b;

	(void)state;
	set_up(&l);
	cluster(&l, "mdw", 5432);
	(void)start(&l, 0, 100, 10, "postgres: alice shop [local] SELECT");
	tick(&l);
	n = session(&l, 0);
	assert_false(n->query->has_start);
	assert_false(n->since_known);
	b = backend(&l, -1, 100, 0, "active");
	CAT_SET(&l, BACKEND, b, START, now_us(&l) - 1000000);
	runs(&l, b, 700, "SELECT 1");
	tick(&l);
	assert_int_equal(n->query->number, 1);
	assert_true(n->query->has_start);
	backend_exit(&l, b);
	tick(&l);
	assert_int_equal(n->query->number, 1);
	tick(&l);
	title(&l, 0, "postgres: alice shop [local] INSERT");
	tick(&l);
	assert_int_equal(n->query->number, 2);
	assert_ptr_equal(sessions_charge_of(l.s, proc(&l, 0)).to, session_mixed(n));
	tear_down(&l);
}

/* The catalog is sampled less often than titles. */
static void test_title_is_newer(void **state)
{
	const struct session *n;
	struct lab l;
	size_t b;

	(void)state;
	set_up(&l);
	cluster(&l, "mdw", 5432);
	(void)start(&l, 0, 100, 10, "postgres: alice shop [local] SELECT");
	b = backend(&l, -1, 100, 0, "active");
	runs(&l, b, 0, "SELECT 1");
	tick(&l);
	n = session(&l, 0);
	title(&l, 0, "postgres: alice shop [local] idle");
	tick_of(&l, false);
	assert_int_equal(n->state, TITLE_IDLE);
	assert_null(n->query);
	CAT_TEXT(&l, BACKEND, b, STATE, "idle");
	simhost_tick(&l.catalog, SIM_SECOND); /* late */
	tick(&l);
	assert_int_equal(n->state, TITLE_IDLE);
	assert_true(n->since_known);
	tear_down(&l);
}

int main(void)
{
	static const struct {
		const char *name;
		CMUnitTestFunction fn;
	} all[] = {
		{ "query start decides", test_query_start_decides },
		{ "others ran unseen", test_others_ran_unseen },
		{ "catalog comes and goes", test_catalog_comes_and_goes },
		{ "title is newer", test_title_is_newer },
	};
	struct cases c = { .n = 0 };
	size_t i;

	for (i = 0; i < GS_LEN(all); i++)
		cases_add(&c, all[i].name, all[i].fn, NULL);
	return cases_run(&c, "catalog queries");
}
