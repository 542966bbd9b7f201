/* SPDX-License-Identifier: Apache-2.0 */
/*
 * when_scan.c - the forms in which people write times.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/scan.h"
#include "base/units.h"
#include "base/when_int.h"

#define EPOCH_DIGITS_MIN 9 /* 1973; fewer could be meant as a date or hour */

static bool at_digit(struct span s)
{
	return !span_empty(s) && isdigit((unsigned char)*s.ptr);
}

/* Takes exactly n digits. */
static bool parse_digits(struct span *s, unsigned n, int32_t *ret)
{
	struct span t = *s;
	int32_t v = 0;

	for (; n > 0; n--) {
		if (!at_digit(t))
			return false;
		v = v * 10 + (*t.ptr++ - '0');
	}
	*ret = v;
	*s = t;
	return true;
}

/* Takes ".25" as nanoseconds; without a fraction it is 0. */
static bool parse_fraction(struct span *s, int32_t *ret_ns)
{
	int32_t unit = 100000000;

	*ret_ns = 0;
	if (!scan_char(s, '.'))
		return true;
	if (!at_digit(*s))
		return false;
	for (; at_digit(*s); s->ptr++) {
		*ret_ns += (*s->ptr - '0') * unit;
		unit /= 10;
	}
	return true;
}

/* "14:05", "9:05:30.25"; basic: "140530", "1405". */
static bool parse_clock(struct span *s, bool basic, struct civil *c)
{
	struct span t = *s;
	bool seconds;

	if (!parse_digits(&t, 2, &c->hour) &&
	    (basic || !parse_digits(&t, 1, &c->hour)))
		return false;
	if ((!basic && !scan_char(&t, ':')) || !parse_digits(&t, 2, &c->minute))
		return false;
	c->second = 0;
	c->ns = 0;
	seconds = basic ? at_digit(t) : scan_char(&t, ':');
	if (seconds && (!parse_digits(&t, 2, &c->second) ||
	    !parse_fraction(&t, &c->ns)))
		return false;
	*s = t;
	return true;
}

/* "2026-11-20"; *ret_basic for "20261120". */
static bool parse_date(struct span *s, struct civil *c, bool *ret_basic)
{
	struct span t = *s;
	int32_t year;

	if (!parse_digits(&t, 4, &year))
		return false;
	c->year = year;
	*ret_basic = at_digit(t);
	if (!*ret_basic && !scan_char(&t, '-'))
		return false;
	if (!parse_digits(&t, 2, &c->month) ||
	    (!*ret_basic && !scan_char(&t, '-')) ||
	    !parse_digits(&t, 2, &c->day) || at_digit(t))
		return false;
	*s = t;
	return true;
}

/* A date, then optionally a time of day, then optionally an offset. */
static bool scan_date(struct span s, struct when *w)
{
	bool basic;
	size_t n;

	w->kind = ON_DATE;
	if (!parse_date(&s, &w->civil, &basic))
		return false;
	if (span_empty(s))
		return true;
	if (!scan_char(&s, 'T') && !scan_char(&s, 't') && !scan_char(&s, ' '))
		return false;
	if (!parse_clock(&s, basic, &w->civil))
		return false;
	w->has_clock = true;
	(void)scan_char(&s, ' '); /* "14:05 +01:00" is also valid */
	if (span_empty(s))
		return s.ptr[-1] != ' ';
	n = zone_parse_offset(s.ptr, span_len(s), &w->offset_s);
	w->has_offset = n > 0;
	return n > 0 && n == span_len(s);
}

/* "am", "PM": the hours of a clock of twelve.  Others stay. */
static bool parse_half(struct span *s, struct civil *c)
{
	bool afternoon;

	if (span_len(*s) < 2 || (s->ptr[1] != 'm' && s->ptr[1] != 'M') ||
	    !strchr("aApP", s->ptr[0]))
		return true;
	afternoon = s->ptr[0] == 'p' || s->ptr[0] == 'P';
	if (c->hour < 1 || c->hour > 12)
		return false;
	c->hour = c->hour % 12 + (afternoon ? 12 : 0);
	s->ptr += 2;
	return true;
}

/* "14:05", "9:42am", "9 pm", "noon", "midnight". */
static bool parse_day_clock(struct span *s, struct civil *c)
{
	struct span t = *s;

	if (span_eq(t, "noon") || span_eq(t, "midnight")) {
		c->hour = span_eq(t, "noon") ? 12 : 0;
		s->ptr = s->end;
		return true;
	}
	if (!parse_clock(&t, false, c)) {
		int32_t hour;

		if (!parse_digits(&t, 2, &hour) && !parse_digits(&t, 1, &hour))
			return false;
		c->hour = hour;
		if (span_empty(t) || at_digit(t))
			return false; /* "9" alone is no time */
	}
	if (span_len(t) > 2)
		(void)scan_char(&t, ' '); /* "9 pm" */
	*s = t;
	return parse_half(s, c) && span_empty(*s);
}

static bool scan_clock(struct span s, struct when *w)
{
	w->kind = AT_CLOCK;
	w->has_clock = true;
	return parse_day_clock(&s, &w->civil);
}

