/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sadf_out.c - what the forms of sadf's output share: text that is held until
 * there is something to show, times, values, groups of columns.
 */
#include "sadf/sadf_int.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"

uint64_t sadf_missing(const struct sadf *s)
{
	uint64_t seen = 0;
	size_t i;

	for (i = 0; i < s->n_page; i++) {
		if (s->page[i].any)
			seen |= UINT64_C(1) << (s->page[i].activity -
			    sar_activities);
	}
	return sar_missing(s->opt.activities, seen, s->opt.choice);
}

/* There is something to show. */
void sadf_flush_held(struct sadf *s)
{
	s->waits = false;
	if (!s->stopped && !spool_flush(&s->held, s->opt.write, s->opt.arg))
		s->stopped = true;
}

static bool put(void *arg, const char *p, size_t len)
{
	struct sadf *s = arg;

	if (s->waits && sadf_missing(s) != s->opt.activities)
		sadf_flush_held(s);
	if (!s->waits)
		return !s->stopped && s->opt.write(s->opt.arg, p, len);
	spool_add(&s->held, p, len);
	return true;
}

void sadf_flush(struct sadf *s)
{
	if (!s->stopped && s->out.len > 0 && !put(s, s->out.ptr, s->out.len))
		s->stopped = true;
	buf_reset(&s->out);
}

void sadf_flush_spool(struct sadf *s, struct spool *spool)
{
	if (!s->stopped && !spool_flush(spool, put, s))
		s->stopped = true;
}

static double interval_cs(const struct sadf *s)
{
	return instant_between_cs(&s->data.prev, &s->data.now,
	    s->opt.strict);
}

int64_t sadf_interval(const struct sadf *s)
{
	return (int64_t)((interval_cs(s) + 50) / 100);
}

void sadf_add_interval(struct sadf *s)
{
	const double nearly_a_second = 95;
	double cs = interval_cs(s);

	if (!s->opt.strict && cs < nearly_a_second)
		buf_printf(&s->out, "%.2f", cs / 100);
	else
		buf_printf(&s->out, "%" PRId64, sadf_interval(s));
}

void sadf_add_date(struct buf *to, const struct zone *z, int64_t ns)
{
	struct civil c = zone_to_civil(z, ns);

	buf_printf(to, "%04lld-%02d-%02d", (long long)c.year, (int)c.month,
	    (int)c.day);
}

void sadf_add_clock(struct buf *to, const struct zone *z, int64_t ns)
{
	zone_add_time(z, ns, 0, to);
}

void sadf_facts(struct sadf *s, sadf_fact_fn add)
{
	static const struct zone utc = ZONE_UTC;
	struct buf text = BUF_INIT;

	sadf_add_date(&text, &utc, s->opt.made_ns);
	add(s, "file-date", buf_str(&text));
	buf_reset(&text);
	sadf_add_clock(&text, &utc, s->opt.made_ns);
	add(s, "file-utc-time", buf_str(&text));
	buf_reset(&text);
	zone_add_label(&s->opt.made_zone, &text);
	add(s, "timezone", buf_str(&text));
	buf_release(&text);
}

void sadf_add_stamp(struct sadf *s, int64_t ns)
{
	if (s->opt.time == SADF_EPOCH) {
		buf_printf(&s->out, "%lld",
		    (long long)(ns / GS_NSEC_PER_SEC));
		return;
	}
	zone_add_date_time(&s->opt.zone, ns, 0, &s->out);
	if (s->opt.time == SADF_UTC)
		buf_add_str(&s->out, " UTC");
}

void sadf_add_value(struct sadf *s, const struct sar_column *c,
	const struct value *v)
{
	struct value_format format = { .style = c->format.style, .width = 0 };

	if (v->kind != VALUE_ABSENT)
		paint_bare(&s->paint, &format, v);
}

/* False: all are absent. */
static bool values_of(struct sadf_page *page, const struct sar_calc *row,
	struct value v[SAR_COLUMNS_MAX])
{
	const struct sar_activity *a = page->activity;
	bool any = false;
	size_t i;

	for (i = 0; i < a->n_column; i++) {
		v[i] = a->column[i].fn(row, a->column[i].arg);
		any |= v[i].kind != VALUE_ABSENT;
	}
	page->any |= any;
	return any;
}

bool sadf_next_row(const struct sadf *s, struct sadf_page *page, bool empty,
	size_t *at, struct sar_calc *ret, struct value v[SAR_COLUMNS_MAX])
{
	while (sar_next_row(&s->data, page->activity, s->opt.choice, false, at,
	    ret)) {
		if (values_of(page, ret, v) || empty)
			return true;
	}
	return false;
}

static bool same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

bool sadf_shares(const struct sadf *s, size_t at, size_t beside,
	enum sadf_share what)
{
	const struct sar_activity *a = s->page[at].activity, *b;

	if (beside >= s->n_page) /* -1, too */
		return false;
	b = s->page[beside].activity;
	return what == SADF_SHARE_GROUP ? same(a->group, b->group)
	    : !a->item && same(a->json, b->json);
}

bool sadf_same_group(const struct sar_activity *a, size_t x, size_t y)
{
	return same(a->column[x].group, a->column[y].group);
}

bool sadf_is_grouped(const struct sar_activity *a, size_t column)
{
	size_t i;

	for (i = 0; i < column; i++) {
		if (sadf_same_group(a, i, column))
			return true;
	}
	return false;
}
