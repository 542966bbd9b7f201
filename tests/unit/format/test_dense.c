/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of the same rows that were put together: they say the same as single
 * columns, alone and in a group, and are refused where their values do not fit.
 */
#include "cases.h"
#include "base/compiler.h"
#include "format/groupcode.h"
#include "format/tickcode.h"
#include "gpsnap.pb-c.h"
#include "model/header.h"

#define ROWS 10u

struct lab {
	struct tickcode *single, *dense;
	struct tick tick, a, b;
	struct buf raw, group;
	struct delta *d; /* of processes */
	struct gs_err err;
};

static void change(struct lab *l, unsigned col, uint32_t slot, int64_t diff)
{
	delta_change(l->d, col, slot, (uint64_t)diff);
}

/* A few processes have run, and some of them have faults, too. */
static void make_delta(struct lab *l)
{
	uint32_t i;

	for (i = 0; i < ROWS; i++) {
		change(l, COL(PROCESS, CPU), i * 7, 1000 + i);
		change(l, COL(PROCESS, CSW_VOL), i * 7, 1);
		/* makes an absent cell 0, so it is not padded */
		change(l, COL(PROCESS, RCHAR), i * 7, i == 4 ? 0 : -5);
	}
	for (i = 2; i < 5; i++)
		change(l, COL(PROCESS, MINFLT), i * 7, INT64_MIN + i);
	change(l, COL(PROCESS, RSS), 63, 1);
	delta_gone(l->d, COL(PROCESS, RSS), 7);
	change(l, COL(PROCESS, PROCESSOR), 3, 1);
}

/* Rows in no order, with totals. */
static void make_key(struct lab *l)
{
	uint32_t i;

	l->tick.key = true;
	l->tick.header = header_new();
	for (i = 0; i < ROWS; i++)
		delta_open_slot(l->d, i, OPEN_APPEARED);
	for (i = 0; i < ROWS; i++) {
		change(l, COL(PROCESS, PID), i * 7 % ROWS, 100 + i);
		change(l, COL(PROCESS, CPU), i * 7 % ROWS,
		    i % 3 ? INT64_MAX - i : INT64_MIN + i);
		change(l, COL(PROCESS, MINFLT), i * 7 % ROWS, 0);
	}
	change(l, COL(PROCESS, RSS), 3, 1);
}

static void set_up(struct lab *l, void (*make)(struct lab *))
{
	struct block *b;

	*l = (struct lab) { .single = tickcode_new(TICKCODE_LEVEL),
		.dense = tickcode_new(TICKCODE_LEVEL) };
	tickcode_be_dense(l->dense);
	l->tick.seq = 1;
	b = tick_add_block(&l->tick, 0);
	l->d = &b->ent[ENTITY_PROCESS];
	delta_change(&b->ent[ENTITY_HOST], COL(HOST, MEM_FREE), 0, 5);
	delta_change(&b->ent[ENTITY_HOST], COL(HOST, LOAD1), 0, 6);
	make(l);
}

static void tear_down(struct lab *l)
{
	tickcode_free(l->single);
	tickcode_free(l->dense);
	tick_release(&l->tick);
	tick_release(&l->a);
	tick_release(&l->b);
	buf_release(&l->raw);
	buf_release(&l->group);
}

static void same_column(const struct delta_col *a, const struct delta_col *b)
{
	assert_int_equal(a->n, b->n);
	assert_int_equal(a->n_gone, b->n_gone);
	if (a->n > 0) {
		assert_memory_equal(a->slot, b->slot, a->n * sizeof(*a->slot));
		assert_memory_equal(a->diff, b->diff, a->n * sizeof(*a->diff));
	}
}

static void same_ticks(const struct tick *a, const struct tick *b)
{
	unsigned col;
	int e;

	assert_int_equal(a->n_block, 1);
	assert_int_equal(b->n_block, 1);
	for (e = 0; e < ENTITY_COUNT; e++) {
		const struct delta *p = &a->block[0]->ent[e];
		const struct delta *q = &b->block[0]->ent[e];

		assert_memory_equal(p->used, q->used, sizeof(p->used));
		assert_int_equal(p->n_opened, q->n_opened);
		for (col = 0; col < entity_get(p->entity)->ncols; col++)
			same_column(&p->col[col], &q->col[col]);
	}
}

static void through(struct lab *l, struct tickcode *code, struct tick *ret)
{
	tickcode_encode(code, &l->tick, &l->raw);
	if (tickcode_decode(code, l->raw.ptr, l->raw.len, ret, &l->err) < 0)
		fail_msg("%s", l->err.msg);
}

static Gpsnap__V1__Recording *unpack_record(const struct lab *l)
{
	return gpsnap__v1__recording__unpack(NULL, l->raw.len,
	    (const uint8_t *)l->raw.ptr);
}

static Gpsnap__V1__EntityDelta *processes(const Gpsnap__V1__Recording *m)
{
	return m->record[0]->tick->host[0]->entity[1];
}

/* The record has no columns together, and does not say so. */
static void expect_single(const struct lab *l)
{
	Gpsnap__V1__Recording *m = unpack_record(l);
	const Gpsnap__V1__Tick *t = m->record[0]->tick;

	if (t->header)
		assert_int_equal(t->header->incompatible, 0);
	assert_int_equal(processes(m)->n_columns, 0);
	gpsnap__v1__recording__free_unpacked(m, NULL);
}

static void through_group(struct lab *l, struct tick *ret)
{
	struct grouper *g = grouper_new();
	struct ungrouper *u = ungrouper_new();

	tickcode_encode(l->dense, &l->tick, &l->raw);
	assert_int_equal(grouper_add(g, l->raw.ptr, l->raw.len, &l->err),
	    GS_OK);
	grouper_end(g, &l->group);
	assert_int_equal(ungrouper_open(u, l->group.ptr, l->group.len, 1,
	    &l->err), GS_OK);
	assert_int_equal(tickcode_read(l->single, u, 0, ret, &l->err), GS_OK);
	ungrouper_record(u, 0, &l->raw);
	expect_single(l);
	grouper_free(g);
	ungrouper_free(u);
}

