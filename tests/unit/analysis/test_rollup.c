/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums over a range, by group: processes of two hosts, grouped by uid.
 */
#include "rolluplab.h"

static struct group *by_host(void *ctx, struct rollup *r, struct row *row)
{
	bool fresh;

	(void)ctx;
	return rollup_group(r, &row->host->index, sizeof(row->host->index),
	    &fresh);
}

static void test_counters_add_up(void **state)
{
	struct lab l;
	size_t a, b;

	(void)state;
	set_up(&l);
	a = start(&l, 0, 10, 7, OPEN_APPEARED);
	b = start(&l, 1, 11, 7, OPEN_APPEARED);
	tick(&l);
	expect_sum(&l, 7, FAULTS, 0); /* a baseline */
	rollup_restart(l.r);
	SIM_ADD(&l.h[0], a, MINFLT, 3);
	tick(&l);
	SIM_ADD(&l.h[0], a, MINFLT, 4);
	SIM_ADD(&l.h[1], b, MINFLT, 5);
	tick(&l);
	tick(&l);
	expect_sum(&l, 7, FAULTS, 12);
	expect_rate(&l, 7, 4);
	assert_true(group_covered_s(l.r, group(&l, 7)) == 3);
	rollup_restart(l.r);
	expect_sum(&l, 7, FAULTS, 0);
	tick(&l);
	expect_rate(&l, 7, 0);
	tear_down(&l);
}

/* No counter does. */
static void test_more_than_fits(void **state)
{
	struct lab l;
	size_t a;

	(void)state;
	set_up(&l);
	a = start(&l, 0, 10, 7, OPEN_APPEARED);
	(void)start(&l, 0, 11, 8, OPEN_APPEARED);
	tick(&l);
	rollup_restart(l.r);
	SIM_ADD(&l.h[0], a, MINFLT, UINT64_C(1) << 63);
	tick(&l);
	expect_rate(&l, 7, NONE);
	expect_sum(&l, 7, FAULTS, NONE);
	expect_rate(&l, 8, 0);
	tear_down(&l);
}

static void test_born_and_appeared(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	tick(&l);
	rollup_restart(l.r);
	tick(&l);
	(void)start(&l, 0, 10, 7, OPEN_BORN);
	(void)start(&l, 0, 11, 8, OPEN_APPEARED);
	tick(&l);
	expect_sum(&l, 7, FAULTS, 1000); /* from zero */
	expect_rate(&l, 7, 500); /* of the range */
	expect_sum(&l, 8, FAULTS, 0);
	expect_rate(&l, 8, NONE); /* no time is covered yet */
	expect_stay(&l, 7, 1 / 2.0);
	SIM_ADD(&l.h[0], 1, MINFLT, 10);
	tick(&l);
	expect_rate(&l, 8, 10); /* of the time since */
	tear_down(&l);
}

/* Of a group that both are in; what one that appeared did before it is not known. */
static void test_appeared_then_born(void **state)
{
	static const struct {
		enum row_open how[2];
		double rate;
	} of[] = { { { OPEN_BORN, OPEN_APPEARED }, 500 }, /* of the range */
		{ { OPEN_APPEARED, OPEN_BORN }, 1000 } }; /* of the tick */
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(of); i++) {
		struct lab l;

		set_up(&l);
		tick(&l);
		rollup_restart(l.r);
		tick(&l);
		(void)start(&l, 0, 10, 7, of[i].how[0]);
		(void)start(&l, 0, 11, 7, of[i].how[1]);
		tick(&l);
		expect_sum(&l, 7, FAULTS, 1000);
		expect_rate(&l, 7, of[i].rate);
		tear_down(&l);
	}
}

