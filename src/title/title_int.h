/* SPDX-License-Identifier: Apache-2.0 */
/*
 * title_int.h - shared by the files of title.h.
 *
 *   title.c          titles of a server's processes
 *   title_command.c  command lines of postmasters
 *   title_learn.c    what titles say of their server's name
 *   title_words.c    what processes are called
 */
#ifndef GS_TITLE_TITLE_INT_H
#define GS_TITLE_TITLE_INT_H

#include <string.h>

#include "title/title.h"

struct title_background {
	const char *name;
	enum title_role role;
};

/* In the order in which they are tried. */
extern const struct title_background title_backgrounds[];
extern const size_t title_n_backgrounds;

/* Parses "postgres:" and Greenplum's port from the front. */
bool title_parse_front(struct title *t, struct span *text);

/* A command line: of a postmaster, or TITLE_NONE. */
void title_parse_command(struct title *t, struct span s);

static inline bool title_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\0';
}

static inline struct span title_trim(struct span s)
{
	while (!span_empty(s) && title_is_blank(*s.ptr))
		s.ptr++;
	while (!span_empty(s) && title_is_blank(s.end[-1]))
		s.end--;
	return s;
}

/* True if s is text, or begins with it and a blank. */
static inline bool title_starts_word(struct span s, const char *text)
{
	size_t n;

	if (span_empty(s) || *s.ptr != *text)
		return false; /* the usual case: tables of names are tried */
	n = strlen(text);
	return span_starts(s, text) &&
	    (span_len(s) == n || title_is_blank(s.ptr[n]));
}

static inline bool title_ends_with(struct span s, const char *text)
{
	size_t n = strlen(text);

	return span_len(s) >= n && memcmp(s.end - n, text, n) == 0;
}

/* Parses the next word, as scan_word(); NUL counts as a blank. */
static inline bool title_next_word(struct span *s, struct span *ret)
{
	while (!span_empty(*s) && title_is_blank(*s->ptr))
		s->ptr++;
	ret->ptr = s->ptr;
	while (!span_empty(*s) && !title_is_blank(*s->ptr))
		s->ptr++;
	ret->end = s->ptr;
	return !span_empty(*ret);
}

/* The whole word is a number below 2^31. */
static inline bool title_number(struct span w, uint32_t *ret)
{
	uint64_t v;

	if (span_empty(w) || *w.ptr < '0' || *w.ptr > '9' ||
	    !scan_u64(&w, &v) || !span_empty(w) || v > INT32_MAX)
		return false;
	*ret = (uint32_t)v;
	return true;
}

#endif
