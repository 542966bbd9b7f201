/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Servers of sessions: other parents are not kept.
 */
#include "analysis/sessions.h"
#include "cases.h"
#include "simhost.h"

#define ROUNDS 500u

struct lab {
	struct simhost h;
	struct sessions *s;
};

static void set_up(struct lab *l)
{
	simhost_init(&l->h, "alpha");
	l->s = sessions_new();
}

static void tear_down(struct lab *l)
{
	sessions_free(l->s);
	simhost_release(&l->h);
}

static void tick(struct lab *l)
{
	simhost_tick(&l->h, SIM_SECOND);
	sessions_tick(l->s, l->h.world, l->h.clock.wall_ns);
}

static const struct dbserver *server_at(const struct lab *l, uint64_t pid)
{
	return sessions_server_at(l->s, world_host(l->h.world, 0), pid);
}

/* A parent of other processes is freed with the last of them; its number is
 * reused. */
static void test_parents_come_and_go(void **state)
{
	struct lab l;
	uint32_t most = 0;
	unsigned i;

	(void)state;
	set_up(&l);
	for (i = 0; i < ROUNDS; i++) {
		uint64_t parent = 1000 + i;
		size_t a = simhost_process(&l.h, OPEN_BORN, 5000 + 2 * i,
		    parent, "make");
		size_t b = simhost_process(&l.h, OPEN_BORN, 5001 + 2 * i,
		    parent, "cc -c x.c");
		const struct dbserver *v;

		tick(&l);
		v = server_at(&l, parent);
		most = v && v->number > most ? v->number : most;
		SIM_EXIT(&l.h, a);
		tick(&l);
		SIM_EXIT(&l.h, b);
	}
	tick(&l);
	tick(&l);
	assert_null(server_at(&l, 1000));
	assert_in_range(most, 0, 4);
	tear_down(&l);
}

/* A server that had sessions stays: views of a range still name it. */
static void test_a_server_stays(void **state)
{
	const struct dbserver *v;
	struct lab l;
	size_t i;

	(void)state;
	set_up(&l);
	i = simhost_process(&l.h, OPEN_BORN, 70, 60,
	    "postgres:  6000, gpadmin demo [local] con7 cmd1 idle");
	tick(&l);
	v = server_at(&l, 60);
	assert_non_null(v);
	assert_string_equal(v->name, "6000");
	SIM_EXIT(&l.h, i);
	tick(&l);
	(void)simhost_process(&l.h, OPEN_BORN, 80, 61, "make");
	tick(&l);
	tick(&l);
	assert_ptr_equal(server_at(&l, 60), v);
	assert_string_equal(v->name, "6000");
	tear_down(&l);
}

/* Only later it may be seen to be a server. */
static void test_a_title_comes_late(void **state)
{
	struct lab l;
	size_t i;

	(void)state;
	set_up(&l);
	i = simhost_process(&l.h, OPEN_BORN, 70, 60, "make");
	tick(&l);
	SIM_TITLE(&l.h, i, "postgres: 15/main: app shop [local] idle");
	tick(&l);
	assert_int_equal(sessions_servers(l.s), 1);
	assert_string_equal(sessions_server_get(l.s, 0)->name, "15/main");
	SIM_EXIT(&l.h, i);
	tick(&l);
	tick(&l);
	assert_int_equal(sessions_servers(l.s), 1);
	tear_down(&l);
}

static void child(struct lab *l, uint64_t pid, uint64_t postmaster, const char *title)
{
	size_t i = simhost_process(&l->h, OPEN_BORN, pid, postmaster, title);

	SIM_SET(&l->h, i, POSTMASTER, postmaster);
}

/* One of PostgreSQL is a server though nobody is connected to it, also in a range that
 * begins later; one of Greenplum may be that of a segment. */
static void test_idle_servers(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	child(&l, 70, 60, "postgres: 15/main: checkpointer ");
	child(&l, 71, 61, "postgres: 15/other: checkpointer ");
	child(&l, 72, 61, "postgres: 15/other: app shop [local] idle");
	child(&l, 73, 62, "postgres:  6002, checkpointer process");
	tick(&l);
	assert_int_equal(sessions_servers(l.s), 2);
	assert_string_equal(sessions_server_get(l.s, 0)->name, "15/main");
	sessions_forget_servers(l.s);
	assert_int_equal(sessions_servers(l.s), 2);
	tear_down(&l);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "parents come and go", test_parents_come_and_go, NULL);
	cases_add(&c, "a server stays", test_a_server_stays, NULL);
	cases_add(&c, "a title comes late", test_a_title_comes_late, NULL);
	cases_add(&c, "idle servers", test_idle_servers, NULL);
	return cases_run(&c, "servers");
}
