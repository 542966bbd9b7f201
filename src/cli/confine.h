/* SPDX-License-Identifier: Apache-2.0 */
/*
 * confine.h - the sandbox of a command, from the table of commands and the
 * files that the user named.
 *
 * A command that reads recordings calls cli_confine() once, when it knows its
 * files and before it opens the first; until then none can be opened
 * (base/gate.h).  --no-sandbox and --explain-sandbox are options of all of
 * them, which cli_start() removes.
 */
#ifndef GS_CLI_CONFINE_H
#define GS_CLI_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/opt.h"

/* What the user named. */
struct confine {
	char *const *read; /* files, directories, or - */
	size_t n_read;
	bool follow; /* files come beside those that are read */
	const char *make; /* a file that is made, or -; NULL: none */
	const char *change[2]; /* directories in which files are made and
	                        * removed; NULL: none */
	char *const *replace; /* files that are replaced, and directories in
	                       * which they are */
	size_t n_replace;
	bool spools, has_terminal, talks, waits, threads;
};

/* --explain-sandbox, --no-sandbox: options that every confined command has,
 * beside its own. */
#define CONFINE_OPTIONS 2
extern const struct opt confine_options[CONFINE_OPTIONS];
#define CONFINED .common = confine_options, .n_common = CONFINE_OPTIONS

/* The open file begins as a recording does; what follows is not read. */
bool confine_is_recording(int fd);

/* True if word is one of them. */
bool confine_option(const char *word);

/* Raises the limit of open files, and gives up rights.  CLI_GO, or the exit
 * status if an explanation was asked for. */
int cli_confine(const struct opt_cmd *c, const struct confine *w);

/* True if cli_confine() will explain: nothing else must be started. */
bool confine_explains(void);

/* Why no file can be made elsewhere, as a text for users; NULL: it can. */
const char *confine_refused(void);

#endif
