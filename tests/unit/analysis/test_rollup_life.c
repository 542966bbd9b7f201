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
	bool moves; /* a tick looks for the groups of all processes first */
};

static uint64_t moved_to; /* in place of 7; 0: nothing moves */

#define NO_GROUP 9

static struct group *by_uid(void *ctx, struct rollup *r, struct row *row)
{
	uint64_t uid = 0;
	bool fresh;

	(void)ctx;
	(void)row_get(row, COL(PROCESS, UID), &uid); /* 0 if absent */
	if (uid == 7 && moved_to)
		uid = moved_to;
	return uid == NO_GROUP ? NULL : rollup_group(r, &uid, sizeof(uid), &fresh);
}

static void set_up_thinned(struct lab *l, int64_t thinned_ns)
{
	const struct rollup_by by = { .member = by_uid, .keeps_rows = true };
	uint64_t want[COL_WORDS_MAX] = { 0 };
	struct header *h = header_new();

	l->moves = false;
	h->thinned_ns = thinned_ns;
	simhost_init(&l->h, "alpha");
	l->encoder = encoder_new(h);
	l->w = world_new();
	l->r = rollup_new(ENTITY_PROCESS, want, &by);
}

static void set_up(struct lab *l)
{
	set_up_thinned(l, 0);
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

static void move_all(struct lab *l)
{
	const struct table *t = &world_host(l->w, 0)->table[ENTITY_PROCESS];
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i])
			rollup_moved(l->r, l->w, t->slot[i]);
	}
}

/* more: what the tick says besides of the processes; NULL: nothing. */
static void tick_after(struct lab *l, int64_t dt_ns,
	void (*more)(struct delta *d, const void *ctx), const void *ctx)
{
	const struct tick *t;
	struct gs_err err;

	encoder_begin(l->encoder, l->h.clock.wall_ns);
	simhost_tick(&l->h, dt_ns);
	encoder_block(l->encoder, 0, l->h.world);
	t = encoder_end(l->encoder);
	if (more)
		more(&t->block[0]->ent[ENTITY_PROCESS], ctx);
	if (world_apply(l->w, t, &err) < 0)
		fail_msg("%s", err.msg);
	if (l->moves)
		move_all(l);
	rollup_tick(l->r, l->w, NULL);
}

