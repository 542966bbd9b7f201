/* SPDX-License-Identifier: Apache-2.0 */
#include "query/filter.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "cases.h"
#include "grids.h"
#include "query/sort.h"

struct row {
	const char *name; /* the expression */
	const char *want; /* sessions by first letter after "con", W: wide */
};

/* The rows are con7, con12 (memory and title absent), con3, wide. */
static const struct row rows[] = {
	{ "pid = 4711", "7" },
	{ "PID == 4711", "7" },
	{ "pid != 4711", "13W" },
	{ "pid <> 4711", "13W" },
	{ "pid > 11 and pid < 1000", "1W" },
	{ "pid >= 12 && pid <= 999", "1W" },
	{ "pid=3||pid=12", "13" },
	{ "pid = 3 or pid = 12 and cpu > 50", "3" },
	{ "(pid = 3 or pid = 12) and cpu > 50", "3" },
	{ "(pid = 3 or pid = 12) and cpu < 50", "1" },
	{ "not pid = 3", "71W" },
	{ "! pid = 3", "71W" },
	{ "not not pid = 3", "3" },
	{ "not (pid = 3 or pid = 12)", "7W" },
	{ "cpu% > 99.9", "73W" },
	{ "cpu_percent > 100%", "3" },
	{ "CPU >= 10s", "3W" },
	{ "cpu >= 100%", "3W" },
	{ "Mem > 1G", "7W" },
	{ "read >= 1M/s", "73" },
	{ "mem > 1G", "7W" },
	{ "memory_bytes = 1.5GiB", "7" },
	{ "memory_bytes < 1K", "3" },
	{ "mem != 17", "7W" },
	{ "not mem = 17", "71W" },
	{ "mem is absent", "1" },
	{ "mem IS PRESENT", "73W" },
	{ "mem is not absent", "73W" },
	{ "mem is not present", "1" },
	{ "read/s >= 1M/s", "73" },
	{ "faults > 1K", "73" },
	{ "faults > 1K/s", "73" },
	{ "age > 14m", "71" },
	{ "age > 3d", "1" },
	{ "age = 9.2s", "3" },
	{ "start >= 2026-09-21T14:13:22Z", "3W" },
	{ "csw < -5", "W" },
	{ "session = con7", "7" },
	{ "session = 'con7'", "7" },
	{ "session = \"con7\"", "7" },
	{ "session != con7", "13W" },
	{ "session < con3", "1" },
	{ "session ~ ^con[37]$", "73" },
	{ "session ~ 'con(3|7)'", "73" },
	{ "session !~ con", "W" },
	{ "title ~ SELECT", "7" },
	{ "title !~ SELECT", "3W" },
	{ "title = ''", "" },
	{ "session.cpu > 50 and cpu% < 101", "7W" },
	{ "cpu% > memory_bytes", "3" },
	{ "memory_bytes > cpu%", "7W" },
	{ "memory_bytes > 0.5*memory_bytes", "73W" },
	{ "pid > 2 * peers(pid)", "7W" },
	{ "pid < peers(session.pid)", "13" },
	{ "share(pid) > 50%", "7" },
	{ "share(pid) >= 0.9 and not share(pid) > 50", "W" },
	{ "sum(pid) > 4K and pid = 12", "1" },
	{ "rows() = 4 and pid = 12", "1" },
	{ "rows() > 4", "" },
	{ "pid * 2", "at character 5: expected = != < <= > >= ~ !~ or is, got "
	    "\"* 2\"" },
	{ "pid > 2 * 3", "at character 11: expected a column or a function "
	    "after *, got \"3\"" },
	{ "pid > x * pid", "at character 7: expected a number before *, got "
	    "\"x * pid\"" },
	{ "pid > peers(", "at character 13: expected a column, got the end" },
	{ "pid > peers(pid", "at character 16: expected a closing bracket, got "
	    "the end" },
	{ "pid > peers(title)", "at character 13: title holds no numbers" },
	{ "rows(pid) > 1", "at character 6: expected a closing bracket, got "
	    "\"pid) > 1\"" },
	{ "pid > usual(pid)", "at character 16: usual(), spread() and slope() compare "
	    "with earlier samples: with --find only" },
	{ "session.session = con7", "7" },
	{ "host.cpu > 50", "at character 1: no column \"host.cpu\" in "
	    "sessions; there are:\nsession, pid, cpu_percent, "
	    "cpu_seconds, memory_bytes, read_bytes_per_second, "
	    "faults_per_second, age_seconds, start, switches, title" },
	{ "session.pidd = 1", "at character 1: no column \"pidd\" in "
	    "sessions (did you mean pid?); there are:\nsession, pid, "
	    "cpu_percent, cpu_seconds, memory_bytes, read_bytes_per_second, "
	    "faults_per_second, age_seconds, start, switches, title" },
	{ "session = and", "at character 11: expected a value, got \"and\"" },
	{ "session = 'and'", "" },
	{ "", "at character 1: expected a column, got the end" },
	{ "pid", "at character 4: expected = != < <= > >= ~ !~ or is, got "
	    "the end" },
	{ "pid =", "at character 6: expected a value, got the end" },
	{ "pid = x", "at character 7: pid: \"x\": expected a number such as "
	    "10, 2.5 or 3K" },
	{ "mem > 1Q", "at character 7: memory_bytes: \"1Q\": expected a "
	    "size such as 4096, 100M or 1.5GiB" },
	{ "age > 5x", "at character 7: age_seconds: \"5x\": expected a "
	    "duration such as 5, 0.5s, 250ms, 1m30s, 2h or 7d" },
	{ "(pid = 1", "at character 9: expected and, or, or a closing "
	    "bracket, got the end" },
	{ "pid = 1)", "at character 8: expected and, or, or the end, got "
	    "\")\"" },
	{ "pid = 1 pid = 2", "at character 9: expected and, or, or the end, "
	    "got \"pid = 2\"" },
	{ "pid = 1 and", "at character 12: expected a column, got the end" },
	{ "pid ~ 4", "at character 7: pid holds numbers: ~ is for text" },
	{ "pid is 4", "at character 8: expected absent, present or max, got "
	    "\"4\"" },
	{ "session = 'x", "at character 11: expected a closing '" },
	{ "pid & 1", "at character 5: expected a column, got \"&\"" },
	{ "'pid' = 1", "at character 1: expected a column, got "
	    "\"'pid' = 1\"" },
	{ "pidd = 1", "at character 1: no column \"pidd\" in sessions (did "
	    "you mean pid?); there are:\nsession, pid, cpu_percent, "
	    "cpu_seconds, memory_bytes, read_bytes_per_second, "
	    "faults_per_second, age_seconds, start, switches, title" },
};

