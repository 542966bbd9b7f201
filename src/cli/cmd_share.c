/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_share.c - gpsnap share: makes a part of a recording that can be given
 * away.
 *
 * OUT may be the last operand, since there is always exactly one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "anonymize/anon.h"
#include "anonymize/keyfile.h"
#include "anonymize/redact.h"
#include "base/path.h"
#include "base/utf8.h"
#include "cli/cmds.h"
#include "cli/config.h"
#include "cli/editing.h"
#include "cli/encrypt.h"
#include "cli/start.h"
#include "replay/recfile.h"

#define LABEL 17
#define DEFAULT_NAME "share.key"

struct share {
	struct editing out;
	const char *encrypt_to;
	struct times when;
	bool anonymize, keep_marks;
	const char *key;
};

/* The names of --anonymize. */
struct pseudonyms {
	struct keyfile key;
	struct anon *anon;
	size_t n_before; /* names in the file at the start */
};

struct sharing {
	const struct share *o;
	struct redact *redact;
	struct pseudonyms names;
	char *keys; /* the directory of the key file; NULL: none */
	char *encrypted; /* of age's output */
};

#define AT(field) .offset = OPT_AT(struct share, field)

static const struct opt options[] = {
	{ OPT_TIME, 0, "from", "TIME", "begin at TIME, as of gpsnap cut",
	    .group = "Which part", AT(when.from) },
	{ OPT_TIME, 0, "to", "TIME",
	    "end at TIME; +5m counts from where --from is", AT(when.to) },
	{ OPT_FLAG, 0, "anonymize", NULL,
	    "put pseudonyms in place of the names of users, databases, hosts, "
	    "objects, ..., of addresses and paths: user-1, host-2",
	    .group = "Whose names", AT(anonymize) },
	{ OPT_PATH, 0, "key", "FILE",
	    "FILE maps pseudonyms to names; it is made if it does not exist; "
	    "the same file gives the same pseudonyms; default: "
	    "~/.config/gpsnap/share.key", AT(key) },
	{ OPT_FLAG, 0, "keep-marks", NULL,
	    "with --anonymize: keep the texts of marks", AT(keep_marks) },
	EDITING_OPTIONS(struct share, out),
	{ OPT_TEXT, 0, "encrypt-to", "RECIPIENT",
	    "encrypt OUT with age, which must be installed, so that only "
	    "RECIPIENT can read it: age1..., ssh-ed25519 ...", AT(encrypt_to) },
	TIME_IS_IN_OPTIONS(struct share, when),
};

static const char *const usage[] = {
	"PATH... OUT [--from TIME] [--to TIME] [--anonymize] [OPTION...]",
	"PATH... -o OUT [OPTION...]", NULL
};

static const char *const about[] = {
	"Makes a recording of a part of another one that can be given away: "
	"literals in query texts are masked; processes that are not the "
	"database's have no arguments; servers have only program, directory "
	"and port. All figures stay the same.",
	"Names stay: of hosts, users, databases, objects, paths, client "
	"addresses; marks, and settings of the server. With --anonymize they "
	"are replaced by pseudonyms, which gpsnap who translates back with the "
	"key file, and marks lose their text. What OUT contains is printed at "
	"the end. Whoever gets OUT needs only gpsnap replay.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap share day.gpsnap -o for-support.gpsnap --from 14:05 --to +5m",
	    "five minutes of a day" },
	{ "gpsnap share day.gpsnap -o for-support.gpsnap --anonymize",
	    "without names" },
	{ NULL, NULL }
};

const struct opt_cmd share_opts = {
	.name = "share",
	.summary = "make a file to give away, without literals",
	OPT_TABLES,
	.exits = cli_exits,
	CONFINED,
};

/* ---- the key file ------------------------------------------------------ */

