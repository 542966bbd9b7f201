/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long the rows of a group existed, times their threads, as far as they
 * were sampled: processes of one host, grouped by uid.
 */
#include "analysis/rollup.h"
#include "cases.h"
#include "model/tick_encoder.h"
#include "simhost.h"

struct lab {
	struct simhost h;
	struct tick_encoder *encoder;
	struct world *w;
	struct rollup *r;
};

static struct group *by_uid(void *ctx, struct rollup *r, struct row *row)
{
	uint64_t uid = 0;
	bool fresh;

	(void)ctx;
	(void)row_get(row, COL(PROCESS, UID), &uid); /* 0 if absent */
	return rollup_group(r, &uid, sizeof(uid), &fresh);
}

static void set_up(struct lab *l)
{
	const struct rollup_by by = { .member = by_uid, .keeps_rows = true };
	uint64_t want[COL_WORDS_MAX] = { 0 };

	simhost_init(&l->h, "alpha");
	l->encoder = encoder_new(header_new());
	l->w = world_new();
	l->r = rollup_new(ENTITY_PROCESS, want, &by);
}

static void tear_down(struct lab *l)
{
	rollup_free(l->r);
	world_free(l->w);
	encoder_free(l->encoder);
	simhost_release(&l->h);
}

static size_t start(struct lab *l, uint64_t pid, enum row_open how)
{
	size_t i = simhost_process(&l->h, how, pid, 1, "x");

	SIM_SET(&l->h, i, UID, 7);
	return i;
}

/* more: what the tick says besides of the processes; NULL: nothing. */
static void tick_with(struct lab *l, void (*more)(struct delta *d))
{
	const struct tick *t;
	struct gs_err err;

	encoder_begin(l->encoder, l->h.clock.wall_ns);
	simhost_tick(&l->h, SIM_SECOND);
	encoder_block(l->encoder, 0, l->h.world);
	t = encoder_end(l->encoder);
	if (more)
		more(&t->block[0]->ent[ENTITY_PROCESS]);
	if (world_apply(l->w, t, &err) < 0)
		fail_msg("%s", err.msg);
	rollup_tick(l->r, l->w, NULL);
}

static void tick(struct lab *l)
{
	tick_with(l, NULL);
}

static void expect(struct lab *l, uint64_t uid, double want)
{
	struct group *g = rollup_find(l->r, &uid, sizeof(uid));
	double v;

	assert_non_null(g);
	assert_int_equal(g->n_part, 1);
	v = part_life_s(l->r, g->part[0]);
	if (v < want - 1e-9 || v > want + 1e-9)
		fail_msg("%g s, not %g", v, want);
}

static void lives(void **state)
{
	struct lab l;
	size_t one, two;

	(void)state;
	set_up(&l);
	one = start(&l, 1, OPEN_APPEARED);
	tick(&l);
	rollup_restart(l.r);
	expect(&l, 7, 0);
	tick(&l);
	expect(&l, 7, 1);
	/* started a quarter of a second after that sample */
	two = start(&l, 2, OPEN_BORN);
	SIM_SET(&l.h, two, START, (uint64_t)(l.h.clock.boot_ns +
	    SIM_SECOND / 4) / 10000000);
	tick(&l);
	expect(&l, 7, 2.75);
	SIM_SET(&l.h, one, THREADS, 3);
	tick(&l);
	expect(&l, 7, 2.75 + 3 + 1);
	SIM_EXIT(&l.h, two);
	tick(&l);
	expect(&l, 7, 2.75 + 3 + 1 + 3);
	/* it moves to another group, with its last second */
	SIM_SET(&l.h, one, UID, 8);
	tick(&l);
	expect(&l, 7, 2.75 + 3 + 1 + 3);
	expect(&l, 8, 3);
	rollup_restart(l.r);
	tick(&l);
	expect(&l, 8, 3);
	tear_down(&l);
}

static void opened_has_sum(struct delta *d)
{
	delta_add_sum(d, d->opened[0].slot, (struct tick_sum) {
	    .col = COL(PROCESS, CPU), .of = SUM_GROWN, .amount = 1 });
}

static void opened_has_waited(struct delta *d)
{
	delta_add_waited(d, &(struct tick_waited) { .slot = d->opened[0].slot,
	    .kind = 1, .amount = { 1 } });
}

/* A row that appears after ticks that were left out was there in them if it has sums
 * of them; what it was seen to wait for may be of this tick alone. */
static void appears(void **state)
{
	static const struct {
		void (*more)(struct delta *d);
		double want;
	} of[] = { { NULL, 0 }, { opened_has_waited, 0 }, { opened_has_sum, 1 } };
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(of); i++) {
		struct lab l;

		set_up(&l);
		(void)simhost_process(&l.h, OPEN_APPEARED, 1, 1, "x");
		tick(&l);
		(void)start(&l, 2, OPEN_APPEARED);
		tick_with(&l, of[i].more);
		expect(&l, 7, of[i].want);
		tear_down(&l);
	}
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "lives", lives, NULL);
	cases_add(&c, "appears", appears, NULL);
	return cases_run(&c, "rollup_life");
}
