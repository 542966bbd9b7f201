/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands.h - the names, rights and options of the program's commands, from
 * the table that main() passes, for modules below the commands.
 */
#ifndef GS_CLI_COMMANDS_H
#define GS_CLI_COMMANDS_H

#include <stddef.h>

#include "cli/opt.h"

/* What a command may do. */
enum command_right {
	RIGHT_ALL = 1, /* everything: it reads no recording of a stranger, or a
	                * sandbox would prevent its purpose */
	RIGHT_READ = 2, /* read what was named */
	RIGHT_MAKE = 4, /* make files where the user says */
	RIGHT_SPOOL = 8, /* have temporary files */
	RIGHT_TERMINAL = 16, /* draw on a terminal, and save tables */
	RIGHT_TALK = 32, /* keep a connection */
	RIGHT_WAIT = 64, /* wait for a program that was started before */
	RIGHT_THREADS = 128, /* begin threads */
	RIGHT_KEEP = 256 /* give files that it made the mode and times of
	                  * others */
};

/* argv[0] is the command's name.  Returns the exit status. */
typedef int command_fn(int argc, char **argv);

struct command {
	const struct opt_cmd *opts; /* name, help, options */
	unsigned rights; /* enum command_right; 0: it can read no recording */
	command_fn *run;
};

/* To be called first; the table stays the caller's. */
void commands_use(const struct command *table, size_t n);

/* The command at a position in the order of help; NULL after the last. */
const struct command *command_at(size_t i);

/* NULL if there is no such command. */
const struct command *command_find(const char *name);

/* The name of a command that the user may have meant, or NULL. */
const char *command_suggest(const char *name);

#endif
