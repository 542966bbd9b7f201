/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing that a tick says can change without another hash: what was written is
 * compared by it.
 */
#include "cases.h"
#include "edit/tickhash.h"
#include "model/tick_encoder.h"
#include "simhost.h"

/* The second tick of two processes: one ends, of one a level moves and a text
 * goes. */
static struct tick *make(struct simhost *h, struct tick_encoder *e)
{
	size_t a, b;

	a = simhost_process(h, OPEN_APPEARED, 10, 1, "a");
	b = simhost_process(h, OPEN_APPEARED, 11, 1, "b");
	SIM_SET(h, a, RSS_ANON, 10);
	SIM_SET(h, b, RSS_ANON, 10);
	simhost_tick(h, SIM_SECOND);
	encoder_begin(e, h->clock.wall_ns);
	encoder_block(e, 0, h->world);
	(void)encoder_end(e);
	SIM_EXIT(h, a);
	SIM_SET(h, b, MINFLT, 12);
	simhost_unset(h, ENTITY_PROCESS, b, COL(PROCESS, RSS_ANON));
	(void)simhost_process(h, OPEN_BORN, 12, 1, "c");
	simhost_tick(h, SIM_SECOND);
	encoder_begin(e, h->clock.wall_ns);
	encoder_block(e, 0, h->world);
	return (struct tick *)encoder_end(e);
}

#define CHANGES(t, FIELD) do { \
		uint64_t before = tickhash_add(0, t); \
		(FIELD)++; \
		assert_int_not_equal(tickhash_add(0, t), before); \
		(FIELD)--; \
		assert_int_equal(tickhash_add(0, t), before); \
	} while (0)

static void clocks(struct tick *t, struct sample_clock *c)
{
	CHANGES(t, t->seq);
	CHANGES(t, t->wall_ns);
	CHANGES(t, c->connection);
	CHANGES(t, c->sequence);
	CHANGES(t, c->wall_ns);
	CHANGES(t, c->mono_ns);
	CHANGES(t, c->boot_ns);
	CHANGES(t, c->rtt_ns);
	CHANGES(t, c->offset_ns);
}

static void rows(struct tick *t, struct delta *d)
{
	struct delta_col *moved = &d->col[COL(PROCESS, MINFLT)];
	struct delta_col *went = &d->col[COL(PROCESS, RSS_ANON)];

	assert_true(d->n_opened == 1 && d->n_closed == 1);
	assert_true(moved->n > 0 && went->n_gone == 1);
	CHANGES(t, d->opened[0].slot);
	CHANGES(t, d->opened[0].why);
	CHANGES(t, d->closed[0].slot);
	CHANGES(t, d->closed[0].why);
	CHANGES(t, moved->slot[0]);
	CHANGES(t, moved->diff[0]);
	CHANGES(t, went->gone[0]);
}

static void test_all_counts(void **state)
{
	struct header *header = header_new();
	struct tick_encoder *e;
	struct simhost h;
	struct tick *t;

	(void)state;
	header_add_host(header, 0, "alpha");
	e = encoder_new(header);
	simhost_init(&h, "alpha");
	t = make(&h, e);
	assert_int_equal(t->n_block, 1);
	clocks(t, &t->block[0]->clock);
	CHANGES(t, t->block[0]->host);
	rows(t, &t->block[0]->ent[ENTITY_PROCESS]);
	encoder_free(e);
	simhost_release(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
