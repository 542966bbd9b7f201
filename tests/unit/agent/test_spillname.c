/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parsing names of temporary files.
 */
#include <stdlib.h>

#include "agent/spillname.h"
#include "base/mem.h"
#include "cases.h"

struct name_case {
	const char *name;
	bool good;
	uint32_t pid;
	const char *op;
};

static const struct name_case names[] = {
	{ "pgsql_tmp5732.0", true, 5732, "" },
	{ "pgsql_tmp5732.123456", true, 5732, "" },
	{ "pgsql_tmp5732.0.sharedfileset", true, 5732, "" },
	{ "pgsql_tmp5732.1.fileset", true, 5732, "" },
	{ "pgsql_tmp_HashJoin_1_5732.7", true, 5732, "HashJoin" },
	{ "pgsql_tmp_HashAgg_12_99.0", true, 99, "HashAgg" },
	{ "pgsql_tmp_Sort_5732.7", true, 5732, "Sort" },
	{ "pgsql_tmp_Sort_con7_slice2_1_5732.7", true, 5732,
	    "Sort_con7_slice2" },
	{ "pgsql_tmp_HashJoin_1_5732.7.sharedfileset", true, 5732,
	    "HashJoin" },
	{ "pgsql_tmpSort_5732.7", true, 5732, "Sort" },
	{ "pgsql_tmp_5732.7", true, 5732, "" },
	/* only a valid pid counts */
	{ "pgsql_tmp", true, 0, "" },
	{ "pgsql_tmp.", true, 0, "" },
	{ "pgsql_tmp.1", true, 0, "" },
	{ "pgsql_tmp_Sort", true, 0, "" },
	{ "pgsql_tmp99999999999.1", true, 0, "" },
	{ "pgsql_tmp99999999999999999999999.1", true, 0, "" },
	{ "pgsql_tmp_So/rt_1_12.1", true, 12, "" },
	{ "pgsql_tmp_So\nrt_1_12.1", true, 12, "" },
	{ "pgsql_tm", false, 0, "" },
	{ "", false, 0, "" },
	{ "other5732.0", false, 0, "" },
};

static const struct name_case members[] = {
	{ "i3of8.p0.0", true, 0, "HashJoin" },
	{ "o12of16.p1.3", true, 0, "HashJoin" },
	{ "0.0", true, 0, "" },
	{ "iof8", true, 0, "" },
	{ "i3of", true, 0, "" },
	{ "i3o", true, 0, "" },
	{ "", true, 0, "" },
};

/* In memory of exactly that size, so that a sanitizer detects overreads. */
static char *exact(const char *text, size_t *ret_len)
{
	*ret_len = strlen(text);
	return memcpy(gs_malloc(*ret_len ? *ret_len : 1), text, *ret_len);
}

static void tells(void **state)
{
	const struct name_case *k = *state;
	struct spillname got;
	size_t len;
	char *p = exact(k->name, &len);

	assert_int_equal(spillname_parse(span_of(p, len), &got), k->good);
	assert_int_equal(got.pid, k->pid);
	assert_int_equal(span_len(got.op), strlen(k->op));
	assert_memory_equal(got.op.ptr, k->op, strlen(k->op));
	free(p);
}

static void member_tells(void **state)
{
	const struct name_case *k = *state;
	struct span op;
	size_t len;
	char *p = exact(k->name, &len);

	op = spillname_member(span_of(p, len));
	assert_true(span_eq(op, k->op));
	free(p);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, tells, names);
	CASES_TABLE(&c, member_tells, members);
	return cases_run(&c, "spillname");
}
