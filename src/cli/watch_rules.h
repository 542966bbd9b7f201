/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch_rules.h - what a recorder watches for, from --on and --do, and from
 * sections [watch NAME] of the configuration.
 *
 *   on = lock.waiters > 5 for 3s     an expression of --find, and how long
 *   on = lock pile-up for 10s        a rule of gpsnap findings by its name
 *   do = fast:0.2s/60s,mark,run:COMMAND
 */
#ifndef GS_CLI_WATCH_RULES_H
#define GS_CLI_WATCH_RULES_H

#include "cli/opt.h"
#include "cli/watch_judge.h"
#include "findings/rule.h"
#include "record/remote_command.h"
#include "record/watch.h"

struct watch_rule {
	struct finding_rule rule;
	struct remote_command command;
	char *owned[8]; /* texts of the rule */
	size_t n_owned;
	const char *on, *actions; /* as written; NULL: not yet */
};

struct watch_rules {
	struct watch_rule one[WATCHES_MAX];
	struct watch watch[WATCHES_MAX];
	const struct finding_rule *rule[WATCHES_MAX];
	size_t n;
	struct watch_judge_state judge;
	struct watch_news ***end; /* of the list of the tick that is judged */
};

/* Reads the configuration, then the options.  CLI_GO, or the exit status of the
 * error that was printed.  interval_ns: of the recorder; fast must be less. */
int watch_rules_set(const struct opt_cmd *cmd, const struct opt_texts *on,
	const struct opt_texts *actions, int64_t interval_ns,
	struct watch_rules *w);
void watch_rules_release(struct watch_rules *w);

/* For the recorder; w must outlive it and must not be moved. */
void watch_rules_options(struct watch_rules *w, struct watch_options *ret);

#endif