static void check_same(void (*make)(struct lab *))
{
	struct lab l;

	set_up(&l, make);
	through(&l, l.single, &l.a);
	same_ticks(&l.a, &l.tick);
	through(&l, l.dense, &l.b);
	same_ticks(&l.b, &l.tick);
	through_group(&l, &l.b);
	same_ticks(&l.b, &l.tick);
	tear_down(&l);
}

static void test_deltas_say_the_same(void **state)
{
	(void)state;
	check_same(make_delta);
}

static void test_keys_say_the_same(void **state)
{
	(void)state;
	check_same(make_key);
}

/* ---- what it looks like ------------------------------------------------ */

static Gpsnap__V1__Recording *unpack(struct lab *l)
{
	tickcode_encode(l->dense, &l->tick, &l->raw);
	return unpack_record(l);
}

static void test_columns_are_padded(void **state)
{
	Gpsnap__V1__Recording *m;
	Gpsnap__V1__EntityDelta *d;
	struct lab l;

	(void)state;
	set_up(&l, make_delta);
	m = unpack(&l);
	d = processes(m);
	assert_int_equal(d->n_columns, 3);
	assert_int_equal(d->columns[0]->n_metric_gap, 1); /* PROCESSOR */
	assert_int_equal(d->columns[0]->n_row_gap, 1);
	assert_int_equal(d->columns[1]->n_metric_gap, 3);
	assert_int_equal(d->columns[1]->n_diff, 3 * ROWS);
	assert_true(d->columns[1]->padded);
	assert_int_equal(d->columns[2]->n_metric_gap, 1); /* RCHAR */
	assert_false(d->columns[2]->padded);
	assert_int_equal(d->n_column, 1); /* RSS loses a cell */
	d = m->record[0]->tick->host[0]->entity[0];
	assert_int_equal(d->n_columns, 1);
	assert_int_equal(d->columns[0]->n_row_gap, 0);
	gpsnap__v1__recording__free_unpacked(m, NULL);
	tear_down(&l);
}

static void test_totals_are_differences(void **state)
{
	Gpsnap__V1__Recording *m;
	Gpsnap__V1__Columns *c;
	struct lab l;

	(void)state;
	set_up(&l, make_key);
	m = unpack(&l);
	assert_int_equal(m->record[0]->tick->header->incompatible, 8);
	c = processes(m)->columns[0];
	assert_true(c->running);
	assert_int_equal(c->diff[0], 100); /* PID */
	assert_int_equal(c->diff[1], 1);
	gpsnap__v1__recording__free_unpacked(m, NULL);
	tear_down(&l);
}

/* ---- refused ----------------------------------------------------------- */

static int decode_message(struct lab *l, const Gpsnap__V1__Recording *m)
{
	size_t len = gpsnap__v1__recording__get_packed_size(m);

	buf_reset(&l->raw);
	l->raw.len = gpsnap__v1__recording__pack(m, (uint8_t *)buf_reserve(
	    &l->raw, len));
	return tickcode_decode(l->dense, l->raw.ptr, len, &l->a, &l->err);
}

static void values_missing(Gpsnap__V1__EntityDelta *d)
{
	d->columns[1]->n_diff--;
}

static void no_metric(Gpsnap__V1__EntityDelta *d)
{
	d->columns[1]->n_metric_gap = 0;
}

static void metric_twice(Gpsnap__V1__EntityDelta *d)
{
	d->columns[1]->metric_gap[1] = 0;
}

static void metric_in_both(Gpsnap__V1__EntityDelta *d)
{
	d->column[0]->metric = (uint32_t)d->columns[0]->metric_gap[0];
}

static void text_metric(Gpsnap__V1__EntityDelta *d)
{
	d->columns[0]->metric_gap[0] = (int32_t)metric_get(ENTITY_PROCESS,
	    COL(PROCESS, COMM))->id;
}

static void row_too_far(Gpsnap__V1__EntityDelta *d)
{
	d->columns[0]->row_gap[0] = INT32_MAX;
}

static void test_refused(void **state)
{
	static void (*const edit[])(Gpsnap__V1__EntityDelta *) = {
		values_missing, no_metric, metric_twice, metric_in_both,
		text_metric, row_too_far,
	};
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(edit); i++) {
		Gpsnap__V1__Recording *m;
		struct lab l;

		set_up(&l, make_delta);
		m = unpack(&l);
		edit[i](processes(m));
		assert_int_equal(decode_message(&l, m), GS_E_FORMAT);
		gpsnap__v1__recording__free_unpacked(m, NULL);
		tear_down(&l);
	}
}

/* What a newer version has is passed over. */
static void test_unknown_metric(void **state)
{
	Gpsnap__V1__Recording *m;
	struct lab l;

	(void)state;
	set_up(&l, make_delta);
	m = unpack(&l);
	processes(m)->columns[0]->metric_gap[0] = 60000;
	assert_int_equal(decode_message(&l, m), GS_OK);
	same_column(&l.a.block[0]->ent[ENTITY_PROCESS].col[COL(PROCESS, CPU)],
	    &l.d->col[COL(PROCESS, CPU)]);
	gpsnap__v1__recording__free_unpacked(m, NULL);
	tear_down(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deltas_say_the_same),
		cmocka_unit_test(test_keys_say_the_same),
		cmocka_unit_test(test_columns_are_padded),
		cmocka_unit_test(test_totals_are_differences),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_unknown_metric),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
