/* SPDX-License-Identifier: Apache-2.0 */
/*
 * when.c - parses a time into its parts without a recording, then resolves it
 * against one.
 */
#include "base/when.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/units.h"
#include "base/scan.h"

#define EPOCH_DIGITS_MIN 9 /* 1973; fewer could be meant as a date or hour */

enum when_kind {
	AT_INSTANT, /* ns */
	AT_NOW,
	BEFORE_END, /* ns */
	AFTER_START, /* ns */
	ON_DATE, /* day of civil; all of it unless has_clock */
	ON_DAY, /* days back from today */
	AT_CLOCK /* only a time of day */
};

struct when {
	enum when_kind kind;
	int64_t ns;
	int days_back;
	bool has_clock;
	bool has_offset; /* civil is that far east of UTC */
	int32_t offset_s;
	struct civil civil;
};

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

static bool scan_clock(struct span s, struct when *w)
{
	w->kind = AT_CLOCK;
	w->has_clock = true;
	return parse_clock(&s, false, &w->civil) && span_empty(s);
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

/* "now", "today", "yesterday", "yesterday 14:05". */
static bool scan_word_time(struct span s, struct when *w)
{
	struct span word;

	if (span_eq(s, "now")) {
		w->kind = AT_NOW;
		return true;
	}
	(void)scan_word(&s, &word); /* an empty word is none of these */
	w->kind = ON_DAY;
	w->days_back = span_eq(word, "yesterday");
	if (!w->days_back && !span_eq(word, "today"))
		return false;
	if (span_empty(s))
		return true;
	w->has_clock = true;
	return scan_char(&s, ' ') && parse_clock(&s, false, &w->civil) &&
	    span_empty(s);
}

static int scan_when(const char *text, struct when *ret, struct gs_err *err)
{
	struct span s = span_str(text);
	bool (*const scans[])(struct span, struct when *) = {
		scan_date, scan_clock, scan_epoch, scan_word_time,
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
	return gs_fail(err, GS_E_USAGE,
	    "\"%s\": expected a time such as 14:05, \"2026-11-20 14:05\", "
	    "2026-11-20T14:05:30Z, -1h, +5m, @1790000000, now or yesterday",
	    text);
}

int when_check(const char *text, struct gs_err *err)
{
	struct when w;

	return scan_when(text, &w, err);
}

/* The instant of w's time of day, days after the date of ns. */
static int64_t clock_on(const struct when *w, const struct when_env *env,
	int64_t ns, int days)
{
	struct civil c = w->civil;
	struct civil day = zone_to_civil(env->zone, ns);

	civil_from_days(&day,
	    civil_to_days(day.year, day.month, day.day) + days);
	c.year = day.year;
	c.month = day.month;
	c.day = day.day;
	return zone_from_civil(env->zone, &c, env->is_end);
}

static int64_t resolve_clock(const struct when *w, const struct when_env *env)
{
	int64_t t, next;

	if (env->is_end && env->has_start) {
		t = clock_on(w, env, env->start_ns, 0);
		return t >= env->start_ns ? t
		                          : clock_on(w, env, env->start_ns, 1);
	}
	t = clock_on(w, env, env->first_ns, 0);
	next = clock_on(w, env, env->first_ns, 1);
	if (t < env->first_ns && next <= env->last_ns)
		return next;
	return t;
}

/* A day without a time of day ends, as the end of a range, at the next
 * midnight. */
static int64_t resolve_day(const struct when *w, const struct when_env *env,
	int64_t on_ns, int days)
{
	bool whole = !w->has_clock && env->is_end;

	return clock_on(w, env, on_ns, days + whole);
}

static int64_t resolve_date(const struct when *w, const struct when_env *env)
{
	struct zone utc = zone_fixed(w->offset_s);
	struct civil noon = w->civil;

	if (w->has_offset)
		return zone_from_civil(&utc, &w->civil, false);
	noon.hour = 12;
	return resolve_day(w, env, zone_from_civil(env->zone, &noon, false),
	    0);
}

static int64_t resolve(const struct when *w, const struct when_env *env)
{
	switch (w->kind) {
	case AT_INSTANT:
		return w->ns;
	case AT_NOW:
		return env->now_ns;
	case BEFORE_END:
		return env->last_ns < INT64_MIN + w->ns ? INT64_MIN
		                                        : env->last_ns - w->ns;
	case AFTER_START: {
		int64_t base = env->is_end && env->has_start ? env->start_ns
		                                             : env->first_ns;

		return base > INT64_MAX - w->ns ? INT64_MAX : base + w->ns;
	}
	case ON_DATE:
		return resolve_date(w, env);
	case ON_DAY:
		return resolve_day(w, env, env->now_ns, -w->days_back);
	case AT_CLOCK:
		return resolve_clock(w, env);
	}
	return 0;
}

int when_parse(const char *text, const struct when_env *env, int64_t *ret_ns,
	struct gs_err *err)
{
	struct when w;
	int r = scan_when(text, &w, err);

	if (r < 0)
		return r;
	*ret_ns = resolve(&w, env);
	return GS_OK;
}

void when_span(char to[WHEN_SPAN_MAX], int64_t ns)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = {
		{ "d", INT64_C(86400000000000) },
		{ "h", INT64_C(3600000000000) },
		{ "m", INT64_C(60000000000) },
		{ "s", INT64_C(1000000000) },
		{ "ms", 1000000 },
		{ "us", 1000 },
		{ "ns", 1 },
	};
	size_t i;
	int len = 0;

	for (i = 0; i < GS_LEN(units); i++) {
		if (ns < units[i].ns)
			continue;
		len += snprintf(to + len, WHEN_SPAN_MAX - (size_t)len, "%lld%s",
		    (long long)(ns / units[i].ns), units[i].name);
		ns %= units[i].ns;
		if (len >= WHEN_SPAN_MAX)
			return; /* cut: only beyond days and ns together */
	}
	if (len == 0)
		(void)snprintf(to, WHEN_SPAN_MAX, "0s"); /* fits */
}

void when_age(char to[WHEN_SPAN_MAX], double seconds)
{
	const char *sign = seconds < 0 ? "-" : "";
	double abs_s = fabs(seconds);
	uint64_t s;

	if (!(abs_s < 1e15)) {
		(void)snprintf(to, WHEN_SPAN_MAX, "%sinf", sign); /* fits */
		return;
	}
	if (abs_s < 59.95) {
		(void)snprintf(to, WHEN_SPAN_MAX, "%s%.1fs", sign, abs_s);
		return;
	}
	s = (uint64_t)(abs_s + 0.5);
	if (s < 3600)
		(void)snprintf(to, WHEN_SPAN_MAX, "%s%um%02us", sign,
		    (unsigned)(s / 60), (unsigned)(s % 60));
	else if (s < 86400)
		(void)snprintf(to, WHEN_SPAN_MAX, "%s%uh%02um", sign,
		    (unsigned)(s / 3600), (unsigned)(s / 60 % 60));
	else if (s < 100 * 86400)
		(void)snprintf(to, WHEN_SPAN_MAX, "%s%ud%02uh", sign,
		    (unsigned)(s / 86400), (unsigned)(s / 3600 % 24));
	else
		(void)snprintf(to, WHEN_SPAN_MAX, "%s%llud", sign,
		    (unsigned long long)(s / 86400));
}
