/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/rule.h"

#include <string.h>

#include "base/scan.h"
#include "cases.h"

static size_t count(void)
{
	size_t n = 0;

	while (finding_rule_at(n))
		n++;
	return n;
}

/* A rule of findings.def is changed in its place, and as it was again. */
static void changes(void **state)
{
	const struct finding_rule *was = finding_rule_at(0);
	const char *name = was->name, *when = was->when;
	size_t n = count();
	struct gs_err err;

	(void)state;
	assert_int_equal(finding_rule_set(name, "for", "90s", &err), GS_OK);
	assert_int_equal(finding_rule_set(name, "severity", "off", &err),
	    GS_OK);
	assert_int_equal(count(), n);
	assert_string_equal(finding_rule_at(0)->name, name);
	assert_string_equal(finding_rule_at(0)->when, when);
	assert_int_equal(finding_rule_hold(finding_rule_at(0)),
	    90 * INT64_C(1000000000));
	assert_int_equal(finding_rule_at(0)->severity, FINDING_OFF);
	assert_true(finding_rule_at(0)->own);
	finding_rules_reset();
	assert_false(finding_rule_at(0)->own);
	assert_int_not_equal(finding_rule_at(0)->severity, FINDING_OFF);
}

static void adds(void **state)
{
	size_t n = count();
	struct gs_err err;

	(void)state;
	assert_int_equal(finding_rule_set("mine", "when", "a > 1", &err),
	    GS_OK);
	assert_int_equal(finding_rule_set("mine", "gap", "5s", &err), GS_OK);
	assert_int_equal(count(), n + 1);
	assert_string_equal(finding_rule_at(n)->name, "mine");
	assert_int_equal(finding_rule_at(n)->severity, FINDING_WARNING);
	assert_int_equal(finding_rule_gap(finding_rule_at(n)),
	    5 * INT64_C(1000000000));
	assert_ptr_equal(finding_rule_find("mine"), finding_rule_at(n));
	finding_rules_reset();
	assert_null(finding_rule_find("mine"));
}

struct row {
	const char *name; /* the member */
	const char *value, *want;
};

static const struct row wrong[] = {
	{ "for", "x", "\"x\": expected a duration such as 5, 0.5s, 250ms, "
	    "1m30s, 2h or 7d" },
	{ "severity", "loud", "\"loud\": expected problem, warning, note or "
	    "off" },
	{ "whenn", "a", "no member \"whenn\"; there are: severity, view, "
	    "when, until, for, gap, subject, peak, cost, sum, who, by, says, "
	    "next, why" },
};

static void refuses(void **state)
{
	const struct row *row = *state;
	struct gs_err err;

	assert_int_equal(finding_rule_set("mine", row->name, row->value, &err),
	    GS_E_USAGE);
	assert_string_equal(err.msg, row->want);
	finding_rules_reset();
}

/* Each kind that is to say it better exists; a name stands once. */
static void knows_its_kinds(void **state)
{
	const struct finding_rule *r, *o;
	size_t i, k;

	(void)state;
	for (i = 0; (r = finding_rule_at(i)) != NULL; i++) {
		struct span s = span_str(r->by ? r->by : ""), one;
		bool more = r->by != NULL;

		for (k = 0; k < i; k++) {
			o = finding_rule_at(k);
			assert_string_not_equal(o->name, r->name);
		}
		while (more) {
			char name[64];

			more = scan_until(&s, ',', &one);
			one = more ? one : s;
			while (*one.ptr == ' ')
				one.ptr++;
			assert_true(span_len(one) < sizeof(name));
			memcpy(name, one.ptr, span_len(one));
			name[span_len(one)] = '\0';
			assert_non_null(finding_rule_find(name));
		}
	}
	assert_true(i > 20);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "changes a rule", changes, NULL);
	cases_add(&c, "adds a rule", adds, NULL);
	CASES_TABLE(&c, refuses, wrong);
	cases_add(&c, "knows its kinds", knows_its_kinds, NULL);
	return cases_run(&c, "rule");
}
