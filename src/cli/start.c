/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/start.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/user.h"
#include "cli/config.h"
#include "cli/confine.h"
#include "cli/memory.h"
#include "record/runnable.h"

const struct opt_exit cli_exits[] = {
	{ EXIT_DONE, "done" },
	{ EXIT_GAPS, "done, but data is missing or damaged" },
	{ EXIT_CANNOT, "error: not a recording, unreadable, or the output "
	    "can't be written" },
	EXITS_END
};

const char *cli_version(void)
{
	return GS_VERSION;
}

const char *cli_default_dir(struct buf *path)
{
	const char *home = getenv("HOME");
	char *found = NULL;

	if (!home || home[0] == '\0') {
		found = user_home(getuid());
		home = found ? found : ".";
	}
	buf_printf(path, "%s/gpsnap/", home);
	free(found);
	return buf_str(path);
}

int cli_no_default_dir(const char *dir, const char *hint, int status,
	struct gs_err *err)
{
	if (status != GS_E_NOTFOUND || access(dir, F_OK) == 0)
		return status;
	return gs_fail(err, GS_E_NOTFOUND, "%s: no such directory, which is "
	    "the default: %s", dir, hint);
}

int cli_check_command(const char *name)
{
	struct gs_err err;
	int status = name ? runnable_check(name, &err) : 0;

	if (status == 0)
		return CLI_GO;
	(void)cli_cannot(&err); /* status as of a shell */
	return status;
}

/* Opened in the wrong mode, so that reading or writing fails with EBADF, as it
 * would without. open() returns the lowest free number. */
void cli_own_standard(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)open("/dev/null", /* on failure: as before */
			    fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Removes --no-config, which every command has, and the sandbox options from
 * argv; returns how many words are left. */
static int without_common(const struct opt_cmd *c, int argc, char **argv)
{
	bool options = true, sandbox = c->n_common > 0;
	int i, n = 0;

	for (i = 0; i < argc; i++) {
		options = options && strcmp(argv[i], "--") != 0;
		if (options && strcmp(argv[i], "--no-config") == 0)
			config_off();
		else if (!options || !sandbox || !confine_option(argv[i]))
			argv[n++] = argv[i];
	}
	argv[n] = NULL;
	return n;
}

int cli_start(const struct opt_cmd *c, int argc, char **argv, void *to,
	struct opt_rest *ret)
{
	struct gs_err err;
	struct buf text = BUF_INIT;

	if (opt_parse_over(c, without_common(c, argc, argv), argv, to,
	    strcmp(c->name, "help") == 0 ? NULL : config_apply, ret, &err) < 0)
		return cli_wrong_usage(c, err.msg);
	if (!ret->help && memory_begin(c, to, &err) < 0)
		return cli_wrong_usage(c, err.msg);
	if (!ret->help)
		return CLI_GO;
	opt_help(c, cli_width(), &text);
	return cli_print(&text);
}
