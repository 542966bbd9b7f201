/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines form of a comparison: which figures have a line, and what is in it.
 */
#include "query/compare.h"

#include <string.h>

#include "base/compiler.h"
#include "cases.h"
#include "tables.h"

struct lines_case {
	const char *name;
	struct compare_ask ask;
	const char *cols;
	const char *now, *base; /* rows */
	double now_s, base_s; /* covered */
	const char *show; /* columns, a blank around each */
	const char *want;
};

#define GROUPS(...) { .view = "processes", .n_key = 1, .sort = "cpu", \
	.lines = true, __VA_ARGS__ }
#define COLS "user:t cpu:%+ memory:B+ wait:n time:s+* note:t more:c+?"
#define LINES " user change metric a b difference percent "
#define SHORT " user change metric "

static const struct lines_case rows[] = {
	{ "only what differs", GROUPS(), COLS, "a|20|5|1|0|x|0",
	    "a|10|5|1|0|y|0", 10, 10, LINES, "a|-|cpu|10|20|10|100" },
	/* 1 point; 5 % of the larger value */
	{ "less than the least", GROUPS(), COLS, "a|1.9|0|0|0|x|0",
	    "a|1|0|0|0|x|0", 10, 10, SHORT, "" },
	{ "the least", GROUPS(), COLS, "a|2|0|0|0|x|0", "a|1|0|0|0|x|0", 10, 10,
	    SHORT, "a|-|cpu" },
	{ "a small part", GROUPS(), COLS, "a|100|0|0|0|x|0",
	    "a|95.1|0|0|0|x|0", 10, 10, SHORT, "" },
	{ "a part of it", GROUPS(), COLS, "a|100|0|0|0|x|0", "a|95|0|0|0|x|0",
	    10, 10, SHORT, "a|-|cpu" },
	{ "from nothing, to nothing", GROUPS(), COLS,
	    "a|20|0|0|0|x|0;b|0|0|0|0|x|0", "a|0|0|0|0|x|0;b|20|0|0|0|x|0", 10,
	    10, LINES, "a|-|cpu|0|20|20|-;b|-|cpu|20|0|-20|-100" },
	{ "below nothing", GROUPS(), "user:t cpu:%", "a|10", "a|-20", 10, 10,
	    LINES, "a|-|cpu|-20|10|30|150" },
	{ "absent is not 0", GROUPS(), COLS, "a|20|-|-|0|x|0",
	    "a|-|9e9|-|0|x|0", 10, 10, SHORT, "" },
	/* its seconds tell more than noise, but not of the share */
	{ "what neither side has", GROUPS(),
	    "user:t seconds:s+* db_percent:%+", "a|50|-;b|100|100",
	    "a|5|-;b|100|100", 10, 10, SHORT, "" },
	/* one line: of the first figure, or of the next that is enough */
	{ "new", GROUPS(), COLS, "a|20|9e9|7|0|x|0", "", 10, 10, LINES,
	    "a|new|cpu|-|20|20|-" },
	{ "gone", GROUPS(), COLS, "", "a|20|9e9|7|0|x|0", 10, 10, LINES,
	    "a|gone|cpu|20|-|-20|-100" },
	{ "new by another figure", GROUPS(), COLS, "a|0.5|4e6|0|0|x|0", "", 10,
	    10, LINES, "a|new|memory|-|4e+06|4e+06|-" },
	{ "new, but idle", GROUPS(), COLS, "a|0|0|0|0|x|0", "", 10, 10, SHORT,
	    "" },
	/* nothing that can be added up was measured: new, whatever it is */
	{ "new without figures", GROUPS(), "user:t wait:n", "a|-", "", 10, 10,
	    SHORT, "a|new|-" },
	/* a figure that is no sum has no difference from nothing */
	{ "a mean from nothing", GROUPS(), "user:t wait:n", "a|7", "", 10, 10,
	    LINES, "a|new|wait|-|7|-|-" },
	{ "amounts", GROUPS(.totals = true), COLS, "a|5|0|0|9|x|0",
	    "a|5|0|0|3|x|0", 10, 5, LINES, "a|-|time|3|9|6|200" },
	{ "no amounts", GROUPS(), COLS, "a|5|0|0|9|x|0", "a|5|0|0|3|x|0", 10, 5,
	    SHORT, "" },
	{ "amounts that are named", GROUPS(.metrics = "time"), COLS,
	    "a|50|0|0|9|x|0", "a|5|0|0|3|x|0", 10, 5, LINES,
	    "a|-|time|~6|9|~3|~50" },
	{ "estimates", GROUPS(), COLS, "a|~20|0|0|0|x|0", "a|10|0|0|0|x|0", 10,
	    10, LINES, "a|-|cpu|10|~20|~10|~100" },
	/* on request */
	{ "named figures", GROUPS(.metrics = "more,wait"), COLS,
	    "a|50|0|5|0|x|9", "a|5|0|1|0|x|1", 10, 10, LINES,
	    "a|-|wait|1|5|4|400;a|-|more|1|9|8|800" },
	{ "all figures", GROUPS(.all = true), COLS, "a|5|0|-|9|x|9",
	    "a|5|0|1|3|y|9", 10, 10, LINES,
	    "a|-|cpu|5|5|0|0;a|-|memory|0|0|0|-;a|-|wait|1|-|-|-;"
	    "a|-|note|y|x|differs|-;a|-|more|9|9|0|0" },
	{ "all of one side", GROUPS(.all = true), "user:t cpu:%+ note:t", "",
	    "a|5|x", 10, 10, LINES,
	    "a|gone|cpu|5|-|-5|-100;a|gone|note|x|-|-|-" },
	/* "5..19" is judged by its middle, a text by the text beside it */
	{ "numbers that stand for texts", GROUPS(.all = true),
	    "user:t nice:t middle:n= wchan:t most:t= cpu:%",
	    "a|5..19|12|ep (5 of 7)|ep|9", "a|0..4|2|ep (1 of 7)|ep|-", 10, 10,
	    LINES, "a|-|nice|0..4|5..19|10|500;"
	    "a|-|wchan|ep (1 of 7)|ep (5 of 7)|same|-;a|-|cpu|-|9|-|-" },
	{ "differences to sort by", GROUPS(.order = "-more,percent,note,+user"),
	    COLS, "a|20|0|0|0|x|9;b|20|0|0|0|x|-", "a|10|0|0|0|y|2;"
	    "c|20|0|0|0|x|5", 10, 10, " user metric more_diff note_diff ",
	    "b|cpu|-;c|cpu|-5;a|cpu|7" },
	/* 5 of 6 and 7 pairs of characters */
	{ "similar names", GROUPS(.fuzzy = true), "command:t cpu:%+",
	    "load2.sh|20;psql|5", "load.sh|10;bash|6", 10, 10,
	    " command change metric a b difference percent ",
	    "load2.sh|~load.sh|cpu|10|20|10|100;bash|gone|cpu|6|-|-6|-100;"
	    "psql|new|cpu|-|5|5|-" },
	{ "names as they are", GROUPS(), "command:t cpu:%+",
	    "load2.sh|20", "load.sh|10", 10, 10, " command change ",
	    "load2.sh|new;load.sh|gone" },
	/* abcdefgh: 6 of 7 and 7; 5 of 7 and 7 */
	{ "the most similar, once", GROUPS(.fuzzy = true), "command:t cpu:%+",
	    "abcdefgh|50", "abcdeffh|10;abcdefgx|20;abcdefxx|30", 10, 10,
	    " command change a b ",
	    "abcdefgh|~abcdefgx|20|50;abcdefxx|gone|30|-;"
	    "abcdeffh|gone|10|-" },
	{ "the same name is the same", GROUPS(.fuzzy = true),
	    "command:t cpu:%+", "loader|20;loaders|5", "loader|10", 10, 10,
	    " command change ", "loader|-;loaders|new" },
	{ "other keys are not similar", { .view = "processes", .n_key = 2,
	    .sort = "cpu", .lines = true, .fuzzy = true },
	    "user:t command:t cpu:%+", "bob1|load2.sh|20;amy|load3.sh|30",
	    "bob|load.sh|10;amy|load.sh|11", 10, 10, " user command change ",
	    "bob1|load2.sh|new;amy|load3.sh|~load.sh;bob|load.sh|gone" },
	{ "a name that is not known", GROUPS(.fuzzy = true),
	    "command:t cpu:%+", "-|20;x|9", "load|10;y|8", 10, 10,
	    " command change ", "-|new;load|gone;x|new;y|gone" },
	{ "the size of groups", GROUPS(),
	    "user:t processes:c+ stay_percent:%? cpu:%+",
	    "a|7|50|20;b|1|100|30", "a|5|25|10", 10, 10,
	    " user metric a_processes b_processes a_stay_percent "
	    "b_stay_percent ",
	    "b|cpu|-|1|-|100;a|processes|5|7|25|50;a|cpu|5|7|25|50" },
	{ "one difference per row", GROUPS(.order = "wait,cpu"), COLS,
	    "a|20|9e6|0|0|x|0", "a|10|0|3|0|y|0", 10, 10,
	    " metric wait_diff cpu_diff ",
	    "cpu|-3|10;memory|-3|10;wait|-3|10" },
};

