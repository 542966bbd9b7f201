/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_who.c - gpsnap who: translates pseudonyms of gpsnap share --anonymize
 * back to names.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anonymize/keyfile.h"
#include "base/sqlwords.h"
#include "base/utf8.h"
#include "cli/cmds.h"
#include "cli/memory.h"
#include "cli/start.h"
#include "render/jsonout.h"

enum who_format { WHO_TEXT, WHO_JSON };

struct who {
	bool text;
	int format;
	uint64_t memory_bytes;
};

static const char *const formats[] = { "text", "json", NULL };

static const struct opt options[] = {
	{ OPT_FLAG, 't', "text", NULL,
	    "copy the standard input, with names in place of pseudonyms",
	    .offset = OPT_AT(struct who, text) },
	{ OPT_ENUM, 'f', "format", "FORMAT", "output format", .dflt = "text",
	    .offset = OPT_AT(struct who, format), .values = formats },
	MEMORY_OPTION(struct who, memory_bytes),
};

static const char *const usage[] = {
	"KEYFILE [NAME...] [-f json]",
	"KEYFILE --text < FILE", NULL
};

static const char *const about[] = {
	"Prints the name of the pseudonym NAME. KEYFILE is the file that "
	"gpsnap share --anonymize reported; it was never given away. If NAME "
	"is not a pseudonym, its pseudonyms are printed. Without NAME, or with "
	"-, all are listed.",
	"With --text a message or the output of a command is translated back.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap who ~/.config/gpsnap/share.key host-1", "a host" },
	{ "gpsnap replay for-support.gpsnap | gpsnap who "
	    "~/.config/gpsnap/share.key --text",
	    "the output that they see, with the names" },
	{ NULL, NULL }
};

static const struct opt_exit exits[] = {
	{ EXIT_DONE, "done" },
	{ EXIT_GAPS, "some NAME is not in KEYFILE" },
	{ EXIT_CANNOT, "error: KEYFILE is unreadable, or damaged" },
	EXITS_END
};

const struct opt_cmd who_opts = {
	.name = "who",
	.summary = "translate pseudonyms back to names",
	OPT_TABLES,
	.exits = exits,
	CONFINED,
};

struct answer {
	const struct who *o;
	const struct aliases *all;
	struct buf out;
};

/* ---- one name --------------------------------------------------------- */

static void add_json(struct buf *to, const char *alias, const char *name)
{
	struct jsonout j;

	if (!jsonout_begin(&j, to))
		return;
	jsonout_open_map(&j);
	jsonout_str(jsonout_name(&j, "pseudonym"), alias);
	jsonout_str(jsonout_name(&j, "name"), name);
	jsonout_close_map(&j);
	jsonout_end(&j);
}

/* which: what is printed where the output is text. */
enum which { WHICH_NAME, WHICH_ALIAS, WHICH_BOTH };

static void add_answer(struct answer *a, const struct alias *x,
	enum which which)
{
	struct buf alias = BUF_INIT, name = BUF_INIT;

	alias_write(x->kind, x->number, &alias);
	if (a->o->format == WHO_JSON) {
		buf_add(&name, x->name.ptr, span_len(x->name));
		add_json(&a->out, buf_str(&alias), buf_str(&name));
	} else {
		utf8_add_safe(&name, x->name.ptr, span_len(x->name));
		if (which == WHICH_BOTH)
			buf_printf(&a->out, "%-11s %s\n", buf_str(&alias),
			    buf_str(&name));
		else
			buf_printf(&a->out, "%s\n", buf_str(which == WHICH_NAME
			    ? &name : &alias));
	}
	buf_release(&alias);
	buf_release(&name);
}

static bool answer_alias(struct answer *a, const char *asked)
{
	struct span s = span_str(asked);
	const struct alias *x = NULL;
	enum alias_kind kind;
	uint32_t number;

	if (alias_scan(&s, &kind, &number) && span_empty(s))
		x = alias_get(a->all, kind, number);
	if (x)
		add_answer(a, x, WHICH_NAME);
	return x != NULL;
}

static bool answer_name(struct answer *a, const char *asked)
{
	size_t i, n = aliases_count(a->all);
	bool any = false;

	for (i = 0; i < n; i++) {
		const struct alias *x = alias_at(a->all, i);

		if (!span_eq(x->name, asked))
			continue;
		add_answer(a, x, WHICH_ALIAS);
		any = true;
	}
	return any;
}

static void answer_all(struct answer *a)
{
	size_t i, n = aliases_count(a->all);

	for (i = 0; i < n; i++)
		add_answer(a, alias_at(a->all, i), WHICH_BOTH);
}

static int answer_names(struct answer *a, const struct opt_rest *rest)
{
	int i, status = EXIT_DONE;

	if (rest->n == 1)
		answer_all(a);
	for (i = 1; i < rest->n; i++) {
		if (strcmp(rest->arg[i], "-") == 0) {
			answer_all(a);
		} else if (!answer_alias(a, rest->arg[i]) &&
		    !answer_name(a, rest->arg[i])) {
			cli_notice("%s: no such name in %s", rest->arg[i],
			    rest->arg[0]);
			status = EXIT_GAPS;
		}
	}
	(void)cli_write(buf_str(&a->out), a->out.len);
	return status;
}

