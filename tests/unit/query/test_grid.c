/* SPDX-License-Identifier: Apache-2.0 */
#include "query/grid.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "cases.h"
#include "grids.h"
#include "query/sort.h"

/* Pids of the rows in order, O for the row of others. */
static void order(const struct grid *g, char *to)
{
	size_t i, len = 0;

	to[0] = '\0';
	for (i = 0; i < g->n_row; i++) {
		const struct grid_row *r = &g->row[i];

		len += (size_t)sprintf(to + len, "%s", i ? " " : "");
		if (r->others)
			len += (size_t)sprintf(to + len, "O");
		else
			len += (size_t)sprintf(to + len, "%d",
			    (int)r->cell[1].i);
	}
}

struct row {
	const char *name; /* the list */
	const char *want; /* pids, or the start of the error */
};

static const struct row sorts[] = {
	{ "cpu", "3 999 4711 12" },
	{ "-cpu", "3 999 4711 12" },
	{ "+cpu", "12 4711 999 3" },
	{ "CPU%", "3 999 4711 12" },
	{ "session", "12 3 4711 999" },
	{ "-session", "999 4711 3 12" },
	{ "mem", "999 4711 3 12" },
	{ "+mem", "3 4711 999 12" },
	{ "title,pid", "4711 999 3 12" },
	{ "+csw", "999 4711 12 3" },
	{ "nope", "no column \"nope\" in sessions; there are:\nsession, pid" },
	{ "cpu,", "no column \"\" in sessions; there are:\nsession" },
	{ "", "no column \"\" in sessions; there are:\nsession" },
	{ "-", "no column \"\" in sessions; there are:\nsession" },
	{ "memory_byte", "no column \"memory_byte\" in sessions (did you "
	    "mean memory_bytes?)" },
	{ "pid,pid,pid,pid,pid,pid,pid,pid,pid", "more than 8 columns" },
};

static void sorts_rows(void **state)
{
	const struct row *row = *state;
	struct grid *g = grid_of_sessions();
	struct gs_err err;
	char got[64];

	g->row[2].cell[10] = text_cell(g, "zzz");
	if (sort_grid(g, row->name, &err) < 0) {
		assert_memory_equal(err.msg, row->want, strlen(row->want));
		assert_true(sort_grid(g, row->name, NULL) < 0);
	} else {
		order(g, got);
		/* "idle" is absent, the others are postgres, wide, zzz */
		assert_string_equal(got, row->want);
	}
	grid_free(g);
}

static void ties_keep_order(void **state)
{
	static const struct grid_col cols[] = {
		{ .name = "key", .title = "KEY", .quantity = Q_TEXT },
		{ .name = "at", .title = "AT", .quantity = Q_COUNT },
		{ .name = "same", .title = "SAME", .quantity = Q_COUNT },
	};
	struct grid *g = grid_new("ties", NULL);
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(cols); i++)
		grid_add_col(g, &cols[i]);
	for (i = 0; i < 100; i++) {
		struct cell *c = grid_add_row(g)->cell;

		c[0] = text_cell(g, i % 2 ? "a" : "b");
		c[1] = cell_int((int64_t)i);
		c[2] = cell_int(7);
	}
	assert_int_equal(sort_grid(g, "same", NULL), 0);
	for (i = 0; i < 100; i++)
		assert_int_equal(g->row[i].cell[1].i,
		    i < 50 ? 2 * i + 1 : 2 * (i - 50));
	grid_free(g);
}

static void others_hold_the_sum(void **state)
{
	struct grid *g = grid_of_sessions();
	const struct grid_row *o;
	char got[64];

	(void)state;
	assert_int_equal(sort_grid(g, "cpu", NULL), 0);
	grid_limit(g, 2);
	order(g, got);
	assert_string_equal(got, "3 999 O");
	assert_int_equal(g->n_total, 4);
	o = &g->row[2];
	assert_int_equal(o->n_others, 2);
	assert_true(span_eq(cell_span(&o->cell[0]), "2 others"));
	assert_int_equal(o->cell[1].kind, CELL_ABSENT);
	assert_true(o->cell[2].r > 99.98 && o->cell[2].r < 100.0);
	assert_int_equal(o->cell[2].mark, '~');
	assert_true(o->cell[4].r >= 1610612736 && o->cell[4].r < 1610612737);
	assert_int_equal(o->cell[4].mark, '>');
	assert_int_equal(o->cell[5].mark, 0);
	assert_int_equal(o->cell[7].kind, CELL_ABSENT);
	assert_int_equal(o->cell[9].i, 777777);
	/* it stays last */
	assert_int_equal(sort_grid(g, "+cpu", NULL), 0);
	order(g, got);
	assert_string_equal(got, "999 3 O");
	grid_free(g);
}

