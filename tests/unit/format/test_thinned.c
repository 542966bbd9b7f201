/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of thinned recordings, rows that end late and sums: through the codec,
 * alone and in a group, into a world; also damaged ones.
 */
#include "base/compiler.h"
#include "base/mem.h"
#include "cases.h"
#include "format/group.h"
#include "format/groupcode.h"
#include "format/tickcode.h"
#include "model/diff.h"
#include "model/tick_encoder.h"
#include "simhost.h"

#define HOST 3u
#define C_CPU COL(PROCESS, CPU)
#define C_GAUGE COL(PROCESS, RSS_ANON)

/* A world of a host with processes 10 and 11, in slots 0 and 1. */
struct lab {
	struct simhost host;
	struct tick_encoder *encoder;
	struct world *world;
	struct tickcode *code;
	struct tick tick, got;
	struct buf raw, group;
	struct delta *d; /* of its processes, in tick */
	struct gs_err err;
};

static void next(struct lab *l, bool key)
{
	struct block *b;

	tick_reset(&l->tick);
	l->tick.seq = world_ticks(l->world) + 1;
	l->tick.key = key;
	l->host.clock.wall_ns += SIM_SECOND;
	b = tick_add_block(&l->tick, HOST);
	b->clock = l->host.clock;
	l->d = &b->ent[ENTITY_PROCESS];
}

static void set_up(struct lab *l)
{
	size_t i;

	*l = (struct lab) { .world = world_new() };
	l->code = tickcode_new(TICKCODE_LEVEL);
	simhost_init(&l->host, "alpha");
	l->encoder = encoder_new(header_new());
	for (i = 0; i < 2; i++) {
		size_t p = simhost_process(&l->host, OPEN_APPEARED, 10 + i, 1,
		    "a");

		SIM_SET(&l->host, p, CPU, 1000);
	}
	simhost_tick(&l->host, SIM_SECOND);
	encoder_begin(l->encoder, l->host.clock.wall_ns);
	encoder_block(l->encoder, HOST, l->host.world);
	assert_int_equal(world_apply(l->world, encoder_end(l->encoder), NULL),
	    GS_OK);
	next(l, false);
}

static void tear_down(struct lab *l)
{
	simhost_release(&l->host);
	encoder_free(l->encoder);
	world_free(l->world);
	tickcode_free(l->code);
	tick_release(&l->tick);
	tick_release(&l->got);
	buf_release(&l->raw);
	buf_release(&l->group);
}

static void sum(struct lab *l, uint32_t slot, unsigned col, enum sum_of of,
	uint64_t amount)
{
	delta_add_sum(l->d, slot, (struct tick_sum) { .col = (uint16_t)col,
		.of = (uint16_t)of, .amount = amount });
}

static int decode(struct lab *l)
{
	delta_sort_sums(l->d);
	tickcode_encode(l->code, &l->tick, &l->raw);
	return tickcode_decode(l->code, l->raw.ptr, l->raw.len, &l->got,
	    &l->err);
}

/* The same, as one of the ticks of a group. */
static int decode_grouped(struct lab *l)
{
	struct grouper *g = grouper_new();
	struct ungrouper *u = ungrouper_new();
	int r;

	delta_sort_sums(l->d);
	tickcode_encode(l->code, &l->tick, &l->raw);
	r = grouper_add(g, l->raw.ptr, l->raw.len, &l->err);
	if (r == GS_OK)
		r = grouper_add(g, l->raw.ptr, l->raw.len, &l->err);
	grouper_end(g, &l->group);
	if (r == GS_OK)
		r = ungrouper_open(u, l->group.ptr, l->group.len, 2, &l->err);
	if (r == GS_OK)
		r = tickcode_read(l->code, u, 1, &l->got, &l->err);
	grouper_free(g);
	ungrouper_free(u);
	return r;
}

static void apply(struct lab *l, int (*through)(struct lab *l))
{
	if (through(l) < 0 || world_apply(l->world, &l->got, &l->err) < 0)
		fail_msg("%s", l->err.msg);
}

static struct row *touched(const struct lab *l, uint64_t pid)
{
	size_t n, i;
	struct row *const *r = world_touched(l->world, &n);
	uint64_t got;

	for (i = 0; i < n; i++) {
		if (r[i]->entity == ENTITY_PROCESS &&
		    row_get(r[i], COL(PROCESS, PID), &got) && got == pid)
			return r[i];
	}
	fail_msg("process %d was not touched", (int)pid);
	return NULL;
}