static void matches(void **state)
{
	const struct row *row = *state;
	struct zone z = ZONE_UTC;
	struct when_env when = { .zone = &z };
	struct grid *g = grid_of_sessions();
	struct gs_err err;
	struct filter *f = filter_new(row->name, g, &when, &err);
	char got[8] = "";
	size_t i;

	if (!f) {
		assert_string_equal(err.msg, row->want);
		grid_free(g);
		return;
	}
	filter_grid(f, g);
	for (i = 0; i < g->n_row; i++) {
		struct span s = cell_span(&g->row[i].cell[0]);

		got[i] = *s.ptr == 'c' ? s.ptr[3] : 'W';
	}
	assert_string_equal(got, row->want);
	assert_int_equal(g->n_total, strlen(row->want));
	filter_free(f);
	grid_free(g);
}

static void bounded(void **state)
{
	struct grid *g = grid_of_sessions();
	struct buf deep = BUF_INIT, wide = BUF_INIT;
	struct gs_err err;
	size_t i;

	(void)state;
	buf_add_fill(&deep, '(', 100000);
	buf_add_str(&wide, "pid=1");
	for (i = 0; i < 1000; i++)
		buf_add_str(&wide, " or pid=1");
	assert_null(filter_new(buf_str(&deep), g, NULL, &err));
	assert_non_null(strstr(err.msg, "more than 64 levels"));
	assert_null(filter_new(buf_str(&wide), g, NULL, &err));
	assert_non_null(strstr(err.msg, "more than 128 comparisons"));
	buf_release(&deep);
	buf_release(&wide);
	grid_free(g);
	filter_free(NULL);
}

