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

/* After a failure (status) to open it: err also says what to do if there is no
 * such directory.  Returns status. */
int cli_no_default_dir(const char *dir, const char *hint, int status,
	struct gs_err *err);

/* A command that is to be run, or NULL, is reported before anything is recorded
 * if it does not exist.  CLI_GO, or an exit status as of a shell. */
int cli_check_command(const char *name);

/*
 * To be called first: opens an unusable standard input, output or error where
 * the program was started without, so that no file opened later becomes one.
 */
void cli_own_standard(void);

/*
 * Parses the command line into the struct at to.  Shows the help, or the
 * error and where to find help.  Returns CLI_GO, or the exit status.
 */
int cli_start(const struct opt_cmd *c, int argc, char **argv, void *to,
	struct opt_rest *ret);

#endif
