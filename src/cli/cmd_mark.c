/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_mark.c - gpsnap mark: puts a user's mark into a recording while it is
 * made.
 */
#include <string.h>

#include "cli/cmds.h"
#include "cli/start.h"
#include "record/control.h"
#include "record/running.h"

static const char *const usage[] = { "[RECORDING] TEXT", NULL };

static const char *const about[] = {
	"Puts TEXT, the time and the user's name into the recording that is "
	"being written to RECORDING, a file or a directory: an event called "
	"mark, which replay shows above every table. Without RECORDING: the "
	"only recording that this user is making, or the one in ~/gpsnap/.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap mark \"deployed 2.3\"", "what happened just now" },
	{ NULL, NULL }
};

static const struct opt_exit exits[] = {
	{ EXIT_DONE, "done: the next tick has it" },
	{ EXIT_CANNOT, "error: the recorder did not accept it" },
	{ EXIT_NOTHING, "no recorder runs, or none that writes RECORDING" },
	EXITS_END
};

const struct opt_cmd mark_opts = {
	.name = "mark",
	.summary = "put a mark into a recording that is being made",
	.usage = usage,
	.about = about,
	.opt = NULL,
	.n_opt = 0,
	.example = examples,
	.exits = exits,
};

static int check_text(const char *text)
{
	if (text[strspn(text, " \t")] == '\0')
		return cli_usage(&mark_opts, "the text is empty");
	if (strchr(text, '\n'))
		return cli_usage(&mark_opts, "the text is more than a line");
	if (strlen(text) > CONTROL_MARK_MAX)
		return cli_usage(&mark_opts,
		    "the text has %zu bytes: expected at most %zu",
		    strlen(text), CONTROL_MARK_MAX);
	return CLI_GO;
}

static int send_mark(const struct running *r, const char *text, struct gs_err *err)
{
	struct buf request = BUF_INIT, answer = BUF_INIT;
	int status;

	buf_printf(&request, "mark %s", text);
	status = ask(&r->whom, buf_str(&request), &answer, err);
	buf_release(&request);
	buf_release(&answer);
	return status;
}

/* The text was forgotten: a recording stands in its place. */
static bool is_recording(const struct runnings *all, const char *text)
{
	const struct running *r;
	struct gs_err err;

	return runnings_choose(all, text, NULL, &r, &err) == 0;
}

static int mark(const char *path, const char *text)
{
	struct runnings all = RUNNINGS_INIT;
	const struct running *r;
	struct buf usual = BUF_INIT;
	struct gs_err err;
	size_t mute;
	int status = runnings_find(&all, &err);

	if (status == 0 && !path && is_recording(&all, text)) {
		runnings_release(&all);
		return cli_usage(&mark_opts, "%s is a recording that is being "
		    "made: expected a text after it", text);
	}
	if (status == 0)
		status = runnings_choose(&all, path, cli_default_dir(&usual),
		    &r, &err);
	if (status == 0)
		status = send_mark(r, text, &err);
	if (status != 0)
		cli_warning_lines(buf_str(&all.mute));
	mute = all.n_mute;
	runnings_release(&all);
	buf_release(&usual);
	if (status == 0)
		return EXIT_DONE;
	(void)cli_cannot(&err); /* the status says more */
	return status == GS_E_NOTFOUND && mute == 0 ? EXIT_NOTHING
	                                            : EXIT_CANNOT;
}

int cmd_mark(int argc, char **argv)
{
	struct opt_rest rest;
	char none = 0;
	int status = cli_start(&mark_opts, argc, argv, &none, &rest);

	if (status != CLI_GO)
		return status;
	if (rest.n == 0)
		return cli_usage(&mark_opts, "expected a text");
	if (rest.n > 2)
		return cli_usage(&mark_opts,
		    "expected one text: put it into quotes");
	status = check_text(rest.arg[rest.n - 1]);
	if (status == CLI_GO)
		status = mark(rest.n == 2 ? rest.arg[0] : NULL,
		    rest.arg[rest.n - 1]);
	return status;
}
