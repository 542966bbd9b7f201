/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opt_help.c - help texts and lists from a table of options.
 *
 * Help is in the order in which a new user reads: usage, description, examples,
 * options by purpose, exit status.
 */
#include <string.h>

#include "cli/opt.h"

#include "base/wrap.h"

#define WIDTH_MIN ((size_t)40)
#define INDENT ((size_t)2)
#define HELP_COLUMN ((size_t)28) /* column of an option's help */

static void add_usage(struct buf *to, const struct opt_cmd *c, size_t width)
{
	size_t i;

	for (i = 0; c->usage[i]; i++) {
		size_t start = to->len;
		size_t at;

		buf_printf(to, "%s gpsnap %s ", i ? "      " : "usage:",
		    c->name);
		at = to->len - start;
		wrap_add(to, c->usage[i], at, at, width);
	}
}

/* "-i, --interval=INTERVAL"; an enum shows its values where they are few. */
static void add_names(struct buf *to, const struct opt *o)
{
	bool may = o->kind == OPT_MAYBE || o->kind == OPT_MAYBES;

	if (o->short_name)
		buf_printf(to, "-%c, ", o->short_name);
	else
		buf_add_str(to, "    ");
	buf_printf(to, "--%s", o->name);
	if (o->arg)
		buf_printf(to, may ? "[=%s]" : o->kind == OPT_COMMAND
		    ? " %s" : "=%s", o->arg);
}

static void add_values(struct buf *to, const struct opt *o)
{
	size_t i;

	buf_add_str(to, ": ");
	for (i = 0; o->values[i]; i++)
		buf_printf(to, "%s%s", i == 0 ? "" :
		    o->values[i + 1] ? ", " : " or ", o->values[i]);
}

static void add_option(struct buf *to, const struct opt *o, size_t width)
{
	struct buf text = BUF_INIT;
	size_t start = to->len;
	size_t at;

	buf_add_fill(to, ' ', INDENT);
	add_names(to, o);
	at = to->len - start;
	if (at + 2 > HELP_COLUMN) {
		buf_add_char(to, '\n');
		at = 0;
	}
	buf_add_fill(to, ' ', HELP_COLUMN - at);
	buf_add_str(&text, o->help);
	if (o->kind == OPT_ENUM)
		add_values(&text, o);
	if (o->dflt && o->kind != OPT_FLAG)
		buf_printf(&text, " (default %s)", o->dflt);
	wrap_add(to, buf_str(&text), HELP_COLUMN, HELP_COLUMN, width);
	buf_release(&text);
}

/* -h may be another option. */
static struct opt help_of(const struct opt_cmd *c)
{
	struct opt help = { .kind = OPT_HELP, .short_name = 'h',
		.name = "help", .help = "show this text" };
	size_t i;

	for (i = 0; i < c->n_opt; i++) {
		if (c->opt[i].short_name == help.short_name)
			help.short_name = 0;
	}
	return help;
}

static void add_common(struct buf *to, const struct opt_cmd *c, size_t width)
{
	size_t i;

	for (i = 0; i < c->n_common; i++) {
		if (c->common[i].group)
			buf_printf(to, "\n%s:\n", c->common[i].group);
		add_option(to, &c->common[i], width);
	}
}

/* --help comes at the end of the first group. */
static void add_options(struct buf *to, const struct opt_cmd *c, size_t width)
{
	const struct opt help = help_of(c);
	size_t i, groups = 0; /* after the first */

	for (i = 0; i < c->n_opt; i++) {
		const struct opt *o = &c->opt[i];

		if (o->hidden)
			continue;
		if (i > 0 && o->group && ++groups == 1)
			add_option(to, &help, width);
		if (i == 0 || o->group)
			buf_printf(to, "\n%s:\n", o->group ? o->group
			                                   : "Options");
		add_option(to, o, width);
	}
	if (c->n_opt == 0)
		buf_add_str(to, "\nOptions:\n");
	if (groups == 0)
		add_option(to, &help, width);
	add_common(to, c, width);
}

static void add_examples(struct buf *to, const struct opt_cmd *c, size_t width)
{
	const struct opt_example *e;

	if (!c->example)
		return;
	buf_add_str(to, "\nExamples:\n");
	for (e = c->example; e->line; e++) {
		buf_printf(to, "  %s\n      ", e->line);
		wrap_add(to, e->text, 6, 6, width);
	}
}

void opt_help(const struct opt_cmd *c, size_t width, struct buf *to)
{
	size_t i;

	width = GS_MAX(width, WIDTH_MIN);
	add_usage(to, c, width);
	buf_add_char(to, '\n');
	wrap_add(to, c->summary, 0, 0, width);
	for (i = 0; c->about && c->about[i]; i++) {
		buf_add_char(to, '\n');
		wrap_add(to, c->about[i], 0, 0, width);
	}
	add_examples(to, c, width);
	add_options(to, c, width);
	if (!c->exits)
		return;
	buf_add_str(to, "\nExit status:\n");
	for (i = 0; c->exits[i].text; i++) {
		buf_printf(to, "  %-4d", c->exits[i].status);
		wrap_add(to, c->exits[i].text, 6, 6, width);
	}
}

void opt_list(const struct opt_cmd *c, struct buf *to)
{
	size_t i, k;

	for (i = 0; i < c->n_opt; i++) {
		const struct opt *o = &c->opt[i];

		if (o->hidden)
			continue;
		if (o->short_name)
			buf_printf(to, "-%c", o->short_name);
		else
			buf_add_char(to, '-');
		buf_printf(to, "\t--%s\t", o->name);
		for (k = 0; o->kind == OPT_ENUM && o->values[k]; k++)
			buf_printf(to, "%s%s", k ? "|" : "", o->values[k]);
		if (o->kind != OPT_ENUM)
			buf_add_str(to, opt_kind_name(o->kind));
		buf_printf(to, "\t%s\t%s\n", o->arg ? o->arg : "-", o->help);
	}
	for (i = 0; i < c->n_common; i++)
		buf_printf(to, "-\t--%s\tflag\t-\t%s\n", c->common[i].name,
		    c->common[i].help);
	buf_printf(to, "%s\t--help\tflag\t-\tshow this text\n",
	    help_of(c).short_name ? "-h" : "-");
}
