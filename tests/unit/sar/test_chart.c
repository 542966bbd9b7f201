/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Curves that are thinned while they come, scales of axes, and the drawing.
 */
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "cases.h"
#include "sadf/svg.h"
#include "sadf/svg_int.h"

#define SECOND GS_NSEC_PER_SEC
#define BEGIN (1795219200 * SECOND) /* 2026-11-21 00:00:00 */

/* ---- scales ---------------------------------------------------------- */

struct scale {
	const char *name;
	enum chart_unit unit;
	double high, top, step;
	const char *label; /* of the topmost line */
};

static const struct scale scales[] = {
	{ "nothing", CHART_COUNT, 0, 1, 1, "1" },
	{ "small", CHART_RATE, 0.03, 0.03, 0.01, "0.03/s" },
	{ "a quarter", CHART_COUNT, 10, 10, 2.5, "10.0" },
	{ "thousands", CHART_RATE, 21000, 30000, 10000, "30k/s" },
	{ "percent", CHART_PERCENT, 33, 100, 25, "100%" },
	{ "few percent", CHART_PERCENT, 3, 3, 1, "3%" },
	{ "above a hundred", CHART_PERCENT, 180, 200, 50, "200%" },
	{ "kibibytes", CHART_KIB, 900, 1000, 250, "1000KiB" },
	{ "gibibytes", CHART_KIB, 7.0 * 1024 * 1024, 8.0 * 1024 * 1024,
	    2.0 * 1024 * 1024, "8GiB" },
	{ "huge", CHART_COUNT, 1e30, 1e30, 2.5e29, NULL },
};

static void scale(void **state)
{
	const struct scale *s = *state;
	struct svg_values v = svg_values(s->unit, s->high);
	struct buf label = BUF_INIT;

	assert_true(v.top > s->top * 0.999 && v.top < s->top * 1.001);
	assert_true(v.step > s->step * 0.999 && v.step < s->step * 1.001);
	buf_printf(&label, "%.*f%s%s", v.decimals, v.top / v.divide, v.prefix,
	    v.unit);
	if (s->label)
		assert_string_equal(buf_str(&label), s->label);
	buf_release(&label);
}

struct times {
	const char *name; /* the first label */
	int64_t from_s, to_s, step_s;
};

/* At most ten lines, of a zone two hours east. */
static const struct times times[] = {
	{ "02:00:00", 0, 9, 1 },
	{ "02:00:05", 1, 40, 5 },
	{ "02:10", 300, 5400, 600 },
	{ "03:00", 0, 86400, 10800 },
	{ "2026-11-22", 0, 7 * 86400, 86400 },
};

static void time_axis(void **state)
{
	const struct times *t = *state;
	struct zone zone = zone_fixed(7200);
	struct svg_times got = svg_times(&zone, BEGIN + t->from_s * SECOND,
	    BEGIN + t->to_s * SECOND, 10);
	struct buf label = BUF_INIT;

	assert_int_equal(got.step_ns, t->step_s * SECOND);
	svg_add_time(&label, &got, &zone, got.first_ns);
	assert_string_equal(buf_str(&label), t->name);
	buf_release(&label);
}

struct figure {
	const char *name;
	enum chart_unit unit;
	double v;
};

static const struct figure figures[] = {
	{ "0.00", CHART_PERCENT, 0 },
	{ "99.50", CHART_PERCENT, 99.5 },
	{ "21.58 GiB", CHART_KIB, 22623476 },
	{ "1023 KiB", CHART_KIB, 1023 },
	{ "1.23k", CHART_RATE, 1234 },
	{ "512.0 B", CHART_KIB_RATE, 0.5 },
};

static void figure(void **state)
{
	const struct figure *f = *state;
	struct buf got = BUF_INIT;

	svg_add_figure(&got, f->unit, f->v);
	assert_string_equal(buf_str(&got), f->name);
	buf_release(&got);
}

/* ---- curves ---------------------------------------------------------- */

static struct curve *only_curve(struct chart_page *p)
{
	struct chart *c = chart_find(p, 1, CHART_RATE, "sda");

	if (!c->title)
		c->title = gs_strdup("disks & more");
	return chart_curve(c, 0, "tps");
}

