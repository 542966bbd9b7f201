/* SPDX-License-Identifier: Apache-2.0 */
/*
 * start.h - what every command does first: options, help.
 */
#ifndef GS_CLI_START_H
#define GS_CLI_START_H

#include "cli/console.h"
#include "cli/opt.h"

/* What these mean, for the help of every command. */
extern const struct opt_exit cli_exits[];

/*
 * First of all: what was started without a standard input, output or error
 * gets one that can't be used, lest a file opened later becomes one.
 */
void cli_own_standard(void);

/* Raises the limit of open files as far as it goes: a directory may hold more
 * recordings than the usual 1024. */
void cli_many_files(void);

/*
 * Parses the command line into the struct at to.  Shows the help, or the
 * error and where to find help.  Returns CLI_GO, or the exit status.
 */
int cli_start(const struct opt_cmd *c, int argc, char **argv, void *to,
	struct opt_rest *ret);

#endif
