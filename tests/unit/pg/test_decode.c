/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/decode.h"

#include <string.h>

#include "base/buf.h"
#include "cases.h"
#include "celltext.h"
#include "sheet.h"

static int setup(void **state)
{
	struct rowset *s = calloc(1, sizeof(*s));

	rowset_init(s);
	*state = s;
	return 0;
}

static int teardown(void **state)
{
	rowset_release(*state);
	free(*state);
	return 0;
}

static size_t decode_part(struct rowset *s, enum entity_id e, uint32_t part,
	const char *text, size_t limit, size_t *cut)
{
	struct buf scratch = BUF_INIT;
	struct decode t = { .rowset = s, .entity = e, .part = part,
		.limit = limit, .query_text_size = 12, .scratch = &scratch };
	PGresult *r = sheet(text);
	size_t n;

	rowset_begin(s);
	n = decode_rows(&t, r, cut);
	rowset_end(s);
	PQclear(r);
	buf_release(&scratch);
	return n;
}

static void decode(struct rowset *s, enum entity_id e, const char *text)
{
	size_t cut;

	(void)decode_part(s, e, 0, text, 100, &cut);
	assert_int_equal(cut, 0);
}

static const struct row *row_at(const struct rowset *s, enum entity_id e,
	size_t slot)
{
	const struct table *t = &world_catalog(s->world, 0)->table[e];

	return slot < t->n_slot ? t->slot[slot] : NULL;
}

static void assert_text(const struct rowset *s, const struct row *r,
	unsigned col, const char *want)
{
	struct span got = row_text(s->world, r, col);
	char copy[256];

	(void)snprintf(copy, sizeof(copy), "%.*s", (int)span_len(got),
	    got.ptr);
	assert_string_equal(copy, want);
}

/* As Greenplum 6 answered, shortened. */
#define ACTIVITY \
	"content|pid|start|session|user|state|waiting|xid_age|query|other\n"

static void binds_by_name(void **state)
{
	struct rowset *s = *state;
	const struct row *r;
	struct buf b = BUF_INIT;
	size_t n;

	decode(s, ENTITY_BACKEND, ACTIVITY
	    "-1|28983|1795210368557626|140|analyst|active|f|~|select 1|9\n"
	    "-1|29015|1795210368579151|-1|etl|idle|t|0||9\n");
	r = row_at(s, ENTITY_BACKEND, 0);
	assert_non_null(r);
	assert_text(s, r, COL(BACKEND, USER), "analyst");
	assert_text(s, r, COL(BACKEND, QUERY), "select ?");
	assert_false(cells_has(r->now, COL(BACKEND, XID_AGE)));
	assert_true(cells_has(r->now, COL(BACKEND, WAITING)));
	assert_int_equal(r->now.val[COL(BACKEND, WAITING)], 0);
	r = row_at(s, ENTITY_BACKEND, 1);
	assert_int_equal(r->now.val[COL(BACKEND, WAITING)], 1);
	assert_true(cells_has(r->now, COL(BACKEND, XID_AGE)));
	celltext_add(&b, ENTITY_BACKEND, r->now, " ");
	assert_non_null(strstr(buf_str(&b), "session=-1"));
	assert_non_null(strstr(buf_str(&b), "start=1795210368579151"));
	buf_release(&b);

	/* the next answer: one gone, one changed, one new, another order */
	decode(s, ENTITY_BACKEND, ACTIVITY
	    "-1|29016|1795210368579199|141|etl|idle|f|0||9\n"
	    "-1|29015|1795210368579151|-1|etl|active|t|0||9\n");
	(void)world_touched(s->world, &n);
	assert_int_equal(n, 3);
	assert_null(row_at(s, ENTITY_BACKEND, 0));
	assert_text(s, row_at(s, ENTITY_BACKEND, 1), COL(BACKEND, STATE),
	    "active");
	assert_int_equal(row_at(s, ENTITY_BACKEND, 2)->now.val[
	    COL(BACKEND, PID)], 29016);
	assert_int_equal(row_at(s, ENTITY_BACKEND, 2)->opened, OPEN_APPEARED);

	/* the same again: no changes */
	decode(s, ENTITY_BACKEND, ACTIVITY
	    "-1|29015|1795210368579151|-1|etl|active|t|0||9\n"
	    "-1|29016|1795210368579199|141|etl|idle|f|0||9\n");
	(void)world_touched(s->world, &n);
	assert_int_equal(n, 0);
}

