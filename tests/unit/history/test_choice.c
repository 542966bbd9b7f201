/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The choice by --entities, --metrics and --hosts; and no two metrics are one
 * family of OpenMetrics.
 */
#include "history/choice.h"

#include <string.h>

#include "cases.h"
#include "render/family.h"

struct choice_case {
	const char *name;
	const char *entities, *metrics;
	bool process, disk, events, rss, cpu_user; /* chosen */
	const char *why; /* why it is refused; NULL: it is not */
};

static const struct choice_case cases[] = {
	{ "all", NULL, NULL, true, true, true, true, true, NULL },
	{ "plural", "processes", NULL, true, false, false, true, true, NULL },
	{ "singular", "process,disk", NULL, true, true, false, true, true,
	    NULL },
	{ "events", "events", NULL, false, false, true, true, true, NULL },
	{ "metric", NULL, "rss", true, true, false, true, false, NULL },
	{ "full name", NULL, "process.rss", true, true, false, true, false,
	    NULL },
	{ "pattern", NULL, "cpu_*", true, true, false, false, true, NULL },
	{ "both", "disks,events", "*", false, true, true, true, true, NULL },
	{ "no entity", "proceses", NULL, 0, 0, 0, 0, 0,
	    "--entities: no entity proceses" },
	{ "no metric", NULL, "procss.rss", 0, 0, 0, 0, 0,
	    "did you mean process.rss?" },
	{ "nothing like it", NULL, "qwertyuiop", 0, 0, 0, 0, 0,
	    "gpsnap-metrics(7)" },
};

static void chooses(void **state)
{
	const struct choice_case *c = *state;
	struct choice x;
	struct gs_err err = { .msg = "" };
	int r = choice_init(&x, c->entities, c->metrics, NULL, &err);

	if (c->why) {
		assert_int_equal(r, GS_E_USAGE);
		if (!strstr(err.msg, c->why))
			fail_msg("%s: no \"%s\"", err.msg, c->why);
		return;
	}
	assert_int_equal(r, GS_OK);
	assert_int_equal(x.entity[ENTITY_PROCESS], c->process);
	assert_int_equal(x.entity[ENTITY_DISK], c->disk);
	assert_int_equal(x.events, c->events);
	assert_int_equal(choice_has_metric(&x, ENTITY_PROCESS,
	    COL(PROCESS, RSS)), c->rss);
	assert_int_equal(choice_has_metric(&x, ENTITY_HOST,
	    COL(HOST, CPU_USER)), c->cpu_user);
	choice_release(&x);
}

static void hosts(void **state)
{
	struct choice x;

	(void)state;
	assert_int_equal(choice_init(&x, NULL, NULL, "sdw1,mdw*", NULL),
	    GS_OK);
	assert_true(choice_has_host(&x, "sdw1"));
	assert_false(choice_has_host(&x, "sdw11"));
	assert_true(choice_has_host(&x, "mdw"));
	choice_release(&x);
}

static void families_differ(void **state)
{
	const struct metric *first = metric_get((enum entity_id)0, 0);
	struct family a, b;
	unsigned i, k;

	(void)state;
	for (i = 0; i < METRIC_COUNT; i++) {
		family_of_metric(first + i, &a);
		for (k = 0; k < i; k++) {
			family_of_metric(first + k, &b);
			if (strcmp(a.name, b.name) == 0)
				fail_msg("%s and %s are both %s",
				    first[i].full_name, first[k].full_name,
				    a.name);
		}
	}
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, chooses, cases);
	cases_add(&c, "hosts", hosts, NULL);
	cases_add(&c, "families differ", families_differ, NULL);
	return cases_run(&c, "choice");
}
