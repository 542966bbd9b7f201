/* SPDX-License-Identifier: Apache-2.0 */
#include "render/text_steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "render/layout.h"

/* Columns as they are laid out, after the time. */
struct text_steps {
	char *columns; /* their names, to know them again */
	struct layout_memory memory;
	bool blank; /* steps have several rows: a blank line between them */
	bool any; /* something was printed */
	bool idle; /* the step before had no rows */
	size_t lines; /* since the heading */
};

void text_steps_free(struct text_steps *s)
{
	if (!s)
		return;
	free(s->columns);
	layout_forget(&s->memory);
	free(s);
}

/* A step's time is as long as steps need, however short the intervals in some of
 * them are: the column keeps its place. */
static struct cell_style step_style(const struct render *r)
{
	struct cell_style style = text_style(r);

	if (r->report->every_ns >= GS_NSEC_PER_SEC)
		style.digits = 0;
	return style;
}

/* ---- the table with its time ----------------------------------------------- */

/* A grid of the same rows with the time before them; texts stay those of g. */
static struct grid *with_time(const struct grid *g)
{
	struct grid_col time = GRID_COL("time", "TIME", Q_TIME, UINT_MAX,
	    "start of the step");
	struct grid *to = grid_new(g->name, NULL);
	size_t i;

	if (grid_find_exactly(g, "time") >= 0) { /* events have a time of their own */
		time.name = "step";
		time.title = "STEP";
	}
	/* as wide as a screen must be for any column */
	for (i = 0; i < g->n_col; i++)
		time.min_width = GS_MIN(time.min_width, g->col[i].min_width);
	grid_add_col(to, &time);
	for (i = 0; i < g->n_col; i++)
		grid_add_col(to, &g->col[i]);
	for (i = 0; i < g->n_row; i++) {
		struct grid_row *row = grid_add_row(to);
		struct cell *cell = row->cell;

		*row = g->row[i];
		row->cell = cell;
		cell[0] = cell_int(g->from_ns);
		if (g->n_col > 0)
			memcpy(cell + 1, g->row[i].cell,
			    g->n_col * sizeof(*cell));
	}
	return to;
}

static char *names_of(const struct grid *g)
{
	struct buf b = BUF_INIT;
	char *names;
	size_t i;

	buf_add_str(&b, g->name);
	for (i = 0; i < g->n_col; i++)
		buf_printf(&b, ",%s", g->col[i].name);
	names = gs_strdup(buf_str(&b));
	buf_release(&b);
	return names;
}

/* ---- lines before the rows -------------------------------------------------- */

/* "14:05:00 to 14:05:20, 8.0s of it covered": if there is more to say than the
 * time. */
static void add_remarks(struct render *r, const struct grid *g)
{
	struct buf *scratch = &r->scratch;
	double whole = (double)(g->to_ns - g->from_ns) / 1e9;
	size_t bare;

	buf_reset(scratch);
	text_add_range(r, scratch, g->from_ns, g->to_ns);
	bare = scratch->len;
	if (g->title)
		buf_printf(scratch, ", %s", g->title);
	if (g->covered_s < 0.95 * whole)
		buf_printf(scratch, ", %.1fs of it covered", g->covered_s);
	text_add_skipped(r->report, scratch);
	text_add_uneven(r->report, scratch);
	if (scratch->len > bare)
		text_add_wrapped(r, buf_str(scratch), 0);
	text_add_holes(r);
	text_add_marks(r);
}

static void add_nothing(struct render *r, const struct grid *g)
{
	struct cell_style style = step_style(r);
	struct cell c = cell_int(g->from_ns);

	cell_add_text(r->to, Q_TIME, &c, &style);
	buf_add_str(r->to, "  nothing to show\n");
}

/* ---- rows --------------------------------------------------------------------- */

static size_t count_lines(const char *p, size_t len)
{
	size_t n = 0, i;

	for (i = 0; i < len; i++)
		n += p[i] == '\n';
	return n;
}

static bool is_screen_full(const struct render *r, const struct text_steps *s)
{
	return r->options.height > 2 && s->lines + 2 >= r->options.height;
}

static void part_from_above(struct render *r, const struct text_steps *s)
{
	if (s->any || (!r->options.no_header && !r->options.timeless))
		buf_add_char(r->to, '\n');
}

static void add_heading(struct render *r, struct text_steps *s,
	const struct layout *l, struct piece *rest)
{
	part_from_above(r, s);
	if (!r->options.no_header && !s->any)
		text_add_missed(r, l);
	if (!r->options.no_header)
		text_add_row(r, l, layout_titles(l), rest, r->options.bold);
	s->any = true;
	s->lines = 0;
}

static void add_rows(struct render *r, struct text_steps *s,
	const struct grid *g)
{
	struct grid *timed = with_time(g);
	struct piece *rest = gs_calloc(timed->n_col, sizeof(*rest));
	struct cell_style style = step_style(r);
	size_t from = r->to->len, i;
	struct layout l;
	bool moved;

	layout_init(&l, timed, &style, r->options.width);
	l.has_below = l.timed = true;
	moved = layout_fit_as(&l, r->options.width, &s->memory);
	if (moved || is_screen_full(r, s))
		add_heading(r, s, &l, rest);
	else if (s->blank)
		buf_add_char(r->to, '\n');
	add_remarks(r, g);
	for (i = 0; i < g->n_row; i++) {
		text_add_row(r, &l, layout_row(&l, i), rest, false);
		text_add_below(r, &l, i);
	}
	s->blank |= g->n_row > 1;
	s->idle = false;
	s->lines += count_lines(r->to->ptr + from, r->to->len - from);
	layout_release(&l);
	grid_free(timed);
	free(rest);
}

/* Of steps without rows that follow each other the first one says so.  They have
 * no heading: its places are those of the first rows. */
static void add_empty(struct render *r, struct text_steps *s,
	const struct grid *g)
{
	size_t from = r->to->len;

	if (!s->any)
		part_from_above(r, s);
	s->any = true;
	add_remarks(r, g);
	if (!s->idle && !g->says_empty)
		add_nothing(r, g);
	s->idle = true;
	s->lines += count_lines(r->to->ptr + from, r->to->len - from);
}

void text_steps_add(struct render *r, const struct grid *g)
{
	struct text_steps *s = r->steps;
	char *columns;

	if (!s)
		s = r->steps = gs_calloc(1, sizeof(*s));
	if (g->n_row == 0) {
		add_empty(r, s, g);
		return;
	}
	columns = names_of(g);
	if (!s->columns || strcmp(s->columns, columns) != 0)
		layout_forget(&s->memory);
	free(s->columns);
	s->columns = columns;
	add_rows(r, s, g);
}