/* Columns with names of pg_stat_activity, a time in the server's format; a
 * column with the metric's own name wins. */
static void binds_names_of_the_server(void **state)
{
	struct rowset *s = *state;
	const struct row *r;

	decode(s, ENTITY_BACKEND, "content|pid|backend_start|usename|datid|"
	    "xact_start|query_start|state_change|waiting_reason|sess_id|"
	    "wait_type\n"
	    "-1|7|2026-11-22 17:51:03.200131+00|etl|5|"
	    "1999-12-31 23:59:59-03:30|2024-02-29 12:00:00.5+05:30|"
	    "2026-11-22 17:51|lock|12|Lock\n");
	r = row_at(s, ENTITY_BACKEND, 0);
	assert_int_equal(r->now.val[COL(BACKEND, START)],
	    INT64_C(1795369863200131));
	assert_int_equal(r->now.val[COL(BACKEND, XACT_START)],
	    INT64_C(946697399000000));
	assert_int_equal(r->now.val[COL(BACKEND, QUERY_START)],
	    INT64_C(1709188200500000));
	assert_false(cells_has(r->now, COL(BACKEND, STATE_CHANGE)));
	assert_text(s, r, COL(BACKEND, USER), "etl");
	assert_text(s, r, COL(BACKEND, WAIT_TYPE), "Lock");
	assert_int_equal(r->now.val[COL(BACKEND, SESSION)], 12);
}

static const char *const no_times[] = { "infinity", "-infinity",
	"0044-03-15 10:00:00+00 BC", "2026-13-01 00:00:00+00",
	"2026-00-01 00:00:00+00", "2026-11-22 17:51:03", "17:51:03+00",
	"2026-11-22 17:51:03.2+00x", "2026-11-22 17:51:03.+", "" };

static void leaves_out_what_is_no_time(void **state)
{
	struct rowset *s = *state;
	char text[128];
	size_t i;

	for (i = 0; i < GS_LEN(no_times); i++) {
		(void)snprintf(text, sizeof(text),
		    "content|pid|start|xact_start\n-1|7|5|%s\n", no_times[i]);
		decode(s, ENTITY_BACKEND, text);
		assert_false(cells_has(row_at(s, ENTITY_BACKEND, 0)->now,
		    COL(BACKEND, XACT_START)));
	}
}

/* A pid that is used again by another backend is another row. */
static void another_start(void **state)
{
	struct rowset *s = *state;

	decode(s, ENTITY_BACKEND, ACTIVITY "-1|5|10|1|a|idle|f|0||\n");
	decode(s, ENTITY_BACKEND, ACTIVITY "-1|5|11|1|a|idle|f|0||\n");
	assert_null(row_at(s, ENTITY_BACKEND, 0));
	assert_non_null(row_at(s, ENTITY_BACKEND, 1));
}

static void odd_values(void **state)
{
	struct rowset *s = *state;
	const struct row *r;

	decode(s, ENTITY_BACKEND, "pid|start|session|xid|user|user|nothing\n"
	    "12x|1e3|99999999999999999999|-5|a|b|c\n");
	r = row_at(s, ENTITY_BACKEND, 0);
	assert_false(cells_has(r->now, COL(BACKEND, PID)));
	assert_false(cells_has(r->now, COL(BACKEND, START)));
	assert_false(cells_has(r->now, COL(BACKEND, SESSION)));
	assert_false(cells_has(r->now, COL(BACKEND, XID)));
	assert_text(s, r, COL(BACKEND, USER), "a");
}

/* Locks with equal identity columns. */
static void twins(void **state)
{
	struct rowset *s = *state;
	const char *two = "content|pid|type|mode|relation|fastpath\n"
	    "-1|7|relation|AccessShareLock|5|t\n"
	    "-1|7|relation|AccessShareLock|5|f\n";
	size_t n;

	decode(s, ENTITY_LOCK, two);
	assert_int_equal(rowset_count(s, ENTITY_LOCK), 2);
	decode(s, ENTITY_LOCK, two);
	(void)world_touched(s->world, &n);
	assert_int_equal(n, 0);
	decode(s, ENTITY_LOCK, "content|pid|type|mode|relation|fastpath\n"
	    "-1|7|relation|AccessShareLock|5|t\n");
	assert_int_equal(rowset_count(s, ENTITY_LOCK), 1);
}