static void add(struct chart_page *p, int64_t at_s, double v)
{
	chart_sample(p, BEGIN + at_s * SECOND);
	curve_add(p, only_curve(p), v);
}

static void all_in_their_columns(void **state)
{
	struct chart_page p;
	struct curve *c;
	int i;

	(void)state;
	chart_page_init(&p, BEGIN, BEGIN + 1000 * SECOND, 10);
	for (i = 0; i < 1000; i++)
		add(&p, i, i == 555 ? 9000 : i);
	c = only_curve(&p);
	assert_int_equal(c->n_bin, 10);
	assert_int_equal(c->n, 1000);
	assert_true(c->high == 9000 && c->low == 0 && c->last == 999);
	assert_true(c->bin[5].high == 9000 && c->bin[5].low == 500);
	assert_true(c->bin[3].mean > 349 && c->bin[3].mean < 350);
	assert_true(c->bin[3].x == 3.5f && c->bin[3].n == 100);
	chart_page_release(&p);
}

static void few_stay_where_they_are(void **state)
{
	struct chart_page p;
	struct curve *c;

	(void)state;
	chart_page_init(&p, BEGIN, BEGIN + 100 * SECOND, 1000);
	add(&p, 10, 1);
	add(&p, 20, 2);
	chart_sample(&p, BEGIN + 30 * SECOND); /* without it */
	add(&p, 40, 3);
	chart_cut(&p);
	add(&p, 50, 4);
	add(&p, 60, 5);
	c = only_curve(&p);
	assert_int_equal(c->n_bin, 5);
	assert_true(c->bin[0].x == 100 && c->bin[4].x == 600);
	assert_true(c->bin[0].cut && !c->bin[1].cut && c->bin[2].cut);
	assert_true(c->bin[3].cut && !c->bin[4].cut);
	chart_page_release(&p);
}

static void narrowed(void **state)
{
	struct chart_page p;
	struct curve_bin bin[1000];
	struct curve *c;
	int i;

	(void)state;
	chart_page_init(&p, BEGIN, BEGIN + 1000 * SECOND, 1000);
	for (i = 0; i < 1000; i++) {
		if (i == 803)
			chart_cut(&p);
		add(&p, i, i == 555 ? 9000 : i);
	}
	c = only_curve(&p);
	assert_int_equal(curve_narrowed(c, 1, bin), 1000);
	assert_memory_equal(bin, c->bin, sizeof(bin));
	assert_int_equal(curve_narrowed(c, 10, bin), 101);
	assert_true(bin[55].high == 9000 && bin[55].low == 550);
	assert_true(bin[3].mean == 34.5f && bin[3].x == 35 && bin[3].n == 10);
	assert_true(bin[0].cut && !bin[80].cut && bin[81].cut);
	assert_true(bin[80].n == 3 && bin[81].n == 7 && bin[81].low == 803);
	chart_page_release(&p);
}

static void charts_by_item(void **state)
{
	struct chart_page p;
	struct chart *a;

	(void)state;
	chart_page_init(&p, BEGIN, BEGIN + SECOND, 10);
	chart_sample(&p, BEGIN);
	a = chart_find(&p, 1, CHART_RATE, "sda");
	assert_string_equal(a->item, "sda");
	(void)chart_find(&p, 1, CHART_RATE, "sdb");
	(void)chart_find(&p, 1, CHART_COUNT, "sda");
	(void)chart_find(&p, 2, CHART_RATE, "sda");
	assert_int_equal(p.n_chart, 4);
	chart_sample(&p, BEGIN + 1);
	assert_ptr_equal(chart_find(&p, 2, CHART_RATE, "sda"), &p.chart[3]);
	assert_ptr_equal(chart_find(&p, 1, CHART_RATE, "sda"), &p.chart[0]);
	assert_int_equal(p.n_chart, 4);
	assert_true(chart_is_empty(&p.chart[0]));
	chart_page_release(&p);
}

/* ---- the drawing ----------------------------------------------------- */

static bool collect(void *arg, const char *p, size_t len)
{
	buf_add(arg, p, len);
	return true;
}

