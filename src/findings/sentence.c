/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/sentence.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/quote.h"
#include "base/units.h"
#include "base/when.h"
#include "model/tick.h"

/* Of a text in a sentence, bytes. */
#define TEXT_MAX 80

/* Known when the finding is listed. */
static const char *const late[] = { "from", "to", "at", "count", "sum" };

/* "column noun": the noun goes after the number, with its ending. */
static struct span cut_noun(struct span *name)
{
	struct span rest = *name, first;

	if (!scan_until(&rest, ' ', &first))
		return span_str("");
	*name = first;
	return rest;
}

static bool is_late(struct span name)
{
	size_t i;

	(void)cut_noun(&name); /* "count session" */
	for (i = 0; i < GS_LEN(late); i++) {
		if (span_eq(name, late[i]))
			return true;
	}
	return false;
}

/* The name in braces at the start of s; s continues after them. */
static bool take_name(struct span *s, struct span *ret)
{
	struct span rest = *s;

	if (span_empty(rest) || *rest.ptr != '{')
		return false;
	rest.ptr++;
	if (!scan_until(&rest, '}', ret))
		return false;
	*s = rest;
	return true;
}

static void add_number(struct buf *to, double v)
{
	if (fabs(v) >= 10 || v == floor(v))
		buf_printf(to, "%.0f", v);
	else
		buf_printf(to, fabs(v) >= 1 ? "%.1f" : "%.2f", v);
}

/* One line, without control characters, cut. */
static void add_text(struct buf *to, struct span s)
{
	size_t len = GS_MIN(span_len(s), (size_t)TEXT_MAX), i;
	bool blank = false;

	while (len < span_len(s) && len > 0 &&
	    ((unsigned char)s.ptr[len] & 0xc0) == 0x80)
		len--; /* not within a character */
	for (i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];

		if (c <= ' ' || c == 0x7f) {
			blank = true;
			continue;
		}
		if (blank)
			buf_add_char(to, ' ');
		blank = false;
		buf_add_char(to, (char)c);
	}
	if (len < span_len(s))
		buf_add_str(to, "...");
}

/* What a stranger's file may have is more than 64 bits hold. */
#define BYTES_MAX 1e19

static void add_age(struct buf *to, double seconds)
{
	char text[WHEN_SPAN_MAX];

	when_age(text, seconds);
	buf_add_str(to, text);
}

void sentence_add_cell(struct buf *to, enum quantity q, const struct cell *c)
{
	double v = c->kind == CELL_INT ? (double)c->i : c->r;

	if (c->kind == CELL_TEXT) {
		add_text(to, cell_span(c));
		return;
	}
	if (c->kind == CELL_MAX) {
		buf_add_str(to, "max");
		return;
	}
	switch (q) {
	case Q_BYTES:
	case Q_BYTES_RATE:
		units_add_bytes(to, v > 0 ? (uint64_t)GS_MIN(v, BYTES_MAX) : 0);
		buf_add_str(to, q == Q_BYTES ? "" : "/s");
		break;
	case Q_SECONDS:
	case Q_LATENCY:
	case Q_AGE:
		add_age(to, v);
		break;
	case Q_PERCENT:
		add_number(to, v >= 10 ? round(v) : v);
		buf_add_str(to, " %");
		break;
	case Q_RATE:
		add_number(to, v);
		buf_add_str(to, "/s");
		break;
	case Q_ID:
	case Q_COUNT:
		buf_printf(to, "%.0f", v);
		break;
	case Q_TEXT:
	case Q_NUMBER:
	case Q_TIME:
	case Q_BY_ROW:
		add_number(to, v);
		break;
	}
}

/* ---- expansion ---------------------------------------------------------- */

struct expansion {
	const struct sentence_row *of, *who;
	bool is_command;
	bool optional; /* within brackets */
};

static void add_noun(struct buf *to, struct span noun, uint64_t n)
{
	if (!span_empty(noun))
		buf_printf(to, " %.*s%s", (int)span_len(noun), noun.ptr,
		    units_plural(n));
}

/* How many the text says, as far as its noun needs it: one or more. */
static uint64_t count_of(const struct cell *c, enum quantity q)
{
	if (c->kind == CELL_INT)
		return (uint64_t)c->i;
	return c->kind == CELL_REAL && q == Q_COUNT && round(c->r) == 1 ? 1 : 2;
}

static bool is_zero(const struct cell *c)
{
	return (c->kind == CELL_INT && c->i == 0) ||
	    (c->kind == CELL_REAL && c->r == 0);
}

