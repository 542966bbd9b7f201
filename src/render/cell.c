/* SPDX-License-Identifier: Apache-2.0 */
#include "render/cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shortest.h"
#include "base/utf8.h"
#include "base/when.h"
#include "base/zone.h"

bool cell_is_absent(const struct cell *c)
{
	return c->kind == CELL_ABSENT ||
	    (c->kind == CELL_REAL && !isfinite(c->r));
}

/* Replaces non-ASCII characters with "?" if the terminal can't show them. */
static void add_ascii(struct buf *to, size_t from)
{
	const char *p = to->ptr + from, *end = to->ptr + to->len;
	char *out = to->ptr + from;

	while (p < end) {
		uint32_t c;
		size_t n = utf8_decode(p, (size_t)(end - p), &c);

		*out++ = c < 0x80 ? (char)c : '?';
		p += n;
	}
	to->len = (size_t)(out - to->ptr);
	*out = '\0';
}

static void add_safe(struct buf *to, struct span s, bool utf8)
{
	size_t from = to->len;

	utf8_add_safe(to, s.ptr, span_len(s));
	if (!utf8 && to->len > from)
		add_ascii(to, from);
}

/* Three significant digits of a number from 0 to 999.5, and a suffix; trailing
 * zeros stay, so that columns are aligned. */
static void add_digits(struct buf *to, double v, const char *suffix)
{
	int decimals = v < 9.995 ? 2 : v < 99.95 ? 1 : 0;

	buf_printf(to, "%.*f%s", decimals, v, suffix);
}

/* A number of at least 0 with a suffix for the powers of base. whole: it has no
 * fraction, and below whole_max all its digits are shown. */
static void add_scaled(struct buf *to, double v, double base, bool whole,
	double whole_max)
{
	static const char *const suffix[] = {
		"", "K", "M", "G", "T", "P", "E", "Z", "Y",
	};
	/* With base 1000, 999.5 becomes 1.00 of the next suffix; with 1024,
	 * 1000 to 1023 fit. */
	double limit = base - 0.5;
	size_t i = 0;

	if (v == 0 || (whole && v < whole_max)) {
		buf_printf(to, "%.0f", v);
		return;
	}
	while (v >= limit && i + 1 < GS_LEN(suffix)) {
		v /= base;
		i++;
	}
	if (v >= limit)
		buf_printf(to, "%.3g%s", v, suffix[i]);
	else
		add_digits(to, v, suffix[i]);
}

static void add_seconds(struct buf *to, double v)
{
	char text[WHEN_SPAN_MAX];

	if (v < 59.95) {
		add_digits(to, v, "s");
		return;
	}
	when_age(text, v);
	buf_add_str(to, text);
}

static void add_fine_seconds(struct buf *to, double v)
{
	static const char *const unit[] = { "ms", "us", "ns" };
	size_t i = 0;

	if (v == 0 || v >= 0.9995) {
		add_seconds(to, v);
		return;
	}
	for (v *= 1000; v < 0.9995 && i + 1 < GS_LEN(unit); i++)
		v *= 1000;
	add_digits(to, v, unit[i]);
}

static void add_percent(struct buf *to, double v)
{
	if (v < 99.95)
		buf_printf(to, "%.1f", v);
	else if (v < 99999.5)
		buf_printf(to, "%.0f", v);
	else
		add_scaled(to, v, 1000, false, 0);
}

static void add_age(struct buf *to, double v)
{
	char text[WHEN_SPAN_MAX];

	when_age(text, v);
	buf_add_str(to, text);
}

static void add_time(struct buf *to, const struct cell *c,
	const struct cell_style *style)
{
	static const struct zone utc = ZONE_UTC;
	const struct zone *zone = style->zone ? style->zone : &utc;

	if (c->kind != CELL_INT)
		buf_printf(to, "%g", c->r); /* no view does this */
	else if (style->date)
		zone_add_date_time(zone, c->i, style->digits, to);
	else
		zone_add_time(zone, c->i, style->digits, to);
}

static void add_magnitude(struct buf *to, enum quantity q, double v, bool fine)
{
	switch (q) {
	case Q_COUNT:
		add_scaled(to, v, 1000, v == floor(v), 100000);
		break;
	case Q_NUMBER:
	case Q_RATE:
		add_scaled(to, v, 1000, false, 0);
		break;
	case Q_PERCENT:
		add_percent(to, v);
		break;
	case Q_BYTES:
		add_scaled(to, v, 1024, true, 1023.5);
		break;
	case Q_BYTES_RATE:
		add_scaled(to, v, 1024, v == floor(v), 1023.5);
		break;
	case Q_SECONDS:
		(fine ? add_fine_seconds : add_seconds)(to, v);
		break;
	case Q_LATENCY:
		add_fine_seconds(to, v);
		break;
	case Q_AGE:
		add_age(to, v);
		break;
	case Q_ID:
	case Q_TEXT:
	case Q_TIME:
	case Q_BY_ROW:
		buf_printf(to, "%.15g", v);
		break;
	}
}

static void add_mark(struct buf *to, char mark, bool utf8)
{
	if (mark == '~')
		buf_add_char(to, '~');
	else if (mark == '>')
		buf_add_str(to, utf8 ? "\xe2\x89\xa5 " : ">= ");
}

void cell_add_text(struct buf *to, enum quantity q, const struct cell *c,
	const struct cell_style *style)
{
	double v;

	if (cell_is_absent(c)) {
		buf_add_char(to, c->mark == '?' ? '?' : '-');
		return;
	}
	add_mark(to, c->mark, style->utf8);
	if (c->kind == CELL_TEXT) {
		buf_printf(to, "%*s", 2 * c->indent, "");
		add_safe(to, cell_span(c), style->utf8);
		return;
	}
	if (c->kind == CELL_MAX) {
		buf_add_str(to, CELL_MAX_TEXT);
		return;
	}
	if (q == Q_TIME) {
		add_time(to, c, style);
		return;
	}
	if (c->kind == CELL_INT && (q == Q_ID || q == Q_TEXT)) {
		buf_printf(to, "%lld", (long long)c->i);
		return;
	}
	v = c->kind == CELL_INT ? (double)c->i : c->r;
	if (v < 0)
		buf_add_char(to, '-');
	else if (v > 0 && style->plus)
		buf_add_char(to, '+');
	add_magnitude(to, q, fabs(v), style->fine);
}

bool cell_add_exact(struct buf *to, enum quantity q, const struct cell *c)
{
	if (cell_is_absent(c))
		return false;
	switch (c->kind) {
	case CELL_TEXT:
		utf8_add_safe(to, c->text, c->len);
		return true;
	case CELL_INT:
		if (q == Q_TIME)
			zone_add_iso(c->i, to);
		else
			buf_add_int(to, c->i);
		return true;
	case CELL_REAL:
		shortest_add(to, c->r);
		return true;
	case CELL_MAX:
		buf_add_str(to, CELL_MAX_TEXT);
		return true;
	case CELL_ABSENT:
		break;
	}
	return false;
}