static void tick(struct lab *l)
{
	tick_after(l, SIM_SECOND, NULL, NULL);
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

/* What process 1 did in a tick counts in these groups; to 0: in its own. */
struct counting {
	uint64_t to, also;
	uint32_t share;
};

static struct charge charge(void *ctx, struct rollup *r, struct row *row,
	struct group *in)
{
	const struct counting *c = ctx;
	uint64_t pid = 0;

	(void)row_get(row, COL(PROCESS, PID), &pid);
	if (pid != 1 || c->to == 0)
		return (struct charge) { .to = in };
	return (struct charge) { rollup_find(r, &c->to, sizeof(c->to)),
		c->also ? rollup_find(r, &c->also, sizeof(c->also)) : NULL, c->share };
}

/* The time of a tick in which a row moves is where its usage is. */
static void moves(void **state)
{
	static const struct {
		uint64_t moved_to;
		struct counting counting;
		double seven, eight;
	} of[] = {
		{ 8, { 0, 0, 0 }, 2, 2 + 2 },
		{ 8, { 7, 0, 0 }, 4, 2 },
		{ 8, { 7, 8, CHARGE_WHOLE / 4 }, 2.5, 2 + 1.5 },
		{ NO_GROUP, { 7, 0, 0 }, 4, 2 },
		{ NO_GROUP, { 7, 8, CHARGE_WHOLE / 2 }, 3, 2 + 1 },
	};
	size_t i, p;

	(void)state;
	for (i = 0; i < GS_LEN(of); i++) {
		struct counting c = { 0, 0, 0 };
		const struct rollup_by by = { .ctx = &c, .member = by_uid,
			.charge = charge };
		uint64_t want[COL_WORDS_MAX] = { 0 };
		struct lab l;

		set_up(&l);
		rollup_free(l.r);
		l.r = rollup_new(ENTITY_PROCESS, want, &by);
		l.moves = true;
		SIM_SET(&l.h, start(&l, 1, OPEN_APPEARED), THREADS, 2);
		p = start(&l, 2, OPEN_APPEARED);
		SIM_SET(&l.h, p, UID, 8);
		tick(&l);
		rollup_restart(l.r);
		tick(&l);
		expect(&l, 7, 2);
		expect(&l, 8, 1);
		moved_to = of[i].moved_to;
		c = of[i].counting;
		tick(&l);
		expect(&l, 7, of[i].seven);
		expect(&l, 8, of[i].eight);
		c = (struct counting) { 0, 0, 0 };
		tick(&l);
		expect(&l, 7, of[i].seven);
		expect(&l, 8, of[i].eight + (moved_to == 8 ? 3 : 1));
		moved_to = 0;
		tear_down(&l);
	}
}

static void opened_has_sum(struct delta *d, const void *ctx)
{
	(void)ctx;
	delta_add_sum(d, d->opened[0].slot, (struct tick_sum) {
	    .col = COL(PROCESS, CPU), .of = SUM_GROWN, .amount = 1 });
}

static void opened_has_waited(struct delta *d, const void *ctx)
{
	(void)ctx;
	delta_add_waited(d, &(struct tick_waited) { .slot = d->opened[0].slot,
	    .kind = 1, .amount = { 1 } });
}

/* A row that appears after ticks that were left out was there in them if it has sums
 * of them; what it was seen to wait for may be of this tick alone. */
static void appears(void **state)
{
	static const struct {
		void (*more)(struct delta *d, const void *ctx);
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
		tick_after(&l, SIM_SECOND, of[i].more, NULL);
		expect(&l, 7, of[i].want);
		tear_down(&l);
	}
}

/* A process of a stretch of ten seconds that was left out; in seconds of it. */
struct life {
	enum row_open how;
	int from; /* it was sampled first */
	int to; /* last, and left; 0: it is still there */
};

#define LIVES_MAX 3

static void tell(struct delta *d, uint32_t slot, uint32_t kind, int second)
{
	delta_add_waited(d, &(struct tick_waited) { .slot = slot, .kind = kind,
	    .amount = { (10 - second) * SIM_SECOND } });
}

static void tell_lives(struct delta *d, const void *ctx)
{
	const struct life *life = ctx;
	size_t i;

	for (i = 0; i < LIVES_MAX && life[i].how; i++) {
		uint32_t slot = d->opened[i].slot;

		if (life[i].how == OPEN_APPEARED)
			tell(d, slot, WAITED_BEGIN, life[i].from);
		if (life[i].to == 0)
			continue;
		tell(d, slot, WAITED_END, life[i].to);
		delta_end_slot(d, slot, CLOSE_UNSEEN);
	}
}

/* A group covers the time in which any of its rows was there, in whatever order the
 * tick lists them. */
static void covers(void **state)
{
	static const struct {
		struct life life[LIVES_MAX];
		double covered, lived;
	} of[] = {
		{ { { OPEN_APPEARED, 2, 4 } }, 2, 2 },
		{ { { OPEN_APPEARED, 2, 4 }, { OPEN_APPEARED, 3, 7 } }, 5, 6 },
		{ { { OPEN_APPEARED, 3, 7 }, { OPEN_APPEARED, 2, 4 } }, 5, 6 },
		{ { { OPEN_APPEARED, 2, 8 }, { OPEN_APPEARED, 3, 4 },
		    { OPEN_APPEARED, 6, 9 } }, 7, 10 },
		{ { { OPEN_APPEARED, 2, 4 }, { OPEN_APPEARED, 8, 9 } }, 3, 3 },
		{ { { OPEN_APPEARED, 2, 4 }, { OPEN_APPEARED, 1, 0 } }, 9, 11 },
		/* one that was born, half a second before, did nothing before that */
		{ { { OPEN_BORN, 3, 5 } }, 5, 2.5 },
		{ { { OPEN_BORN, 3, 5 }, { OPEN_APPEARED, 1, 0 } }, 9, 11.5 },
		{ { { OPEN_APPEARED, 4, 0 }, { OPEN_BORN, 3, 5 } }, 10, 8.5 },
		{ { { OPEN_BORN, 3, 5 }, { OPEN_APPEARED, 3, 0 } }, 7, 9.5 },
	};
	size_t i, k;

	(void)state;
	for (i = 0; i < GS_LEN(of); i++) {
		const struct life *life = of[i].life;
		uint64_t uid = 7;
		struct lab l;
		double v;

		set_up_thinned(&l, SIM_SECOND);
		tick(&l);
		rollup_restart(l.r);
		for (k = 0; k < LIVES_MAX && life[k].how; k++) {
			size_t p = start(&l, k + 1, life[k].how);

			if (life[k].how == OPEN_BORN)
				SIM_SET(&l.h, p, START,
				    (uint64_t)(l.h.clock.boot_ns +
				    life[k].from * SIM_SECOND -
				    SIM_SECOND / 2) / 10000000);
		}
		tick_after(&l, 10 * SIM_SECOND, tell_lives, life);
		expect(&l, 7, of[i].lived);
		v = group_covered_s(l.r, rollup_find(l.r, &uid, sizeof(uid)));
		if (v != of[i].covered)
			fail_msg("case %zu covers %g s, not %g", i, v,
			    of[i].covered);
		tear_down(&l);
	}
}

static void tell_threads(struct delta *d, const void *ctx)
{
	const uint32_t *slot = ctx;

	delta_add_waited(d, &(struct tick_waited) { .slot = *slot,
	    .kind = WAITED_THREADS, .amount = { 7 * SIM_SECOND } });
}

/* The time of its threads counts once, however often its group is looked for. */
static void told_threads(void **state)
{
	int moves;

	(void)state;
	for (moves = 0; moves < 2; moves++) {
		struct lab l;
		uint32_t slot;
		size_t p;

		set_up_thinned(&l, SIM_SECOND);
		tick(&l);
		rollup_restart(l.r);
		l.moves = moves;
		p = start(&l, 1, OPEN_BORN);
		slot = (uint32_t)p;
		SIM_SET(&l.h, p, THREADS, 2);
		SIM_SET(&l.h, p, START, (uint64_t)(l.h.clock.boot_ns +
		    5 * SIM_SECOND) / 10000000);
		tick_after(&l, 10 * SIM_SECOND, tell_threads, &slot);
		expect(&l, 7, 7);
		SIM_SET(&l.h, p, THREADS, 3);
		tick_after(&l, 10 * SIM_SECOND, tell_threads, &slot);
		expect(&l, 7, 14);
		tear_down(&l);
	}
}

/* A start before the sample before is not believed. */
static void born_early(void **state)
{
	struct lab l;
	size_t p;

	(void)state;
	set_up(&l);
	tick(&l);
	rollup_restart(l.r);
	p = start(&l, 1, OPEN_BORN);
	SIM_SET(&l.h, p, START, (uint64_t)(l.h.clock.boot_ns -
	    2 * SIM_SECOND) / 10000000);
	tick(&l);
	expect(&l, 7, 1);
	tear_down(&l);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "lives", lives, NULL);
	cases_add(&c, "moves", moves, NULL);
	cases_add(&c, "appears", appears, NULL);
	cases_add(&c, "covers", covers, NULL);
	cases_add(&c, "told threads", told_threads, NULL);
	cases_add(&c, "born early", born_early, NULL);
	return cases_run(&c, "rollup_life");
}
