/* SPDX-License-Identifier: Apache-2.0 */
/*
 * anon_words.c - free texts: messages, titles, versions.
 *
 * A word consists of letters, digits and characters of names, paths and
 * addresses.  It stays if it is a number or known; text within double quotes is
 * one word, as in messages of servers.
 *
 *   FATAL:  database "Gr\xc3\xb6\xc3\x9f" "e DB" does not exist
 *   FATAL:  database "db-3" does not exist
 */
#include <string.h>

#include "anonymize/anon_int.h"
#include "base/compiler.h"
#include "base/sqlwords.h"

/* Maximum depth of recursion for the parts of a word. */
#define DEPTH_MAX 8

struct words {
	struct aliases *aliases;
	struct buf *to;
	unsigned flags;
	unsigned depth;
};

static void put_word(struct words *w, struct span s);

static void add(struct words *w, struct span s)
{
	buf_add(w->to, s.ptr, span_len(s));
}

static bool is_word_char(char c)
{
	return anon_is_letter(c) || anon_is_digit(c) ||
	    (unsigned char)c >= 0x80 || (c != '\0' && strchr("_-./:@%+~\\",
	    c));
}

/* ---- what a word is --------------------------------------------------- */

/* 10, 1.5, 12:30:01, 2026-11-21, 15/4; with more dots it may be an address
 * or something else. */
static bool is_figure(struct span s)
{
	unsigned dots = 0;
	const char *p;

	if (span_empty(s) || !anon_is_digit(*s.ptr) || anon_is_address(s))
		return false;
	for (p = s.ptr; p < s.end; p++) {
		dots += *p == '.';
		if (!anon_is_digit(*p) && (*p == '\0' ||
		    !strchr(".:/+-%", *p)))
			return false;
	}
	return dots < 3;
}

/* 5s, 1.5GB, 20%. */
static bool is_quantity(struct span s)
{
	const char *p = s.end;

	while (p > s.ptr && anon_is_letter(p[-1]))
		p--;
	return p > s.ptr && p < s.end &&
	    is_figure(span_of(s.ptr, (size_t)(p - s.ptr))) &&
	    plain_is(PLAIN_UNIT, span_of(p, (size_t)(s.end - p)));
}

static bool is_hex(struct span s)
{
	for (; s.ptr < s.end; s.ptr++) {
		if (!anon_is_digit(*s.ptr) && (*s.ptr < 'A' || *s.ptr > 'F'))
			return false;
	}
	return true;
}

static bool has_digit(struct span s)
{
	return !span_empty(s) && (anon_is_digit(*s.ptr) ||
	    has_digit(span_of(s.ptr + 1, span_len(s) - 1)));
}

/* WAL positions and files: 0/37D606F8, 00000001000000000000000D. */
static bool is_log_place(struct span s)
{
	const char *slash = memchr(s.ptr, '/', span_len(s));
	struct span high, low;

	if (!slash)
		return span_len(s) == 24 && is_hex(s);
	high = span_of(s.ptr, (size_t)(slash - s.ptr));
	low = span_of(slash + 1, (size_t)(s.end - slash - 1));
	return span_len(high) > 0 && span_len(high) <= 3 &&
	    span_len(low) <= 8 && is_hex(high) && is_hex(low) &&
	    has_digit(low);
}

/* Words in Greenplum's titles. */
static bool is_tag(struct span s)
{
	static const char *const tags[] = { "con", "seg", "cmd", "slice" };
	struct span stem = anon_stem(s);

	if (stem.end == s.end)
		return false;
	if (span_len(stem) > 1 && stem.end[-1] == '-')
		stem.end--;
	return span_is_any(stem, tags, GS_LEN(tags));
}

/* deb12u1, el8, v595: the letters between the digits are known. */
static bool is_version(struct span s)
{
	struct span run;

	while (!span_empty(s)) {
		for (run.ptr = s.ptr; s.ptr < s.end && !anon_is_digit(*s.ptr);)
			s.ptr++;
		run.end = s.ptr;
		if (!span_empty(run) && !plain_is(PLAIN_VERSION, run))
			return false;
		while (!span_empty(s) && anon_is_digit(*s.ptr))
			s.ptr++;
	}
	return true;
}

