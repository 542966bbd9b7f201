/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/psql.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "cases.h"
#include "pg/libpq.h"
#include "pg/psql_int.h"

/* ---- answers ----------------------------------------------------------- */

static const struct psql_token token = { "gp0123456789abcdef01234567" };

#define R "gp0123456789abcdef01234567r"
#define N "gp0123456789abcdef01234567n"

struct answer_case {
	const char *name;
	const char *out;
	size_t len;
	const char *errors;
	const char *shown; /* names, then rows: "a|b;1|NULL;", or the error */
};

#define TEXT(s) s, sizeof(s) - 1

static const struct answer_case answer_cases[] = {
	{ "a table", TEXT("a\0b" R "1\0" N R "\0x y\n\n"), "",
	    "a|b;1|NULL;|x y\n;" },
	{ "no rows", TEXT("a\0b\n"), "", "a|b;" },
	{ "one column", TEXT("a" R R N "\n"), "", "a;;NULL;" },
	{ "what looks like a token", TEXT("a" R "gp0123n" R "\\N\n"), "",
	    "a;gp0123n;\\N;" },
	{ "a warning beside it", TEXT("a" R "1\n"), "psql: warning\n",
	    "a;1;" },
	{ "an error", TEXT(""), "ERROR:  42P01: relation \"x\" does not exist\n"
	    "LINE 1: select * from x\nLOCATION:  f, g.c:1\n",
	    "42P01 relation \"x\" does not exist" },
	{ "in another language", TEXT(""), "FEHLER:  57014: abgebrochen\n",
	    "57014 abgebrochen" },
	{ "no connection", TEXT(""), "psql: error: connection to server on "
	    "socket \"/x\" failed: FATAL:  role \"y\" does not exist\n",
	    " connection to server on socket \"/x\" failed: FATAL:  role "
	    "\"y\" does not exist\n" },
	{ "of an old psql", TEXT(""), "psql: FATAL:  no\n", " FATAL:  no\n" },
	{ "nothing", TEXT(""), "", " psql gave an answer that is no table" },
	{ "too few fields", TEXT("a\0b" R "1\n"), "",
	    " psql gave an answer that is no table" },
	{ "too many fields", TEXT("a" R "1\0" "2\n"), "",
	    " psql gave an answer that is no table" },
	{ "a name that is NULL", TEXT("a\0" N R "1\0" "2\n"), "",
	    " psql gave an answer that is no table" },
	{ "cut", TEXT("a" R "1"), "", " psql gave an answer that is no table" },
};

static void show(const PGresult *r, struct buf *to)
{
	int i, k;

	if (psql_result_status(r) != PGRES_TUPLES_OK) {
		const char *state = psql_result_field(r, PG_DIAG_SQLSTATE);

		buf_printf(to, "%s %s", state ? state : "",
		    psql_result_field(r, PG_DIAG_MESSAGE_PRIMARY));
		return;
	}
	for (i = 0; i < psql_result_columns(r); i++)
		buf_printf(to, "%s%s", i ? "|" : "", psql_result_name(r, i));
	buf_add_char(to, ';');
	for (i = 0; i < psql_result_rows(r); i++) {
		for (k = 0; k < psql_result_columns(r); k++) {
			const char *value = psql_result_value(r, i, k);

			assert_int_equal(psql_result_length(r, i, k),
			    strlen(value));
			buf_printf(to, "%s%s", k ? "|" : "",
			    psql_result_is_null(r, i, k) ? "NULL" : value);
		}
		buf_add_char(to, ';');
	}
}

static void test_answer(void **state)
{
	const struct answer_case *c = *state;
	struct buf out = BUF_INIT, errors = BUF_INIT, shown = BUF_INIT;
	PGresult *r;

	buf_add(&out, c->out, c->len);
	buf_add_str(&errors, c->errors);
	r = psql_result_new(&out, &errors, &token);
	show(r, &shown);
	assert_string_equal(buf_str(&shown), c->shown);
	assert_int_equal(psql_result_is_null(r, 99, 0), 1);
	assert_int_equal(psql_result_number(r, "no such column"), -1);
	psql_result_free(r);
	buf_release(&out);
	buf_release(&errors);
	buf_release(&shown);
}

/* Empty fields are a byte each: as many as fit into an answer would be gigabytes of
 * cells. */
