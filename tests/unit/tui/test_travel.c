/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_travel.c - keys that move in time lead to the right tick, and the screen
 * depends on that tick only, not on the keys before.
 */
#include "travel.h"

#define TICKS 300

static void at(const struct lab *l, unsigned second)
{
	assert_int_equal((l->tui->pos_ns - SIM_EPOCH) / SIM_SECOND, second);
}

static void test_ticks(void **state)
{
	struct lab l;

	(void)state;
	lab_open(&l, TICKS);
	lab_begin(&l, "sessions");
	(void)lab_paint(&l);
	at(&l, 299);
	(void)lab_type(&l, "T");
	at(&l, 298);
	(void)lab_type(&l, "TTTTTTTT");
	at(&l, 290);
	(void)lab_type(&l, "ttt");
	at(&l, 293);
	(void)lab_type(&l, "tttttttttt");
	at(&l, 299);
	assert_shows(&l, "this is the last tick");
	lab_close(&l);
}

static void test_moves(void **state)
{
	struct lab l;

	(void)state;
	lab_open(&l, TICKS);
	lab_begin(&l, "sessions");
	(void)lab_type(&l, "[");
	at(&l, 239);
	(void)lab_type(&l, "[");
	at(&l, 179);
	(void)lab_type(&l, "]");
	at(&l, 239);
	(void)lab_type(&l, "{"); /* ten minutes: to the beginning */
	at(&l, 0);
	assert_shows(&l, "the recording begins here");
	(void)lab_type(&l, ")");
	at(&l, 299);
	(void)lab_key(&l, TKEY_HOME);
	at(&l, 60); /* the first window is whole */
	(void)lab_key(&l, TKEY_END);
	at(&l, 299);
	lab_close(&l);
}

static void test_jump(void **state)
{
	struct lab l;

	(void)state;
	lab_open(&l, TICKS);
	lab_begin(&l, "sessions");
	(void)lab_type(&l, "b+1m\r");
	at(&l, 60);
	(void)lab_type(&l, "b-30s\r");
	at(&l, 269);
	(void)lab_type(&l, "bnonsense\r");
	at(&l, 269);
	assert_int_equal(l.tui->mode, MODE_PROMPT); /* to be mended */
	assert_true(l.tui->trouble);
	(void)lab_key(&l, TKEY_ESCAPE);
	assert_int_equal(l.tui->mode, MODE_TABLE);
	lab_close(&l);
}

/* A time of day keeps the date that is shown, where --from takes the
 * recording's first. */
static void test_a_bare_time_keeps_the_date(void **state)
{
	struct lab l;
	struct civil c;
	char text[40];

	(void)state;
	lab_open(&l, 100);
	lab_skip(&l, 86400);
	lab_push(&l);
	lab_push(&l);
	lab_look(&l, &l.source);
	lab_begin(&l, "sessions");
	c = zone_to_civil(&l.source.zone, l.source.last_ns - SIM_SECOND);
	(void)snprintf(text, sizeof(text), "b%02d:%02d:%02d\r", c.hour,
	    c.minute, c.second);
	(void)lab_type(&l, text);
	assert_int_equal(l.tui->pos_ns, l.source.last_ns - SIM_SECOND);
	lab_close(&l);
}

static void test_events(void **state)
{
	struct lab l;

	(void)state;
	lab_open(&l, TICKS);
	lab_begin(&l, "sessions");
	(void)lab_key(&l, TKEY_HOME);
	(void)lab_type(&l, "n");
	at(&l, 150);
	assert_shows(&l, "mark 150");
	(void)lab_type(&l, "n");
	at(&l, 250);
	(void)lab_type(&l, "N");
	at(&l, 150);
	(void)lab_type(&l, "N");
	at(&l, 50);
	lab_close(&l);
}

static int count(struct span line, char c)
{
	int n = 0;

	for (; line.ptr < line.end; line.ptr++)
		n += *line.ptr == c;
	return n;
}

