/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts for databases whose encoding lacks some of their characters.
 */
#include "history/target_int.h"

#include "cases.h"

struct text_case {
	const char *name, *text;
	uint32_t last;
	const char *want;
};

static const struct text_case texts[] = {
	{ "all of them", "m\xc3\xbcller \xf0\x9f\x98\x80", UINT32_MAX,
	    "m\xc3\xbcller \xf0\x9f\x98\x80" },
	{ "a LATIN1 one", "m\xc3\xbcller \xf0\x9f\x98\x80", 0xff,
	    "m\xc3\xbcller \\xF0\\x9F\\x98\\x80" },
	{ "the first that does not exist", "\xc3\xbf\xc4\x80", 0xff,
	    "\xc3\xbf\\xC4\\x80" },
	{ "an ASCII one", "m\xc3\xbcller", 0x7f, "m\\xC3\\xBCller" },
	{ "plain", "a\\b", 0x7f, "a\\b" },
	{ "no UTF-8", "a\xc3", 0xff, "a\\xC3" },
	{ "nothing", "", 0x7f, "" },
};

static void adds(void **state)
{
	const struct text_case *c = *state;
	const struct target t = { .copy.last_character = c->last };
	struct buf b = BUF_INIT;

	target_add_text(&t, &b, span_str(c->text));
	assert_string_equal(buf_str(&b), c->want);
	buf_release(&b);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, adds, texts);
	return cases_run(&c, "target");
}
