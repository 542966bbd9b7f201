/* SPDX-License-Identifier: Apache-2.0 */
#include "view/findings_view.h"

#include <stdlib.h>

#include "cases.h"
#include "findings/findings.h"
#include "findings/rule.h"
#include "simcluster.h"

/* Each rule of findings.def has columns that its view has. */
static void rules_fit(void **state)
{
	const struct finding_rule *r;
	struct gs_err err = { .status = GS_OK };
	size_t i;

	(void)state;
	for (i = 0; (r = finding_rule_at(i)) != NULL; i++) {
		if (findings_check(&findings_views, r, &err) < 0)
			fail_msg("%s: %s", r->name, err.msg);
	}
}

struct wrong_rule {
	const char *name; /* what is wrong */
	struct finding_rule rule;
	const char *want; /* how the message begins */
};

static const struct wrong_rule wrong[] = {
	{ "no view", { .says = "x" }, "expected the name of a view, got none" },
	{ "the overview", { .view = "overview", .says = "x" },
	    "expected the name of a view, got overview" },
	{ "a view of waits", { .view = "waits", .says = "x" },
	    "expected the name of a view, got waits" },
	{ "no expression", { .view = "hosts", .says = "x" },
	    "at character 1: expected a column, got the end" },
	{ "a column", { .view = "hosts", .when = "foo > 1", .says = "x" },
	    "at character 1: no column \"foo\" in hosts" },
	{ "a column of the sentence", { .view = "hosts", .when = "busy > 1",
	    .says = "{foo}" }, "no column \"foo\" in hosts" },
	{ "a subject", { .view = "hosts", .when = "busy > 1", .says = "x",
	    .subject = "host,foo" }, "no column \"foo\" in hosts" },
	{ "no sentence", { .view = "hosts", .when = "busy > 1" },
	    "expected a sentence: says = ..." },
	{ "who of nothing", { .view = "hosts", .when = "busy > 1",
	    .says = "{who.user}" }, "{who...} needs who = VIEW.COLUMN" },
	{ "who without a column", { .view = "hosts", .when = "busy > 1",
	    .says = "x", .who = "sessions" }, "who: expected VIEW.COLUMN" },
	{ "who of no view", { .view = "hosts", .when = "busy > 1",
	    .says = "x", .who = "foo.bar" }, "who: no view foo" },
	{ "until", { .view = "events", .when = "event = a", .says = "x",
	    .until = "foo = 1" }, "at character 1: no column \"foo\"" },
};

static void refuses(void **state)
{
	const struct wrong_rule *row = *state;
	struct gs_err err = { .status = GS_OK };

	assert_int_equal(findings_check(&findings_views, &row->rule, &err),
	    GS_E_USAGE);
	if (strncmp(err.msg, row->want, strlen(row->want)) != 0)
		assert_string_equal(err.msg, row->want);
}

/* A program outside of the database, on a host with one CPU; returns its process. */
static size_t set_up_host(struct simhost *h, uint64_t running)
{
	size_t i = simhost_process(h, OPEN_APPEARED, 700, 1, "gzip");

	SIM_TEXT(h, PROCESS, i, COMM, "gzip");
	SIM_SET(h, i, UID, 0);
	SIM_SET(h, i, STATE, 'R');
	SIM_SET(h, i, CPU, 0);
	SIM_CELL(h, HOST, 0, CPU_USER, 0);
	SIM_CELL(h, HOST, 0, CPU_IDLE, 0);
	SIM_CELL(h, HOST, 0, CPU_IOWAIT, 0);
	SIM_CELL(h, HOST, 0, CPUS, 1);
	SIM_CELL(h, HOST, 0, PROCS_RUNNING, running);
	return i;
}

