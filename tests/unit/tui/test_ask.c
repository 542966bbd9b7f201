/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One question after another: what is asked next, of the same ticks or of others.
 */
#include "travel.h"

static char *copy(struct span line)
{
	return gs_strndup(line.ptr, span_len(line));
}

/* They are counted while ticks are read. */
static void test_columns_that_cost_more(void **state)
{
	struct lab l;
	char *now, *again;

	(void)state;
	lab_open_table(&l, "hosts");
	(void)lab_type(&l, "c\x15host,unattributed_percent\r");
	assert_shows(&l, "UNATTR%");
	now = copy(lab_chosen(&l));
	(void)lab_type(&l, "Tt");
	again = copy(lab_chosen(&l));
	assert_null(strstr(now, "-"));
	assert_string_equal(now, again);
	free(now);
	free(again);
	lab_close(&l);
}

/* Of the chosen row, in the page of all its figures. */
static char *figure(const struct lab *l, const char *name)
{
	return copy(lab_line(l, name));
}

/* Numbers on request are made where they are asked for. */
static void test_figures_on_request(void **state)
{
	struct lab l;
	char *page, *again;

	(void)state;
	lab_open_table(&l, "processes");
	l.height = 200;
	(void)lab_type(&l, "d");
	assert_int_equal(l.tui->mode, MODE_PAGE);
	page = figure(&l, " off_cpu_seconds ");
	assert_null(strstr(page, "  -  "));
	(void)lab_key(&l, TKEY_ESCAPE);
	(void)lab_type(&l, "Ttd"); /* a table that is brief, then the page */
	again = figure(&l, " off_cpu_seconds ");
	assert_string_equal(page, again);
	free(again);
	(void)lab_key(&l, TKEY_ESCAPE);
	(void)lab_type(&l, "Ttc\x15pid,off_cpu_seconds\r");
	again = figure(&l, ">");
	assert_null(strstr(again, "-"));
	free(again);
	(void)lab_type(&l, "c\x15\rs\x15off_cpu_s\rd");
	again = figure(&l, " off_cpu_seconds ");
	assert_null(strstr(again, "  -  "));
	free(again);
	free(page);
	lab_close(&l);
}

static enum cell_kind kind_in_overview(const struct tui *t, const char *name)
{
	size_t i = 0;
	int col;

	while (strcmp(t->shot.grid[i]->name, "processes") != 0)
		i++;
	col = grid_find_col(t->shot.grid[i], name, strlen(name));
	assert_true(col >= 0);
	return t->shot.grid[i]->row[0].cell[col].kind;
}

static void test_figures_on_request_of_the_overview(void **state)
{
	struct lab l;
	struct gs_err err;

	(void)state;
	lab_open_table(&l, "overview");
	assert_int_equal(kind_in_overview(l.tui, "cpu_seconds"), CELL_REAL);
	assert_int_equal(kind_in_overview(l.tui, "off_cpu_seconds"),
	    CELL_ABSENT);
	l.tui->saving = true; /* in a file all are */
	assert_int_equal(tui_shoot(l.tui, &err), SHOT_DONE);
	assert_int_equal(kind_in_overview(l.tui, "off_cpu_seconds"),
	    CELL_REAL);
	lab_close(&l);
}

static void test_an_option_after_a_wrong_one(void **state)
{
	struct lab l;

	(void)state;
	lab_open_table(&l, "sessions");
	(void)lab_type(&l, ":frobnicate 5\r");
	assert_shows(&l, "expected an option");
	(void)lab_type(&l, "sort memory\r");
	assert_int_equal(l.tui->mode, MODE_TABLE);
	assert_shows(&l, "by memory");
	lab_close(&l);
}

static void test_columns_are_said_to_be_chosen(void **state)
{
	struct lab l;

	(void)state;
	lab_open_table(&l, "sessions");
	assert_hides(&l, "columns as ");
	(void)lab_type(&l, "c\x15state,cpu\r");
	assert_shows(&l, "  columns as kept, without session");
	(void)lab_type(&l, "c\x15session,cpu\r");
	assert_shows(&l, "  columns as kept");
	assert_hides(&l, "without session");
	lab_close(&l);
}

static void test_keys_beside_each_other(void **state)
{
	struct lab l;
	struct span line;

	(void)state;
	lab_open_table(&l, "sessions");
	l.width = 200;
	(void)lab_type(&l, "?");
	line = lab_line(&l, "next and previous tick");
	assert_true(span_len(line) > 100);
	assert_shows(&l, "  q           quit");
	l.width = 80;
	(void)lab_paint(&l);
	line = lab_line(&l, "next and previous tick");
	assert_true(span_len(line) < 80);
	assert_hides(&l, "  q           quit");
	lab_close(&l);
}

int main(void)
{
	static const struct {
		const char *name;
		CMUnitTestFunction fn;
	} tests[] = {
		{ "columns that cost more", test_columns_that_cost_more },
		{ "figures on request", test_figures_on_request },
		{ "figures on request of the overview",
		    test_figures_on_request_of_the_overview },
		{ "an option after a wrong one",
		    test_an_option_after_a_wrong_one },
		{ "columns are said to be chosen",
		    test_columns_are_said_to_be_chosen },
		{ "keys beside each other", test_keys_beside_each_other },
	};
	struct cases c = { .n = 0 };
	size_t i;

	for (i = 0; i < GS_LEN(tests); i++)
		cases_add(&c, tests[i].name, tests[i].fn, NULL);
	return cases_run(&c, "ask");
}
