/* SPDX-License-Identifier: Apache-2.0 */
/*
 * series_lines.c - a row for each row of the view and figure, with its course as a
 * line of signs, one for each step; or of numbers, for programs.
 *
 * All lines of one figure have one scale, from 0 to the highest of them, so that
 * rows can be compared.  A step without such a row, and one without any data, have
 * signs of their own: neither is 0.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "query/series_int.h"

/* More signs have no room: each stands for several steps. */
#define SIGNS_MAX ((size_t)100)
#define SIGNS_LEAST ((size_t)10)

enum { SIGN_HOLE, SIGN_NONE, SIGN_ZERO };

static const char *const signs[] = { "░", "·", "▁", "▂", "▃", "▄", "▅", "▆",
	"▇", "█" };
static const char *const ascii_signs[] = { "/", ".", "_", "-", "~", "=", "+",
	"*", "%", "#" };

#define LEVELS (GS_LEN(signs) - 1 - SIGN_ZERO)

/* The lines that a row of the table is about: one, or all others. */
struct lines {
	struct series_line *const *line;
	size_t n, metric;
	bool others;
};

/* What is known of them. */
struct course {
	double least, most, sum, weight;
	int64_t most_at_ns;
	size_t n;
	char mark;
};

static struct cell cell_at(const struct lines *l, size_t step)
{
	return l->others ? series_sum(l->line, l->n, step, l->metric)
	                 : *series_at(l->line[0], step, l->metric);
}

static double value(const struct lines *l, size_t step)
{
	struct cell c = cell_at(l, step);

	return series_number(&c);
}

static void add_value(struct course *c, const struct series *s, size_t step,
	const struct cell *cell)
{
	double v = series_number(cell);

	if (isnan(v))
		return;
	c->n++;
	c->least = GS_MIN(c->least, v);
	c->most_at_ns = v > c->most ? s->at_ns[step] : c->most_at_ns;
	c->most = GS_MAX(c->most, v);
	c->sum += v * s->covered_s[step];
	c->weight += s->covered_s[step];
	if (cell->mark == '>' || (cell->mark == '~' && !c->mark))
		c->mark = cell->mark;
}

static struct course course_of(const struct series *s, const struct lines *l)
{
	struct course c = { .least = DBL_MAX, .most = -DBL_MAX };
	size_t i;

	for (i = 0; i < s->n_step; i++) {
		struct cell cell = cell_at(l, i);

		add_value(&c, s, i, &cell);
	}
	return c;
}

/* ---- the line ------------------------------------------------------------ */

static size_t sign_of(double v, double top)
{
	double share = top > 0 ? v / top : 0;

	if (share <= 0)
		return SIGN_ZERO;
	return SIGN_ZERO + GS_MIN((size_t)ceil(share * (double)LEVELS - 1e-9),
	    LEVELS);
}

/* The highest of some steps. */
static size_t sign_at(const struct series *s, const struct lines *l,
	size_t from, size_t to, double top)
{
	double most = (double)NAN;
	bool data = false;
	size_t i;

	for (i = from; i < to; i++) {
		double v = value(l, i);

		data |= s->covered_s[i] > 0;
		if (!isnan(v) && (isnan(most) || v > most))
			most = v;
	}
	if (!isnan(most))
		return sign_of(most, top);
	return data ? SIGN_NONE : SIGN_HOLE;
}

size_t series_signs(size_t width, size_t n_metric)
{
	size_t share = n_metric > 1 ? 4 : 3; /* names which figure it is */

	return width == 0 ? SIGNS_MAX
	    : GS_MIN(GS_MAX(width / share, SIGNS_LEAST), SIGNS_MAX);
}

static size_t per_sign(const struct series *s,
	const struct series_look *look)
{
	size_t most = series_signs(look->width, s->n_metric);

	return (s->n_step + most - 1) / most;
}

static void add_signs(const struct series *s, const struct lines *l,
	double top, const struct series_look *look, struct buf *to)
{
	size_t i, each = per_sign(s, look);

	for (i = 0; i < s->n_step; i += each) {
		size_t sign = sign_at(s, l, i, GS_MIN(i + each, s->n_step), top);

		buf_add_str(to, look->utf8 ? signs[sign]
		    : ascii_signs[sign]);
	}
}

/* "54.6 - 41.6": of each step. */
static void add_numbers(const struct series *s, const struct lines *l,
	struct buf *to)
{
	size_t i;

	for (i = 0; i < s->n_step; i++) {
		double v = value(l, i);

		buf_add_str(to, i ? " " : "");
		if (isnan(v))
			buf_add_char(to, '-');
		else
			buf_printf(to, "%.10g", v);
	}
}

/* ---- the table ----------------------------------------------------------- */

static const struct grid_col figure_col = GRID_COL("metric", "FIGURE", Q_TEXT,
    80, "which figure the row is about");