static void test_gauges_follow_rows(void **state)
{
	struct lab l;
	size_t a, b;

	(void)state;
	set_up(&l);
	a = start(&l, 0, 10, 7, OPEN_APPEARED);
	b = start(&l, 1, 11, 7, OPEN_APPEARED);
	(void)start(&l, 0, 12, 8, OPEN_APPEARED);
	tick(&l);
	expect_sum(&l, 7, MEM, 20 * 1024);
	rollup_restart(l.r);
	expect_stay(&l, 7, NONE); /* nothing is covered */
	SIM_SET(&l.h[0], a, RSS_ANON, 50);
	tick(&l);
	expect_sum(&l, 7, MEM, 60 * 1024);
	SIM_SET(&l.h[1], b, UID, 8); /* it moves */
	tick(&l);
	expect_sum(&l, 7, MEM, 50 * 1024);
	expect_sum(&l, 8, MEM, 20 * 1024);
	expect_stay(&l, 7, (1 + 1 / 2.0) / 2);
	expect_stay(&l, 8, (1 + 1 / 2.0) / 2);
	SIM_SET(&l.h[0], a, RSS_ANON, 1);
	tick(&l);
	expect_peak(&l, 7, 60 * 1024);
	rollup_restart(l.r);
	expect_peak(&l, 7, 1 * 1024);
	tear_down(&l);
}

static void test_ended_groups_keep_their_last(void **state)
{
	struct lab l;
	size_t a, b;

	(void)state;
	set_up(&l);
	a = start(&l, 0, 10, 7, OPEN_APPEARED);
	b = start(&l, 1, 11, 7, OPEN_APPEARED);
	tick(&l);
	rollup_restart(l.r);
	SIM_ADD(&l.h[0], a, MINFLT, 3);
	tick(&l);
	SIM_EXIT(&l.h[0], a);
	tick(&l);
	assert_false(group(&l, 7)->ended);
	expect_sum(&l, 7, MEM, 10 * 1024);
	SIM_EXIT(&l.h[1], b);
	tick(&l);
	assert_true(group(&l, 7)->ended);
	assert_int_equal(group(&l, 7)->n_rows, 2);
	expect_stay(&l, 7, (1 / 3.0 + 2 / 3.0) / 2);
	expect_sum(&l, 7, MEM, 10 * 1024);
	expect_sum(&l, 7, FAULTS, 3);
	(void)start(&l, 0, 12, 7, OPEN_BORN);
	tick(&l);
	assert_false(group(&l, 7)->ended);
	expect_sum(&l, 7, FAULTS, 1003);
	SIM_EXIT(&l.h[0], a + 1);
	tick(&l);
	rollup_restart(l.r);
	assert_int_equal(rollup_count(l.r), 0);
	tear_down(&l);
}

/* All rows of a group end in one tick: the sum of all. */
static void test_rows_that_end_together(void **state)
{
	struct lab l;
	size_t a, b;

	(void)state;
	set_up(&l);
	a = start(&l, 0, 10, 7, OPEN_APPEARED);
	b = start(&l, 0, 11, 7, OPEN_APPEARED);
	tick(&l);
	SIM_EXIT(&l.h[0], a);
	SIM_EXIT(&l.h[0], b);
	tick(&l);
	expect_sum(&l, 7, MEM, 20 * 1024);
	tear_down(&l);
}

static void test_partial_and_absent(void **state)
{
	struct lab l;
	bool partial;
	size_t a;

	(void)state;
	set_up(&l);
	a = start(&l, 0, 10, 7, OPEN_APPEARED);
	(void)start(&l, 0, 11, 7, OPEN_APPEARED);
	(void)start(&l, 0, 12, 8, OPEN_APPEARED);
	SIM_SET(&l.h[0], a, READ_BYTES, 100);
	tick(&l);
	SIM_ADD(&l.h[0], a, READ_BYTES, 5);
	tick(&l);
	assert_true(sum_col(&l, 7, COL(PROCESS, READ_BYTES), &partial) == 5);
	assert_true(partial);
	assert_true(sum_col(&l, 8, COL(PROCESS, READ_BYTES), &partial) ==
	    NONE);
	assert_true(sum_col(&l, 7, FAULTS, &partial) == 0);
	assert_false(partial);
	tear_down(&l);
}

