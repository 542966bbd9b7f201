/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two ranges side by side: matching rows, and noise.
 */
#include "query/compare.h"

#include <string.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "cases.h"
#include "tables.h"

struct compare_case {
	const char *name;
	struct compare_ask ask;
	const char *cols;
	const char *now, *base; /* rows */
	double now_s, base_s; /* covered */
	const char *show; /* columns, in their order; a blank around each */
	const char *want; /* as above, or the start of the message */
};

#define ASK(VIEW, N, SORT, FIXED) { .view = VIEW, .n_key = N, .sort = SORT, \
	.fixed = FIXED }
#define SESSIONS ASK("sessions", 0, "cpu_seconds,cpu_percent", false)
#define SESSION_COLS "session:t user:t database:t cpu_percent:%+ " \
	"cpu_seconds:s+* memory:B+"
#define CPU " session change cpu_seconds cpu_seconds_base " \
	"cpu_seconds_diff cpu_seconds_ratio "
#define MODEL ASK("time_model", 0, "", true)
#define MODEL_COLS "stat:t seconds:s db_percent:% samples:c"
#define MODEL_SHOW " stat change seconds seconds_base seconds_ratio "
#define EVENT ASK("system_event", 0, "", false)
#define EVENT_COLS "event:t seconds:s+ db_percent:%+ samples:c+"