struct names_case {
	const char *name; /* the expression */
	const char *want;
};

static const struct names_case names_of[] = {
	{ "", "" },
	{ "cpu > 4", "cpu" },
	{ "session.cpu > 4 and host = sdw3", "session.cpu host" },
	{ "not (a = b or c ~ d) && !e is not absent", "a c e" },
	{ "a = b = c d < and e", "a e" },
	{ "a = 'x and y' and b is present or c", "a b c" },
	{ "a = 'x and y = 1", "a" },
	{ "share(a) > 5 and b > 2 * usual(c)", "a b c" },
};

static void note_name(void *ctx, struct span name)
{
	struct buf *b = ctx;

	if (b->len > 0)
		buf_add_char(b, ' ');
	buf_add(b, name.ptr, span_len(name));
}

static void names(void **state)
{
	const struct names_case *row = *state;
	struct buf got = BUF_INIT;

	filter_names(row->name, note_name, &got);
	assert_string_equal(buf_str(&got), row->want);
	buf_release(&got);
}

/* Columns that a condition uses, and whether they had a value. */
static void looks(void **state)
{
	struct grid *g = grid_of_sessions();
	struct filter *f = filter_new("mem > 1 and cpu < 2 and session = a or "
	    "age < 3 and age > 2 or faults is absent", g, NULL, NULL);
	const enum filter_side want[] = { FILTER_USED, FILTER_UNUSED,
		FILTER_LEAST, FILTER_UNUSED, FILTER_MOST, FILTER_UNUSED,
		FILTER_USED, FILTER_MOST };
	size_t i;

	(void)state;
	assert_non_null(f);
	for (i = 0; i < GS_LEN(want); i++)
		assert_int_equal(filter_side(f, i), want[i]);
	assert_false(filter_match(f, &g->row[0]));
	assert_false(filter_missed(f));
	assert_false(filter_match(f, &g->row[1])); /* has no memory */
	assert_true(filter_missed(f));
	filter_free(f);
	grid_free(g);
}

/* A row of one number, in the n-th table. */
static bool held(struct filter *f, struct grid *g, double v)
{
	bool r;

	g->row[0].cell[0] = cell_real(v);
	filter_table(f, g);
	r = filter_match(f, &g->row[0]);
	if (!r)
		filter_learn(f, &g->row[0]);
	return r;
}

/* Compared with the row's own earlier values, of which twenty are needed; what
 * is found does not become usual. */
static void past(void **state)
{
	static const struct grid_col col = GRID_COL("v", "V", Q_NUMBER, 80, "v");
	struct grid *g = grid_new("t", NULL);
	struct filter *f;
	struct gs_err err;
	size_t i;

	(void)state;
	grid_add_col(g, &col);
	grid_add_row(g)->id = 7;
	f = filter_new_over_time("v > 3 * usual(v) and v > spread(v)", g, NULL,
	    &err);
	assert_non_null(f);
	assert_true(filter_needs_rows(f));
	for (i = 0; i < 20; i++) {
		assert_false(held(f, g, 10 + (double)(i % 3)));
		assert_true(filter_missed(f));
	}
	assert_false(held(f, g, 28));
	assert_false(filter_missed(f));
	for (i = 0; i < 1000; i++)
		assert_true(held(f, g, 40));
	assert_false(held(f, g, 11));
	g->row[0].id = 8; /* another row has a past of its own */
	assert_false(held(f, g, 40));
	assert_true(filter_missed(f));
	filter_free(f);
	grid_free(g);
}