static void test_a_hole_is_gone_to_and_shown(void **state)
{
	struct lab l;

	(void)state;
	lab_open(&l, 120);
	lab_skip(&l, 60);
	while (l.pushed < TICKS)
		lab_push(&l);
	lab_look(&l, &l.source);
	lab_begin(&l, "sessions");
	(void)lab_type(&l, "b+2m30s\r");
	at(&l, 150);
	lab_idle(&l);
	(void)lab_type(&l, "-");
	assert_shows(&l, "nothing was recorded in this window");
	(void)lab_type(&l, "t");
	at(&l, 180);
	/* 60 of 300 seconds, on the line of time */
	assert_int_equal(count(lab_line(&l, "load   40"), '/'), 13);
	lab_close(&l);
}

static void test_windows(void **state)
{
	struct lab l;

	(void)state;
	lab_open(&l, TICKS);
	lab_begin(&l, "sessions");
	assert_int_equal(l.tui->window_ns, 60 * SIM_SECOND);
	(void)lab_type(&l, "+");
	assert_int_equal(l.tui->window_ns, 120 * SIM_SECOND);
	(void)lab_type(&l, "+++");
	assert_int_equal(l.tui->window_ns, 299 * SIM_SECOND);
	(void)lab_type(&l, "---------------");
	assert_int_equal(l.tui->window_ns, SIM_SECOND);
	lab_close(&l);
}

/* Windows that end together fill a screen that grows, too. */
static void test_windows_of_a_larger_screen(void **state)
{
	struct lab l;

	(void)state;
	lab_open(&l, TICKS);
	lab_begin(&l, "processes");
	(void)lab_key(&l, 'W');
	(void)lab_key(&l, TKEY_CTRL('u'));
	(void)lab_type(&l, "30s,1m\n");
	assert_int_equal(l.tui->shot.n_window, 2);
	l.height = 50;
	(void)lab_paint(&l);
	assert_int_equal(l.tui->shot.room, l.tui->tall);
	l.width = 200;
	(void)lab_paint(&l);
	assert_int_equal(l.tui->shot.width, 199);
	lab_close(&l);
}

static void click(struct lab *l, size_t x, size_t y, size_t to_x)
{
	tui_mouse(l->tui, &(struct tui_mouse) { MOUSE_PRESS, x, y });
	tui_mouse(l->tui, &(struct tui_mouse) { MOUSE_RELEASE, to_x, y });
	(void)lab_paint(l);
}

/* The number of the line of the screen that has a text. */
static size_t line_of(const struct lab *l, const char *text)
{
	const char *p = buf_str(&l->text), *end = strstr(p, text);
	size_t n = 0;

	assert_non_null(end);
	for (; p < end; p++)
		n += *p == '\n';
	return n;
}

static void test_mouse_on_the_line_of_time(void **state)
{
	struct lab l;

	(void)state;
	lab_open(&l, TICKS);
	lab_begin(&l, "sessions");
	(void)lab_paint(&l);
	click(&l, 45, 2, 45); /* the middle of 70 columns from the 10th on */
	at(&l, 152);
	click(&l, 24, 2, 44); /* a drag: from 20 % to 50 % */
	at(&l, 149);
	assert_int_equal(l.tui->window_ns / SIM_SECOND, 89);
	click(&l, 44, 3, 24); /* in any direction */
	at(&l, 149);
	tui_mouse(l.tui, &(struct tui_mouse) { MOUSE_WHEEL_UP, 44, 2 });
	assert_int_equal(l.tui->window_ns, 60 * SIM_SECOND);
	click(&l, 3, 2, 3); /* its name is no time */
	at(&l, 149);
	click(&l, 500, 900, 900); /* nowhere */
	lab_close(&l);
}

