/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands.h - what the program's commands are called, may do and take: over
 * the table that main() gives, so that what is below the commands knows them.
 */
#ifndef GS_CLI_COMMANDS_H
#define GS_CLI_COMMANDS_H

#include <stddef.h>

#include "cli/opt.h"

/* What a command may do. */
enum command_right {
	RIGHT_ALL = 1, /* everything: no recording of a stranger is read, or a
	                * sandbox would be in the way of what it is for */
	RIGHT_READ = 2, /* read what was named */
	RIGHT_MAKE = 4, /* make files where the user said */
	RIGHT_SPOOL = 8, /* have temporary files */
	RIGHT_TERMINAL = 16, /* be a terminal's program, which saves tables */
	RIGHT_TALK = 32, /* keep a connection */
	RIGHT_WAIT = 64 /* wait for a program that it started before */
};

/* argv[0] is the command's name.  Returns the exit status. */
typedef int command_fn(int argc, char **argv);

struct command {
	const struct opt_cmd *opts; /* name, help, options */
	unsigned rights; /* enum command_right; 0: it can read no recording */
	command_fn *run;
};

/* First of all: the table, which stays the caller's. */
void commands_use(const struct command *table, size_t n);

/* The command at a position in the order of help; NULL after the last. */
const struct command *command_at(size_t i);

/* NULL if there is no such command. */
const struct command *command_find(const char *name);

/* The name of a command that the user may have meant, or NULL. */
const char *command_suggest(const char *name);

#endif