/* With all directories above it; each may exist. */
static int make_dir(const char *path, struct gs_err *err)
{
	struct buf part = BUF_INIT;
	const char *p;
	int r = GS_OK;

	for (p = path; r == GS_OK && *p; p++) {
		buf_add_char(&part, *p);
		if (p[1] != '/' && p[1] != '\0')
			continue;
		if (mkdir(buf_str(&part), 0700) < 0 && errno != EEXIST)
			r = gs_fail_errno(err, errno, "%s", buf_str(&part));
	}
	buf_release(&part);
	return r;
}

static int default_path(struct buf *to, struct gs_err *err)
{
	int r;

	if (!config_dir(to))
		return gs_fail(err, GS_E_USAGE,
		    "there is no HOME for the key: name a file with --key");
	r = make_dir(buf_str(to), err);
	buf_add_str(to, "/" DEFAULT_NAME);
	return r;
}

/* path NULL: share.key in the directory of the user's own files, which is
 * made. */
static int open_names(struct pseudonyms *p, const char *path,
	struct gs_err *err)
{
	struct buf own = BUF_INIT;
	int r = path ? GS_OK : default_path(&own, err);

	if (r == GS_OK)
		r = keyfile_open(&p->key, path ? path : buf_str(&own), err);
	if (r == GS_OK) {
		p->anon = anon_new(p->key.aliases);
		p->n_before = aliases_count(p->key.aliases);
	}
	buf_release(&own);
	return r;
}

static void close_names(struct pseudonyms *p)
{
	anon_free(p->anon);
	p->anon = NULL;
	keyfile_close(&p->key);
}

static void add_key(const struct pseudonyms *p, struct buf *to)
{
	size_t n = aliases_count(p->key.aliases);

	buf_printf(to, "Whose names these are tells the key, which has %zu "
	    "name%s, %zu of them new.  Keep it:\n  gpsnap who ", n,
	    n == 1 ? "" : "s", n - p->n_before);
	utf8_add_safe(to, p->key.path, strlen(p->key.path));
	buf_add_char(to, '\n');
}

/* ---- messages --------------------------------------------------------- */

static void add_count(struct buf *to, const char *what, size_t n,
	const char *of_it)
{
	if (n > 0)
		buf_printf(to, "  %-*s %6zu  %s\n", LABEL, what, n, of_it);
}

static void add_kind(struct buf *to, const struct sharing *sh,
	enum text_kind kind)
{
	const struct redact *v = sh->redact;
	struct buf s = BUF_INIT;

	if (kind == TEXT_QUERY)
		buf_add_str(&s, sh->o->anonymize
		    ? "literals masked, names replaced" : "literals masked");
	else if (kind == TEXT_TITLE)
		buf_add_str(&s, "of the database's processes");
	else
		buf_printf(&s, "%s%s", redact_first(v, kind),
		    redact_count(v, kind) > REDACT_FIRST_MAX ? ", ..." : "");
	if (text_kind_name(kind))
		add_count(to, text_kind_name(kind), redact_count(v, kind),
		    buf_str(&s));
	buf_release(&s);
}

static void add_last(const struct sharing *s, struct buf *to)
{
	if (!s->o->anonymize) {
		buf_add_str(to, "It does not contain literals of query texts, "
		    "nor arguments of other processes.\n");
		return;
	}
	buf_add_str(to, "It does not contain literals of query texts, "
	    "arguments of other processes, nor other names than these.\n");
	add_key(&s->names, to);
}

static void add_contents(void *ctx, struct buf *to)
{
	const struct sharing *s = ctx;
	int k;

	buf_add_str(to, "It still contains:\n");
	for (k = 0; k < TEXT_KIND_COUNT; k++)
		add_kind(to, s, (enum text_kind)k);
	add_count(to, "settings", redact_settings(s->redact), s->o->anonymize
	    ? "of the server, names replaced"
	    : "of the server, with their values");
	add_count(to, "marks", redact_marks(s->redact), "as they were written");
	add_last(s, to);
}

