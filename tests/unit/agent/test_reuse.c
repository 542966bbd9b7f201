/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pid is given to another process while nobody looks: whatever its clock said
 * before, and however much CPU time the new process has used.  The clocks of
 * processes are made up here: __wrap_clock_gettime().
 */
#include "cases.h"

#include <sys/stat.h>
#include <time.h>

#include "agent/procs_int.h"
#include "base/clock.h"
#include "base/mem.h"
#include "format/wire.h"
#include "tempdir.h"

#define PID 77u
#define TICKS 5

/* Old enough for not being read whenever it ran; its turn comes at the second. */
static const uint64_t ticks[TICKS] = { 1, 12, 13, 14, 15 };

int __real_clock_gettime(clockid_t id, struct timespec *ret);
int __wrap_clock_gettime(clockid_t id, struct timespec *ret);

static int64_t clock_s; /* of the process; -1: it has ended */

int __wrap_clock_gettime(clockid_t id, struct timespec *ret)
{
	if (id >= 0)
		return __real_clock_gettime(id, ret);
	*ret = (struct timespec) { .tv_sec = clock_s };
	return clock_s < 0 ? -1 : 0;
}

/* What the process with the pid has at each tick. */
struct reuse {
	const char *name;
	struct {
		int64_t clock_s;
		uint64_t start;
	} tick[TICKS];
};

static const struct reuse cases[] = {
	{ "less CPU time",
	    { { 5, 100 }, { 6, 100 }, { 6, 100 }, { 2, 200 }, { 2, 200 } } },
	{ "it ended while others were read, and less",
	    { { 5, 100 }, { 6, 100 }, { -1, 100 }, { 2, 200 }, { 2, 200 } } },
	{ "it ended while others were read, and more",
	    { { 5, 100 }, { 6, 100 }, { -1, 100 }, { 9, 200 }, { 9, 200 } } },
	{ "it ended while others were read, and none at first",
	    { { 5, 100 }, { 6, 100 }, { -1, 100 }, { 0, 200 }, { 1, 200 } } },
};

static void put_stat(const struct tempdir *t, uint64_t start)
{
	FILE *f = fopen(tempdir_file(t, "proc/77/stat"), "w");
	int i;

	assert_non_null(f);
	(void)fprintf(f, "77 (sh) S 1 77 77 0 -1 4194304 0 0 0 0 5 3 0 0 20 0 "
	    "1 0 %llu 4096 100", (unsigned long long)start);
	for (i = 0; i < 28; i++)
		(void)fputs(" 0", f);
	(void)fputs("\n", f);
	(void)fclose(f);
}

static void remove_tree(const struct tempdir *t)
{
	(void)unlink(tempdir_file(t, "proc/77/stat"));
	(void)rmdir(tempdir_file(t, "proc/77"));
	(void)rmdir(tempdir_file(t, "proc"));
	tempdir_remove(t);
}

static void reused(void **state)
{
	const struct reuse *c = *state;
	struct request none = { .n_comm = 0 };
	struct tempdir t;
	struct procs ps;
	struct root root;
	struct scan sc = { .root = &root, .req = &none, .tick_ns = 10000000,
		.interval_ns = GS_NSEC_PER_SEC, .turn_ticks = { 10, 100, 100 } };
	struct proc *p = gs_calloc(1, sizeof(*p));
	size_t i;

	tempdir_make(&t);
	assert_int_equal(mkdir(tempdir_file(&t, "proc"), 0700), 0);
	assert_int_equal(mkdir(tempdir_file(&t, "proc/77"), 0700), 0);
	procs_init(&ps);
	GS_GROW(ps.proc, &ps.cap, 1);
	ps.proc[ps.n++] = p;
	proc_reset(p, PID, 1);
	root_init(&root, t.path);
	for (i = 0; i < TICKS; i++) {
		sc.tick = ticks[i];
		sc.mono_ns = (int64_t)sc.tick * GS_NSEC_PER_SEC;
		clock_s = c->tick[i].clock_s;
		put_stat(&t, c->tick[i].start);
		assert_int_equal(root_begin(&root, NULL), GS_OK);
		root.own_pids = true;
		procs_examine(&ps, &sc);
		root_end(&root);
	}
	assert_int_equal(p->start, 200);
	assert_true(p->first_tick > 1);
	procs_release(&ps);
	root_release(&root);
	remove_tree(&t);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, reused, cases);
	return cases_run(&c, "reuse");
}
