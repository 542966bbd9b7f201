/* SPDX-License-Identifier: Apache-2.0 */
#include "sadf/svg.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "sadf/svg_scale.h"
#include "sadf/xmltext.h"

/* All in pixels. */
#define MARGIN 16
#define HEAD 80
#define TITLE 24 /* of a chart, above its plot */
#define PLOT_LOW 150 /* a plot's height, where the legend is no higher */
#define PLOT_TINY 110 /* of one of two in a row */
#define LEGEND_LINE 15
#define TIMES 20 /* below a plot */
#define GAP 18
#define AXIS 56 /* left of a plot */
#define LEGEND 360 /* right of it */
#define WIDE (AXIS + SVG_COLUMNS + LEGEND)
#define NARROW_PLOT 330
#define NARROW (AXIS + NARROW_PLOT + LEGEND)
#define TOC_LINE 16
#define TIME_WIDTH 72 /* what a time takes below an axis */

/* Items of an activity, from which on its charts stand two in a row. */
#define MANY_ITEMS 5

struct cell {
	const struct chart *chart;
	size_t item; /* the first chart of the same activity and item */
	unsigned x, y, plot_width, plot_height;
};

struct drawing {
	const struct chart_page *page;
	const struct svg_opt *opt;
	struct cell *cell;
	size_t n;
	unsigned width, height;
	size_t n_toc; /* links */
	struct curve_bin *bin; /* of the curve that is drawn */
	size_t cap_bin;
	struct buf out;
	svg_write_fn write;
	void *arg;
	bool failed;
};

/* Dark ones: they are read on white. */
static const char *const colors[] = {
	"#1f5fa8", "#d1242f", "#1a7f37", "#c76a00", "#7d3fb8", "#0f8a8a",
	"#a8326f", "#6b5a1e", "#7c8692", "#111111"
};
static const char *const greys[] = { "#000000", "#707070", "#a8a8a8" };
static const char *const dashes[] = { NULL, "7 3", "2 2", "8 2 2 2" };

/* ---- where everything stands ----------------------------------------- */

static size_t item_of(const struct chart_page *p, size_t at)
{
	size_t i;

	for (i = 0; i < at; i++) {
		if (p->chart[i].activity == p->chart[at].activity &&
		    strcmp(p->chart[i].item, p->chart[at].item) == 0)
			return i;
	}
	return at;
}

/* "all" first; CPU 9 before CPU 10. */
static int compare_items(const char *a, const char *b)
{
	bool all_a = strcmp(a, "all") == 0, all_b = strcmp(b, "all") == 0;

	return all_a != all_b ? all_b - all_a : strverscmp(a, b);
}

static int compare(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	if (x->chart->activity != y->chart->activity)
		return x->chart->activity < y->chart->activity ? -1 : 1;
	if (x->item != y->item)
		return compare_items(x->chart->item, y->chart->item);
	return x->chart < y->chart ? -1 : x->chart > y->chart;
}

static void choose(struct drawing *d)
{
	const struct chart_page *p = d->page;
	size_t i;

	d->cell = gs_calloc(p->n_chart + 1, sizeof(*d->cell));
	for (i = 0; i < p->n_chart; i++) {
		if (d->opt->skip_empty && chart_is_empty(&p->chart[i]))
			continue;
		d->cell[d->n].chart = &p->chart[i];
		d->cell[d->n++].item = item_of(p, i);
	}
	qsort(d->cell, d->n, sizeof(*d->cell), compare);
}

static bool same_activity(const struct drawing *d, size_t a, size_t b)
{
	return d->cell[a].chart->activity == d->cell[b].chart->activity;
}

/* How many items the activity of a cell has. */
static size_t items_from(const struct drawing *d, size_t at)
{
	size_t i, n = 1;

	for (i = at + 1; i < d->n && same_activity(d, at, i); i++)
		n += d->cell[i].item != d->cell[i - 1].item;
	return n;
}

/* The cells of one row: their number. */
static size_t row_of(const struct drawing *d, size_t at, bool narrow)
{
	size_t n = 1;

	while (narrow && at + n < d->n && same_activity(d, at, at + n) &&
	    (d->opt->packed ? d->cell[at + n].item == d->cell[at].item
	                    : n < 2))
		n++;
	return n;
}