static void test_too_many_fields(void **state)
{
	static const struct { size_t columns, rows; bool taken; } cases[] = {
		{ 1664, 1000, true }, { 1665, 0, false },
		{ 1664, 3000, false }, { (size_t)63 << 20, 0, false },
	};
	size_t i, k;

	(void)state;
	for (i = 0; i < GS_LEN(cases); i++) {
		struct buf out = BUF_INIT, errors = BUF_INIT;
		PGresult *r;

		for (k = 0; k < cases[i].rows; k++) {
			buf_add_fill(&out, '\0', cases[i].columns - 1);
			buf_add_str(&out, R);
		}
		buf_add_fill(&out, '\0', cases[i].columns - 1);
		buf_add_char(&out, '\n');
		r = psql_result_new(&out, &errors, &token);
		assert_int_equal(psql_result_status(r), cases[i].taken
		    ? PGRES_TUPLES_OK : PGRES_FATAL_ERROR);
		psql_result_free(r);
		buf_release(&out);
	}
}

static void test_tokens_differ(void **state)
{
	struct psql_token a, b;

	(void)state;
	psql_token_make(&a);
	psql_token_make(&b);
	assert_int_equal(strlen(a.text), PSQL_TOKEN_LEN);
	assert_string_not_equal(a.text, b.text);
}

/* ---- parameters, as libpq parses them ------------------------------------ */

static const struct dsn_case {
	const char *name;
} dsn_cases[] = {
	{ "" },
	{ "host=/tmp port=5432" },
	{ "  host = a  user='it\\'s me' password='' dbname=a\\ b\\\\c" },
	{ "options='-c geqo=off' sslmode=disable" },
	{ "host=a host=b" },
	{ "host" },
	{ "host a=b" },
	{ "user='open" },
	{ "postgresql://" },
	{ "postgres://localhost" },
	{ "postgresql://localhost:5433/mydb" },
	{ "postgresql://user@localhost" },
	{ "postgresql://user:se%40cret@localhost/db?sslmode=require" },
	{ "postgresql://other@localhost/otherdb?connect_timeout=10&"
	    "application_name=my%20app" },
	{ "postgresql://h1:1,h2:2/db?target_session_attrs=any" },
	{ "postgresql://h1,h2:2/" },
	{ "postgresql:///mydb?host=localhost&port=5433" },
	{ "postgresql://[2001:db8::1234]:99/database" },
	{ "postgresql://%2Fvar%2Flib%2Fpostgresql/dbname" },
	{ "postgresql://:p@h/" },
	{ "postgresql://u%2" },
	{ "postgresql://h/d%00" },
	{ "postgresql://h/d?sslmode" },
};

static const char *value_in(const PQconninfoOption *list, const char *key)
{
	const char *value = NULL;

	for (; list->keyword; list++) {
		if (strcmp(list->keyword, key) == 0 && list->val)
			value = list->val; /* the last wins */
	}
	return value;
}

static void test_dsn(void **state)
{
	const struct dsn_case *c = *state;
	PQconninfoOption *theirs, *ours, *o;
	char *their_why = NULL, *our_why = NULL;

	if (libpq_load(NULL) < 0)
		skip();
	theirs = PQconninfoParse(c->name, &their_why);
	ours = psql_dsn_parse(c->name, &our_why);
	assert_int_equal(theirs == NULL, ours == NULL);
	assert_int_equal(their_why == NULL, our_why == NULL);
	for (o = theirs; o && o->keyword; o++) {
		const char *want = value_in(theirs, o->keyword);
		const char *got = value_in(ours, o->keyword);

		if (want && got)
			assert_string_equal(got, want);
		else /* an empty value is as good as none */
			assert_true((!want || !*want) && (!got || !*got));
	}
	for (o = ours; o && o->keyword; o++)
		assert_true(!*o->val || value_in(theirs, o->keyword));
	PQconninfoFree(theirs);
	PQfreemem(their_why);
	psql_dsn_free(ours);
	free(our_why);
}

static void test_conninfo(void **state)
{
	struct buf b = BUF_INIT;
	PQconninfoOption *o;
	char *why = NULL;

	(void)state;
	psql_conninfo_add(&b, "host", "a b");
	psql_conninfo_add(&b, "user", "it's \\ x");
	assert_string_equal(buf_str(&b),
	    "host='a b' user='it\\'s \\\\ x'");
	o = psql_dsn_parse(buf_str(&b), &why);
	assert_non_null(o);
	assert_string_equal(value_in(o, "user"), "it's \\ x");
	psql_dsn_free(o);
	buf_release(&b);
}

int main(void)
{
	static struct cases all;

	CASES_TABLE(&all, test_answer, answer_cases);
	CASES_TABLE(&all, test_dsn, dsn_cases);
	cases_add(&all, "too many fields", test_too_many_fields, NULL);
	cases_add(&all, "tokens differ", test_tokens_differ, NULL);
	cases_add(&all, "conninfo", test_conninfo, NULL);
	return cases_run(&all, "psql");
}