/* Each host's usage is divided by its own covered time. */
static void test_hosts_that_cover_different_times(void **state)
{
	struct lab l;
	size_t a, b;

	(void)state;
	set_up(&l);
	a = start(&l, 0, 10, 7, OPEN_APPEARED);
	b = start(&l, 1, 11, 7, OPEN_APPEARED);
	tick(&l);
	rollup_restart(l.r);
	SIM_ADD(&l.h[0], a, MINFLT, 40);
	SIM_ADD(&l.h[1], b, MINFLT, 10);
	tick(&l);
	tick_of(&l, true, false);
	tick_of(&l, true, false);
	tick_of(&l, true, false);
	expect_sum(&l, 7, FAULTS, 50);
	expect_rate(&l, 7, 40.0 / 4 + 10);
	assert_int_equal(rollup_covered_ns(l.r, world_host(l.w, 0)),
	    4 * SIM_SECOND);
	assert_int_equal(rollup_covered_ns(l.r, world_host(l.w, 1)),
	    SIM_SECOND);
	/* a range after its last answer only knows its gauges */
	rollup_restart(l.r);
	tick_of(&l, true, false);
	expect_rate(&l, 7, 0);
	expect_sum(&l, 7, MEM, 20 * 1024);
	tear_down(&l);
}

/* What appeared and was moved first covers no more than the rest. */
static void test_moved_before_the_tick(void **state)
{
	struct lab l;
	struct gs_err err;
	size_t a;

	(void)state;
	set_up(&l);
	tick(&l);
	rollup_restart(l.r);
	a = start(&l, 0, 10, 7, OPEN_APPEARED);
	simhost_tick(&l.h[0], SIM_SECOND);
	encoder_begin(l.encoder, l.h[0].clock.wall_ns);
	encoder_block(l.encoder, 0, l.h[0].world);
	assert_int_equal(world_apply(l.w, encoder_end(l.encoder), &err), GS_OK);
	rollup_moved(l.r, l.w, world_host(l.w, 0)
	    ->table[ENTITY_PROCESS].slot[0]);
	rollup_tick(l.r, l.w, NULL);
	assert_int_equal(rollup_covered_ns(l.r, world_host(l.w, 0)),
	    SIM_SECOND);
	SIM_ADD(&l.h[0], a, MINFLT, 10);
	tick(&l);
	expect_rate(&l, 7, 10);
	tear_down(&l);
}

static void test_resets(void **state)
{
	struct lab l;
	size_t a;

	(void)state;
	set_up(&l);
	a = start(&l, 0, 10, 7, OPEN_APPEARED);
	tick(&l);
	SIM_SET(&l.h[0], a, MINFLT, 3);
	tick(&l);
	SIM_SET(&l.h[0], a, MINFLT, 9);
	tick(&l);
	expect_sum(&l, 7, FAULTS, 6);
	assert_int_equal(group(&l, 7)->part[0]->resets, 1);
	tear_down(&l);
}

/* Hosts and cells from before are not in the range. */
static void test_restart_forgets(void **state)
{
	struct lab l;
	bool partial;
	size_t a, b;

	(void)state;
	set_up(&l);
	a = start(&l, 0, 10, 7, OPEN_APPEARED);
	b = start(&l, 1, 11, 7, OPEN_APPEARED);
	SIM_SET(&l.h[0], a, READ_BYTES, 1);
	tick(&l);
	SIM_EXIT(&l.h[1], b);
	simhost_unset(&l.h[0], ENTITY_PROCESS, a, COL(PROCESS, READ_BYTES));
	tick(&l);
	assert_int_equal(group(&l, 7)->n_part, 2);
	rollup_restart(l.r);
	assert_int_equal(group(&l, 7)->n_part, 1);
	assert_true(sum_col(&l, 7, COL(PROCESS, READ_BYTES), &partial) ==
	    NONE);
	tear_down(&l);
}

