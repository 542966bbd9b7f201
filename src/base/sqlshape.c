/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sqlshape.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/compiler.h"
#include "base/masktext.h"
#include "base/scan.h"

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '_' || c == '$' ||
	    (unsigned char)c >= 128;
}

static const char *skip_spaces(const char *p, const char *end)
{
	while (p < end && *p == ' ')
		p++;
	return p;
}

/* The end of "?", "$1", "?::text"; NULL: nothing of the kind is at p. */
static const char *literal_end(const char *p, const char *end)
{
	if (p == end || (*p != '?' && *p != '$'))
		return NULL;
	p++;
	while (p[-1] != '?' && p < end && *p >= '0' && *p <= '9')
		p++;
	while (end - p > 2 && p[0] == ':' && p[1] == ':' && is_word(p[2])) {
		p += 2;
		while (p < end && is_word(*p))
			p++;
		if (end - p >= 2 && p[0] == '[' && p[1] == ']')
			p += 2;
	}
	return p;
}

/* The end of a list of literals in the brackets that open at p, which the end of a
 * cut text closes, too; NULL: there is something else in them. */
static const char *list_end(const char *p, const char *end)
{
	char close = *p == '(' ? ')' : ']';

	do {
		p = skip_spaces(p + 1, end);
		if (p == end)
			return end;
		p = literal_end(p, end);
		if (!p)
			return NULL;
		p = skip_spaces(p, end);
	} while (p < end && *p == ',');
	if (p == end)
		return end;
	return *p == close ? p + 1 : NULL;
}

/* The word that ends what was written. */
static struct span last_word(const struct buf *b, size_t begin)
{
	size_t end = b->len, from;

	while (end > begin && b->ptr[end - 1] == ' ')
		end--;
	for (from = end; from > begin && is_word(b->ptr[from - 1]); from--)
		;
	return span_of(buf_str(b) + from, end - from);
}

static bool is(struct span w, const char *word)
{
	return span_len(w) == strlen(word) &&
	    strncasecmp(w.ptr, word, span_len(w)) == 0;
}

/* Leaves out further rows. */
static const char *skip_rows(const char *p, const char *end)
{
	for (;;) {
		const char *q = skip_spaces(p, end), *row;

		if (q == end || *q != ',')
			return p;
		q = skip_spaces(q + 1, end);
		row = q < end && *q == '(' ? list_end(q, end) : NULL;
		if (!row)
			return p;
		p = row;
	}
}

/* Writes a list at p; returns its end, or p if no list begins there. */
static const char *add_list(struct buf *out, size_t begin, const char *p,
	const char *end)
{
	struct span w = last_word(out, begin);
	bool values = is(w, "values");
	const char *after;

	if (!values && !is(w, "in") && !is(w, "any") && !is(w, "array"))
		return p;
	after = list_end(p, end);
	if (!after)
		return p;
	buf_add_str(out, *p == '(' ? "(?)" : "[?]");
	return values ? skip_rows(after, end) : after;
}

/* The end of the quoted name at p. */
static const char *quoted_end(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++)
		;
	return p < end ? p + 1 : end;
}

void sqlshape(const char *sql, size_t len, struct buf *out)
{
	struct buf masked = BUF_INIT;
	size_t begin = out->len;
	const char *p, *end, *next;

	masktext(sql, len, &masked);
	p = buf_str(&masked);
	for (end = p + masked.len; p < end; p = next) {
		next = *p == '"' ? quoted_end(p, end) : p;
		if (*p == '(' || *p == '[')
			next = add_list(out, begin, p, end);
		else if (next > p)
			buf_add(out, p, (size_t)(next - p));
		if (next == p)
			buf_add_char(out, *next++);
	}
	while (out->len > begin && (out->ptr[out->len - 1] == ';' ||
	    out->ptr[out->len - 1] == ' '))
		out->ptr[--out->len] = '\0';
	buf_release(&masked);
}
