/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What short-lived processes used: scenes of a parent and its children, tick
 * by tick.  In every scene what is shown of all processes and residuals is
 * what the kernel charged; what no host can have used is not shown.
 */
#include "analysis/reap.h"
#include "base/compiler.h"
#include "cases.h"
#include "model/diff.h"
#include "simhost.h"

struct lab {
	struct simhost h;
	struct reap *reap;
	size_t parent;
	size_t next_pid;
	uint64_t own, residual; /* IO that was shown so far */
	uint64_t cpu_residual;
	bool key; /* the next tick is one */
};

static void set_up(struct lab *l)
{
	*l = (struct lab) { .next_pid = 100 };
	simhost_init(&l->h, "alpha");
	l->reap = reap_new();
	l->parent = simhost_process(&l->h, OPEN_APPEARED, 10, 1, "parent");
	SIM_SET(&l->h, l->parent, READ_BYTES, 1000);
	SIM_SET(&l->h, l->parent, CUTIME, 50);
	SIM_SET(&l->h, l->parent, CSTIME, 50);
	SIM_SET(&l->h, l->parent, CMINFLT, 50);
}

static void tear_down(struct lab *l)
{
	reap_free(l->reap);
	simhost_release(&l->h);
}

static struct row *row_of(const struct lab *l, size_t i)
{
	return world_host(l->h.world, 0)->table[ENTITY_PROCESS].slot[i];
}

/* Adds up what a view shows: own IO of rows that reap nothing, residuals. */
static void take(struct lab *l)
{
	size_t n, i;
	const struct residual *res;
	struct row *const *r = world_touched(l->h.world, &n);

	for (i = 0; i < n; i++) {
		uint64_t d;

		if (r[i]->entity != ENTITY_PROCESS || r[i]->closed)
			continue;
		res = reap_of(l->reap, r[i]);
		if (!(res && res->reaping) &&
		    diff_counter(r[i], COL(PROCESS, READ_BYTES), &d))
			l->own += d;
	}
	res = reap_list(l->reap, &n);
	for (i = 0; i < n; i++) {
		l->residual += res[i].amount[REAP_READ_BYTES];
		l->cpu_residual += res[i].amount[REAP_CPU];
	}
}

static void tick(struct lab *l)
{
	simhost_tick(&l->h, SIM_SECOND);
	reap_tick(l->reap, l->h.world, l->key);
	l->key = false;
	take(l);
}

static size_t child(struct lab *l, uint64_t ppid, uint64_t io)
{
	size_t i = simhost_process(&l->h, OPEN_BORN, l->next_pid++, ppid,
	    "child");

	SIM_SET(&l->h, i, READ_BYTES, io);
	SIM_SET(&l->h, i, CPU, io * 1000); /* us */
	return i;
}

/* The parent waited for one that used so much in all. */
static void reaped(struct lab *l, size_t parent, uint64_t io)
{
	SIM_ADD(&l->h, parent, READ_BYTES, io);
	SIM_ADD(&l->h, parent, CUTIME, io / 10);
	SIM_ADD(&l->h, parent, CMINFLT, 1);
}

static void expect(const struct lab *l, uint64_t own, uint64_t residual)
{
	assert_int_equal(l->own, own);
	assert_int_equal(l->residual, residual);
}

/* Seen with 300 of the 500 that it used in the end. */
static void test_seen_then_gone(void **state)
{
	struct lab l;
	size_t c;

	(void)state;
	set_up(&l);
	tick(&l);
	c = child(&l, 10, 300);
	tick(&l);
	expect(&l, 300, 0);
	SIM_EXIT(&l.h, c);
	reaped(&l, l.parent, 500);
	tick(&l);
	expect(&l, 300, 200);
	assert_int_equal(l.cpu_residual, 200 * 1000);
	tick(&l);
	expect(&l, 300, 200);
	tear_down(&l);
}

