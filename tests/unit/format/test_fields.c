/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include "base/buf.h"
#include "format/blockfields.h"
#include "format/fields.h"
#include "format/groupcode.h"

#define BYTES(s) s, sizeof(s) - 1

/* ---- lanes --------------------------------------------------------------- */

/* Bytes of a lane, and its number of values. */
static const struct {
	const char *name;
	const char *bytes;
	size_t len;
	int n; /* -1: it is none */
} lane_cases[] = {
	{ "empty", BYTES(""), 0 },
	{ "one", BYTES("\x05"), 1 },
	{ "of two bytes", BYTES("\x85\x01"), 1 },
	{ "eight and more", BYTES("12345678\x81\x01" "123\xff\xff\x01"), 13 },
	{ "long ones", BYTES("\x81\x82\x83\x84\x85\x86\x87\x88\x81\x01\x07"),
	    2 },
	{ "cut", BYTES("12\x85"), -1 },
};

static void test_lane(void **state)
{
	const __typeof__(lane_cases[0]) *c = *state;
	struct span s = span_of(c->bytes, c->len);
	struct lane l, all;
	size_t i;

	assert_int_equal(lane_of(&l, s), c->n >= 0);
	if (c->n < 0)
		return;
	assert_int_equal(l.n, c->n);
	for (i = 0; i <= l.n; i++) {
		struct span rest = s;

		assert_true(lane_take(&all, &rest, i));
		assert_int_equal(all.n, i);
		assert_int_equal(lane_take(&all, &rest, l.n - i + 1), false);
		assert_true(lane_take(&all, &rest, l.n - i));
		assert_true(span_empty(rest));
	}
}

static void test_values(void **state)
{
	struct lane l;

	(void)state;
	assert_true(lane_of(&l, span_of(BYTES("\x07\xac\x02"
	    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
	    "\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"))));
	assert_int_equal(l.n, 4);
	assert_int_equal(lane_next(&l), 7);
	assert_int_equal(lane_next(&l), 300);
	assert_true(lane_next(&l) == UINT64_MAX);
	assert_int_equal(lane_next(&l), 1); /* more than 64 bits */
	assert_int_equal(l.n, 0);
	assert_ptr_equal(l.at, l.end);
}

/* ---- messages ------------------------------------------------------------ */

/* Bytes of a Column. */
static const struct {
	const char *name;
	const char *bytes;
	size_t len;
	bool is; /* one */
	uint32_t metric;
	size_t rows, diffs;
} column_cases[] = {
	{ "empty", BYTES(""), true, 0, 0, 0 },
	{ "values", BYTES("\x08\x07\x12\x02\x02\x04\x1a\x02\x08\x09"), true, 7,
	    2, 2 },
	{ "unknown fields", BYTES("\x08\x07\x5a\x01x\x61" "12345678\x1a\x01\x02"),
	    true, 7, 0, 1 },
	{ "the last one counts", BYTES("\x08\x07\x08\x09"), true, 9, 0, 0 },
	{ "a number that is bytes", BYTES("\x0a\x01\x07"), false, 0, 0, 0 },
	{ "values that are not packed", BYTES("\x10\x02"), false, 0, 0, 0 },
	{ "values that are cut", BYTES("\x12\x02\x02\x84"), false, 0, 0, 0 },
	{ "field that is cut", BYTES("\x12\x03\x02\x04"), false, 0, 0, 0 },
	{ "no kind of field", BYTES("\x0b"), false, 0, 0, 0 },
	{ "no number", BYTES("\x08"), false, 0, 0, 0 },
	{ "values in two parts", BYTES("\x12\x01\x02\x12\x01\x04"), false, 0, 0,
	    0 },
	{ "field 0", BYTES("\x00\x01"), false, 0, 0, 0 },
	{ "a field beyond the last", BYTES("\x80\x80\x80\x80\x10\x01"), false, 0,
	    0, 0 },
	{ "a number of more bits", BYTES("\x08\x87\x80\x80\x80\x10"), false, 0,
	    0, 0 },
	{ "half a number", BYTES("\x5d" "123"), false, 0, 0, 0 },
};

