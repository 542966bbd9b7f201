/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_text.c - what a view is, and what its columns are, in words.
 */
#include <string.h>
#include <strings.h>

#include "base/wrap.h"
#include "view/explain.h"
#include "view/view.h"

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

/* Once, where the help itself begins with the name: "disks". */
static void add_title(const struct view *v, size_t width, struct buf *to)
{
	const char *name = view_name(v), *help = view_help(v);
	size_t len = strlen(name);

	if (strncasecmp(help, name, len) == 0)
		len = 0;
	else
		buf_printf(to, "%s: ", name);
	wrap_add(to, help, len > 0 ? len + 2 : 0, INDENT, width);
}

void explain_add(struct buf *to, const struct view *v, bool groups,
	size_t width)
{
	add_title(v, width, to);
	add_definitions(view_name(v), width, to);
	add_columns(groups ? NULL : v, width, to);
}
