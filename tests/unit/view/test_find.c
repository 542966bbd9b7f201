/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a condition held: intervals, their edges, holes, hosts that do not
 * answer.
 */
#include "view/find.h"

#include <string.h>

#include "cases.h"
#include "query/sort.h"
#include "query/view_key.h"
#include "simcluster.h"

#define HZ 100

struct lab {
	struct simcluster c;
	struct find *find;
	size_t backend[2]; /* of con7, on either host */
};

static void set_up(struct lab *l, const char *text)
{
	static const char *const hosts[] = { "mdw", "sdw1", NULL };
	static const struct view_ask plain = VIEW_ASK_INIT;
	const char *view = NULL;
	struct gs_err err;
	size_t i;

	simcluster_init(&l->c, hosts, false);
	for (i = 0; i < 2; i++) {
		struct simhost *h = &l->c.host[i];

		(void)simcluster_server(h, 100, 6000, "/data");
		l->backend[i] = simcluster_process(h, OPEN_APPEARED, 110, 100,
		    i == 0 ? "postgres:  6000, bob dw 10.0.0.1(1) con7 cmd3 "
		        "SELECT"
		    : "postgres:  6000, bob dw 10.0.0.1(1) con7 seg0 cmd3 "
		        "slice1 MPPEXEC SELECT");
		simhost_set(h, ENTITY_HOST, 0, COL(HOST, CPU_USER), 0);
		simhost_set(h, ENTITY_HOST, 0, COL(HOST, CPU_IDLE), 0);
	}
	if (find_view(text, NULL, &view, &err) < 0 ||
	    find_new(text, view_find(view), &plain, NULL, &l->find, &err) < 0)
		fail_msg("%s", err.msg);
	find_open(l->find, &l->c.engine, false);
	simcluster_tick(&l->c);
	engine_begin(&l->c.engine, true);
}

static void tear_down(struct lab *l)
{
	simcluster_release(&l->c);
	find_free(l->find);
}

/* busy: percent of one CPU that each host, and con7's process on it, uses in
 * the second. */
static void step(struct lab *l, unsigned busy0, unsigned busy1)
{
	unsigned busy[2] = { busy0, busy1 };
	size_t i;

	for (i = 0; i < 2; i++) {
		struct simhost *h = &l->c.host[i];

		simhost_add(h, ENTITY_HOST, 0, COL(HOST, CPU_USER),
		    busy[i] * HZ / 100);
		simhost_add(h, ENTITY_HOST, 0, COL(HOST, CPU_IDLE),
		    (100 - busy[i]) * HZ / 100);
		SIM_ADD(h, l->backend[i], CPU, busy[i] * UINT64_C(10000));
	}
	for (i = 0; i < 2; i++) {
		/* its clock continues */
		if (l->c.absent[i]) {
			l->c.host[i].clock.mono_ns += SIM_SECOND;
			l->c.host[i].clock.boot_ns += SIM_SECOND;
		}
	}
	simcluster_tick(&l->c);
}

static void end_table(struct lab *l)
{
	find_take(l->find, &l->c.engine);
	engine_restart(&l->c.engine);
}

/* Samples of a host's load, a letter each: a is 0 %, b 10 %, k 100 %; "-": the
 * host does not answer; "|": a hole of 5 s before the next; "<": the recorder's clock is
 * set back by 100 s before it. */
static void run(struct lab *l, const char *host0, const char *host1)
{
	for (; *host0; host0++, host1++) {
		if (*host0 == '<') {
			l->c.wall_ns -= 100 * SIM_SECOND;
			continue;
		}
		if (*host0 == '|') {
			struct cursor_gap gap = { .from_ns = l->c.wall_ns,
				.to_ns = l->c.wall_ns + 5 * SIM_SECOND,
				.why = "lost" };

			engine_gap(&l->c.engine, &gap);
			encoder_need_key(l->c.encoder);
			l->c.wall_ns += 4 * SIM_SECOND;
			continue;
		}
		l->c.absent[0] = *host0 == '-';
		l->c.absent[1] = *host1 == '-';
		step(l, *host0 == '-' ? 0 : (unsigned)(*host0 - 'a') * 10,
		    *host1 == '-' ? 0 : (unsigned)(*host1 - 'a') * 10);
		end_table(l);
	}
}

