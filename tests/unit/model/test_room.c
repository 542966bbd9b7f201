/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What grows with rows that come and go: numbers of slots, up to the next key, and
 * the room of tables.
 */
#include "base/compiler.h"
#include "cases.h"
#include "model/tick_encoder.h"
#include "simhost.h"

#define CHURN_HOSTS 6
#define CHURN_ROWS 20000u

/* All rows of a host end, and as many others begin. */
static void churn(struct world *w, uint64_t seq)
{
	struct tick t = TICK_INIT;
	struct gs_err err;
	struct delta *d;
	uint32_t i;

	t.key = seq == 1;
	t.seq = seq;
	d = &tick_add_block(&t, 0)->ent[ENTITY_PROCESS];
	for (i = 0; i < CHURN_ROWS; i++) {
		if (seq > 1)
			delta_close_slot(d, i, CLOSE_EXITED);
		delta_open_slot(d, i, OPEN_BORN);
	}
	if (world_apply(w, &t, &err) < 0)
		fail_msg("%s", err.msg);
	tick_release(&t);
}

/* No table has many, all together do: a key comes before its time. */
static void test_numbers_of_many_tables(void **state)
{
	struct tick_encoder *m = encoder_new(header_new());
	struct world *w = world_new_plain();
	size_t used = 0, i, keys = 0;
	uint64_t seq;

	(void)state;
	for (seq = 1; seq < 22; seq++) {
		const struct tick *t;

		churn(w, seq);
		encoder_begin(m, (int64_t)seq * SIM_SECOND);
		for (i = 0; i < CHURN_HOSTS; i++)
			encoder_block(m, (uint32_t)i, w);
		t = encoder_end(m);
		used = t->key ? 0 : used;
		keys += t->key;
		used += (size_t)CHURN_ROWS * CHURN_HOSTS;
		assert_in_range(used, 1, (4 << 20) - 1);
	}
	assert_int_equal(keys, 2);
	encoder_free(m);
	world_free(w);
}

/* A key: one row each of so many hosts, that of one in the last slot. */
static void high_slot(struct world *w, uint64_t seq, uint32_t high)
{
	struct tick t = TICK_INIT;
	struct gs_err err;
	uint32_t i;

	t.key = true;
	t.seq = seq;
	for (i = 0; i < 12; i++)
		delta_open_slot(&tick_add_block(&t, i)->ent[ENTITY_PROCESS],
		    i == high ? TICK_SLOTS_MAX - 1 : 0, OPEN_CONTINUED);
	if (world_apply(w, &t, &err) < 0)
		fail_msg("key %d: %s", (int)seq, err.msg);
	tick_release(&t);
}

/* One host after the other has many rows for a while: at any time they are
 * few, and a long recording stays readable. */
static void test_room_is_given_back(void **state)
{
	struct gs_budget budget = { .limit_bytes = (size_t)256 << 20 };
	struct world *w = world_new();
	size_t first;
	uint32_t i;

	(void)state;
	world_set_budget(w, &budget);
	high_slot(w, 1, 0);
	first = budget.used_bytes;
	for (i = 1; i < 12; i++)
		high_slot(w, 1 + i, i);
	assert_in_range(budget.used_bytes, 1, first + (1 << 20));
	high_slot(w, 13, UINT32_MAX);
	assert_in_range(budget.used_bytes, 1, 1 << 20);
	world_free(w);
	assert_int_equal(budget.used_bytes, 0);
}

int main(void)
{
	struct cases c = { .n = 0 };

	cases_add(&c, "numbers of many tables", test_numbers_of_many_tables,
	    NULL);
	cases_add(&c, "room is given back", test_room_is_given_back, NULL);
	return cases_run(&c, "room");
}