static unsigned plot_height(const struct chart *c, bool narrow)
{
	unsigned legend = (unsigned)(c->n_curve + 1) * LEGEND_LINE;
	unsigned least = narrow ? PLOT_TINY : PLOT_LOW;

	return GS_MAX(legend, least);
}

static unsigned place_row(struct drawing *d, size_t at, size_t n, bool narrow)
{
	unsigned high = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		struct cell *c = &d->cell[at + i];

		c->x = MARGIN + (unsigned)i * (NARROW + MARGIN);
		c->y = d->height;
		c->plot_width = narrow ? NARROW_PLOT : SVG_COLUMNS;
		c->plot_height = plot_height(c->chart, narrow);
		high = GS_MAX(high, c->plot_height);
		d->width = GS_MAX(d->width, c->x + MARGIN + AXIS + LEGEND +
		    c->plot_width);
	}
	for (i = 0; i < n; i++) /* side by side they look alike */
		d->cell[at + i].plot_height = high;
	return TITLE + high + TIMES + GAP;
}

static void place(struct drawing *d)
{
	bool narrow = d->opt->packed;
	size_t i, n;

	d->width = 2 * MARGIN + WIDE;
	d->height = HEAD + MARGIN;
	for (i = 0; i < d->n; i++)
		d->n_toc += i == 0 || !same_activity(d, i - 1, i);
	if (d->opt->toc)
		d->height += (unsigned)d->n_toc * TOC_LINE + GAP;
	for (i = 0; i < d->n; i += n) {
		if (i == 0 || !same_activity(d, i - 1, i))
			narrow = d->opt->packed ||
			    items_from(d, i) >= MANY_ITEMS;
		n = row_of(d, i, narrow);
		d->height += place_row(d, i, n, narrow);
	}
}

/* ---- pieces ---------------------------------------------------------- */

static void flush(struct drawing *d)
{
	if (!d->failed && d->out.len > 0 &&
	    !d->write(d->arg, d->out.ptr, d->out.len))
		d->failed = true;
	buf_reset(&d->out);
}

static void open_text(struct drawing *d, double x, double y,
	const char *class)
{
	buf_printf(&d->out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y,
	    class);
}

static void close_text(struct drawing *d)
{
	buf_add_str(&d->out, "</text>\n");
}

