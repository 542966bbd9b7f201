/* SPDX-License-Identifier: Apache-2.0 */
/*
 * console.h - a command's messages, checked standard output and exit status.
 */
#ifndef GS_CLI_CONSOLE_H
#define GS_CLI_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"
#include "cli/opt.h"

enum cli_exit {
	EXIT_DONE = 0,
	EXIT_GAPS = 1, /* done, with gaps or damage found */
	EXIT_CANNOT = 2,
	EXIT_NOTHING = 3, /* done; what was looked for is not there */
	EXIT_TRUE = 4, /* done; the condition of --fail-if holds */
	EXIT_WRONG_USAGE = 64
};

/* The last rows of a table of struct opt_exit. */
#define EXITS_END { EXIT_WRONG_USAGE, "wrong usage" }, { 0, NULL }

/* In place of an exit status: the command goes on. */
#define CLI_GO (-1)

/* "gpsnap NAME: message" on stderr, and where to find help; returns
 * EXIT_WRONG_USAGE. */
int cli_usage(const struct opt_cmd *c, const char *fmt, ...) GS_PRINTF(2, 3);

/* The same with a format. */
int cli_wrong_usage(const struct opt_cmd *c, const char *text);

/* The option that allows a command more memory, for cli_cannot(). */
void cli_limit_option(const char *name);

/* "gpsnap: message" on stderr; returns EXIT_CANNOT. */
int cli_cannot(const struct gs_err *err);

/* The one of both that suits the error's status. */
int cli_fail(const struct opt_cmd *c, const struct gs_err *err);

/* As cli_cannot(), but only a notice.  Text is shown safely. */
void cli_notice(const char *fmt, ...) GS_PRINTF(1, 2);

/* The same as a callback. */
void cli_notice_text(void *unused, const char *text);

/* As cli_notice(), about an error: it has a higher priority in a journal. */
void cli_warning(const char *fmt, ...) GS_PRINTF(1, 2);

/* A warning for each line. */
void cli_warning_lines(const char *text);

/*
 * Writes bytes to the standard output at once.  False on failure: the error has
 * been reported, except EPIPE, which is not an error.  After a failure the
 * command ends with cli_finish().
 */
bool cli_write(const char *p, size_t len);

/* Writes a text, releases it and ends the output as cli_finish(EXIT_DONE). */
int cli_print(struct buf *text);

/* Flushes and closes stdout.  Returns status, or EXIT_CANNOT if a write failed.
 * Called again, it returns status: a command may end where cli_start() has
 * written its help. */
int cli_finish(int status);

/* Columns of stdout's terminal, else COLUMNS, else 80. */
size_t cli_width(void);

/* Lines of the terminal; 0: the standard output is none. */
size_t cli_height(void);

#endif
