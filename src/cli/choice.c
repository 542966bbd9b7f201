/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/choice.h"

#include "cli/start.h"

static int prepare(const struct opt_cmd *cmd, void *to,
	struct editing_ask *ask)
{
	struct choice *c = to;
	struct gs_err err;
	int status = times_check(cmd, &c->when);

	if (status != CLI_GO)
		return status;
	ask->when = &c->when;
	ask->pick = &c->pick;
	if (pick_init(&c->pick, c->hosts, c->sessions, c->entities, c->metrics,
	    &err) < 0)
		return cli_usage(cmd, "%s", err.msg);
	return CLI_GO;
}

int choice_main(const struct opt_cmd *cmd, int argc, char **argv,
	struct editing_ask *ask)
{
	struct choice c = { 0 };
	int status = editing_main(cmd, argc, argv, &c, &c.out, ask, prepare);

	pick_release(&c.pick);
	return status;
}
