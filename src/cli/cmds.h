/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmds.h - the commands, each in a file cmd_*.c, and the table of them in
 * cmd_table.c: adding one is adding a row.
 */
#ifndef GS_CLI_CMDS_H
#define GS_CLI_CMDS_H

#include "cli/commands.h"
#include "cli/confine.h"

extern const struct command cmd_table[];
extern const size_t n_cmd_table;

extern const struct opt_cmd record_opts, replay_opts, live_opts,
	pidstat_opts, sar_opts, sadf_opts, status_opts, mark_opts, info_opts,
	verify_opts, export_opts, load_opts, cut_opts, merge_opts, thin_opts,
	share_opts, who_opts, recover_opts, archive_opts, convert_opts,
	help_opts;
command_fn cmd_record, cmd_replay, cmd_live, cmd_pidstat, cmd_sar,
	cmd_sadf, cmd_status, cmd_mark, cmd_info, cmd_verify, cmd_export,
	cmd_load, cmd_cut, cmd_merge, cmd_thin, cmd_share, cmd_who,
	cmd_recover, cmd_archive, cmd_convert, cmd_help;

/* What `gpsnap help` shows. */
void help_overview(size_t width, struct buf *to);

#endif
