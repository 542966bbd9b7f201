/* SPDX-License-Identifier: Apache-2.0 */
/*
 * svg_chart.c - a chart of a drawing: title, axes, marks, curves, legend.
 */
#include "sadf/svg_int.h"

#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/xmltext.h"

#define TIME_WIDTH 72 /* width of a time below an axis */

/* Dark ones: they are read on white. */
static const char *const colors[] = {
	"#1f5fa8", "#d1242f", "#1a7f37", "#c76a00", "#7d3fb8", "#0f8a8a",
	"#a8326f", "#6b5a1e", "#7c8692", "#111111"
};
static const char *const greys[] = { "#000000", "#707070", "#a8a8a8" };
static const char *const dashes[] = { NULL, "7 3", "2 2", "8 2 2 2" };

/* ---- pieces ---------------------------------------------------------- */

void svg_flush(struct drawing *d)
{
	if (!d->failed && d->out.len > 0 &&
	    !d->write(d->arg, d->out.ptr, d->out.len))
		d->failed = true;
	buf_reset(&d->out);
}

void svg_open_text(struct drawing *d, double x, double y,
	const char *class)
{
	buf_printf(&d->out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y,
	    class);
}

void svg_close_text(struct drawing *d)
{
	buf_add_str(&d->out, "</text>\n");
}

void svg_add_text(struct drawing *d, double x, double y,
	const char *class, const char *text)
{
	svg_open_text(d, x, y, class);
	xml_add_text(&d->out, text);
	svg_close_text(d);
}

static void add_line(struct drawing *d, double x1, double y1, double x2,
	double y2, const char *class)
{
	buf_printf(&d->out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
	    "y2=\"%.1f\" class=\"%s\"/>\n", x1, y1, x2, y2, class);
}

static void add_stroke(struct drawing *d, size_t curve, bool band)
{
	size_t n = d->opt->grey ? GS_LEN(greys) : GS_LEN(colors);
	const char *const *palette = d->opt->grey ? greys : colors;
	const char *dash = dashes[curve / n % GS_LEN(dashes)];

	buf_printf(&d->out, " stroke=\"%s\"", palette[curve % n]);
	if (band)
		buf_printf(&d->out, " fill=\"%s\"", palette[curve % n]);
	else if (dash)
		buf_printf(&d->out, " stroke-dasharray=\"%s\"", dash);
}

static double x_of(const struct drawing *d, const struct cell *c, int64_t ns)
{
	const struct chart_page *p = d->page;
	double x = ((double)ns - (double)p->from_ns) /
	    ((double)p->to_ns - (double)p->from_ns);

	x = x < 0 ? 0 : x > 1 ? 1 : x;
	return c->x + AXIS + x * c->plot_width;
}

/* ---- a chart --------------------------------------------------------- */

static double high_in(const struct chart *c, double high)
{
	size_t i;

	for (i = 0; i < c->n_curve; i++)
		high = GS_MAX(high, c->curve[i].n ? c->curve[i].high : 0);
	return high;
}

/* Shares of all items are comparable: their charts have one scale. */
static double high_of(const struct drawing *d, const struct chart *c)
{
	double high = high_in(c, 0);
	size_t i;

	for (i = 0; c->unit == CHART_PERCENT && i < d->n; i++) {
		const struct chart *other = d->cell[i].chart;

		if (other->activity == c->activity && other->unit == c->unit)
			high = high_in(other, high);
	}
	return high;
}

static void add_title(struct drawing *d, const struct cell *c,
	const struct svg_values *v)
{
	struct buf text = BUF_INIT;

	buf_add_str(&text, c->chart->title);
	if (c->chart->item[0])
		buf_printf(&text, ": %s", c->chart->item);
	svg_open_text(d, c->x + AXIS, c->y + TITLE - 8, "t");
	xml_add_text(&d->out, buf_str(&text));
	buf_add_str(&d->out, "</text>\n");
	buf_reset(&text);
	buf_printf(&text, "%s%s", v->prefix, v->unit);
	svg_add_text(d, c->x + AXIS - 6, c->y + TITLE - 8, "y u",
	    buf_str(&text));
	buf_reset(&text);
	if (d->opt->info) {
		buf_printf(&text, "%s ", d->opt->name);
		zone_add_date_time(&d->opt->zone, d->page->from_ns, 0, &text);
		svg_add_text(d, c->x + AXIS + c->plot_width, c->y + TITLE - 8,
		    "y u", buf_str(&text));
	}
	buf_release(&text);
}

