/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backends of the catalog that are idle are counted together.  Whatever they and their
 * processes do, that gives the sums of one who looks at each of them in every sample.
 */
#include "analysis/waits.h"
#include "base/compiler.h"
#include "simcatalog.h"

#define BACKENDS 6
#define TICKS 300

enum { NONE = -1 };

struct pair {
	struct lab l;
	struct waits *s; /* lets those who are idle sleep */
	struct waits *each; /* without sessions it knows of no changes: looks at each */
	size_t collector;
	uint64_t seed, next_pid;
	struct {
		int row; /* of the backend; NONE: it is gone */
		int proc; /* NONE: it has ended */
	} b[BACKENDS];
};

static uint64_t below(struct pair *p, uint64_t n)
{
	p->seed = p->seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (p->seed >> 33) % n;
}

static const struct row *process_of(void *ctx, const struct row *backend)
{
	const struct pair *p = ctx;
	const struct proc *of = sessions_proc_of_backend(p->l.s, backend);

	return of ? of->row : NULL;
}

static void open_pair(struct pair *p, unsigned by, uint64_t seed)
{
	size_t i;

	*p = (struct pair) { .seed = seed, .next_pid = 100 };
	set_up(&p->l);
	greenplum(&p->l);
	p->collector = simhost_open(&p->l.catalog, ENTITY_COLLECTOR,
	    OPEN_APPEARED);
	CAT_TEXT(&p->l, COLLECTOR, p->collector, NAME, "activity");
	p->s = waits_new(by, SIM_SECOND, process_of, p);
	p->each = waits_new(by, SIM_SECOND, process_of, p);
	for (i = 0; i < BACKENDS; i++)
		p->b[i].row = p->b[i].proc = NONE;
}

static void close_pair(struct pair *p)
{
	waits_free(p->s);
	waits_free(p->each);
	tear_down(&p->l);
}

/* The database answers, if it is asked; both take the tick. */
static void step(struct pair *p, bool asked)
{
	if (asked)
		CAT_SET(&p->l, COLLECTOR, p->collector, LAST,
		    now_us(&p->l) + SIM_SECOND / 1000);
	tick(&p->l);
	waits_tick(p->s, p->l.w, p->l.s);
	waits_tick(p->each, p->l.w, NULL);
}

/* ---- what is the same ------------------------------------------------- */

static const struct wait_row *row_like(const struct waits *in,
	const struct wait_row *r)
{
	size_t i;

	for (i = 0; i < waits_count(in); i++) {
		const struct wait_row *x = waits_get(in, i);

		if (strcmp(x->event->class, r->event->class) == 0 &&
		    strcmp(x->event->event, r->event->event) == 0 &&
		    !x->backend == !r->backend && (!x->backend ||
		    x->backend->pid == r->backend->pid) &&
		    !x->query == !r->query && (!x->query ||
		    strcmp(x->query->text, r->query->text) == 0))
			return x;
	}
	return NULL;
}

static const struct wait_backend *backend_like(const struct waits *in, int pid)
{
	size_t i;

	for (i = 0; i < waits_backends(in); i++) {
		if (waits_backend(in, i)->pid == pid)
			return waits_backend(in, i);
	}
	return NULL;
}

static void same_backend(const struct wait_backend *a,
	const struct wait_backend *b)
{
	assert_non_null(b);
	assert_int_equal(a->open, b->open);
	assert_int_equal(a->db_time_ns, b->db_time_ns);
	assert_int_equal(a->work.covered_ns, b->work.covered_ns);
	assert_int_equal(a->work.cpu_us, b->work.cpu_us);
	if (!a->open)
		return;
	assert_string_equal(a->event->class, b->event->class);
	assert_string_equal(a->state, b->state);
	assert_int_equal(a->seen_ns, b->seen_ns);
	assert_int_equal(a->changed_ns, b->changed_ns);
}

static void expect_same(const struct pair *p)
{
	struct waits_total a, b;
	size_t i;

	waits_settle(p->s);
	waits_settle(p->each);
	waits_total(p->s, &a);
	waits_total(p->each, &b);
	assert_int_equal(a.covered_ns, b.covered_ns);
	assert_int_equal(a.samples, b.samples);
	assert_int_equal(a.db_time_ns, b.db_time_ns);
	assert_int_equal(a.session_time_ns, b.session_time_ns);
	assert_int_equal(a.peak_ns, b.peak_ns);
	assert_int_equal(waits_count(p->s), waits_count(p->each));
	for (i = 0; i < waits_count(p->each); i++) {
		const struct wait_row *want = waits_get(p->each, i);
		const struct wait_row *r = row_like(p->s, want);

		assert_non_null(r);
		assert_memory_equal(r->sum, want->sum, sizeof(*r->sum));
	}
	assert_int_equal(waits_backends(p->s), waits_backends(p->each));
	for (i = 0; i < waits_backends(p->each); i++) {
		const struct wait_backend *want = waits_backend(p->each, i);

		same_backend(want, backend_like(p->s, want->pid));
	}
}

/* ---- what they do ------------------------------------------------------ */

static void born(struct pair *p, size_t i)
{
	uint64_t pid = p->next_pid++;
	char title[80];

	/* the lab has room for so many processes */
	if (p->l.n == PROCS)
		return;
	(void)snprintf(title, sizeof(title),
	    "postgres:  6000, alice shop [local] con%d idle", (int)pid);
	p->b[i].proc = (int)start(&p->l, 0, pid, 10, title);
	p->b[i].row = (int)backend(&p->l, -1, pid, (int)pid, "idle");
	CAT_TEXT(&p->l, BACKEND, (size_t)p->b[i].row, TYPE, "client backend");
}