static void letters_and_texts(void **state)
{
	struct rowset *s = *state;
	const struct row *r;

	decode(s, ENTITY_SEGMENT, "hostname|port|datadir|role|mode|status\n"
	    "sdw1|6002|/data/gpseg0|p|s|\n");
	r = row_at(s, ENTITY_SEGMENT, 0);
	assert_int_equal(r->now.val[COL(SEGMENT, ROLE)], 'p');
	assert_false(cells_has(r->now, COL(SEGMENT, STATUS)));
	assert_text(s, r, COL(SEGMENT, DATADIR), "/data/gpseg0");
}

static void limits(void **state)
{
	struct rowset *s = *state;
	size_t cut;
	struct buf b = BUF_INIT;

	assert_int_equal(decode_part(s, ENTITY_GROUP, 0,
	    "name|kind\na|group\nb|group\nc|group\n", 2, &cut), 2);
	assert_int_equal(cut, 1);
	assert_int_equal(rowset_count(s, ENTITY_GROUP), 2);
	buf_add_str(&b, "name|kind\n");
	buf_add_fill(&b, 'x', 5000);
	buf_add_str(&b, "|group\n");
	decode(s, ENTITY_GROUP, buf_str(&b));
	buf_release(&b);
	assert_int_equal(span_len(row_text(s->world, row_at(s, ENTITY_GROUP,
	    2), COL(GROUP, NAME))), DECODE_TEXT_MAX);
}

/* Backends of segments stay when those of the coordinator come. */
static void parts(void **state)
{
	struct rowset *s = *state;
	size_t cut;

	(void)decode_part(s, ENTITY_BACKEND, 1, ACTIVITY
	    "0|5|10|1|a|idle|f|0||\n", 100, &cut);
	decode(s, ENTITY_BACKEND, ACTIVITY "-1|6|10|1|a|idle|f|0||\n");
	assert_int_equal(rowset_count(s, ENTITY_BACKEND), 2);
	rowset_begin(s);
	rowset_drop(s, ENTITY_BACKEND, 0, CLOSE_HOST_LOST);
	rowset_end(s);
	assert_int_equal(rowset_count(s, ENTITY_BACKEND), 1);
}

struct cut_case {
	const char *name;
	const char *text;
	size_t max, want;
};

static const struct cut_case cut_cases[] = {
	{ "short", "abc", 3, 3 },
	{ "nothing", "abc", 0, 0 },
	{ "ASCII", "abcdef", 4, 4 },
	{ "before two bytes", "ab\xc3\xa4", 3, 2 },
	{ "after two bytes", "ab\xc3\xa4g", 4, 4 },
	{ "before four", "a\xf0\x9f\x98\x80z", 4, 1 },
	{ "no UTF-8", "\x80\x80\x80\x80\x80\x80\x80", 6, 6 },
};

static void cuts(void **state)
{
	const struct cut_case *row = *state;

	assert_int_equal(decode_cut(span_str(row->text), row->max), row->want);
}

static void secret_texts(void **state)
{
	struct rowset *s = *state;
	struct decode t = { .rowset = s, .entity = ENTITY_BACKEND, .limit = 5,
		.query_text = QUERY_TEXT_FULL, .query_text_size = 10 };
	PGresult *r = sheet("pid|query\n1|select 'abc'\n");
	size_t cut;

	rowset_begin(s);
	(void)decode_rows(&t, r, &cut);
	rowset_end(s);
	assert_text(s, row_at(s, ENTITY_BACKEND, 0), COL(BACKEND, QUERY),
	    "select 'ab");
	t.query_text = QUERY_TEXT_NONE;
	rowset_begin(s);
	(void)decode_rows(&t, r, &cut);
	rowset_end(s);
	assert_false(cells_has(row_at(s, ENTITY_BACKEND, 0)->now,
	    COL(BACKEND, QUERY)));
	PQclear(r);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(binds_by_name),
		TEST(binds_names_of_the_server),
		TEST(leaves_out_what_is_no_time),
		TEST(another_start),
		TEST(odd_values),
		TEST(twins),
		TEST(letters_and_texts),
		TEST(limits),
		TEST(parts),
		TEST(secret_texts),
	};
	struct cases c = { 0 };
	int failed;

	CASES_TABLE(&c, cuts, cut_cases);
	failed = cases_run(&c, "cut");
	return failed + cmocka_run_group_tests_name("decode", tests, NULL,
	    NULL);
}