static void add_text(struct drawing *d, double x, double y,
	const char *class, const char *text)
{
	open_text(d, x, y, class);
	xml_add_text(&d->out, text);
	close_text(d);
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
	open_text(d, c->x + AXIS, c->y + TITLE - 8, "t");
	xml_add_text(&d->out, buf_str(&text));
	buf_add_str(&d->out, "</text>\n");
	buf_reset(&text);
	buf_printf(&text, "%s%s", v->prefix, v->unit);
	add_text(d, c->x + AXIS - 6, c->y + TITLE - 8, "y u",
	    buf_str(&text));
	buf_reset(&text);
	if (d->opt->info) {
		buf_printf(&text, "%s ", d->opt->name);
		zone_add_date_time(&d->opt->zone, d->page->from_ns, 0, &text);
		add_text(d, c->x + AXIS + c->plot_width, c->y + TITLE - 8,
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
		open_text(d, x - 6, y + 4, "y");
		buf_printf(&d->out, "%.*f", v->decimals,
		    i * v->step / v->divide);
		close_text(d);
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
		open_text(d, x, bottom + 16, "x");
		svg_add_time(&d->out, &t, z, ns);
		close_text(d);
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

/* The bins from one that begins anew to where the next one does. */
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
static size_t take_bins(struct drawing *d, const struct cell *c,
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
	size_t i, n, n_bin = take_bins(d, c, k);

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
	open_text(d, c->x + AXIS + c->plot_width + figure_x[at], y, "y");
	svg_add_figure(&d->out, c->chart->unit, value);
	close_text(d);
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
	open_text(d, x + 24, y, "n");
	xml_add_text(&d->out, k->name);
	if (factor > 1)
		buf_printf(&d->out, " \303\227%.0f", factor);
	close_text(d);
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
		add_text(d, x + figure_x[i], c->y + TITLE + 8, "y u",
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

static void add_chart(struct drawing *d, const struct cell *c)
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
		add_text(d, c->x + AXIS + c->plot_width / 2.0,
		    c->y + TITLE + c->plot_height / 2.0, "x u", "no values");
	for (i = 0; i < c->chart->n_curve; i++)
		add_curve(d, c, i, &v, true);
	for (i = 0; i < c->chart->n_curve; i++)
		add_curve(d, c, i, &v, false);
	add_marks(d, c, false);
	add_legend(d, c, &v);
	buf_add_str(&d->out, "</g>\n");
	flush(d);
}

/* ---- the page -------------------------------------------------------- */

static const char style[] =
	"<style>\n"
	"text { font: 11px sans-serif; fill: #24292f }\n"
	".t { font-weight: bold; font-size: 13px }\n"
	".b { font-weight: bold; font-size: 16px }\n"
	".u { fill: #57606a }\n"
	".x { text-anchor: middle }\n"
	".y { text-anchor: end }\n"
	".g { stroke: #e1e4e8 }\n"
	".a { stroke: #57606a }\n"
	".l { fill: none; stroke-width: 1.5; stroke-linejoin: round }\n"
	".m { stroke-width: 0.6; opacity: 0.28 }\n"
	".h { fill: #d8dce1 }\n"
	".r { stroke: #cf222e; stroke-dasharray: 5 3 }\n"
	".c { stroke: #0969da; stroke-dasharray: 1 3 }\n"
	"</style>\n";

static void add_heading(struct drawing *d)
{
	const struct chart_page *p = d->page;
	struct buf text = BUF_INIT;

	add_text(d, MARGIN, 26, "b", d->opt->heading);
	zone_add_date_time(&d->opt->zone, p->from_ns, 0, &text);
	buf_add_str(&text, " to ");
	zone_add_date_time(&d->opt->zone, p->to_ns, 0, &text);
	buf_add_char(&text, ' ');
	zone_add_label(&d->opt->zone, &text);
	buf_printf(&text, ", %llu samples", (unsigned long long)p->n_samples);
	add_text(d, MARGIN, 46, "u", buf_str(&text));
	buf_reset(&text);
	if (p->n_mark_more > 0)
		buf_printf(&text, " (%zu more are not drawn)",
		    p->n_mark_more);
	add_text(d, MARGIN, 62, "u", "Where a point stands for several samples "
	    "the line is their mean, and the shade reaches from the lowest to "
	    "the highest.");
	if (p->n_mark > 0) {
		open_text(d, MARGIN, 78, "u");
		buf_add_str(&d->out, "Grey: nothing was recorded. Dashed red "
		    "line: the host was restarted. Dotted blue line: a "
		    "comment.");
		xml_add_text(&d->out, buf_str(&text));
		close_text(d);
	}
	buf_release(&text);
}

static void add_toc(struct drawing *d)
{
	double y = HEAD + TOC_LINE;
	size_t i;

	for (i = 0; i < d->n; i++) {
		if (i > 0 && same_activity(d, i - 1, i))
			continue;
		buf_printf(&d->out, "<a href=\"#c%zu\">", i);
		add_text(d, MARGIN, y, "u", d->cell[i].chart->title);
		buf_add_str(&d->out, "</a>\n");
		y += TOC_LINE;
	}
}

static void add_page(struct drawing *d)
{
	size_t i;

	buf_add_str(&d->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<svg xmlns=\"http://www.w3.org/2000/svg\"");
	if (d->opt->height)
		buf_printf(&d->out, " height=\"%u\"", d->opt->height);
	else
		buf_printf(&d->out, " width=\"%u\" height=\"%u\"", d->width,
		    d->height);
	buf_printf(&d->out, " viewBox=\"0 0 %u %u\">\n", d->width, d->height);
	buf_add_str(&d->out, style);
	buf_add_str(&d->out, "<rect width=\"100%\" height=\"100%\" "
	    "fill=\"#ffffff\"/>\n");
	add_heading(d);
	if (d->opt->toc)
		add_toc(d);
	if (d->n == 0)
		add_text(d, MARGIN, HEAD + MARGIN, "u", "Nothing to show.");
	for (i = 0; i < d->n && !d->failed; i++)
		add_chart(d, &d->cell[i]);
	buf_add_str(&d->out, "</svg>\n");
	flush(d);
}

bool svg_draw(const struct chart_page *page, const struct svg_opt *opt,
	svg_write_fn write, void *arg)
{
	struct drawing d = { .page = page, .opt = opt, .write = write,
		.arg = arg };

	choose(&d);
	place(&d);
	add_page(&d);
	free(d.cell);
	free(d.bin);
	buf_release(&d.out);
	return !d.failed;
}
