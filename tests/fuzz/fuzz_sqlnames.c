/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_sqlnames.c - any bytes as the text of a query or as the name of an
 * object: of what comes out each word is SQL's own, of the catalogs', or one
 * that was put there.  Masked again as if it were a query it stays as it is.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "base/masktext.h"
#include "base/sqlwords.h"

/* What stands for all names. */
#define ALIAS "obj_1"

static void check(bool ok)
{
	if (!ok)
		abort();
}

static void put_alias(void *arg, struct span name, struct buf *out)
{
	(void)arg; /* none */
	(void)name; /* whatever it is */
	buf_add_str(out, ALIAS);
}

static bool is_word(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

static bool is_known(struct span w, bool objects)
{
	bool number = true;
	const char *p;

	for (p = w.ptr; p < w.end; p++)
		number &= *p >= '0' && *p <= '9';
	return number /* $1 */ || span_eq(w, ALIAS) ||
	    sqlword_is(SQLWORD_CATALOG, w) ||
	    (!objects && (sqlword_is(SQLWORD_KEY, w) ||
	    sqlword_is(SQLWORD_TYPE, w) || sqlword_is(SQLWORD_FUNCTION, w)));
}

static void check_words(const struct buf *b, bool objects)
{
	const char *p = b->ptr, *end = b->ptr + b->len, *from;

	while (p < end) {
		check(*p != '"' && *p != '\'');
		for (from = p; p < end && is_word((unsigned char)*p);)
			p++;
		check(from == p || is_known(span_of(from, (size_t)(p - from)),
		    objects));
		p += from == p;
	}
}

static void check_one(const char *text, size_t len, bool objects)
{
	const struct masktext_names names = { put_alias, NULL, objects };
	struct buf once = BUF_INIT, twice = BUF_INIT;

	masktext_names(text, len, &names, &once);
	check_words(&once, objects);
	masktext(buf_str(&once), once.len, &twice);
	check(twice.len == once.len);
	check(once.len == 0 || memcmp(once.ptr, twice.ptr, once.len) == 0);
	buf_release(&once);
	buf_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_one((const char *)data, size, false);
	check_one((const char *)data, size, true);
	return 0;
}
