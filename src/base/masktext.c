/* SPDX-License-Identifier: Apache-2.0 */
/*
 * masktext.c - see masktext.h.
 *
 * The scanner must never treat text as outside a string that the server treats
 * as inside.  Whether a backslash before a quote escapes it depends on
 * standard_conforming_strings, which is unknown here: from there on everything
 * is masked.
 *
 * There is no grammar to tell which words are names: all that are not SQL
 * keywords are.  A word next to a dot is a name unless it is in the catalogs.
 */
#include "base/masktext.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/compiler.h"
#include "base/scan.h"
#include "base/sqlwords.h"

/* How much of "COPY ... FROM stdin" a statement has so far. */
enum copy {
	COPY_START, /* of a statement */
	COPY_NO,
	COPY_COPY, /* "COPY" was its first word */
	COPY_FROM,
	COPY_STDIN
};

struct mask {
	const char *start; /* of the text */
	struct span s; /* what is still to be scanned */
	struct buf *out;
	size_t begin; /* offset in out of the masked text */
	bool space; /* a space is due before the next token */
	bool password; /* the word before was PASSWORD */
	bool dot; /* the token before was a dot */
	bool operand; /* the token before ends an operand; false after a sign */
	bool sign; /* the tokens before are signs of what follows: */
	size_t sign_at; /* offset in out of the first */
	bool sign_space; /* a space was due before it */
	enum copy copy;
	const struct masktext_names *names; /* NULL: names stay */
	struct buf name; /* scratch */
};

/* Classes of characters; most of a query is words. */
enum {
	SPACE = 1,
	DIGIT = 2,
	LETTER = 4, /* begins a word; also _ and all non-ASCII characters */
	WORD = 8 /* continues a word */
};

#define EIGHT(c) (c), (c), (c), (c), (c), (c), (c), (c)
#define L (LETTER | WORD)
#define D (DIGIT | WORD)

static const unsigned char classes[256] = {
	['\0'] = SPACE, ['\t'] = SPACE, SPACE, SPACE, SPACE, SPACE,
	[' '] = SPACE, ['$'] = WORD, ['_'] = L,
	['0'] = D, D, D, D, D, D, D, D, D, D,
	['A'] = EIGHT(L), EIGHT(L), EIGHT(L), L, L,
	['a'] = EIGHT(L), EIGHT(L), EIGHT(L), L, L,
	[128] = EIGHT(L), EIGHT(L), EIGHT(L), EIGHT(L),
	EIGHT(L), EIGHT(L), EIGHT(L), EIGHT(L),
	EIGHT(L), EIGHT(L), EIGHT(L), EIGHT(L),
	EIGHT(L), EIGHT(L), EIGHT(L), EIGHT(L),
};

static bool is_space(char c)
{
	return classes[(unsigned char)c] & SPACE;
}

static bool is_digit(char c)
{
	return classes[(unsigned char)c] & DIGIT;
}

static bool is_ident_start(char c)
{
	return classes[(unsigned char)c] & LETTER;
}

static bool is_ident(char c)
{
	return classes[(unsigned char)c] & WORD;
}

/* The character n further; NUL after the end. */
static char at(const struct mask *m, size_t n)
{
	return n < span_len(m->s) ? m->s.ptr[n] : '\0';
}

/* True if two words that were separated by quotes would join. */
static bool would_join(const struct mask *m, char c)
{
	return m->names && m->out->len > m->begin && is_ident(c) &&
	    is_ident(m->out->ptr[m->out->len - 1]);
}

/* There is room: the replacement is never longer than the original, except for
 * a space between words that would join. */
static void emit(struct mask *m, const char *p, size_t len)
{
	char *to;

	if (!m->space && would_join(m, *p)) {
		m->space = true;
		(void)buf_reserve(m->out, len + 1 + span_len(m->s));
	}
	to = m->out->ptr + m->out->len;
	if (m->space && m->out->len > m->begin) {
		*to++ = ' ';
		m->out->len++;
	}
	m->space = false;
	m->dot = len == 1 && *p == '.';
	if (len == 1)
		*to = *p;
	else
		memcpy(to, p, len);
	m->out->len += len;
}

