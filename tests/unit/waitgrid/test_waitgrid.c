/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of waits: ten seconds of four backends, line by line.
 *
 * 10 reads from a disk for 4 s and computes for 6; 11 waits for a lock all the
 * time; 12 is idle in a transaction; 13 is the checkpointer, idle.
 */
#include <stdio.h>

#include "base/compiler.h"
#include "cases.h"
#include "simhost.h"
#include "waitgrid/waitgrid.h"

#define B(sym) COL(BACKEND, sym)

static size_t backend(struct simhost *h, uint64_t pid, const char *type,
	const char *state, const char *class, const char *event)
{
	size_t i = simhost_open(h, ENTITY_BACKEND, OPEN_APPEARED);

	simhost_set(h, ENTITY_BACKEND, i, B(CONTENT), (uint64_t)-1);
	simhost_set(h, ENTITY_BACKEND, i, B(PID), pid);
	simhost_set_text(h, ENTITY_BACKEND, i, B(TYPE), type);
	simhost_set_text(h, ENTITY_BACKEND, i, B(STATE), state);
	simhost_set_text(h, ENTITY_BACKEND, i, B(USER), "app");
	simhost_set_text(h, ENTITY_BACKEND, i, B(DATABASE), "shop");
	if (class) {
		simhost_set_text(h, ENTITY_BACKEND, i, B(WAIT_TYPE), class);
		simhost_set_text(h, ENTITY_BACKEND, i, B(WAIT_EVENT), event);
	}
	return i;
}

/* The last seconds; busy: the server's own processes are active, too. */
static struct waits *seconds_of(unsigned by, int last, bool busy)
{
	struct waits *s = waits_new(by, SIM_SECOND, NULL, NULL);
	struct simhost h;
	size_t collector, a;
	int i;

	simhost_init(&h, "catalog");
	simhost_close(&h, ENTITY_HOST, 0, CLOSE_LEFT);
	simhost_set(&h, ENTITY_CLUSTER, simhost_open(&h, ENTITY_CLUSTER,
	    OPEN_APPEARED), COL(CLUSTER, START), 1);
	collector = simhost_open(&h, ENTITY_COLLECTOR, OPEN_APPEARED);
	simhost_set_text(&h, ENTITY_COLLECTOR, collector,
	    COL(COLLECTOR, NAME), "activity");
	a = backend(&h, 10, "client backend", "active", "IO",
	    "DataFileRead");
	simhost_set_text(&h, ENTITY_BACKEND, a, B(QUERY), "SELECT a");
	simhost_set_text(&h, ENTITY_BACKEND, backend(&h, 11,
	    "client backend", "active", "Lock", "relation"), B(QUERY),
	    "SELECT b");
	(void)backend(&h, 12, "client backend", "idle in transaction",
	    "Client", "ClientRead");
	(void)backend(&h, 13, "checkpointer", "", "Activity",
	    "CheckpointerMain");
	if (busy) {
		(void)backend(&h, 14, "autovacuum worker", "active", NULL,
		    NULL);
		(void)backend(&h, 15, "walwriter", "", "IO", "WALWrite");
		(void)backend(&h, 16, "io worker", "", "IO", "DataFileRead");
	}
	for (i = 0; i <= 10; i++) {
		if (i == 5) {
			simhost_unset(&h, ENTITY_BACKEND, a, B(WAIT_TYPE));
			simhost_unset(&h, ENTITY_BACKEND, a, B(WAIT_EVENT));
		}
		simhost_set(&h, ENTITY_COLLECTOR, collector,
		    COL(COLLECTOR, LAST),
		    (uint64_t)((h.clock.wall_ns + SIM_SECOND) / 1000));
		simhost_tick(&h, SIM_SECOND);
		waits_tick(s, h.world, NULL);
		if (i == 10 - last)
			waits_restart(s, false);
	}
	simhost_release(&h);
	return s;
}

static struct waits *seconds(unsigned by, int last)
{
	return seconds_of(by, last, false);
}

