/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_golden.c - renderers against files in golden/, which tests/refresh writes
 * again; and what each format must show.
 */
#include "render/render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/zone.h"
#include "cases.h"
#include "golden.h"
#include "grids.h"
#include "query/sort.h"

#define S INT64_C(1000000000)
#define FROM (INT64_C(1790000000) * S)

enum shape { PLAIN, LIMITED, EMPTY, STEPS, CHOSEN, TWO_VIEWS, FROM_80,
	NO_LABEL, TWINS, WRAPS };

struct row {
	const char *name; /* also of the file */
	enum render_format format;
	enum shape shape;
	size_t width;
	bool bold, ascii;
	bool holes; /* many holes, hosts and notes */
};

static const struct row rows[] = {
	{ "text-40", RENDER_TEXT, PLAIN, 40, false, false, true },
	{ "text-80", RENDER_TEXT, PLAIN, 80, false, false, false },
	{ "text-120", RENDER_TEXT, PLAIN, 120, false, false, true },
	{ "text-200", RENDER_TEXT, PLAIN, 200, false, false, false },
	{ "text-ascii", RENDER_TEXT, PLAIN, 80, false, true, false },
	{ "text-bold", RENDER_TEXT, LIMITED, 80, true, false, false },
	{ "text-empty", RENDER_TEXT, EMPTY, 80, false, false, true },
	{ "text-narrow", RENDER_TEXT, PLAIN, 5, false, false, false },
	{ "text-steps", RENDER_TEXT, STEPS, 80, false, false, false },
	{ "text-no-label", RENDER_TEXT, NO_LABEL, 80, false, false, false },
	{ "text-below", RENDER_TEXT, FROM_80, 60, false, false, false },
	{ "text-chosen", RENDER_TEXT, CHOSEN, 80, false, false, false },
	{ "text-wraps", RENDER_TEXT, WRAPS, 80, true, false, false },
	{ "csv-plain", RENDER_CSV, PLAIN, 80, false, false, true },
	{ "csv-limited", RENDER_CSV, LIMITED, 80, false, false, false },
	{ "csv-empty", RENDER_CSV, EMPTY, 80, false, false, false },
	{ "csv-steps", RENDER_CSV, STEPS, 80, false, false, false },
	{ "csv-two-views", RENDER_CSV, TWO_VIEWS, 80, false, false, false },
	{ "openmetrics-limited", RENDER_OPENMETRICS, LIMITED, 80, false, false,
	    false },
	{ "openmetrics-empty", RENDER_OPENMETRICS, EMPTY, 80, false, false,
	    false },
	{ "openmetrics-twins", RENDER_OPENMETRICS, TWINS, 80, false, false,
	    false },
	{ "json-plain", RENDER_JSON, PLAIN, 80, false, false, true },
	{ "json-limited", RENDER_JSON, LIMITED, 80, false, false, false },
	{ "json-empty", RENDER_JSON, EMPTY, 80, false, false, false },
	{ "json-steps", RENDER_JSON, STEPS, 80, false, false, true },
};

