/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search for findings behind the screen, and the timeline's stack.
 */
#include <math.h>

#include "findings/rule.h"
#include "tui/strip.h"
#include "travel.h"
#include "view/findings_view.h"

#define TICKS 300

static int no_table(void *ctx, const struct engine *e)
{
	(void)ctx;
	(void)e;
	return 0;
}

static void add_grid(const struct grid *g, struct buf *to)
{
	size_t i, k;

	for (i = 0; i < g->n_row; i++) {
		for (k = 0; k < g->n_col; k++) {
			buf_add_char(to, '|');
			(void)cell_add_exact(to, g->col[k].quantity,
			    &g->row[i].cell[k]);
		}
		buf_add_char(to, '\n');
	}
}

/* In one pass. */
static void find_all(const struct lab *l, struct buf *to)
{
	const struct range all = { INT64_MIN, INT64_MAX, 0 };
	struct range_result res;
	struct findings *f;
	struct engine e;
	struct grid *g;

	engine_init(&e, SIM_SECOND);
	f = findings_new(&findings_views, &e, &l->source.zone);
	assert_int_equal(cursor_seek(l->source.cursor, l->source.first_ns,
	    NULL), GS_OK);
	assert_int_equal(range_run(&all, l->source.cursor, &e, no_table, NULL,
	    &res, NULL), GS_OK);
	g = findings_grid(f, &e, 0);
	add_grid(g, to);
	grid_free(g);
	findings_free(f);
	engine_release(&e);
}

static void test_a_search_with_pauses_finds_the_same(void **state)
{
	struct buf want = BUF_INIT, got = BUF_INIT;
	struct worst w = { 0 };
	struct grid *g;
	struct lab l;
	size_t pauses = 0;

	(void)state;
	lab_open(&l, 120);
	lab_skip(&l, 60);
	while (l.pushed < TICKS)
		lab_push(&l);
	lab_look(&l, &l.source);
	lab_begin(&l, "sessions");
	find_all(&l, &want);
	worst_begin(&w, &l.source);
	/* no time at all: some ticks each, and others move the cursor */
	for (; worst_step(&w, 0); pauses++)
		(void)lab_type(&l, "T");
	assert_true(w.over && !w.failed);
	assert_true(pauses > 20);
	g = worst_grid(&w);
	add_grid(g, &got);
	assert_true(g->n_row > 0);
	assert_string_equal(buf_str(&got), buf_str(&want));
	grid_free(g);
	worst_release(&w);
	buf_release(&want);
	buf_release(&got);
	lab_close(&l);
}

/* A bucket for each column of the screen. */
static struct strip strip_of(struct timescan *s, struct timescan_point p)
{
	*s = (struct timescan) { .step_ns = SIM_SECOND, .n = 1, .n_done = 1 };
	p.done = true;
	p.ticks = 1;
	s->point[0] = p;
	return (struct strip) { .timescan = s, .last_ns = SIM_SECOND,
		.width = 1, .height = 3, .top = 6, .letters = true };
}

static void column(const struct strip *s, char to[4])
{
	struct strip_bar bar = strip_bar(s, 0);
	size_t i;

	for (i = 0; i < s->height; i++)
		to[i] = *strip_glyph(s, &bar, i);
	to[i] = '\0';
}

static void test_a_bar_is_a_stack(void **state)
{
	struct timescan s;
	struct strip strip = strip_of(&s, (struct timescan_point) {
		.load = { [LOAD_CPU] = 2, [LOAD_LOCK] = 4 } });
	char is[4];

	(void)state;
	column(&strip, is);
	assert_string_equal(is, "LLc");
	/* equals: what waits is seen */
	strip = strip_of(&s, (struct timescan_point) {
		.load = { [LOAD_CPU] = 1, [LOAD_IO] = 1 } });
	column(&strip, is);
	assert_string_equal(is, "  i");
	strip = strip_of(&s, (struct timescan_point) { .busy_percent = 0 });
	column(&strip, is);
	assert_string_equal(is, "   ");
}

static void test_the_figure_suits_what_there_is(void **state)
{
	struct timescan s;
	struct lab l;

	(void)state;
	(void)strip_of(&s, (struct timescan_point) { .load = { 0 } });
	timescan_suit(&s);
	assert_string_equal(timescan_name(&s), "cpu");
	s.point[0].load[LOAD_IO] = 1;
	timescan_suit(&s);
	assert_string_equal(timescan_name(&s), "load");
	lab_open(&l, TICKS);
	/* nobody waited: that is not offered */
	timescan_next_metric(&s, &l.source);
	assert_string_equal(timescan_name(&s), "cpu");
	s.metric = 0;
	s.point[0].waiting = 1;
	timescan_next_metric(&s, &l.source);
	assert_string_equal(timescan_name(&s), "waiting");
	timescan_suit(&s); /* it was chosen */
	assert_string_equal(timescan_name(&s), "waiting");
	lab_close(&l);
}

static void test_scales_are_round(void **state)
{
	static const double figures[][2] = { { 0.3, 0.3 }, { 1, 1 },
		{ 1.2, 2 }, { 4.5, 5 }, { 7, 8 }, { 9, 10 }, { 61, 80 } };
	struct timescan s;
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(figures); i++) {
		(void)strip_of(&s, (struct timescan_point) {
			.load = { figures[i][0] } });
		assert_true(fabs(strip_top(&s) - figures[i][1]) < 1e-9);
	}
}

static bool always(void *ctx)
{
	(void)ctx;
	return true;
}

/* A rule that holds from the first tick to the last. */
static void set_rule(void)
{
	static const char *const lines[][2] = { { "view", "sessions" },
		{ "when", "processes >= 1" }, { "subject", "session" },
		{ "says", "{session} is there" } };
	struct gs_err err;
	size_t i;

	for (i = 0; i < GS_LEN(lines); i++)
		assert_int_equal(finding_rule_set("there", lines[i][0],
		    lines[i][1], &err), GS_OK);
}

/* Each step is interrupted, as by a key. */
static void test_the_list_grows_while_it_is_open(void **state)
{
	bool busy = true;
	struct grid *g;
	struct lab l;
	unsigned n;

	(void)state;
	set_rule();
	lab_open(&l, TICKS);
	lab_begin(&l, "sessions");
	l.source.hurry = always;
	tui_key(l.tui, '!');
	assert_false(l.tui->worst.over);
	for (n = 0; busy && n < 10000; n++)
		(void)tui_idle(l.tui, 0, &busy);
	assert_true(l.tui->worst.over);
	assert_int_equal(l.tui->mode, MODE_MENU);
	g = worst_grid(&l.tui->worst);
	assert_true(g->n_row > 0);
	assert_int_equal(l.tui->menu.n, GS_MIN(g->n_row, (size_t)MENU_MAX));
	grid_free(g);
	l.source.hurry = NULL;
	(void)lab_key(&l, TKEY_ESCAPE);
	lab_close(&l);
	finding_rules_reset();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_search_with_pauses_finds_the_same),
		cmocka_unit_test(test_a_bar_is_a_stack),
		cmocka_unit_test(test_the_figure_suits_what_there_is),
		cmocka_unit_test(test_scales_are_round),
		cmocka_unit_test(test_the_list_grows_while_it_is_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
