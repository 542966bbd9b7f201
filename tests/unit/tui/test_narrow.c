/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns that do not fit on the screen.
 */
#include "travel.h"

#define TICKS 30

/* What a line ends with is whole, or a text with a sign: on a wider screen it goes on
 * after a blank. */
static void assert_whole(const char *narrow, const char *wide)
{
	size_t len = strlen(narrow);

	if (len >= 3 && strcmp(narrow + len - 3, "...") == 0)
		return;
	assert_memory_equal(narrow, wide, len);
	assert_true(wide[len] == '\0' || wide[len] == ' ');
}

static char *chosen_line(struct lab *l, size_t width)
{
	struct span line;

	l->width = width;
	(void)lab_paint(l);
	line = lab_chosen(l);
	return gs_strndup(line.ptr, span_len(line));
}

static void assert_whole_in_each_width(struct lab *l)
{
	size_t width;

	for (width = 30; width < 100; width++) {
		char *narrow = chosen_line(l, width);
		char *wide = chosen_line(l, 400);

		assert_whole(narrow, wide);
		free(narrow);
		free(wide);
	}
	l->width = 80;
	(void)lab_paint(l);
}

static void test_figures_at_the_edge_are_whole(void **state)
{
	static const char *const views[] = { "processes", "sessions", "hosts" };
	struct lab l;
	size_t i, left;

	(void)state;
	for (i = 0; i < GS_LEN(views); i++) {
		lab_open(&l, TICKS);
		lab_begin(&l, views[i]);
		(void)lab_paint(&l);
		for (left = 1; left < 6; left++) {
			(void)lab_type(&l, "l");
			assert_whole_in_each_width(&l);
		}
		lab_close(&l);
	}
}

/* Of a column that is meant for wider screens. */
static void test_an_order_leaves_the_first_column(void **state)
{
	struct lab l;

	(void)state;
	lab_open(&l, TICKS);
	lab_begin(&l, "sessions");
	l.width = 50;
	(void)lab_type(&l, "s\x15""faults\r");
	assert_shows(&l, "FAULTS/s");
	assert_shows(&l, " SESSION ");
	lab_close(&l);
}

static bool ends_with(struct span line, char c)
{
	return span_len(line) > 0 && line.end[-1] == c;
}

/* Whether a heading says that there are columns beyond the edges. */
static void assert_edges(const struct lab *l, bool left, bool right)
{
	struct span head = lab_line(l, "SESSION ");

	assert_true(span_len(head) > 0);
	assert_int_equal(*head.ptr == '<', left);
	assert_int_equal(ends_with(head, '>'), right);
}

static void test_a_heading_tells_of_columns_beyond(void **state)
{
	struct lab l;

	(void)state;
	lab_open(&l, TICKS);
	lab_begin(&l, "sessions");
	(void)lab_paint(&l);
	assert_edges(&l, false, true);
	(void)lab_type(&l, "ll");
	assert_edges(&l, true, true);
	(void)lab_type(&l, "c\x15session,user\r");
	assert_edges(&l, false, false);
	lab_close(&l);
}

static void test_a_question_begins_with_the_first_columns(void **state)
{
	struct lab l;

	(void)state;
	lab_open(&l, TICKS);
	lab_begin(&l, "sessions");
	(void)lab_type(&l, "lll");
	assert_edges(&l, true, true);
	(void)lab_type(&l, "&memory > 0\r");
	assert_edges(&l, false, true);
	(void)lab_type(&l, "lll42");
	assert_edges(&l, false, true);
	/* but not another order */
	(void)lab_type(&l, "lr");
	assert_edges(&l, true, true);
	lab_close(&l);
}

int main(void)
{
	static const struct {
		const char *name;
		CMUnitTestFunction fn;
	} tests[] = {
		{ "figures at the edge are whole",
		    test_figures_at_the_edge_are_whole },
		{ "an order leaves the first column",
		    test_an_order_leaves_the_first_column },
		{ "a heading tells of columns beyond",
		    test_a_heading_tells_of_columns_beyond },
		{ "a question begins with the first columns",
		    test_a_question_begins_with_the_first_columns },
	};
	struct cases c = { .n = 0 };
	size_t i;

	for (i = 0; i < GS_LEN(tests); i++)
		cases_add(&c, tests[i].name, tests[i].fn, NULL);
	return cases_run(&c, "narrow");
}
