/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmds.h"

/* In the order of help.  Each row declares what the command may do once it
 * reads recordings. */
const struct command cmd_table[] = {
	{ &record_opts, RIGHT_ALL, cmd_record },
	{ &replay_opts, RIGHT_READ | RIGHT_TERMINAL, cmd_replay },
	{ &live_opts, RIGHT_ALL, cmd_live },
	{ &pidstat_opts, RIGHT_READ, cmd_pidstat },
	{ &sar_opts, RIGHT_READ | RIGHT_SPOOL, cmd_sar },
	{ &sadf_opts, RIGHT_READ, cmd_sadf },
	{ &status_opts, RIGHT_ALL, cmd_status },
	{ &mark_opts, RIGHT_ALL, cmd_mark },
	{ &info_opts, RIGHT_READ, cmd_info },
	{ &verify_opts, RIGHT_READ, cmd_verify },
	{ &export_opts, RIGHT_READ | RIGHT_SPOOL, cmd_export },
	{ &load_opts, RIGHT_READ | RIGHT_TALK, cmd_load },
	{ &cut_opts, RIGHT_READ | RIGHT_MAKE, cmd_cut },
	{ &merge_opts, RIGHT_READ | RIGHT_MAKE, cmd_merge },
	{ &thin_opts, RIGHT_READ | RIGHT_MAKE, cmd_thin },
	{ &share_opts, RIGHT_READ | RIGHT_MAKE | RIGHT_WAIT, cmd_share },
	{ &who_opts, RIGHT_READ, cmd_who },
	{ &recover_opts, RIGHT_READ | RIGHT_MAKE, cmd_recover },
	{ &archive_opts, RIGHT_READ | RIGHT_MAKE, cmd_archive },
	{ &convert_opts, RIGHT_READ | RIGHT_MAKE, cmd_convert },
	{ &help_opts, RIGHT_ALL, cmd_help },
};

const size_t n_cmd_table = GS_LEN(cmd_table);
