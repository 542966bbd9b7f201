/* SPDX-License-Identifier: Apache-2.0 */
#include "sar/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void chart_page_init(struct chart_page *p, int64_t from_ns, int64_t to_ns,
	unsigned columns)
{
	*p = (struct chart_page) { .from_ns = from_ns, .to_ns = to_ns,
		.columns = columns };
}

static void release_chart(struct chart *c)
{
	size_t i;

	for (i = 0; i < c->n_curve; i++) {
		free(c->curve[i].name);
		free(c->curve[i].bin);
	}
	free(c->curve);
	free(c->title);
	free(c->item);
}

void chart_page_release(struct chart_page *p)
{
	size_t i;

	for (i = 0; i < p->n_chart; i++)
		release_chart(&p->chart[i]);
	for (i = 0; i < p->n_mark; i++)
		free(p->mark[i].text);
	free(p->chart);
	free(p->mark);
	*p = (struct chart_page) { 0 };
}

void chart_sample(struct chart_page *p, int64_t at_ns)
{
	p->sample++;
	p->n_samples++;
	p->now_ns = at_ns;
	p->next = 0;
}

void chart_cut(struct chart_page *p)
{
	p->sample++;
}

void chart_mark(struct chart_page *p, enum chart_mark_kind kind,
	int64_t from_ns, int64_t to_ns, const char *text)
{
	if (p->n_mark == CHART_MARKS_MAX) {
		p->n_mark_more++;
		return;
	}
	GS_GROW(p->mark, &p->cap_mark, p->n_mark + 1);
	p->mark[p->n_mark++] = (struct chart_mark) { .kind = kind,
		.from_ns = from_ns, .to_ns = to_ns,
		.text = gs_strdup(text) };
}

static bool is_it(const struct chart *c, unsigned activity,
	enum chart_unit unit, const char *item)
{
	return c->activity == activity && c->unit == unit &&
	    strcmp(c->item, item) == 0;
}

struct chart *chart_find(struct chart_page *p, unsigned activity,
	enum chart_unit unit, const char *item)
{
	size_t i;

	/* in most samples they come in the order of the sample before */
	for (i = 0; i < p->n_chart; i++) {
		size_t at = (p->next + i) % p->n_chart;

		if (is_it(&p->chart[at], activity, unit, item)) {
			p->next = at + 1;
			return &p->chart[at];
		}
	}
	GS_GROW(p->chart, &p->cap_chart, p->n_chart + 1);
	p->chart[p->n_chart] = (struct chart) { .activity = activity,
		.unit = unit, .item = gs_strdup(item) };
	p->next = p->n_chart + 1;
	return &p->chart[p->n_chart++];
}

struct curve *chart_curve(struct chart *c, size_t at, const char *name)
{
	if (at < c->n_curve)
		return &c->curve[at];
	GS_GROW(c->curve, &c->cap_curve, c->n_curve + 1);
	c->curve[c->n_curve] = (struct curve) { .name = gs_strdup(name) };
	return &c->curve[c->n_curve++];
}

/* ---- values ---------------------------------------------------------- */

static double column_of(const struct chart_page *p)
{
	double x = ((double)p->now_ns - (double)p->from_ns) /
	    ((double)p->to_ns - (double)p->from_ns) * p->columns;

	return x < 0 ? 0 : x > p->columns ? p->columns : x;
}

static void add_bin(struct curve *c, double x, double value, bool cut)
{
	float v = (float)value;

	GS_GROW(c->bin, &c->cap_bin, c->n_bin + 1);
	c->bin[c->n_bin++] = (struct curve_bin) { .x = (float)x,
		.mean = v, .low = v, .high = v, .n = 1, .cut = cut };
}

static void widen_bin(struct curve_bin *b, double value)
{
	float v = (float)value;

	b->n++;
	b->mean += (v - b->mean) / (float)b->n;
	b->low = v < b->low ? v : b->low;
	b->high = v > b->high ? v : b->high;
	b->x = (float)(unsigned)b->x + 0.5f;
}

void curve_add(const struct chart_page *p, struct curve *c, double value)
{
	bool cut = c->n == 0 || c->sample + 1 != p->sample;
	double x = column_of(p);
	struct curve_bin *b = c->n_bin ? &c->bin[c->n_bin - 1] : NULL;

	/* a cut within a column would be narrower than a pixel: it is shown
	 * where the column ends */
	if (b && (unsigned)b->x == (unsigned)x) {
		widen_bin(b, value);
		b->cut |= cut && c->n > 0;
	} else {
		add_bin(c, x, value, cut);
	}
	c->low = c->n == 0 || value < c->low ? value : c->low;
	c->high = c->n == 0 || value > c->high ? value : c->high;
	c->last = value;
	c->sample = p->sample;
	c->n++;
}

static void join_bins(struct curve_bin *to, const struct curve_bin *b,
	double middle)
{
	to->n += b->n;
	to->mean += (b->mean - to->mean) * (float)b->n / (float)to->n;
	to->low = b->low < to->low ? b->low : to->low;
	to->high = b->high > to->high ? b->high : to->high;
	to->x = (float)middle;
}

size_t curve_narrowed(const struct curve *c, double width,
	struct curve_bin *to)
{
	size_t i, n = 0;

	for (i = 0; i < c->n_bin; i++) {
		const struct curve_bin *b = &c->bin[i];
		double column = floor(b->x / width);

		if (n > 0 && !b->cut && floor(to[n - 1].x / width) == column)
			join_bins(&to[n - 1], b, (column + 0.5) * width);
		else
			to[n++] = *b;
	}
	return n;
}

bool chart_is_empty(const struct chart *c)
{
	size_t i;

	for (i = 0; i < c->n_curve; i++) {
		if (c->curve[i].n > 0 &&
		    (c->curve[i].low != 0 || c->curve[i].high != 0))
			return false;
	}
	return true;
}
