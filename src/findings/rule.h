/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rule.h - what counts as a finding: the rows of findings.def, and those of the
 * user's configuration.
 */
#ifndef GS_FINDINGS_RULE_H
#define GS_FINDINGS_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum finding_severity {
	FINDING_OFF, /* the rule is not applied */
	FINDING_NOTE,
	FINDING_WARNING,
	FINDING_PROBLEM
};

/* All members are texts as written; NULL: not set. */
struct finding_rule {
	const char *name; /* of the kind: "lock pile-up" */
	enum finding_severity severity;
	const char *view; /* whose rows are looked at, tick by tick */
	const char *when; /* expression (query/filter.h) */
	const char *until; /* expression: what began lasts until a row of the
	                    * same subject fulfils this; NULL: as long as when
	                    * does */
	const char *hold; /* duration for which it must hold; NULL: one tick */
	const char *gap; /* times with less than this between them are one */
	const char *subject; /* columns that name the row: "session,object" */
	const char *peak; /* column whose highest value marks the worst tick;
	                   * "-column": the lowest */
	const char *cost; /* column: number of sessions that it costs time */
	const char *sum; /* column: its sum over all rows is {sum} in the
	                  * sentence */
	const char *who; /* "sessions.cpu_percent": the row with the highest
	                  * value of that is {who.COLUMN} in the sentence */
	const char *by; /* kinds, with commas, that say the same better */
	const char *says; /* sentence.h */
	const char *next; /* options of gpsnap replay that show it */
	const char *why; /* of its figures */
	bool own; /* of the user's configuration, in whole or in part */
};

/* Kinds that no rule makes: holes do. */
#define FINDING_HOST_LOST "host lost"
#define FINDING_DATA_MISSING "data missing"
bool finding_is_of_hole(const char *name);

/* "problem", "warning", "note", "off". */
const char *finding_severity_name(enum finding_severity s);

/* The rule at a position, NULL after the last. */
const struct finding_rule *finding_rule_at(size_t i);
const struct finding_rule *finding_rule_find(const char *name);

/* Sets one member of a rule, by its name in the configuration: when, for, gap,
 * severity, ...; a rule of a new name is made.  Texts are copied.  Fails with
 * GS_E_USAGE: there is no such member, or the value does not fit it. */
int finding_rule_set(const char *name, const char *member, const char *value,
	struct gs_err *err);

/* Drops what was set. */
void finding_rules_reset(void);

/* The members that are durations, in ns. */
int64_t finding_rule_hold(const struct finding_rule *r);
int64_t finding_rule_gap(const struct finding_rule *r);

#endif
