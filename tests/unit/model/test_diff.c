/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The increase between two samples, by table.
 */
#include "base/compiler.h"
#include "cases.h"
#include "model/diff.h"
#include "simhost.h"

#define ABSENT (-1)

static const struct diff_case {
	const char *name;
	enum row_open how; /* of the process of the metric */
	int64_t was, now; /* ABSENT; was of a first sample: ABSENT */
	bool first; /* no sample before */
	bool ok;
	uint64_t diff;
	bool reset;
} diffs[] = {
	{ "grows", OPEN_BORN, 5, 12, false, true, 7, false },
	{ "stays", OPEN_BORN, 5, 5, false, true, 0, false },
	{ "goes back", OPEN_BORN, 5, 3, false, true, 0, true },
	{ "to zero", OPEN_BORN, 5, 0, false, true, 0, true },
	{ "64 bits never wrap", OPEN_BORN, UINT32_MAX - 1, 3, false, true, 0,
	    true },
	{ "comes", OPEN_APPEARED, ABSENT, 3, false, true, 0, false },
	{ "comes to one that was born before", OPEN_BORN, ABSENT, 3, false,
	    true, 0, false },
	{ "goes", OPEN_BORN, 3, ABSENT, false, false, 0, false },
	{ "never there", OPEN_BORN, ABSENT, ABSENT, false, false, 0, false },
	{ "born", OPEN_BORN, ABSENT, 9, true, true, 9, false },
	{ "appeared", OPEN_APPEARED, ABSENT, 9, true, true, 0, false },
	{ "born without", OPEN_BORN, ABSENT, ABSENT, true, false, 0, false },
};

static void set(struct simhost *h, size_t i, int64_t v)
{
	if (v == ABSENT)
		simhost_unset(h, ENTITY_PROCESS, i, COL(PROCESS, CPU));
	else
		SIM_SET(h, i, CPU, (uint64_t)v);
}

static void test_diff(void **state)
{
	const struct diff_case *c = *state;
	struct simhost h;
	const struct row *r;
	uint64_t got = 12345;
	size_t i;

	simhost_init(&h, "alpha");
	simhost_tick(&h, SIM_SECOND);
	i = simhost_process(&h, c->how, 7, 1, "x");
	if (!c->first) {
		set(&h, i, c->was);
		simhost_tick(&h, SIM_SECOND);
	}
	set(&h, i, c->now);
	SIM_ADD(&h, i, MINFLT, 1); /* something else changed */
	simhost_tick(&h, SIM_SECOND);
	r = world_host(h.world, 0)->table[ENTITY_PROCESS].slot[i];
	assert_int_equal(diff_counter(r, COL(PROCESS, CPU), &got), c->ok);
	assert_int_equal(got, c->ok ? c->diff : 12345);
	assert_int_equal(diff_was_reset(r, COL(PROCESS, CPU)), c->reset);
	simhost_release(&h);
}

/* Some metric that the kernel keeps in 32 bits. */
static const struct metric *narrow(enum entity_id *ret)
{
	int e;
	unsigned k;

	for (e = 0; e < ENTITY_COUNT; e++) {
		for (k = 0; k < entity_get((enum entity_id)e)->ncols; k++) {
			const struct metric *m =
			    metric_get((enum entity_id)e, k);

			if (m->bits == 32 && metric_is_counter(m) &&
			    e != ENTITY_PROCESS) {
				*ret = (enum entity_id)e;
				return m;
			}
		}
	}
	return NULL;
}

static const struct wrap_case {
	const char *name;
	uint64_t was, now, diff;
	bool reset;
} wraps[] = {
	{ "wraps", UINT32_MAX - 1, 3, 5, false },
	{ "wraps to zero", UINT32_MAX, 0, 1, false },
	{ "from the upper half", UINT64_C(3) << 30, 10,
	    (UINT64_C(1) << 30) + 10, false },
	{ "back from the lower half is a reset", 1000, 10, 0, true },
	{ "back within the upper half is a reset", UINT32_MAX,
	    UINT32_MAX - 10, 0, true },
	{ "beyond 32 bits: a kernel that has 64", UINT64_C(1) << 33, 10, 0,
	    true },
	{ "grows", 10, UINT32_MAX, UINT32_MAX - 10, false },
};