/* A file system of 600 G that loses 1 G a second, from the tenth second on. */
static void slope(void **state)
{
	static const struct grid_col col = GRID_COL("v", "V", Q_NUMBER, 80, "v");
	struct grid *g = grid_new("t", NULL);
	struct filter *f;
	struct gs_err err;
	int64_t s;

	(void)state;
	grid_add_col(g, &col);
	grid_add_row(g)->id = 7;
	f = filter_new_over_time("v < -300 * slope(v)", g, NULL, &err);
	if (!f)
		fail_msg("%s", err.msg);
	assert_true(filter_needs_rows(f));
	for (s = 0; s < 360; s++) {
		bool found, known = s >= 120;
		double v = 600 - (double)GS_MAX(s - 10, 0);

		g->to_ns = s * INT64_C(1000000000);
		found = held(f, g, v);
		assert_int_equal(filter_missed(f), !known);
		if (found != (known && v < 300 * (600 - v) / (double)s))
			fail_msg("second %lld", (long long)s);
	}
	filter_forget(f);
	g->to_ns += 1000000000;
	assert_false(held(f, g, 1));
	filter_free(f);
	grid_free(g);
}

/* Bounds that are a row's own values. */
static void bounds_of(const struct grid *g, const struct grid_row *row,
	struct filter_bounds *b)
{
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		const struct cell *c = &row->cell[i];
		double v = c->kind == CELL_INT ? (double)c->i : c->r;

		b[i] = (struct filter_bounds) { .known = true, .low = HUGE_VAL,
			.high = -HUGE_VAL };
		if (c->kind == CELL_INT || c->kind == CELL_REAL)
			b[i].low = b[i].high = v;
		else if (c->kind != CELL_ABSENT)
			b[i].known = false;
	}
}

/* What matches may match. */
static void may(void **state)
{
	const struct row *row = *state;
	struct zone z = ZONE_UTC;
	struct when_env when = { .zone = &z };
	struct grid *g = grid_of_sessions();
	struct gs_err err;
	struct filter *f = filter_new(row->name, g, &when, &err);
	struct filter_bounds b[32];
	size_t i;

	assert_true(g->n_col <= GS_LEN(b));
	for (i = 0; f && i < g->n_row; i++) {
		bounds_of(g, &g->row[i], b);
		if (filter_match(f, &g->row[i]) && !filter_may_match(f, b))
			fail_msg("%s: row %zu matches, and can't", row->name,
			    i);
	}
	filter_free(f);
	grid_free(g);
}

/* With pid from 10 to 20, memory absent everywhere, nothing else known. */
static const struct { const char *text; bool may; } within[] = {
	{ "pid > 19", true }, { "pid > 20", false }, { "pid >= 20", true },
	{ "pid < 10", false }, { "pid <= 10", true }, { "pid < 11", true },
	{ "pid = 15", true }, { "pid = 9", false }, { "pid = 21", false },
	{ "pid != 15", true }, { "not pid > 20", true },
	{ "not pid < 30", true }, { "mem > 0", false }, { "mem < 0", false },
	{ "mem = 0", false }, { "mem is absent", true }, { "cpu > 99", true },
	{ "pid > 20 and cpu > 1", false }, { "pid > 20 or cpu > 1", true },
	{ "pid > 20 or pid < 10", false }, { "session = x", true },
	{ "session = x and pid > 20", false },
	{ "(pid > 20 or pid < 10) and session = x or mem > 1", false },
};