/* "a|~1.5|-" per row. */
static char *as_text(const struct grid *g)
{
	struct buf b = BUF_INIT;
	size_t i, k;

	for (i = 0; i < g->n_row; i++) {
		for (k = 0; k < g->n_col; k++) {
			const struct cell *c = &g->row[i].cell[k];

			if (k > 0)
				buf_add_char(&b, '|');
			if (c->mark)
				buf_add_char(&b, c->mark);
			if (c->kind == CELL_TEXT)
				buf_add(&b, c->text, c->len);
			else if (c->kind == CELL_INT)
				buf_printf(&b, "%lld", (long long)c->i);
			else if (c->kind == CELL_REAL)
				buf_printf(&b, "%g", c->r);
			else
				buf_add_char(&b, '-');
		}
		buf_add_char(&b, '\n');
	}
	buf_add_char(&b, '\0');
	return b.ptr;
}

struct line {
	const char *name;
	enum wait_table table;
	struct wait_ask ask;
	const char *want;
};

static const struct line rows[] = {
	{ "time model", WAIT_TIME_MODEL, WAIT_ASK_INIT,
	    "DB time|~20|~100|~2|-|-\n"
	    "CPU*|~6|~30|~0.6|-|6\n"
	    "Lock|~10|~50|~1|-|10\n"
	    "  Lock:relation|~10|~50|~1|-|10\n"
	    "IO|~4|~20|~0.4|-|4\n"
	    "  IO:DataFileRead|~4|~20|~0.4|-|4\n"
	    "(IdleTx)|~10|-|~1|-|10\n"
	    "(Activity)|~10|-|~1|-|10\n" },
	{ "time model of one class", WAIT_TIME_MODEL,
	    { .classes = "IO", .top = 0, .min_percent = -1 },
	    "DB time|~20|~100|~2|-|-\n"
	    "IO|~4|~20|~0.4|-|4\n" },
	{ "time model of one backend", WAIT_TIME_MODEL,
	    { .pid = 10, .top = 3, .min_percent = -1 },
	    "DB time|~10|~100|~1|-|-\n"
	    "CPU*|~6|~60|~0.6|-|6\n"
	    "IO|~4|~40|~0.4|-|4\n"
	    "  IO:DataFileRead|~4|~40|~0.4|-|4\n" },
	{ "time model without what is little", WAIT_TIME_MODEL,
	    { .top = 3, .min_percent = 25 },
	    "DB time|~20|~100|~2|-|-\n"
	    "CPU*|~6|~30|~0.6|-|6\n"
	    "Lock|~10|~50|~1|-|10\n"
	    "  Lock:relation|~10|~50|~1|-|10\n"
	    "IO|~4|~20|~0.4|-|4\n"
	    "(IdleTx)|~10|-|~1|-|10\n"
	    "(Activity)|~10|-|~1|-|10\n" },
	{ "one screen", WAIT_SCREEN, WAIT_ASK_INIT,
	    "all|DB time|~20|~100|~2|-|-\n"
	    "class|CPU*|~6|~30|~0.6|-|6\n"
	    "class|Lock|~10|~50|~1|-|10\n"
	    "class|IO|~4|~20|~0.4|-|4\n"
	    "idle|(IdleTx)|~10|-|~1|-|10\n"
	    "event|Lock:relation|~10|~50|~1|-|10\n"
	    "event|IO:DataFileRead|~4|~20|~0.4|-|4\n"
	    "session|10 app, most: CPU*|~10|~50|~1|-|10\n"
	    "session|11 app, most: Lock:relation|~10|~50|~1|-|10\n" },
	{ "events", WAIT_SYSTEM_EVENT, WAIT_ASK_INIT,
	    "Lock:relation|~10|~50|-|~1|-|10|>1|>9\n"
	    "CPU*|~6|~30|-|~0.6|-|6|>1|>5\n"
	    "IO:DataFileRead|~4|~20|-|~0.4|-|4|>1|>3\n" },
	{ "events that matter", WAIT_SYSTEM_EVENT,
	    { .min_percent = 25 },
	    "Lock:relation|~10|~50|-|~1|-|10|>1|>9\n"
	    "CPU*|~6|~30|-|~0.6|-|6|>1|>5\n" },
	{ "events of two classes", WAIT_SYSTEM_EVENT,
	    { .classes = "IO,CPU*" },
	    "CPU*|~6|~30|-|~0.6|-|6|>1|>5\n"
	    "IO:DataFileRead|~4|~20|-|~0.4|-|4|>1|>3\n" },
	{ "backends", WAIT_SESSION_EVENT, WAIT_ASK_INIT,
	    "10|10|-1|client backend|app|shop|-|~10|~50|~60|~40|-|-|-|"
	    "IO:DataFileRead\n"
	    "11|11|-1|client backend|app|shop|-|~10|~50|~0|~100|-|-|-|"
	    "Lock:relation\n" },
	{ "events of a backend, CPU among them", WAIT_SESSION_EVENT,
	    { .pid = 10 },
	    "CPU*|~6|~60|-|~0.6|-|6|>1|>5\n"
	    "IO:DataFileRead|~4|~40|-|~0.4|-|4|>1|>3\n" },
	{ "events of a session", WAIT_SESSION_EVENT, { .session = "11" },
	    "Lock:relation|~10|~100|-|~1|-|10|>1|>9\n" },
	{ "queries", WAIT_QUERY_EVENT, WAIT_ASK_INIT,
	    "-|Lock:relation|~10|~50|~100|~100|-|>1|SELECT b\n"
	    "-|CPU*|~6|~30|~100|~60|-|>1|SELECT a\n"
	    "-|IO:DataFileRead|~4|~20|~100|~40|-|>1|SELECT a\n" },
	{ "queries of an event", WAIT_QUERY_EVENT, { .event = "CPU*" },
	    "-|CPU*|~6|~30|~100|~60|-|>1|SELECT a\n" },
	{ "events of a query, CPU among them", WAIT_QUERY_EVENT,
	    { .query_id = "SELECT a" },
	    "CPU*|~6|~30|~60|~0.6|-|6|>1|>5\n"
	    "IO:DataFileRead|~4|~20|~40|~0.4|-|4|>1|>3\n" },
	{ "lengths", WAIT_HISTOGRAM, { .event = "Lock:relation" },
	    "Lock:relation|7|16|1|100|100|"
	    "##################################################\n" },
	{ "now", WAIT_ACTIVE, WAIT_ASK_INIT,
	    "10|10|-1|on cpu|-|-|>5|-|~10|client backend|app|shop|SELECT a\n"
	    "11|11|-1|waiting|Lock:relation|-|>10|-|~10|client backend|app|shop|"
	    "SELECT b\n"
	    "12|12|-1|idle in tx|-|-|>10|-|~0|client backend|app|shop|-\n" },
};