/* "FROM-TO LABEL PEAK@AT (CUT)" of each interval, seconds after the first
 * sample. */
static void describe(struct lab *l, struct buf *to)
{
	struct grid *g = find_grid(l->find);
	size_t i, k;

	assert_int_equal(sort_grid(g, "+start", NULL), 0);
	for (i = 0; i < g->n_row; i++) {
		const struct cell *c = g->row[i].cell;
		int64_t zero = SIM_EPOCH + SIM_SECOND;

		buf_printf(to, "%s%d-%d", i ? "; " : "",
		    (int)((c[0].i - zero) / SIM_SECOND),
		    (int)((c[1].i - zero) / SIM_SECOND));
		assert_int_equal((int)c[2].r, (c[1].i - c[0].i) / SIM_SECOND);
		for (k = 3; k < g->n_col; k++) {
			if (c[k].kind == CELL_ABSENT ||
			    g->col[k].min_width == GRID_ON_REQUEST || /* one server */
			    strcmp(g->col[k].name, "ticks") == 0 ||
			    strcmp(g->col[k].name, "user") == 0 ||
			    strcmp(g->col[k].name, "database") == 0)
				continue;
			if (strcmp(g->col[k].name, "peak_at") == 0)
				buf_printf(to, " @%d",
				    (int)((c[k].i - zero) / SIM_SECOND));
			else if (c[k].kind == CELL_TEXT)
				buf_printf(to, " %.*s",
				    (int)c[k].len, c[k].text);
			else if (c[k].kind == CELL_REAL)
				buf_printf(to, " %.0f", c[k].r);
		}
	}
	grid_free(g);
}

struct interval_case {
	const char *name;
	const char *text;
	const char *load0, *load1;
	const char *want;
};

static const struct interval_case intervals[] = {
	{ "never", "host.busy > 50%", "abcba", "aaaaa", "" },
	{ "once", "host.busy > 50%", "aahikbb", "aaaaaaa",
	    "2-5 mdw 100 @5" },
	{ "at most is not more", "host.busy > 50", "agfga", "aaaaa",
	    "1-2 mdw 60 @2; 3-4 mdw 60 @4" },
	{ "from the start to the end", "host.busy > 50", "kkk", "aaa",
	    "0-3 mdw 100 start, end @1" },
	{ "the clock is set back", "host.busy > 50", "akk<kka", "aaa<aaa",
	    "-95--95 mdw 100 hole before @-95; 1-3 mdw 100 hole after @2" },
	{ "rows apart", "host.busy > 50", "ahha", "aahh",
	    "1-3 mdw 70 @2; 2-4 sdw1 70 end @3" },
	{ "one row", "host.busy > 50 and host = sdw1", "ahha", "aahh",
	    "2-4 sdw1 70 end @3" },
	{ "the lowest", "host.idle < 50", "abkbb", "aaaaa",
	    "2-3 mdw 0 @3" },
	{ "not", "not host.busy < 50", "aakbb", "aaaaa",
	    "2-3 mdw 100 @3" },
	/* 5 s of a hole, and the sample after it: unknown */
	{ "a hole", "host.busy > 50", "akk|kkka", "aaa|aaaa",
	    "1-3 mdw 100 hole after @2; 8-10 mdw 100 hole before @9" },
	{ "begins after a hole", "host.busy > 50", "aaa|akaa", "aaa|aaaa",
	    "8-9 mdw 100 hole before @9" },
	{ "a hole elsewhere", "host.busy > 50", "aaa|aaka", "aaa|aaaa",
	    "9-10 mdw 100 @10" },
	/* a late answer covers the whole time, here on average */
	{ "a late answer", "host.busy > 40", "kk-kka", "aaaaaa",
	    "0-5 mdw 100 start @1" },
	{ "nothing more", "host.busy > 50", "kk---", "aaaaa",
	    "0-2 mdw 100 start, hole after @1" },
	{ "silence, then no more", "host.busy > 50", "kk--aa", "aaaaaa",
	    "0-2 mdw 100 start, hole after @1" },
	{ "a session", "session.cpu > 50", "abda", "aaea",
	    "2-3 con7 70 @3" },
	{ "a session on a host", "session.cpu > 30 and host = sdw1", "akda",
	    "aafa", "2-3 con7 sdw1 50 @3" },
	/* each host has sessions of its own with the same numbers */
	{ "sessions of one number", "session.processes = 1 and "
	    "session = 'sid 100'", "aa", "aa",
	    "0-2 sid 100 mdw start, end @1; 0-2 sid 100 sdw1 start, end @1" },
	{ "a process", "process.cpu > 30 and command = postgres", "akaa",
	    "aaaa", "1-2 mdw con7 postgres 100 @2" },
	{ "text alone", "session.state = active", "aa", "aa",
	    "0-2 con7 start, end" },
};

