/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packed cells are unpacked unchanged, for all values.
 */
#include "cases.h"
#include "model/packed.h"

static uint64_t next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return *state >> (*state >> 58);
}

/* Each cell is found alone, too. */
static void check_found(enum entity_id e, struct cells c)
{
	struct packed *p = NULL;
	unsigned col;

	packed_keep(e, c, &p);
	for (col = 0; col < entity_get(e)->ncols; col++) {
		uint64_t v = 0;

		assert_int_equal(packed_find(e, p, col, &v),
		    cells_has(c, col));
		assert_true(v == c.val[col]);
	}
	packed_drop(p);
}

static void test_packed(void **state)
{
	uint64_t rnd = 7;
	int e, round;

	(void)state;
	for (e = 0; e < ENTITY_COUNT; e++) {
		enum entity_id id = (enum entity_id)e;
		struct cells a = cells_new(id), b = cells_new(id);
		unsigned col, ncols = entity_get(id)->ncols;
		struct packed *p = NULL;

		for (round = 0; round < 200; round++) {
			cells_clear(id, a);
			for (col = 0; col < ncols; col++) {
				uint64_t v = next(&rnd);

				/* none, some, or all; extreme ones */
				if (round == 0 || (round > 1 && v % 3 == 0))
					continue;
				cells_set(a, col, v % 7 == 0 ? 0 - v % 300 :
				    v % 7 == 1 ? UINT64_MAX / 2 + v % 3 :
				    next(&rnd));
			}
			check_found(id, a);
			packed_keep(id, a, &p);
			packed_get(id, p, b);
			assert_memory_equal(a.present, b.present,
			    cells_words(id) * sizeof(uint64_t));
		}
		packed_drop(p);
		cells_free(a);
		cells_free(b);
	}
}

/* Who holds cells has them as they were then; equal ones are kept once. */
static void test_held(void **state)
{
	struct cells c = cells_new(ENTITY_PROCESS);
	struct packed *mine = NULL, *other;
	uint64_t v;

	(void)state;
	cells_set(c, COL(PROCESS, PID), 1);
	packed_keep(ENTITY_PROCESS, c, &mine);
	other = packed_hold(mine);
	packed_keep(ENTITY_PROCESS, c, &mine);
	assert_ptr_equal(mine, other);

	cells_set(c, COL(PROCESS, PID), 2);
	packed_keep(ENTITY_PROCESS, c, &mine);
	assert_true(packed_find(ENTITY_PROCESS, other, COL(PROCESS, PID), &v));
	assert_int_equal(v, 1);
	assert_true(packed_find(ENTITY_PROCESS, mine, COL(PROCESS, PID), &v));
	assert_int_equal(v, 2);

	packed_drop(other);
	packed_drop(mine);
	cells_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packed),
		cmocka_unit_test(test_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
