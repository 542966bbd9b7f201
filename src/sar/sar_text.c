/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_text.c - sar's lines: a heading, rows, and at last the averages.
 */
#include <string.h>

#include "base/utf8.h"
#include "sar/sar_int.h"

#define STAMP_WIDTH "%-11s"

static bool item_is_last(const struct sar *s, const struct sar_activity *a)
{
	return a->item && (a->item_width == SAR_ITEM_LAST ||
	    (s->opt.pretty && a->kind != SAR_CPU));
}

/* The beginning of a row. */
struct lead {
	const char *stamp;
	const char *host; /* NULL: there is only one */
	int width; /* of hosts */
};

static void add_heading(struct sar *s, const struct sar_activity *a,
	const struct lead *lead)
{
	size_t i;

	buf_printf(&s->out, "\n" STAMP_WIDTH, lead->stamp);
	if (lead->host)
		buf_printf(&s->out, " %*s", lead->width, "HOST");
	if (a->item && !item_is_last(s, a))
		buf_printf(&s->out, " %*s", a->item_width, a->item);
	for (i = 0; i < a->n_column; i++) {
		if (a->column[i].name)
			buf_printf(&s->out, " %*s", a->column[i].format.width,
			    a->column[i].name);
	}
	if (item_is_last(s, a))
		buf_printf(&s->out, " %s", a->item);
	buf_add_char(&s->out, '\n');
}

/* A name may hold anything; sar shows it as it is. */
static void add_item(struct sar *s, const char *name, int width)
{
	size_t len = strlen(name), pad = len < (size_t)width
		? (size_t)width - len : 0;

	paint_begin(&s->paint, PAINT_ITEM);
	buf_printf(&s->out, " %*s", (int)pad, "");
	if (s->opt.strict)
		buf_add_str(&s->out, name);
	else
		utf8_add_safe(&s->out, name, len);
	paint_end(&s->paint);
}

static void add_row(struct sar *s, const struct sar_activity *a,
	const char *name, const struct value *v, const struct lead *lead)
{
	bool last = item_is_last(s, a);
	size_t i;

	buf_printf(&s->out, STAMP_WIDTH, lead->stamp);
	if (lead->host)
		add_item(s, lead->host, lead->width);
	if (a->item && !last)
		add_item(s, name, a->item_width);
	for (i = 0; i < a->n_column; i++) {
		if (a->column[i].name)
			paint_value(&s->paint, &a->column[i].format, &v[i]);
	}
	if (last)
		add_item(s, name, 0);
	buf_add_char(&s->out, '\n');
}

/* False: all values are absent. */
static bool values_of(const struct sar_activity *a,
	const struct sar_calc *row, struct value *ret)
{
	bool any = false;
	size_t i;

	for (i = 0; i < a->n_column; i++) {
		const struct sar_column *c = &a->column[i];

		ret[i] = c->fn(row, c->arg);
		any |= ret[i].kind != VALUE_ABSENT;
	}
	return any;
}

/* The least and the most of the run, above its average. */
static void add_extremes(struct sar *s, struct sar_page *page,
	const char *name, const struct lead *lead)
{
	const struct sar_activity *a = &sar_activities[page->id];
	const struct extremes_row *r = extremes_find(&page->extremes,
	    lead->host ? lead->host : "", name);
	struct lead own = *lead;

	if (!r)
		return;
	own.stamp = "Minimum:";
	add_row(s, a, name, r->least, &own);
	own.stamp = "Maximum:";
	add_row(s, a, name, r->most, &own);
}

static void add_values(struct sar *s, struct sar_page *page,
	const struct sar_calc *row, const struct lead *lead, bool average)
{
	const struct sar_activity *a = &sar_activities[page->id];
	const char *name = sar_row_name(a, row);
	struct value v[SAR_COLUMNS_MAX];

	page->any |= values_of(a, row, v);
	if (s->opt.extremes && average)
		add_extremes(s, page, name, lead);
	else if (s->opt.extremes)
		extremes_add(&page->extremes, lead->host ? lead->host : "",
		    name, v, a->n_column);
	add_row(s, a, name, v, lead);
}