static void expect(const struct row *r, uint64_t grown, bool ended)
{
	uint64_t v;

	assert_true(diff_counter(r, C_CPU, &v));
	assert_int_equal(v, grown);
	assert_int_equal(r->closed, ended ? CLOSE_EXITED : 0);
	assert_int_equal(row_ended_late(r), ended);
	if (ended)
		assert_int_equal(r->last_ns, r->host->clock.wall_ns);
}

static void check_all(int (*through)(struct lab *l))
{
	struct lab l;
	uint64_t v;

	set_up(&l);
	delta_open_slot(l.d, 2, OPEN_BORN);
	delta_change(l.d, COL(PROCESS, PID), 2, 12);
	delta_change(l.d, C_CPU, 2, 40);
	delta_change(l.d, C_CPU, 0, 500);
	sum(&l, 0, C_CPU, SUM_GROWN, 700); /* it was reset in between */
	sum(&l, 1, C_CPU, SUM_LEFT, UINT64_C(1) << 62);
	sum(&l, 1, COL(PROCESS, RCHAR), SUM_OWN, 3);
	sum(&l, 1, C_CPU, SUM_LEFT_UNKNOWN, 1);
	delta_end_slot(l.d, 0, CLOSE_EXITED);
	delta_end_slot(l.d, 2, CLOSE_EXITED);
	apply(&l, through);
	expect(touched(&l, 10), 700, true);
	expect(touched(&l, 11), 0, false);
	expect(touched(&l, 12), 40, true);
	assert_true(row_is_brief(touched(&l, 12)));
	assert_false(row_is_brief(touched(&l, 10)));
	assert_true(row_sum(touched(&l, 11), C_CPU, SUM_LEFT, &v));
	assert_int_equal(v, UINT64_C(1) << 62);
	assert_true(row_sum(touched(&l, 11), COL(PROCESS, RCHAR), SUM_OWN, &v));
	assert_int_equal(v, 3);
	assert_true(row_sum(touched(&l, 11), C_CPU, SUM_LEFT_UNKNOWN, &v));
	assert_false(row_sum(touched(&l, 11), C_CPU, SUM_GROWN, &v));
	assert_int_equal(world_host(l.world, 0)->table[ENTITY_PROCESS].n_live,
	    1);
	next(&l, false); /* they are valid for one tick */
	delta_change(l.d, C_CPU, 1, 5);
	apply(&l, through);
	expect(touched(&l, 11), 5, false);
	assert_false(row_sum(touched(&l, 11), C_CPU, SUM_LEFT, &v));
	tear_down(&l);
}

static void test_tick(void **state)
{
	(void)state;
	check_all(decode);
}

static void test_group(void **state)
{
	(void)state;
	check_all(decode_grouped);
}

/* In a key the row is the one that was open, by its identity. */
static void test_key(void **state)
{
	struct lab l;
	const struct row *old;
	uint64_t start = 0;

	(void)state;
	set_up(&l);
	old = world_host(l.world, 0)->table[ENTITY_PROCESS].slot[1];
	assert_true(row_get(old, COL(PROCESS, START), &start));
	next(&l, true);
	delta_open_slot(l.d, 0, OPEN_CONTINUED);
	delta_change(l.d, COL(PROCESS, PID), 0, 11);
	delta_change(l.d, COL(PROCESS, START), 0, start);
	delta_change(l.d, C_CPU, 0, 20);
	sum(&l, 0, C_CPU, SUM_GROWN, 60);
	delta_end_slot(l.d, 0, CLOSE_EXITED);
	apply(&l, decode);
	assert_ptr_equal(touched(&l, 11), old);
	expect(old, 60, true);
	assert_int_equal(touched(&l, 10)->closed, CLOSE_UNSEEN);
	tear_down(&l);
}

/* ---- damage ------------------------------------------------------------ */

static void ended_twice(struct lab *l)
{
	delta_end_slot(l->d, 0, CLOSE_EXITED);
	delta_end_slot(l->d, 0, CLOSE_EXITED);
}

static void ended_and_closed(struct lab *l)
{
	delta_close_slot(l->d, 0, CLOSE_EXITED);
	delta_end_slot(l->d, 0, CLOSE_EXITED);
}

static void ended_unknown(struct lab *l)
{
	delta_end_slot(l->d, TICK_SLOTS_MAX - 1, CLOSE_EXITED);
}

static void ended_out_of_range(struct lab *l)
{
	delta_end_slot(l->d, TICK_SLOTS_MAX, CLOSE_EXITED);
}

static void sum_of_none(struct lab *l)
{
	sum(l, 2, C_CPU, SUM_GROWN, 1);
}

