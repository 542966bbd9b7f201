/* SPDX-License-Identifier: Apache-2.0 */
#include "sadf/svg_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/xmltext.h"

/* All in pixels. */
#define MARGIN 16
#define HEAD 80
#define PLOT_LOW 150 /* a plot's height, where the legend is no higher */
#define PLOT_TINY 110 /* of one of two in a row */
#define TIMES 20 /* below a plot */
#define GAP 18
#define LEGEND 360 /* right of it */
#define WIDE (AXIS + SVG_COLUMNS + LEGEND)
#define NARROW_PLOT 330
#define NARROW (AXIS + NARROW_PLOT + LEGEND)
#define TOC_LINE 16

/* From this number of items on, an activity's charts are two in a row. */
#define MANY_ITEMS 5

/* ---- layout ---------------------------------------------------------- */

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

	svg_add_text(d, MARGIN, 26, "b", d->opt->heading);
	zone_add_date_time(&d->opt->zone, p->from_ns, 0, &text);
	buf_add_str(&text, " to ");
	zone_add_date_time(&d->opt->zone, p->to_ns, 0, &text);
	buf_add_char(&text, ' ');
	zone_add_label(&d->opt->zone, &text);
	buf_printf(&text, ", %llu samples", (unsigned long long)p->n_samples);
	svg_add_text(d, MARGIN, 46, "u", buf_str(&text));
	buf_reset(&text);
	if (p->n_mark_more > 0)
		buf_printf(&text, " (%zu more are not drawn)",
		    p->n_mark_more);
	svg_add_text(d, MARGIN, 62, "u", "Where a point stands for several "
	    "samples the line is their mean, and the shade reaches from the "
	    "lowest to the highest.");
	if (p->n_mark > 0) {
		svg_open_text(d, MARGIN, 78, "u");
		buf_add_str(&d->out, "Grey: nothing was recorded. Dashed red "
		    "line: the host was restarted. Dotted blue line: a "
		    "comment.");
		xml_add_text(&d->out, buf_str(&text));
		svg_close_text(d);
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
		svg_add_text(d, MARGIN, y, "u", d->cell[i].chart->title);
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
		svg_add_text(d, MARGIN, HEAD + MARGIN, "u", "Nothing to show.");
	for (i = 0; i < d->n && !d->failed; i++)
		svg_add_chart(d, &d->cell[i]);
	buf_add_str(&d->out, "</svg>\n");
	svg_flush(d);
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
