/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of users: lines as they are, odd ones, and none.
 */
#include "cases.h"
#include "procfs/passwd.h"

static const char text[] =
    "root:x:0:0:root:/root:/bin/bash\n"
    "toor:x:0:0:second:/root:/bin/sh\n"
    "# a comment:x:7:7::/:\n"
    "\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
    "gpadmin:x:1001:1001::/home/gpadmin:/bin/bash\n"
    "+::::::\n"
    ":x:8:8::/:\n"
    "minus:x:-1:5::/:\n"
    "wide:x:4294967296:5::/:\n"
    "letters:x:12a:5::/:\n"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:x:9:9:\n"
    "last:x:4294967295:1::/:/bin/sh";

static const struct row {
	const char *name;
	uint64_t uid;
	const char *expected;
} rows[] = {
	{ "the first of two", 0, "root" },
	{ "a usual one", 1001, "gpadmin" },
	{ "lines are in no order", 65534, "nobody" },
	{ "without a newline", UINT32_MAX, "last" },
	{ "a comment", 7, "" },
	{ "an empty name", 8, "" },
	{ "a name without end", 9, "" },
	{ "digits and letters", 12, "" },
	{ "nobody has it", 1002, "" },
	{ "beyond 32 bits", UINT64_C(4294967296), "" },
};

static void test_name(void **state)
{
	const struct row *r = *state;
	struct passwd p = { 0 };
	struct span s;

	passwd_scan(&p, span_str("gone:x:1002:1::/:\n"));
	passwd_scan(&p, span_str(text));
	s = passwd_name(&p, r->uid);
	assert_int_equal(span_len(s), strlen(r->expected));
	assert_true(span_eq(s, r->expected));
	passwd_release(&p);
}

int main(void)
{
	struct CMUnitTest tests[GS_LEN(rows)];
	size_t i;

	for (i = 0; i < GS_LEN(rows); i++)
		tests[i] = (struct CMUnitTest) { rows[i].name, test_name,
			NULL, NULL, (void *)(uintptr_t)&rows[i] };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
