#include "cli/commands.h"

#include <string.h>

#include "base/near.h"

/* In the order in which help lists them. */
const struct command commands[] = {
	{ &record_opts, cmd_record },
	{ &replay_opts, cmd_replay },
	{ &live_opts, cmd_live },
	{ &pidstat_opts, cmd_pidstat },
	{ &sar_opts, cmd_sar },
	{ &sadf_opts, cmd_sadf },
	{ &status_opts, cmd_status },
	{ &mark_opts, cmd_mark },
	{ &info_opts, cmd_info },
	{ &verify_opts, cmd_verify },
	{ &export_opts, cmd_export },
	{ &load_opts, cmd_load },
	{ &cut_opts, cmd_cut },
	{ &merge_opts, cmd_merge },
	{ &thin_opts, cmd_thin },
	{ &share_opts, cmd_share },
	{ &who_opts, cmd_who },
	{ &recover_opts, cmd_recover },
	{ &archive_opts, cmd_archive },
	{ &convert_opts, cmd_convert },
	{ &help_opts, cmd_help },
};

const size_t n_commands = GS_LEN(commands);

const struct command *command_find(const char *name)
{
	size_t i;

	for (i = 0; i < n_commands; i++) {
		if (strcmp(commands[i].opts->name, name) == 0)
			return &commands[i];
	}
	return NULL;
}

const char *command_near(const char *name)
{
	const char *best = NULL;
	size_t i, best_distance = SIZE_MAX;

	for (i = 0; i < n_commands; i++) {
		const char *candidate = commands[i].opts->name;
		size_t d = near_distance(name, candidate);

		if (d >= best_distance || !near_enough(name, candidate))
			continue;
		best = candidate;
		best_distance = d;
	}
	return best;
}
