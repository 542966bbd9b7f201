/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notes of a view on time in which no database was asked, or for other things, or gave
 * too few answers.
 */
#include "base/compiler.h"
#include "cases.h"

#include <string.h>

#include "view/asked.h"

static const char *note(const struct asked *a, const char *view,
	struct buf *to)
{
	buf_reset(to);
	return asked_note(a, view_find(view), to) ? buf_str(to) : "";
}

static void a_part_of_the_range(void **state)
{
	struct asked_server one = { .index = 3, .asked_s = 12,
		.answered = true };
	struct asked a = { .covered_s = 47, .interval_s = 1,
		.server = &one, .n = 1 };
	char why[] = "FATAL: no\nmore of it";
	struct buf b = BUF_INIT;

	assert_string_equal(note(&a, "replicas", &b), "replicas: recorded "
	    "only in part: the database was asked for 12s of 47s");
	assert_string_equal(note(&a, "hosts", &b), "");
	a.why = why;
	assert_string_equal(note(&a, "replicas", &b), "replicas: recorded "
	    "only in part: the database was asked for 12s of 47s (FATAL: no)");
	one.asked_s = 45; /* it took a while to connect */
	assert_string_equal(note(&a, "replicas", &b), "");
	(void)state;
	buf_release(&b);
}

static void one_of_two_servers(void **state)
{
	char a_name[] = "5432", b_name[] = "5433";
	struct asked_server two[] = { { .index = 3, .name = a_name,
		.asked_s = 47, .answered = true }, { .index = 4, .name = b_name } };
	struct asked a = { .covered_s = 47, .interval_s = 1,
		.server = two, .n = GS_LEN(two) };
	struct buf b = BUF_INIT;

	assert_string_equal(note(&a, "replicas", &b), "replicas: recorded "
	    "only in part: 5433 was not asked in this range");
	(void)state;
	buf_release(&b);
}

#define BIT(C) (1u << COLLECT_##C)
#define PG15 true, FL_POSTGRES, 150000
#define GP6 true, FL_GREENPLUM, 90400
#define UNKNOWN false, FL_POSTGRES, 0

/* What one server was asked for, all the time. */
static const struct collected_case {
	const char *name, *view;
	bool known;
	enum flavour flavour;
	int version;
	uint32_t collected;
	bool missing; /* exit status 1 */
	const char *note; /* its begin */
} collected_cases[] = {
	{ "it was asked", "wal", PG15, BIT(WAL) | BIT(LOCKS), false, "" },
	{ "left out", "wal", PG15, BIT(LOCKS), true,
	    "wal: not recorded: the database was not asked for it: --collect left "
	    "it out, or the recorder's version does not know it" },
	{ "on request", "workfiles", GP6, BIT(LOCKS), true,
	    "workfiles: not recorded: the database was not asked for it: record "
	    "--collect +workfiles does; spill shows" },
	{ "an extension", "pgstatements", PG15, BIT(LOCKS), true,
	    "pgstatements: not recorded: the database was not asked for it: "
	    "--collect left it out, or the server lacks the extension "
	    "pg_stat_statements" },
	{ "another product", "workfiles", PG15, BIT(LOCKS), false,
	    "workfiles: there is nothing to record: PostgreSQL does not have it, "
	    "Greenplum and Cloudberry do" },
	{ "too old", "progress", GP6, BIT(LOCKS), false,
	    "progress: there is nothing to record: this version of Greenplum does "
	    "not have it" },
	{ "product not known", "workfiles", UNKNOWN, BIT(LOCKS), true,
	    "workfiles: not recorded: the database was not asked for it" },
	{ "either is enough", "backends", GP6, BIT(SEGMENT_ACTIVITY), false, "" },
	{ "locks by activity", "locks", PG15, BIT(ACTIVITY), false, "" },
	{ "no locks", "locks", PG15, BIT(WAL), true, "locks: not recorded" },
	{ "groups of control groups, too", "groups", PG15, BIT(LOCKS), false, "" },
	{ "groups", "groups", GP6, BIT(LOCKS), true, "groups: not recorded" },
	{ "no part of a catalog", "processes", PG15, BIT(LOCKS), false, "" },
	{ "no collector of its own", "clusters", PG15, BIT(LOCKS), false, "" },
};

static void asked_for(void **state)
{
	const struct collected_case *c = *state;
	struct asked_server one = { .asked_s = 47, .answered = true,
		.is = { .known = c->known, .flavour = c->flavour,
		    .version_num = c->version, .collected = c->collected } };
	struct asked a = { .covered_s = 47, .interval_s = 1,
		.server = &one, .n = 1 };
	struct buf b = BUF_INIT;

	assert_int_equal(asked_note(&a, view_find(c->view), &b), c->missing);
	if (strncmp(buf_str(&b), c->note, strlen(c->note)) != 0 ||
	    (*c->note == '\0' && b.len > 0))
		fail_msg("got: %s", buf_str(&b));
	buf_release(&b);
}