/* A sign is part of the literal that follows. */
static void drop_sign(struct mask *m)
{
	if (m->sign) {
		m->out->len = m->sign_at;
		m->space = m->sign_space;
	}
	m->sign = false;
	m->operand = true;
}

static void emit_masked(struct mask *m)
{
	drop_sign(m);
	emit(m, "?", 1);
	m->password = false;
}

/* Appends the replacement of the name in m->name.  If it is longer than the
 * name, makes room for the rest of the text. */
static void emit_name(struct mask *m)
{
	size_t from;

	m->space |= would_join(m, *"name");
	emit(m, "?", 1);
	from = --m->out->len;
	m->names->put(m->names->arg, span_of(buf_str(&m->name), m->name.len),
	    m->out);
	(void)buf_reserve(m->out, span_len(m->s) + 2);
	if (m->out->len == from)
		m->out->ptr[m->out->len++] = '?';
}

/* The position after the string whose opening quote is at ptr; the end of the
 * text if the string does not end, or if its end is unknown. */
static const char *string_end(struct span s, bool escapes)
{
	const char *p = s.ptr + 1;

	while (p < s.end) {
		if (*p == '\\' && s.end - p > 1) {
			if (!escapes && p[1] == '\'')
				return s.end;
			/* two backslashes do not escape the next character */
			p += escapes || p[1] == '\\' ? 2 : 1;
		} else if (*p != '\'') {
			p++;
		} else if (s.end - p > 1 && p[1] == '\'') {
			p += 2;
		} else {
			return p + 1;
		}
	}
	return s.end;
}

static void scan_string(struct mask *m, size_t prefix, bool escapes)
{
	m->s.ptr += prefix;
	m->s.ptr = string_end(m->s, escapes);
	emit_masked(m);
}

/* Appends the text within the quotes, each doubled quote once. */
static void emit_quoted(struct mask *m, const char *end)
{
	const char *p;

	if (!m->names) {
		emit(m, m->s.ptr, (size_t)(end - m->s.ptr));
		m->s.ptr = end;
		return;
	}
	buf_reset(&m->name);
	for (p = m->s.ptr + 1; p < end - 1; p++) {
		buf_add_char(&m->name, *p);
		if (*p == '"')
			p++;
	}
	m->s.ptr = end;
	emit_name(m);
}

/* "quoted ""identifier""": unchanged, if it ends. */
static void scan_quoted(struct mask *m)
{
	const char *p = m->s.ptr + 1;

	m->operand = true;
	m->sign = false;
	for (; p < m->s.end; p++) {
		if (*p != '"')
			continue;
		if (m->s.end - p > 1 && p[1] == '"') {
			p++;
			continue;
		}
		p++;
		/* a password is not an identifier, but a user may write it so */
		if (m->password) {
			emit_masked(m);
			m->s.ptr = p;
		} else {
			emit_quoted(m, p);
		}
		m->password = false;
		return;
	}
	m->s.ptr = m->s.end;
	emit_masked(m);
}

/* Length of $tag$ at ptr, 0 if there is none. */
static size_t dollar_tag(const struct mask *m)
{
	size_t n = 1;

	if (at(m, 1) != '$' && !is_ident_start(at(m, 1)))
		return 0;
	while (n < span_len(m->s) && is_ident(at(m, n)) && at(m, n) != '$')
		n++;
	return n < span_len(m->s) && at(m, n) == '$' ? n + 1 : 0;
}

/* $1, $tag$...$tag$, or a dollar.  A tag that is cut by the end of the text
 * counts as a string. */
static void scan_dollar(struct mask *m)
{
	size_t n = 1, tag = dollar_tag(m);
	const char *close;

	if (tag) {
		close = memmem(m->s.ptr + tag, span_len(m->s) - tag,
		    m->s.ptr, tag);
		m->s.ptr = close ? close + tag : m->s.end;
		emit_masked(m);
		return;
	}
	while (is_digit(at(m, n)))
		n++;
	m->operand = true;
	m->sign = false;
	emit(m, m->s.ptr, n);
	m->s.ptr += n;
}

