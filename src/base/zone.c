/* SPDX-License-Identifier: Apache-2.0 */
/*
 * zone.c - calendar arithmetic, offsets, and libc's zones.
 *
 * Days are counted from the 1st of March of year 0 in eras of 400 years,
 * which makes the leap day the last day of a year.
 */
#include "base/zone.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/compiler.h"

#define DAY_S 86400
#define DAYS_PER_ERA 146097
/* Larger values are cut to this: two days and any offset more still fit into
 * int64_t nanoseconds. */
#define SECONDS_MAX INT64_C(9223100000)
#define DAYS_TO_1970 719468 /* from 0000-03-01 */

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

int64_t civil_to_days(int64_t year, int32_t month, int32_t day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t era = floor_div(y, 400);
	int64_t of_era = y - era * 400;
	int64_t from_march = (month + 9) % 12;
	int64_t of_year = (153 * from_march + 2) / 5 + day - 1;

	return era * DAYS_PER_ERA + of_era * 365 + of_era / 4 - of_era / 100 +
	    of_year - DAYS_TO_1970;
}

void civil_from_days(struct civil *c, int64_t days)
{
	int64_t d = days + DAYS_TO_1970;
	int64_t era = floor_div(d, DAYS_PER_ERA);
	int64_t year, from_march;

	d -= era * DAYS_PER_ERA;
	year = (d - d / 1460 + d / 36524 - d / 146096) / 365;
	d -= year * 365 + year / 4 - year / 100;
	from_march = (5 * d + 2) / 153;
	c->day = (int32_t)(d - (153 * from_march + 2) / 5 + 1);
	c->month = (int32_t)(from_march < 10 ? from_march + 3
	                                     : from_march - 9);
	c->year = year + era * 400 + (c->month <= 2);
}

bool civil_valid(const struct civil *c)
{
	struct civil back;

	if (c->year < CIVIL_YEAR_MIN || c->year > CIVIL_YEAR_MAX ||
	    c->month < 1 || c->month > 12 || c->day < 1 || c->day > 31)
		return false;
	if (c->hour < 0 || c->hour > 23 || c->minute < 0 || c->minute > 59 ||
	    c->second < 0 || c->second > 59)
		return false;
	civil_from_days(&back, civil_to_days(c->year, c->month, c->day));
	return back.day == c->day && c->ns >= 0 && c->ns < GS_NSEC_PER_SEC;
}

struct zone zone_fixed(int32_t offset_s)
{
	return (struct zone) { .offset_s = offset_s };
}

static bool two_digits(const char *p, size_t len, int32_t *ret)
{
	if (len < 2 || !isdigit((unsigned char)p[0]) ||
	    !isdigit((unsigned char)p[1]))
		return false;
	*ret = (p[0] - '0') * 10 + (p[1] - '0');
	return true;
}

/* "+01:00", "+0100", "+01" */
static size_t parse_signed(const char *p, size_t len, int32_t *ret_s)
{
	int32_t hours, minutes = 0;
	size_t used = 3;

	if (len == 0 || (*p != '+' && *p != '-') ||
	    !two_digits(p + 1, len - 1, &hours))
		return 0;
	if (len > 3 && p[3] == ':') {
		if (!two_digits(p + 4, len - 4, &minutes))
			return 0;
		used = 6;
	} else if (two_digits(p + 3, len - 3, &minutes)) {
		used = 5;
	}
	if (hours > 18 || minutes > 59)
		return 0;
	*ret_s = (hours * 60 + minutes) * 60 * (*p == '-' ? -1 : 1);
	return used;
}

static bool starts_utc(const char *p, size_t len)
{
	return len >= 3 && strncasecmp(p, "utc", 3) == 0;
}

size_t zone_parse_offset(const char *p, size_t len, int32_t *ret_s)
{
	*ret_s = 0;
	if (len > 0 && (*p == 'Z' || *p == 'z'))
		return 1;
	if (starts_utc(p, len))
		return 3 + parse_signed(p + 3, len - 3, ret_s);
	return parse_signed(p, len, ret_s);
}