static void test_table(void **state)
{
	const struct line *row = *state;
	struct waits *s = seconds(waitgrid_by(row->table,
	    &row->ask), 10);
	const struct wait_window w = { .waits = s, .filled = true };
	struct grid *g = waitgrid_new(row->table, &w, 1, &row->ask);
	char *text = as_text(g);

	assert_string_equal(text, row->want);
	assert_float_equal(g->covered_s, 10, 1e-9);
	free(text);
	grid_free(g);
	waits_free(s);
}

/* The last 5 s, the last 10, and the last 20, of which only 10 are known. */
struct beside_case {
	const char *name;
	enum wait_table table;
	struct wait_ask ask;
	const char *titles, *want;
};

static const struct beside_case besides[] = {
	{ "windows of the time model", WAIT_TIME_MODEL, WAIT_ASK_INIT,
	    "STAT|LAST 5s|DB%|LAST 10s|DB%|LAST 20s|DB%",
	    "DB time|~10|~100|~20|~100|-|-\n"
	    "CPU*|~5|~50|~6|~30|-|-\n"
	    "Lock|~5|~50|~10|~50|-|-\n"
	    "  Lock:relation|~5|~50|~10|~50|-|-\n"
	    "IO|~0|~0|~4|~20|-|-\n"
	    "  IO:DataFileRead|~0|~0|~4|~20|-|-\n"
	    "(IdleTx)|~5|-|~10|-|-|-\n"
	    "(Activity)|~5|-|~10|-|-|-\n" },
	{ "windows of what is much in one of them", WAIT_TIME_MODEL,
	    { .top = 3, .min_percent = 20 },
	    "STAT|LAST 5s|DB%|LAST 10s|DB%|LAST 20s|DB%",
	    "DB time|~10|~100|~20|~100|-|-\n"
	    "CPU*|~5|~50|~6|~30|-|-\n"
	    "Lock|~5|~50|~10|~50|-|-\n"
	    "  Lock:relation|~5|~50|~10|~50|-|-\n"
	    "IO|~0|~0|~4|~20|-|-\n"
	    "  IO:DataFileRead|~0|~0|~4|~20|-|-\n"
	    "(IdleTx)|~5|-|~10|-|-|-\n"
	    "(Activity)|~5|-|~10|-|-|-\n" },
	{ "windows of a backend", WAIT_SESSION_EVENT, { .pid = 10 },
	    "EVENT|LAST 5s|DB%|LAST 10s|DB%|LAST 20s|DB%",
	    "CPU*|~5|~100|~6|~60|-|-\n"
	    "IO:DataFileRead|~0|~0|~4|~40|-|-\n" },
	{ "windows of lengths", WAIT_HISTOGRAM, { .event = "Lock:relation" },
	    "EVENT|LONGER|SHORTER|LAST 5s|%|LAST 10s|%|LAST 20s|%",
	    "Lock:relation|3|8|1|100|0|0|-|-\n"
	    "Lock:relation|7|16|0|0|1|100|-|-\n" },
};