/* 1, 1.5, .5, 1e-10, 0x1f, 1_000; letters after it belong to it. */
static void scan_number(struct mask *m)
{
	size_t n = 1;

	for (;; n++) {
		char c = at(m, n);

		if (is_digit(c) || is_ident_start(c))
			continue;
		if (c == '.' && at(m, n + 1) != '.')
			continue;
		if ((c == '+' || c == '-') &&
		    (at(m, n - 1) == 'e' || at(m, n - 1) == 'E') &&
		    is_digit(at(m, n + 1)))
			continue;
		break;
	}
	m->s.ptr += n;
	emit_masked(m);
}

static bool word_is(struct span w, const char *word)
{
	return span_len(w) == strlen(word) &&
	    strncasecmp(w.ptr, word, span_len(w)) == 0;
}

static void note_word(struct mask *m, struct span w)
{
	m->password = span_len(w) == 8 && word_is(w, "password");
	if (m->copy == COPY_START)
		m->copy = word_is(w, "copy") ? COPY_COPY : COPY_NO;
	else if (m->copy == COPY_COPY && word_is(w, "from"))
		m->copy = COPY_FROM;
	else if (m->copy == COPY_FROM && word_is(w, "stdin"))
		m->copy = COPY_STDIN;
}

/* The first character after the word that is not a space. */
static char char_after(const struct mask *m, struct span w)
{
	const char *p = w.end;

	while (p < m->s.end && is_space(*p))
		p++;
	return p < m->s.end ? *p : '\0';
}

/* True if the word is an SQL keyword in this position. */
static bool is_known(const struct mask *m, struct span w)
{
	char next = char_after(m, w);

	if (sqlword_is(SQLWORD_CATALOG, w) || sqlword_is(SQLWORD_SETTING, w))
		return true;
	if (m->names->objects)
		return false;
	if (next == '(' && sqlword_is(SQLWORD_FUNCTION, w))
		return true;
	return !m->dot && next != '.' && (sqlword_is(SQLWORD_KEY, w) ||
	    sqlword_is(SQLWORD_TYPE, w));
}

/* An expression may follow; they are reserved, and no names of columns. */
static bool is_before_operand(struct span w)
{
	static const char *const words[] = { "all", "and", "any", "between",
		"by", "case", "default", "distinct", "else", "from", "having",
		"ilike", "in", "like", "limit", "not", "offset", "on", "or",
		"return", "returning", "select", "set", "similar", "some",
		"then", "to", "using", "values", "when", "where", "with" };
	size_t i;

	for (i = 0; i < GS_LEN(words); i++) {
		if (word_is(w, words[i]))
			return true;
	}
	return false;
}

static void emit_word(struct mask *m, struct span w)
{
	const char *p;

	m->operand = m->dot || !is_before_operand(w);
	m->sign = false;

	m->s.ptr = w.end;
	if (!m->names || is_known(m, w)) {
		emit(m, w.ptr, span_len(w));
		return;
	}
	buf_reset(&m->name);
	for (p = w.ptr; p < w.end; p++)
		buf_add_char(&m->name, wordlist_fold(*p));
	emit_name(m);
}

static void scan_word_or_prefix(struct mask *m)
{
	const char *p;
	struct span w;

	if (at(m, 1) == '\'' && strchr("eEbBxXnN", at(m, 0))) {
		scan_string(m, 1, at(m, 0) == 'e' || at(m, 0) == 'E');
		return;
	}
	if (at(m, 1) == '&' && at(m, 2) == '\'' &&
	    (at(m, 0) == 'u' || at(m, 0) == 'U')) {
		scan_string(m, 2, false);
		return;
	}
	if (m->names && at(m, 1) == '&' && at(m, 2) == '"' &&
	    (at(m, 0) == 'u' || at(m, 0) == 'U')) {
		m->s.ptr += 2;
		scan_quoted(m);
		return;
	}
	for (p = m->s.ptr + 1; p < m->s.end && is_ident(*p);)
		p++;
	w = span_of(m->s.ptr, (size_t)(p - m->s.ptr));
	emit_word(m, w);
	note_word(m, w);
}

