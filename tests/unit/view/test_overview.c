/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The overview of a range: notes on data for which there is no room.
 */
#include "cases.h"
#include "model/tick_encoder.h"
#include "simlife.h"
#include "view/overview.h"

#define HOSTS 400

struct seen {
	size_t n, connecting;
	bool reboot, down, more;
};

static bool is(const struct grid *g, size_t row, const char *text)
{
	const struct cell *c = &g->row[row].cell[1];

	return c->kind == CELL_TEXT && span_eq(cell_span(c), text);
}

static bool look(void *ctx, struct grid *g)
{
	struct seen *s = ctx;
	size_t i;

	if (strcmp(g->name, "events") != 0)
		return true;
	for (i = 0; i < g->n_row; i++) {
		const struct cell *c = g->row[i].cell;

		s->n++;
		s->connecting += is(g, i, "connecting");
		s->reboot = s->reboot || is(g, i, "reboot");
		s->down = s->down || is(g, i, "host down");
		s->more = s->more || span_eq(cell_span(&c[3]),
		    "and 382 more: -V events");
		if (i > 0 && c[0].kind == CELL_INT)
			assert_true(c[0].i >= g->row[i - 1].cell[0].i);
	}
	return true;
}

/* 400 hosts connect; then one is lost, and one boots. */
static void test_hosts_that_connect_hide_nothing(void **state)
{
	struct tick_encoder *m = encoder_new(header_new());
	struct overview *o;
	struct simlife life;
	struct seen s = { 0 };
	struct engine e;
	size_t i;

	(void)state;
	simlife_init(&life, "alpha", 7, 12);
	engine_init(&e, SIM_SECOND);
	o = overview_open(&e, 2 * SIM_SECOND, 2 * SIM_SECOND, NULL, NULL);
	for (i = 0; i < 2; i++) {
		int64_t wall = SIM_EPOCH + (int64_t)i * SIM_SECOND;
		size_t k;

		simlife_step(&life, SIM_SECOND);
		encoder_begin(m, wall);
		encoder_block(m, 0, life.host.world);
		for (k = 0; i == 0 && k < HOSTS; k++)
			encoder_event(m, EVENT_HOST_CONNECTING, wall, 0, 0, "");
		if (i == 1) {
			encoder_event(m, EVENT_HOST_DOWN, wall, 0, 0, "gone");
			encoder_event(m, EVENT_REBOOT, wall, 0, 0, "");
		}
		assert_int_equal(engine_tick(&e, encoder_end(m), NULL), GS_OK);
		if (i == 0)
			engine_begin(&e, true);
	}
	assert_true(overview_show(o, &e, look, &s));
	assert_int_equal(s.n, 21);
	assert_int_equal(s.connecting, 18);
	assert_true(s.reboot);
	assert_true(s.down);
	assert_true(s.more);
	overview_close(o);
	engine_release(&e);
	simlife_release(&life);
	encoder_free(m);
}

/* By the length of a table and of all of them. */
static const struct {
	const char *name;
	int64_t length_s, whole_s;
	bool looked; /* for findings */
} length_cases[] = {
	{ "an hour", 3600, 3600, true },
	{ "a day", 86400, 86400, false },
	{ "a day by the hour", 3600, 86400, false },
	{ "an hour by the minute", 60, 3600, true },
	{ "not known", 0, 0, true },
};

static bool note_findings(void *ctx, struct grid *g)
{
	const char **title = ctx;

	if (strcmp(g->name, "findings") == 0)
		*title = strstr(g->title, "not looked for") ? "not looked for" : "";
	return true;
}

static void test_length(void **state)
{
	const __typeof__(length_cases[0]) *c = *state;
	const char *title = NULL;
	struct overview *o;
	struct engine e;

	engine_init(&e, SIM_SECOND);
	e.gists = true;
	o = overview_open(&e, c->length_s * SIM_SECOND, c->whole_s * SIM_SECOND, NULL,
	    NULL);
	assert_int_equal(e.gists, !c->looked);
	assert_true(overview_show(o, &e, note_findings, &title));
	assert_string_equal(title, c->looked ? "" : "not looked for");
	overview_close(o);
	engine_release(&e);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, test_length, length_cases);
	cases_add(&c, "hosts that connect hide nothing",
	    test_hosts_that_connect_hide_nothing, NULL);
	return cases_run(&c, "overview");
}
