/*
 * sar_text.c - sar's lines: a heading, rows, and at last the averages.
 */
#include <string.h>

#include "base/utf8.h"
#include "sysstat/sar_int.h"

#define STAMP_WIDTH "%-11s"

static bool item_is_last(const struct sar *s, const struct sar_activity *a)
{
	return a->item && (a->item_width == SAR_ITEM_LAST ||
	    (s->opt.pretty && a->kind != SAR_CPU));
}

static void add_heading(struct sar *s, const struct sar_activity *a,
	const char *stamp)
{
	size_t i;

	buf_printf(&s->out, "\n" STAMP_WIDTH, stamp);
	if (a->item && !item_is_last(s, a))
		buf_printf(&s->out, " %*s", a->item_width, a->item);
	for (i = 0; i < a->n_column; i++) {
		if (a->column[i].name)
			buf_printf(&s->out, " %*s", a->column[i].look.width,
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

static bool add_row(struct sar *s, const struct sar_activity *a,
	const struct sar_calc *row, const char *stamp)
{
	const char *name = sar_row_name(a, row);
	bool last = item_is_last(s, a), any = false;
	size_t i;

	buf_printf(&s->out, STAMP_WIDTH, stamp);
	if (a->item && !last)
		add_item(s, name, a->item_width);
	for (i = 0; i < a->n_column; i++) {
		const struct sar_column *c = &a->column[i];
		struct value v;

		if (!c->name)
			continue;
		v = c->fn(row, c->arg);
		any |= v.kind != VALUE_ABSENT;
		paint_value(&s->paint, &c->look, &v);
	}
	if (last)
		add_item(s, name, 0);
	buf_add_char(&s->out, '\n');
	return any;
}

struct lines {
	const char *before, *now; /* stamps of heading and rows */
	bool average;
};

static void add_page(struct sar *s, struct sar_page *page,
	const struct lines *l)
{
	const struct sar_activity *a = &sar_activities[page->id];
	struct sar_calc row;
	size_t at = 0, below = page->below;

	if (!l->average) {
		page->headed = page->below == 0 ||
		    page->below >= s->opt.screen_rows;
		if (page->headed)
			page->below = 0;
	}
	if (page->headed)
		add_heading(s, a, l->before);
	while (sar_next_row(&s->data, a, s->opt.choice, l->average, &at,
	    &row)) {
		page->any |= add_row(s, a, &row, l->now);
		page->below++;
	}
	if (page->below == below)
		page->below++; /* the heading is not needed again */
	spool_add(&page->spool, s->out.ptr, s->out.len);
	buf_reset(&s->out);
}

void sar_text_report(struct sar *s, bool average)
{
	char before[STAMP_MAX], now[STAMP_MAX];
	struct lines l = { .before = before, .now = now, .average = average };
	size_t i;

	stamp_time(&s->opt.stamp, s->data.prev.wall_ns, before);
	stamp_time(&s->opt.stamp, s->data.now.wall_ns, now);
	for (i = 0; i < s->n_page; i++) {
		bool is_fs = sar_activities[s->page[i].id].kind == SAR_FS;

		if (average)
			l.before = l.now = is_fs ? "Summary:" : "Average:";
		add_page(s, &s->page[i], &l);
	}
}
