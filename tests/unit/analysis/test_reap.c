/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Usage of short-lived processes: scenes of a parent and its children, tick by
 * tick.  In every scene the sum over all processes and residuals is what the
 * kernel charged; usage that no host can have is not shown.
 */
#include "analysis/reap.h"
#include "base/compiler.h"
#include "cases.h"
#include "model/diff.h"
#include "simhost.h"

#define CHILDREN_MAX 4
#define PARENT 0
#define PID(process) (10 + (uint64_t)(process))

struct lab {
	struct simhost h;
	struct reap *reap;
	size_t process[CHILDREN_MAX + 1]; /* rows: the parent, its children */
	size_t n;
	uint64_t own, residual; /* IO shown so far */
	uint64_t cpu_residual;
	bool key; /* the next tick is a key */
	bool moves; /* another reap goes on with the debts before each tick */
};

static void set_up(struct lab *l)
{
	*l = (struct lab) { .n = 0 };
	simhost_init(&l->h, "alpha");
	l->reap = reap_new();
	l->process[PARENT] = simhost_process(&l->h, OPEN_APPEARED, PID(PARENT),
	    1, "parent");
	SIM_SET(&l->h, l->process[PARENT], READ_BYTES, 1000);
	SIM_SET(&l->h, l->process[PARENT], CUTIME, 50);
	SIM_SET(&l->h, l->process[PARENT], CSTIME, 50);
	SIM_SET(&l->h, l->process[PARENT], CMINFLT, 50);
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

static void move(struct lab *l)
{
	struct reap_debts *d = reap_debts(l->reap);

	reap_free(l->reap);
	l->reap = reap_new();
	reap_take_debts(l->reap, l->h.world, d);
	reap_debts_free(d);
}

static void tick(struct lab *l)
{
	if (l->moves)
		move(l);
	simhost_tick(&l->h, SIM_SECOND);
	reap_tick(l->reap, l->h.world, l->key);
	l->key = false;
	take(l);
}

/* The next process, from 1, whose parent is another one. */
static void child(struct lab *l, size_t parent, uint64_t io)
{
	size_t i = simhost_process(&l->h, OPEN_BORN, PID(++l->n), PID(parent),
	    "child");

	SIM_SET(&l->h, i, READ_BYTES, io);
	SIM_SET(&l->h, i, CPU, io * 1000); /* us */
	SIM_SET(&l->h, i, CUTIME, 0);
	SIM_SET(&l->h, i, CSTIME, 0);
	SIM_SET(&l->h, i, CMINFLT, 0);
	l->process[l->n] = i;
}

/* It reaped a child with this total IO. */
static void reaped(struct lab *l, size_t who, uint64_t io)
{
	SIM_ADD(&l->h, l->process[who], READ_BYTES, io);
	SIM_ADD(&l->h, l->process[who], CUTIME, io / 10);
	SIM_ADD(&l->h, l->process[who], CMINFLT, 1);
}

/* So much of what it reaped is of rows that counted it. */
static void counted(struct lab *l, size_t who, uint64_t io)
{
	SIM_ADD(&l->h, l->process[who], COUNTED_READ_BYTES, io);
	SIM_ADD(&l->h, l->process[who], COUNTED_CPU, io * 1000);
}

static void closes(struct lab *l, size_t who, enum row_close why)
{
	simhost_close(&l->h, ENTITY_PROCESS, l->process[who], why);
}

/* CPU time is 1 ms per byte of IO, and only children have any. */
static void expect(const struct lab *l, uint64_t own, uint64_t residual)
{
	assert_int_equal(l->own, own);
	assert_int_equal(l->residual, residual);
	assert_int_equal(l->cpu_residual, residual * 1000);
}

/* ---- scenes of ticks --------------------------------------------------- */

enum action { DO_END, DO_TICK, DO_KEY_TICK, DO_BEGIN, DO_CHILD, DO_OWN_IO,
	DO_REAPED, DO_COUNTED, DO_CLOSE, DO_SHOWN, DO_OWED };

struct step {
	enum action action;
	uint64_t a, b;
};

struct scene {
	const char *name;
	struct step step[16]; /* after a first tick */
};

#define TICK { DO_TICK, 0, 0 }
#define KEY_TICK { DO_KEY_TICK, 0, 0 }
#define BEGIN_RANGE { DO_BEGIN, 0, 0 }
#define CHILD(parent, io) { DO_CHILD, parent, io }
#define OWN_IO(process, io) { DO_OWN_IO, process, io }
#define REAPED(parent, io) { DO_REAPED, parent, io }
#define COUNTED(parent, io) { DO_COUNTED, parent, io }
#define EXITED(process) { DO_CLOSE, process, CLOSE_EXITED }
#define UNSEEN(process) { DO_CLOSE, process, CLOSE_UNSEEN }
#define LEFT(process) { DO_CLOSE, process, CLOSE_LEFT }
#define SHOWN(own, residual) { DO_SHOWN, own, residual } /* so far */
#define OWED(used) { DO_OWED, used, 0 } /* debts, in the last tick */

static const struct scene scenes[] = {
	{ "seen, then gone", { CHILD(PARENT, 300), TICK, SHOWN(300, 0),
	    EXITED(1), REAPED(PARENT, 500), TICK, SHOWN(300, 200), TICK,
	    SHOWN(300, 200) } },
	{ "what was reaped before we looked", { TICK, SHOWN(0, 0) } },
	{ "own IO stays own", { OWN_IO(PARENT, 70), TICK, SHOWN(70, 0) } },
	{ "gone before it is reaped", { CHILD(PARENT, 300), TICK, EXITED(1),
	    TICK, SHOWN(300, 0), REAPED(PARENT, 500), TICK, SHOWN(300, 200) } },
	{ "not waited for", { CHILD(PARENT, 300), TICK, EXITED(1), TICK, TICK,
	    SHOWN(300, 0) } },
	/* the grandparent is charged for both */
	{ "parent and child end together", { CHILD(PARENT, 100), CHILD(1, 200),
	    TICK, SHOWN(300, 0), EXITED(1), EXITED(2), REAPED(PARENT, 350),
	    TICK, SHOWN(300, 50) } },
	/* a child that reaped: its own IO includes its child's */
	{ "two generations", { CHILD(PARENT, 100), CHILD(1, 200), TICK,
	    EXITED(2), REAPED(1, 220), TICK, SHOWN(300, 20), EXITED(1),
	    REAPED(PARENT, 320), TICK, SHOWN(300, 20) } },
	/* it may be of the tick before that; then it is too old */
	{ "debts outlive a key", { CHILD(PARENT, 300), TICK, EXITED(1), TICK,
	    KEY_TICK, REAPED(PARENT, 100), TICK, SHOWN(300, 0), KEY_TICK,
	    REAPED(PARENT, 250), TICK, SHOWN(300, 250) } },
	{ "debts end where a range begins", { CHILD(PARENT, 300), TICK,
	    EXITED(1), TICK, BEGIN_RANGE, REAPED(PARENT, 300), TICK,
	    SHOWN(300, 300) } },
	{ "a debt is paid", { CHILD(PARENT, 300), TICK, EXITED(1), TICK, OWED(0),
	    REAPED(PARENT, 200), TICK, OWED(1), TICK, OWED(0),
	    REAPED(PARENT, 200), TICK, OWED(1), REAPED(PARENT, 50), TICK,
	    OWED(0) } },
	{ "nothing is owed", { CHILD(PARENT, 300), TICK, EXITED(1),
	    REAPED(PARENT, 500), TICK, OWED(0) } },
	{ "a child that owed", { CHILD(PARENT, 100), CHILD(1, 200), TICK,
	    EXITED(2), TICK, OWED(0), EXITED(1), REAPED(PARENT, 310), TICK,
	    OWED(1) } },
	{ "a debt goes to the grandparent", { CHILD(PARENT, 100), CHILD(1, 200),
	    TICK, EXITED(2), TICK, EXITED(1), REAPED(PARENT, 310), TICK,
	    SHOWN(300, 10) } },
	/* another child was reaped */
	{ "left is not ended", { CHILD(PARENT, 300), TICK, LEFT(1),
	    REAPED(PARENT, 500), TICK, SHOWN(300, 500) } },
	/* the child is in the counters of its parent, which goes on */
	{ "left with a child that ended", { CHILD(PARENT, 100), CHILD(1, 200),
	    TICK, EXITED(2), LEFT(1), TICK, REAPED(PARENT, 50), TICK,
	    SHOWN(300, 50) } },
	/* as the agent says; another one was reaped */
	{ "left, then ended", { CHILD(PARENT, 300), TICK, LEFT(1), TICK,
	    COUNTED(PARENT, 300), REAPED(PARENT, 310), REAPED(PARENT, 50),
	    TICK, SHOWN(300, 60), REAPED(PARENT, 50), TICK,
	    SHOWN(300, 110) } },
	{ "counted twice in a row", { COUNTED(PARENT, 300),
	    REAPED(PARENT, 300), TICK, SHOWN(0, 0), COUNTED(PARENT, 200),
	    REAPED(PARENT, 250), TICK, SHOWN(0, 50) } },
	/* the kernel did not add it to its parent */
	{ "counted is no debt", { COUNTED(PARENT, 300), REAPED(PARENT, 100),
	    TICK, SHOWN(0, 0), REAPED(PARENT, 50), TICK, SHOWN(0, 50) } },
	/* it ended in the hole: it is not counted twice */
	{ "gone in a hole", { CHILD(PARENT, 300), TICK, UNSEEN(1),
	    REAPED(PARENT, 500), KEY_TICK, SHOWN(300, 200), REAPED(PARENT, 50),
	    TICK, SHOWN(300, 250) } },
	{ "reaped after a hole", { CHILD(PARENT, 300), TICK, UNSEEN(1),
	    KEY_TICK, REAPED(PARENT, 350), TICK, SHOWN(300, 50) } },
	/* another process reaped it, or it continues unseen */
	{ "not reaped in a hole", { CHILD(PARENT, 300), TICK, UNSEEN(1),
	    KEY_TICK, TICK, REAPED(PARENT, 50), TICK, SHOWN(300, 50) } },
	/* a child of that pid ended before it came */
	{ "a parent that comes later", { CHILD(3, 100), TICK, EXITED(1), TICK,
	    CHILD(PARENT, 0), CHILD(PARENT, 0), CHILD(3, 200), TICK, EXITED(4),
	    REAPED(3, 250), TICK, SHOWN(300, 50) } },
	/* three that were seen, one that was not */
	{ "many", { CHILD(PARENT, 100), CHILD(PARENT, 100), CHILD(PARENT, 100),
	    TICK, EXITED(1), EXITED(2), EXITED(3), REAPED(PARENT, 450),
	    REAPED(PARENT, 1000), TICK, SHOWN(300, 1150) } },
};

static void play(struct lab *l, const struct step *s)
{
	switch (s->action) {
	case DO_END:
		break;
	case DO_TICK:
	case DO_KEY_TICK:
		l->key = s->action == DO_KEY_TICK;
		tick(l);
		break;
	case DO_BEGIN:
		reap_begin(l->reap);
		break;
	case DO_CHILD:
		child(l, s->a, s->b);
		break;
	case DO_OWN_IO:
		SIM_ADD(&l->h, l->process[s->a], READ_BYTES, s->b);
		break;
	case DO_REAPED:
		reaped(l, s->a, s->b);
		break;
	case DO_COUNTED:
		counted(l, s->a, s->b);
		break;
	case DO_CLOSE:
		closes(l, s->a, (enum row_close)s->b);
		break;
	case DO_SHOWN:
		expect(l, s->a, s->b);
		break;
	case DO_OWED:
		assert_int_equal(reap_used_debts(l->reap), s->a);
		break;
	}
}

static void play_all(const struct scene *c, bool moves)
{
	struct lab l;
	size_t i;

	set_up(&l);
	tick(&l);
	l.moves = moves;
	for (i = 0; i < GS_LEN(c->step); i++)
		play(&l, &c->step[i]);
	tear_down(&l);
}

static void test_scene(void **state)
{
	play_all(*state, false);
	play_all(*state, true);
}

/* ---- residuals --------------------------------------------------------- */

static void test_never_seen(void **state)
{
	struct lab l;
	size_t n;

	(void)state;
	set_up(&l);
	tick(&l);
	reaped(&l, PARENT, 500);
	tick(&l);
	expect(&l, 0, 500);
	(void)reap_list(l.reap, &n);
	assert_int_equal(n, 1);
	tick(&l);
	(void)reap_list(l.reap, &n);
	assert_int_equal(n, 0);
	tear_down(&l);
}

static void test_own_io_has_no_residual(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	tick(&l);
	SIM_ADD(&l.h, l.process[PARENT], READ_BYTES, 70);
	tick(&l);
	assert_null(reap_of(l.reap, row_of(&l, l.process[PARENT])));
	tear_down(&l);
}

static void test_parent_ends(void **state)
{
	struct lab l;
	size_t n;

	(void)state;
	set_up(&l);
	tick(&l);
	reaped(&l, PARENT, 500);
	tick(&l);
	closes(&l, PARENT, CLOSE_EXITED);
	tick(&l);
	(void)reap_list(l.reap, &n);
	assert_int_equal(n, 0);
	expect(&l, 0, 500);
	tear_down(&l);
}

/* It is recorded again in the tick in which its child ends: its first values
 * contain the child, and the next child is another one. */
static void test_parent_appears(void **state)
{
	struct lab l;
	size_t i;

	(void)state;
	set_up(&l);
	tick(&l);
	child(&l, PARENT, 100);
	child(&l, 1, 200);
	tick(&l);
	closes(&l, 1, CLOSE_LEFT);
	tick(&l);
	closes(&l, 2, CLOSE_EXITED);
	i = simhost_process(&l.h, OPEN_APPEARED, PID(1), PID(PARENT), "child");
	SIM_SET(&l.h, i, READ_BYTES, 300);
	SIM_SET(&l.h, i, CUTIME, 20);
	SIM_SET(&l.h, i, CSTIME, 0);
	SIM_SET(&l.h, i, CMINFLT, 1);
	l.process[1] = i;
	tick(&l);
	expect(&l, 300, 0);
	reaped(&l, 1, 50);
	tick(&l);
	expect(&l, 300, 50);
	tear_down(&l);
}

/* Counters of a parent that may not be read are not used. */
static void test_absent_io(void **state)
{
	struct lab l;
	size_t n;
	const struct residual *r;

	(void)state;
	set_up(&l);
	simhost_unset(&l.h, ENTITY_PROCESS, l.process[PARENT],
	    COL(PROCESS, READ_BYTES));
	tick(&l);
	child(&l, PARENT, 300);
	tick(&l);
	closes(&l, 1, CLOSE_EXITED);
	SIM_ADD(&l.h, l.process[PARENT], CUTIME, 40);
	tick(&l);
	r = reap_list(l.reap, &n);
	assert_int_equal(n, 1);
	assert_false(r[0].present >> REAP_READ_BYTES & 1);
	assert_true(r[0].present >> REAP_CPU & 1);
	tear_down(&l);
}

/* Not recorded, and older than the last sample: marked, without an amount. */
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
	reaped(&l, PARENT, 2000); /* two CPUs had 2 s, it used 2 */
	tick(&l);
	expect(&l, 0, 2000);
	simhost_add(&l.h, ENTITY_HOST, 0, COL(HOST, CPU_IDLE), 200);
	reaped(&l, PARENT, 4000);
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

/* Half a tick each, in the CPU clock and not in their own ticks. */
static void test_halves_of_a_tick(void **state)
{
	const struct residual *r;
	struct lab l;

	(void)state;
	set_up(&l);
	tick(&l);
	child(&l, PARENT, 5);
	child(&l, PARENT, 5);
	tick(&l);
	closes(&l, 1, CLOSE_EXITED);
	closes(&l, 2, CLOSE_EXITED);
	reaped(&l, PARENT, 10);
	tick(&l);
	r = reap_of(l.reap, row_of(&l, l.process[PARENT]));
	assert_true(r->present >> REAP_CPU & 1); /* 0, not absent */
	assert_int_equal(r->amount[REAP_CPU], 0);
	assert_int_equal(r->amount[REAP_UTIME], 0);
	tear_down(&l);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_scene, scenes);
	cases_add(&c, "never seen", test_never_seen, NULL);
	cases_add(&c, "own IO has no residual", test_own_io_has_no_residual,
	    NULL);
	cases_add(&c, "parent ends", test_parent_ends, NULL);
	cases_add(&c, "parent appears", test_parent_appears, NULL);
	cases_add(&c, "absent IO", test_absent_io, NULL);
	cases_add(&c, "whole life", test_whole_life, NULL);
	cases_add(&c, "halves of a tick", test_halves_of_a_tick, NULL);
	return cases_run(&c, "reap");
}
