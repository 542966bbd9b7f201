/* SPDX-License-Identifier: Apache-2.0 */
/*
 * start.h - the start of every command: options, help; and what all share.
 */
#ifndef GS_CLI_START_H
#define GS_CLI_START_H

#include "cli/console.h"
#include "cli/opt.h"

/* The exit statuses in the help of most commands. */
extern const struct opt_exit cli_exits[];

/* "0.1.0", from the build. */
const char *cli_version(void);

/* The usual directory of recordings: appends "HOME/gpsnap/" to path, which must
 * be empty; returns its text. */
const char *cli_default_dir(struct buf *path);

/*
 * To be called first: opens an unusable standard input, output or error where
 * the program was started without, so that no file opened later becomes one.
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
