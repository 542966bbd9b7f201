/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The base of an encoder: rows that it has unpacked, up to a limit, and the others
 * give the same ticks.
 */
#include "cases.h"

#include "model/tick_encoder.h"
#include "simhost.h"

/* More than the base has unpacked. */
#define DISKS 60000u

struct lab {
	struct world *source, *reader;
	struct tick_encoder *encoder;
	struct tick tick; /* of the source */
	struct delta *disks;
};

static void next_tick(struct lab *l, uint64_t seq, bool key)
{
	tick_reset(&l->tick);
	l->tick.key = key;
	l->tick.seq = seq;
	l->tick.header = key ? header_new() : NULL;
	l->disks = &tick_add_block(&l->tick, 0)->ent[ENTITY_DISK];
}

static const struct table *disks_of(const struct world *w)
{
	return &world_host(w, 0)->table[ENTITY_DISK];
}

/* What the reader has is what the source has. */
static void check_same(const struct lab *l)
{
	const struct table *a = disks_of(l->source), *b = disks_of(l->reader);
	size_t i;

	assert_int_equal(a->n_live, b->n_live);
	for (i = 0; i < a->n_slot; i++)
		assert_memory_equal(a->slot[i]->now.present,
		    b->slot[i]->now.present,
		    cells_words(ENTITY_DISK) * sizeof(uint64_t));
}

static void pass_on(struct lab *l, int64_t wall_ns)
{
	struct gs_err err;

	if (world_apply(l->source, &l->tick, &err) < 0)
		fail_msg("%s", err.msg);
	encoder_begin(l->encoder, wall_ns);
	encoder_block(l->encoder, 0, l->source);
	if (world_apply(l->reader, encoder_end(l->encoder), &err) < 0)
		fail_msg("%s", err.msg);
	check_same(l);
}

static void change(struct lab *l, unsigned col, uint32_t step, uint64_t by)
{
	uint32_t i;

	for (i = 0; i < DISKS; i += step)
		delta_change(l->disks, col, i, i + by);
}

static void test_base(void **state)
{
	struct lab l = { world_new_plain(), world_new(),
		encoder_new(header_new()), TICK_INIT, NULL };
	uint32_t i;

	(void)state;
	next_tick(&l, 1, true);
	for (i = 0; i < DISKS; i++)
		delta_open_slot(l.disks, i, OPEN_APPEARED);
	change(&l, COL(DISK, READS), 1, 1);
	change(&l, COL(DISK, WRITES), 2, 5);
	pass_on(&l, SIM_SECOND);

	next_tick(&l, 2, false);
	change(&l, COL(DISK, READS), 3, 7);
	for (i = 0; i < DISKS; i += 4)
		delta_gone(l.disks, COL(DISK, WRITES), i);
	pass_on(&l, 2 * SIM_SECOND);

	/* All again, and again in a key of the encoder's. */
	encoder_need_key(l.encoder);
	next_tick(&l, 3, false);
	change(&l, COL(DISK, WRITES), 5, 0);
	pass_on(&l, 3 * SIM_SECOND);

	encoder_free(l.encoder);
	world_free(l.source);
	world_free(l.reader);
	tick_release(&l.tick);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_base),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