static void test_wrap(void **state)
{
	const struct wrap_case *c = *state;
	enum entity_id e = ENTITY_COUNT;
	const struct metric *m = narrow(&e);
	struct simhost h;
	const struct row *r;
	uint64_t got = 0;
	size_t i = 0;

	assert_non_null(m);
	simhost_init(&h, "alpha");
	if (e != ENTITY_HOST)
		i = simhost_open(&h, e, OPEN_APPEARED);
	simhost_set(&h, e, i, m->col, c->was);
	simhost_tick(&h, SIM_SECOND);
	simhost_set(&h, e, i, m->col, c->now);
	simhost_tick(&h, SIM_SECOND);
	r = world_host(h.world, 0)->table[e].slot[i];
	assert_true(diff_counter(r, m->col, &got));
	assert_int_equal(got, c->diff);
	assert_int_equal(diff_was_reset(r, m->col), c->reset);
	simhost_release(&h);
}

static void test_elapsed(void **state)
{
	struct simhost h;
	const struct host *host;

	(void)state;
	simhost_init(&h, "alpha");
	simhost_tick(&h, SIM_SECOND);
	host = world_host(h.world, 0);
	assert_int_equal(diff_elapsed_ns(host), 0); /* nothing before */
	simhost_tick(&h, 1500000000);
	assert_int_equal(diff_elapsed_ns(host), 1500000000);
	h.clock.wall_ns -= 3600 * SIM_SECOND; /* the clock is set */
	simhost_tick(&h, SIM_SECOND);
	assert_int_equal(diff_elapsed_ns(host), SIM_SECOND);
	simhost_reboot(&h, "boot 2");
	simhost_tick(&h, SIM_SECOND);
	assert_int_equal(diff_elapsed_ns(host), 0);
	simhost_tick(&h, SIM_SECOND);
	assert_int_equal(diff_elapsed_ns(host), SIM_SECOND);
	/* booted so long ago that its clock is ahead of the old one */
	simhost_reboot(&h, "boot 3");
	h.clock.mono_ns = 9000 * SIM_SECOND;
	simhost_tick(&h, SIM_SECOND);
	assert_int_equal(diff_elapsed_ns(host), 0);
	simhost_release(&h);
}

static const struct fact_case {
	const char *name;
	uint64_t clock_ticks, page_size;
	uint64_t want_ticks, want_page, want_tick_ns;
} facts[] = {
	{ "usual", 100, 4096, 100, 4096, 10000000 },
	{ "other machine", 250, 65536, 250, 65536, 4000000 },
	{ "nonsense", 0, 0, 100, 4096, 10000000 },
	{ "huge", UINT64_MAX, 4096, 100, 4096, 10000000 },
};

static void test_facts(void **state)
{
	const struct fact_case *c = *state;
	struct simhost h;
	struct unit_env env;

	simhost_init(&h, "alpha");
	simhost_set(&h, ENTITY_HOST, 0, COL(HOST, CLOCK_TICKS),
	    c->clock_ticks);
	simhost_set(&h, ENTITY_HOST, 0, COL(HOST, PAGE_SIZE), c->page_size);
	simhost_tick(&h, SIM_SECOND);
	env = diff_env(world_host(h.world, 0));
	assert_int_equal(env.clock_ticks, c->want_ticks);
	assert_int_equal(env.page_size, c->want_page);
	assert_int_equal(diff_tick_ns(world_host(h.world, 0)),
	    c->want_tick_ns);
	simhost_release(&h);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, test_diff, diffs);
	CASES_TABLE(&c, test_wrap, wraps);
	cases_add(&c, "elapsed", test_elapsed, NULL);
	CASES_TABLE(&c, test_facts, facts);
	return cases_run(&c, "diff");
}
