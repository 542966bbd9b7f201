/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_exits.c - exits_settle(): in families of processes, recorded or not, some
 * processes end.  The test checks which usage the agent reports as counted
 * before, and in the row of which parent.
 */
#include "agent/exits.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "cases.h"

#define PROCS 4
#define PID(i) (10 + (uint32_t)(i))
#define TICK_US 10000

/* Each process is the parent of the next one. */
struct family {
	struct proc proc[PROCS];
	struct proc *list[PROCS]; /* those that live */
	size_t n;
	struct scan sc;
	struct exits exits;
};

enum action { DO_END, DO_RUN, DO_RECORD, DO_LEAVE, DO_EXIT, DO_TICK, DO_COUNTED,
	DO_REUSE };

struct step {
	enum action action;
	int who;
	uint64_t n;
};

struct scene {
	const char *name;
	struct step step[20];
};

#define RUN(who, n) { DO_RUN, who, n } /* uses it; read if recorded */
#define RECORD(who) { DO_RECORD, who, 0 }
#define LEAVE(who) { DO_LEAVE, who, 0 }
#define EXIT(who) { DO_EXIT, who, 0 } /* its parent waited for it */
#define TICK { DO_TICK, 0, 0 }
#define COUNTED(who, n) { DO_COUNTED, who, n }
#define REUSE(who) { DO_REUSE, who, 0 } /* its number is of another one */

static const struct scene scenes[] = {
	{ "a reader knows its parent", { RECORD(0), RECORD(1), RUN(1, 50),
	    EXIT(1), TICK, COUNTED(0, 0) } },
	{ "never recorded", { RECORD(0), RUN(1, 50), EXIT(1), TICK,
	    COUNTED(0, 0) } },
	{ "left, then ended", { RECORD(0), RECORD(1), RUN(1, 50), LEAVE(1),
	    RUN(1, 7), TICK, COUNTED(0, 0), EXIT(1), TICK, COUNTED(0, 50) } },
	{ "parent not recorded", { RECORD(0), RECORD(2), RUN(2, 50), EXIT(2),
	    TICK, COUNTED(0, 0), EXIT(1), TICK, COUNTED(0, 50) } },
	{ "both end in one tick", { RECORD(0), RECORD(2), RUN(2, 50), EXIT(2),
	    EXIT(1), TICK, COUNTED(0, 50) } },
	{ "the parent first", { RECORD(0), RECORD(2), RUN(2, 50), EXIT(1),
	    EXIT(2), TICK, COUNTED(0, 50) } },
	{ "two that are not recorded", { RECORD(0), RECORD(3), RUN(3, 50),
	    EXIT(3), TICK, EXIT(2), TICK, COUNTED(0, 0), EXIT(1), TICK,
	    COUNTED(0, 50) } },
	{ "left and a child", { RECORD(0), RECORD(1), RECORD(2), RUN(1, 30),
	    LEAVE(1), RUN(2, 50), EXIT(2), TICK, EXIT(1), TICK,
	    COUNTED(0, 80) } },
	/* its row has all of it when it ends */
	{ "left and back", { RECORD(0), RECORD(1), RUN(1, 50), LEAVE(1), TICK,
	    RECORD(1), TICK, EXIT(1), TICK, COUNTED(0, 0) } },
	{ "left twice", { RECORD(0), RECORD(1), RUN(1, 50), LEAVE(1), TICK,
	    RECORD(1), RUN(1, 20), LEAVE(1), TICK, EXIT(1), TICK,
	    COUNTED(0, 70) } },
	/* a reader knows of 1 and 2, but not that 3 ended */
	{ "through recorded ones that end", { RECORD(0), RECORD(1), RECORD(2),
	    RECORD(3), RUN(3, 50), LEAVE(3), TICK, EXIT(3), EXIT(2), EXIT(1),
	    TICK, COUNTED(0, 50) } },
	{ "no reader sees the end of one", { RECORD(0), RECORD(2), RECORD(3),
	    RUN(3, 50), EXIT(3), EXIT(2), EXIT(1), TICK, COUNTED(0, 50) } },
	{ "its number is reused", { RECORD(0), RECORD(2), RUN(2, 50), REUSE(1),
	    RECORD(1), EXIT(2), TICK, COUNTED(1, 0), COUNTED(0, 0) } },
	{ "reused in the same tick", { RECORD(0), RECORD(2), RUN(2, 50),
	    EXIT(1), REUSE(1), EXIT(2), TICK, COUNTED(1, 0),
	    COUNTED(0, 50) } },
};

