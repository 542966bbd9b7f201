/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmds.h - the options and functions of the commands in commands.def, each in a
 * file cmd_*.c, and the table of them.
 */
#ifndef GS_CLI_CMDS_H
#define GS_CLI_CMDS_H

#include "cli/commands.h"
#include "cli/confine.h"

extern const struct command cmd_table[];
extern const size_t n_cmd_table;

#define COMMAND(name, rights) \
	extern const struct opt_cmd name##_opts; \
	command_fn cmd_##name;
#include "cli/commands.def"
#undef COMMAND

/* What `gpsnap help` shows. */
void help_overview(size_t width, struct buf *to);

#endif
