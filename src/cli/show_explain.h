/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_explain.h - --explain: what a view's figures mean.
 */
#ifndef GS_CLI_SHOW_EXPLAIN_H
#define GS_CLI_SHOW_EXPLAIN_H

#include "cli/opt.h"
#include "cli/show_opts.h"

/* With --explain: prints the definitions of the view and its columns, and
 * returns the exit status for cli_finish(); else CLI_GO. */
int show_explain(const struct opt_cmd *cmd, const struct replay_options *o);

#endif
