/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/keys.h"

#include "base/compiler.h"
#include "scancase.h"

/* Columns stand for numbers here; any entity would do. */
static const struct key_row rows[] = {
	KEY_ROW("a", KEY_SET, COL(AGENT, CPU)),
	KEY_ROW("ab", KEY_ADD_PREFIX, COL(AGENT, RSS)),
	KEY_ROW("abx", KEY_SET, COL(AGENT, READ)),
	KEY_ROW("c", KEY_TWO, COL(AGENT, SEEN)),
	KEY_ROW("d", KEY_LAST, COL(AGENT, QUIET)),
	KEY_ROW("e", KEY_ADD, COL(AGENT, LOST)),
};

static void scan(struct span t, struct cells c)
{
	keys_scan(t, ':', rows, GS_LEN(rows), c, NULL);
}

static const struct scancase cases[] = {
	{ "set", scan, "a:1\n", "cpu=1" },
	{ "the later line counts", scan, "a:1\na:2\n", "cpu=2" },
	{ "blanks and tabs", scan, "a: \t 17 kB\n", "cpu=17" },
	{ "prefix adds", scan, "ab:1\nabc:2\nab_dma:4\n", "rss=7" },
	{ "a row of its own stops the prefix", scan, "abx:8\nabxy:16\n",
	    "read=8" },
	{ "shorter than a prefix", scan, "b:1\n", "" },
	{ "two", scan, "c:5 6 7\n", "seen=5 read=6" },
	{ "two, one there", scan, "c:5\n", "seen=5" },
	{ "last", scan, "d:5 6 7\n", "quiet=7" },
	{ "last of one", scan, "d:5\n", "" },
	{ "add", scan, "e:5\ne:6\n", "lost=11" },
	{ "add wraps", scan, "e:18446744073709551615\ne:2\n", "lost=1" },
	{ "beyond 64 bits", scan, "a:18446744073709551616\n", "" },
	{ "no number", scan, "a:\nab:x\ne:-\nc: \nd:\n", "" },
	{ "before and after the table", scan, "A:1\nz:1\n:1\n", "" },
	{ "no separator", scan, "a 1\n\n\n", "" },
};

static void one(void **state)
{
	scancase_run(*state, ENTITY_AGENT);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, one, cases);
	return cases_run(&c, "procfs keys");
}
