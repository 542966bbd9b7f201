/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sadf_svg.c - sadf -g: charts of the samples.
 */
#include <ctype.h>
#include <inttypes.h>

#include "base/mem.h"
#include "sadf/sadf_int.h"

/* Chart titles begin with a capital. */
static char *title_of(const struct sar_activity *a)
{
	char *title = gs_strdup(a->what);

	title[0] = (char)toupper((unsigned char)title[0]);
	return title;
}

static void svg_begin(struct sadf *s)
{
	chart_page_init(&s->charts, s->opt.from_ns, s->opt.to_ns,
	    SVG_COLUMNS);
}

static bool is_shown(const struct sadf *s, const struct sar_column *c)
{
	bool is_idle = c->fn == sar_cpu && c->arg == CPU_TIME_IDLE;

	return c->name && c->chart != CHART_NONE &&
	    (!is_idle || s->opt.show_idle);
}

/* How many columns before it are in the same chart. */
static size_t place_of(const struct sadf *s, const struct sar_activity *a,
	size_t column)
{
	size_t i, n = 0;

	for (i = 0; i < column; i++)
		n += is_shown(s, &a->column[i]) &&
		    a->column[i].chart == a->column[column].chart;
	return n;
}

static void add_value(struct sadf *s, const struct sar_activity *a,
	size_t column, const char *item, const struct value *v)
{
	struct chart *c = chart_find(&s->charts,
	    (unsigned)(a - sar_activities), a->column[column].chart, item);
	struct curve *curve = chart_curve(c, place_of(s, a, column),
	    a->column[column].name);

	if (!c->title)
		c->title = title_of(a);
	if (v->kind == VALUE_WHOLE)
		curve_add(&s->charts, curve, (double)v->whole);
	else if (v->kind == VALUE_REAL)
		curve_add(&s->charts, curve, v->real);
}

static void add_row(struct sadf *s, const struct sar_activity *a,
	const struct sar_calc *row, const struct value *v)
{
	const char *name = sar_row_name(a, row);
	struct buf item = BUF_INIT;
	size_t i;

	if (a->kind == SAR_CPU && row->item)
		buf_add_str(&item, "CPU ");
	buf_add_str(&item, name);
	for (i = 0; i < a->n_column; i++) {
		if (is_shown(s, &a->column[i]))
			add_value(s, a, i, buf_str(&item), &v[i]);
	}
	buf_release(&item);
}

static void svg_sample(struct sadf *s)
{
	struct value v[SAR_COLUMNS_MAX];
	struct sar_calc row;
	size_t i;

	chart_sample(&s->charts, s->data.now.wall_ns);
	for (i = 0; i < s->n_page; i++) {
		const struct sar_activity *a = s->page[i].activity;
		size_t at = 0;

		while (sadf_next_row(s, &s->page[i], false, &at, &row, v))
			add_row(s, a, &row, v);
	}
}

static void svg_stretch(struct sadf *s)
{
	chart_cut(&s->charts);
}

static void svg_note(struct sadf *s, const struct sadf_note *n)
{
	static const enum chart_mark_kind kinds[] = {
		[SADF_RESTART] = CHART_RESTART,
		[SADF_COMMENT] = CHART_COMMENT,
		[SADF_HOLE] = CHART_HOLE
	};
	struct buf text = BUF_INIT;

	if (n->kind == SADF_RESTART)
		buf_printf(&text, "restarted with %" PRIu64 " CPUs at ",
		    n->cpus);
	else if (n->kind == SADF_HOLE)
		buf_printf(&text, "hole: %s, from ", n->text);
	else
		buf_printf(&text, "%s, at ", n->text);
	zone_add_date_time(&s->opt.zone, n->from_ns, 0, &text);
	chart_mark(&s->charts, kinds[n->kind], n->from_ns,
	    n->kind == SADF_HOLE ? n->to_ns : n->from_ns, buf_str(&text));
	buf_release(&text);
}

static void svg_end(struct sadf *s)
{
	struct svg_opt opt = s->opt.svg;
	struct buf heading = BUF_INIT;

	buf_printf(&heading, "%s: Linux %s %s, %" PRIu64 " CPU",
	    s->banner.node, s->banner.release, s->banner.machine,
	    s->banner.cpus);
	opt.zone = s->opt.zone;
	opt.heading = buf_str(&heading);
	opt.name = s->banner.node;
	if (!svg_draw(&s->charts, &opt, s->opt.write, s->opt.arg))
		s->stopped = true;
	buf_release(&heading);
}

static void svg_release(struct sadf *s)
{
	chart_page_release(&s->charts);
}

const struct sadf_writer sadf_svg = {
	.begin = svg_begin, .sample = svg_sample, .stretch = svg_stretch,
	.note = svg_note, .end = svg_end, .release = svg_release
};