/* Why is said once, however many servers there are. */
static void asked_for_others(void **state)
{
	static const char *const want[] = {
		"wal: recorded only in part: a was not asked for it: --collect left",
		"wal: recorded only in part: a, b were not asked for it: --collect",
		"wal: recorded only in part: a, b, c were not asked for it: ",
		"wal: recorded only in part: a, b, c and 1 more were not asked for "
		"it: --collect left it out, or the recorder's version does not know "
		"it" };
	char names[] = "a\0b\0c\0d\0e";
	struct asked_server all[5];
	struct asked a = { .covered_s = 47, .interval_s = 1, .server = all,
		.n = GS_LEN(all) };
	struct buf b = BUF_INIT;
	size_t i, n;

	(void)state;
	for (n = 1; n <= GS_LEN(want); n++) {
		for (i = 0; i < GS_LEN(all); i++)
			all[i] = (struct asked_server) { .name = &names[2 * i],
				.asked_s = 47, .answered = true,
				.is = { .known = true, .flavour = FL_POSTGRES,
				    .version_num = 150000,
				    .collected = i < n ? BIT(LOCKS)
				    : BIT(WAL) } };
		buf_reset(&b);
		assert_true(asked_note(&a, view_find("wal"), &b));
		if (strncmp(buf_str(&b), want[n - 1], strlen(want[n - 1])) != 0)
			fail_msg("got: %s", buf_str(&b));
	}
	buf_release(&b);
}

/* Figures of two answers. */
static const struct rare_case {
	const char *name, *view;
	bool once, twice, still;
	const char *note;
} rare_cases[] = {
	{ "no answer", "wal", false, false, false,
	    "wal: the server has not answered yet" },
	{ "one answer", "wal", true, false, true,
	    "wal: the server has answered once: figures are what grew between two "
	    "answers, which are 10s apart" },
	{ "two answers", "wal", true, true, false, "" },
	{ "two answers, before", "wal", true, true, true,
	    "wal: no row has a new answer in this range: figures are what grew "
	    "between two answers, which are 10s apart" },
	{ "no rows", "wal", true, false, false, "" },
	{ "levels only", "slots", false, false, true, "" },
	{ "no catalog", "hosts", false, false, true, "" },
};

static void answers(void **state)
{
	const struct rare_case *c = *state;
	struct asked_server one = { .is = {
		.collected = BIT(WAL) | BIT(SLOTS),
		.once = c->once ? BIT(WAL) : 0,
		.twice = c->twice ? BIT(WAL) : 0 } };
	struct asked a = { .server = &one, .n = 1 };
	struct buf b = BUF_INIT;

	one.is.period_ms[COLLECT_WAL] = 10000;
	assert_int_equal(asked_rare_note(&a, view_find(c->view), c->still, &b),
	    *c->note != '\0');
	assert_string_equal(buf_str(&b), c->note);
	buf_release(&b);
}

/* The recorder has a row for it, and that is all. */
static void refused(void **state)
{
	struct asked_server one = { .asked_s = 100, .answered = true, .is = {
		.collected = BIT(WAL) | BIT(SLOTS), .refused = BIT(SLOTS),
		.once = BIT(WAL) } };
	struct asked a = { .server = &one, .n = 1, .covered_s = 100 };
	struct buf b = BUF_INIT;

	assert_true(asked_note(&a, view_find("slots"), &b));
	assert_string_equal(buf_str(&b), "slots: not recorded: the database "
	    "refused it, or could not answer: gpsnap info says why");
	buf_reset(&b);
	assert_false(asked_note(&a, view_find("wal"), &b));
	assert_string_equal(buf_str(&b), "");
	(void)state;
	buf_release(&b);
}

static void titles_alone(void **state)
{
	char why[] = "no route";
	struct asked_server one = { .index = 3 };
	struct asked a = { .server = &one, .n = 1, .why = why };
	struct buf b = BUF_INIT;

	assert_false(asked_note(&a, view_find("time_model"), &b));
	assert_string_equal(buf_str(&b), "time_model: the database was not asked "
	    "in this range (no route): process titles tell of locks, and of no "
	    "other wait");
	buf_reset(&b);
	one.answered = true;
	assert_false(asked_note(&a, view_find("time_model"), &b));
	assert_string_equal(buf_str(&b), "");
	(void)state;
	buf_release(&b);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "part of the range", a_part_of_the_range, NULL);
	cases_add(&c, "one of two servers", one_of_two_servers, NULL);
	CASES_TABLE(&c, asked_for, collected_cases);
	cases_add(&c, "refused", refused, NULL);
	cases_add(&c, "asked for others", asked_for_others, NULL);
	CASES_TABLE(&c, answers, rare_cases);
	cases_add(&c, "by titles alone", titles_alone, NULL);
	return cases_run(&c, "asked");
}
