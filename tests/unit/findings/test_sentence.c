/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/sentence.h"

#include "base/compiler.h"
#include "cases.h"

struct row {
	const char *name; /* the sentence */
	const char *want;
	bool is_command;
	bool lacks; /* a value outside of brackets is absent */
};

static const struct row rows[] = {
	{ "plain", "plain", false, false },
	{ "{who}", "ann", false, false },
	{ "{cpu} of a core", "97 % of a core", false, false },
	{ "{small}", "0.25 %", false, false },
	{ "{mem} and {rate}", "2.0 KiB and 12/s", false, false },
	{ "{age}", "2m05s", false, false },
	{ "{n session}, {one session}", "3 sessions, 1 session", false, false },
	{ "{amount time}", "1 time", false, false },
	{ "{gone}", "?", false, true },
	{ "a[ ({gone})] b", "a b", false, false },
	{ "a[ ({who}[, {gone}])] b", "a (ann) b", false, false },
	{ "a[ {gone}[, {who}]] b", "a b", false, false },
	{ "{who.who}", "?", false, true },
	{ "a[ {who.who}]", "a", false, false },
	{ "a[, {none} of]", "a", false, false },
	{ "a, {none} of", "a, 0 of", false, false },
	{ "{from}..{to} at {at}, {count row}", "{from}..{to} at {at}, "
	    "{count row}", false, false },
	{ "--session {who}", "--session ann", true, false },
	{ "--session {text}", "--session 'a'\\''b $(c) d'", true, false },
	{ "{text}", "a'b $(c) d", false, false },
	{ "an open { stays", "an open { stays", false, false },
	{ "an open [ ends", "an open  ends", false, false },
};

static const struct grid_col cols[] = {
	GRID_COL("who", "WHO", Q_TEXT, 80, "w"),
	GRID_COL("cpu", "CPU", Q_PERCENT, 80, "c"),
	GRID_COL("small", "SMALL", Q_PERCENT, 80, "s"),
	GRID_COL("mem", "MEM", Q_BYTES, 80, "m"),
	GRID_COL("rate", "RATE", Q_RATE, 80, "r"),
	GRID_COL("age", "AGE", Q_AGE, 80, "a"),
	GRID_COL("n", "N", Q_COUNT, 80, "n"),
	GRID_COL("one", "ONE", Q_COUNT, 80, "o"),
	GRID_COL("gone", "GONE", Q_COUNT, 80, "g"),
	GRID_COL("text", "TEXT", Q_TEXT, 80, "t"),
	GRID_COL("none", "NONE", Q_COUNT, 80, "n"),
	GRID_COL("amount", "AMOUNT", Q_COUNT, 80, "s"),
};

static struct grid *table(void)
{
	struct grid *g = grid_new("t", NULL);
	struct cell *c;
	size_t i;

	for (i = 0; i < GS_LEN(cols); i++)
		grid_add_col(g, &cols[i]);
	c = grid_add_row(g)->cell;
	c[0] = cell_text(span_str("ann"));
	c[1] = cell_real(96.7);
	c[2] = cell_real(0.25);
	c[3] = cell_int(2048);
	c[4] = cell_real(12);
	c[5] = cell_real(125);
	c[6] = cell_int(3);
	c[7] = cell_int(1);
	c[9] = cell_text(span_str("a'b\n$(c)\x01 d"));
	c[10] = cell_int(0);
	c[11] = cell_real(1);
	return g;
}

static void says(void **state)
{
	const struct row *row = *state;
	struct grid *g = table();
	const struct sentence_row of = { g, &g->row[0] };
	struct buf b = BUF_INIT;
	bool all = sentence_add(&b, row->name, &of, NULL, row->is_command);

	assert_string_equal(buf_str(&b), row->want);
	assert_int_equal(all, !row->lacks);
	buf_release(&b);
	grid_free(g);
}

static void names_another(void **state)
{
	struct grid *g = table();
	const struct sentence_row of = { g, &g->row[0] };
	struct buf b = BUF_INIT;

	(void)state;
	assert_true(sentence_add(&b, "{cpu}, most: {who.who}", &of, &of,
	    false));
	assert_string_equal(buf_str(&b), "97 %, most: ann");
	buf_release(&b);
	grid_free(g);
}

static const int64_t second = 1000000000;

/* A name that was recorded is no template. */
static void takes_names_literally(void **state)
{
	const struct sentence_times t = { .pace = { .interval_ns = second }, .count = 2 };
	struct buf b = BUF_INIT, all = BUF_INIT;
	struct grid *g = table();
	const struct sentence_row of = { g, &g->row[0] };

	(void)state;
	g->row[0].cell[0] = cell_text(span_str("a{at} {b {{count row}}"));
	(void)sentence_add(&b, "{who}: {count row}", &of, NULL, false);
	sentence_add_times(&all, buf_str(&b), &t);
	assert_string_equal(buf_str(&all), "a{at} {b {{count row}}: 2 rows");
	buf_reset(&b);
	buf_reset(&all);
	(void)sentence_add(&b, "--session {who}", &of, NULL, true);
	sentence_add_times(&all, buf_str(&b), &t);
	assert_string_equal(buf_str(&all),
	    "--session 'a{at} {b {{count row}}'");
	buf_release(&b);
	buf_release(&all);
	grid_free(g);
}

/* Whole seconds where ticks are; else so that --to includes the tick. */
static void tells_instants(void **state)
{
	const struct sentence_times t = { .from_ns = 0,
		.to_ns = 60 * second + 2000000, .at_ns = 61 * second +
		    500100000, .pace = { .interval_ns = second }, .count = 2, .sum = 3 };
	struct buf b = BUF_INIT;

	(void)state;
	sentence_add_times(&b, "{from} {to} {at} {count row} {sum end} {x}", &t);
	assert_string_equal(buf_str(&b), "1970-01-01T00:00:00 "
	    "1970-01-01T00:01:00 1970-01-01T00:01:01.501 2 rows "
	    "3 ends {x}");
	buf_release(&b);
}

static void note(void *ctx, struct span name)
{
	buf_printf(ctx, "%.*s ", (int)span_len(name), name.ptr);
}

static void lists_columns(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	sentence_columns("{a}[ {who.b}] {n session} {from} {count} {c", note,
	    &b);
	assert_string_equal(buf_str(&b), "a who.b n ");
	buf_release(&b);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, says, rows);
	cases_add(&c, "names another", names_another, NULL);
	cases_add(&c, "takes names literally", takes_names_literally, NULL);
	cases_add(&c, "tells instants", tells_instants, NULL);
	cases_add(&c, "lists columns", lists_columns, NULL);
	return cases_run(&c, "sentence");
}