static void finds(void **state)
{
	const struct interval_case *row = *state;
	struct buf got = BUF_INIT;
	struct lab l;

	set_up(&l, row->text);
	run(&l, row->load0, row->load1);
	describe(&l, &got);
	assert_string_equal(buf_str(&got), row->want);
	buf_release(&got);
	tear_down(&l);
}

/* Two samples make a table: its average counts, and a small hole ends nothing. */
static void test_steps(void **state)
{
	struct cursor_gap gap = { .why = "lost" };
	struct buf got = BUF_INIT;
	struct lab l;
	int i;

	(void)state;
	set_up(&l, "host.busy > 40");
	for (i = 0; i < 10; i++) {
		if (i == 5) {
			gap.from_ns = l.c.wall_ns;
			gap.to_ns = l.c.wall_ns + SIM_SECOND;
			engine_gap(&l.c.engine, &gap);
			encoder_need_key(l.c.encoder);
		}
		step(&l, i % 2 ? 100 : 0, i < 4 ? 30 : 0);
		if (i % 5 == 4)
			end_table(&l);
	}
	end_table(&l);
	describe(&l, &got);
	assert_string_equal(buf_str(&got), "5-10 mdw 60 hole inside, end "
	    "@10");
	buf_release(&got);
	tear_down(&l);
}

/* FLAPPING processes run in every other second. */
#define FLAPPING 300
#define FLAPS (FIND_MAX / FLAPPING + 1)

static void test_too_many_are_counted(void **state)
{
	static size_t row[FLAPPING];
	struct lab l;
	struct grid *g;
	size_t i, k;

	(void)state;
	set_up(&l, "process.cpu > 30");
	for (i = 0; i < FLAPPING; i++)
		row[i] = simcluster_process(&l.c.host[0], OPEN_BORN, 1000 + i,
		    100, "postgres: x");
	for (k = 0; k < 2 * FLAPS; k++) {
		for (i = 0; i < FLAPPING; i++)
			SIM_ADD(&l.c.host[0], row[i], CPU,
			    k % 2 ? UINT64_C(900000) : 0);
		simcluster_tick(&l.c);
		end_table(&l);
	}
	g = find_grid(l.find);
	assert_int_equal(g->n_row, FIND_MAX);
	assert_int_equal(g->n_total, FLAPS * FLAPPING);
	grid_limit(g, 0);
	assert_int_equal(g->n_row, FIND_MAX + 1);
	assert_int_equal(g->row[FIND_MAX].n_others,
	    FLAPS * FLAPPING - FIND_MAX);
	grid_free(g);
	tear_down(&l);
}

struct wrong_case {
	const char *name; /* the expression */
	const char *asked;
	const char *want; /* start of the message; or "view NAME" */
};

static const struct wrong_case wrong[] = {
	{ "host.busy > 1", NULL, "view hosts" },
	{ "host.busy > 1", "hosts", "view hosts" },
	{ "busy > 1", "hosts", "view hosts" },
	{ "busy > 1 and host.idle > 2", NULL, "view hosts" },
	{ "'host.busy' = 1", "cpus", "view cpus" },
	{ "user = host.x", "sessions", "view sessions" },
	{ "cpu > 1", NULL, "expected a kind of row before a column, as in "
	    "session.cpu > 50; there are:\nsession, query, statement, process, " },
	{ "cpu > 1", "overview", "expected a kind of row before a column" },
	{ "hots.cpu > 1", NULL, "no kind of row \"hots\" (did you mean host?); " },
	{ "xyzzy.cpu > 1", NULL, "no kind of row \"xyzzy\"; there are:\n" },
	{ "host.busy > 1 and session.cpu > 1", NULL,
	    "all columns must be of one kind of row: expected host, got session" },
	{ "host.busy > 1", "sessions", "it is about hosts, not about the "
	    "view sessions" },
};

