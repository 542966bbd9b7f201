/*
 * commands.h - the table of commands: adding one is adding a row to
 * commands.c.
 */
#ifndef GS_CLI_COMMANDS_H
#define GS_CLI_COMMANDS_H

#include <stddef.h>

#include "cli/confine.h"
#include "cli/opt.h"

struct command {
	const struct opt_cmd *opts; /* name, help, options */
	unsigned rights; /* enum command_right; 0: it can read no recording */
	/* argv[0] is the command's name.  Returns the exit status. */
	int (*run)(int argc, char **argv);
};

extern const struct command commands[];
extern const size_t n_commands;

/* NULL if there is no such command. */
const struct command *command_find(const char *name);

/* The name of a command that the user may have meant, or NULL. */
const char *command_near(const char *name);

extern const struct opt_cmd record_opts;
int cmd_record(int argc, char **argv);

extern const struct opt_cmd replay_opts;
int cmd_replay(int argc, char **argv);

extern const struct opt_cmd live_opts;
int cmd_live(int argc, char **argv);

extern const struct opt_cmd pidstat_opts;
int cmd_pidstat(int argc, char **argv);

extern const struct opt_cmd sar_opts;
int cmd_sar(int argc, char **argv);

extern const struct opt_cmd sadf_opts;
int cmd_sadf(int argc, char **argv);

extern const struct opt_cmd status_opts;
int cmd_status(int argc, char **argv);

extern const struct opt_cmd mark_opts;
int cmd_mark(int argc, char **argv);

extern const struct opt_cmd info_opts;
int cmd_info(int argc, char **argv);

extern const struct opt_cmd verify_opts;
int cmd_verify(int argc, char **argv);

extern const struct opt_cmd export_opts;
int cmd_export(int argc, char **argv);

extern const struct opt_cmd load_opts;
int cmd_load(int argc, char **argv);

extern const struct opt_cmd cut_opts;
int cmd_cut(int argc, char **argv);

extern const struct opt_cmd merge_opts;
int cmd_merge(int argc, char **argv);
extern const struct opt_cmd thin_opts;
int cmd_thin(int argc, char **argv);

extern const struct opt_cmd share_opts;
int cmd_share(int argc, char **argv);

extern const struct opt_cmd who_opts;
int cmd_who(int argc, char **argv);

extern const struct opt_cmd recover_opts;
int cmd_recover(int argc, char **argv);

extern const struct opt_cmd archive_opts;
int cmd_archive(int argc, char **argv);

extern const struct opt_cmd convert_opts;
int cmd_convert(int argc, char **argv);

extern const struct opt_cmd help_opts;
int cmd_help(int argc, char **argv);

/* What `gpsnap help` shows. */
void help_overview(size_t width, struct buf *to);

#endif
