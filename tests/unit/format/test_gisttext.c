/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The texts of a gist: numbers are apart from them, and come back as they were.
 */
#include <string.h>

#include "cases.h"
#include "base/compiler.h"
#include "format/gisttext.h"
#include "format/varint.h"

#define DIGITS_18 "999999999999999999"

static const char *const texts[] = {
	"postgres:  5432, gpadmin demo 10.0.0.17(41234) con12 seg-1 cmd7 idle",
	"postgres:  5432, gpadmin demo 10.0.0.17(41234) con3 seg0 cmd19 SELECT",
	"", "0", "1", "00", "007 of 7", "a", "0-31", "31-0", DIGITS_18, "0",
	DIGITS_18 "9", "000000000000000000000000", "18446744073709551616",
	"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", "\1", "\2", "\1\1\2",
	"5\0015\0025", "\3\xff\x80 9", "-1", "1.50",
};

static void add(struct gisttext *g, const char *text)
{
	struct tick t = TICK_INIT;

	tick_add_text(&t, g->last + 1, text, strlen(text));
	assert_true(gisttext_add(g, &t));
	tick_release(&t);
}

static void put(const struct gisttext *g, struct buf *to)
{
	struct breaks at = { .at = NULL };

	gisttext_put(g, to, &at);
	breaks_release(&at);
}

static void open_all(struct gisttext *g, const struct buf *b, bool plain)
{
	struct span s = span_of(b->ptr, b->len);

	assert_true(gisttext_open(g, &s, plain));
	assert_true(span_empty(s));
}

static void assert_next(struct gisttext *g, const char *want)
{
	struct tick t = TICK_INIT;

	assert_true(gisttext_give(g, &t));
	assert_int_equal(t.n_text, 1);
	assert_int_equal(t.text[0].len, strlen(want));
	if (*want)
		assert_memory_equal(tick_text_at(&t, t.text[0].off), want,
		    strlen(want));
	tick_release(&t);
}

static void assert_no_next(struct gisttext *g)
{
	struct tick t = TICK_INIT;

	assert_false(gisttext_give(g, &t));
	tick_release(&t);
}

static void round_trip(void **state)
{
	struct gisttext from = { .last = 0 }, to = { .last = 0 };
	struct buf b = BUF_INIT;
	size_t i, round;

	(void)state;
	for (round = 0; round < 2; round++) {
		gisttext_reset(&from);
		buf_reset(&b);
		for (i = 0; i < GS_LEN(texts); i++)
			add(&from, texts[i]);
		put(&from, &b);
		open_all(&to, &b, false);
		for (i = 0; i < GS_LEN(texts); i++)
			assert_next(&to, texts[i]);
		assert_no_next(&to);
		gisttext_rewind(&to);
		assert_next(&to, texts[0]);
	}
	gisttext_release(&from);
	gisttext_release(&to);
	buf_release(&b);
}

/* A column with its length. */
static void put_column(struct buf *to, const char *p, size_t len)
{
	buf_add_varint(to, len);
	buf_add(to, p, len);
}

/* An earlier layout has digits in its texts, and bytes that stand for nothing else. */
static void plain(void **state)
{
	struct gisttext g = { .last = 0 };
	struct buf b = BUF_INIT;

	(void)state;
	put_column(&b, "\1\1\1", 3);
	put_column(&b, "con12\0\1\0\2", 10); /* with its end */
	open_all(&g, &b, true);
	assert_next(&g, "con12");
	assert_next(&g, "\1");
	assert_next(&g, "\2");
	assert_no_next(&g);
	gisttext_release(&g);
	buf_release(&b);
}

struct odd {
	const char *name, *text;
	const char *number; /* of each of the first places */
	size_t places;
};

static const struct odd odd_texts[] = {
	{ "no number", "\1", "", 1 },
	{ "half a number", "\1", "\x80", 1 },
	{ "one number of two", "\1\1", "\2", 1 },
	{ "too many places", "\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1", "\2",
	    GISTTEXT_NUMBERS },
	{ "nothing quoted", "a\2", "", 0 },
	{ "quoted without need", "\2a", "", 0 },
};