static void add_values(struct drawing *d, const struct cell *c,
	const struct svg_values *v)
{
	double x = c->x + AXIS, bottom = c->y + TITLE + c->plot_height;
	unsigned i, n = (unsigned)(v->top / v->step + 0.5);

	for (i = 0; i <= n; i++) {
		double y = bottom - c->plot_height * (double)i / n;

		add_line(d, x, y, x + c->plot_width, y, i ? "g" : "a");
		svg_open_text(d, x - 6, y + 4, "y");
		buf_printf(&d->out, "%.*f", v->decimals,
		    i * v->step / v->divide);
		svg_close_text(d);
	}
	add_line(d, x, c->y + TITLE, x, bottom, "a");
}

static void add_times(struct drawing *d, const struct cell *c)
{
	const struct chart_page *p = d->page;
	const struct zone *z = &d->opt->zone;
	struct svg_times t = svg_times(z, p->from_ns, p->to_ns,
	    c->plot_width / TIME_WIDTH);
	double bottom = c->y + TITLE + c->plot_height;
	int64_t ns;

	for (ns = t.first_ns; ns <= p->to_ns; ns += t.step_ns) {
		double x = x_of(d, c, ns);

		add_line(d, x, c->y + TITLE, x, bottom + 4, "g");
		svg_open_text(d, x, bottom + 16, "x");
		svg_add_time(&d->out, &t, z, ns);
		svg_close_text(d);
	}
}

static const char *const mark_class[] = {
	[CHART_HOLE] = "h", [CHART_RESTART] = "r", [CHART_COMMENT] = "c"
};

static void add_marks(struct drawing *d, const struct cell *c,
	bool is_hole)
{
	double y = c->y + TITLE;
	size_t i;

	for (i = 0; i < d->page->n_mark; i++) {
		const struct chart_mark *m = &d->page->mark[i];
		double from = x_of(d, c, m->from_ns), to = x_of(d, c,
		    m->to_ns);

		if ((m->kind == CHART_HOLE) != is_hole)
			continue;
		buf_printf(&d->out, "<g><title>");
		xml_add_text(&d->out, m->text);
		buf_add_str(&d->out, "</title>");
		if (is_hole)
			buf_printf(&d->out, "<rect x=\"%.1f\" y=\"%.1f\" "
			    "width=\"%.1f\" height=\"%u\" class=\"h\"/>",
			    from, y, GS_MAX(to - from, 1), c->plot_height);
		else
			add_line(d, from, y, from, y + c->plot_height,
			    mark_class[m->kind]);
		buf_add_str(&d->out, "</g>\n");
	}
}

static void add_point(struct drawing *d, const struct cell *c, char how,
	double x, double y)
{
	double plot = (double)c->plot_width / d->page->columns;
	double bottom = c->y + TITLE + c->plot_height;

	buf_printf(&d->out, "%c%.1f %.1f", how, c->x + AXIS + x * plot,
	    bottom - y);
}

/* The bins from the start of a segment to the start of the next one. */
static size_t stretch(const struct curve_bin *b, size_t n_bin)
{
	size_t n = 1;

	while (n < n_bin && !b[n].cut)
		n++;
	return n;
}

/* Whether a line goes straight on at a bin. */
static bool is_level(const struct curve_bin *b, size_t i, size_t n)
{
	return i > 0 && i + 1 < n && b[i].mean == b[i - 1].mean &&
	    b[i].mean == b[i + 1].mean;
}

/* The mean; one value alone is a dot. */
static void add_mean(struct drawing *d, const struct cell *c,
	const struct curve_bin *b, size_t n, double scale)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!is_level(b, i, n))
			add_point(d, c, i ? 'L' : 'M', b[i].x,
			    b[i].mean * scale);
	}
	if (n == 1)
		buf_add_str(&d->out, "m-1.5 0h3");
}

/* From the lowest to the highest. */
static void add_band(struct drawing *d, const struct cell *c,
	const struct curve_bin *b, size_t n, double scale)
{
	size_t i;

	for (i = 0; i < n; i++)
		add_point(d, c, i ? 'L' : 'M', b[i].x, b[i].high * scale);
	for (i = n; i > 0; i--)
		add_point(d, c, 'L', b[i - 1].x, b[i - 1].low * scale);
	buf_add_char(&d->out, 'Z');
}

static bool has_band(const struct curve_bin *b, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (b[i].high > b[i].low)
			return true;
	}
	return false;
}

static double factor_of(const struct drawing *d, const struct curve *k,
	const struct svg_values *v)
{
	double factor = 1;

	if (!d->opt->autoscale || k->high <= 0)
		return 1;
	while (k->high * factor * 10 <= v->top)
		factor *= 10;
	return factor;
}