static void may_within(void **state)
{
	struct grid *g = grid_of_sessions();
	struct filter_bounds b[32] = { { .known = false } };
	size_t i;

	(void)state;
	b[grid_find_col(g, "pid", 3)] = (struct filter_bounds) { true, 10, 20 };
	b[grid_find_col(g, "mem", 3)] = (struct filter_bounds) { true,
		HUGE_VAL, -HUGE_VAL };
	for (i = 0; i < GS_LEN(within); i++) {
		struct filter *f = filter_new(within[i].text, g, NULL, NULL);

		assert_non_null(f);
		if (filter_may_match(f, b) != within[i].may)
			fail_msg("%s: expected %d", within[i].text,
			    within[i].may);
		filter_free(f);
	}
	grid_free(g);
}

/* Limits 5, none, unknown. */
static struct grid *limits(void)
{
	static const struct grid_col col[] = {
		GRID_COL("name", "NAME", Q_TEXT, 80, "n"),
		GRID_COL("limit", "LIMIT", Q_BYTES, 80, "l", .additive = true),
	};
	static const char *const names[] = { "five", "none", "unknown" };
	struct grid *g = grid_new("t", NULL);
	size_t i;

	grid_add_col(g, &col[0]);
	grid_add_col(g, &col[1]);
	for (i = 0; i < GS_LEN(names); i++)
		grid_add_row(g)->cell[0] = cell_text(span_str(names[i]));
	g->row[0].cell[1] = cell_int(5);
	g->row[1].cell[1] = cell_max();
	return g;
}

/* No limit is no number. */
static void maxima(void **state)
{
	static const struct row limit[] = {
		{ "limit is max", "n" },
		{ "limit is not max", "fu" },
		{ "limit is absent", "u" },
		{ "limit is present", "fn" },
		{ "limit > 1", "f" },
		{ "limit < 1P", "f" },
		{ "limit >= 0", "f" },
		{ "limit = 5", "f" },
		{ "limit != 5", "n" },
		{ "limit != 6", "fn" },
	};
	size_t i, k;

	(void)state;
	for (i = 0; i < GS_LEN(limit); i++) {
		struct grid *g = limits();
		char got[4] = "";
		struct gs_err err;
		struct filter *f = filter_new(limit[i].name, g, NULL, &err);

		assert_non_null(f);
		filter_grid(f, g);
		for (k = 0; k < g->n_row; k++)
			got[k] = g->row[k].cell[0].text[0];
		assert_string_equal(got, limit[i].want);
		filter_free(f);
		grid_free(g);
	}
}

/* A sum with a limit that is none has none; sorted, it comes after numbers. */
static void sum_of_maxima(void **state)
{
	struct grid *g = limits();
	struct gs_err err;

	(void)state;
	assert_int_equal(sort_grid(g, "limit", &err), GS_OK);
	assert_int_equal(g->row[0].cell[1].kind, CELL_MAX);
	assert_int_equal(g->row[1].cell[1].kind, CELL_INT);
	assert_int_equal(g->row[2].cell[1].kind, CELL_ABSENT);
	assert_int_equal(sort_grid(g, "+limit", &err), GS_OK);
	assert_int_equal(g->row[0].cell[1].kind, CELL_INT);
	assert_int_equal(g->row[1].cell[1].kind, CELL_MAX);
	grid_limit(g, 1);
	assert_true(g->row[1].others);
	assert_int_equal(g->row[1].cell[1].kind, CELL_MAX);
	grid_free(g);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, matches, rows);
	CASES_TABLE(&c, may, rows);
	CASES_TABLE(&c, names, names_of);
	cases_add(&c, "within bounds", may_within, NULL);
	cases_add(&c, "bounded", bounded, NULL);
	cases_add(&c, "looks", looks, NULL);
	cases_add(&c, "compared with earlier values", past, NULL);
	cases_add(&c, "change per second", slope, NULL);
	cases_add(&c, "limits that are none", maxima, NULL);
	cases_add(&c, "sums of them", sum_of_maxima, NULL);
	return cases_run(&c, "filter");
}
