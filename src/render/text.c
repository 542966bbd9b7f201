/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.c - aligned tables for reading, with columns fitted by layout.c.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "render/layout.h"
#include "render/text_int.h"
#include "render/text_steps.h"

/* The title of a table, on as many lines as needed. */
static void add_bold(struct render *r, const char *text)
{
	if (r->options.bold)
		buf_add_str(r->to, TEXT_BOLD);
	text_add_wrapped(r, text, 0);
	if (r->options.bold) {
		r->to->len--; /* the newline */
		buf_add_str(r->to, TEXT_PLAIN "\n");
	}
}

static void add_table(struct render *r, const struct grid *g)
{
	struct cell_style style = text_style(r);
	struct piece *rest = gs_calloc(g->n_col, sizeof(*rest));
	struct layout l;
	size_t i;

	layout_init(&l, g, &style, r->options.width);
	l.has_below = true;
	layout_fit(&l, r->options.width, r->options.width);
	if (!r->options.no_header) {
		text_add_missed(r, &l);
		text_add_row(r, &l, layout_titles(&l), rest,
		    r->options.bold);
	}
	for (i = 0; i < g->n_row; i++) {
		text_add_row(r, &l, layout_row(&l, i), rest, false);
		text_add_below(r, &l, i);
		render_row_end(r);
	}
	layout_release(&l);
	free(rest);
}

/* The step's range, and the covered time if that is less. */
static void add_step(struct render *r, const struct grid *g)
{
	double whole = (double)(g->to_ns - g->from_ns) / 1e9;

	buf_reset(&r->scratch);
	if (g->title)
		buf_printf(&r->scratch, "%s, ", g->title);
	text_add_range(r, &r->scratch, g->from_ns, g->to_ns);
	if (g->covered_s < 0.95 * whole)
		buf_printf(&r->scratch, ", %.1fs of it covered",
		    g->covered_s);
	text_add_skipped(r->report, &r->scratch);
	text_add_uneven(r->report, &r->scratch);
	add_bold(r, buf_str(&r->scratch));
}

/* Activity is sampled while the database answers, each sample for a few intervals at
 * most: that may be less than what the head says is covered. */
static void add_title(struct render *r, const struct grid *g)
{
	buf_reset(&r->scratch);
	buf_add_str(&r->scratch, g->title);
	if (g->covered_s > 0 && g->covered_s < 0.95 * r->report->covered_s)
		buf_printf(&r->scratch, "; samples cover %.1fs", g->covered_s);
	add_bold(r, buf_str(&r->scratch));
}

static bool has_head(const struct render *r)
{
	return !r->options.no_header && !r->options.timeless;
}

static void begin(struct render *r)
{
	if (has_head(r))
		text_head(r);
}

static void grid(struct render *r, const struct grid *g)
{
	if (r->report->joined) {
		text_steps_add(r, g);
		return;
	}
	if (r->n_grid > 0 || has_head(r))
		buf_add_char(r->to, '\n');
	if (r->report->every_ns || r->report->n_window > 0) {
		add_step(r, g);
		text_add_holes(r);
		text_add_marks(r);
	} else if (g->title) {
		add_title(r, g);
	}
	if (g->n_row == 0 && g->says_empty)
		return;
	if (g->n_row == 0 || g->n_col == 0) {
		buf_add_str(r->to, "nothing to show\n");
		return;
	}
	add_table(r, g);
}

static void end(struct render *r)
{
	(void)r; /* nothing is open */
}

const struct render_ops render_text = { begin, grid, end };
