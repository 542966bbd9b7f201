/* SPDX-License-Identifier: Apache-2.0 */
/*
 * markdown.c - tables to paste into an issue, a chat or a wiki: the columns that
 * text of that width has, each cell whole; numbers are right-aligned.
 *
 * What a Markdown reader would take as markup is escaped: recorded text stays what
 * it is.
 */
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "render/text_int.h"

/* No line of the head is broken. */
#define UNBROKEN ((size_t)100000)

static bool is_markup(char c)
{
	return c && strchr("\\`*_{}[]<>#|~&", c) != NULL;
}

static void add_inert(struct buf *to, const char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (is_markup(p[i]))
			buf_add_char(to, '\\');
		buf_add_char(to, p[i]);
	}
}

/* What fn prints, as an item of a list per line: its first word is bold. */
static void add_items(struct render *r, void (*fn)(struct render *r))
{
	struct buf *to = r->to, lines = BUF_INIT;
	size_t width = r->options.width;
	struct span rest, line;
	bool more = true;

	r->to = &lines;
	r->options.width = UNBROKEN;
	fn(r);
	r->to = to;
	r->options.width = width;
	for (rest = span_of(buf_str(&lines), lines.len); more &&
	    !span_empty(rest);) {
		const char *p;

		more = scan_until(&rest, '\n', &line);
		if (!more)
			line = rest;
		p = memchr(line.ptr, ' ', span_len(line));
		p = p ? p : line.end;
		buf_add_str(to, "- **");
		add_inert(to, line.ptr, (size_t)(p - line.ptr));
		buf_add_str(to, "** ");
		while (p < line.end && *p == ' ')
			p++;
		add_inert(to, p, (size_t)(line.end - p));
		buf_add_char(to, '\n');
	}
	buf_release(&lines);
}

static bool has_head(const struct render *r)
{
	return !r->options.no_header && !r->options.timeless;
}

static void begin(struct render *r)
{
	if (has_head(r))
		add_items(r, text_head);
}

/* ---- tables --------------------------------------------------------------- */

static bool is_shown(const struct render *r, const struct grid_col *c)
{
	return c->min_width <= GS_MAX(r->options.width, (size_t)80);
}

static void add_cell(struct render *r, const struct grid *g, size_t col,
	const struct grid_row *row)
{
	struct cell_style style = text_style(r);

	const char *p;

	buf_reset(&r->scratch);
	cell_add_text(&r->scratch, grid_quantity(&g->col[col], row),
	    &row->cell[col], &style);
	/* a place in a tree: blanks would be dropped */
	for (p = buf_str(&r->scratch); *p == ' '; p++)
		buf_add_str(r->to, r->options.utf8 ? "\xc2\xa0" : "&nbsp;");
	add_inert(r->to, p, strlen(p));
}

static void add_row(struct render *r, const struct grid *g,
	const struct grid_row *row)
{
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		if (!is_shown(r, &g->col[i]))
			continue;
		buf_add_str(r->to, "| ");
		if (row)
			add_cell(r, g, i, row);
		else
			add_inert(r->to, g->col[i].title,
			    strlen(g->col[i].title));
		buf_add_char(r->to, ' ');
	}
	buf_add_str(r->to, "|\n");
	render_row_end(r);
}

static void add_rule(struct render *r, const struct grid *g)
{
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		if (is_shown(r, &g->col[i]))
			buf_add_str(r->to, g->col[i].quantity == Q_TEXT
			    ? "|:---" : "|---:");
	}
	buf_add_str(r->to, "|\n");
}

/* It says why there are no rows. */
static bool is_title_alone(const struct render *r, const struct grid *g)
{
	return g->n_row == 0 && g->says_empty && r->report->every_ns == 0 &&
	    r->report->n_window == 0;
}

static void add_title(struct render *r, const struct grid *g)
{
	buf_reset(&r->scratch);
	if (g->title)
		utf8_add_safe(&r->scratch, g->title, strlen(g->title));
	if (r->report->every_ns || r->report->n_window > 0) {
		if (r->scratch.len > 0)
			buf_add_str(&r->scratch, ", ");
		text_add_range(r, &r->scratch, g->from_ns, g->to_ns);
	}
	if (r->scratch.len == 0)
		return;
	buf_add_str(r->to, "**");
	add_inert(r->to, buf_str(&r->scratch), r->scratch.len);
	buf_add_str(r->to, "**\n");
	if (!is_title_alone(r, g))
		buf_add_char(r->to, '\n');
}

static void grid(struct render *r, const struct grid *g)
{
	size_t i;

	if (r->n_grid > 0 || has_head(r))
		buf_add_char(r->to, '\n');
	add_title(r, g);
	if (r->report->every_ns || r->report->n_window > 0) {
		add_items(r, text_add_holes);
		add_items(r, text_add_marks);
	}
	if (is_title_alone(r, g))
		return;
	if (g->n_row == 0 || g->n_col == 0) {
		buf_add_str(r->to, g->says_empty ? "" : "nothing to show\n");
		return;
	}
	if (!r->options.no_header) {
		add_row(r, g, NULL);
		add_rule(r, g);
	}
	for (i = 0; i < g->n_row; i++)
		add_row(r, g, &g->row[i]);
}

static void end(struct render *r)
{
	(void)r; /* nothing is open */
}

const struct render_ops render_markdown = { begin, grid, end };