static void sum_of_closed(struct lab *l)
{
	delta_close_slot(l->d, 1, CLOSE_EXITED);
	sum(l, 1, C_CPU, SUM_GROWN, 1);
}

static void sum_out_of_range(struct lab *l)
{
	sum(l, TICK_SLOTS_MAX, C_CPU, SUM_GROWN, 1);
}

static void sum_of_gauge(struct lab *l)
{
	sum(l, 0, C_GAUGE, SUM_GROWN, 1);
}

static void sum_of_too_much(struct lab *l)
{
	sum(l, 1, C_CPU, SUM_GROWN, (UINT64_C(1) << 62) + 1);
}

static void sum_twice(struct lab *l)
{
	sum(l, 0, C_CPU, SUM_LEFT, 1);
	sum(l, 1, C_CPU, SUM_LEFT, 1);
	sum(l, 1, C_CPU, SUM_LEFT, 2);
}

static void waited(struct lab *l, uint32_t kind, size_t i, int64_t amount)
{
	struct tick_waited w = { .slot = 1, .kind = kind };

	w.amount[i] = amount;
	delta_add_waited(l->d, &w);
}

static void waited_too_much(struct lab *l)
{
	waited(l, WAITED_END, 1, INT64_MAX); /* a clock that was set */
	waited(l, WAITED_LAST + 1, 0, INT64_MAX); /* of a newer version */
	waited(l, 7, WAITED_AMOUNTS - 1, (INT64_C(1) << 60) + 1);
}

static void waited_too_little(struct lab *l)
{
	waited(l, 4, 0, -(INT64_C(1) << 60));
	waited(l, WAITED_LAST, 0, INT64_MIN);
}

static const struct bad {
	const char *name;
	void (*make)(struct lab *l);
	bool refused; /* by the codec; else by the world */
	const char *message; /* a part of it */
} bads[] = {
	{ "ended twice", ended_twice, false,
	    "process: slot 0 ended but is not open" },
	{ "ended and closed", ended_and_closed, false,
	    "process: slot 0 ended but is not open" },
	{ "ended, never there", ended_unknown, false,
	    "process: slot 1048575 ended but is not open" },
	{ "ended out of range", ended_out_of_range, true,
	    "slot out of bounds: got 1048576" },
	{ "sum of no row", sum_of_none, false,
	    "process: slot 2 is not open" },
	{ "sum of a row that closed", sum_of_closed, false,
	    "process: slot 1 is not open" },
	{ "sum out of range", sum_out_of_range, true,
	    "row out of bounds in metric" },
	{ "sum of a level", sum_of_gauge, true,
	    "invalid sums in metric" },
	{ "sum of too much", sum_of_too_much, false,
	    "process: slot 1 has a sum that is out of bounds" },
	{ "sum twice", sum_twice, false, "process: slot 1 has two sums of one "
	    "kind" },
	{ "waited too much", waited_too_much, false,
	    "process: slot 1 has an amount that is out of bounds" },
	{ "waited too little", waited_too_little, false,
	    "process: slot 1 has an amount that is out of bounds" },
};

static void test_bad(void **state)
{
	const struct bad *b = *state;
	struct lab l;
	int r;

	set_up(&l);
	b->make(&l);
	r = decode(&l);
	assert_int_equal(r, b->refused ? GS_E_FORMAT : GS_OK);
	if (!b->refused)
		assert_int_equal(world_apply(l.world, &l.got, &l.err),
		    GS_E_FORMAT);
	if (!strstr(l.err.msg, b->message))
		fail_msg("%s", l.err.msg);
	tear_down(&l);
}

/* Of a newer version: skipped, but its neighbours are not. */
static void test_unknown_kind(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	delta_change(l.d, C_CPU, 1, 5);
	sum(&l, 0, C_CPU, SUM_GROWN, 9);
	sum(&l, 1, C_CPU, (enum sum_of)SUM_COUNT, 7);
	sum(&l, 1, C_CPU, (enum sum_of)77, 7);
	assert_int_equal(decode(&l), GS_OK);
	assert_int_equal(l.got.block[0]->ent[ENTITY_PROCESS].n_sum, 1);
	apply(&l, decode);
	expect(touched(&l, 10), 9, false);
	expect(touched(&l, 11), 5, false);
	tear_down(&l);
}

int main(void)
{
	struct cases c = { .n = 0 };

	cases_add(&c, "alone", test_tick, NULL);
	cases_add(&c, "in a group", test_group, NULL);
	cases_add(&c, "in a key", test_key, NULL);
	cases_add(&c, "unknown kind", test_unknown_kind, NULL);
	CASES_TABLE(&c, test_bad, bads);
	return cases_run(&c, "thinned");
}