/* Of thousands of groups each is found, until it is dropped. */
static void test_many_groups(void **state)
{
	const uint64_t n = 5000;
	struct lab l;
	uint64_t k;
	bool fresh;

	(void)state;
	set_up(&l);
	(void)start(&l, 0, 10, 7, OPEN_APPEARED);
	tick(&l);
	for (k = 100; k < n; k++) {
		(void)rollup_group(l.r, &k, sizeof(k), &fresh);
		assert_true(fresh);
	}
	for (k = 100; k < n; k++) {
		const struct group *g = rollup_find(l.r, &k, sizeof(k));

		assert_non_null(g);
		assert_memory_equal(g->key, &k, sizeof(k));
	}
	rollup_restart(l.r); /* no row is in them */
	assert_int_equal(rollup_count(l.r), 1);
	for (k = 100; k < n; k++)
		assert_null(rollup_find(l.r, &k, sizeof(k)));
	assert_int_equal(group(&l, 7)->n_live, 1);
	tear_down(&l);
}

/* A group in which no row is, and which counts the usage of rows. */
static struct charge to_nine(void *ctx, struct rollup *r, struct row *row,
	struct group *in)
{
	const uint64_t uid = 9;
	bool fresh;

	(void)ctx;
	(void)row;
	(void)in;
	return (struct charge) {
		.to = rollup_group(r, &uid, sizeof(uid), &fresh) };
}

/* It would hold the row as long as it is. */
static void test_charged_only(void **state)
{
	static const bool only_members[] = { false, true };
	uint64_t want[COL_WORDS_MAX] = { [FAULTS / 64] =
		UINT64_C(1) << (FAULTS % 64) };
	struct lab l;
	size_t a, i;

	(void)state;
	for (i = 0; i < GS_LEN(only_members); i++) {
		struct rollup_by by = { .member = by_uid, .charge = to_nine,
			.only_members = only_members[i] };

		set_up(&l);
		rollup_free(l.r);
		l.r = rollup_new(ENTITY_PROCESS, want, &by);
		a = start(&l, 0, 10, 7, OPEN_APPEARED);
		tick(&l);
		SIM_SET(&l.h[0], a, MINFLT, 1005);
		tick(&l);
		expect_sum(&l, 9, FAULTS, 5);
		assert_true((group(&l, 9)->row == NULL) == only_members[i]);
		assert_non_null(group(&l, 7)->row);
		tear_down(&l);
	}
}

/* ---- folding ----------------------------------------------------------- */

static struct group *by_pid(void *ctx, struct rollup *r, struct row *row)
{
	uint64_t pid = 0;
	bool fresh;

	(void)ctx;
	(void)row_get(row, COL(PROCESS, PID), &pid);
	return rollup_group(r, &pid, sizeof(pid), &fresh);
}

static bool has_ended(void *ctx, const struct group *g)
{
	(void)ctx;
	return g->n_live == 0;
}

static double faults_of(const struct lab *l, const struct group *g)
{
	bool partial;
	double v = 0;

	(void)group_sum(l->r, g, COL(PROCESS, MINFLT), 1, &v, &partial);
	return v;
}

static void by_faults(void *ctx, const struct group *const *g, size_t n,
	double *ret)
{
	size_t i;

	for (i = 0; i < n; i++)
		ret[i] = faults_of(ctx, g[i]);
}

/* Sum over all groups, and over the folded one. */
static double total(const struct rollup *r, unsigned col, bool rate)
{
	size_t i, n_folded;
	const struct group *folded = rollup_folded(r, &n_folded);
	double sum = 0, v;
	bool partial;

	for (i = 0; i <= rollup_count(r); i++) {
		const struct group *g = i < rollup_count(r)
		    ? rollup_get(r, i) : folded;

		if (g && (rate ? group_rate : group_sum)(r, g, col, 1, &v,
		    &partial))
			sum += v;
	}
	return sum;
}

/* Rows that were born, and whether one reaped children that were not seen. */
static size_t born(const struct rollup *r, bool *ret_reaped)
{
	size_t i, n_folded, n = 0;
	const struct group *folded = rollup_folded(r, &n_folded);

	*ret_reaped = false;
	for (i = 0; i <= rollup_count(r); i++) {
		const struct group *g = i < rollup_count(r)
		    ? rollup_get(r, i) : folded;

		n += g ? g->n_born : 0;
		*ret_reaped |= g && g->reaped;
	}
	return n;
}

