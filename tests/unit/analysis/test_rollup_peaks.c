/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Levels of groups and their highest sums.
 */
#include "rolluplab.h"

/* A level that no row has any more is not 0. */
static void test_levels_that_go(void **state)
{
	struct lab l;
	double v;
	bool part;

	(void)state;
	set_up(&l);
	(void)start(&l, 0, 1, 7, OPEN_APPEARED);
	tick(&l);
	rollup_restart(l.r);
	tick(&l);
	assert_true(group_sum(l.r, group(&l, 7), COL(PROCESS, RSS_ANON), 1,
	    &v, &part));
	simhost_unset(&l.h[0], ENTITY_PROCESS, 0, COL(PROCESS, RSS_ANON));
	tick(&l);
	assert_false(group_sum(l.r, group(&l, 7), COL(PROCESS, RSS_ANON), 1,
	    &v, &part));
	assert_true(group_peak(l.r, group(&l, 7), COL(PROCESS, RSS_ANON),
	    &v));
	SIM_EXIT(&l.h[0], 0);
	tick(&l);
	assert_false(group_sum(l.r, group(&l, 7), COL(PROCESS, RSS_ANON), 1,
	    &v, &part));
	tear_down(&l);
}

/* Nor is one that only rows had that left before the range. */
static void test_levels_of_before(void **state)
{
	struct lab l;
	size_t a, b;

	(void)state;
	set_up(&l);
	a = start(&l, 0, 1, 7, OPEN_APPEARED);
	tick(&l);
	rollup_restart(l.r);
	SIM_EXIT(&l.h[0], a);
	b = start(&l, 0, 2, 7, OPEN_BORN);
	simhost_unset(&l.h[0], ENTITY_PROCESS, b, COL(PROCESS, RSS_ANON));
	tick(&l);
	rollup_restart(l.r);
	tick(&l);
	expect_peak(&l, 7, NONE);
	tear_down(&l);
}

static void all_moved(struct lab *l)
{
	const struct table *t = &world_host(l->w, 0)->table[ENTITY_PROCESS];
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i])
			rollup_moved(l->r, l->w, t->slot[i]);
	}
}

/* A row that moves although nothing touched it is part of the highest sum. */
static void test_peak_with_moved_row(void **state)
{
	struct lab l;
	struct gs_err err;
	size_t a;

	(void)state;
	set_up(&l);
	a = start(&l, 0, 10, 7, OPEN_APPEARED);
	(void)start(&l, 0, 11, 8, OPEN_APPEARED);
	tick(&l);
	rollup_restart(l.r);
	tick(&l);
	encoder_begin(l.encoder, l.h[0].clock.wall_ns);
	simhost_tick(&l.h[0], SIM_SECOND);
	encoder_block(l.encoder, 0, l.h[0].world);
	assert_int_equal(world_apply(l.w, encoder_end(l.encoder), &err), 0);
	moved_to = 8;
	all_moved(&l);
	rollup_tick(l.r, l.w, NULL);
	expect_sum(&l, 8, MEM, 20 * 1024);
	SIM_EXIT(&l.h[0], a);
	tick(&l);
	moved_to = 0;
	expect_sum(&l, 8, MEM, 10 * 1024);
	expect_peak(&l, 8, 20 * 1024);
	tear_down(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels_that_go),
		cmocka_unit_test(test_levels_of_before),
		cmocka_unit_test(test_peak_with_moved_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