static void test_mouse_on_the_table(void **state)
{
	struct lab l;
	size_t head;

	(void)state;
	lab_open(&l, TICKS);
	lab_begin(&l, "processes");
	(void)lab_paint(&l);
	head = line_of(&l, "STATE");
	click(&l, 20, head + 4, 20);
	assert_int_equal(tui_level(l.tui)->row, 3);
	tui_mouse(l.tui, &(struct tui_mouse) { MOUSE_WHEEL_DOWN, 20, head });
	assert_int_equal(tui_level(l.tui)->row, 6);
	click(&l, 1, head, 1);
	assert_shows(&l, "by pid");
	click(&l, 1, head, 1);
	assert_shows(&l, "by +pid");
	click(&l, 20, head - 1, 20); /* nothing is there */
	assert_shows(&l, "by +pid");
	(void)lab_type(&l, "?");
	tui_mouse(l.tui, &(struct tui_mouse) { MOUSE_WHEEL_DOWN, 1, 9 });
	assert_int_equal(l.tui->scroll, 1);
	lab_close(&l);
}

/* Whoever comes to a tick by steps sees what the one sees who jumps. */
static void test_stepping_equals_seeking(void **state)
{
	const char *view = *state;
	struct lab l;
	char *stepped;

	lab_open(&l, TICKS);
	lab_begin(&l, view);
	lab_idle(&l);
	(void)lab_type(&l, "[[TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTttttt");
	(void)lab_key(&l, TKEY_CTRL('l')); /* no message of a step */
	stepped = gs_strdup(buf_str(&l.text));
	at(&l, 154);
	lab_begin(&l, view);
	lab_idle(&l);
	(void)lab_type(&l, "b+154s\r");
	(void)lab_key(&l, TKEY_CTRL('l'));
	assert_string_equal(buf_str(&l.text), stepped);
	free(stepped);
	lab_close(&l);
}

static void test_live_begins_with_one_sample(void **state)
{
	struct lab l;
	bool busy;

	(void)state;
	lab_open(&l, 1);
	l.source.grows = true;
	l.source.refresh = lab_look;
	l.source.ctx = &l;
	lab_begin(&l, "events");
	(void)lab_paint(&l);
	assert_shows(&l, "waiting for the next sample");
	lab_push(&l);
	(void)tui_idle(l.tui, SIM_SECOND, &busy);
	(void)lab_paint(&l);
	assert_shows(&l, "nothing to show");
	lab_close(&l);
}

static void test_why_nothing_is_shown(void **state)
{
	struct lab l;

	(void)state;
	lab_open(&l, 3);
	lab_begin(&l, "pgstatements");
	(void)lab_paint(&l);
	assert_shows(&l, "nothing to show: pgstatements: not recorded: the "
	    "database");
	lab_close(&l);
	lab_open(&l, 3);
	lab_begin(&l, "threads");
	(void)lab_paint(&l);
	assert_shows(&l, "nothing to show: threads: no thread was recorded in this "
	    "range");
	lab_close(&l);
}

static void test_live_goes_on_behind_a_pause(void **state)
{
	struct lab l;
	bool busy;

	(void)state;
	lab_open(&l, 100);
	l.source.grows = true;
	l.source.refresh = lab_look;
	l.source.ctx = &l;
	lab_begin(&l, "sessions");
	(void)lab_paint(&l);
	assert_shows(&l, "live");
	assert_int_equal(l.tui->window_ns, SIM_SECOND);
	lab_push(&l);
	(void)tui_idle(l.tui, SIM_SECOND, &busy);
	at(&l, 100);
	(void)lab_type(&l, " ");
	assert_shows(&l, "paused");
	lab_push(&l);
	(void)tui_idle(l.tui, 2 * SIM_SECOND, &busy);
	at(&l, 100);
	(void)lab_type(&l, "z");
	at(&l, 101);
	assert_shows(&l, "live");
	lab_close(&l);
}