/* libc accepts any name and uses UTC for unknown ones; so look for the file
 * that it would read. */
static bool in_database(const char *name)
{
	const char *dir = getenv("TZDIR");
	struct buf path = BUF_INIT;
	bool found;
	FILE *f;

	if (name[0] == '/' || name[0] == '.' || strstr(name, ".."))
		return false;
	buf_printf(&path, "%s/%s", dir && *dir ? dir : "/usr/share/zoneinfo",
	    name);
	/* A directory of the database ("Europe") can be opened, not read. */
	f = fopen(buf_str(&path), "re");
	found = f && fgetc(f) != EOF;
	if (f)
		(void)fclose(f); /* nothing was written */
	buf_release(&path);
	return found;
}

/* "CET-1CEST,...", "<+03>-3": a name of three or more letters or one in
 * angle brackets, then an offset. */
static bool is_posix_rule(const char *text)
{
	size_t n;

	if (*text == '<') {
		n = strcspn(text, ">");
		n += text[n] == '>';
	} else {
		for (n = 0; isalpha((unsigned char)text[n]); n++)
			;
	}
	if (n < 3)
		return false;
	n += text[n] == '+' || text[n] == '-';
	return isdigit((unsigned char)text[n]);
}

/* As libc finds it: TZ, else /etc/localtime, else UTC. */
static void zone_local(struct zone *z)
{
	const char *tz = getenv("TZ");

	*z = (struct zone) { .named = true };
	if (!tz || strlen(tz) >= ZONE_NAME_MAX)
		tz = ":/etc/localtime";
	memcpy(z->name, tz, strlen(tz) + 1);
}

int zone_parse(struct zone *z, const char *text, struct gs_err *err)
{
	size_t len = strlen(text);
	int32_t offset_s;

	/* as zone_add_label() says it; libc would have the sign reversed */
	if (len > 0 && zone_parse_offset(text, len, &offset_s) == len) {
		*z = zone_fixed(offset_s);
		return GS_OK;
	}
	if (starts_utc(text, len) && (text[3] == '+' || text[3] == '-'))
		return gs_fail(err, GS_E_USAGE, "\"%.80s\": expected "
		    "an offset such as UTC+01:00, at most 18:59", text);
	if (strcmp(text, "local") == 0) {
		zone_local(z);
		return GS_OK;
	}
	if (len == 0 || len >= ZONE_NAME_MAX ||
	    (!is_posix_rule(text) && !in_database(text)))
		return gs_fail(err, GS_E_USAGE,
		    "\"%.80s\": expected a time zone such as Europe/Berlin, "
		    "UTC, local or +01:00 (names need the package tzdata)", text);
	*z = (struct zone) { .named = true };
	memcpy(z->name, text, len + 1);
	return GS_OK;
}

static void use_tz(const char *name)
{
	const char *now = getenv("TZ");

	if (now && strcmp(now, name) == 0)
		return;
	(void)setenv("TZ", name, 1); /* fails only without memory */
	tzset();
}

int32_t zone_offset_here(void)
{
	time_t now = time(NULL);
	struct tm tm;

	return localtime_r(&now, &tm) ? (int32_t)tm.tm_gmtoff : 0;
}

int32_t zone_offset(const struct zone *z, int64_t ns)
{
	time_t t = (time_t)floor_div(ns, GS_NSEC_PER_SEC);
	struct tm tm = { 0 };

	if (!z->named)
		return z->offset_s;
	use_tz(z->name);
	if (!localtime_r(&t, &tm))
		return 0;
	return (int32_t)tm.tm_gmtoff;
}

struct civil zone_to_civil(const struct zone *z, int64_t ns)
{
	int64_t s = floor_div(ns, GS_NSEC_PER_SEC);
	int32_t rest = (int32_t)(ns % GS_NSEC_PER_SEC);
	struct civil c = { .ns = rest < 0 ? rest + 1000000000 : rest };
	int64_t days;
	int32_t of_day;

