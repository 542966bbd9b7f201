/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of steps as one table: rows that come, go, and change their ids; gaps;
 * limits.
 */
#include "query/series.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "cases.h"
#include "grids.h"

struct line {
	const char *disk;
	uint64_t id;
	double busy; /* negative: absent */
};

static struct grid *make(size_t step, const struct line *line, size_t n)
{
	static const struct grid_col cols[] = {
		{ .name = "host", .title = "HOST", .help = "" },
		{ .name = "disk", .title = "DISK", .help = "" },
		{ .name = "util_percent", .title = "UTIL%", .help = "",
		    .quantity = Q_PERCENT, .additive = true },
	};
	struct grid *g = grid_new("disks", NULL);
	size_t i;

	for (i = 0; i < GS_LEN(cols); i++)
		grid_add_col(g, &cols[i]);
	for (i = 0; i < n && line[i].disk; i++) {
		struct grid_row *r = grid_add_row(g);

		r->cell[0] = text_cell(g, "db1");
		r->cell[1] = text_cell(g, line[i].disk);
		if (line[i].busy >= 0)
			r->cell[2] = cell_real(line[i].busy);
		r->id = line[i].id;
	}
	g->from_ns = (int64_t)step * GS_NSEC_PER_SEC;
	g->to_ns = g->from_ns + GS_NSEC_PER_SEC;
	g->covered_s = 1;
	return g;
}

static const struct series_ask of_disks = { .metrics = "util",
	.view = "disks" };

static void add(struct series *s, size_t step, const struct line *line,
	size_t n)
{
	struct grid *g = make(step, line, n);

	assert_int_equal(series_step(s, g, NULL), GS_OK);
	series_keep(s, g);
	grid_free(g);
}

/* "db1 b:9,-,7" for each column, with the time left out. */
static void expect(const struct grid *g, const char *want)
{
	char got[512] = "";
	size_t len = 0, i, k;

	for (k = 1; k < g->n_col; k++) {
		len += (size_t)snprintf(got + len, sizeof(got) - len, "%s%s:",
		    k > 1 ? " " : "", g->col[k].title);
		for (i = 0; i < g->n_row; i++) {
			const struct cell *c = &g->row[i].cell[k];

			len += (size_t)snprintf(got + len, sizeof(got) - len,
			    c->kind == CELL_ABSENT ? "%s-" : "%s%g",
			    i ? "," : "", c->r);
		}
	}
	assert_string_equal(got, want);
}

static const struct line steps[][3] = {
	{ { "a", 1, 5 }, { "b", 2, 9 } },
	{ { "b", 2, 8 }, { "a", 1, 0 } }, /* another order; zero is no gap */
	{ { "b", 0, -1 }, { "a", 1, 4 } }, /* no id, and no figure */
	{ { "b", 7, 7 }, { "c", 8, 30 } }, /* another id; a is gone */
};

static struct series *filled(void)
{
	struct series *s = series_new(&of_disks);
	size_t i;

	for (i = 0; i < GS_LEN(steps); i++)
		add(s, i, steps[i], GS_LEN(steps[i]));
	return s;
}

static void test_rows(void **state)
{
	static const struct {
		size_t limit, width;
		const char *want;
	} cases[] = {
		{ 0, 0, "db1 c:-,-,-,30 db1 b:9,8,-,7 db1 a:5,0,4,-" },
		{ 1, 0, "db1:-,-,-,30 2 others:14,8,4,7" },
		{ 0, 20, "db1 c:-,-,-,30 2 others:14,8,4,7" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(cases); i++) {
		struct series_look look = { .limit = cases[i].limit,
			.width = cases[i].width, .span = "1s" };
		struct series *s = filled();
		struct grid *g = series_table(s, &look);

		expect(g, cases[i].want);
		grid_free(g);
		series_free(s);
	}
}

static void test_gap(void **state)
{
	struct series_look look = { .span = "1s", .signs = true };
	struct series *s = series_new(&of_disks);
	struct grid *g;

	(void)state;
	add(s, 0, steps[0], 1);
	assert_int_equal(series_gap(s, GS_NSEC_PER_SEC, NULL), GS_OK);
	add(s, 2, steps[1], 1);
	add(s, 3, steps[1], 2);
	g = series_table(s, &look);
	expect(g, "db1 b:-,-,8,8 db1 a:5,-,-,0");
	grid_free(g);
	g = series_lines(s, &look);
	/* no such row, no data, the highest; and 0 is a sign of its own */
	assert_int_equal(g->n_row, 2);
	assert_true(span_eq(cell_span(&g->row[0].cell[g->n_col - 1]), "./##"));
	assert_true(span_eq(cell_span(&g->row[1].cell[g->n_col - 1]), "*/._"));
	grid_free(g);
	series_free(s);
}

static void test_limit(void **state)
{
	struct series *s = series_new(&of_disks);
	struct gs_err err;
	size_t i;

	(void)state;
	add(s, 0, steps[0], 1);
	for (i = 1; i < SERIES_STEPS_MAX; i++)
		assert_int_equal(series_gap(s, (int64_t)i, &err), GS_OK);
	assert_int_equal(series_gap(s, (int64_t)i, &err), GS_E_USAGE);
	assert_non_null(strstr(err.msg, "longer --every"));
	series_free(s);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "rows", test_rows, NULL);
	cases_add(&c, "gap", test_gap, NULL);
	cases_add(&c, "limit", test_limit, NULL);
	return cases_run(&c, "series");
}
