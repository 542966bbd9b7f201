/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/sockets.h"

#define HEAD "Num       RefCount Protocol Flags    Type St Inode Path\n"
#define AT(flags, path) \
	"0000000000000000: 00000002 00000000 " flags " 0001 01 234 " path "\n"

static const struct {
	const char *name, *table, *want;
} cases[] = {
	{ "nothing", HEAD, "" },
	{ "Greenplum's", HEAD AT("00010000", "/tmp/.s.PGSQL.6000"), "/tmp" },
	{ "another port", AT("00010000", "/tmp/.s.PGSQL.60001"), "" },
	{ "a client's end", AT("00000000", "/tmp/.s.PGSQL.6000"), "" },
	{ "several, each once", AT("00010000", "/a/.s.PGSQL.6000")
	    AT("00010000", "/tmp/.s.PGSQL.6000")
	    AT("00010000", "/a/.s.PGSQL.6000"), "/a,/tmp" },
	{ "blanks", AT("00010000", "/my dir/.s.PGSQL.6000"), "/my dir" },
	{ "a comma", AT("00010000", "/a,b/.s.PGSQL.6000"), "" },
	{ "an abstract name", AT("00010000", "@/tmp/.s.PGSQL.6000"), "" },
	{ "no directory", AT("00010000", "/.s.PGSQL.6000"), "" },
	{ "noise", "x\n\n0: 1\n" AT("zz", "/tmp/.s.PGSQL.6000"), "" },
};

static void test_tables(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct buf to = BUF_INIT;

		print_message("%s\n", cases[i].name);
		sockets_scan(span_str(cases[i].table), 6000, &to);
		assert_string_equal(buf_str(&to), cases[i].want);
		buf_release(&to);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