static void view_of_text(void **state)
{
	const struct wrong_case *row = *state;
	const char *view = NULL;
	char got[GS_ERR_MSG_MAX + 8];
	struct gs_err err;

	if (find_view(row->name, row->asked, &view, &err) < 0)
		(void)snprintf(got, sizeof(got), "%s", err.msg);
	else
		(void)snprintf(got, sizeof(got), "view %s", view);
	if (strncmp(got, row->want, strlen(row->want)) != 0)
		assert_string_equal(got, row->want);
}

static void test_wrong_columns(void **state)
{
	static const struct view_ask plain = VIEW_ASK_INIT;
	struct find *f = NULL;
	struct gs_err err;

	(void)state;
	assert_int_equal(find_new("host.busy_precent > 1", view_find("hosts"),
	    &plain, NULL, &f, &err), GS_E_USAGE);
	assert_non_null(strstr(err.msg, "(did you mean busy_percent?)"));
	assert_int_equal(find_new("session.age > 1 and host = a",
	    view_find("sessions"), &plain, NULL, &f, &err), GS_E_USAGE);
	assert_memory_equal(err.msg, "by session, host: ", 18);
	assert_int_equal(find_new("event = x", view_find("events"),
	    &plain, NULL, &f, &err), GS_E_USAGE);
	assert_string_equal(err.msg, "the view events can't be "
	    "searched");
	assert_null(f);
	find_free(NULL);
}

/* The columns in the table of keys are columns of the views; each view and each
 * name stands in it once. */
static void test_things(void **state)
{
	static const struct view_ask plain = VIEW_ASK_INIT;
	size_t i, k;

	(void)state;
	for (i = 0; view_key_at(i); i++) {
		const struct view_key *t = view_key_at(i);
		const struct view *v = view_find(t->view);
		struct grid *g;

		assert_non_null(v);
		if (view_key_of_view(t->view) != t)
			fail_msg("%s has two rows", t->view);
		if (t->name && view_key_find(t->name, strlen(t->name)) != t)
			fail_msg("%s: another row has the name %s", t->view,
			    t->name);
		g = view_columns(v, &plain);
		for (k = 0; k < VIEW_KEY_COLS && t->shown[k]; k++) {
			int col = grid_find_col(g, t->shown[k],
			    strlen(t->shown[k]));

			/* views without a name have several forms */
			if (k > 0 && !t->name)
				continue;
			if (col < 0 || strcmp(g->col[col].name,
			    t->shown[k]) != 0)
				fail_msg("%s has no %s", t->view,
				    t->shown[k]);
		}
		assert_true(k > 0);
		grid_free(g);
	}
}

/* A new view has a row in the table of keys, or is one of those without. */
static void test_every_view_has_a_key(void **state)
{
	static const char *const without[] = { "overview", "events" };
	size_t i, k;

	(void)state;
	for (i = 0; view_at(i); i++) {
		const char *name = view_at(i);
		bool none = false;

		for (k = 0; k < GS_LEN(without); k++)
			none |= strcmp(name, without[k]) == 0;
		if (none == (view_key_of_view(name) != NULL))
			fail_msg("%s: add a row to src/query/view_key.c; or, "
			    "if no columns identify its rows, to the list "
			    "of this test", name);
	}
	assert_true(i > GS_LEN(without));
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, finds, intervals);
	CASES_TABLE(&c, view_of_text, wrong);
	cases_add(&c, "steps", test_steps, NULL);
	cases_add(&c, "too many are counted", test_too_many_are_counted, NULL);
	cases_add(&c, "wrong columns", test_wrong_columns, NULL);
	cases_add(&c, "things", test_things, NULL);
	cases_add(&c, "every view has a key", test_every_view_has_a_key, NULL);
	return cases_run(&c, "find");
}
