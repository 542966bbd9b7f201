/*
 * cmd_share.c - gpsnap share: a part of a recording for somebody else.
 *
 * OUT may be the last operand, since there is always exactly one.
 */
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/editing.h"
#include "cli/encrypt.h"
#include "cli/start.h"
#include "edit/veil.h"

#define LABEL 17

struct share {
	struct editing out;
	const char *encrypt_to;
	const char *from, *to;
	bool utc;
	const char *tz;
};

static const struct opt options[] = {
	{ OPT_TIME, 0, "from", "TIME",
	    "begin at TIME, as of gpsnap cut",
	    .group = "Which part", .offset = OPT_AT(struct share, from) },
	{ OPT_TIME, 0, "to", "TIME",
	    "end at TIME; +5m counts from where --from is",
	    .offset = OPT_AT(struct share, to) },
	EDITING_OPTIONS(struct share, out),
	{ OPT_TEXT, 0, "encrypt-to", "RECIPIENT",
	    "encrypt OUT with age, which must be installed, so that only "
	    "RECIPIENT can read it: age1..., ssh-ed25519 ...",
	    .offset = OPT_AT(struct share, encrypt_to) },
	{ OPT_FLAG, 'u', "utc", NULL,
	    "TIME is in UTC, not in the recording's zone",
	    .group = "How times are written",
	    .offset = OPT_AT(struct share, utc) },
	{ OPT_TEXT, 0, "tz", "ZONE", "TIME is in ZONE: Europe/Berlin, +01:00",
	    .offset = OPT_AT(struct share, tz) },
};

static const char *const usage[] = {
	"PATH... OUT [--from TIME] [--to TIME] [OPTION...]",
	"PATH... -o OUT [OPTION...]", NULL
};

static const char *const about[] = {
	"Makes a recording of a part of another one that can be given away: "
	"literals of query texts are masked; of processes that are not the "
	"database's there are no arguments, of servers only program, "
	"directory and port. All figures are what they were.",
	"Names stay: of hosts, users, databases, objects, paths, client "
	"addresses; marks, and settings of the server. What of that OUT "
	"contains is said in the end. Whoever gets OUT needs only gpsnap "
	"replay.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap share day.gpsnap -o for-support.gpsnap --from 14:05 --to +5m",
	    "five minutes of a day" },
	{ NULL, NULL }
};

const struct opt_cmd share_opts = {
	.name = "share",
	.summary = "make a file for somebody else, without literals",
	.usage = usage,
	.about = about,
	.opt = options,
	.n_opt = GS_LEN(options),
	.example = examples,
	.exits = cli_exits,
};

/* ---- telling ---------------------------------------------------------- */

static void add_count(struct buf *to, const char *what, size_t n,
	const char *of_it)
{
	if (n > 0)
		buf_printf(to, "  %-*s %6zu  %s\n", LABEL, what, n, of_it);
}

static void add_kind(struct buf *to, const struct veil *v,
	enum text_kind kind)
{
	struct buf s = BUF_INIT;

	if (kind == TEXT_QUERY)
		buf_add_str(&s, "literals masked");
	else if (kind == TEXT_TITLE)
		buf_add_str(&s, "of the database's processes");
	else
		buf_printf(&s, "%s%s", veil_first(v, kind),
		    veil_count(v, kind) > VEIL_FIRST_MAX ? ", ..." : "");
	if (text_kind_name(kind))
		add_count(to, text_kind_name(kind), veil_count(v, kind),
		    buf_str(&s));
	buf_release(&s);
}

static void tell(void *ctx, struct buf *to)
{
	const struct veil *v = ctx;
	int k;

	buf_add_str(to, "It still contains:\n");
	for (k = 0; k < TEXT_KIND_COUNT; k++)
		add_kind(to, v, (enum text_kind)k);
	add_count(to, "settings", veil_settings(v),
	    "of the server, with their values");
	add_count(to, "marks", veil_marks(v), "as they were written");
	buf_add_str(to, "It does not contain literals of query texts, nor "
	    "arguments of other processes.\n");
}

/* ---- the way ---------------------------------------------------------- */

/* For the header, which is given away: without the names of files. */
static void add_command(const struct share *o, struct buf *to)
{
	buf_add_str(to, "gpsnap share");
	if (o->from)
		buf_printf(to, " --from %s", o->from);
	if (o->to)
		buf_printf(to, " --to %s", o->to);
}

/* What is told goes where the standard output went before. */
static void tell_encrypted(const struct share *o, const struct veil *v)
{
	struct buf b = BUF_INIT;

	if (o->out.quiet)
		return;
	buf_printf(&b, "%s: encrypted to %s\n", o->out.out, o->encrypt_to);
	tell((void *)(uintptr_t)v, &b);
	if (write(STDOUT_FILENO, b.ptr, b.len) < 0)
		cli_notice("standard output: cannot be written");
	buf_release(&b);
}

static int run_encrypted(const struct share *o, const struct editing_ask *ask,
	const struct opt_rest *rest)
{
	struct editing to_age = o->out;
	struct encrypt e;
	struct gs_err err;
	int status;

	if (encrypt_begin(&e, o->out.out, o->out.force, o->encrypt_to,
	    &err) < 0)
		return cli_cannot(&err);
	to_age.out = "-";
	to_age.force = false;
	status = editing_run(&share_opts, &to_age, ask, rest);
	if (encrypt_end(&e, status == EXIT_DONE || status == EXIT_GAPS,
	    &err) < 0)
		return cli_cannot(&err);
	if (status == EXIT_DONE || status == EXIT_GAPS)
		tell_encrypted(o, ask->veil);
	return status;
}

static int run(const struct share *o, const struct opt_rest *rest)
{
	struct buf command = BUF_INIT;
	struct veil *veil = veil_new();
	struct editing_ask ask = { .from = o->from, .to = o->to,
		.utc = o->utc, .tz = o->tz, .veil = veil, .more = tell,
		.ctx = veil };
	int status;

	add_command(o, &command);
	ask.command = buf_str(&command);
	if (o->encrypt_to)
		status = run_encrypted(o, &ask, rest);
	else
		status = editing_run(&share_opts, &o->out, &ask, rest);
	veil_free(veil);
	buf_release(&command);
	return status;
}

int cmd_share(int argc, char **argv)
{
	struct share o = { 0 };
	struct opt_rest rest;
	int status = cli_start(&share_opts, argc, argv, &o, &rest);

	if (status != CLI_GO)
		return status;
	if (!o.out.out && rest.n > 1)
		o.out.out = rest.arg[--rest.n];
	status = editing_check(&share_opts, &o.out, &rest);
	if (status == CLI_GO && o.utc && o.tz)
		status = cli_usage(&share_opts,
		    "--utc and --tz: expected only one of them");
	if (status == CLI_GO && o.encrypt_to && strcmp(o.out.out, "-") == 0)
		status = cli_usage(&share_opts,
		    "--encrypt-to: expected a file, not -");
	return status == CLI_GO ? run(&o, &rest) : status;
}
