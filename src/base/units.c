/* SPDX-License-Identifier: Apache-2.0 */
#include "base/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/scan.h"

/* A decimal number: whole + frac / scale. */
struct decimal {
	uint64_t whole;
	uint64_t frac;
	uint64_t scale; /* power of ten, at most 10^9; 1: no fraction */
};

struct suffix {
	const char *name;
	uint64_t factor;
};

/* Takes digits with an optional fraction; digits beyond the ninth of a
 * fraction are cut.  False if there are none or too many. */
static bool parse_decimal(struct span *s, struct decimal *ret)
{
	struct decimal d = { 0, 0, 1 };

	if (span_empty(*s) || !isdigit((unsigned char)*s->ptr) ||
	    !scan_u64(s, &d.whole))
		return false;
	if (!span_empty(*s) && *s->ptr == '.') {
		s->ptr++;
		if (span_empty(*s) || !isdigit((unsigned char)*s->ptr))
			return false;
		for (; !span_empty(*s) && isdigit((unsigned char)*s->ptr);
		     s->ptr++) {
			if (d.scale >= 1000000000)
				continue;
			d.frac = d.frac * 10 + (uint64_t)(*s->ptr - '0');
			d.scale *= 10;
		}
	}
	*ret = d;
	return true;
}

/* d * factor, cut to a whole number; false if it exceeds max.  frac / scale
 * is below 1 and factor below 2^50, so splitting factor by scale keeps every
 * product below 2^64. */
static bool scaled(struct decimal d, uint64_t factor, uint64_t max,
	uint64_t *ret)
{
	uint64_t part = factor / d.scale * d.frac +
	    factor % d.scale * d.frac / d.scale;

	if (part > max || d.whole > (max - part) / factor)
		return false;
	*ret = d.whole * factor + part;
	return true;
}

/* Takes the letters at the front. */
static struct span parse_letters(struct span *s)
{
	struct span word = { s->ptr, s->ptr };

	while (word.end < s->end && isalpha((unsigned char)*word.end))
		word.end++;
	s->ptr = word.end;
	return word;
}

static int bad_duration(const char *text, struct gs_err *err)
{
	return gs_fail(err, GS_E_USAGE,
	    "\"%s\": expected a duration such as 5, 0.5s, 250ms, 1m30s, 2h "
	    "or 7d",
	    text);
}

static int too_long(const char *text, struct gs_err *err)
{
	return gs_fail(err, GS_E_LIMIT, "\"%s\": longer than 292 years", text);
}

static const struct suffix *find_unit(struct span word)
{
	static const struct suffix units[] = {
		{ "w", UINT64_C(604800000000000) },
		{ "week", UINT64_C(604800000000000) },
		{ "weeks", UINT64_C(604800000000000) },
		{ "d", UINT64_C(86400000000000) },
		{ "day", UINT64_C(86400000000000) },
		{ "days", UINT64_C(86400000000000) },
		{ "h", UINT64_C(3600000000000) },
		{ "hour", UINT64_C(3600000000000) },
		{ "hours", UINT64_C(3600000000000) },
		{ "m", UINT64_C(60000000000) },
		{ "min", UINT64_C(60000000000) },
		{ "minute", UINT64_C(60000000000) },
		{ "minutes", UINT64_C(60000000000) },
		{ "s", UINT64_C(1000000000) },
		{ "sec", UINT64_C(1000000000) },
		{ "second", UINT64_C(1000000000) },
		{ "seconds", UINT64_C(1000000000) },
		{ "ms", 1000000 },
		{ "us", 1000 },
		{ "ns", 1 },
	};
	size_t i;

	for (i = 0; i < GS_LEN(units); i++) {
		if (span_eq(word, units[i].name))
			return &units[i];
	}
	return NULL;
}

int units_duration(const char *text, int64_t *ret_ns, struct gs_err *err)
{
	struct span s = span_str(text);
	uint64_t sum = 0, limit = UINT64_MAX; /* each part's unit is below */
	bool fraction = false;

	do {
		const struct suffix *unit;
		struct decimal d;
		struct span word;
		uint64_t part;

		if (fraction || !parse_decimal(&s, &d))
			return bad_duration(text, err);
		(void)scan_char(&s, ' '); /* "10 minutes" */
		word = parse_letters(&s);
		if (span_len(word) == 0 && limit == UINT64_MAX &&
		    span_empty(s) && s.ptr[-1] != ' ')
			word = span_str("s");
		unit = find_unit(word);
		if (!unit || unit->factor >= limit)
			return bad_duration(text, err);
		if (!scaled(d, unit->factor, INT64_MAX - sum, &part))
			return too_long(text, err);
		sum += part;
		fraction = d.scale > 1;
		limit = unit->factor;
		(void)scan_char(&s, ' '); /* the next part must follow */
	} while (!span_empty(s));
	*ret_ns = (int64_t)sum;
	return s.ptr[-1] == ' ' ? bad_duration(text, err) : GS_OK;
}

#define DURATION_MAX (366 * 24 * 3600 * GS_NSEC_PER_SEC) /* of a list */

