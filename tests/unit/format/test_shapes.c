/* SPDX-License-Identifier: Apache-2.0 */
/* Columns whose shape is kept are those that are read one by one. */
#include "cases.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "format/shapes.h"

#define BYTES(s) s, sizeof(s) - 1

/* Fields of an EntityDelta: 1 is the entity, 2 the rows that closed, 6 a Column of
 * which 1 is the metric, 2 rows, 3 values, 6 and 7 the numbers of both. */
#define ENTITY "\x08\x07"
#define CLOSED "\x12\x02\x02\x04"
#define COLUMN_OF_2 "\x32\x06\x08\x05\x30\x02\x38\x02"
#define COLUMN "\x32\x04\x08\x09\x38\x02"
#define WITH_VALUES "\x32\x07\x08\x05\x12\x01\x02\x1a\x00"
#define UNKNOWN "\x7a\x02xy"
#define BAD "\x32\x02\x08\x89"
#define CUT "\x32\x05\x08\x09"

static const struct {
	const char *name;
	const char *bytes;
	size_t len;
	uint32_t n; /* columns that are counted */
	const char *want; /* that are read; '!': not one */
} cases_of_columns[] = {
	{ "none", BYTES(ENTITY CLOSED), 0, "" },
	{ "one", BYTES(ENTITY COLUMN), 1, "9:0/2 " },
	{ "two", BYTES(ENTITY CLOSED COLUMN_OF_2 COLUMN), 2, "5:2/2 9:0/2 " },
	{ "with a field between", BYTES(COLUMN UNKNOWN COLUMN_OF_2), 2,
	    "9:0/2 5:2/2 " },
	{ "with fields after them", BYTES(COLUMN COLUMN UNKNOWN ENTITY), 2,
	    "9:0/2 9:0/2 " },
	{ "a length of two bytes", BYTES(COLUMN "\x32\x84\x00\x08\x09\x38\x02" COLUMN),
	    3, "9:0/2 9:0/2 9:0/2 " },
	{ "values in it", BYTES(COLUMN WITH_VALUES COLUMN), 3,
	    "9:0/2 5:0/0+1 9:0/2 " },
	{ "one that is none", BYTES(COLUMN BAD COLUMN), 3, "9:0/2 !" },
	{ "an empty one", BYTES("\x32\x00" COLUMN), 2, "0:0/0 9:0/2 " },
};

static int note_column(void *ctx, uint32_t entity, struct column_fields *c,
	struct gs_err *err)
{
	(void)err;
	assert_int_equal(entity, 7);
	buf_printf(ctx, "%u:%u/%u", (unsigned)c->is.metric, (unsigned)c->is.rows,
	    (unsigned)c->is.diffs);
	if (c->row_gap.n > 0)
		buf_printf(ctx, "+%zu", c->row_gap.n);
	buf_add_str(ctx, " ");
	return GS_OK;
}

/* Appends what is read; '!' for an error. */
static void read_columns(struct shapes *s, const struct message_run *run, struct buf *to)
{
	struct gs_err err;

	buf_reset(to);
	if (each_shaped(s, 7, run, note_column, to, &err) < 0)
		buf_add_str(to, "!");
}

static void test_columns(void **state)
{
	const __typeof__(cases_of_columns[0]) *c = *state;
	struct shapes *s = gs_calloc(1, sizeof(*s));
	struct buf got = BUF_INIT;
	struct delta_fields d;
	int i;

	assert_true(delta_fields_read(&d, span_of(c->bytes, c->len)));
	assert_int_equal(d.columns.n, c->n);
	read_columns(NULL, &d.columns, &got);
	assert_string_equal(buf_str(&got), c->want);
	for (i = 0; i < 2; i++) {
		read_columns(s, &d.columns, &got);
		assert_string_equal(buf_str(&got), c->want);
	}
	shapes_release(s);
	free(s);
	buf_release(&got);
}

static void test_cut(void **state)
{
	struct delta_fields d;

	(void)state;
	assert_false(delta_fields_read(&d, span_of(BYTES(COLUMN CUT))));
	assert_false(delta_fields_read(&d, span_of(BYTES(CUT))));
	assert_false(delta_fields_read(&d, span_of(BYTES("\x32"))));
}

/* n columns, of which the one at `odd` is another. */
static void add_columns(struct buf *to, size_t n, size_t odd)
{
	size_t i;

	buf_reset(to);
	for (i = 0; i < n; i++)
		buf_add(to, i == odd ? COLUMN_OF_2 : COLUMN, i == odd
		    ? sizeof(COLUMN_OF_2) - 1 : sizeof(COLUMN) - 1);
}

/* More shapes than are kept, and larger ones. */
static void test_many(void **state)
{
	struct shapes *s = gs_calloc(1, sizeof(*s));
	struct buf bytes = BUF_INIT, want = BUF_INIT, got = BUF_INIT;
	struct delta_fields d;
	size_t i, n;

	(void)state;
	for (i = 0; i < 2000; i++) {
		n = 1 + i % 500; /* some are as in the round before */
		add_columns(&bytes, n, i % 97);
		assert_true(delta_fields_read(&d, span_of(bytes.ptr, bytes.len)));
		assert_int_equal(d.columns.n, n);
		read_columns(NULL, &d.columns, &want);
		read_columns(s, &d.columns, &got);
		assert_string_equal(buf_str(&got), buf_str(&want));
	}
	shapes_release(s);
	free(s);
	buf_release(&bytes);
	buf_release(&want);
	buf_release(&got);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, test_columns, cases_of_columns);
	cases_add(&c, "cut", test_cut, NULL);
	cases_add(&c, "many", test_many, NULL);
	return cases_run(&c, "shapes");
}