/* A second: the CPU of mdw is idle, by its own word, that of sdw1 is busy. */
static void step(struct simcluster *c, const size_t work[2], size_t backend)
{
	SIM_ADD(&c->host[0], work[0], CPU, 800000);
	SIM_ADD(&c->host[1], work[1], CPU, 800000);
	SIM_ADD(&c->host[0], backend, CPU, 900000);
	simhost_add(&c->host[0], ENTITY_HOST, 0, COL(HOST, CPU_IDLE), 100);
	simhost_add(&c->host[1], ENTITY_HOST, 0, COL(HOST, CPU_USER), 100);
	simcluster_tick(c);
}

static void expect_says(const struct grid *g, const char *begin)
{
	int says = grid_find_col(g, "what", strlen("what"));
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		if (span_starts(cell_span(&g->row[i].cell[says]), begin))
			return;
	}
	fail_msg("not found: %s", begin);
}

/* What a host does is said of that host, and who is named works there: a program
 * with the same number works on either, and on mdw a session, which uses more. */
static void test_hosts(void **state)
{
	static const char *const hosts[] = { "mdw", "sdw1", NULL };
	struct simcluster c;
	struct findings *f;
	struct grid *g;
	size_t i, work[2], backend;

	(void)state;
	simcluster_init(&c, hosts, false);
	f = findings_new(&findings_views, &c.engine, NULL);
	for (i = 0; i < 2; i++)
		work[i] = set_up_host(&c.host[i], i == 0 ? 0 : 9);
	(void)simcluster_server(&c.host[0], 100, 6000, "/data");
	backend = simcluster_process(&c.host[0], OPEN_APPEARED, 110, 100,
	    "postgres:  6000, bob dw 10.0.0.1(1) con7 cmd3 SELECT");
	simcluster_tick(&c);
	engine_begin(&c.engine, true);
	for (i = 0; i < 15; i++)
		step(&c, work, backend);
	g = findings_grid(f, &c.engine, 0);
	expect_says(g, "gzip (uid 0) on mdw, ");
	expect_says(g, "gzip (uid 0) on sdw1, ");
	expect_says(g, "the CPUs of sdw1, 1, are all busy, 9 tasks runnable; "
	    "most: sid 700 (uid 0, gzip) with 80 %");
	grid_free(g);
	findings_free(f);
	simcluster_release(&c);
}

/* The recorder's clock is set back by an hour: what held before and after is two
 * findings, each with the times of one clock. */
static void test_set_back(void **state)
{
	static const char *const hosts[] = { "mdw", "sdw1", NULL };
	struct simcluster c;
	struct findings *f;
	struct grid *g;
	size_t i, work[2], n = 0;
	int from, to, what, cost;

	(void)state;
	simcluster_init(&c, hosts, false);
	f = findings_new(&findings_views, &c.engine, NULL);
	for (i = 0; i < 2; i++)
		work[i] = set_up_host(&c.host[i], 9);
	simcluster_tick(&c);
	engine_begin(&c.engine, true);
	for (i = 0; i < 30; i++) {
		if (i == 15)
			c.wall_ns -= 3600 * SIM_SECOND;
		step(&c, work, work[0]);
	}
	g = findings_grid(f, &c.engine, 0);
	from = grid_find_col(g, "from", strlen("from"));
	to = grid_find_col(g, "to", strlen("to"));
	what = grid_find_col(g, "what", strlen("what"));
	cost = grid_find_col(g, "cost_seconds", strlen("cost_seconds"));
	for (i = 0; i < g->n_row; i++) {
		const struct cell *cell = g->row[i].cell;

		n += span_starts(cell_span(&cell[what]), "the CPUs of sdw1");
		assert_true(cell[from].i <= cell[to].i);
		assert_true(cell[cost].kind != CELL_REAL ||
		    cell[cost].r >= 0);
	}
	assert_int_equal(n, 2);
	grid_free(g);
	findings_free(f);
	simcluster_release(&c);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "rules fit their views", rules_fit, NULL);
	cases_add(&c, "hosts", test_hosts, NULL);
	cases_add(&c, "the clock is set back", test_set_back, NULL);
	CASES_TABLE(&c, refuses, wrong);
	return cases_run(&c, "findings");
}
