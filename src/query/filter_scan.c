/* SPDX-License-Identifier: Apache-2.0 */
#include "query/filter_scan.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *text;
	enum token_kind kind;
	enum op op;
} signs[] = { /* longer ones before their prefixes */
	{ "==", T_OP, OP_EQ },
	{ "=", T_OP, OP_EQ },
	{ "!=", T_OP, OP_NE },
	{ "<>", T_OP, OP_NE },
	{ "<=", T_OP, OP_LE },
	{ ">=", T_OP, OP_GE },
	{ "<", T_OP, OP_LT },
	{ ">", T_OP, OP_GT },
	{ "!~", T_OP, OP_NO_MATCH },
	{ "~", T_OP, OP_MATCH },
	{ "!", T_NOT, 0 },
	{ "&&", T_AND, 0 },
	{ "||", T_OR, 0 },
	{ "(", T_OPEN, 0 },
	{ ")", T_CLOSE, 0 },
};

int filter_fail(const struct filter_scan *p, const char *fmt, ...)
{
	char text[GS_ERR_MSG_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap); /* cut is fine */
	va_end(ap);
	return gs_fail(p->err, GS_E_USAGE, "at character %zu: %s",
	    (size_t)(p->at - p->start) + 1, text);
}

int filter_expected(const struct filter_scan *p, const char *what)
{
	if (p->tok.kind == T_END)
		return filter_fail(p, "expected %s, got the end", what);
	return filter_fail(p, "expected %s, got \"%.*s\"", what,
	    (int)GS_MIN(strlen(p->at), 20), p->at);
}

static bool in_word(char c)
{
	return !isspace((unsigned char)c) && !strchr("=!<>~&|()'\"", c);
}

bool filter_word_is(struct span s, const char *text)
{
	return span_len(s) == strlen(text) &&
	    strncasecmp(s.ptr, text, strlen(text)) == 0;
}

static int scan_quoted(struct filter_scan *p)
{
	char quote = *p->rest.ptr++;

	p->tok.kind = T_QUOTED;
	if (!scan_until(&p->rest, quote, &p->tok.text))
		return filter_fail(p, "expected a closing %c", quote);
	return GS_OK;
}

static void scan_bare(struct filter_scan *p)
{
	struct token *t = &p->tok;

	t->kind = T_WORD;
	t->text.ptr = p->rest.ptr;
	while (!span_empty(p->rest) && in_word(*p->rest.ptr))
		p->rest.ptr++;
	t->text.end = p->rest.ptr;
	if (filter_word_is(t->text, "and"))
		t->kind = T_AND;
	else if (filter_word_is(t->text, "or"))
		t->kind = T_OR;
	else if (filter_word_is(t->text, "not"))
		t->kind = T_NOT;
}

int filter_scan(struct filter_scan *p)
{
	size_t i;

	while (!span_empty(p->rest) && isspace((unsigned char)*p->rest.ptr))
		p->rest.ptr++;
	p->at = p->rest.ptr;
	p->tok = (struct token) { .kind = T_END };
	if (span_empty(p->rest))
		return GS_OK;
	if (*p->rest.ptr == '\'' || *p->rest.ptr == '"')
		return scan_quoted(p);
	for (i = 0; i < GS_LEN(signs); i++) {
		if (!span_starts(p->rest, signs[i].text))
			continue;
		p->tok.kind = signs[i].kind;
		p->tok.op = signs[i].op;
		p->rest.ptr += strlen(signs[i].text);
		return GS_OK;
	}
	if (!in_word(*p->rest.ptr))
		return filter_fail(p, "expected a column, got \"%c\"",
		    *p->rest.ptr);
	scan_bare(p);
	return GS_OK;
}
