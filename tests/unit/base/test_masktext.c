#include "base/masktext.h"

#include <string.h>

#include "cases.h"

struct mask_case {
	const char *name;
	const char *sql;
	const char *masked;
};

static const struct mask_case mask_cases[] = {
	{ "empty", "", "" },
	{ "only white space", " \t\r\n ", "" },
	{ "white space", "  select\n\t a ,b  ", "select a ,b" },
	{ "string", "select 'abc'", "select ?" },
	{ "empty string", "select '' x", "select ? x" },
	{ "doubled quote", "select 'it''s', a", "select ?, a" },
	{ "two strings", "select 'a' 'b'", "select ? ?" },
	{ "E string", "select E'it\\'s', a", "select ?, a" },
	{ "e string, backslashes", "select e'\\\\', a", "select ?, a" },
	{ "E string, doubled", "select E'a''b\\'c', a", "select ?, a" },
	{ "word that ends with e", "select somee'it', a",
	    "select somee?, a" },
	{ "bits", "select B'0101', x'1F', N'n'", "select ?, ?, ?" },
	{ "U& string", "select U&'d\\0061t' UESCAPE '!'",
	    "select ? UESCAPE ?" },
	{ "U& identifier", "select U&\"d\\0061t\"",
	    "select U&\"d\\0061t\"" },
	/* with standard_conforming_strings off the string goes on, else the
	 * next one begins: nobody can tell what is outside */
	{ "backslash before a quote", "select 'it\\'s secret', a, 'b'",
	    "select ?" },
	{ "backslash before doubled quotes", "select 'c:\\'', secret'",
	    "select ?" },
	{ "two backslashes before a quote", "select 'c:\\\\', a",
	    "select ?, a" },
	{ "backslash within", "select 'c:\\dir', a", "select ?, a" },
	{ "unterminated", "select a, 'secr", "select a, ?" },
	{ "unterminated E", "select a, E'secr\\", "select a, ?" },
	{ "unterminated identifier", "select \"secr", "select ?" },
	{ "unterminated dollar", "select $x$ secret", "select ?" },
	{ "unterminated comment", "select a /* secr", "select a" },
	{ "cut within a tag", "do $fun", "do $fun" },
	{ "dollars", "select $$it's$$, a", "select ?, a" },
	{ "tag", "select $q$it's $$ $r$ $q$, a", "select ?, a" },
	{ "tag of high bytes", "select $\xc3\xa4$x$\xc3\xa4$, a",
	    "select ?, a" },
	{ "body", "do $body$ begin execute 'x'; end $body$ language plpgsql",
	    "do ? language plpgsql" },
	{ "parameters", "select $1, $23+$4::int", "select $1, $23+$4::int" },
	{ "dollar in a name", "select a$b$c, 'x'", "select a$b$c, ?" },
	{ "lone dollar", "select $ , 'x'", "select $ , ?" },
	{ "numbers", "select 1, 2.5, .5, 1e10, 1.5E-3, 6e+2, 0x1F, 1_000",
	    "select ?, ?, ?, ?, ?, ?, ?, ?" },
	{ "minus", "select a-1, -2", "select a-?, -?" },
	{ "range", "for i in 1..10", "for i in ?..?" },
	{ "names with digits", "select t1.c2 from t1_3",
	    "select t1.c2 from t1_3" },
	{ "number at a word", "where a=1and b=2", "where a=? b=?" },
	{ "type", "a::numeric(10,2)", "a::numeric(?,?)" },
	{ "cast", "select '1'::int, 2::text", "select ?::int, ?::text" },
	{ "slice", "a[1:2]", "a[?:?]" },
	{ "quoted identifier", "select \"it's \"\"q\"\" -- 1\", 'x'",
	    "select \"it's \"\"q\"\" -- 1\", ?" },
	{ "line comment", "select a -- it's secret\n, b", "select a , b" },
	{ "line comment, return", "select a--x\r, b", "select a , b" },
	{ "comment", "select a/* it's */b", "select a b" },
	{ "nested comment", "select /* a /* b */ ' */ c", "select c" },
	{ "comment in a string", "select '/*', a, '*/'", "select ?, a, ?" },
	{ "string in a comment", "/* ' */ select 'x' -- '", "select ?" },
	{ "comment within operators", "select a+--x\nb", "select a+ b" },
	{ "operators", "a->>'k' @> b ?| c <> d", "a->>? @> b ?| c <> d" },
	{ "password", "alter role bob password 'secret'",
	    "alter role bob password ?" },
	{ "encrypted password", "CREATE ROLE b LOGIN ENCRYPTED PASSWORD E's'",
	    "CREATE ROLE b LOGIN ENCRYPTED PASSWORD ?" },
	{ "password in wrong quotes", "alter role b PASSWORD \"secret\"",
	    "alter role b PASSWORD ?" },
	{ "column password", "select password from users",
	    "select password from users" },
	{ "user mapping", "create user mapping for b server s "
	    "options (user 'b', password 's')",
	    "create user mapping for b server s options (user ?, password ?)"
	},
	{ "copy", "copy t from stdin;\nsecret\t1\n\\.\nselect 1",
	    "copy t from stdin; ? select ?" },
	{ "copy, carriage returns", "COPY t (a) FROM STDIN csv;\r\n"
	    "secret\r\n\\.\r\nselect a", "COPY t (a) FROM STDIN csv; ? select a"
	},
	{ "copy, cut", "copy t from stdin;\nsecret", "copy t from stdin; ?" },
	{ "copy without data", "copy t from stdin", "copy t from stdin" },
	{ "copy to", "copy t to stdout; select a", "copy t to stdout; select a"
	},
	{ "copy from a file", "copy t from '/x/y';\nselect a",
	    "copy t from ?; select a" },
	{ "no copy", "select copy from stdin;\nselect a",
	    "select copy from stdin; select a" },
	{ "invalid UTF-8", "select a\xff\xc3, '\xff\xc3', \xe4",
	    "select a\xff\xc3, ?, \xe4" },
	{ "masked already", "select ?, $1 from t1", "select ?, $1 from t1" },
	{ "privilege", "<insufficient privilege>",
	    "<insufficient privilege>" },
	{ "statements", "set a = 1; set b = 'x';", "set a = ?; set b = ?;" },
};

static void masks(void **state)
{
	const struct mask_case *row = *state;
	struct buf b = BUF_INIT;

	masktext(row->sql, strlen(row->sql), &b);
	assert_string_equal(buf_str(&b), row->masked);
	buf_release(&b);
}

/* Behind other text a space is not for the beginning. */
static void appends(void **state)
{
	struct buf b = BUF_INIT;

	(void)state; /* none */
	buf_add_str(&b, "query:");
	masktext(" select 1", 9, &b);
	assert_string_equal(buf_str(&b), "query:select ?");
	buf_release(&b);
}

/* NUL is nothing special; the end is where it was said to be. */
static void any_bytes(void **state)
{
	static const char text[] = "a\0b 'x' secret";
	struct buf b = BUF_INIT;

	(void)state; /* none */
	masktext(text, 7, &b);
	assert_string_equal(buf_str(&b), "a b ?");
	buf_release(&b);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, masks, mask_cases);
	cases_add(&c, "appends", appends, NULL);
	cases_add(&c, "any bytes", any_bytes, NULL);
	return cases_run(&c, "masktext");
}