static void test_column(void **state)
{
	const __typeof__(column_cases[0]) *c = *state;
	struct column_fields m;

	assert_int_equal(column_fields_read(&m, span_of(c->bytes, c->len)),
	    c->is);
	if (!c->is)
		return;
	assert_int_equal(m.is.metric, c->metric);
	assert_int_equal(m.row_gap.n, c->rows);
	assert_int_equal(m.diff.n, c->diffs);
}

static void test_block(void **state)
{
	struct block_fields m;
	struct span rest, one;

	(void)state;
	rest = span_of(BYTES("\x08\x02\x18\x09\x21\x00\x01\x00\x00\x00\x00\x00"
	    "\x00\x38\x05\x4a\x02\x08\x01\x4a\x02\x08\x02"));
	assert_true(block_fields_read(&m, rest));
	assert_int_equal(m.host, 2);
	assert_int_equal(m.sequence, 9);
	assert_int_equal(m.wall_ns, 256);
	assert_int_equal(m.rtt_ns, -3);
	assert_true(message_next(&rest, 9, &one));
	assert_memory_equal(one.ptr, "\x08\x01", 2);
	assert_true(message_next(&rest, 9, &one));
	assert_memory_equal(one.ptr, "\x08\x02", 2);
	assert_false(message_next(&rest, 9, &one));
}

/* ---- groups -------------------------------------------------------------- */

/* Three ticks of one host; the second is a key.  The last one has a field that
 * this version does not know. */
static const struct {
	const char *bytes;
	size_t len;
} records[] = {
	{ BYTES("\x0a\x18\x0a\x16\x08\x01\x32\x12\x4a\x10\x08\x01\x32\x0c\x08"
	    "\x02\x12\x02\x02\x04\x1a\x04\x08\x82\x01\x0a") },
	{ BYTES("\x0a\x13\x0a\x11\x08\x02\x18\x01\x32\x0b\x4a\x09\x08\x01\x32"
	    "\x05\x08\x02\x1a\x01\x06") },
	{ BYTES("\x0a\x16\x0a\x14\x08\x03\x32\x10\x4a\x0e\x08\x01\x32\x0a\x08"
	    "\x02\x1a\x02\x0c\x0e\x7a\x02xy") },
};

static void expect_record(struct ungrouper *u, size_t i)
{
	struct buf got = BUF_INIT;

	ungrouper_record(u, i, &got);
	assert_int_equal(got.len, records[i].len);
	assert_memory_equal(got.ptr, records[i].bytes, records[i].len);
	buf_release(&got);
}

static void test_records_in_any_order(void **state)
{
	static const size_t order[] = { 0, 1, 2, 2, 0, 2, 1, 1, 0, 0 };
	struct grouper *g = grouper_new();
	struct ungrouper *u = ungrouper_new();
	struct buf group = BUF_INIT;
	struct gs_err err;
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(records); i++)
		assert_int_equal(grouper_add(g, records[i].bytes,
		    records[i].len, &err), GS_OK);
	grouper_end(g, &group);
	assert_int_equal(ungrouper_open(u, group.ptr, group.len, 2, &err),
	    GS_E_FORMAT);
	assert_int_equal(ungrouper_open(u, group.ptr, group.len, 3, &err),
	    GS_OK);
	for (i = 0; i < GS_LEN(order); i++)
		expect_record(u, order[i]);
	buf_release(&group);
	ungrouper_free(u);
	grouper_free(g);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, test_lane, lane_cases);
	CASES_TABLE(&c, test_column, column_cases);
	cases_add(&c, "values", test_values, NULL);
	cases_add(&c, "block", test_block, NULL);
	cases_add(&c, "records in any order", test_records_in_any_order, NULL);
	return cases_run(&c, "fields");
}