static const struct compare_case rows[] = {
	{ "the same, new, gone; by the difference", SESSIONS, SESSION_COLS,
	    "con1|a|x|10|100|5;con2|a|x|90|900|5;con3|b|x|1|10|5",
	    "con1|a|x|30|300|5;con2|a|x|91|910|5;con9|b|x|4|40|5", 1000, 1000,
	    CPU,
	    "con1|-|100|300|-200|0.3333;con9|gone|-|40|-40|-;"
	    "con2|-|900|910|-10|0.989;con3|new|10|-|10|-" },
	/* the same name, of another user */
	{ "not the same", SESSIONS, SESSION_COLS, "7|a|x|10|100|5",
	    "7|b|x|10|100|5", 1000, 1000, CPU,
	    "7|new|100|-|100|-;7|gone|-|100|-100|-" },
	/* 1 % of the covered time */
	{ "noise", SESSIONS, SESSION_COLS, "con1|a|x|10|109|5",
	    "con1|a|x|10|100|5", 1000, 1000, CPU, "con1|-|109|100|9|-" },
	{ "no noise", SESSIONS, SESSION_COLS, "con1|a|x|10|110|5",
	    "con1|a|x|10|100|5", 1000, 1000, CPU, "con1|-|110|100|10|1.1" },
	{ "from nothing", SESSIONS, SESSION_COLS, "con1|a|x|10|110|5",
	    "con1|a|x|10|0|5", 1000, 1000, CPU, "con1|-|110|0|110|-" },
	{ "to nothing", SESSIONS, SESSION_COLS, "con1|a|x|10|0|5",
	    "con1|a|x|10|110|5", 1000, 1000, CPU, "con1|-|0|110|-110|0" },
	{ "absent", SESSIONS, SESSION_COLS, "con1|a|x|10|-|5",
	    "con1|a|x|10|110|5", 1000, 1000, CPU, "con1|-|-|110|-|-" },
	{ "marks", SESSIONS, SESSION_COLS, "con1|a|x|10|~200|5",
	    "con1|a|x|10|100|5", 1000, 1000, CPU,
	    "con1|-|~200|100|~100|~2" },
	/* amounts of half the time are doubled, levels and rates are not */
	{ "another length", SESSIONS, SESSION_COLS,
	    "con1|a|x|10|100|9000000", "con1|a|x|20|100|3000000", 1000, 500,
	    " session cpu_percent_base cpu_seconds_base cpu_seconds_ratio "
	    "memory_base memory_ratio ", "con1|20|~200|~0.5|3e+06|3" },
	{ "about the same length", SESSIONS, SESSION_COLS,
	    "con1|a|x|10|200|9", "con1|a|x|20|100|3", 1000, 995,
	    " session cpu_seconds_base cpu_seconds_ratio ", "con1|100|2" },
	{ "nothing covered", SESSIONS, SESSION_COLS, "con1|a|x|10|200|9", "",
	    1000, 0, " session change cpu_seconds_base ", "con1|new|-" },
	{ "groups", ASK("sessions", 1, "cpu_seconds", false),
	    "user:t processes:c+ cpu_seconds:s+*", "a|1|100;b|1|50",
	    "b|2|200;a|1|101", 1000, 1000,
	    " user cpu_seconds cpu_seconds_base ", "b|50|200;a|100|101" },
	/* queries with one text are one; their rate is not known */
	{ "several", ASK("queries", 0, "cpu_seconds", false),
	    "query:t command:t user:t text:t cpu_percent:%+ cpu_seconds:s+*",
	    "1/1|5 SELECT|a|q1|50|100;1/2|6 SELECT|a|q1|50|20",
	    "2/9|16-17 SELECT|a|q1|50|30;3/1|7 SELECT|a|q2|9|1", 1000, 1000,
	    " query change rows rows_base cpu_percent cpu_percent_base "
	    "cpu_seconds cpu_seconds_base text ",
	    "-|-|2|1|-|50|120|30|q1;3/1|gone|-|1|-|9|-|1|q2" },
	/* levels of what has ended are no part of a sum; of one row they are its own */
	{ "several have ended", ASK("queries", 0, "cpu_seconds", false),
	    "query:t text:t memory:B+ cpu_seconds:s+*",
	    "1/1|q1|!40|9;1/2|q1|7|8;1/3|q1|!50|7;1/4|q1|2|1;2/1|q2|!30|5;2/2|q2|!20|4",
	    "2/9|q1|!10|30;2/8|q2|4|1;2/7|q2|!9|1", 1000, 1000,
	    " memory memory_base memory_diff cpu_seconds text ",
	    "-|4|-|9|q2;9|10|-1|25|q1" },
	/* clocks differ a little for the same start */
	{ "the same start", ASK("processes", 0, "cpu_seconds", false),
	    "pid:i host:t started:T command:t cpu_seconds:s+*",
	    "7|h|8000000001|x|90;8|h|7999999999|x|80",
	    "7|h|7999999999|x|10;8|h|8000000001|x|9", 100, 100,
	    " pid change cpu_seconds cpu_seconds_base ",
	    "7|-|90|10;8|-|80|9" },
	/* 4 s apart: in slots of 4 s that are next to each other */
	{ "starts next to each other", ASK("processes", 0, "cpu_seconds", false),
	    "pid:i host:t started:T command:t cpu_seconds:s+*",
	    "7|h|7000000000|x|90;7|h|11000000000|x|50",
	    "7|h|11000000000|x|10;7|h|7000000000|x|20", 100, 100,
	    " pid change cpu_seconds cpu_seconds_base ",
	    "7|-|90|20;7|-|50|10" },
	{ "the same start is nearer", ASK("processes", 0, "cpu_seconds", false),
	    "pid:i host:t started:T command:t cpu_seconds:s+*",
	    "7|h|7000000000|x|90", "7|h|11000000000|x|20;7|h|7000000000|x|10",
	    100, 100, " pid change cpu_seconds cpu_seconds_base ",
	    "7|-|90|10;7|gone|-|20" },
	{ "another start", ASK("processes", 0, "cpu_seconds", false),
	    "pid:i host:t started:T command:t cpu_seconds:s+*",
	    "7|h|80000000000|x|90", "7|h|70000000000|x|10", 100, 100,
	    " pid change cpu_seconds cpu_seconds_base ",
	    "7|new|90|-;7|gone|-|10" },
	{ "in the order of names", ASK("hosts", 0, "host", false),
	    "host:t user_percent:%", "b|50;a|10", "a|11;b|1;c|5", 100, 100,
	    " host change user_percent user_percent_diff "
	    "user_percent_ratio ",
	    "a|-|10|-1|0.9091;b|-|50|49|50;c|gone|-|-|-" },
	/* 1 % of 100 s of DB time, whatever is covered; the whole row is noise
	 * or not */
	{ "noise of waits", EVENT, EVENT_COLS,
	    "IO:a|50|50|50;IO:b|49.1|49|49;IO:c|0.9|1|9",
	    "IO:a|40|40|10;IO:b|50|50|40;IO:c|10|10|10", 10, 10,
	    " event seconds seconds_base seconds_ratio samples_ratio ",
	    "IO:a|50|40|1.25|5;IO:c|0.9|10|0.09|0.9;IO:b|49.1|50|-|-" },
	{ "little DB time", EVENT, EVENT_COLS, "IO:a|0.16|80|50;IO:b|0.04|20|9",
	    "IO:a|0.1|100|10;IO:b|0.01|10|1", 10, 10,
	    " event seconds_ratio samples_ratio ", "IO:a|1.6|5;IO:b|-|-" },
	/* a row that is gone keeps its position */
	{ "an order that stays", MODEL, MODEL_COLS,
	    "DB time|90|100|90;IO|60|66|60; a|40|44|40;Lock|20|22|20;"
	    "(idle)|5|-|5",
	    "DB time|100|100|90;LW|70|66|60; w|70|66|60;IO|20|20|20;"
	    " b|20|20|20;(gone)|5|-|5", 100, 100, MODEL_SHOW,
	    "DB time|-|90|100|0.9;LW|gone|-|70|-; w|gone|-|70|-;"
	    "IO|-|60|20|3; b|gone|-|20|-; a|new|40|-|-;(gone)|gone|-|5|-;"
	    "Lock|new|20|-|-;(idle)|new|5|-|-" },
	/* one name below two */
	{ "parts of the same name", MODEL, "stat:t seconds:s db_percent:%",
	    "a|50|50; x|20|20;b|50|50; x|30|30",
	    "a|50|50; x|10|10;b|50|50; x|40|40", 100, 100, MODEL_SHOW,
	    "a|-|50|50|-; x|-|20|10|2;b|-|50|50|-; x|-|30|40|0.75" },
	/* bounds are multiples of an interval that may differ */
	{ "bounds", ASK("histogram", 0, "", true),
	    "event:t longer_than_seconds:s shorter_than_seconds:s waits:c",
	    "a|0|2.01|10;a|1|4.02|5", "a|0|1.99|8;a|3.05|7.9|7", 100, 100,
	    " event shorter_than_seconds change waits waits_base ",
	    "a|2.01|-|10|8;a|7.9|gone|-|7;a|4.02|new|5|-" },
	{ "nothing to compare", ASK("events", 0, "+time", false),
	    "time:T event:t", "1|x", "2|x", 1, 1, "",
	    "the view events has no figures that could be compared" },
};

