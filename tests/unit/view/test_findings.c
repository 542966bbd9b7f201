/* SPDX-License-Identifier: Apache-2.0 */
#include "view/findings_view.h"

#include "cases.h"
#include "findings/rule.h"

/* Each rule of findings.def has columns that its view has. */
static void rules_fit(void **state)
{
	const struct finding_rule *r;
	struct gs_err err = { .status = GS_OK };
	size_t i;

	(void)state;
	for (i = 0; (r = finding_rule_at(i)) != NULL; i++) {
		if (findings_check(&findings_views, r, &err) < 0)
			fail_msg("%s: %s", r->name, err.msg);
	}
}

struct wrong_rule {
	const char *name; /* what is wrong */
	struct finding_rule rule;
	const char *want; /* how the message begins */
};

static const struct wrong_rule wrong[] = {
	{ "no view", { .says = "x" }, "expected the name of a view, got none" },
	{ "the overview", { .view = "overview", .says = "x" },
	    "expected the name of a view, got overview" },
	{ "a view of waits", { .view = "waits", .says = "x" },
	    "expected the name of a view, got waits" },
	{ "no expression", { .view = "hosts", .says = "x" },
	    "at character 1: expected a column, got the end" },
	{ "a column", { .view = "hosts", .when = "foo > 1", .says = "x" },
	    "at character 1: no column \"foo\" in hosts" },
	{ "a column of the sentence", { .view = "hosts", .when = "busy > 1",
	    .says = "{foo}" }, "no column \"foo\" in hosts" },
	{ "a subject", { .view = "hosts", .when = "busy > 1", .says = "x",
	    .subject = "host,foo" }, "no column \"foo\" in hosts" },
	{ "no sentence", { .view = "hosts", .when = "busy > 1" },
	    "expected a sentence: says = ..." },
	{ "who of nothing", { .view = "hosts", .when = "busy > 1",
	    .says = "{who.user}" }, "{who...} needs who = VIEW.COLUMN" },
	{ "who without a column", { .view = "hosts", .when = "busy > 1",
	    .says = "x", .who = "sessions" }, "who: expected VIEW.COLUMN" },
	{ "who of no view", { .view = "hosts", .when = "busy > 1",
	    .says = "x", .who = "foo.bar" }, "who: no view foo" },
	{ "until", { .view = "events", .when = "event = a", .says = "x",
	    .until = "foo = 1" }, "at character 1: no column \"foo\"" },
};

static void refuses(void **state)
{
	const struct wrong_rule *row = *state;
	struct gs_err err = { .status = GS_OK };

	assert_int_equal(findings_check(&findings_views, &row->rule, &err),
	    GS_E_USAGE);
	if (strncmp(err.msg, row->want, strlen(row->want)) != 0)
		assert_string_equal(err.msg, row->want);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "rules fit their views", rules_fit, NULL);
	CASES_TABLE(&c, refuses, wrong);
	return cases_run(&c, "findings");
}
