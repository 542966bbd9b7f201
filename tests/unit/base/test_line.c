/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_line.c - parts of lines: labels with their text, quoted words.
 */
#include "cases.h"

#include <string.h>

#include "base/quote.h"
#include "base/wrap.h"

static void test_labelled(void **state)
{
	struct buf to = BUF_INIT;
	struct page p = { .to = &to, .width = 20, .column = 6 };

	(void)state;
	buf_add_str(&p.line, "one two three \033[31m four");
	page_add(&p, "file");
	assert_string_equal(buf_str(&to),
	    "file  one two three\n"
	    "      \\x1B[31m four\n");
	buf_release(&p.line);
	buf_release(&to);
}

static const struct {
	const char *name, *word, *want;
} words[] = {
	{ "nothing", "", "''" },
	{ "plain", "plain", "'plain'" },
	{ "dollar", "a $b", "'a $b'" },
	{ "quote", "it's", "'it'\\''s'" },
};

static void test_quote(void **state)
{
	const __typeof__(words[0]) *c = *state;
	struct buf to = BUF_INIT;

	quote_add(&to, c->word);
	assert_string_equal(buf_str(&to), c->want);
	buf_release(&to);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "label", test_labelled, NULL);
	CASES_TABLE(&c, test_quote, words);
	return cases_run(&c, "line");
}