/* Rows known only as a sum are in the row of others, whatever the limit. */
static void folded_rows_are_others(void **state)
{
	static const size_t limits[] = { 0, 2, 4, 9 };
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(limits); i++) {
		struct grid *g = grid_of_sessions();
		size_t shown = limits[i] == 2 ? 2 : 4;
		const struct grid_row *o;

		grid_set_folded(g, 10);
		g->folded.cell[2] = cell_real(1000);
		grid_limit(g, limits[i]);
		assert_int_equal(g->n_row, shown + 1);
		assert_int_equal(g->n_total, 14);
		o = &g->row[shown];
		assert_true(o->others);
		assert_int_equal(o->n_others, 14 - shown);
		assert_true(o->cell[2].r >= 1000);
		assert_int_equal(shown == 4, o->cell[2].r == 1000);
		grid_free(g);
	}
}

static void no_limit(void **state)
{
	struct grid *g = grid_of_sessions();

	(void)state;
	grid_limit(g, 0);
	assert_int_equal(g->n_row, 4);
	grid_limit(g, 4);
	assert_int_equal(g->n_row, 4);
	grid_limit(g, 3);
	assert_true(span_eq(cell_span(&g->row[3].cell[0]), "1 other"));
	grid_free(g);
}

/* Rows with a name and this number. */
static struct grid *grid_of_numbers(size_t n, int64_t v)
{
	static const struct grid_col col = {
		.name = "n", .title = "N", .quantity = Q_COUNT,
		.additive = true,
	};
	static const struct grid_col name = {
		.name = "name", .title = "NAME", .quantity = Q_TEXT,
	};
	struct grid *g = grid_new("sums", NULL);

	grid_add_col(g, &name);
	grid_add_col(g, &col);
	while (n-- > 0)
		grid_add_row(g)->cell[1] = cell_int(v);
	return g;
}

/* Memory that sessions had before they ended, at different times, is no sum. */
static void ended_levels_are_not_summed(void **state)
{
	struct grid *g = grid_of_numbers(5, 100);

	(void)state;
	g->row[0].cell[1].ended = g->row[2].cell[1].ended = true;
	grid_set_folded(g, 7);
	g->folded.cell[1] = cell_int(1000);
	g->folded.cell[1].ended = true;
	grid_limit(g, 1);
	assert_int_equal(g->row[0].cell[1].i, 100);
	assert_int_equal(g->row[1].n_others, 11);
	assert_int_equal(g->row[1].cell[1].i, 300);
	assert_int_equal(g->row[1].cell[1].mark, 0);
	grid_free(g);
	g = grid_of_numbers(2, 100);
	g->row[1].cell[1].ended = true;
	grid_limit(g, 1);
	assert_int_equal(g->row[1].cell[1].kind, CELL_ABSENT);
	grid_free(g);
}

/* Sums of whole numbers that don't fit become real numbers. */
static void sums_do_not_wrap(void **state)
{
	struct grid *g = grid_of_numbers(3, INT64_MAX);

	(void)state;
	grid_limit(g, 1);
	assert_int_equal(g->row[1].cell[1].kind, CELL_REAL);
	assert_true(g->row[1].cell[1].r > 1.8e19);
	grid_free(g);
}

static const struct row choices[] = {
	{ "title,pid", "title pid" },
	{ "CPU%,MEM", "cpu_percent memory_bytes" },
	{ "pid,+csw,session", "pid switches session" },
	{ "+start", "all" },
	{ "+start,pid", "!" },
	{ "pid,nope", "!" },
	{ "", "!" },
	{ "pid,", "!" },
};

static void chooses(void **state)
{
	const struct row *row = *state;
	struct grid *g = grid_of_sessions();
	struct buf got = BUF_INIT;
	size_t i;

	if (grid_choose(g, row->name, NULL) < 0) {
		buf_add_str(&got, "!");
		assert_int_equal(g->n_col, 11);
	} else if (g->n_col == 11) {
		buf_add_str(&got, "all");
		assert_int_equal(g->col[8].min_width, 0);
		assert_int_equal(g->col[9].min_width, 200);
	} else {
		for (i = 0; i < g->n_col; i++)
			buf_printf(&got, "%s%s", i ? " " : "",
			    g->col[i].name);
		i = (size_t)grid_find_col(g, "pid", 3);
		if (i < g->n_col)
			assert_int_equal(g->row[0].cell[i].i, 4711);
	}
	assert_string_equal(buf_str(&got), row->want);
	buf_release(&got);
	grid_free(g);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, sorts_rows, sorts);
	CASES_TABLE(&c, chooses, choices);
	cases_add(&c, "ties", ties_keep_order, NULL);
	cases_add(&c, "others", others_hold_the_sum, NULL);
	cases_add(&c, "folded rows are others", folded_rows_are_others, NULL);
	cases_add(&c, "no limit", no_limit, NULL);
	cases_add(&c, "ended levels", ended_levels_are_not_summed, NULL);
	cases_add(&c, "sums do not wrap", sums_do_not_wrap, NULL);
	return cases_run(&c, "grid");
}