static void works(struct pair *p, size_t i)
{
	if (p->b[i].proc != NONE)
		SIM_ADD(&p->l.h[0], p->l.proc[p->b[i].proc].row, CPU,
		    1000 + below(p, 9000));
}

static void waits_for(struct pair *p, size_t i)
{
	static const char *const event[][2] = { { "", "" },
		{ "IO", "DataFileRead" }, { "Lock", "relation" } };
	const char *const *e = event[below(p, GS_LEN(event))];

	CAT_TEXT(&p->l, BACKEND, (size_t)p->b[i].row, WAIT_TYPE, e[0]);
	CAT_TEXT(&p->l, BACKEND, (size_t)p->b[i].row, WAIT_EVENT, e[1]);
}

static void ends(struct pair *p, size_t i)
{
	if (p->b[i].proc != NONE)
		proc_exit(&p->l, (size_t)p->b[i].proc);
	p->b[i].proc = NONE;
}

static void one_does(struct pair *p, size_t i)
{
	size_t row = (size_t)p->b[i].row;

	switch (below(p, 24)) {
	case 0:
	case 1:
		runs(&p->l, row, 10, below(p, 2) ? "SELECT 1" : "SELECT 2");
		waits_for(p, i);
		break;
	case 2:
	case 3:
	case 4:
		CAT_TEXT(&p->l, BACKEND, row, STATE, "idle");
		break;
	case 5:
		CAT_TEXT(&p->l, BACKEND, row, STATE, "idle in transaction");
		break;
	case 6:
	case 7:
		works(p, i);
		break;
	case 8:
		waits_for(p, i);
		break;
	case 9: /* the catalog has it for one more tick */
		if (below(p, 8) == 0)
			ends(p, i);
		break;
	default:
		break; /* nothing */
	}
}

static void some_do(struct pair *p)
{
	size_t i;

	for (i = 0; i < BACKENDS; i++) {
		if (p->b[i].row == NONE) {
			if (below(p, 6) == 0)
				born(p, i);
			continue;
		}
		if (p->b[i].proc == NONE || below(p, 400) == 0) {
			ends(p, i);
			backend_exit(&p->l, (size_t)p->b[i].row);
			p->b[i].row = NONE;
			continue;
		}
		one_does(p, i);
	}
}

static void same_in(unsigned by, uint64_t seed)
{
	unsigned t, unasked = 0;
	struct pair p;

	open_pair(&p, by, seed);
	step(&p, true);
	for (t = 0; t < TICKS; t++) {
		some_do(&p);
		/* without an answer for too long titles would be looked at */
		unasked = unasked < 2 && below(&p, 4) == 0 ? unasked + 1 : 0;
		step(&p, unasked == 0);
		if (below(&p, 12) == 0)
			expect_same(&p);
		if (below(&p, 60) == 0) {
			waits_restart(p.s, true);
			waits_restart(p.each, true);
		}
	}
	expect_same(&p);
	close_pair(&p);
}

static void test_sums_are_the_same(void **state)
{
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= 40; seed++) {
		same_in(0, seed);
		same_in(WAITS_BY_BACKEND, seed);
		same_in(WAITS_BY_BACKEND | WAITS_BY_QUERY, seed);
	}
}

/* ---- one by one -------------------------------------------------------- */

/* One that is idle for so many samples, of which the first only begins. */
static void be_idle(struct pair *p, unsigned samples)
{
	open_pair(p, WAITS_BY_BACKEND, 1);
	born(p, 0);
	while (samples-- > 0)
		step(p, true);
}

/* While the database does not answer, nobody says that it is there: what is seen by
 * titles is another backend. */
static void test_no_answers(void **state)
{
	const struct wait_row *r;
	struct pair p;
	unsigned i;

	(void)state;
	be_idle(&p, 11);
	for (i = 0; i < 2 * WAITS_GAP_INTERVALS; i++)
		step(&p, false);
	waits_settle(p.s);
	r = waits_get(p.s, 0);
	assert_int_equal(r->backend->pid, 100);
	assert_false(r->backend->open);
	assert_int_equal(r->sum->time_ns, 10 * SIM_SECOND);
	assert_int_equal(r->sum->longest, 10);
	assert_int_equal(r->sum->runs, 1);
	close_pair(&p);
}

/* It works, and its row says nothing of it. */
static void test_work_of_who_sleeps(void **state)
{
	struct pair p;

	(void)state;
	be_idle(&p, 5);
	works(&p, 0);
	step(&p, true);
	expect_same(&p);
	works(&p, 0);
	step(&p, false);
	expect_same(&p);
	step(&p, true);
	expect_same(&p);
	close_pair(&p);
}

/* Its process has ended, and the catalog does not know it yet. */
static void test_end_of_who_sleeps(void **state)
{
	struct pair p;

	(void)state;
	be_idle(&p, 5);
	ends(&p, 0);
	step(&p, false);
	expect_same(&p);
	step(&p, true);
	expect_same(&p);
	backend_exit(&p.l, (size_t)p.b[0].row);
	step(&p, true);
	expect_same(&p);
	close_pair(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_are_the_same),
		cmocka_unit_test(test_no_answers),
		cmocka_unit_test(test_work_of_who_sleeps),
		cmocka_unit_test(test_end_of_who_sleeps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