static void compares(void **state)
{
	const struct compare_case *row = *state;
	struct grid *now = table_new(row->ask.view, row->cols, row->now,
	    row->now_s);
	struct grid *base = table_new(row->ask.view, row->cols, row->base,
	    row->base_s);
	struct grid *g = NULL;
	struct buf got = BUF_INIT;
	struct gs_err err;

	if (compare_grids(now, base, &row->ask, &g, &err) < 0)
		buf_add_str(&got, err.msg);
	if (g)
		table_write(&got, g, row->show);
	assert_string_equal(buf_str(&got), row->want);
	buf_release(&got);
	grid_free(g);
	grid_free(now);
	grid_free(base);
}

/* A missing row does not make a sum of others incomplete; an unknown value
 * does. */
static void test_others(void **state)
{
	static const struct compare_ask ask = SESSIONS;
	struct grid *now = table_new("sessions", SESSION_COLS,
	    "con1|a|x|10|100|5;con2|a|x|1|10|-", 100);
	struct grid *base = table_new("sessions", SESSION_COLS,
	    "con1|a|x|10|100|5;con3|a|x|8|80|7", 100);
	struct grid *g = NULL;
	struct buf got = BUF_INIT;
	size_t k;

	(void)state;
	assert_int_equal(compare_grids(now, base, &ask, &g, NULL), 0);
	grid_limit(g, 1);
	for (k = 0; k < g->n_col; k++) {
		if (table_shows(g, k, CPU " memory memory_base memory_diff "))
			table_put(&got, &g->row[1].cell[k]);
		buf_add_char(&got, ' ');
	}
	assert_non_null(strstr(buf_str(&got), " 110 100 - - "));
	assert_non_null(strstr(buf_str(&got), " >5 5 - "));
	buf_release(&got);
	grid_free(g);
	grid_free(now);
	grid_free(base);
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->kind == b->kind && a->mark == b->mark &&
	    (a->kind == CELL_TEXT ? span_same(cell_span(a), cell_span(b))
	                          : a->i == b->i);
}

/* Lines of a known width need the columns that they may show, as they are in the
 * whole table; a view's order of names may be by any. */
static void test_width(void **state)
{
	static const struct { const char *sort; bool fewer; } orders[] = {
		{ "cpu_seconds,cpu_percent", true }, { "session", false } };
	struct compare_ask ask = SESSIONS;
	struct grid *now = table_new("sessions", SESSION_COLS,
	    "con1|a|x|10|100|5;con2|a|x|1|10|-", 100);
	struct grid *base = table_new("sessions", SESSION_COLS,
	    "con1|a|x|10|90|5;con3|a|x|8|80|7", 100);
	size_t i, k, at, row;

	(void)state;
	for (i = 0; i < GS_LEN(orders); i++) {
		struct grid *all = NULL, *few = NULL;

		ask.sort = orders[i].sort;
		ask.width = 0;
		assert_int_equal(compare_grids(now, base, &ask, &all, NULL), 0);
		ask.width = 80;
		assert_int_equal(compare_grids(now, base, &ask, &few, NULL), 0);
		assert_true((few->n_col < all->n_col) == orders[i].fewer);
		assert_int_equal(few->n_row, all->n_row);
		for (k = 0, at = 0; k < all->n_col; k++) {
			if (at == few->n_col ||
			    strcmp(all->col[k].name, few->col[at].name) != 0) {
				assert_true(all->col[k].min_width > 80);
				continue;
			}
			for (row = 0; row < all->n_row; row++)
				assert_true(same_cell(&all->row[row].cell[k],
				    &few->row[row].cell[at]));
			at++;
		}
		assert_int_equal(at, few->n_col);
		grid_free(all);
		grid_free(few);
	}
	grid_free(now);
	grid_free(base);
}

static void test_floors(void **state)
{
	(void)state;
	assert_true(compare_floor(Q_BYTES) > 0);
	assert_true(compare_floor(Q_TEXT) == 0);
	assert_true(compare_floor(Q_ID) == 0);
	assert_true(compare_floor(Q_TIME) == 0);
	assert_true(compare_floor(Q_AGE) == 0);
	assert_true(compare_floor(Q_SECONDS) == 0.05);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, compares, rows);
	cases_add(&c, "others", test_others, NULL);
	cases_add(&c, "width", test_width, NULL);
	cases_add(&c, "floors", test_floors, NULL);
	return cases_run(&c, "compare");
}
