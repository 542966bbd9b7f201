/* SPDX-License-Identifier: Apache-2.0 */
/*
 * paint_strip.c - the timeline on the screen: rows of bars, marks, times, and
 * to the left of them its name, scale and colours.
 *
 * A low screen has fewer rows; then it omits the axis, then the marks, then the
 * timeline.
 */
#include <string.h>

#include "base/mem.h"
#include "render/cell.h"
#include "tui/tui_int.h"

#define LABEL ((size_t)10)
#define ROWS_MAX ((size_t)7) /* of labels */
#define SAMPLE "\xe2\x96\xa0" /* of a colour */

static size_t rows_of(size_t height)
{
	return height < 20 ? 1 : height < 36 ? 3 : height < 48 ? 4 : 5;
}

static enum style bar_style(const struct strip *s, const struct strip_bar *bar,
	size_t row)
{
	size_t part;

	if (bar->hole || !bar->known)
		return STYLE_DIM;
	if (bar->n_part > 0) {
		part = strip_part(s, bar, row);
		return part < bar->n_part ? (enum style)(STYLE_PART + part)
		                          : STYLE_PLAIN;
	}
	if (!timescan_is_percent(s->timescan))
		return STYLE_PLAIN;
	return bar->value >= 95 ? STYLE_BAD : bar->value >= 80 ? STYLE_WATCH
	                                           : STYLE_PLAIN;
}

/* ---- labels --------------------------------------------------------------- */

static void add_top(const struct strip *s, struct buf *to)
{
	struct cell top = cell_real(s->top);
	struct cell_style style = { .utf8 = s->utf8 };

	if (s->top >= 1 && s->top < 10000) /* it is round */
		buf_printf(to, "%.0f", s->top);
	else
		cell_add_text(to, Q_NUMBER, &top, &style);
}

/* "load    8": its name, and the value of a full bar; a figure without parts
 * has more room for both. */
static void label_scale(const struct strip *s, const struct screen *to,
	struct line *l, bool parts)
{
	const char *name = timescan_name(s->timescan);
	struct buf b = BUF_INIT;

	line_add(to, l, STYLE_NOTE, name, GS_MIN(strlen(name), LABEL - 1));
	if (!parts)
		return;
	add_top(s, &b);
	line_pad(to, l, STYLE_PLAIN, LABEL - 1 - GS_MIN(b.len, LABEL - 1));
	line_add(to, l, STYLE_DIM, b.ptr, b.len);
	buf_release(&b);
}

/* The names of parts from top to bottom in the rows after the first, each after a
 * sample of its colour, as it is no name of the row; letters of bars begin their name.
 * If there are more names than rows, the lowest are in pairs; if that is not enough,
 * there are none. */
static void label_part(const struct strip *s, const struct screen *to,
	struct line *l, size_t row, size_t rows)
{
	const struct timescan_metric *m =
	    &timescan_metrics[s->timescan->metric];
	size_t n = s->timescan->column ? 0 : m->n_part, k = 0, i;
	size_t alone = n <= rows ? n : n - 2 * GS_MIN(n - rows, n / 2);

	for (i = 0; n <= 2 * rows && i < n; i++) {
		size_t at = i < alone ? i : alone + (i - alone) / 2;

		if (at + 1 != row)
			continue;
		line_printf(to, l, (enum style)(STYLE_PART + n - 1 - i),
		    "%s%s%s", k++ ? " " : "", s->letters ? "" : SAMPLE,
		    m->part[n - 1 - i]);
	}
}

static void label(const struct strip *s, const struct screen *to,
	struct line *l, size_t row, size_t rows)
{
	bool parts = !s->timescan->column &&
	    timescan_metrics[s->timescan->metric].n_part > 0;
	struct buf b = BUF_INIT;

	if (row == 0)
		label_scale(s, to, l, parts);
	else if (parts)
		label_part(s, to, l, row, rows);
	else if (row == 1)
		add_top(s, &b);
	if (b.len > 0)
		line_printf(to, l, STYLE_DIM, "to %s", buf_str(&b));
	buf_release(&b);
	line_pad(to, l, STYLE_PLAIN, LABEL);
}

/* ---- rows ----------------------------------------------------------------- */

static void paint_bars(const struct strip *s, const struct screen *to,
	struct line *l, size_t row)
{
	size_t i;

	for (i = 0; i < s->width; i++) {
		struct strip_bar bar = strip_bar(s, i);

		line_add_str(to, l, bar_style(s, &bar, row),
		    strip_glyph(s, &bar, row));
	}
}

/* Events and holes, and the window. */
static void paint_marks(const struct tui *t, const struct strip *s,
	const struct screen *to, struct line *l)
{
	size_t from = strip_column(s, t->pos_ns - t->window_ns);
	size_t at = strip_column(s, t->pos_ns), i;

	for (i = 0; i < s->width; i++) {
		char mark = strip_mark(s, i);
		bool within = i >= from && i <= at;

		if (i == at)
			line_add_str(to, l, STYLE_HERE, "^");
		else if (mark)
			line_add(to, l, within ? STYLE_HERE : mark == '!'
			    ? STYLE_NOTE : STYLE_DIM, &mark, 1);
		else
			line_add_str(to, l, within ? STYLE_HERE : STYLE_PLAIN,
			    within ? "=" : " ");
	}
}

struct strip strip_of_screen(const struct tui *t, size_t width,
	size_t height)
{
	return (struct strip) { .timescan = &t->timescan, .utf8 = t->utf8,
		.letters = !t->utf8 || !t->colour,
		.first_ns = t->src->first_ns, .last_ns = t->src->last_ns,
		.width = width - LABEL, .height = rows_of(height),
		.top = strip_top(&t->timescan) };
}

size_t paint_strip(struct tui *t, struct screen *to, size_t at)
{
	struct strip s = strip_of_screen(t, to->width, to->height);
	size_t first = at, i, rows;

	t->place.strip = t->place.strip_end = at;
	t->place.strip_left = LABEL;
	if (to->height < 10)
		return at;
	rows = s.height + (to->height >= 12) + (to->height >= 16);
	for (i = 0; i < rows && i < ROWS_MAX; i++)
		label(&s, to, screen_line(to, first + i), i, rows - 1);
	for (i = 0; i < s.height; i++)
		paint_bars(&s, to, screen_line(to, at++), i);
	if (to->height >= 12)
		paint_marks(t, &s, to, screen_line(to, at++));
	if (to->height >= 16)
		strip_add_axis(&s, &t->src->zone, to, screen_line(to, at++));
	t->place.strip_end = at;
	return at;
}