/* One text with its numbers. */
static void put_stored(const char *text, const char *number, size_t places,
	struct buf *to)
{
	size_t i;

	buf_reset(to);
	put_column(to, "\1", 1);
	put_column(to, text, strlen(text) + 1);
	for (i = 0; i < GISTTEXT_NUMBERS; i++)
		put_column(to, number, i < places ? strlen(number) : 0);
}

static void is_odd(void **state)
{
	const struct odd *o = *state;
	struct gisttext g = { .last = 0 };
	struct buf b = BUF_INIT;

	put_stored(o->text, o->number, o->places, &b);
	open_all(&g, &b, false);
	assert_no_next(&g);
	gisttext_release(&g);
	buf_release(&b);
}

/* A number of 20 digits, which is in no file of ours, at the end of a text. */
static void too_long(void **state)
{
	struct gisttext g = { .last = 0 };
	struct buf b = BUF_INIT, want = BUF_INIT, text = BUF_INIT;

	(void)state;
	buf_add_fill(&text, 'a', TICK_TEXT_BYTES_MAX - 20);
	buf_add(&want, text.ptr, text.len);
	buf_add_str(&want, "18446744073709551615");
	buf_add_str(&text, "\1");
	put_stored(text.ptr, "\1", 1, &b); /* -1 */
	open_all(&g, &b, false);
	assert_next(&g, want.ptr);
	buf_add_str(&text, "a");
	put_stored(text.ptr, "\1", 1, &b);
	open_all(&g, &b, false);
	assert_no_next(&g);
	gisttext_release(&g);
	buf_release(&text);
	buf_release(&want);
	buf_release(&b);
}

/* A column that is longer than all bytes, or missing. */
static void short_columns(void **state)
{
	struct gisttext from = { .last = 0 }, g = { .last = 0 };
	struct buf b = BUF_INIT;
	size_t len;

	(void)state;
	add(&from, "con12");
	put(&from, &b);
	for (len = 0; len < b.len; len++) {
		struct span s = span_of(b.ptr, len);

		assert_false(gisttext_open(&g, &s, false));
	}
	gisttext_release(&from);
	gisttext_release(&g);
	buf_release(&b);
}

/* Texts that would be others when they are read. */
static void not_told(void **state)
{
	struct gisttext g = { .last = 0 };
	struct tick t = TICK_INIT;

	(void)state;
	tick_add_text(&t, 1, "a\0b", 3);
	assert_false(gisttext_add(&g, &t));
	gisttext_reset(&g);
	tick_reset(&t);
	tick_add_text(&t, 2, "a", 1);
	assert_false(gisttext_add(&g, &t));
	tick_release(&t);
	gisttext_release(&g);
}

/* A reader has room for no more. */
static void too_many_bytes(void **state)
{
	struct gisttext g = { .last = 0 };
	struct buf text = BUF_INIT;
	struct tick t = TICK_INIT;
	uint32_t i;

	(void)state;
	buf_add_fill(&text, 'a', TICK_TEXT_BYTES_MAX);
	tick_add_text(&t, 1, text.ptr, text.len);
	for (i = 0; i < GISTTEXT_BYTES_MAX / TICK_TEXT_BYTES_MAX; i++) {
		t.text[0].id = i + 1;
		assert_true(gisttext_add(&g, &t));
	}
	t.text[0].id = i + 1;
	assert_false(gisttext_add(&g, &t));
	tick_release(&t);
	gisttext_release(&g);
	buf_release(&text);
}

int main(void)
{
	struct cases c = { .n = 0 };

	cases_add(&c, "round trip", round_trip, NULL);
	cases_add(&c, "plain", plain, NULL);
	CASES_TABLE(&c, is_odd, odd_texts);
	cases_add(&c, "too long", too_long, NULL);
	cases_add(&c, "short columns", short_columns, NULL);
	cases_add(&c, "not told", not_told, NULL);
	cases_add(&c, "too many bytes", too_many_bytes, NULL);
	return cases_run(&c, "gisttext");
}