static void make_report(const struct row *row, struct report *rep)
{
	static const struct zone zone = { .offset_s = 7200 };
	static const char *files[] = { "a.gpsnap" };
	static const char *hosts[] = {
		"mdw", "sdw1", "sdw2", "sdw3", "sdw4", "sdw5", "sdw6",
		"sdw7", "sdw8", "sd\x1bw9",
	};
	static const char *notes[] = {
		"2 columns of a newer gpsnap were skipped",
		"/proc/<pid>/io was refused for 146 processes: they belong "
		"to another user",
	};
	static struct report_mark marks[] = {
		{ FROM + 10 * S, "gpadmin: deployed" },
		{ FROM + 20 * S, "gpadmin: an escape \033[31m, and so long "
		    "that it does not fit into a line of eighty columns" },
		{ FROM + 30 * S, "root: 3" }, { FROM + 31 * S, "root: 4" },
		{ FROM + 32 * S, "root: 5" }, { FROM + 33 * S, "root: 6" },
		{ FROM + 34 * S, "root: 7" },
	};
	static struct report_hole holes[] = {
		{ FROM + 5 * S, FROM + 15 * S, false, "recorder stopped" },
		{ FROM + 20 * S, FROM + 21 * S, false, "damaged frame" },
		{ FROM + 30 * S, FROM + 31 * S, false, "damaged frame" },
		{ FROM + 35 * S, FROM + 36 * S, false, "disk \x1b[1mfull" },
		{ FROM + 40 * S, FROM + 42 * S, false, "late" },
	};

	*rep = (struct report) {
		.file = files, .n_file = 1,
		.host = hosts, .n_host = row->holes ? 10 : 1,
		.from_ns = FROM, .to_ns = FROM + 60 * S,
		.asked_from_ns = row->holes ? FROM - 100000 * S : INT64_MIN,
		.asked_to_ns = row->holes ? FROM + 600 * S : INT64_MAX,
		.covered_s = row->holes ? 45 : 60, .elapsed_s = 60,
		.n_ticks = 60, .interval_ns = S,
		.hole = holes, .n_hole = row->holes ? 5 : 0,
		.mark = marks, .n_mark = row->holes ? 7 : 0,
		.note = notes, .n_note = row->holes ? 2 : 0,
		.every_ns = row->shape == STEPS ? 30 * S : 0,
		.zone = &zone,
	};
}

static struct grid *make_grid(const struct row *row, int step)
{
	struct grid *g = grid_of_sessions();

	g->from_ns = FROM + step * 30 * S;
	g->to_ns = row->shape == STEPS ? g->from_ns + 30 * S : FROM + 60 * S;
	g->covered_s = step ? 20 : row->shape == STEPS ? 30 : 60;
	if (row->shape == FROM_80) {
		size_t i;

		for (i = 0; i < g->n_col; i++)
			g->col[i].min_width = GS_MAX(g->col[i].min_width, 80);
	}
	if (row->shape == WRAPS)
		g->col[grid_find_col(g, "title", 5)].wraps = true;
	if (row->shape == EMPTY)
		g->n_row = g->n_total = 0;
	if (row->shape == TWO_VIEWS && step)
		g->name = "others";
	(void)sort_grid(g, "cpu_percent", NULL); /* there is that column */
	if (row->shape == LIMITED || row->shape == NO_LABEL)
		grid_limit(g, 2);
	if (row->shape == NO_LABEL)
		assert_int_equal(grid_choose(g, "pid,cpu_percent", NULL), 0);
	if (row->shape == TWINS)
		assert_int_equal(grid_choose(g, "cpu_percent,csw", NULL), 0);
	if (row->shape == CHOSEN)
		assert_int_equal(grid_choose(g, "title,csw,start", NULL), 0);
	return g;
}

static void check_lines(const struct row *row, const char *text)
{
	while (*text && row->format == RENDER_TEXT && !row->bold &&
	    row->width >= 20) {
		size_t len = strcspn(text, "\n");

		if (utf8_width(text, len) > row->width)
			fail_msg("longer than %zu: %.*s", row->width,
			    (int)len, text);
		if (len && text[len - 1] == ' ')
			fail_msg("blank at the end: %.*s", (int)len, text);
		text += len + 1;
	}
}

static void golden(void **state)
{
	const struct row *row = *state;
	struct render_options options = {
		.format = row->format, .width = row->width,
		.bold = row->bold, .utf8 = !row->ascii,
	};
	bool two = row->shape == STEPS || row->shape == TWO_VIEWS;
	struct buf out = BUF_INIT;
	struct render *r = render_new(&options, &out);
	struct report rep;
	int i;

	make_report(row, &rep);
	render_begin(r, &rep);
	for (i = 0; i < (two ? 2 : 1); i++) {
		struct grid *g = make_grid(row, i);

		render_grid(r, g);
		grid_free(g);
	}
	render_end(r);
	check_lines(row, buf_str(&out));
	golden_compare("", row->name, &out);
	render_free(r);
	buf_release(&out);
}

struct format {
	const char *name;
	enum render_format format;
};

static const struct format formats[] = {
#define FORMAT(ID, name, abilities) { #name, RENDER_##ID },
#include "render/formats.def"
#undef FORMAT
};