/* If sar omits idle rows every report has a heading. */
static bool needs_heading(const struct sar *s, const struct sar_page *page)
{
	const struct sar_activity *a = &sar_activities[page->id];

	return page->below == 0 || page->below >= s->opt.screen_rows ||
	    (s->opt.strict && s->opt.choice->omit_idle && a->item &&
	    a->kind != SAR_CPU);
}

static void begin_page(struct sar *s, struct sar_page *page,
	const struct lead *lead, bool average)
{
	/* averages have one if the last report had one; if sar had to look for
	 * more reports, if those would have had one */
	if (!average || (s->opt.strict && !s->enough))
		page->headed = needs_heading(s, page);
	if (!average && page->headed)
		page->below = 0;
	if (page->headed)
		add_heading(s, &sar_activities[page->id], lead);
}

static void add_rows(struct sar *s, struct sar_page *page,
	const struct sar_data *d, const struct lead *lead, bool average)
{
	const struct sar_activity *a = &sar_activities[page->id];
	struct sar_calc row;
	size_t at = 0, n = 0;

	while (sar_next_row(d, a, s->opt.choice, average, &at, &row)) {
		add_values(s, page, &row, lead, average);
		n++;
	}
	/* sar counts lines that it has not shown */
	page->below += s->opt.strict ? sar_lines(d, a, s->opt.choice) : n;
}

static void end_page(struct sar *s, struct sar_page *page)
{
	if (page->below == 0 && !s->opt.strict)
		page->below++; /* the heading is not needed again */
	spool_add(&page->spool, s->out.ptr, s->out.len);
	buf_reset(&s->out);
}

static const char *end_word(const struct sar_page *page)
{
	return sar_activities[page->id].kind == SAR_FS ? "Summary:"
	                                               : "Average:";
}

static void add_sites(struct sar *s, struct sar_page *page,
	const struct sar_sites *sites, const char *stamp, bool average)
{
	size_t i;

	for (i = 0; i < sites->n; i++) {
		const struct sar_site *site = sites->site[i];
		struct lead lead = { stamp, site->name, sites->width };

		if (average ? site->data.samples > 1 : site->fresh)
			add_rows(s, page, &site->data, &lead, average);
	}
}

void sar_text_report(struct sar *s, const struct sar_sites *sites,
	bool average)
{
	const char *host = sites ? "HOST" : NULL;
	int width = sites ? sites->width : 0;
	char before[STAMP_MAX], now[STAMP_MAX];
	size_t i;

	stamp_time(&s->opt.stamp, sites ? sites->before_ns
	    : s->data.prev.wall_ns, before);
	stamp_time(&s->opt.stamp, sites ? sites->now_ns
	    : s->data.now.wall_ns, now);
	for (i = 0; i < s->n_page; i++) {
		struct sar_page *page = &s->page[i];
		const char *end = average ? end_word(page) : NULL;
		struct lead heading = { end ? end : before, host, width };
		struct lead lead = { .stamp = end ? end : now };

		begin_page(s, page, &heading, average);
		if (sites)
			add_sites(s, page, sites, lead.stamp, average);
		else
			add_rows(s, page, &s->data, &lead, average);
		end_page(s, page);
	}
}

void sar_text_line(struct sar *s, int64_t wall_ns, enum paint_color color,
	const char *text)
{
	char stamp[STAMP_MAX];
	size_t i;

	stamp_time(&s->opt.stamp, wall_ns, stamp);
	buf_printf(&s->out, STAMP_WIDTH, stamp);
	paint_begin(&s->paint, color);
	buf_printf(&s->out, "  %s\n", text);
	paint_end(&s->paint);
	for (i = 0; i < s->n_page; i++) {
		spool_add(&s->page[i].spool, s->out.ptr, s->out.len);
		s->page[i].below += s->page[i].below > 0;
	}
	buf_reset(&s->out);
}