static void test_never_seen(void **state)
{
	struct lab l;
	size_t n;

	(void)state;
	set_up(&l);
	tick(&l);
	reaped(&l, l.parent, 500);
	tick(&l);
	expect(&l, 0, 500);
	assert_int_equal(l.cpu_residual, 500 * 1000);
	(void)reap_list(l.reap, &n);
	assert_int_equal(n, 1);
	tick(&l);
	(void)reap_list(l.reap, &n);
	assert_int_equal(n, 0);
	tear_down(&l);
}

/* What was reaped before we looked is no residual. */
static void test_baseline(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	tick(&l);
	tick(&l);
	expect(&l, 0, 0);
	assert_int_equal(l.cpu_residual, 0);
	tear_down(&l);
}

static void test_own_io_stays_own(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	tick(&l);
	SIM_ADD(&l.h, l.parent, READ_BYTES, 70);
	tick(&l);
	expect(&l, 70, 0);
	assert_null(reap_of(l.reap, row_of(&l, l.parent)));
	tear_down(&l);
}

/* The child is gone from the list a tick before it is in the parent. */
static void test_gone_before_reaped(void **state)
{
	struct lab l;
	size_t c;

	(void)state;
	set_up(&l);
	tick(&l);
	c = child(&l, 10, 300);
	tick(&l);
	SIM_EXIT(&l.h, c);
	tick(&l);
	expect(&l, 300, 0);
	reaped(&l, l.parent, 500);
	tick(&l);
	expect(&l, 300, 200);
	assert_int_equal(l.cpu_residual, 200 * 1000);
	tear_down(&l);
}

static void test_not_waited_for(void **state)
{
	struct lab l;
	size_t c;

	(void)state;
	set_up(&l);
	tick(&l);
	c = child(&l, 10, 300);
	tick(&l);
	SIM_EXIT(&l.h, c);
	tick(&l);
	tick(&l);
	expect(&l, 300, 0);
	tear_down(&l);
}

/* Parent, child and grandchild end in one tick; the grandparent pays. */
static void test_parent_and_child_end_together(void **state)
{
	struct lab l;
	size_t c, g;

	(void)state;
	set_up(&l);
	tick(&l);
	c = child(&l, 10, 100);
	g = child(&l, 100, 200);
	tick(&l);
	expect(&l, 300, 0);
	SIM_EXIT(&l.h, c);
	SIM_EXIT(&l.h, g);
	reaped(&l, l.parent, 350);
	tick(&l);
	expect(&l, 300, 50);
	tear_down(&l);
}

/* A child that reaped in its turn: its own IO holds its child's. */
static void test_two_generations(void **state)
{
	struct lab l;
	size_t c, g;

	(void)state;
	set_up(&l);
	tick(&l);
	c = child(&l, 10, 100);
	g = child(&l, 100, 200);
	tick(&l);
	SIM_EXIT(&l.h, g);
	reaped(&l, c, 220);
	tick(&l);
	expect(&l, 300, 20);
	SIM_EXIT(&l.h, c);
	reaped(&l, l.parent, 320);
	tick(&l);
	expect(&l, 300, 20);
	tear_down(&l);
}

/* A debt outlives one key, as it may be of the tick before that. */
static void test_debts_outlive_a_key(void **state)
{
	struct lab l;
	size_t c;

	(void)state;
	set_up(&l);
	tick(&l);
	c = child(&l, 10, 300);
	tick(&l);
	SIM_EXIT(&l.h, c);
	tick(&l);
	l.key = true;
	tick(&l);
	reaped(&l, l.parent, 100);
	tick(&l);
	expect(&l, 300, 0);
	l.key = true;
	tick(&l);
	reaped(&l, l.parent, 250); /* 200 of it are still owed, but old */
	tick(&l);
	expect(&l, 300, 250);
	tear_down(&l);
}

/* Where a range begins nothing is owed. */
static void test_debts_end_where_a_range_begins(void **state)
{
	struct lab l;
	size_t c;

	(void)state;
	set_up(&l);
	tick(&l);
	c = child(&l, 10, 300);
	tick(&l);
	SIM_EXIT(&l.h, c);
	tick(&l);
	reap_begin(l.reap);
	reaped(&l, l.parent, 300);
	tick(&l);
	expect(&l, 300, 300);
	tear_down(&l);
}