static bool scan_epoch(struct span s, struct when *w)
{
	bool marked = scan_char(&s, '@');
	const char *start = s.ptr;
	uint64_t seconds;
	int32_t ns;

	if (!at_digit(s) || !scan_u64(&s, &seconds))
		return false;
	if (!marked && s.ptr - start < EPOCH_DIGITS_MIN)
		return false;
	if (seconds > INT64_MAX / GS_NSEC_PER_SEC - 1 ||
	    !parse_fraction(&s, &ns) || !span_empty(s))
		return false;
	w->kind = AT_INSTANT;
	w->ns = (int64_t)seconds * GS_NSEC_PER_SEC + ns;
	return true;
}

static bool parse_weekday(struct span *s, int *ret)
{
	static const char *const days[] = { "sunday", "monday", "tuesday",
		"wednesday", "thursday", "friday", "saturday" };
	struct span word;
	size_t i;

	(void)scan_word(s, &word); /* an empty word is none of these */
	for (i = 0; i < GS_LEN(days); i++) {
		if (span_len(word) == strlen(days[i]) &&
		    strncasecmp(word.ptr, days[i], span_len(word)) == 0) {
			*ret = (int)i;
			return true;
		}
	}
	return false;
}

/* "now", "today", "yesterday 14:05", "friday", "last friday 14:05". */
static bool scan_word_time(struct span s, struct when *w)
{
	struct span word, t = s;

	if (span_eq(s, "now")) {
		w->kind = AT_NOW;
		return true;
	}
	(void)scan_word(&t, &word);
	w->kind = ON_DAY;
	if (span_eq(word, "today") || span_eq(word, "yesterday")) {
		w->days_back = span_eq(word, "yesterday");
	} else {
		w->kind = ON_WEEKDAY;
		w->days_back = span_eq(word, "last");
		if (w->days_back && !scan_char(&t, ' '))
			return false;
		if (!w->days_back)
			t = s;
		if (!parse_weekday(&t, &w->weekday))
			return false;
	}
	if (span_empty(t))
		return true;
	w->has_clock = true;
	return scan_char(&t, ' ') && parse_day_clock(&t, &w->civil);
}

/* "10 minutes ago", "1h30m ago". */
static bool scan_ago(struct span s, struct when *w)
{
	static const char ago[] = " ago";
	char text[64];
	size_t len = span_len(s), n = sizeof(ago) - 1;

	if (len <= n || len - n >= sizeof(text) ||
	    memcmp(s.end - n, ago, n) != 0)
		return false;
	memcpy(text, s.ptr, len - n);
	text[len - n] = '\0';
	w->kind = BEFORE_NOW;
	return units_duration(text, &w->ns, NULL) == GS_OK;
}

/* Day and month in an order that depends on the country. */
static int refuse_slashes(const char *text, struct gs_err *err)
{
	int32_t a, b, year;
	struct span s = span_str(text);
	struct civil c = { 2000, 1, 1, 0, 0, 0, 0 }, d;
	char sep;

	if ((!parse_digits(&s, 2, &a) && !parse_digits(&s, 1, &a)) ||
	    span_empty(s) || !strchr("/.-", sep = *s.ptr++) ||
	    (!parse_digits(&s, 2, &b) && !parse_digits(&s, 1, &b)) ||
	    !scan_char(&s, sep) || !parse_digits(&s, 4, &year))
		return GS_OK;
	c.year = year;
	c.month = b;
	c.day = a;
	d = c;
	d.month = a;
	d.day = b;
	if (civil_valid(&c) && civil_valid(&d) && a != b)
		return gs_fail(err, GS_E_USAGE, "\"%s\" can be %04d-%02d-%02d "
		    "or %04d-%02d-%02d: write which", text, year, b, a, year,
		    a, b);
	if (!civil_valid(&c))
		c = d;
	if (!civil_valid(&c))
		return GS_OK;
	return gs_fail(err, GS_E_USAGE, "\"%s\": write the day as "
	    "%04d-%02d-%02d", text, year, c.month, c.day);
}

int when_scan(const char *text, struct when *ret, struct gs_err *err)
{
	struct span s = span_str(text);
	bool (*const scans[])(struct span, struct when *) = {
		scan_date, scan_clock, scan_epoch, scan_word_time,
		scan_ago,
	};
	size_t i;
	struct when w = { .civil = { 2000, 1, 1, 0, 0, 0, 0 } };

	if (*text == '-' || *text == '+') {
		*ret = w;
		ret->kind = *text == '-' ? BEFORE_END : AFTER_START;
		return units_duration(text + 1, &ret->ns, err);
	}
	for (i = 0; i < GS_LEN(scans); i++) {
		*ret = w;
		if (!scans[i](s, ret))
			continue;
		if (civil_valid(&ret->civil))
			return GS_OK;
		return gs_fail(err, GS_E_USAGE,
		    "\"%s\": no such date or time of day", text);
	}
	if (refuse_slashes(text, err) < 0)
		return GS_E_USAGE;
	return gs_fail(err, GS_E_USAGE,
	    "\"%s\": expected a time such as 14:05, \"2026-11-20 14:05\", "
	    "2026-11-20T14:05:30Z, -1h, +5m, @1790000000, now, "
	    "yesterday, \"last friday 14:05\" or \"10 minutes ago\"",
	    text);
}

