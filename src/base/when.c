/* SPDX-License-Identifier: Apache-2.0 */
/*
 * when.c - the instant that a time means in a recording, and durations.
 */
#include "base/when_int.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/units.h"
#include "base/scan.h"

int when_check(const char *text, struct gs_err *err)
{
	struct when w;

	return when_scan(text, &w, err);
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

/* Days back to the weekday: "friday" may be today, "last friday" is not. */
static int back_to(const struct when *w, const struct when_env *env)
{
	struct civil c = zone_to_civil(env->zone, env->now_ns);
	int64_t days = civil_to_days(c.year, c.month, c.day);
	int today = (int)((days % 7 + 7 + 4) % 7); /* day 0 was a Thursday */
	int back = (today - w->weekday + 7) % 7;

	return back < w->days_back ? 7 : back;
}

static int64_t resolve(const struct when *w, const struct when_env *env)
{
	switch (w->kind) {
	case AT_INSTANT:
		return w->ns;
	case AT_NOW:
		return env->now_ns;
	case BEFORE_NOW:
		return env->now_ns - w->ns;
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
	case ON_WEEKDAY:
		return resolve_day(w, env, env->now_ns, -back_to(w, env));
	case AT_CLOCK:
		return resolve_clock(w, env);
	}
	return 0;
}

int when_parse(const char *text, const struct when_env *env, int64_t *ret_ns,
	struct gs_err *err)
{
	struct when w;
	int r = when_scan(text, &w, err);

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
