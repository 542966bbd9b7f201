/* SPDX-License-Identifier: Apache-2.0 */
#include "base/suggest.h"

#include "cases.h"

struct pair {
	const char *name; /* also the first word */
	const char *other;
	size_t distance;
};

static const struct pair pairs[] = {
	{ "", "", 0 },
	{ "", "abc", 3 },
	{ "interval", "interval", 0 },
	{ "intervall", "interval", 1 },
	{ "intreval", "interval", 1 },
	{ "INTERVAL", "interval", 0 },
	{ "ca", "abc", 3 },
	{ "kitten", "sitting", 3 },
	{ "view", "verify", 4 },
};

static void distance(void **state)
{
	const struct pair *p = *state;

	assert_int_equal(suggest_distance(p->name, p->other), p->distance);
	assert_int_equal(suggest_distance(p->other, p->name), p->distance);
}

static void long_names_are_bounded(void **state)
{
	char a[300], b[300];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(a) - 1; i++) {
		a[i] = 'a';
		b[i] = 'b';
	}
	a[sizeof(a) - 1] = b[sizeof(b) - 1] = '\0';
	assert_int_equal(suggest_distance(a, b), 63);
	assert_false(suggest_is_close(a, b));
}

static void enough(void **state)
{
	(void)state;
	assert_true(suggest_is_close("reply", "replay"));
	assert_false(suggest_is_close("x", "info"));
	assert_false(suggest_is_close("zzz", "replay"));
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, distance, pairs);
	cases_add(&c, "long", long_names_are_bounded, NULL);
	cases_add(&c, "enough", enough, NULL);
	return cases_run(&c, "near");
}