/* ---- texts ------------------------------------------------------------ */

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z');
}

/* As in SQL: texts of queries contain objects. */
static bool needs_quotes(struct span s)
{
	const char *p;

	if (span_empty(s) || (*s.ptr >= '0' && *s.ptr <= '9') ||
	    sqlword_is(SQLWORD_KEY, s))
		return true;
	for (p = s.ptr; p < s.end; p++) {
		if (!(is_word(*p) && (*p < 'A' || *p > 'Z')) && *p != '_')
			return true;
	}
	return false;
}

static void add_name(struct buf *to, const struct alias *x)
{
	const char *p;

	if (x->kind != ALIAS_OBJECT || !needs_quotes(x->name)) {
		utf8_add_safe(to, x->name.ptr, span_len(x->name));
		return;
	}
	buf_add_char(to, '"');
	for (p = x->name.ptr; p < x->name.end; p++) {
		if (*p == '"')
			buf_add_char(to, '"');
		buf_add_char(to, *p);
	}
	buf_add_char(to, '"');
}

/* user-1000.slice is systemd's name for the user with that number. */
static bool is_systems(enum alias_kind kind, struct span rest)
{
	return kind == ALIAS_USER && span_starts(rest, ".slice");
}

/* A table has cut it: its number may have had more digits. */
static bool is_cut(struct span rest)
{
	return span_starts(rest, "\xe2\x80\xa6");
}

static bool replace_alias(struct answer *a, struct span *s)
{
	struct span rest = *s;
	const struct alias *x;
	enum alias_kind kind;
	uint32_t number;

	if (!alias_scan(&rest, &kind, &number) || (!span_empty(rest) &&
	    (is_word(*rest.ptr) || *rest.ptr == '_')) ||
	    is_systems(kind, rest) || is_cut(rest))
		return false;
	x = alias_get(a->all, kind, number);
	if (!x)
		return false;
	add_name(&a->out, x);
	*s = rest;
	return true;
}

/* Two blanks or more are between columns of a table, outside of quotes: what
 * follows stays below its heading.  *ahead: by how many columns names were longer
 * than pseudonyms. */
static void add_blanks(struct answer *a, struct span *s, ptrdiff_t *ahead)
{
	size_t n = 0;
	ptrdiff_t want;

	while (s->ptr + n < s->end && s->ptr[n] == ' ')
		n++;
	s->ptr += n;
	want = n < 2 ? (ptrdiff_t)n : GS_MAX((ptrdiff_t)n - *ahead, 1);
	*ahead -= (ptrdiff_t)n - want;
	for (; want > 0; want--)
		buf_add_char(&a->out, ' ');
}

static void turn_back(struct answer *a, struct span s)
{
	bool within = false; /* a word */
	bool quoted = false; /* of CSV or JSON, say */
	ptrdiff_t ahead = 0;

	while (!span_empty(s)) {
		const char *p = s.ptr;
		size_t len = a->out.len;

		if (!within && replace_alias(a, &s)) {
			within = true;
			ahead += (ptrdiff_t)utf8_width(a->out.ptr + len,
			    a->out.len - len) - (s.ptr - p);
			continue;
		}
		quoted ^= *s.ptr == '"';
		if (*s.ptr == ' ' && !quoted) {
			within = false;
			add_blanks(a, &s, &ahead);
			continue;
		}
		within = is_word(*s.ptr);
		buf_add_char(&a->out, *s.ptr++);
	}
}

static int turn_text_back(struct answer *a)
{
	struct gs_err err;
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	int status = EXIT_DONE;

	while ((n = getline(&line, &cap, stdin)) > 0) {
		buf_reset(&a->out);
		turn_back(a, span_of(line, (size_t)n));
		if (!cli_write(buf_str(&a->out), a->out.len))
			break;
	}
	if (ferror(stdin)) {
		(void)gs_fail_errno(&err, errno, "standard input");
		status = cli_cannot(&err);
	}
	free(line);
	return status;
}

/* ---- the run ---------------------------------------------------------- */

static int check(const struct who *o, const struct opt_rest *rest)
{
	if (rest->n == 0)
		return cli_usage(&who_opts,
		    "expected a key file, as gpsnap share --anonymize made it");
	if (o->text && rest->n > 1)
		return cli_usage(&who_opts,
		    "--text reads the standard input: expected no NAME");
	if (o->text && o->format == WHO_JSON)
		return cli_usage(&who_opts, "--text: has no json output");
	return CLI_GO;
}

int cmd_who(int argc, char **argv)
{
	struct who o = { 0 };
	struct answer a = { .o = &o };
	struct aliases *all = NULL;
	struct opt_rest rest;
	struct gs_err err;
	int status = cli_start(&who_opts, argc, argv, &o, &rest);

	if (status == CLI_GO)
		status = check(&o, &rest);
	if (status == CLI_GO)
		status = cli_confine(&who_opts, &(struct confine) {
		    .read = rest.arg, .n_read = 1 });
	if (status != CLI_GO)
		return status;
	if (keyfile_read(rest.arg[0], &all, &err) < 0)
		return cli_cannot(&err);
	a.all = all;
	status = o.text ? turn_text_back(&a) : answer_names(&a, &rest);
	buf_release(&a.out);
	aliases_free(all);
	return cli_finish(status);
}