int units_durations(const char *text, int64_t *ret_ns, size_t max, size_t *ret_n,
	struct gs_err *err)
{
	struct span all = span_str(text), word;
	bool more = true;
	size_t n = 0;

	while (more) {
		char *one;
		int64_t ns;
		int r;

		more = scan_until(&all, ',', &word);
		if (!more)
			word = all;
		one = gs_strndup(word.ptr, span_len(word));
		r = units_duration(one, &ns, err);
		free(one);
		if (r < 0)
			return r;
		if (n == max)
			return gs_fail(err, GS_E_USAGE, "at most %zu windows",
			    max);
		if (ns <= 0 || ns > DURATION_MAX || (n > 0 &&
		    ns <= ret_ns[n - 1]))
			return gs_fail(err, GS_E_USAGE, "expected rising "
			    "lengths such as 5s,1m,5m, got %s", text);
		ret_ns[n++] = ns;
	}
	*ret_n = n;
	return GS_OK;
}

/* log2 of the factor of a size's unit; -1: unknown unit. */
static int size_shift(struct span word)
{
	static const char letters[] = "KMGTP";
	const char *p;

	if (span_len(word) == 0 || span_eq(word, "B"))
		return 0;
	p = strchr(letters, toupper((unsigned char)*word.ptr));
	if (!p)
		return -1;
	word.ptr++;
	if (!span_empty(word) && !span_eq(word, "B") && !span_eq(word, "iB"))
		return -1;
	return 10 * (int)(p - letters + 1);
}

int units_size(const char *text, uint64_t *ret_bytes, struct gs_err *err)
{
	struct span s = span_str(text);
	struct decimal d;
	int shift = -1;
	uint64_t v;

	if (parse_decimal(&s, &d))
		shift = size_shift(parse_letters(&s));
	if (shift < 0 || !span_empty(s) || (shift == 0 && d.scale > 1))
		return gs_fail(err, GS_E_USAGE,
		    "\"%s\": expected a size such as 4096, 100M or 1.5GiB",
		    text);
	if (!scaled(d, UINT64_C(1) << shift, INT64_MAX, &v))
		return gs_fail(err, GS_E_LIMIT, "\"%s\": more than 8 EiB",
		    text);
	*ret_bytes = v;
	return GS_OK;
}

void units_add_bytes(struct buf *to, uint64_t bytes)
{
	static const char *const unit[] = { "KiB", "MiB", "GiB", "TiB" };
	double v = (double)bytes / 1024;
	size_t i = 0;

	if (bytes < 1024) {
		buf_printf(to, "%" PRIu64 " byte%s", bytes,
		    bytes == 1 ? "" : "s");
		return;
	}
	/* a value that rounds to 1024 is 1.0 of the next unit */
	for (; v >= 1023.5 && i + 1 < GS_LEN(unit); i++)
		v /= 1024;
	buf_printf(to, "%.*f %s", v < 99.95 ? 1 : 0, v, unit[i]);
}

int units_percent(const char *text, double *ret, struct gs_err *err)
{
	struct span s = span_str(text);
	struct decimal d;
	double v = -1;

	if (parse_decimal(&s, &d))
		v = (double)d.whole + (double)d.frac / (double)d.scale;
	if (!span_empty(s) && *s.ptr == '%')
		s.ptr++;
	if (!span_empty(s) || v < 0 || v > 100)
		return gs_fail(err, GS_E_USAGE,
		    "\"%s\": expected a percentage from 0%% to 100%%", text);
	*ret = v;
	return GS_OK;
}

/* Digits alone, more than an int64_t has. */
static bool is_too_large(const char *text)
{
	size_t len = strlen(text);

	return len > 18 && strspn(text, "0123456789") == len;
}

int units_int(const char *text, int64_t min, int64_t max, int64_t *ret,
	struct gs_err *err)
{
	struct span s = span_str(text);
	bool minus = scan_char(&s, '-');
	uint64_t v = 0;
	bool ok = span_u64(s, &v) && v <= (uint64_t)INT64_MAX + minus;

	if (minus)
		v = ~v + 1;
	ok = ok && (int64_t)v >= min && (int64_t)v <= max;
	if (!ok && max == INT64_MAX && !is_too_large(text))
		return gs_fail(err, GS_E_USAGE,
		    "\"%s\": expected a whole number, at least %lld", text,
		    (long long)min);
	if (!ok)
		return gs_fail(err, GS_E_USAGE,
		    "\"%s\": expected a whole number from %lld to %lld", text,
		    (long long)min, (long long)max);
	*ret = (int64_t)v;
	return GS_OK;
}

int units_real(const char *text, double *ret, struct gs_err *err)
{
	static const char allowed[] = "0123456789.eE+-";
	char *end = NULL;
	double v = 0;

	if (*text && strspn(text, allowed) == strlen(text))
		v = strtod(text, &end);
	if (!end || *end || end == text || !isfinite(v))
		return gs_fail(err, GS_E_USAGE, "\"%s\": expected a number",
		    text);
	*ret = v;
	return GS_OK;
}

const char *units_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}