void sentence_add_literally(struct buf *to, const char *text)
{
	for (; *text; text++) {
		if (*text == '{')
			buf_add_char(to, '{');
		buf_add_char(to, *text);
	}
}

static bool add_value(const struct expansion *x, struct span name,
	struct buf *to)
{
	struct span noun = cut_noun(&name);
	const struct sentence_row *of = x->of;
	struct span who = name, first;
	struct buf text = BUF_INIT, said = BUF_INIT;
	const struct cell *c;
	int col;

	if (scan_until(&who, '.', &first) && span_eq(first, "who")) {
		of = x->who;
		name = who;
	}
	if (!of || !of->row)
		return false;
	col = grid_find_col(of->g, name.ptr, span_len(name));
	c = col >= 0 ? &of->row->cell[col] : NULL;
	if (!c || c->kind == CELL_ABSENT || (x->optional && is_zero(c)))
		return false;
	sentence_add_cell(&text, of->g->col[col].quantity, c);
	if (x->is_command)
		quote_add_word(&said, buf_str(&text));
	sentence_add_literally(to,
	    buf_str(x->is_command ? &said : &text));
	add_noun(to, noun, count_of(c, of->g->col[col].quantity));
	buf_release(&text);
	buf_release(&said);
	return true;
}

static void cut(struct buf *b, size_t len)
{
	if (b->len == len)
		return;
	b->len = len;
	b->ptr[len] = '\0';
}

/* Up to the closing bracket, or the end; false: a value was absent. */
static bool expand(const struct expansion *x, struct span *s, struct buf *to)
{
	bool all = true;
	struct span name;

	while (!span_empty(*s) && *s->ptr != ']') {
		size_t before = to->len;

		if (*s->ptr == '[') {
			struct expansion part = *x;

			part.optional = true;
			s->ptr++;
			if (!expand(&part, s, to))
				cut(to, before);
			s->ptr += !span_empty(*s); /* the closing one */
		} else if (take_name(s, &name)) {
			if (is_late(name)) {
				buf_printf(to, "{%.*s}", (int)span_len(name),
				    name.ptr);
			} else if (!add_value(x, name, to)) {
				buf_add_char(to, '?');
				all = false;
			}
		} else {
			buf_add_char(to, *s->ptr++);
		}
	}
	return all;
}

bool sentence_add(struct buf *to, const char *text,
	const struct sentence_row *of, const struct sentence_row *who,
	bool is_command)
{
	const struct expansion x = { of, who, is_command, false };
	struct span s = span_str(text);

	return expand(&x, &s, to);
}

/* "2026-11-20T14:05:30", so that --to includes the tick of that instant. */
static void add_instant(struct buf *to, const struct sentence_times *t,
	int64_t ns)
{
	static const struct zone utc = ZONE_UTC;
	size_t at = to->len;
	unsigned digits = 0;

	ns = tick_instant(ns, t->pace);
	if (ns % GS_NSEC_PER_SEC != 0) {
		digits = 3;
		ns += GS_NSEC_PER_MSEC - 1;
	}
	zone_add_date_time(t->zone ? t->zone : &utc, ns, digits, to);
	for (; at < to->len; at++) {
		if (to->ptr[at] == ' ')
			to->ptr[at] = 'T';
	}
}

void sentence_add_times(struct buf *to, const char *text,
	const struct sentence_times *t)
{
	struct span s = span_str(text), name, noun;

	while (!span_empty(s)) {
		struct span was = s;

		if (span_starts(s, "{{")) {
			buf_add_char(to, '{');
			s.ptr += 2;
			continue;
		}
		if (!take_name(&s, &name)) {
			buf_add_char(to, *s.ptr++);
			continue;
		}
		noun = cut_noun(&name);
		if (span_eq(name, "count")) {
			buf_printf(to, "%zu", t->count);
			add_noun(to, noun, t->count);
		} else if (span_eq(name, "sum")) {
			buf_printf(to, "%.0f", t->sum);
			add_noun(to, noun, t->sum == 1 ? 1 : 2);
		} else if (is_late(name)) {
			add_instant(to, t, span_eq(name, "from") ? t->from_ns
			    : span_eq(name, "to") ? t->to_ns : t->at_ns);
		} else {
			buf_add(to, was.ptr, (size_t)(s.ptr - was.ptr));
		}
	}
}

void sentence_columns(const char *text,
	void (*fn)(void *ctx, struct span name), void *ctx)
{
	struct span s = span_str(text), name;

	while (!span_empty(s)) {
		if (!take_name(&s, &name)) {
			s.ptr++;
		} else if (!is_late(name)) {
			(void)cut_noun(&name);
			fn(ctx, name);
		}
	}
}
