/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_diff.c - gpsnap diff: two sides of recordings compared.
 */
#include <string.h>

#include "cli/cmds.h"
#include "cli/console.h"
#include "cli/diff_sides.h"
#include "cli/start.h"

static struct diff_options options_of(const struct diff_options_cli *o,
	const struct printer *p)
{
	return (struct diff_options) {
		.words = { .view = o->view, .group_by = o->group_by,
		    .where = o->where, .session = o->session,
		    .server = o->server, .sort = o->sort,
		    .columns = o->columns, .limit = (size_t)o->limit,
		    .nested = o->nested, .flatten = o->flatten.text,
		    .n_flatten = o->flatten.n,
		    .wait = WAIT_ASK_INIT },
		.entity = o->entity, .sections = o->sections,
		.metrics = o->metrics, .fail_if = o->fail_if,
		.form = (enum diff_form)o->form, .totals = o->totals,
		.literal = o->literal, .fuzzy = o->fuzzy,
		.for_people = render_can(o->format, RENDER_FOR_PEOPLE),
		.utf8 = p->options.utf8 };
}

static int status_of(const struct sides *s, const struct diff_result *res)
{
	bool part = archive_is_part(s->input[0].archive, s->side[0].range.from_ns,
	    s->side[0].range.to_ns) || archive_is_part(s->input[1].archive,
	    s->side[1].range.from_ns, s->side[1].range.to_ns);

	if (res->n_true > 0)
		return EXIT_TRUE;
	return res->n_holes || res->unrecorded || part ? EXIT_GAPS : EXIT_DONE;
}

static int run(struct sides *s, const struct diff_options_cli *o)
{
	struct diff_result res = { 0 };
	struct diff_options options;
	struct show_output out;
	struct printer printer;
	struct gs_err err = { .status = GS_OK };
	int r = sides_open(s, o, &err);

	output_init(&printer, (enum render_format)o->format, (size_t)o->width,
	    (enum output_color)o->color);
	if (o->no_header)
		output_no_header(&printer);
	out = output_for_show(&printer);
	options = options_of(o, &printer);
	if (r == GS_OK)
		r = diff_run(&options, s->side, &out, &res, &err);
	output_release(&printer);
	return r == GS_OK ? status_of(s, &res) : cli_fail(&diff_opts, &err);
}

static int print_list(void (*list)(struct buf *to))
{
	struct buf text = BUF_INIT;

	list(&text);
	return cli_print(&text);
}

static bool is_list(const char *names)
{
	return names && strcmp(names, "list") == 0;
}

int cmd_diff(int argc, char **argv)
{
	struct sides s = { 0 };
	struct diff_options_cli o;
	struct opt_rest rest;
	int status = diff_start(argc, argv, &o, &rest);

	if (status == CLI_GO && is_list(o.sections))
		return print_list(diff_list_sections);
	if (status == CLI_GO && is_list(o.entity))
		return print_list(diff_list_entities);
	if (status == CLI_GO)
		status = sides_parse(&s, &o, &rest);
	if (status == CLI_GO)
		status = cli_confine(&diff_opts, &(struct confine) {
		    .read = s.read, .n_read = 2 });
	if (status == CLI_GO)
		status = cli_finish(run(&s, &o));
	sides_release(&s);
	return status;
}