static bool is_plain(const struct words *w, struct span s)
{
	if (is_figure(s) || is_quantity(s) || is_log_place(s) ||
	    plain_is(PLAIN_WORD, s) ||
	    (span_len(s) == 1 && anon_is_letter(*s.ptr)))
		return true;
	if (w->flags & ANON_TITLE && (is_tag(s) ||
	    sqlword_is(SQLWORD_KEY, s) || sqlword_is(SQLWORD_TYPE, s)))
		return true;
	return plain_is(PLAIN_ROLE, s) || plain_is(PLAIN_HOST, s) ||
	    plain_is(PLAIN_APPLICATION, s) ||
	    sqlword_is(SQLWORD_CATALOG, s) || sqlword_is(SQLWORD_SETTING, s) ||
	    (w->flags & ANON_PARTS && (plain_is(PLAIN_VERSION, s) ||
	    is_version(s)));
}

/* ---- parts of words --------------------------------------------------- */

static void put_parts(struct words *w, struct span s, const char *at)
{
	if (++w->depth > DEPTH_MAX) {
		alias_put(w->aliases, ALIAS_WORD, s, w->to);
	} else {
		put_word(w, span_of(s.ptr, (size_t)(at - s.ptr)));
		buf_add_char(w->to, *at);
		put_word(w, span_of(at + 1, (size_t)(s.end - at - 1)));
	}
	w->depth--;
}

static const char *any_of(struct span s, const char *of)
{
	for (; s.ptr < s.end; s.ptr++) {
		if (*s.ptr != '\0' && strchr(of, *s.ptr))
			return s.ptr;
	}
	return NULL;
}

/* A name: by its known kind, or as a word. */
static void put_name(struct words *w, struct span s)
{
	const char *dot = memchr(s.ptr, '.', span_len(s));
	struct buf first = BUF_INIT;
	enum alias_kind kind;
	uint32_t number;
	struct span f;

	if (alias_put_known(w->aliases, s, w->to))
		return;
	if (dot && alias_put_known(w->aliases, span_of(s.ptr,
	    (size_t)(dot - s.ptr)), &first)) {
		f = span_of(buf_str(&first), first.len);
		if (alias_scan(&f, &kind, &number) && kind == ALIAS_HOST) {
			anon_host(w->aliases, s, w->to);
			buf_release(&first);
			return;
		}
	}
	buf_release(&first);
	alias_put(w->aliases, ALIAS_WORD, s, w->to);
}

static void put_word(struct words *w, struct span s)
{
	const char *at;

	if (span_empty(s) || is_plain(w, s)) {
		add(w, s);
	} else if (anon_is_address(s)) {
		anon_place(w->aliases, s, w->to);
	} else if (w->flags & ANON_PARTS && (at = any_of(s, "-.+_:~/"))) {
		put_parts(w, s, at);
	} else if ((at = any_of(s, "@"))) {
		put_parts(w, s, at);
	} else if (memchr(s.ptr, '/', span_len(s))) {
		anon_path(w->aliases, s, w->to);
	} else if ((at = any_of(s, ":"))) {
		put_parts(w, s, at);
	} else {
		put_name(w, s);
	}
}

/* ---- texts ------------------------------------------------------------ */

/* Punctuation at the beginning and the end belongs to the sentence. */
static void put_with_punctuation(struct words *w, struct span s)
{
	struct span tail;

	while (!span_empty(s) && strchr("-+~:%.", *s.ptr) &&
	    !anon_is_address(s)) {
		buf_add_char(w->to, *s.ptr);
		s.ptr++;
	}
	tail.end = s.end;
	while (!span_empty(s) && strchr(".:-%", s.end[-1]) &&
	    !anon_is_address(s))
		s.end--;
	tail.ptr = s.end;
	put_word(w, s);
	add(w, tail);
}

static bool put_quoted(struct words *w, struct span *s)
{
	const char *end = memchr(s->ptr + 1, '"', span_len(*s) - 1);

	if (!end || end == s->ptr + 1)
		return false;
	buf_add_char(w->to, '"');
	s->ptr++;
	put_word(w, span_of(s->ptr, (size_t)(end - s->ptr)));
	buf_add_char(w->to, '"');
	s->ptr = end + 1;
	return true;
}

void anon_words(struct aliases *a, struct span s, unsigned flags,
	struct buf *to)
{
	struct words w = { a, to, flags, 0 };
	const char *from;

	while (!span_empty(s)) {
		if (*s.ptr == '"' && put_quoted(&w, &s))
			continue;
		for (from = s.ptr; s.ptr < s.end && is_word_char(*s.ptr);)
			s.ptr++;
		if (from < s.ptr)
			put_with_punctuation(&w, span_of(from,
			    (size_t)(s.ptr - from)));
		else
			buf_add_char(to, *s.ptr++);
	}
}
