/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.h - a cursor over text in memory, for the scanners of kernel files.
 *
 * A span is a pointer and an end; it never owns memory and text need not end
 * with NUL.  Every function stops at the end, so a truncated file is a short
 * line, never an overrun.
 */
#ifndef GS_BASE_SCAN_H
#define GS_BASE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
	const char *ptr;
	const char *end;
};

static inline struct span span_of(const char *p, size_t len)
{
	return (struct span) { p, p + len };
}

static inline struct span span_str(const char *s)
{
	return span_of(s, strlen(s));
}

static inline size_t span_len(struct span s)
{
	return (size_t)(s.end - s.ptr);
}

static inline bool span_empty(struct span s)
{
	return s.ptr >= s.end;
}

static inline bool span_eq(struct span s, const char *text)
{
	size_t n = span_len(s);

	/* mostly one is empty, or they differ in the first character */
	if (n == 0 || *s.ptr != *text)
		return n == 0 && *text == '\0';
	return strlen(text) == n && memcmp(s.ptr, text, n) == 0;
}

/* Steps over one character, if it is c. */
static inline bool scan_char(struct span *s, char c)
{
	if (span_empty(*s) || *s->ptr != c)
		return false;
	s->ptr++;
	return true;
}

/* The same bytes; two empty ones are the same. */
static inline bool span_same(struct span a, struct span b)
{
	size_t n = span_len(a);

	return span_len(b) == n && (n == 0 || memcmp(a.ptr, b.ptr, n) == 0);
}

static inline bool span_is_any(struct span s, const char *const *text, size_t n)
{
	while (n > 0 && !span_eq(s, text[n - 1]))
		n--;
	return n > 0;
}

static inline bool span_starts(struct span s, const char *text)
{
	size_t n = strlen(text);

	return span_len(s) >= n && (n == 0 || memcmp(s.ptr, text, n) == 0);
}

/* Skips blanks and tabs. */
static inline void scan_blank(struct span *s)
{
	while (s->ptr < s->end && (*s->ptr == ' ' || *s->ptr == '\t'))
		s->ptr++;
}

/* Takes the next line without its newline; false at the end of the text. */
static inline bool scan_line(struct span *s, struct span *ret)
{
	const char *nl;

	if (span_empty(*s))
		return false;
	nl = memchr(s->ptr, '\n', span_len(*s));
	ret->ptr = s->ptr;
	ret->end = nl ? nl : s->end;
	s->ptr = nl ? nl + 1 : s->end;
	return true;
}

/* Takes the next word: skips blanks, stops at blank, tab, newline or end.
 * False if there is none. */
static inline bool scan_word(struct span *s, struct span *ret)
{
	scan_blank(s);
	ret->ptr = s->ptr;
	while (s->ptr < s->end && *s->ptr != ' ' && *s->ptr != '\t' &&
	    *s->ptr != '\n')
		s->ptr++;
	ret->end = s->ptr;
	return ret->ptr < ret->end;
}

/* Takes the text before the next c, and c; false (nothing taken) if there is
 * no c. */
static inline bool scan_until(struct span *s, char c, struct span *ret)
{
	const char *p = span_empty(*s) ? NULL
	                               : memchr(s->ptr, c, span_len(*s));

	if (!p)
		return false;
	ret->ptr = s->ptr;
	ret->end = p;
	s->ptr = p + 1;
	return true;
}

/* Takes the next item of a list: up to the character c, or the end.  False at
 * the end. */
static inline bool scan_item(struct span *s, char c, struct span *ret)
{
	if (span_empty(*s))
		return false;
	if (!scan_until(s, c, ret)) {
		*ret = *s;
		s->ptr = s->end;
	}
	return true;
}

/* Takes a decimal number after blanks.  False (nothing stored) if there is no
 * digit or the number has more than 64 bits. */
static inline bool scan_u64(struct span *s, uint64_t *ret)
{
	uint64_t v = 0;
	const char *p;

	scan_blank(s);
	for (p = s->ptr; p < s->end && *p >= '0' && *p <= '9'; p++) {
		unsigned d = (unsigned)(*p - '0');

		if (v > (UINT64_MAX - d) / 10)
			return false;
		v = v * 10 + d;
	}
	if (p == s->ptr)
		return false;
	s->ptr = p;
	*ret = v;
	return true;
}

/* The number that is all of the text: digits, without blanks around them. */
static inline bool span_u64(struct span s, uint64_t *ret)
{
	return !span_empty(s) && *s.ptr >= '0' && *s.ptr <= '9' &&
	    scan_u64(&s, ret) && span_empty(s);
}

/* As scan_u64(), with an optional minus sign; stored as two's complement. */
static inline bool scan_s64(struct span *s, uint64_t *ret)
{
	struct span t = *s;
	bool minus;
	uint64_t v;

	scan_blank(&t);
	minus = !span_empty(t) && *t.ptr == '-';
	if (minus)
		t.ptr++;
	if (!scan_u64(&t, &v))
		return false;
	if (v > (uint64_t)INT64_MAX + minus && minus)
		return false;
	*ret = minus ? ~v + 1 : v;
	*s = t;
	return true;
}

/* Takes a number with an optional fraction and scales it by scale, a power
 * of ten: "1.25" with scale 100 is 125.  Further digits are cut. */
static inline bool scan_fixed(struct span *s, uint64_t scale, uint64_t *ret)
{
	struct span t = *s;
	uint64_t v;

	if (!scan_u64(&t, &v) || v > UINT64_MAX / scale - 1)
		return false;
	v *= scale;
	if (!span_empty(t) && *t.ptr == '.') {
		t.ptr++;
		while (!span_empty(t) && *t.ptr >= '0' && *t.ptr <= '9') {
			scale /= 10;
			v += (uint64_t)(*t.ptr++ - '0') * scale;
		}
	}
	*s = t;
	*ret = v;
	return true;
}

#endif