static void has_lines(void **state)
{
	const struct lines_case *row = *state;
	struct grid *now = table_new(row->ask.view, row->cols, row->now,
	    row->now_s);
	struct grid *base = table_new(row->ask.view, row->cols, row->base,
	    row->base_s);
	struct grid *g = NULL;
	struct buf got = BUF_INIT;

	assert_int_equal(compare_grids(now, base, &row->ask, &g, NULL), 0);
	table_write(&got, g, row->show);
	assert_string_equal(buf_str(&got), row->want);
	buf_release(&got);
	grid_free(g);
	grid_free(now);
	grid_free(base);
}

/* Each line has the unit and the quantity of its figure. */
static void test_units(void **state)
{
	static const struct compare_ask ask = GROUPS();
	static const struct {
		enum quantity quantity;
		const char *unit;
	} want[] = { { Q_PERCENT, "percent" }, { Q_BYTES, "bytes" },
		{ Q_NUMBER, "number" } };
	struct grid *now = table_new("processes", COLS, "a|20|9e6|5|0|x|0", 1);
	struct grid *base = table_new("processes", COLS, "a|0|0|0|0|x|0", 1);
	struct grid *g = NULL;
	size_t i, unit;

	(void)state;
	assert_int_equal(compare_grids(now, base, &ask, &g, NULL), 0);
	unit = compare_line_col(g, LINE_UNIT);
	assert_int_equal(g->n_row, GS_LEN(want));
	for (i = 0; i < GS_LEN(want); i++) {
		assert_int_equal(g->row[i].quantity, want[i].quantity);
		assert_true(span_eq(cell_span(&g->row[i].cell[unit]), want[i].unit));
	}
	assert_int_equal(compare_line_col(g, LINE_PERCENT),
	    unit + LINE_PERCENT - LINE_UNIT);
	grid_free(g);
	grid_free(now);
	grid_free(base);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, has_lines, rows);
	cases_add(&c, "units", test_units, NULL);
	return cases_run(&c, "compare_lines");
}