/* What recorded names bring into a title does not reach a terminal. */
static void titles_are_safe(void **state)
{
	const struct format *f = *state;
	const struct row row = { .shape = PLAIN };
	struct render_options options = { .format = f->format, .width = 80,
		.utf8 = true };
	struct buf out = BUF_INIT;
	struct render *r = render_new(&options, &out);
	struct grid *g = make_grid(&row, 0);
	struct report rep;

	make_report(&row, &rep);
	g->title = "shop\r\v\x9b" "31m \x1b[31m";
	render_begin(r, &rep);
	render_grid(r, g);
	render_end(r);
	if (strpbrk(buf_str(&out), "\r\v\x9b\x1b"))
		fail_msg("%s: %s", f->name, buf_str(&out));
	grid_free(g);
	render_free(r);
	buf_release(&out);
}

/* With steps in time, each table shows when it begins, in whichever zone; a
 * format of one instant has no steps. */
static void steps_have_times(void **state)
{
	const struct format *f = *state;
	const struct row row = { .shape = STEPS };
	struct render_options options = { .format = f->format, .width = 80 };
	struct buf out = BUF_INIT;
	struct render *r;
	struct report rep;
	int i;

	if (render_can((int)f->format, RENDER_ONE_INSTANT))
		skip();
	make_report(&row, &rep);
	r = render_new(&options, &out);
	render_begin(r, &rep);
	for (i = 0; i < 2; i++) {
		struct grid *g = make_grid(&row, i);

		buf_reset(&out);
		render_grid(r, g);
		if (!strstr(buf_str(&out), i ? "13:50" : "13:20"))
			fail_msg("%s: no time in %s", f->name, buf_str(&out));
		grid_free(g);
	}
	render_end(r);
	render_free(r);
	buf_release(&out);
}

/* Longer than a part, and with marks. */
static struct grid *long_grid(void)
{
	static const struct grid_col col[] = {
		GRID_COL("name", "NAME", Q_TEXT, 80, "name"),
		GRID_COL("count", "COUNT", Q_COUNT, 80, "number"),
	};
	struct grid *g = grid_new("long", "a long table");
	char name[16];
	size_t i;

	for (i = 0; i < GS_LEN(col); i++)
		grid_add_col(g, &col[i]);
	for (i = 0; i < 40000; i++) {
		struct grid_row *row = grid_add_row(g);
		int len = snprintf(name, sizeof(name), "row %zu", i);

		row->cell[0] = cell_text(grid_text(g, name, (size_t)len));
		row->cell[1] = cell_int((int64_t)i);
		row->cell[1].mark = '~';
	}
	return g;
}

struct parts {
	struct buf part, all;
	size_t n;
};

static void take_part(void *ctx)
{
	struct parts *p = ctx;

	buf_add(&p->all, buf_str(&p->part), p->part.len);
	buf_reset(&p->part);
	p->n++;
}

/* A table that is written out in parts is the same, and never in memory. */
static void parts_are_short(void **state)
{
	const struct format *f = *state;
	struct render_options options = { .format = f->format, .width = 80 };
	const struct report rep = { .interval_ns = 1 };
	struct grid *g = long_grid();
	struct parts p = { .n = 0 };
	struct buf whole = BUF_INIT;
	struct render *r = render_new(&options, &whole);

	render_begin(r, &rep);
	render_grid(r, g);
	render_free(r);
	options.full = take_part;
	options.full_ctx = &p;
	r = render_new(&options, &p.part);
	render_begin(r, &rep);
	render_grid(r, g);
	take_part(&p);
	render_free(r);
	assert_true(p.n > 5);
	assert_true(p.part.cap < 2 * RENDER_FULL);
	assert_int_equal(whole.len, p.all.len);
	assert_memory_equal(whole.ptr, p.all.ptr, whole.len);
	grid_free(g);
	buf_release(&whole);
	buf_release(&p.part);
	buf_release(&p.all);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, golden, rows);
	CASES_TABLE(&c, titles_are_safe, formats);
	CASES_TABLE(&c, steps_have_times, formats);
	CASES_TABLE(&c, parts_are_short, formats);
	return cases_run(&c, "golden");
}
