/* SPDX-License-Identifier: Apache-2.0 */
#include "format/naming.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/scan.h"

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

void naming_host(const char *host, struct buf *out)
{
	buf_reset(out);
	/* A leading dot would hide the files. */
	for (; *host; host++)
		buf_add_char(out, is_plain(*host) &&
		    (out->len > 0 || *host != '.') ? *host : '_');
	if (out->len == 0)
		buf_add_str(out, "host");
}

static void add_nth(unsigned nth, struct buf *out)
{
	if (nth > 1)
		buf_printf(out, "-%u", nth);
}

void naming_rotated(const char *name, int64_t wall_ns, unsigned nth,
	struct buf *out)
{
	time_t t = (time_t)(wall_ns / GS_NSEC_PER_SEC);
	struct tm tm = { 0 };

	(void)gmtime_r(&t, &tm); /* fails only beyond the year 2^31 */
	buf_reset(out);
	buf_printf(out, "%s-%04d%02d%02dT%02d%02d%02dZ", name,
	    tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
	    tm.tm_min, tm.tm_sec);
	add_nth(nth, out);
	buf_add_str(out, NAMING_SUFFIX);
}

void naming_continued(const char *path, unsigned nth, struct buf *out)
{
	size_t len = strlen(path);
	size_t suffix = strlen(NAMING_SUFFIX);

	if (len <= suffix || strcmp(path + len - suffix, NAMING_SUFFIX) != 0 ||
	    path[len - suffix - 1] == '/')
		suffix = 0;
	buf_reset(out);
	buf_add(out, path, len - suffix);
	add_nth(nth, out);
	buf_add(out, path + len - suffix, suffix);
}

/* Parses exactly n digits. */
static bool parse_digits(struct span *s, unsigned n, int *ret)
{
	int v = 0;

	for (; n > 0; n--) {
		if (span_empty(*s) || *s->ptr < '0' || *s->ptr > '9')
			return false;
		v = v * 10 + (*s->ptr++ - '0');
	}
	*ret = v;
	return true;
}

static bool parse_text(struct span *s, const char *text)
{
	if (!span_starts(*s, text))
		return false;
	s->ptr += strlen(text);
	return true;
}

static bool parse_time(struct span *s, int64_t *ret)
{
	struct tm tm = { 0 }, back;

	if (!parse_digits(s, 4, &tm.tm_year) || !parse_digits(s, 2, &tm.tm_mon) ||
	    !parse_digits(s, 2, &tm.tm_mday) || !parse_text(s, "T") ||
	    !parse_digits(s, 2, &tm.tm_hour) || !parse_digits(s, 2, &tm.tm_min) ||
	    !parse_digits(s, 2, &tm.tm_sec) || !parse_text(s, "Z"))
		return false;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	back = tm;
	*ret = (int64_t)timegm(&back);
	/* Not the 31st of February. */
	return back.tm_mon == tm.tm_mon && back.tm_mday == tm.tm_mday &&
	    back.tm_hour == tm.tm_hour && back.tm_sec == tm.tm_sec;
}

bool naming_is_rotated(const char *name, const char *file, int64_t *ret_time_s,
	unsigned *ret_nth)
{
	struct span s = span_str(file);
	int64_t time_s;
	uint64_t nth = 1;

	if (!parse_text(&s, name) || !parse_text(&s, "-") ||
	    !parse_time(&s, &time_s))
		return false;
	if (parse_text(&s, "-") &&
	    (span_empty(s) || *s.ptr < '1' || *s.ptr > '9' ||
		!scan_u64(&s, &nth) || nth < 2 || nth > UINT32_MAX))
		return false;
	if (!span_eq(s, NAMING_SUFFIX))
		return false;
	*ret_time_s = time_s;
	*ret_nth = (unsigned)nth;
	return true;
}