/* "3": the window three minutes before; "3h": half of it. */
static int minutes_before(void *ctx, const char *text,
	const struct range *window, struct range *ret, struct gs_err *err)
{
	int64_t by_ns = atoi(text) * 60 * SIM_SECOND;

	(void)ctx;
	if (by_ns <= 0)
		return gs_fail(err, GS_E_USAGE, "no minutes");
	*ret = (struct range) { window->from_ns - by_ns,
		window->to_ns - by_ns, 0 };
	if (strchr(text, 'h')) /* the first half of it */
		ret->to_ns -= (ret->to_ns - ret->from_ns) / 2;
	return GS_OK;
}

/* Beside another range, on a way there and back; not where nothing is. */
static void test_beside(void **state)
{
	struct buf was = BUF_INIT;
	struct lab l;

	(void)state;
	lab_open(&l, TICKS);
	lab_begin(&l, "hosts");
	(void)lab_type(&l, "D3\n");
	assert_shows(&l, "nothing can be compared here");
	assert_shows(&l, "compare with");
	(void)lab_key(&l, TKEY_ESCAPE);
	l.source.baseline = minutes_before;
	(void)lab_type(&l, "Dx\n");
	assert_shows(&l, "no minutes");
	assert_shows(&l, "compare with");
	(void)lab_key(&l, TKEY_ESCAPE);
	assert_hides(&l, "WAS");
	(void)lab_type(&l, "D3\n");
	assert_shows(&l, "beside 3");
	assert_hides(&l, "scaled"); /* as long */
	assert_shows(&l, "WAS");
	buf_add_str(&was, buf_str(&l.text));
	(void)lab_type(&l, "T");
	assert_string_equal(lab_type(&l, "t") + strcspn(buf_str(&l.text), "\n"),
	    buf_str(&was) + strcspn(buf_str(&was), "\n"));
	(void)lab_key(&l, 'D');
	(void)lab_key(&l, TKEY_CTRL('u'));
	(void)lab_type(&l, "3h\n");
	assert_shows(&l, "beside 3h, amounts scaled by 2");
	(void)lab_key(&l, 'D');
	(void)lab_key(&l, TKEY_CTRL('u'));
	(void)lab_type(&l, "3\n");
	(void)lab_type(&l, "[[["); /* two minutes after the first tick */
	assert_shows(&l, "nothing recorded");
	assert_hides(&l, "WAS");
	(void)lab_type(&l, "]]]9");
	assert_shows(&l, "not beside 3"); /* events have no figures */
	(void)lab_type(&l, "5D");
	(void)lab_key(&l, TKEY_CTRL('u'));
	(void)lab_type(&l, "\n");
	assert_hides(&l, "WAS");
	assert_hides(&l, "beside");
	buf_release(&was);
	lab_close(&l);
}

int main(void)
{
	static const struct {
		const char *name;
		CMUnitTestFunction fn;
	} tests[] = {
		{ "ticks", test_ticks },
		{ "moves", test_moves },
		{ "mouse on the line of time", test_mouse_on_the_line_of_time },
		{ "mouse on the table", test_mouse_on_the_table },
		{ "jump", test_jump },
		{ "a bare time keeps the date",
		    test_a_bare_time_keeps_the_date },
		{ "events", test_events },
		{ "a hole is gone to and shown",
		    test_a_hole_is_gone_to_and_shown },
		{ "windows", test_windows },
		{ "windows of a larger screen",
		    test_windows_of_a_larger_screen },
		{ "live begins with one sample",
		    test_live_begins_with_one_sample },
		{ "why nothing is shown", test_why_nothing_is_shown },
		{ "live goes on after a pause",
		    test_live_goes_on_behind_a_pause },
		{ "beside another range", test_beside },
	};
	struct cases c = { .n = 0 };
	size_t i;

	for (i = 0; i < GS_LEN(tests); i++)
		cases_add(&c, tests[i].name, tests[i].fn, NULL);
	for (i = 0; view_at(i); i++)
		cases_add(&c, view_at(i), test_stepping_equals_seeking,
		    view_at(i));
	return cases_run(&c, "travel");
}
