/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmds.h"

const struct command cmd_table[] = {
#define COMMAND(name, rights) { &name##_opts, rights, cmd_##name },
#include "cli/commands.def"
#undef COMMAND
};

const size_t n_cmd_table = GS_LEN(cmd_table);
