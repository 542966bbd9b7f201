/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show_explain.h"

#include <string.h>

#include "base/wrap.h"
#include "cli/console.h"
#include "cli/tables.h"
#include "render/cell.h"
#include "view/ask.h"
#include "view/explain.h"

#define INDENT ((size_t)4)

static void add_item(struct buf *to, const char *text, size_t width)
{
	buf_add_fill(to, ' ', INDENT);
	wrap_add(to, text, INDENT, INDENT, width);
}

static void add_definitions(const char *view, size_t width, struct buf *to)
{
	struct explain x;
	bool first = true;
	size_t i;

	for (i = 0; explain_get(i, &x); i++) {
		if (!explain_is_of(&x, view))
			continue;
		buf_add_str(to, first ? "\nDefinitions:\n" : "");
		buf_printf(to, "  %s\n", x.term);
		add_item(to, x.text, width);
		first = false;
	}
}

static void add_column(const struct grid_col *c, size_t width,
	struct buf *to)
{
	struct buf help = BUF_INIT;
	const char *unit = quantity_unit(c->quantity);

	buf_add_str(&help, c->help);
	if (*unit && strcmp(unit, "id") != 0)
		buf_printf(&help, " (%s)", unit);
	buf_printf(to, "  %s, %s\n", c->title, c->name);
	add_item(to, buf_str(&help), width);
	buf_release(&help);
}

/* v NULL: of a grouping. */
static void add_columns(const struct view *v, size_t width, struct buf *to)
{
	struct grid_col c;
	const char *many;
	size_t i;

	for (i = 0; view_column(v, i, &c, &many); i++) {
		buf_add_str(to, i == 0 ? "\nColumns:\n" : "");
		add_column(&c, width, to);
	}
}

int show_explain(const struct opt_cmd *cmd, const struct replay_options *o)
{
	struct ask_words words = tables_words(o);
	size_t width = o->width ? (size_t)o->width : cli_width();
	struct buf text = BUF_INIT;
	const struct view *v;
	struct ask *a = NULL;
	struct gs_err err;

	if (!o->explain)
		return CLI_GO;
	if (ask_new(&words, &a, &err) < 0)
		return cli_usage(cmd, "%s", err.msg);
	v = ask_view(a);
	buf_printf(&text, "%s: ", view_name(v));
	wrap_add(&text, view_help(v), strlen(view_name(v)) + 2, INDENT, width);
	add_definitions(view_name(v), width, &text);
	add_columns(o->group_by ? NULL : v, width, &text);
	if (view_is_overview(v))
		wrap_add(&text, "It is made of other views: gpsnap replay "
		    "--explain -V sessions, -V processes, -V hosts, -V "
		    "events.", 0, 0, width);
	ask_free(a);
	return cli_print(&text);
}
