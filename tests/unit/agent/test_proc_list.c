/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When all processes are listed, and when only the new ones are.  The kernel is
 * made up here: which processes there are, how many links /proc has, and what the
 * lists of pids.h find.
 */
#include "cases.h"

#include <sys/stat.h>

#include "agent/proc_list.h"
#include "agent/proc_traits.h"
#include "base/clock.h"
#include "base/mem.h"

#define OTHER_LINKS 50u /* of /proc that are no process */
#define PROC_FD 77
#define FIRST_PID 100u
#define KERNEL_MAX 64u

int __real_fstat(int fd, struct stat *ret);
int __wrap_fstat(int fd, struct stat *ret);
int __wrap_pids_read(struct pids *p, int fd, struct gs_err *err);
int __wrap_pids_read_after(struct pids *p, int fd, uint32_t after,
	uint32_t last, struct gs_err *err);
bool __wrap_pids_can_seek(const struct pids *p);
bool __wrap_proc_has_clock(uint32_t pid);

static struct {
	uint32_t pid[KERNEL_MAX]; /* ascending */
	size_t n;
	size_t foreign; /* processes of other pid namespaces */
	bool restless; /* one more begins whenever all are listed */
	bool no_links; /* the file system does not count links */
	unsigned lists, news; /* how often all, and the new ones, were listed */
} kernel;

int __wrap_fstat(int fd, struct stat *ret)
{
	if (fd != PROC_FD)
		return __real_fstat(fd, ret);
	*ret = (struct stat) { .st_nlink = kernel.no_links ? 1
		: OTHER_LINKS + kernel.n + kernel.foreign };
	return 0;
}

static void put(struct pids *p, size_t n, uint32_t pid)
{
	GS_GROW(p->pid, &p->cap, n + 1);
	p->pid[n] = pid;
	p->n = n + 1;
}

int __wrap_pids_read(struct pids *p, int fd, struct gs_err *err)
{
	size_t i;

	(void)err;
	assert_int_equal(fd, PROC_FD);
	kernel.lists++;
	kernel.foreign += kernel.restless;
	p->n = 0;
	for (i = 0; i < kernel.n; i++)
		put(p, i, kernel.pid[i]);
	return 0;
}

int __wrap_pids_read_after(struct pids *p, int fd, uint32_t after,
	uint32_t last, struct gs_err *err)
{
	size_t i;

	(void)err;
	(void)last;
	assert_int_equal(fd, PROC_FD);
	kernel.news++;
	while (p->n > 0 && p->pid[p->n - 1] > after)
		p->n--;
	for (i = 0; i < kernel.n; i++) {
		if (kernel.pid[i] > after)
			put(p, p->n, kernel.pid[i]);
	}
	return 0;
}

bool __wrap_pids_can_seek(const struct pids *p)
{
	(void)p;
	return true;
}

bool __wrap_proc_has_clock(uint32_t pid)
{
	size_t i;

	for (i = 0; i < kernel.n && kernel.pid[i] != pid; i++)
		continue;
	return i < kernel.n;
}

struct lab {
	struct root root;
	struct scan scan;
	struct proc_list list;
};

static void begin(struct lab *l)
{
	unsigned i;

	memset(&kernel, 0, sizeof(kernel));
	for (i = 0; i < 8; i++)
		kernel.pid[kernel.n++] = FIRST_PID + 10 * i;
	*l = (struct lab) { .root = { .procfs = true, .own_pids = true,
		.proc_fd = PROC_FD } };
	l->scan = (struct scan) { .forks = 1000, .last_pid = 170,
		.interval_ns = GS_NSEC_PER_SEC };
	for (i = 0; i < TURNS; i++)
		l->scan.turn_ticks[i] = turn_ticks((enum turn)i,
		    GS_NSEC_PER_SEC);
}

static void step(struct lab *l)
{
	struct gs_err err;

	l->scan.root = &l->root;
	l->scan.tick++;
	l->scan.mono_ns += GS_NSEC_PER_SEC;
	assert_int_equal(proc_list_read(&l->list, &l->scan, NULL, 0, &err), 0);
}

/* The list is what the kernel has. */
static void tick(struct lab *l)
{
	step(l);
	assert_int_equal(l->list.pids.n, kernel.n);
}

static void ticks(struct lab *l, uint64_t n)
{
	while (n-- > 0)
		tick(l);
}

static void start(struct lab *l, uint32_t pid)
{
	kernel.pid[kernel.n++] = pid;
	l->scan.forks++;
	l->scan.last_pid = pid;
}

/* Two ticks: new ones are listed after the last number of the list before. */
static void settle(struct lab *l)
{
	begin(l);
	ticks(l, 2);
	kernel.lists = kernel.news = 0;
}

static void nothing_is_listed_while_nothing_begins(void **state)
{
	struct lab l;
	uint64_t late;

	(void)state;
	settle(&l);
	late = l.scan.turn_ticks[TURN_LATE];
	ticks(&l, late - 3);
	assert_int_equal(kernel.lists + kernel.news, 0);
	ticks(&l, 3);
	assert_int_equal(kernel.lists, 1);
	assert_int_equal(kernel.news, 0);
	proc_list_release(&l.list);
}

