/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/proc_select.h"

#include <stdlib.h>

#include "cases.h"
#include "format/wire.h"

/* Processes by pid; parents as given, servers by program. */
struct world {
	struct proc proc[40];
	struct proc *list[40];
	size_t n;
	struct root root;
	struct request request;
	struct scan sc;
	struct proc_select select;
};

static struct proc *add(struct world *w, uint32_t pid, uint32_t ppid,
	bool server)
{
	struct proc *p = &w->proc[w->n];

	*p = (struct proc) { .pid = pid, .ppid = ppid, .is_server = server };
	w->list[w->n++] = p;
	return p;
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	root_init(&w->root, "/nonexistent");
	w->sc = (struct scan) { .root = &w->root, .busiest = 2,
		.req = &w->request };
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	proc_select_release(&w->select);
	root_release(&w->root);
	free(w);
	return 0;
}

static void resolve_all(struct world *w)
{
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (!w->list[i]->resolved)
			proc_select_resolve(&w->sc, w->list, w->n, w->list[i]);
	}
}

static void is(const struct proc *p, enum proc_role db, uint32_t postmaster)
{
	if (p->db != db || p->postmaster != postmaster)
		fail_msg("%u is %u of %u, not %u of %u", (unsigned)p->pid,
		    p->db, (unsigned)p->postmaster, db, (unsigned)postmaster);
}

static void parentage(void **state)
{
	struct world *w = *state;
	struct proc *early, *deep, *sh, *nested, *nested_child, *other;
	size_t i;

	add(w, 1, 0, false);
	early = add(w, 5, 20, true); /* its number is below its parent's */
	add(w, 20, 1, true);
	deep = add(w, 21, 22, false);
	add(w, 22, 23, false);
	add(w, 23, 20, true);
	sh = add(w, 24, 23, false);
	nested = add(w, 25, 24, true);
	nested_child = add(w, 26, 25, true);
	other = add(w, 30, 1, false);
	resolve_all(w);
	is(w->list[2], PROC_POSTMASTER, 20);
	is(early, PROC_BELOW, 20);
	is(deep, PROC_BELOW, 20);
	is(sh, PROC_BELOW, 20);
	is(nested, PROC_POSTMASTER, 25);
	is(nested_child, PROC_BELOW, 25);
	is(other, PROC_NONE, 0);
	is(w->list[0], PROC_NONE, 0);
	/* the parent is checked only when a process is first seen */
	deep->ppid = 1;
	for (i = 0; i < w->n; i++)
		assert_true(w->list[i]->resolved);
	proc_select_roles(&w->select, &w->sc, w->list, w->n);
	assert_int_equal(deep->role, PROC_BELOW);
	assert_int_equal(w->select.servers, 2);
}

/* Reused pids can make a loop of parents. */
static void circle(void **state)
{
	struct world *w = *state;

	add(w, 2, 3, false);
	add(w, 3, 2, false);
	add(w, 4, 4, false);
	resolve_all(w);
	is(w->list[0], PROC_NONE, 0);
	is(w->list[2], PROC_NONE, 0);
}

static void tick(struct world *w)
{
	w->sc.mono_ns += GS_NSEC_PER_SEC;
	proc_select_roles(&w->select, &w->sc, w->list, w->n);
}

static void no_server_all(void **state)
{
	struct world *w = *state;
	struct proc *server;
	int i;

	add(w, 1, 0, false);
	resolve_all(w);
	tick(w);
	assert_int_equal(w->list[0]->role, PROC_ALL);
	server = add(w, 2, 1, true);
	resolve_all(w);
	tick(w);
	assert_int_equal(w->list[0]->role, PROC_NONE);
	assert_int_equal(server->role, PROC_POSTMASTER);
	w->sc.with = WITH_ALL;
	tick(w);
	assert_int_equal(w->list[0]->role, PROC_ALL);
	w->sc.with = 0;
	/* ended, or restarting: decided after a minute */
	w->n--;
	for (i = 0; i < 60; i++) {
		tick(w);
		assert_int_equal(w->list[0]->role, PROC_NONE);
	}
	tick(w);
	assert_int_equal(w->list[0]->role, PROC_ALL);
	assert_int_equal(w->select.servers, 0);
}

static void set_use(struct world *w, const uint64_t *used, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		w->list[i]->used = used[i];
}

static void busiest(void **state)
{
	static const uint64_t first[] = { 9, 8, 7, 6, 5, 0 };
	static const uint64_t second[] = { 6, 5, 9, 8, 7, 0 };
	static const uint64_t third[] = { 0, 1, 9, 8, 7, 6 };
	struct world *w = *state;
	uint32_t pid;
	int i;

	for (pid = 1; pid <= 6; pid++)
		add(w, pid, 0, false);
	add(w, 9, 0, true)->used = 1000;
	resolve_all(w);
	set_use(w, first, 6);
	tick(w);
	assert_int_equal(w->list[0]->role, PROC_BUSY);
	assert_int_equal(w->list[1]->role, PROC_BUSY);
	assert_int_equal(w->list[2]->role, PROC_NONE);
	/* 1 is fourth and stays; 2 is fifth and its ticks count */
	set_use(w, second, 6);
	for (i = 0; i < 9; i++) {
		tick(w);
		assert_int_equal(w->list[0]->role, PROC_BUSY);
		assert_int_equal(w->list[1]->role, PROC_BUSY);
		assert_int_equal(w->list[2]->role, PROC_BUSY);
		assert_int_equal(w->list[4]->role, PROC_NONE);
	}
	tick(w);
	assert_int_equal(w->list[0]->role, PROC_BUSY);
	assert_int_equal(w->list[1]->role, PROC_NONE);
	/* idle, but not yet for long */
	set_use(w, third, 6);
	for (i = 0; i < 9; i++)
		tick(w);
	assert_int_equal(w->list[0]->role, PROC_BUSY);
	tick(w);
	assert_int_equal(w->list[0]->role, PROC_NONE);
	/* a process that used nothing is not busy */
	w->sc.busiest = 100;
	tick(w);
	assert_int_equal(w->list[0]->role, PROC_NONE);
	assert_int_equal(w->list[1]->role, PROC_BUSY);
	w->sc.busiest = 0;
	for (i = 0; i < 10; i++)
		tick(w);
	assert_int_equal(w->list[1]->role, PROC_NONE);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(parentage),
		TEST(circle),
		TEST(no_server_all),
		TEST(busiest),
	};

	return cmocka_run_group_tests_name("proc_select", tests, NULL, NULL);
}