#define KEEP 5

/* A process per tick on either host, each for two ticks; the pid says how
 * many faults it has. */
static void short_lives(struct lab *l, struct rollup *whole, int ticks)
{
	int i, host;

	for (i = 0; i < ticks; i++) {
		for (host = 0; host < 2; host++) {
			struct simhost *h = &l->h[host];
			size_t n = h->n[ENTITY_PROCESS];
			uint64_t pid = 1000 + (uint64_t)((i * 37) % 101) * 2 +
			    (uint64_t)host;
			size_t row = start(l, host, pid, 7, i % 3
			    ? OPEN_BORN : OPEN_APPEARED);

			SIM_SET(h, row, MINFLT, pid);
			SIM_SET(h, row, RSS_ANON, pid % 7);
			if (n >= 1)
				SIM_ADD(h, n - 1, MINFLT, 3);
			if (n >= 2)
				SIM_EXIT(h, n - 2);
		}
		tick(l);
		rollup_tick(whole, l->w, NULL);
	}
}

static void test_folded_groups_keep_their_sums(void **state)
{
	struct rollup_by by = { .member = by_pid, .done = has_ended,
		.rank = by_faults };
	uint64_t want[COL_WORDS_MAX] = { 0 };
	struct rollup *whole;
	struct lab l;
	size_t n_folded, n, i;
	bool reaped;

	(void)state;
	set_up(&l);
	rollup_free(l.r);
	want[COL(PROCESS, MINFLT) / 64] |= UINT64_C(1) <<
	    COL(PROCESS, MINFLT) % 64;
	want[COL(PROCESS, RSS_ANON) / 64] |= UINT64_C(1) <<
	    COL(PROCESS, RSS_ANON) % 64;
	by.ctx = &l;
	l.r = rollup_new(ENTITY_PROCESS, want, &by);
	whole = rollup_new(ENTITY_PROCESS, want, &by);
	rollup_bound(l.r, KEEP, KEEP);
	short_lives(&l, whole, 1);
	rollup_get(l.r, 0)->reaped = true;
	short_lives(&l, whole, 59);
	assert_non_null(rollup_folded(l.r, &n_folded));
	assert_null(rollup_folded(whole, &n));
	assert_true(rollup_count(l.r) <= 3 * KEEP);
	assert_int_equal(rollup_count(l.r) + n_folded, rollup_count(whole));
	assert_true(total(l.r, FAULTS, false) == total(whole, FAULTS, false));
	assert_true(total(l.r, MEM, false) == total(whole, MEM, false));
	assert_true(fabs(total(l.r, FAULTS, true) - total(whole, FAULTS,
	    true)) < 1e-6);
	assert_int_equal(born(l.r, &reaped), born(whole, &reaped));
	assert_true(born(whole, &reaped) > KEEP);
	(void)born(l.r, &reaped);
	assert_true(reaped);
	/* the largest still exist one by one */
	for (n = i = 0; i < rollup_count(whole); i++) {
		const struct group *g = rollup_get(whole, i);
		bool fresh = false;
		size_t k, greater = 0;

		for (k = 0; k < rollup_count(whole); k++)
			greater += faults_of(&l, rollup_get(whole, k)) >
			    faults_of(&l, g);
		if (greater < KEEP) {
			(void)rollup_group(l.r, g->key, g->key_len, &fresh);
			assert_false(fresh);
			n++;
		}
	}
	assert_true(n >= KEEP);
	rollup_restart(l.r);
	assert_null(rollup_folded(l.r, &n_folded));
	rollup_free(whole);
	tear_down(&l);
}

/* By the definition, tick by tick; the group is idle in some of them, and a new
 * table begins in between. */