	s += zone_offset(z, ns);
	days = floor_div(s, DAY_S);
	of_day = (int32_t)(s - days * DAY_S);
	civil_from_days(&c, days);
	c.hour = of_day / 3600;
	c.minute = of_day / 60 % 60;
	c.second = of_day % 60;
	return c;
}

int64_t zone_from_civil(const struct zone *z, const struct civil *c,
	bool later)
{
	int64_t days = civil_to_days(c->year, c->month, c->day);
	int64_t s = days * DAY_S + c->hour * 3600 + c->minute * 60 + c->second;
	int64_t day_ns = DAY_S * GS_NSEC_PER_SEC;
	int64_t utc, before, after, first, second;

	s = GS_MAX(GS_MIN(s, SECONDS_MAX), -SECONDS_MAX);
	utc = s * GS_NSEC_PER_SEC + c->ns;
	if (!z->named)
		return utc - z->offset_s * GS_NSEC_PER_SEC;
	/* No zone changes twice within two days, so the offset in force is
	 * one of these. */
	before = zone_offset(z, utc - day_ns) * GS_NSEC_PER_SEC;
	after = zone_offset(z, utc + day_ns) * GS_NSEC_PER_SEC;
	first = utc - before;
	second = utc - after;
	if (before == after)
		return first;
	if (zone_offset(z, first) * GS_NSEC_PER_SEC != before)
		/* After the change; or never, then as if not changed. */
		return zone_offset(z, second) * GS_NSEC_PER_SEC == after
		    ? second : first;
	/* Before the change, and after it too where the clock went back. */
	if (later && zone_offset(z, second) * GS_NSEC_PER_SEC == after)
		return second;
	return first;
}

static void add_fraction(int32_t ns, unsigned digits, struct buf *to)
{
	unsigned i;

	if (digits == 0)
		return;
	for (i = digits; i < 9; i++)
		ns /= 10;
	buf_printf(to, ".%0*d", (int)digits, (int)ns);
}

void zone_add_time(const struct zone *z, int64_t ns, unsigned digits,
	struct buf *to)
{
	struct civil c = zone_to_civil(z, ns);

	buf_printf(to, "%02d:%02d:%02d", (int)c.hour, (int)c.minute,
	    (int)c.second);
	add_fraction(c.ns, GS_MIN(digits, 9), to);
}

void zone_add_date_time(const struct zone *z, int64_t ns, unsigned digits,
	struct buf *to)
{
	struct civil c = zone_to_civil(z, ns);

	buf_printf(to, "%04lld-%02d-%02d ", (long long)c.year, (int)c.month,
	    (int)c.day);
	zone_add_time(z, ns, digits, to);
}

void zone_add_iso(int64_t ns, struct buf *to)
{
	static const struct zone utc = ZONE_UTC;
	struct civil c = zone_to_civil(&utc, ns);
	unsigned digits = c.ns == 0 ? 0 : c.ns % 1000000 == 0 ? 3 :
	    c.ns % 1000 == 0 ? 6 : 9;

	buf_printf(to, "%04lld-%02d-%02dT", (long long)c.year, (int)c.month,
	    (int)c.day);
	zone_add_time(&utc, ns, digits, to);
	buf_add_char(to, 'Z');
}

void zone_add_label(const struct zone *z, struct buf *to)
{
	int32_t minutes = (z->offset_s < 0 ? -z->offset_s : z->offset_s) / 60;

	if (z->named) {
		buf_add_str(to, z->name[0] == ':' ? "local" : z->name);
		return;
	}
	buf_add_str(to, "UTC");
	if (z->offset_s != 0)
		buf_printf(to, "%c%02d:%02d", z->offset_s < 0 ? '-' : '+',
		    (int)(minutes / 60), (int)(minutes % 60));
}

bool zone_same_date(const struct zone *z, int64_t a, int64_t b)
{
	struct civil x = zone_to_civil(z, a), y = zone_to_civil(z, b);

	return x.day == y.day && x.month == y.month && x.year == y.year;
}