/* Left the selection: it lives on, nothing of it is in its parent. */
static void test_left_is_not_ended(void **state)
{
	struct lab l;
	size_t c;

	(void)state;
	set_up(&l);
	tick(&l);
	c = child(&l, 10, 300);
	tick(&l);
	simhost_close(&l.h, ENTITY_PROCESS, c, CLOSE_LEFT);
	reaped(&l, l.parent, 500); /* another one */
	tick(&l);
	expect(&l, 300, 500);
	tear_down(&l);
}

/* It ended while nobody looked: what was known of it is not told twice. */
static void test_gone_in_a_hole(void **state)
{
	struct lab l;
	size_t c;

	(void)state;
	set_up(&l);
	tick(&l);
	c = child(&l, 10, 300);
	tick(&l);
	simhost_close(&l.h, ENTITY_PROCESS, c, CLOSE_UNSEEN);
	reaped(&l, l.parent, 500);
	l.key = true;
	tick(&l);
	expect(&l, 300, 200);
	reaped(&l, l.parent, 50);
	tick(&l);
	expect(&l, 300, 250);
	tear_down(&l);
}

/* Its parent may be charged in the tick after the hole. */
static void test_reaped_after_a_hole(void **state)
{
	struct lab l;
	size_t c;

	(void)state;
	set_up(&l);
	tick(&l);
	c = child(&l, 10, 300);
	tick(&l);
	simhost_close(&l.h, ENTITY_PROCESS, c, CLOSE_UNSEEN);
	l.key = true;
	tick(&l);
	reaped(&l, l.parent, 350);
	tick(&l);
	expect(&l, 300, 50);
	tear_down(&l);
}

/* A parent ends that was charged for a child after its last sample. */
static void test_a_debt_goes_to_the_grandparent(void **state)
{
	struct lab l;
	size_t c, g;

	(void)state;
	set_up(&l);
	tick(&l);
	c = child(&l, 10, 100);
	g = child(&l, 100, 200);
	tick(&l);
	SIM_EXIT(&l.h, g);
	tick(&l);
	SIM_EXIT(&l.h, c);
	reaped(&l, l.parent, 310);
	tick(&l);
	expect(&l, 300, 10);
	tear_down(&l);
}

/* Somebody else waited for it, or it goes on unseen: after that tick it owes
 * nothing. */
static void test_not_reaped_in_a_hole(void **state)
{
	struct lab l;
	size_t c;

	(void)state;
	set_up(&l);
	tick(&l);
	c = child(&l, 10, 300);
	tick(&l);
	simhost_close(&l.h, ENTITY_PROCESS, c, CLOSE_UNSEEN);
	l.key = true;
	tick(&l);
	tick(&l);
	reaped(&l, l.parent, 50);
	tick(&l);
	expect(&l, 300, 50);
	tear_down(&l);
}

static void test_parent_ends(void **state)
{
	struct lab l;
	size_t n;

	(void)state;
	set_up(&l);
	tick(&l);
	reaped(&l, l.parent, 500);
	tick(&l);
	SIM_EXIT(&l.h, l.parent);
	tick(&l);
	(void)reap_list(l.reap, &n);
	assert_int_equal(n, 0);
	expect(&l, 0, 500);
	tear_down(&l);
}

/* Several in one tick, some seen: sums. */
static void test_many(void **state)
{
	struct lab l;
	size_t c[3], i;

	(void)state;
	set_up(&l);
	tick(&l);
	for (i = 0; i < 3; i++)
		c[i] = child(&l, 10, 100);
	tick(&l);
	for (i = 0; i < 3; i++) {
		SIM_EXIT(&l.h, c[i]);
		reaped(&l, l.parent, 150);
	}
	reaped(&l, l.parent, 1000); /* never seen */
	tick(&l);
	expect(&l, 300, 1150);
	tear_down(&l);
}