static int save_names(void *ctx, struct gs_err *err)
{
	struct sharing *s = ctx;

	return s->o->anonymize ? keyfile_save(&s->names.key, err) : GS_OK;
}

/* ---- the run ---------------------------------------------------------- */

/* For the header, which is given away: no names of files. */
static void add_command(const struct share *o, struct buf *to)
{
	buf_add_str(to, "gpsnap share");
	if (o->when.from)
		buf_printf(to, " --from %s", o->when.from);
	if (o->when.to)
		buf_printf(to, " --to %s", o->when.to);
	if (o->anonymize)
		buf_add_str(to, " --anonymize");
}

/* Messages go to the former standard output. */
static void report_encrypted(const struct sharing *s)
{
	struct buf b = BUF_INIT;

	if (s->o->out.quiet)
		return;
	buf_printf(&b, "%s: encrypted to %s\n", s->o->out.out,
	    s->o->encrypt_to);
	add_contents((void *)(uintptr_t)s, &b);
	if (write(STDOUT_FILENO, b.ptr, b.len) < 0)
		cli_notice("standard output: cannot be written");
	buf_release(&b);
}

static int run_encrypted(const struct sharing *s,
	const struct editing_ask *ask, const struct opt_rest *rest)
{
	const struct share *o = s->o;
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
		report_encrypted(s);
	return status;
}

/* A stream may contain names that were written before it failed. */
static int save_streamed(struct sharing *s, int status)
{
	struct gs_err err;

	if (strcmp(s->o->out.out, "-") != 0 || save_names(s, &err) == GS_OK)
		return status;
	return cli_cannot(&err);
}

static int run_with(struct sharing *s, const struct opt_rest *rest)
{
	const struct share *o = s->o;
	struct buf command = BUF_INIT;
	struct editing_ask ask = { .when = &o->when, .redact = s->redact,
		.change = { s->keys, s->encrypted },
		.waits = o->encrypt_to != NULL,
		.before = save_names, .more = add_contents, .ctx = s };
	int status;

	add_command(o, &command);
	ask.command = buf_str(&command);
	if (o->encrypt_to && !confine_explains())
		status = run_encrypted(s, &ask, rest);
	else
		status = editing_run(&share_opts, &o->out, &ask, rest);
	buf_release(&command);
	return save_streamed(s, status);
}

static int run(const struct share *o, const struct opt_rest *rest)
{
	struct sharing s = { .o = o, .names = { .key = KEYFILE_INIT } };
	struct gs_err err;
	int status;

	if (o->anonymize && open_names(&s.names, o->key, &err) < 0) {
		close_names(&s.names);
		return cli_cannot(&err);
	}
	s.redact = redact_new(s.names.anon, o->keep_marks);
	s.keys = o->anonymize ? path_directory(s.names.key.path) : NULL;
	s.encrypted = o->encrypt_to ? path_directory(o->out.out) : NULL;
	status = run_with(&s, rest);
	free(s.keys);
	free(s.encrypted);
	redact_free(s.redact);
	close_names(&s.names);
	return status;
}

static int check(const struct share *o)
{
	int status = times_check(&share_opts, &o->when);

	if (status != CLI_GO)
		return status;
	if (o->encrypt_to && strcmp(o->out.out, "-") == 0)
		return cli_usage(&share_opts,
		    "--encrypt-to: expected a file, not -");
	if (!o->anonymize && (o->key || o->keep_marks))
		return cli_usage(&share_opts, "%s: goes with --anonymize",
		    o->key ? "--key" : "--keep-marks");
	if (o->key && strcmp(o->key, o->out.out) == 0)
		return cli_usage(&share_opts,
		    "--key: expected another file than OUT");
	return CLI_GO;
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
	if (status == CLI_GO)
		status = check(&o);
	return status == CLI_GO ? run(&o, &rest) : status;
}