/* Comments nest. */
static void skip_comment(struct mask *m)
{
	unsigned depth = 0;

	do {
		if (at(m, 0) == '/' && at(m, 1) == '*') {
			depth++;
			m->s.ptr += 2;
		} else if (at(m, 0) == '*' && at(m, 1) == '/') {
			depth--;
			m->s.ptr += 2;
		} else {
			m->s.ptr++;
		}
	} while (depth > 0 && !span_empty(m->s));
	m->space = true;
}

static void skip_line(struct mask *m)
{
	while (!span_empty(m->s) && at(m, 0) != '\n' && at(m, 0) != '\r')
		m->s.ptr++;
	m->space = true;
}

/* COPY ... FROM stdin; is followed by lines of data up to a line "\.". */
static void scan_copy_data(struct mask *m)
{
	struct span line;
	bool any = false;
	size_t n = 0;

	while (n < span_len(m->s) && is_space(at(m, n)) && at(m, n) != '\n')
		n++;
	if (at(m, n) != '\n')
		return;
	m->s.ptr += n;
	while (scan_line(&m->s, &line)) {
		if (!span_empty(line) && line.end[-1] == '\r')
			line.end--;
		if (span_eq(line, "\\."))
			break;
		any |= !span_empty(line);
	}
	m->space = true;
	if (any)
		emit_masked(m);
	m->space = true;
}

/* True if the sign at ptr ends an operator: of the lexical rules, one with any of
 * these characters may. */
static bool ends_operator(const struct mask *m)
{
	const char *p = m->s.ptr;

	while (p > m->start && p[-1] && strchr("+-*/<>=~!@#%^&|`?", p[-1])) {
		if (strchr("~!@#%^&|`?", *--p))
			return true;
	}
	return false;
}

/* Whether the character is a sign, an operator, or ends an operand. */
static void note_other(struct mask *m, char c)
{
	if (c == '?') { /* masked before */
		drop_sign(m);
		return;
	}
	if ((c == '-' || c == '+') && !m->operand && !ends_operator(m)) {
		if (!m->sign) {
			m->sign_at = m->out->len;
			m->sign_space = m->space;
		}
		m->sign = true;
	} else {
		m->sign = false;
	}
	m->operand = c == ')' || c == ']';
}

static void scan_other(struct mask *m)
{
	char c = at(m, 0);
	size_t n = c == '.' && at(m, 1) == '.' ? 2 : 1; /* 1..10 */

	note_other(m, c);
	emit(m, m->s.ptr, n);
	m->s.ptr += n;
	m->password = false;
	if (c != ';')
		return;
	if (m->copy == COPY_STDIN)
		scan_copy_data(m);
	m->copy = COPY_START;
}

static void scan_token(struct mask *m)
{
	char c = at(m, 0);

	if (is_space(c)) {
		m->space = true;
		m->s.ptr++;
	} else if (c == '-' && at(m, 1) == '-') {
		skip_line(m);
	} else if (c == '/' && at(m, 1) == '*') {
		skip_comment(m);
	} else if (c == '\'') {
		scan_string(m, 0, false);
	} else if (c == '"') {
		scan_quoted(m);
	} else if (c == '$') {
		scan_dollar(m);
	} else if (is_digit(c) || (c == '.' && is_digit(at(m, 1)))) {
		scan_number(m);
	} else if (is_ident_start(c)) {
		scan_word_or_prefix(m);
	} else {
		scan_other(m);
	}
}

void masktext(const char *sql, size_t len, struct buf *out)
{
	masktext_names(sql, len, NULL, out);
}

void masktext_names(const char *sql, size_t len,
	const struct masktext_names *names, struct buf *out)
{
	struct mask m = { .start = sql, .s = span_of(sql, len), .out = out,
		.begin = out->len, .names = names };

	(void)buf_reserve(out, len);
	while (!span_empty(m.s))
		scan_token(&m);
	out->ptr[out->len] = '\0';
	buf_release(&m.name);
}
