/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sessions of processes that came, changed and ended between two ticks of a thinned
 * recording.
 */
#include "analysis/sessions.h"
#include "cases.h"
#include "simhost.h"

#define QD "postgres:  6000, gpadmin demo [local] "
#define QE "postgres:  6003, gpadmin demo 127.0.0.1(40837) "

struct lab {
	struct simhost h;
	struct sessions *s;
	const struct session *n; /* of the coordinator process */
	size_t qd;
};

static void tick(struct lab *l)
{
	simhost_tick(&l->h, 10 * SIM_SECOND);
	sessions_tick(l->s, l->h.world, l->h.clock.wall_ns);
}

/* A coordinator process of con150, which was seen once. */
static void set_up(struct lab *l)
{
	simhost_init(&l->h, "alpha");
	l->h.thinned = true;
	l->s = sessions_new();
	l->qd = simhost_process(&l->h, OPEN_BORN, 10, 1,
	    QD "con150 cmd7 SELECT");
	tick(l);
	l->n = sessions_proc(l->s, world_host(l->h.world, 0)
	    ->table[ENTITY_PROCESS].slot[l->qd])->session;
}

static void tear_down(struct lab *l)
{
	sessions_free(l->s);
	simhost_release(&l->h);
}

/* An executor that comes and goes. */
static void execute(struct lab *l, const char *title)
{
	size_t i = simhost_process(&l->h, OPEN_BORN, 12, 1, title);

	SIM_EXIT(&l->h, i);
}

static void test_last_title(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	SIM_TITLE(&l.h, l.qd, QD "con150 cmd9 DELETE");
	SIM_EXIT(&l.h, l.qd);
	tick(&l);
	assert_int_equal(l.n->n_procs, 0);
	assert_int_equal(l.n->cmd, 9);
	assert_string_equal(l.n->activity, "DELETE");
	assert_string_equal(l.n->title, QD "con150 cmd9 DELETE");
	tear_down(&l);
}

/* They are of that session, and leave it its labels. */
static void test_executors_of_ended(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	SIM_EXIT(&l.h, l.qd);
	execute(&l, QE "con150 seg1 cmd8 slice1 MPPEXEC UPDATE");
	tick(&l);
	assert_int_equal(sessions_count(l.s), 1);
	assert_string_equal(l.n->title, QD "con150 cmd7 SELECT");
	tear_down(&l);
}

/* A tick later they are of another one. */
static void test_executors_later(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	SIM_EXIT(&l.h, l.qd);
	tick(&l);
	execute(&l, QE "con150 seg1 cmd1 slice1 MPPEXEC UPDATE");
	tick(&l);
	assert_int_equal(sessions_count(l.s), 2);
	tear_down(&l);
}

/* Its gangs failed, so it got a new id; then it ended. */
static void test_new_id(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	SIM_TITLE(&l.h, l.qd, QD "con151 cmd8 UPDATE");
	SIM_EXIT(&l.h, l.qd);
	execute(&l, QE "con151 seg1 cmd8 slice1 MPPEXEC UPDATE");
	tick(&l);
	assert_int_equal(sessions_count(l.s), 1);
	assert_string_equal(l.n->name, "151");
	assert_int_equal(l.n->cmd, 8);
	tear_down(&l);
}

/* Parallel workers that came and went before their leader ended are of its session. */
static void test_parallel_workers(void **state)
{
	struct lab l;

	(void)state;
	simhost_init(&l.h, "alpha");
	l.h.thinned = true;
	l.s = sessions_new();
	l.qd = simhost_process(&l.h, OPEN_BORN, 10, 1,
	    "postgres: bob shop [local] SELECT");
	tick(&l);
	SIM_TITLE(&l.h, l.qd, "postgres: bob shop [local] COMMIT");
	SIM_EXIT(&l.h, l.qd);
	execute(&l, "postgres: parallel worker for PID 10 ");
	tick(&l);
	assert_int_equal(sessions_count(l.s), 1);
	tear_down(&l);
}

int main(void)
{
	struct cases c = { .n = 0 };

	cases_add(&c, "last title", test_last_title, NULL);
	cases_add(&c, "executors of an ended session",
	    test_executors_of_ended, NULL);
	cases_add(&c, "executors later", test_executors_later, NULL);
	cases_add(&c, "parallel workers", test_parallel_workers, NULL);
	cases_add(&c, "new id", test_new_id, NULL);
	return cases_run(&c, "sessions of a thinned recording");
}
