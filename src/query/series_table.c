/* SPDX-License-Identifier: Apache-2.0 */
/*
 * series_table.c - a row for each step, a column for each row of the view.
 *
 * Columns are called ROW.FIGURE: "db1.busy_percent".  Their titles leave out what
 * is the same in all.  Rows beyond the limit are one column, if their sum has a
 * meaning.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "query/series_int.h"

#define GAP ((size_t)2) /* blanks between columns */
#define FIGURE_WIDTH ((size_t)6) /* "14m03s"; others have five */
#define MARK_WIDTH ((size_t)2)
#define TITLE_MAX ((size_t)24)
#define TIME_WIDTH ((size_t)8)
#define DATED_WIDTH ((size_t)19)

/* ---- titles -------------------------------------------------------------- */

/* "db1", "BUSY%", "db1 BUSY%": what differs. */
static void add_title(const struct series *s, const char *label, size_t metric,
	bool alone, struct buf *to)
{
	buf_reset(to);
	if (!alone || s->n_metric == 1)
		buf_add(to, label, utf8_fit(label, strlen(label), TITLE_MAX));
	if (s->n_metric > 1)
		buf_printf(to, "%s%s", to->len ? " " : "",
		    s->metric[metric].title);
}

static void add_figure(const struct series *s, const char *label,
	size_t metric, bool alone, struct grid *g)
{
	struct grid_col c = s->metric[metric];
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s.%s", label, c.name);
	c.name = grid_text(g, buf_str(&b), b.len + 1).ptr;
	add_title(s, label, metric, alone, &b);
	c.title = grid_text(g, buf_str(&b), b.len + 1).ptr;
	c.min_width = 80;
	c.additive = c.flexible = c.if_any = c.stands_in = false;
	grid_add_col(g, &c);
	buf_release(&b);
}

/* ---- as many as fit ------------------------------------------------------ */

static bool is_marked(const struct series_line *l, size_t metric)
{
	size_t i;

	for (i = 0; i < l->n_point; i++) {
		if (l->point[i].cell[metric].mark == '>' ||
		    l->point[i].cell[metric].mark == '~')
			return true;
	}
	return false;
}

static size_t width_of(const struct series *s, const struct series_line *l)
{
	struct buf b = BUF_INIT;
	size_t i, sum = 0;

	for (i = 0; i < s->n_metric; i++) {
		size_t figure = FIGURE_WIDTH + (is_marked(l, i) ? MARK_WIDTH
		                                                : 0);

		add_title(s, l->label, i, false, &b);
		sum += GAP + GS_MAX(figure, utf8_width(buf_str(&b), b.len));
	}
	buf_release(&b);
	return sum;
}

/* How many lines have room on the screen, one at least, and a column for the
 * others if not all have. */
static size_t fitting(const struct series *s, const struct series_choice *c,
	const struct series_look *look)
{
	size_t used = look->dated ? DATED_WIDTH : TIME_WIDTH, n = 0;
	size_t others = 0, i;

	if (look->width == 0)
		return c->n;
	for (i = 0; i < s->n_metric; i++) {
		if (s->metric[i].additive)
			others += GAP + strlen("1000 others ") +
			    (s->n_metric > 1 ? strlen(s->metric[i].title) : 0);
	}
	for (; n < c->n; n++) {
		used += width_of(s, c->line[n]);
		if (used + (n + 1 < c->n_all ? others : 0) > look->width)
			break;
	}
	return GS_MAX(n, (size_t)1);
}

/* ---- the table ----------------------------------------------------------- */

static bool any_adds(const struct series *s)
{
	size_t i;

	for (i = 0; i < s->n_metric; i++) {
		if (s->metric[i].additive)
			return true;
	}
	return false;
}

static void add_columns(const struct series *s, const struct series_choice *c,
	struct grid *g)
{
	static const struct grid_col time = GRID_COL("time", "TIME", Q_TIME,
	    80, "start of the step");
	char label[GRID_LABEL_MAX];
	size_t i, k;

	grid_add_col(g, &time);
	for (i = 0; i < c->n; i++) {
		for (k = 0; k < s->n_metric; k++)
			add_figure(s, c->line[i]->label, k, c->n_all == 1, g);
	}
	(void)snprintf(label, sizeof(label), "%zu other%s", c->n_all - c->n,
	    c->n_all - c->n == 1 ? "" : "s"); /* fits */
	for (k = 0; c->n < c->n_all && k < s->n_metric; k++) {
		if (s->metric[k].additive)
			add_figure(s, label, k, false, g);
	}
}

static void add_row(const struct series *s, const struct series_choice *c,
	size_t step, struct grid *g)
{
	struct cell *cell = grid_add_row(g)->cell;
	size_t i, k;

	*cell++ = cell_int(s->at_ns[step]);
	for (i = 0; i < c->n; i++) {
		for (k = 0; k < s->n_metric; k++)
			*cell++ = *series_at(c->line[i], step, k);
	}
	for (k = 0; c->n < c->n_all && k < s->n_metric; k++) {
		if (s->metric[k].additive)
			*cell++ = series_sum(c->line + c->n, c->n_all - c->n,
			    step, k);
	}
}

static void set_title(const struct series *s, const struct series_choice *c,
	const struct series_look *look, struct grid *g)
{
	struct buf b = BUF_INIT;

	series_title(s, look, &b);
	if (c->n_all == 1 && s->n_metric > 1)
		buf_printf(&b, ": %s", c->line[0]->label);
	if (c->n < c->n_all)
		buf_printf(&b, "; %zu of %zu rows%s", c->n, c->n_all,
		    any_adds(s) ? "" : ": --spark, or -f csv, has more");
	g->title = grid_text(g, buf_str(&b), b.len + 1).ptr;
	buf_release(&b);
}

struct grid *series_table(struct series *s, const struct series_look *look)
{
	struct series_choice c = series_choose(s, look->limit);
	struct grid *g = grid_new("series", NULL);
	size_t i;

	c.n = fitting(s, &c, look);
	c.n = GS_MIN(c.n, c.n_all);
	add_columns(s, &c, g);
	for (i = 0; c.n > 0 && i < s->n_step; i++)
		add_row(s, &c, i, g);
	set_title(s, &c, look, g);
	g->from_ns = s->from_ns;
	g->to_ns = s->to_ns;
	free(c.line);
	return g;
}
