/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells as COPY takes them, in both forms.  The bytes are those that PostgreSQL writes
 * for these values with COPY (SELECT ...) TO STDOUT (FORMAT binary).
 */
#include "history/copyrow.h"

#include "cases.h"
#include "metric/unit.h"

struct cell_case {
	const char *name;
	enum quantity quantity;
	struct cell cell;
	const char *text; /* NULL: an error */
	const char *bytes; /* in hexadecimal */
};

#define TEXT(s) { .kind = CELL_TEXT, .text = (s), .len = sizeof(s) - 1 }
#define INT(v) { .kind = CELL_INT, .i = (v) }
#define REAL(v) { .kind = CELL_REAL, .r = (v) }
#define NONE "ffffffff"

static const struct cell_case cells[] = {
	{ "nothing", Q_COUNT, { .kind = CELL_ABSENT }, "\\N", NONE },
	{ "a count", Q_COUNT, INT(3), "3", "000000084008000000000000" },
	{ "below 0", Q_NUMBER, INT(-1), "-1", "00000008bff0000000000000" },
	{ "a real", Q_RATE, REAL(0.1), "0.1", "000000083fb999999999999a" },
	{ "no limit", Q_BYTES, { .kind = CELL_MAX }, "Infinity",
	    "000000087ff0000000000000" },
	{ "an id", Q_ID, INT(4711), "4711", "000000080000000000001267" },
	{ "an id below 0", Q_ID, INT(-1), "-1", "00000008ffffffffffffffff" },
	{ "a large id", Q_ID, REAL(0x1p62), "4611686018427387904",
	    "000000084000000000000000" },
	{ "an id that does not fit", Q_ID, REAL(0x1p63), "\\N", NONE },
	{ "an id without a limit", Q_ID, { .kind = CELL_MAX }, "\\N", NONE },
	{ "the server's first instant", Q_TIME, INT(946684800000000000),
	    "2000-01-01T00:00:00Z", "000000080000000000000000" },
	{ "the nearest microsecond", Q_TIME, INT(946684800000001500),
	    "2000-01-01T00:00:00.000001500Z", "000000080000000000000002" },
	{ "of two nearest ones the even one", Q_TIME, INT(946684800000002500),
	    "2000-01-01T00:00:00.000002500Z", "000000080000000000000002" },
	{ "before it", Q_TIME, INT(946684799999998400),
	    "1999-12-31T23:59:59.999998400Z", "00000008fffffffffffffffe" },
	{ "plain text", Q_TEXT, TEXT("ab"), "ab", "000000026162" },
	{ "an empty text", Q_TEXT, TEXT(""), "", "00000000" },
	{ "a text with a tab", Q_TEXT, TEXT("a\\\tb"), "a\\\\\\\\x09b",
	    "00000007615c5c78303962" },
	{ "a text that can't be stored", Q_TEXT, TEXT("\xc3\xbc"),
	    "\\\\xC3\\\\xBC", "000000085c7843335c784243" },
	{ "a number among texts", Q_TEXT, INT(17), "17", "000000023137" },
	{ "a text among numbers", Q_COUNT, TEXT("x"), NULL, NULL },
};

static void add(const struct cell_case *c, bool is_binary, struct buf *to)
{
	struct copyrow form = { .is_binary = is_binary,
		.last_character = 0x7f };
	const struct grid_col col = GRID_COL("c", "C", c->quantity, 80, "");
	struct gs_err err;
	int r = copyrow_add_cell(&form, to, &col, &c->cell, "t", &err);

	assert_int_equal(r, c->text ? GS_OK : GS_E_FORMAT);
	copyrow_release(&form);
}

static void adds(void **state)
{
	const struct cell_case *c = *state;
	struct buf text = BUF_INIT, bytes = BUF_INIT, hex = BUF_INIT;
	size_t i;

	add(c, false, &text);
	add(c, true, &bytes);
	for (i = 0; i < bytes.len; i++)
		buf_printf(&hex, "%02x", (unsigned char)bytes.ptr[i]);
	if (c->text) {
		assert_int_equal(text.ptr[text.len - 1], '\t');
		text.ptr[text.len - 1] = '\0';
		assert_string_equal(text.ptr, c->text);
		assert_string_equal(buf_str(&hex), c->bytes);
	}
	buf_release(&text);
	buf_release(&bytes);
	buf_release(&hex);
}

/* Two columns of a step, one of the view. */
static void add_row(bool is_binary, struct buf *to)
{
	struct copyrow form = { .is_binary = is_binary };
	const struct grid_col col = GRID_COL("c", "C", Q_ID, 80, "");
	const struct cell cell = INT(1);
	struct gs_err err;

	copyrow_open(&form, to);
	copyrow_begin(&form, to, 3);
	copyrow_add_id(&form, to, 7);
	copyrow_add_real(&form, to, 0.5);
	assert_int_equal(copyrow_add_cell(&form, to, &col, &cell, "t", &err),
	    GS_OK);
	copyrow_end(&form, to);
	copyrow_finish(&form, to);
}

static void test_row(void **state)
{
	static const char want[] = "PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0"
	    "\0\3" "\0\0\0\4\0\0\0\7" "\0\0\0\x8\x3f\xe0\0\0\0\0\0\0"
	    "\0\0\0\x8\0\0\0\0\0\0\0\1" "\xff\xff";
	struct buf b = BUF_INIT;

	(void)state;
	add_row(true, &b);
	assert_int_equal(b.len, sizeof(want) - 1);
	assert_memory_equal(b.ptr, want, sizeof(want) - 1);
	buf_reset(&b);
	add_row(false, &b);
	assert_string_equal(buf_str(&b), "7\t0.5\t1\n");
	buf_release(&b);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, adds, cells);
	cases_add(&c, "a row", test_row, NULL);
	return cases_run(&c, "copyrow");
}