/* Counters of a parent that may not be read stay out of it. */
static void test_absent_io(void **state)
{
	struct lab l;
	size_t c, n;
	const struct residual *r;

	(void)state;
	set_up(&l);
	simhost_unset(&l.h, ENTITY_PROCESS, l.parent,
	    COL(PROCESS, READ_BYTES));
	tick(&l);
	c = child(&l, 10, 300);
	tick(&l);
	SIM_EXIT(&l.h, c);
	SIM_ADD(&l.h, l.parent, CUTIME, 40);
	tick(&l);
	r = reap_list(l.reap, &n);
	assert_int_equal(n, 1);
	assert_false(r[0].present >> REAP_READ_BYTES & 1);
	assert_true(r[0].present >> REAP_CPU & 1);
	tear_down(&l);
}

/* Not recorded, and older than the last sample: no amount, and said so. */
static void test_whole_life(void **state)
{
	const struct residual *r;
	struct lab l;
	size_t n;

	(void)state;
	set_up(&l);
	simhost_set(&l.h, ENTITY_HOST, 0, COL(HOST, CPU_IDLE), 1000);
	tick(&l);
	simhost_add(&l.h, ENTITY_HOST, 0, COL(HOST, CPU_IDLE), 200);
	reaped(&l, l.parent, 2000); /* two CPUs had 2 s, it used 2 */
	tick(&l);
	expect(&l, 0, 2000);
	simhost_add(&l.h, ENTITY_HOST, 0, COL(HOST, CPU_IDLE), 200);
	reaped(&l, l.parent, 4000);
	tick(&l);
	expect(&l, 0, 2000);
	assert_int_equal(l.cpu_residual, 2000 * 1000);
	r = reap_list(l.reap, &n);
	assert_int_equal(n, 1);
	assert_int_equal(r[0].present, 0);
	assert_true(r[0].missing >> REAP_READ_BYTES & 1);
	assert_true(r[0].missing >> REAP_CPU & 1);
	tear_down(&l);
}

/* Half a tick each, which the clock knew and their own ticks did not. */
static void test_halves_of_a_tick(void **state)
{
	const struct residual *r;
	struct lab l;
	size_t c, d;

	(void)state;
	set_up(&l);
	tick(&l);
	c = child(&l, 10, 5);
	d = child(&l, 10, 5);
	tick(&l);
	SIM_EXIT(&l.h, c);
	SIM_EXIT(&l.h, d);
	reaped(&l, l.parent, 10);
	tick(&l);
	r = reap_of(l.reap, row_of(&l, l.parent));
	assert_true(r->present >> REAP_CPU & 1); /* 0, not absent */
	assert_int_equal(r->amount[REAP_CPU], 0);
	assert_int_equal(r->amount[REAP_UTIME], 0);
	tear_down(&l);
}

int main(void)
{
	struct cases c = { .n = 0 };
	static const struct {
		const char *name;
		CMUnitTestFunction fn;
	} all[] = {
		{ "seen, then gone", test_seen_then_gone },
		{ "never seen", test_never_seen },
		{ "baseline", test_baseline },
		{ "own IO stays own", test_own_io_stays_own },
		{ "gone before it is reaped", test_gone_before_reaped },
		{ "not waited for", test_not_waited_for },
		{ "parent and child end together",
		    test_parent_and_child_end_together },
		{ "two generations", test_two_generations },
		{ "debts outlive a key", test_debts_outlive_a_key },
		{ "debts end where a range begins",
		    test_debts_end_where_a_range_begins },
		{ "reaped after a hole", test_reaped_after_a_hole },
		{ "a debt goes to the grandparent",
		    test_a_debt_goes_to_the_grandparent },
		{ "left is not ended", test_left_is_not_ended },
		{ "gone in a hole", test_gone_in_a_hole },
		{ "not reaped in a hole", test_not_reaped_in_a_hole },
		{ "parent ends", test_parent_ends },
		{ "many", test_many },
		{ "absent IO", test_absent_io },
		{ "whole life", test_whole_life },
		{ "halves of a tick", test_halves_of_a_tick },
	};
	size_t i;

	for (i = 0; i < GS_LEN(all); i++)
		cases_add(&c, all[i].name, all[i].fn, NULL);
	return cases_run(&c, "reap");
}