static void what_begins_and_ends_is_no_reason_to_list_all(void **state)
{
	struct lab l;
	uint64_t i, soon;

	(void)state;
	settle(&l);
	soon = l.scan.turn_ticks[TURN_SOON];
	for (i = 0; i < soon + 2; i++) {
		start(&l, 200 + (uint32_t)i);
		tick(&l);
		if (i % 2)
			kernel.n--;
	}
	assert_int_equal(kernel.lists, 0);
	assert_int_equal(kernel.news, soon + 2);
	proc_list_release(&l.list);
}

static void a_number_given_by_hand_is_found_in_its_turn(void **state)
{
	struct lab l;
	uint64_t i, soon;

	(void)state;
	settle(&l);
	soon = l.scan.turn_ticks[TURN_SOON];
	memmove(&kernel.pid[1], &kernel.pid[0],
	    kernel.n * sizeof(kernel.pid[0]));
	kernel.pid[0] = 50;
	kernel.n++;
	for (i = 0; i < soon && l.list.pids.n < kernel.n; i++) {
		assert_int_equal(kernel.lists, 0);
		step(&l);
	}
	assert_int_equal(l.list.pids.n, kernel.n);
	assert_int_equal(kernel.lists, 1);
	assert_true(i >= soon / 2);
	proc_list_release(&l.list);
}

static void a_count_that_is_not_known_is_no_count(void **state)
{
	struct lab l;

	(void)state;
	begin(&l);
	kernel.restless = true;
	ticks(&l, 2);
	kernel.restless = false;
	kernel.foreign = 1;
	kernel.lists = 0;
	ticks(&l, l.scan.turn_ticks[TURN_SOON]);
	assert_int_equal(kernel.lists, 1);

	kernel.no_links = true;
	l.list.full_ns = 0;
	ticks(&l, 1);
	kernel.lists = 0;
	ticks(&l, l.scan.turn_ticks[TURN_SOON]);
	assert_int_equal(kernel.lists, 1);

	kernel.no_links = l.root.procfs = false;
	l.list.full_ns = 0;
	ticks(&l, 1);
	kernel.lists = 0;
	ticks(&l, l.scan.turn_ticks[TURN_SOON]);
	assert_int_equal(kernel.lists, 1);
	proc_list_release(&l.list);
}

/* It has its number, but was not to be seen yet when the next one was listed. */
static void a_slow_fork_is_found_by_the_next_list(void **state)
{
	struct lab l;

	(void)state;
	settle(&l);
	start(&l, 190);
	tick(&l);
	kernel.pid[kernel.n - 1] = 180;
	start(&l, 190);
	start(&l, 200);
	tick(&l);
	assert_int_equal(l.list.pids.pid[l.list.pids.n - 3], 180);
	assert_int_equal(kernel.lists, 0);
	proc_list_release(&l.list);
}

static void numbers_that_start_over_are_listed(void **state)
{
	struct lab l;

	(void)state;
	settle(&l);
	l.scan.last_pid = 169;
	ticks(&l, 2); /* what was slow may be below 170 at the second one */
	assert_int_equal(kernel.lists, 2);
	ticks(&l, 2);
	assert_int_equal(kernel.lists, 2);
	start(&l, 180); /* and above the list before the last one */
	tick(&l);
	l.scan.last_pid = 175;
	kernel.lists = 0;
	tick(&l);
	assert_int_equal(kernel.lists, 1);
	proc_list_release(&l.list);
}

static void many_forks_are_listed(void **state)
{
	struct lab l;

	(void)state;
	settle(&l);
	l.scan.forks += 1000;
	tick(&l);
	assert_int_equal(kernel.lists, 0);
	assert_int_equal(kernel.news, 1);
	l.scan.forks += 1001;
	tick(&l);
	assert_int_equal(kernel.lists, 1);
	proc_list_release(&l.list);
}

static void what_the_kernel_does_not_tell_is_listed(void **state)
{
	struct lab l;

	(void)state;
	settle(&l);
	l.scan.forks = 0;
	ticks(&l, 2);
	assert_int_equal(kernel.lists, 2);
	l.scan.forks = 1000;
	tick(&l); /* how many there were since is not known */
	assert_int_equal(kernel.lists, 3);
	tick(&l);
	assert_int_equal(kernel.lists, 3);
	l.scan.last_pid = 0;
	tick(&l);
	assert_int_equal(kernel.lists, 4);
	l.scan.last_pid = 170;
	ticks(&l, 3);
	assert_true(kernel.lists > 4);
	kernel.lists = 0;
	tick(&l);
	assert_int_equal(kernel.lists, 0);
	l.scan.rebooted = true;
	tick(&l);
	assert_int_equal(kernel.lists, 1);
	l.scan.rebooted = false;
	l.root.own_pids = false;
	ticks(&l, 3);
	assert_int_equal(kernel.lists, 4);
	proc_list_release(&l.list);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_listed_while_nothing_begins),
		cmocka_unit_test(what_begins_and_ends_is_no_reason_to_list_all),
		cmocka_unit_test(a_number_given_by_hand_is_found_in_its_turn),
		cmocka_unit_test(a_count_that_is_not_known_is_no_count),
		cmocka_unit_test(a_slow_fork_is_found_by_the_next_list),
		cmocka_unit_test(numbers_that_start_over_are_listed),
		cmocka_unit_test(many_forks_are_listed),
		cmocka_unit_test(what_the_kernel_does_not_tell_is_listed)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
