/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers of agents: columns of the same rows come together if the request takes
 * them, alone if it does not, and say the same; what is too much is refused.
 */
#include "cases.h"

#include "format/wire.h"
#include "gpsnap.pb-c.h"
#include "model/header.h"

#define FEW 20u
#define MANY 40000u /* columns of so many are measured before they are written */

struct lab {
	struct wire_codec *agent, *recorder;
	struct answer answer, got;
	struct buf out;
	struct gs_err err;
};

static void set_up(struct lab *l, uint32_t rows)
{
	struct delta *d;
	uint32_t i;

	*l = (struct lab) { .agent = wire_codec_new(),
		.recorder = wire_codec_new() };
	wire_codec_limit(l->recorder);
	d = &tick_add_block(&l->answer.tick, 0)->ent[ENTITY_PROCESS];
	for (i = 0; i < rows; i++) {
		delta_change(d, COL(PROCESS, CPU), i, UINT64_C(1) << i % 64);
		delta_change(d, COL(PROCESS, CSW_VOL), i, 1);
		delta_change(d, COL(PROCESS, RCHAR), i, i + 4096);
	}
	delta_gone(d, COL(PROCESS, RSS), 3);
}

static void tear_down(struct lab *l)
{
	tick_release(&l->answer.tick);
	tick_release(&l->got.tick);
	wire_codec_free(l->agent);
	wire_codec_free(l->recorder);
	buf_release(&l->out);
}

static void put_message(struct lab *l, const ProtobufCMessage *m)
{
	size_t len = protobuf_c_message_get_packed_size(m);
	uint8_t *p = gs_malloc(len);

	assert_int_equal(protobuf_c_message_pack(m, p), len);
	buf_reset(&l->out);
	buf_add_varint(&l->out, len);
	buf_add(&l->out, p, len);
	free(p);
}

static void ask(struct lab *l)
{
	struct request r;

	if (wire_get_request(l->agent, l->out.ptr, l->out.len, &r, &l->err) < 0)
		fail_msg("%s", l->err.msg);
	assert_int_equal(r.sequence, 1);
}

static int answer(struct lab *l)
{
	return wire_get_answer(l->recorder, l->out.ptr, l->out.len, &l->got,
	    &l->err);
}

/* Returns how many bytes the answer has. */
static size_t check_answer(struct lab *l)
{
	const struct delta *a = &l->answer.tick.block[0]->ent[ENTITY_PROCESS];
	const struct delta *b;
	unsigned col;

	buf_reset(&l->out);
	wire_put_answer(l->agent, &l->answer, &l->out);
	if (answer(l) < 0)
		fail_msg("%s", l->err.msg);
	b = &l->got.tick.block[0]->ent[ENTITY_PROCESS];
	assert_memory_equal(a->used, b->used, sizeof(a->used));
	for (col = 0; col < entity_get(ENTITY_PROCESS)->ncols; col++) {
		const struct delta_col *x = &a->col[col], *y = &b->col[col];

		assert_int_equal(x->n, y->n);
		assert_int_equal(x->n_gone, y->n_gone);
		if (x->n > 0)
			assert_memory_equal(x->diff, y->diff,
			    x->n * sizeof(*x->diff));
	}
	return l->out.len;
}

static void check_asked(uint32_t rows)
{
	Gpsnap__V1__Request old = GPSNAP__V1__REQUEST__INIT;
	const struct request new = { .sequence = 1 };
	size_t alone, together;
	struct lab l;

	set_up(&l, rows);
	old.sequence = 1;
	put_message(&l, &old.base);
	ask(&l);
	alone = check_answer(&l);

	buf_reset(&l.out);
	wire_put_request(&new, &l.out);
	ask(&l);
	together = check_answer(&l);
	assert_true(together < alone);

	/* another recorder */
	put_message(&l, &old.base);
	ask(&l);
	assert_int_equal(check_answer(&l), alone);
	tear_down(&l);
}

static void test_answers_as_asked(void **state)
{
	(void)state;
	check_asked(FEW);
	check_asked(MANY);
}

/* ---- too much ----------------------------------------------------------- */

static const struct much_case {
	const char *name;
	size_t columns, rows, diffs;
	const char *want; /* NULL: it is taken */
} much_cases[] = {
	{ "most columns", WIRE_COLUMNS_MAX, 1, WIRE_COLUMNS_MAX, NULL },
	{ "too many columns", WIRE_COLUMNS_MAX + 1, 1, WIRE_COLUMNS_MAX + 1,
	    "4097 columns: the limit is 4096" },
	{ "too many values", 64, WIRE_ROWS_MAX, WIRE_CELLS_MAX,
	    "4259840 values: the limit is 4194304" },
	{ "values that do not fit", 3, 4, 11, "process: " },
};

/* Metrics that no version knows, of rows from 1 on. */
static void put_much(struct lab *l, const struct much_case *c)
{
	Gpsnap__V1__Columns columns = GPSNAP__V1__COLUMNS__INIT;
	Gpsnap__V1__EntityDelta delta = GPSNAP__V1__ENTITY_DELTA__INIT;
	Gpsnap__V1__HostBlock block = GPSNAP__V1__HOST_BLOCK__INIT;
	Gpsnap__V1__Answer m = GPSNAP__V1__ANSWER__INIT;
	Gpsnap__V1__Columns *all_columns[] = { &columns };
	Gpsnap__V1__EntityDelta *all_deltas[] = { &delta };
	int32_t *ones = gs_calloc(WIRE_ROWS_MAX, sizeof(*ones));
	size_t i;

	for (i = 0; i < WIRE_ROWS_MAX; i++)
		ones[i] = i == 0 ? 1000 : 1;
	columns.metric_gap = ones;
	columns.n_metric_gap = c->columns;
	columns.row_gap = ones + 1;
	columns.n_row_gap = c->rows;
	columns.n_diff = c->diffs;
	columns.diff = gs_calloc(c->diffs, sizeof(*columns.diff));
	if (c->rows == WIRE_ROWS_MAX)
		columns.row_gap = ones;
	delta.entity = entity_get(ENTITY_PROCESS)->id;
	delta.columns = all_columns;
	delta.n_columns = 1;
	block.entity = all_deltas;
	block.n_entity = 1;
	m.block = &block;
	put_message(l, &m.base);
	free(columns.diff);
	free(ones);
}

static void test_much(void **state)
{
	const struct much_case *c = *state;
	struct lab l;
	int r;

	set_up(&l, FEW);
	put_much(&l, c);
	r = answer(&l);
	if (!c->want && r < 0)
		fail_msg("%s", l.err.msg);
	assert_int_equal(r < 0, c->want != NULL);
	if (c->want && !strstr(l.err.msg, c->want))
		fail_msg("%s", l.err.msg);
	tear_down(&l);
}

int main(void)
{
	struct cases c = { .n = 0 };

	cases_add(&c, "answers as asked", test_answers_as_asked, NULL);
	CASES_TABLE(&c, test_much, much_cases);
	return cases_run(&c, "wire");
}