static struct family *family_new(void)
{
	struct family *f = calloc(1, sizeof(*f));
	int i;

	f->sc.tick_ns = TICK_US * 1000;
	for (i = 0; i < PROCS; i++) {
		f->proc[i] = (struct proc) { .pid = PID(i), .ppid = PID(i - 1),
			.start = 100 + (uint64_t)i,
			.was = cells_new(ENTITY_PROCESS) };
		f->list[f->n++] = &f->proc[i];
	}
	return f;
}

static void family_free(struct family *f)
{
	int i;

	for (i = 0; i < PROCS; i++) {
		cells_free(f->proc[i].was);
		free(f->proc[i].account);
	}
	exits_release(&f->exits);
	free(f);
}

static void close_row(struct proc *p)
{
	cells_clear(ENTITY_PROCESS, p->was);
	p->open = false;
	p->role = PROC_NONE;
}

/* Half of it in its own clock, in us; half of it by reaped children. */
static void read_row(struct proc *p, uint64_t n)
{
	cells_set(p->was, COL(PROCESS, CPU), n * TICK_US / 2);
	cells_set(p->was, COL(PROCESS, CSTIME), n / 2);
	cells_set(p->was, COL(PROCESS, RCHAR), n);
}

static void unlist(struct family *f, const struct proc *p)
{
	size_t i, n = 0;

	for (i = 0; i < f->n; i++) {
		if (f->list[i] != p)
			f->list[n++] = f->list[i];
	}
	f->n = n;
}

static void reuse(struct family *f, int who)
{
	int i;

	f->proc[who].start = 1000;
	close_row(&f->proc[who]);
	f->n = 0;
	for (i = 0; i < PROCS; i++)
		f->list[f->n++] = &f->proc[i];
}

static void counted(const struct proc *p, uint64_t n)
{
	struct cells c = cells_new(ENTITY_PROCESS);

	exits_fill(p, c);
	assert_int_equal(c.val[COL(PROCESS, COUNTED_CPU)], n * TICK_US);
	assert_int_equal(c.val[COL(PROCESS, COUNTED_STIME)], n / 2);
	assert_int_equal(c.val[COL(PROCESS, COUNTED_RCHAR)], n);
	assert_int_equal(cells_has(c, COL(PROCESS, COUNTED_MINFLT)), n > 0);
	cells_free(c);
}

static void play(struct family *f, const struct step *s, uint64_t *used)
{
	struct proc *p = &f->proc[s->who];

	switch (s->action) {
	case DO_END:
		break;
	case DO_RUN:
		used[s->who] += s->n;
		if (p->open)
			read_row(p, used[s->who]);
		break;
	case DO_RECORD:
		exits_opens(p);
		p->open = true;
		p->role = PROC_BUSY;
		read_row(p, used[s->who]);
		break;
	case DO_LEAVE:
		exits_left(&f->sc, p);
		close_row(p);
		break;
	case DO_EXIT:
		exits_ended(&f->exits, &f->sc, p);
		close_row(p);
		unlist(f, p);
		break;
	case DO_TICK:
		exits_settle(&f->exits, f->list, f->n);
		break;
	case DO_COUNTED:
		counted(p, s->n);
		break;
	case DO_REUSE:
		reuse(f, s->who);
		break;
	}
}

static void test_scene(void **state)
{
	const struct scene *c = *state;
	struct family *f = family_new();
	uint64_t used[PROCS] = { 0 };
	size_t i;

	for (i = 0; i < GS_LEN(c->step); i++)
		play(f, &c->step[i], used);
	family_free(f);
}

/* It owes nothing before, and is asked for its parent once, or when that is
 * gone. */
static void test_place(void **state)
{
	struct family *f = family_new();
	struct proc *p = &f->proc[1];

	(void)state;
	assert_false(exits_must_place(p, f->list, f->n));
	f->proc[2].open = true;
	read_row(&f->proc[2], 10);
	exits_ended(&f->exits, &f->sc, &f->proc[2]);
	unlist(f, &f->proc[2]);
	exits_settle(&f->exits, f->list, f->n);
	assert_true(exits_must_place(p, f->list, f->n));
	p->account->placed = true;
	assert_false(exits_must_place(p, f->list, f->n));
	unlist(f, &f->proc[0]);
	assert_true(exits_must_place(p, f->list, f->n));
	p->ppid = 0;
	assert_false(exits_must_place(p, f->list, f->n));
	family_free(f);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_scene, scenes);
	cases_add(&c, "place", test_place, NULL);
	return cases_run(&c, "exits");
}
