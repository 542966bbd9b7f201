/* SPDX-License-Identifier: Apache-2.0 */
#include "base/masktext.h"

#include <string.h>

#include "base/sqlwords.h"
#include "cases.h"
#include "wordlists.h"

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
	/* with standard_conforming_strings off the string continues, else the
	 * next one begins: the outside is unknown */
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
	{ "minus", "select a-1, -2", "select a-?, ?" },
	{ "sign", "select -1, + 2.5 where a = -1 and b in (-1,- 2)",
	    "select ?, ? where a = ? and b in (?,?)" },
	{ "no sign", "select a -1, f(b)-1, c[1]-1, \"d\"-1, 5-1, $1-1",
	    "select a -?, f(b)-?, c[?]-?, \"d\"-?, ?-?, $1-?" },
	{ "several signs", "select - -1, 1 - -1, 1-+-2, -a, -(1)",
	    "select ?, ? - ?, ?-?, -a, -(?)" },
	{ "sign of a comparison", "select a=-1, a<-2, a>=-3",
	    "select a=?, a<?, a>=?" },
	{ "operators that end in a sign", "select a#-'x', b@-1, c ?- d, e->-1",
	    "select a#-?, b@-?, c ?- d, e->?" },
	{ "sign of a masked literal", "select -?, a-?, a = -?",
	    "select ?, a-?, a = ?" },
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

/* After other text there is no leading space. */
static void appends(void **state)
{
	struct buf b = BUF_INIT;

	(void)state; /* none */
	buf_add_str(&b, "query:");
	masktext(" select 1", 9, &b);
	assert_string_equal(buf_str(&b), "query:select ?");
	buf_release(&b);
}

/* NUL is an ordinary byte; the text ends at its length. */
static void any_bytes(void **state)
{
	static const char text[] = "a\0b 'x' secret";
	struct buf b = BUF_INIT;

	(void)state; /* none */
	masktext(text, 7, &b);
	assert_string_equal(buf_str(&b), "a b ?");
	buf_release(&b);
}

/* ---- names ------------------------------------------------------------ */

static const struct mask_case name_cases[] = {
	{ "table and column", "select amount from sales where id = 7",
	    "select <amount> from <sales> where <id> = ?" },
	{ "case is folded", "SELECT Amount FROM SALES",
	    "SELECT <amount> FROM <sales>" },
	{ "quoted", "select \"My \"\"Col\"\" x\" from \"T 1\"",
	    "select <My \"Col\" x> from <T 1>" },
	{ "a quoted keyword is a name", "select \"select\"",
	    "select <select>" },
	{ "empty name", "select \"\" from t", "select ? from <t>" },
	{ "unicode escapes", "select U&\"d\\0061t\", u", "select <d\\0061t>, <u>" },
	{ "unterminated", "select a, \"secr", "select <a>, ?" },
	{ "cut word", "select a from secr", "select <a> from <secr>" },
	{ "schema", "select s.t.c, pg_catalog.pg_class.relname",
	    "select <s>.<t>.<c>, pg_catalog.pg_class.relname" },
	{ "keyword beside a dot", "select t.select, table . x",
	    "select <t>.<select>, <table> . <x>" },
	{ "function", "select count(*), count, sum (x), f(y)",
	    "select count(*), <count>, sum (<x>), <f>(<y>)" },
	{ "type", "select x::int, y::numeric(10,2), z::mytype",
	    "select <x>::int, <y>::numeric(?,?), <z>::<mytype>" },
	{ "alias", "select x as Secret from t as tt",
	    "select <x> as <secret> from <t> as <tt>" },
	{ "role", "SET ROLE bob; grant select on t to \"O'Brien\"",
	    "SET ROLE <bob>; grant select on <t> to <O'Brien>" },
	{ "catalog", "select * from gp_segment_configuration, gp_secret",
	    "select * from gp_segment_configuration, <gp_secret>" },
	{ "comments", "/* secret */ select a -- secret",
	    "select <a>" },
	{ "tag", "do $secret$ x $secret$ language plpgsql",
	    "do ? language plpgsql" },
	{ "cut tag", "do $fun", "do $ <fun>" },
	{ "high bytes", "select \xc3\xb6l from t\xff",
	    "select <\xc3\xb6l> from <t\xff>" },
	{ "password", "alter role bob password \"secret\"",
	    "alter role <bob> password ?" },
	{ "variable", "select :secret, $1, @x",
	    "select :<secret>, $1, @<x>" },
	{ "copy", "copy t (a) from '/secret' csv",
	    "copy <t> (<a>) from ? csv" },
	{ "dollar in a name", "select a$b from t",
	    "select <a$b> from <t>" },
	{ "command", "START_REPLICATION SLOT \"secret\" LOGICAL 0/0",
	    "START_REPLICATION SLOT <secret> LOGICAL ?/?" },
};

static const struct mask_case object_cases[] = {
	{ "object", "sales.orders", "<sales>.<orders>" },
	{ "object, quoted", "\"Gr\xc3\xb6\xc3\x9f" "e\".\"my t\"",
	    "<Gr\xc3\xb6\xc3\x9f" "e>.<my t>" },
	{ "object called as a keyword", "name", "<name>" },
	{ "object of the catalog", "pg_class", "pg_class" },
};

static void put_bracketed(void *arg, struct span name, struct buf *out)
{
	(void)arg; /* none */
	if (span_empty(name))
		return;
	buf_add_char(out, '<');
	buf_add(out, name.ptr, span_len(name));
	buf_add_char(out, '>');
}

static void mask_names(const struct mask_case *row, bool objects)
{
	const struct masktext_names names = { put_bracketed, NULL, objects };
	struct buf b = BUF_INIT;

	masktext_names(row->sql, strlen(row->sql), &names, &b);
	assert_string_equal(buf_str(&b), row->masked);
	buf_release(&b);
}

static void replaces(void **state)
{
	mask_names(*state, false);
}

static void replaces_objects(void **state)
{
	mask_names(*state, true);
}

static void sorted(void **state)
{
	int k;

	(void)state; /* none */
	for (k = 0; k < SQLWORD_COUNT; k++)
		wordlist_expect_sorted(sqlword_list((enum sqlword_list)k));
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, masks, mask_cases);
	cases_add(&c, "appends", appends, NULL);
	cases_add(&c, "any bytes", any_bytes, NULL);
	CASES_TABLE(&c, replaces, name_cases);
	CASES_TABLE(&c, replaces_objects, object_cases);
	cases_add(&c, "lists of words are in order", sorted, NULL);
	return cases_run(&c, "masktext");
}
