/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_opts.h - the command line of gpsnap replay.
 */
#ifndef GS_CLI_REPLAY_OPTS_H
#define GS_CLI_REPLAY_OPTS_H

#include "cli/opt.h"
#include "cli/show_opts.h"

extern const struct opt_cmd replay_opts;

/* As cli_start(), and checks which options exclude each other and that there is
 * a PATH, except with --follow. */
int replay_start(int argc, char **argv, struct replay_options *ret,
	struct opt_rest *rest);

/* Parses windows: "5s,1m,5m", "off".  Without it views of waits have default
 * windows where ticks are followed, unless a range or steps are given.  Returns CLI_GO, or the exit
 * status of the error that was printed for cmd. */
int replay_parse_windows(const struct opt_cmd *cmd, struct replay_options *o);

#endif
