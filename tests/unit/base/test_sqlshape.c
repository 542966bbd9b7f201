/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sqlshape.h"

#include <string.h>

#include "cases.h"

struct shape_case {
	const char *name;
	const char *sql;
	const char *shape;
};

static const struct shape_case shapes[] = {
	{ "empty", "", "" },
	{ "semicolon", "END;", "END" },
	{ "literals", "select 'x', -5 ;", "select ?, ?" },
	{ "in", "select 1 from t where a in (1, 2,-3)",
	    "select ? from t where a in (?)" },
	{ "in, one", "select a in (7)", "select a in (?)" },
	{ "in, strings", "select a IN ('x','it''s')", "select a IN (?)" },
	{ "in, parameters", "select a not in ($1,$2 , $10)",
	    "select a not in (?)" },
	{ "in, casts", "select a in (1::int, '2'::text[])",
	    "select a in (?)" },
	{ "in, names", "select a in (1, b)", "select a in (?, b)" },
	{ "in, query", "select a in (select 1)", "select a in (select ?)" },
	{ "in, cut", "select a in (1, 2, 3, 'secr", "select a in (?)" },
	{ "in, cut after a comma", "select a in (1,", "select a in (?)" },
	{ "any", "select a = any(array[1,2,3])",
	    "select a = any(array[?])" },
	{ "a string for any", "select a = any ('{1,2}'::int[])",
	    "select a = any (?)" },
	{ "rows", "insert into t(a,b) values (1,'x'),(2,'y') , (3,'z')",
	    "insert into t(a,b) values (?)" },
	{ "rows of others", "insert into t values (1), (now())",
	    "insert into t values (?), (now())" },
	{ "rows, then more", "insert into t values (1),(2) returning a",
	    "insert into t values (?) returning a" },
	{ "arguments", "select f(1, 2), g(1), coalesce(a, 0)",
	    "select f(?, ?), g(?), coalesce(a, ?)" },
	{ "brackets in a name", "select \"in (1, 2)\", 3",
	    "select \"in (1, 2)\", ?" },
	{ "a name that ends with in", "select login(1, 2)",
	    "select login(?, ?)" },
};

static void check_shape(void **state)
{
	const struct shape_case *c = *state;
	struct buf once = BUF_INIT, twice = BUF_INIT;

	sqlshape(c->sql, strlen(c->sql), &once);
	assert_string_equal(buf_str(&once), c->shape);
	sqlshape(buf_str(&once), once.len, &twice);
	assert_string_equal(buf_str(&twice), c->shape);
	buf_release(&once);
	buf_release(&twice);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, check_shape, shapes);
	return cases_run(&c, "sqlshape");
}
