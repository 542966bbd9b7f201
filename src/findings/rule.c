/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rule.c - the list of rules: those of findings.def, then the user's own.  A
 * rule of findings.def that the user changes is replaced by a copy in its place.
 */
#include "findings/rule.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"

#define OWN_MAX 256

static const struct finding_rule built_in[] = {
#define FINDING(NAME, SEVERITY, VIEW, ...) \
	{ .name = NAME, .severity = FINDING_##SEVERITY, .view = VIEW, \
	  __VA_ARGS__ },
#include "findings/findings.def"
#undef FINDING
};

/* Set once, by the configuration, before any recording is read. */
static struct {
	struct finding_rule *rule;
	size_t n, cap;
} own;

static const struct {
	const char *name;
	size_t at;
} members[] = {
	{ "view", offsetof(struct finding_rule, view) },
	{ "when", offsetof(struct finding_rule, when) },
	{ "until", offsetof(struct finding_rule, until) },
	{ "for", offsetof(struct finding_rule, hold) },
	{ "gap", offsetof(struct finding_rule, gap) },
	{ "subject", offsetof(struct finding_rule, subject) },
	{ "peak", offsetof(struct finding_rule, peak) },
	{ "cost", offsetof(struct finding_rule, cost) },
	{ "sum", offsetof(struct finding_rule, sum) },
	{ "who", offsetof(struct finding_rule, who) },
	{ "by", offsetof(struct finding_rule, by) },
	{ "says", offsetof(struct finding_rule, says) },
	{ "next", offsetof(struct finding_rule, next) },
	{ "why", offsetof(struct finding_rule, why) },
};

static const char *const severities[] = { "off", "note", "warning",
	"problem" };

const char *finding_severity_name(enum finding_severity s)
{
	return severities[s];
}

static const char **member(struct finding_rule *r, size_t i)
{
	return (const char **)((char *)r + members[i].at);
}

static struct finding_rule *own_rule(const char *name)
{
	size_t i;

	for (i = 0; i < own.n; i++) {
		if (strcmp(own.rule[i].name, name) == 0)
			return &own.rule[i];
	}
	return NULL;
}

static const struct finding_rule *built_in_rule(const char *name)
{
	size_t i;

	for (i = 0; i < GS_LEN(built_in); i++) {
		if (strcmp(built_in[i].name, name) == 0)
			return &built_in[i];
	}
	return NULL;
}

bool finding_is_of_hole(const char *name)
{
	return strcmp(name, FINDING_HOST_LOST) == 0 ||
	    strcmp(name, FINDING_DATA_MISSING) == 0;
}

const struct finding_rule *finding_rule_find(const char *name)
{
	const struct finding_rule *r = own_rule(name);

	return r ? r : built_in_rule(name);
}

const struct finding_rule *finding_rule_at(size_t i)
{
	size_t k;

	if (i < GS_LEN(built_in))
		return finding_rule_find(built_in[i].name);
	i -= GS_LEN(built_in);
	for (k = 0; k < own.n; k++) {
		if (!built_in_rule(own.rule[k].name) && i-- == 0)
			return &own.rule[k];
	}
	return NULL;
}

static struct finding_rule *add_own(const char *name)
{
	const struct finding_rule *of = built_in_rule(name);
	struct finding_rule *r;
	size_t i;

	GS_GROW(own.rule, &own.cap, own.n + 1);
	r = &own.rule[own.n++];
	*r = of ? *of : (struct finding_rule) { .severity = FINDING_WARNING };
	r->name = gs_strdup(name);
	r->own = true;
	for (i = 0; i < GS_LEN(members); i++) {
		const char **text = member(r, i);

		*text = *text ? gs_strdup(*text) : NULL;
	}
	return r;
}

static int set_severity(struct finding_rule *r, const char *value,
	struct gs_err *err)
{
	size_t i;

	for (i = 0; i < GS_LEN(severities); i++) {
		if (strcmp(severities[i], value) == 0) {
			r->severity = (enum finding_severity)i;
			return GS_OK;
		}
	}
	return gs_fail(err, GS_E_USAGE, "\"%s\": expected problem, warning, "
	    "note or off", value);
}

int finding_rule_set(const char *name, const char *key, const char *value,
	struct gs_err *err)
{
	struct finding_rule *r = own_rule(name);
	int64_t ns;
	size_t i;

	if (!r && own.n == OWN_MAX)
		return gs_fail(err, GS_E_USAGE, "more than %d rules", OWN_MAX);
	if (finding_is_of_hole(name))
		return gs_fail(err, GS_E_USAGE, "\"%s\" is of holes, not of a "
		    "rule: it can't be changed; --where leaves it out", name);
	r = r ? r : add_own(name);
	if (strcmp(key, "severity") == 0)
		return set_severity(r, value, err);
	if ((strcmp(key, "for") == 0 || strcmp(key, "gap") == 0) &&
	    units_duration(value, &ns, err) < 0)
		return GS_E_USAGE;
	for (i = 0; i < GS_LEN(members); i++) {
		const char **text = member(r, i);

		if (strcmp(members[i].name, key) != 0)
			continue;
		free((void *)(uintptr_t)*text);
		*text = gs_strdup(value);
		return GS_OK;
	}
	return gs_fail(err, GS_E_USAGE, "no member \"%s\"; there are: "
	    "severity, view, when, until, for, gap, subject, peak, cost, sum, who, "
	    "by, says, next, why", key);
}

void finding_rules_reset(void)
{
	size_t i, k;

	for (i = 0; i < own.n; i++) {
		free((void *)(uintptr_t)own.rule[i].name);
		for (k = 0; k < GS_LEN(members); k++)
			free((void *)(uintptr_t)*member(&own.rule[i], k));
	}
	free(own.rule);
	memset(&own, 0, sizeof(own));
}

static int64_t duration(const char *text)
{
	int64_t ns = 0;
	struct gs_err err;

	if (text && units_duration(text, &ns, &err) < 0)
		return 0; /* was checked, or is of findings.def: tested */
	return ns;
}

int64_t finding_rule_hold(const struct finding_rule *r)
{
	return duration(r->hold);
}

int64_t finding_rule_gap(const struct finding_rule *r)
{
	return duration(r->gap);
}
