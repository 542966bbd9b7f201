/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows below rows: order, limit, and rows that are restored.
 */
#include "query/nest.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "cases.h"
#include "grids.h"
#include "query/sort.h"

/* host a: x 1, y 5, z 2; host b: x 9; all after the hosts, as views make them */
static const struct {
	const char *host, *command;
	int64_t cpu;
	unsigned level;
	size_t nest, above;
} rows[] = {
	{ "a", NULL, 8, 1, 1, 0 },
	{ "b", NULL, 9, 1, 2, 0 },
	{ "a", "x", 1, 2, 3, 1 },
	{ "b", "x", 9, 2, 4, 2 },
	{ "a", "y", 5, 2, 5, 1 },
	{ "a", "z", 2, 2, 6, 1 },
};

static struct grid *make(void)
{
	static const struct grid_col cols[] = {
		{ .name = "host", .title = "HOST", .help = "", .key = 1 },
		{ .name = "command", .title = "COMMAND", .help = "", .key = 2 },
		{ .name = "level", .title = "LEVEL", .help = "",
		    .quantity = Q_COUNT, .names = true },
		{ .name = "cpu", .title = "CPU", .help = "",
		    .quantity = Q_COUNT, .additive = true },
	};
	struct grid *g = grid_new("processes", NULL);
	size_t i;

	for (i = 0; i < GS_LEN(cols); i++)
		grid_add_col(g, &cols[i]);
	for (i = 0; i < GS_LEN(rows); i++) {
		struct grid_row *r = grid_add_row(g);

		r->cell[0] = text_cell(g, rows[i].host);
		if (rows[i].command)
			r->cell[1] = text_cell(g, rows[i].command);
		r->cell[2] = cell_int(rows[i].level);
		r->cell[3] = cell_int(rows[i].cpu);
		r->level = rows[i].level;
		r->nest = rows[i].nest;
		r->above = rows[i].above;
	}
	return g;
}

/* "a8 a/y5 a/2 others3!": keys, cpu, and ! for the row of others. */
static void expect(const struct grid *g, const char *want)
{
	char got[256] = "";
	size_t i, len = 0;

	for (i = 0; i < g->n_row; i++) {
		const struct grid_row *r = &g->row[i];
		struct span b = cell_span(&r->cell[1]);

		len += (size_t)snprintf(got + len, sizeof(got) - len,
		    "%s%.*s%s%.*s%d%s", i ? " " : "",
		    (int)r->cell[0].len, r->cell[0].text,
		    r->cell[1].kind == CELL_TEXT ? "/" : "",
		    r->cell[1].kind == CELL_TEXT ? (int)span_len(b) : 0, b.ptr,
		    (int)r->cell[3].i, r->others ? "!" : "");
		assert_int_equal(r->level, r->cell[2].i);
	}
	assert_string_equal(got, want);
}

struct order {
	const char *name; /* of sort.h */
	size_t limit;
	const char *want;
};

static const struct order orders[] = {
	{ "cpu", 0, "b9 b/x9 a8 a/y5 a/z2 a/x1" },
	{ "+cpu", 0, "a8 a/x1 a/z2 a/y5 b9 b/x9" },
	{ "-command", 0, "a8 a/z2 a/y5 a/x1 b9 b/x9" },
	{ "cpu", 3, "b9 b/x9 a8 a/y5 a/z2 a/x1" },
	{ "cpu", 2, "b9 b/x9 a8 a/y5 a/z2 a/1 other1!" },
	{ "cpu", 1, "b9 b/x9 1 other8!" },
	{ "host", 1, "a8 a/x1 a/2 others7! 1 other9!" },
};

static void test_order(void **state)
{
	const struct order *o = *state;
	struct grid *g = make();

	assert_int_equal(sort_grid(g, o->name, NULL), GS_OK);
	nest_arrange(g, o->limit);
	expect(g, o->want);
	assert_int_equal(g->n_total, GS_LEN(rows));
	grid_free(g);
}

/* Leaves only the row of that number. */
static void leave(struct grid *g, size_t nest)
{
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		if (g->row[i].nest == nest)
			g->row[0] = g->row[i];
	}
	g->n_row = nest > 0;
}

static void test_restore(void **state)
{
	static const struct {
		size_t nest;
		const char *want;
	} cases[] = { { 5, "a8 a/y5" }, { 2, "b9" }, { 0, "" } };
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(cases); i++) {
		struct grid *g = make();
		struct nest_rows held = nest_hold(g);

		leave(g, cases[i].nest);
		nest_restore(g, &held);
		nest_arrange(g, 0);
		expect(g, cases[i].want);
		grid_free(g);
	}
}

static void test_flat(void **state)
{
	struct grid *g = grid_of_sessions();
	struct nest_rows held = nest_hold(g);
	size_t n = g->n_row;

	(void)state;
	g->n_row = 2;
	nest_restore(g, &held);
	assert_int_equal(g->n_row, 2);
	nest_arrange(g, 1);
	assert_int_equal(g->n_row, 2);
	assert_true(n > 2);
	grid_free(g);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_order, orders);
	cases_add(&c, "restore", test_restore, NULL);
	cases_add(&c, "not nested", test_flat, NULL);
	return cases_run(&c, "nest");
}
