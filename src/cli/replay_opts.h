/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_opts.h - the command line of gpsnap replay.
 */
#ifndef GS_CLI_REPLAY_OPTS_H
#define GS_CLI_REPLAY_OPTS_H

#include "cli/opt.h"
#include "cli/show_opts.h"

extern const struct opt_cmd replay_opts;

/* As cli_start(), and checks what options must not stand together and that
 * there is a PATH, unless it follows. */
int replay_start(int argc, char **argv, struct replay_options *ret,
	struct opt_rest *rest);

/* Reads windows as written, "5s,1m,5m", "off"; where none are, views of waits
 * have some, unless a range or steps are asked for.  CLI_GO, or the exit status
 * of what was told of cmd. */
int replay_parse_windows(const struct opt_cmd *cmd, struct replay_options *o);

/* If --explain is given: the exit status for cli_finish(), once it is told;
 * else CLI_GO. */
int replay_explain(const struct opt_cmd *cmd,
	const struct replay_options *o);

#endif
