/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands.h"

#include <string.h>

#include "base/suggest.h"

static const struct command *commands;
static size_t n_commands;

void commands_use(const struct command *table, size_t n)
{
	commands = table;
	n_commands = n;
}

const struct command *command_at(size_t i)
{
	return i < n_commands ? &commands[i] : NULL;
}

const struct command *command_find(const char *name)
{
	size_t i;

	for (i = 0; i < n_commands; i++) {
		if (strcmp(commands[i].opts->name, name) == 0)
			return &commands[i];
	}
	return NULL;
}

const char *command_suggest(const char *name)
{
	const char *best = NULL;
	size_t i, best_distance = SIZE_MAX;

	for (i = 0; i < n_commands; i++) {
		const char *candidate = commands[i].opts->name;
		size_t d = suggest_distance(name, candidate);

		if (d >= best_distance || !suggest_is_close(name, candidate))
			continue;
		best = candidate;
		best_distance = d;
	}
	return best;
}