static const struct grid_col cols[] = {
	GRID_COL("least", "LEAST", Q_BY_ROW, 80, "the lowest of the steps"),
	GRID_COL("mean", "MEAN", Q_BY_ROW, 80,
	    "the mean of the steps in which there was such a row"),
	GRID_COL("most", "MOST", Q_BY_ROW, 80, "the highest of the steps"),
	GRID_COL("most_at", "MOST AT", Q_TIME, 100, "start of that step"),
	GRID_COL("course", "COURSE", Q_TEXT, 80, "one for each step"),
};

static void add_columns(const struct series *s, struct grid *g)
{
	size_t i;

	for (i = 0; i < s->n_shown; i++) {
		struct grid_col c = s->shown[i];

		c.flexible = c.statement = c.stands_for_it = false;
		if (s->n_metric > 1 && i >= s->n_named)
			c.min_width = GS_MAX(c.min_width, 100u);
		grid_add_col(g, &c);
	}
	if (s->n_metric > 1)
		grid_add_col(g, &figure_col);
	for (i = 0; i < GS_LEN(cols); i++)
		grid_add_col(g, &cols[i]);
}

static struct cell number(const struct course *c, double v)
{
	struct cell cell = { .kind = CELL_ABSENT };

	if (c->n > 0)
		cell = cell_real(v);
	cell.mark = c->n > 0 ? c->mark : 0;
	return cell;
}

static void add_row(const struct series *s, const struct lines *l,
	const struct series_look *look, double top, struct grid *g)
{
	struct course c = course_of(s, l);
	struct grid_row *row = grid_add_row(g);
	struct cell *cell = row->cell;
	struct buf b = BUF_INIT;

	row->quantity = s->metric[l->metric].quantity;
	if (!l->others)
		memcpy(cell, l->line[0]->shown, s->n_shown * sizeof(*cell));
	cell += s->n_shown;
	if (s->n_metric > 1)
		*cell++ = cell_text(span_str(s->metric[l->metric].title));
	*cell++ = number(&c, c.least);
	*cell++ = number(&c, c.weight > 0 ? c.sum / c.weight : c.least);
	*cell++ = number(&c, c.most);
	if (c.n > 0)
		*cell = cell_int(c.most_at_ns);
	cell++;
	if (look->signs)
		add_signs(s, l, top, look, &b);
	else
		add_numbers(s, l, &b);
	*cell = cell_text(grid_text(g, buf_str(&b), b.len));
	buf_release(&b);
}

/* The top of the scale of a figure: the highest of all lines that are shown. */
static double top_of(const struct series *s, const struct series_choice *c,
	size_t metric)
{
	double top = 0;
	size_t i;

	for (i = 0; i < c->n; i++) {
		struct lines l = { c->line + i, 1, metric, false };
		struct course of = course_of(s, &l);

		if (of.n > 0)
			top = GS_MAX(top, of.most);
	}
	return top;
}

static void add_others(const struct series *s, const struct series_choice *c,
	const struct series_look *look, size_t metric, double top,
	struct grid *g)
{
	struct lines l = { c->line + c->n, c->n_all - c->n, metric, true };
	char label[GRID_LABEL_MAX];
	struct grid_row *row;
	size_t len;

	if (l.n == 0 || !s->metric[metric].additive)
		return;
	add_row(s, &l, look, top, g);
	row = &g->row[g->n_row - 1];
	row->others = s->n_metric == 1;
	row->n_others = l.n;
	len = grid_others_label(row, label);
	row->cell[0] = cell_text(grid_text(g, label, len));
}

static void set_title(const struct series *s, const struct series_look *look,
	struct grid *g)
{
	struct buf b = BUF_INIT;

	series_title(s, look, &b);
	if (look->signs && per_sign(s, look) > 1)
		buf_printf(&b, ", a sign for each %zu of them, the highest",
		    per_sign(s, look));
	if (look->signs)
		buf_printf(&b, "; %s no such row, %s no data",
		    look->utf8 ? signs[SIGN_NONE] : ascii_signs[SIGN_NONE],
		    look->utf8 ? signs[SIGN_HOLE] : ascii_signs[SIGN_HOLE]);
	g->title = grid_text(g, buf_str(&b), b.len + 1).ptr;
	buf_release(&b);
}

struct grid *series_lines(struct series *s, const struct series_look *look)
{
	struct series_choice c = series_choose(s, look->limit);
	struct grid *g = grid_new("series", NULL);
	double top[SERIES_METRICS_MAX];
	size_t i, k;

	add_columns(s, g);
	for (k = 0; k < s->n_metric; k++)
		top[k] = top_of(s, &c, k);
	for (i = 0; i < c.n; i++) {
		for (k = 0; k < s->n_metric; k++) {
			struct lines l = { c.line + i, 1, k, false };

			add_row(s, &l, look, top[k], g);
		}
	}
	for (k = 0; k < s->n_metric; k++)
		add_others(s, &c, look, k, top[k], g);
	g->n_total = c.n_all;
	set_title(s, look, g);
	g->from_ns = s->from_ns;
	g->to_ns = s->to_ns;
	free(c.line);
	return g;
}
