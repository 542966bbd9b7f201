/* SPDX-License-Identifier: Apache-2.0 */
#include "format/gisttext.h"

#include <string.h>

#include "format/blockcode.h"
#include "format/varint.h"

void gisttext_release(struct gisttext *g)
{
	size_t i;

	for (i = 0; i < GISTTEXT_COLUMNS; i++)
		buf_release(&g->col[i]);
	buf_release(&g->text);
	*g = (struct gisttext) { .last = 0 };
}

static void begin(struct gisttext *g)
{
	memset(g->number, 0, sizeof(g->number));
	g->bytes = 0;
	g->last = 0;
}

void gisttext_reset(struct gisttext *g)
{
	size_t i;

	for (i = 0; i < GISTTEXT_COLUMNS; i++)
		buf_reset(&g->col[i]);
	begin(g);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool stands_for_itself(char c)
{
	return (unsigned char)c > GISTTEXT_QUOTE;
}

static bool is_plain(char c)
{
	return stands_for_itself(c) && !is_digit(c);
}

/* A text of so many bytes may be the next one. */
static bool has_room(struct gisttext *g, size_t len)
{
	g->bytes += len;
	return len <= TICK_TEXT_BYTES_MAX && g->bytes <= GISTTEXT_BYTES_MAX;
}

/* ---- writing ------------------------------------------------------------ */

static void add_quoted(struct buf *to, const char *p)
{
	static const char quote = GISTTEXT_QUOTE;

	buf_add(to, &quote, 1);
	buf_add(to, p, 1);
}

/* It is written without the digits. */
static void add_number(struct gisttext *g, size_t place, struct span digits)
{
	static const char stands_for_it = GISTTEXT_NUMBER;
	uint64_t v = 0;
	int64_t by;

	for (; !span_empty(digits); digits.ptr++)
		v = v * 10 + (uint64_t)(*digits.ptr - '0');
	by = (int64_t)(v - g->number[place].value);
	g->number[place].value = v;
	buf_add_varint(&g->col[GISTTEXT_PLAIN_COLUMNS + place], gs_zigzag(by));
	buf_add(&g->col[GISTTEXT_TEXTS], &stands_for_it, 1);
}

/* Digits that would be the same if their number was written. */
static bool is_number(struct span digits)
{
	size_t n = span_len(digits);

	return n <= GISTTEXT_DIGITS && (n == 1 || *digits.ptr != '0');
}

/* Takes from the beginning of s what is of one kind. */
static struct span take_alike(struct span *s, bool (*is)(char c))
{
	const char *begin = s->ptr;

	while (!span_empty(*s) && is(*s->ptr))
		s->ptr++;
	return span_of(begin, (size_t)(s->ptr - begin));
}

static bool add_text(struct gisttext *g, struct span s)
{
	struct buf *to = &g->col[GISTTEXT_TEXTS];
	size_t len = span_len(s), place = 0;
	bool ok = has_room(g, len) &&
	    (len == 0 || memchr(s.ptr, '\0', len) == NULL);

	while (ok && !span_empty(s)) {
		struct span plain = take_alike(&s, is_plain);
		struct span digits = take_alike(&s, is_digit);

		buf_add(to, plain.ptr, span_len(plain));
		if (span_empty(plain) && span_empty(digits))
			add_quoted(to, s.ptr++);
		else if (!span_empty(digits) && place < GISTTEXT_NUMBERS &&
		    is_number(digits))
			add_number(g, place++, digits);
		else
			buf_add(to, digits.ptr, span_len(digits));
	}
	buf_add(to, "", 1);
	return ok;
}

bool gisttext_add(struct gisttext *g, const struct tick *t)
{
	size_t i;

	buf_add_varint(&g->col[GISTTEXT_COUNTS], t->n_text);
	for (i = 0; i < t->n_text; i++) {
		const struct text *text = &t->text[i];

		if (text->id != ++g->last ||
		    !add_text(g, span_of(tick_text_at(t, text->off),
		    text->len)))
			return false;
	}
	return true;
}

void gisttext_put(const struct gisttext *g, struct buf *to,
	struct breaks *breaks)
{
	size_t i;

	for (i = 0; i < GISTTEXT_COLUMNS; i++) {
		breaks_add(breaks, to->len);
		buf_add_varint(to, g->col[i].len);
		buf_add(to, buf_str(&g->col[i]), g->col[i].len);
	}
	breaks_add(breaks, to->len);
}

/* ---- reading ------------------------------------------------------------ */

bool gisttext_open(struct gisttext *g, struct span *s, bool plain)
{
	size_t n = plain ? GISTTEXT_PLAIN_COLUMNS : GISTTEXT_COLUMNS, i;
	uint64_t len;

	g->plain = plain;
	for (i = 0; i < n; i++) {
		if (!varint_read(s, &len) || len > span_len(*s))
			return false;
		g->all[i] = span_of(s->ptr, (size_t)len);
		s->ptr += len;
	}
	gisttext_rewind(g);
	return true;
}

void gisttext_rewind(struct gisttext *g)
{
	memcpy(g->rest, g->all, sizeof(g->rest));
	begin(g);
}

/* Appends the number of that place; NULL: it is missing. */
static char *join_number(struct gisttext *g, size_t place, char *to)
{
	struct gisttext_number *n = &g->number[place];
	struct span *rest = &g->rest[GISTTEXT_PLAIN_COLUMNS + place];
	uint64_t by = 0;

	if (span_empty(*rest))
		return NULL;
	if (*rest->ptr == 0 && n->len > 0) {
		rest->ptr++; /* the same again */
	} else {
		if (!varint_read(rest, &by))
			return NULL;
		n->value += (uint64_t)gs_unzigzag(by);
		n->len = gs_put_decimal(n->digits, n->value);
	}
	memcpy(to, n->digits, sizeof(n->digits)); /* a known number is faster */
	return to + n->len;
}

/* Puts the numbers of a text, at whose end is a 0 byte, into it: g->text. */
static bool join(struct gisttext *g, struct span s)
{
	const char *p = s.ptr;
	size_t place = 0;
	char *to;

	buf_reset(&g->text);
	to = buf_reserve(&g->text, span_len(s) +
	    GISTTEXT_NUMBERS * GS_DECIMAL_MAX);
	while (to) {
		while (stands_for_itself(*p))
			*to++ = *p++;
		if (*p == '\0')
			break;
		if (*p++ == GISTTEXT_NUMBER)
			to = place < GISTTEXT_NUMBERS
			    ? join_number(g, place++, to) : NULL;
		else if (*p != '\0' && !stands_for_itself(*p))
			*to++ = *p++;
		else
			to = NULL;
	}
	if (!to)
		return false;
	*to = '\0';
	g->text.len = (size_t)(to - g->text.ptr);
	return true;
}

/* The next one as it is stored; false: it has no end. */
static bool next_text(struct span *s, struct span *ret)
{
	const char *end = span_empty(*s) ? NULL
	    : memchr(s->ptr, '\0', span_len(*s));

	if (!end)
		return false;
	*ret = span_of(s->ptr, (size_t)(end - s->ptr));
	s->ptr = end + 1;
	return true;
}

static bool give_text(struct gisttext *g, struct tick *t)
{
	struct span text;

	if (!next_text(&g->rest[GISTTEXT_TEXTS], &text) ||
	    span_len(text) > 2 * TICK_TEXT_BYTES_MAX) /* all quoted */
		return false;
	if (!g->plain) {
		if (!join(g, text))
			return false;
		text = span_of(g->text.ptr, g->text.len);
	}
	if (!has_room(g, span_len(text)) ||
	    ++g->last >= TICK_TEXTS_MAX ||
	    !blockcode_room_of_texts(t, 1, span_len(text)))
		return false;
	tick_add_text(t, g->last, text.ptr, span_len(text));
	return true;
}

bool gisttext_give(struct gisttext *g, struct tick *t)
{
	uint64_t n;

	if (!varint_read(&g->rest[GISTTEXT_COUNTS], &n))
		return false;
	while (n > 0 && give_text(g, t))
		n--;
	return n == 0;
}