/* No more of them than a pixel can show. */
static size_t narrow_bins(struct drawing *d, const struct cell *c,
	const struct curve *k)
{
	double width = (double)d->page->columns / c->plot_width;

	GS_GROW(d->bin, &d->cap_bin, k->n_bin);
	return curve_narrowed(k, GS_MAX(width, 1), d->bin);
}

static void add_curve(struct drawing *d, const struct cell *c, size_t at,
	const struct svg_values *v, bool band)
{
	const struct curve *k = &c->chart->curve[at];
	double scale = c->plot_height / v->top * factor_of(d, k, v);
	size_t i, n, n_bin = narrow_bins(d, c, k);

	if (n_bin == 0 || (band && !has_band(d->bin, n_bin)))
		return;
	buf_printf(&d->out, "<path class=\"%s\"", band ? "m" : "l");
	add_stroke(d, at, band);
	buf_add_str(&d->out, " d=\"");
	for (i = 0; i < n_bin; i += n) {
		n = stretch(d->bin + i, n_bin - i);
		if (!band)
			add_mean(d, c, d->bin + i, n, scale);
		else if (has_band(d->bin + i, n))
			add_band(d, c, d->bin + i, n, scale);
	}
	buf_add_str(&d->out, "\"/>\n");
}

/* ---- the legend ------------------------------------------------------ */

static const unsigned figure_x[] = { 204, 278, 352 }; /* their right ends */

static void add_legend_figure(struct drawing *d, const struct cell *c,
	double y, size_t at, double value)
{
	svg_open_text(d, c->x + AXIS + c->plot_width + figure_x[at], y, "y");
	svg_add_figure(&d->out, c->chart->unit, value);
	svg_close_text(d);
}

static void add_legend_curve(struct drawing *d, const struct cell *c,
	size_t at, const struct svg_values *v)
{
	const struct curve *k = &c->chart->curve[at];
	double x = c->x + AXIS + c->plot_width + 10;
	double y = c->y + TITLE + 10 + (double)(at + 1) * LEGEND_LINE;
	double factor = factor_of(d, k, v);

	buf_printf(&d->out, "<g><title>");
	xml_add_text(&d->out, k->name);
	buf_printf(&d->out, ": %.2f to %.2f, last %.2f, %llu values",
	    k->low, k->high, k->last, (unsigned long long)k->n);
	buf_printf(&d->out, "</title><path class=\"l\" d=\"M%.1f %.1fh18\"",
	    x, y - 4);
	add_stroke(d, at, false);
	buf_add_str(&d->out, "/>\n");
	svg_open_text(d, x + 24, y, "n");
	xml_add_text(&d->out, k->name);
	if (factor > 1)
		buf_printf(&d->out, " \303\227%.0f", factor);
	svg_close_text(d);
	if (k->n > 0) {
		add_legend_figure(d, c, y, 0, k->low);
		add_legend_figure(d, c, y, 1, k->high);
		add_legend_figure(d, c, y, 2, k->last);
	}
	buf_add_str(&d->out, "</g>\n");
}

static void add_legend(struct drawing *d, const struct cell *c,
	const struct svg_values *v)
{
	static const char *const heads[] = { "min", "max", "last" };
	double x = c->x + AXIS + c->plot_width;
	size_t i;

	for (i = 0; i < GS_LEN(heads); i++)
		svg_add_text(d, x + figure_x[i], c->y + TITLE + 8, "y u",
		    heads[i]);
	for (i = 0; i < c->chart->n_curve; i++)
		add_legend_curve(d, c, i, v);
}

static bool has_values(const struct chart *c)
{
	size_t i;

	for (i = 0; i < c->n_curve; i++) {
		if (c->curve[i].n > 0)
			return true;
	}
	return false;
}

void svg_add_chart(struct drawing *d, const struct cell *c)
{
	struct svg_values v = svg_values(c->chart->unit,
	    high_of(d, c->chart));
	size_t i;

	buf_printf(&d->out, "<g id=\"c%zu\">\n", (size_t)(c - d->cell));
	add_title(d, c, &v);
	add_marks(d, c, true);
	add_values(d, c, &v);
	add_times(d, c);
	if (!has_values(c->chart))
		svg_add_text(d, c->x + AXIS + c->plot_width / 2.0,
		    c->y + TITLE + c->plot_height / 2.0, "x u", "no values");
	for (i = 0; i < c->chart->n_curve; i++)
		add_curve(d, c, i, &v, true);
	for (i = 0; i < c->chart->n_curve; i++)
		add_curve(d, c, i, &v, false);
	add_marks(d, c, false);
	add_legend(d, c, &v);
	buf_add_str(&d->out, "</g>\n");
	svg_flush(d);
}