static void test_beside(void **state)
{
	const struct beside_case *c = *state;
	unsigned by = waitgrid_by(c->table, &c->ask);
	struct waits *last5 = seconds(by, 5), *last10 = seconds(by, 10);
	struct waits *last20 = seconds(by, 10);
	const struct wait_window w[] = {
		{ last5, 5, 10, 5 * SIM_SECOND, true },
		{ last10, 0, 10, 10 * SIM_SECOND, true },
		{ last20, 0, 10, 20 * SIM_SECOND, false },
	};
	struct grid *g = waitgrid_new(c->table, w, 3, &c->ask);
	char *text = as_text(g);
	struct buf titles = BUF_INIT;
	size_t i;

	assert_true(waitgrid_beside(c->table, &c->ask));
	for (i = 0; i < g->n_col; i++)
		buf_printf(&titles, "%s%s", i ? "|" : "", g->col[i].title);
	assert_string_equal(buf_str(&titles), c->titles);
	assert_string_equal(text, c->want);
	buf_release(&titles);
	free(text);
	grid_free(g);
	waits_free(last5);
	waits_free(last10);
	waits_free(last20);
}

static void test_whose_time_it_is(void **state)
{
	static const struct wait_ask ask = { .top = 0, .min_percent = -1 };
	struct waits *s = seconds_of(0, 10, true);
	const struct wait_window w = { .waits = s, .filled = true };
	struct grid *g = waitgrid_new(WAIT_TIME_MODEL, &w, 1, &ask);
	char *text = as_text(g);

	(void)state;
	assert_string_equal(text,
	    "DB time|~40|~100|~4|-|-\n"
	    "  of clients|~20|~50|~2|-|-\n"
	    "  of autovacuum|~10|~25|~1|-|-\n"
	    "  of other processes|~10|~25|~1|-|-\n"
	    "(IO workers)|~10|-|~1|-|-\n"
	    "CPU*|~16|~40|~1.6|-|16\n"
	    "IO|~14|~35|~1.4|-|14\n"
	    "Lock|~10|~25|~1|-|10\n"
	    "(IdleTx)|~10|-|~1|-|10\n"
	    "(Activity)|~10|-|~1|-|10\n");
	free(text);
	grid_free(g);
	waits_free(s);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_table, rows);
	CASES_TABLE(&c, test_beside, besides);
	cases_add(&c, "whose time it is", test_whose_time_it_is, NULL);
	return cases_run(&c, "waitgrid");
}
