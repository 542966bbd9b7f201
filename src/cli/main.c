/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - finds the command and runs it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/gate.h"
#include "base/mem.h"
#include "cli/charset.h"
#include "cli/cmds.h"
#include "cli/start.h"
#include "sandbox/inherited.h"
#include "view/view.h"

static int wrong(const char *what, const char *name, const char *near)
{
	if (near)
		cli_notice("unknown %s %s (did you mean %s?)", what, name,
		    near);
	else
		cli_notice("unknown %s %s", what, name);
	(void)fputs("try gpsnap --help\n", stderr); /* nowhere to complain */
	return EXIT_WRONG_USAGE;
}

static int not_command(const char *name, const char *instead)
{
	cli_notice("unknown command %s; it is %s%s", name, instead, name);
	return EXIT_WRONG_USAGE;
}

static int show_version(void)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "gpsnap %s\n", cli_version());
	return cli_print(&b);
}

static int show_overview(void)
{
	struct buf b = BUF_INIT;

	help_overview(cli_width(), &b);
	return cli_print(&b);
}

/* No arguments: prints the overview to the standard error. */
static int show_nothing(void)
{
	struct buf b = BUF_INIT;

	help_overview(cli_width(), &b);
	(void)fwrite(b.ptr, 1, b.len, stderr); /* nowhere to complain */
	buf_release(&b);
	return EXIT_WRONG_USAGE;
}

static bool has_word(char *const *argv, const char *word)
{
	for (; *argv; argv++) {
		if (strcmp(*argv, word) == 0)
			return true;
	}
	return false;
}

/* Open descriptors, too, must be out of reach of a stranger's recording. */
static int run(const struct command *c, int argc, char **argv)
{
	if (c->rights & RIGHT_ALL)
		gate_open();
	else if (!has_word(argv, "--no-sandbox"))
		inherited_close(argv, environ);
	return c->run(argc, argv);
}

/*
 * "--record FILE ..." is "record -o FILE ...", with FILE left out where an
 * option or nothing follows; "--replay FILE ..." is "replay FILE ...".
 */
static int run_dashed(const char *name, const char *file, int argc,
	char **argv)
{
	const struct command *c = command_find(name);
	char **args = gs_calloc((size_t)argc + 4, sizeof(*args));
	char dash_o[] = "-o";
	char *word = gs_strdup(name);
	char *path = file ? gs_strdup(file) : NULL;
	int n = 0, status;

	args[n++] = word;
	if (!path && argc > 0 && argv[0][0] != '-') {
		path = gs_strdup(argv[0]);
		argv++;
		argc--;
	}
	if (path && strcmp(name, "record") == 0)
		args[n++] = dash_o;
	if (path)
		args[n++] = path;
	if (argc > 0)
		memcpy(args + n, argv, (size_t)argc * sizeof(*args));
	status = run(c, n + argc, args);
	free(path);
	free(word);
	free(args);
	return status;
}

/* "--record", "--record=FILE"; NULL if word is neither. */
static const char *match_dashed(const char *word, const char **ret_file)
{
	static const char *const names[] = { "record", "replay" };
	size_t i;

	for (i = 0; i < GS_LEN(names); i++) {
		size_t len = strlen(names[i]);

		if (strncmp(word, "--", 2) != 0 ||
		    strncmp(word + 2, names[i], len) != 0)
			continue;
		*ret_file = word[2 + len] == '=' ? word + 3 + len : NULL;
		if (word[2 + len] == '\0' || *ret_file)
			return command_find(names[i]) ? names[i] : NULL;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const struct command *c;
	const char *dashed, *file;

	commands_use(cmd_table, n_cmd_table);
	cli_own_standard();
	gate_shut();
	charset_use();
	if (argc < 2 || argv[1][0] == '\0')
		return show_nothing();
	c = command_find(argv[1]);
	if (c)
		return run(c, argc - 1, argv + 1);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return show_overview();
	if (strcmp(argv[1], "--version") == 0 ||
	    strcmp(argv[1], "version") == 0)
		return show_version();
	dashed = match_dashed(argv[1], &file);
	if (dashed)
		return run_dashed(dashed, file, argc - 2, argv + 2);
	if (argv[1][0] == '-')
		return wrong("option", argv[1], NULL);
	if (view_find(argv[1]))
		return not_command(argv[1],
		    "a view: gpsnap replay FILE -V ");
	if (access(argv[1], F_OK) == 0)
		return not_command(argv[1], "a file: gpsnap replay ");
	return wrong("command", argv[1], command_suggest(argv[1]));
}