static bool refuse(void *arg, const char *p, size_t len)
{
	(void)p;
	(void)len;
	++*(int *)arg;
	return false;
}

static void has(const struct buf *b, const char *what)
{
	if (!strstr(buf_str(b), what))
		fail_msg("no %s in %s", what, buf_str(b));
}

static void drawn(void **state)
{
	struct svg_opt opt = { .heading = "<a> & \"b\"", .name = "a",
		.toc = true };
	struct chart_page p;
	struct buf out = BUF_INIT;

	(void)state;
	chart_page_init(&p, BEGIN, BEGIN + 100 * SECOND, 100);
	add(&p, 0, 0);
	add(&p, 50, 100);
	chart_mark(&p, CHART_HOLE, BEGIN + 50 * SECOND, BEGIN + 75 * SECOND,
	    "a <hole>");
	chart_cut(&p);
	chart_mark(&p, CHART_RESTART, BEGIN + 75 * SECOND,
	    BEGIN + 75 * SECOND, "restart");
	add(&p, 75, 50);
	assert_true(svg_draw(&p, &opt, collect, &out));
	has(&out, "&lt;a&gt; &amp; &quot;b&quot;");
	has(&out, ">disks &amp; more: sda<");
	/* from the bottom to the top in half of the plot; then a dot */
	has(&out, "d=\"M72.0 304.0L472.0 154.0M672.0 229.0m-1.5 0h3\"");
	has(&out, "<rect x=\"472.0\" y=\"154.0\" width=\"200.0\"");
	has(&out, "a &lt;hole&gt;");
	has(&out, "<line x1=\"672.0\"");
	has(&out, "0.00 to 100.00, last 50.00, 3 values");
	buf_release(&out);
	chart_page_release(&p);
}

/* Of many items each chart is narrow: so are its curves. */
static void drawn_small(void **state)
{
	struct svg_opt opt = { .heading = "", .name = "" };
	struct chart_page p;
	struct buf out = BUF_INIT;
	int i, k;

	(void)state;
	chart_page_init(&p, BEGIN, BEGIN + 5000 * SECOND, SVG_COLUMNS);
	for (i = 0; i < 5000; i++) {
		chart_sample(&p, BEGIN + i * SECOND);
		for (k = 0; k < 10; k++) {
			char name[2] = { (char)('a' + k), 0 };
			struct chart *c = chart_find(&p, 1, CHART_PERCENT,
			    name);

			if (!c->title)
				c->title = gs_strdup("CPU");
			curve_add(&p, chart_curve(c, 0, "c"), (i * 7) % 100);
		}
	}
	assert_true(svg_draw(&p, &opt, collect, &out));
	assert_in_range(out.len, 10 * 3 * 330 * 8, 10 * 3 * 330 * 13 + 30000);
	buf_release(&out);
	chart_page_release(&p);
}

static void nothing_to_draw(void **state)
{
	struct svg_opt opt = { .heading = "", .name = "", .skip_empty = true };
	struct chart_page p;
	struct buf out = BUF_INIT;
	int asked = 0;

	(void)state;
	chart_page_init(&p, BEGIN, BEGIN + 1, 100);
	chart_sample(&p, BEGIN);
	curve_add(&p, only_curve(&p), 0);
	assert_true(svg_draw(&p, &opt, collect, &out));
	has(&out, "Nothing to show.");
	assert_false(svg_draw(&p, &opt, refuse, &asked));
	assert_int_equal(asked, 1);
	buf_release(&out);
	chart_page_release(&p);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, scale, scales);
	CASES_TABLE(&c, time_axis, times);
	CASES_TABLE(&c, figure, figures);
	cases_add(&c, "all in their columns", all_in_their_columns, NULL);
	cases_add(&c, "few stay where they are", few_stay_where_they_are,
	    NULL);
	cases_add(&c, "narrowed", narrowed, NULL);
	cases_add(&c, "drawn small", drawn_small, NULL);
	cases_add(&c, "charts by item", charts_by_item, NULL);
	cases_add(&c, "drawn", drawn, NULL);
	cases_add(&c, "nothing to draw", nothing_to_draw, NULL);
	return cases_run(&c, "chart");
}
