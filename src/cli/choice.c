/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/choice.h"

#include "cli/start.h"

static int run(const struct opt_cmd *cmd, const struct choice *c,
	struct editing_ask *ask, const struct opt_rest *rest)
{
	struct pick pick = { 0 };
	struct gs_err err;
	int status = times_check(cmd, &c->when);

	if (status != CLI_GO)
		return status;
	ask->when = &c->when;
	ask->pick = &pick;
	if (pick_init(&pick, c->hosts, c->sessions, c->entities, c->metrics,
	    &err) < 0)
		status = cli_usage(cmd, "%s", err.msg);
	else
		status = editing_run(cmd, &c->out, ask, rest);
	pick_release(&pick);
	return status;
}

int choice_main(const struct opt_cmd *cmd, int argc, char **argv,
	struct editing_ask *ask)
{
	struct choice c = { 0 };
	struct buf typed = BUF_INIT;
	struct opt_rest rest;
	int status;

	editing_join(argc, argv, &typed);
	ask->command = buf_str(&typed);
	status = editing_start(cmd, argc, argv, &c, &c.out, &rest);
	if (status == CLI_GO)
		status = run(cmd, &c, ask, &rest);
	buf_release(&typed);
	return status;
}