static void test_moving_averages(void **state)
{
	static const uint64_t grew[] = { 100, 0, 0, 300, 50, 0 };
	static const int64_t tau_ns[] = { 2 * SIM_SECOND, 60 * SIM_SECOND };
	double want[2] = { 0, 0 }, got;
	struct lab l;
	size_t a, i, k;

	(void)state;
	set_up(&l);
	rollup_set_ema(l.r, tau_ns, 2);
	a = start(&l, 0, 10, 7, OPEN_APPEARED);
	tick(&l);
	SIM_ADD(&l.h[0], a, MINFLT, 5000); /* before the range begins */
	tick(&l);
	rollup_restart(l.r);
	rollup_forget_ema(l.r);
	for (i = 0; i < GS_LEN(grew); i++) {
		SIM_ADD(&l.h[0], a, MINFLT, grew[i]);
		tick(&l);
		if (i == 3)
			rollup_restart(l.r);
		for (k = 0; k < 2; k++) {
			double w = 1 - exp(-1e9 / (double)tau_ns[k]);
			double sum = 1 - exp(-1e9 * (double)(i + 1) /
			    (double)tau_ns[k]);

			want[k] = want[k] * (1 - w) + (double)grew[i] * w;
			assert_true(group_ema(l.r, group(&l, 7),
			    COL(PROCESS, MINFLT), 1, k, &got));
			if (fabs(got - want[k] / sum) > 1e-9)
				fail_msg("tick %zu, average %zu: %.12f, not "
				    "%.12f", i, k, got, want[k] / sum);
		}
	}
	assert_false(group_ema(l.r, group(&l, 7), COL(PROCESS, MAJFLT), 1, 0,
	    &got));
	assert_false(group_ema(l.r, group(&l, 7), COL(PROCESS, MINFLT), 1, 2,
	    &got));
	tear_down(&l);
}

/* All numeric columns of the entity with most of them: each is followed. */
static void test_every_column(void **state)
{
	struct rollup_by by = { .member = by_host };
	uint64_t want[COL_WORDS_MAX];
	const struct entity *e = entity_get(ENTITY_HOST);
	struct rollup *small;
	struct lab l;
	unsigned i, n = 0;
	bool part;

	(void)state;
	set_up(&l);
	memset(want, 0xff, sizeof(want));
	small = l.r;
	l.r = rollup_new(ENTITY_HOST, want, &by);
	for (i = 0; i < e->ncols; i++)
		if (!metric_is_text(&e->metrics[i]))
			simhost_set(&l.h[0], ENTITY_HOST, 0, i, 1000);
	tick_of(&l, true, false);
	rollup_restart(l.r);
	for (i = 0; i < e->ncols; i++)
		if (!metric_is_text(&e->metrics[i]))
			simhost_set(&l.h[0], ENTITY_HOST, 0, i, 1000 + i);
	tick_of(&l, true, false);
	for (i = 0; i < e->ncols; i++) {
		const struct metric *m = &e->metrics[i];
		double v = -1;

		if (metric_is_text(m))
			continue;
		n++;
		if (!group_sum(l.r, rollup_get(l.r, 0), i, 1, &v, &part) ||
		    (m->unit == UNIT_COUNT && (int)v != (int)i +
		    (metric_is_counter(m) ? 0 : 1000)))
			fail_msg("%s: %g", m->full_name, v);
	}
	assert_true(n > 64);
	rollup_free(small);
	tear_down(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counters_add_up),
		cmocka_unit_test(test_more_than_fits),
		cmocka_unit_test(test_born_and_appeared),
		cmocka_unit_test(test_appeared_then_born),
		cmocka_unit_test(test_gauges_follow_rows),
		cmocka_unit_test(test_ended_groups_keep_their_last),
		cmocka_unit_test(test_rows_that_end_together),
		cmocka_unit_test(test_partial_and_absent),
		cmocka_unit_test(test_hosts_that_cover_different_times),
		cmocka_unit_test(test_moved_before_the_tick),
		cmocka_unit_test(test_resets),
		cmocka_unit_test(test_restart_forgets),
		cmocka_unit_test(test_many_groups),
		cmocka_unit_test(test_charged_only),
		cmocka_unit_test(test_folded_groups_keep_their_sums),
		cmocka_unit_test(test_moving_averages),
		cmocka_unit_test(test_every_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
