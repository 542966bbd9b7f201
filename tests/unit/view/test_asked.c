/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notes of a view on time in which no database was asked.
 */
#include "base/compiler.h"
#include "cases.h"
#include "view/asked.h"

static const char *note(const struct asked *a, const char *view,
	struct buf *to)
{
	buf_reset(to);
	return asked_note(a, view_find(view), to) ? buf_str(to) : "";
}

static void a_part_of_the_range(void **state)
{
	struct asked_server one = { 3, NULL, 12, true };
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
	struct asked_server two[] = { { 3, a_name, 47, true },
		{ 4, b_name, 0, false } };
	struct asked a = { .covered_s = 47, .interval_s = 1,
		.server = two, .n = GS_LEN(two) };
	struct buf b = BUF_INIT;

	assert_string_equal(note(&a, "replicas", &b), "replicas: recorded "
	    "only in part: 5433 was not asked in this range");
	(void)state;
	buf_release(&b);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "part of the range", a_part_of_the_range, NULL);
	cases_add(&c, "one of two servers", one_of_two_servers, NULL);
	return cases_run(&c, "asked");
}
