/* SPDX-License-Identifier: Apache-2.0 */
/*
 * paint.c - the screen from top to bottom: position, timeline, name of the
 * table, the table, and a line for prompts and messages.
 *
 * A low screen has a lower timeline: paint_strip.c.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/when.h"
#include "base/wrap.h"
#include "query/compare.h"
#include "query/view_key.h"
#include "render/cell.h"
#include "tui/tui_int.h"

#define WIDTH_LEAST 20
#define HEIGHT_LEAST 5

/* ---- the line on top ---------------------------------------------------- */

static void add_time(const struct tui *t, struct buf *b)
{
	const struct zone *z = &t->src->zone;
	const struct engine *e = t->shot.engine;
	unsigned digits = t->src->interval_ns < GS_NSEC_PER_SEC ? 3 : 0;
	bool known = t->shot.any && !t->interrupted;
	int64_t from = known ? e->from_ns : t->pos_ns - t->window_ns;
	int64_t to = known ? e->to_ns : t->pos_ns;

	zone_add_date_time(z, from, digits, b);
	buf_add_str(b, " - ");
	zone_add_time(z, to, digits, b);
	buf_add_char(b, ' ');
	zone_add_label(z, b);
}

static const char *moving(const struct tui *t)
{
	if (t->playing)
		return "playing";
	if (!t->src->grows)
		return "";
	return t->newest ? "live" : "paused";
}

/* The covered part of the window, if it has holes. */
static void add_covered(const struct tui *t, struct buf *b)
{
	const struct engine *e = t->shot.engine;
	double covered, whole = (double)t->window_ns / 1e9;

	if (!t->shot.any || t->interrupted)
		return;
	covered = engine_covered_s(e);
	if (covered < 0.95 * whole)
		buf_printf(b, ", %.1fs covered", covered);
	if (e->n_hole > 0)
		buf_printf(b, ", %zu hole%s", e->n_hole, e->n_hole == 1 ? ""
		    : "s");
}

static void paint_bar(const struct tui *t, struct screen *to, struct line *l)
{
	struct buf b = BUF_INIT, safe = BUF_INIT;
	char span[WHEN_SPAN_MAX];
	size_t name;

	if (t->window_ns % GS_NSEC_PER_SEC == 0)
		when_span(span, t->window_ns);
	else
		when_age(span, (double)t->window_ns / 1e9);
	add_time(t, &b);
	buf_printf(&b, "  %s", span);
	add_covered(t, &b);
	if (*moving(t))
		buf_printf(&b, "  %s", moving(t));
	utf8_add_safe(&safe, t->src->name, strlen(t->src->name));
	/* the name gets the space that the times leave */
	name = to->width > b.len + 3 ? to->width - b.len - 3 : 0;
	line_add_str(to, l, STYLE_BAR, " ");
	if (name > 8 || name >= safe.len) {
		struct buf cut = BUF_INIT;

		(void)layout_add_cut(&cut, buf_str(&safe), safe.len, name,
		    to->utf8);
		line_add(to, l, STYLE_BAR, buf_str(&cut), cut.len);
		line_add_str(to, l, STYLE_BAR, "  ");
		buf_release(&cut);
	}
	line_add(to, l, STYLE_BAR, b.ptr, b.len);
	line_pad(to, l, STYLE_BAR, to->width);
	buf_release(&b);
	buf_release(&safe);
}

/* ---- the name of the table ---------------------------------------------- */

static void add_path(const struct tui *t, const struct screen *to,
	struct line *l)
{
	size_t i;

	line_printf(to, l, STYLE_TITLE, " %s", t->base[t->view].view);
	for (i = 0; i < t->n_zoomed; i++) {
		const char *name = t->zoomed[i].name;
		struct buf safe = BUF_INIT;

		if (i > 0 && strcmp(name, t->zoomed[i - 1].name) == 0)
			continue;
		utf8_add_safe(&safe, name, strlen(name));
		line_printf(to, l, STYLE_TITLE, " > %s", buf_str(&safe));
		buf_release(&safe);
	}
	if (t->n_zoomed > 0)
		line_printf(to, l, STYLE_TITLE, ": %s", tui_level(t)->view);
}

static void paint_baseline(const struct tui *t, const struct screen *to,
	struct line *l)
{
	const struct baseline *b = &t->shot.baseline;
	const struct engine *e = t->shot.engine;
	double scale;

	line_printf(to, l, STYLE_NOTE, b->grid ? "  beside %s"
	    : "  not beside %s", t->baseline);
	if (!t->shot.any || !b->grid)
		return;
	scale = compare_scale(engine_covered_s(e), b->report.covered_s);
	if (scale != 1)
		line_printf(to, l, STYLE_NOTE, ", amounts scaled by %.3g",
		    scale);
	if (baseline_overlaps(b, e->from_ns, e->to_ns))
		line_add_str(to, l, STYLE_WATCH, ", which overlaps");
}

/* The column that names the rows, if the chosen ones leave it out; NULL. */
static const char *missed_name(const struct tui *t)
{
	const struct level *level = tui_level(t);
	const struct view_key *k = view_key_of_view(level->view);
	const struct grid *g = t->shot.n_grid > t->shot.n_head
	    ? t->shot.grid[t->shot.n_head] : NULL;

	if (!k || !k->shown[0] || !g || level->group_by || level->tree)
		return NULL;
	return grid_find_col(g, k->shown[0], strlen(k->shown[0])) < 0
	    ? k->shown[0] : NULL;
}

static void add_columns(const struct tui *t, const struct screen *to,
	struct line *l)
{
	const char *missed = missed_name(t);

	line_add_str(to, l, STYLE_NOTE, tui_level(t)->keeps
	    ? "  columns as kept" : "  columns as chosen");
	if (missed)
		line_printf(to, l, STYLE_NOTE, ", without %s", missed);
}

static void add_conditions(const struct tui *t, const struct screen *to,
	struct line *l)
{
	const struct level *level = tui_level(t);
	const char *sort = t->ask ? ask_of_view(t->ask)->sort : "";

	if (*sort)
		line_printf(to, l, STYLE_DIM, "  by %.*s",
		    (int)strcspn(sort, ","), sort);
	if (level->session)
		line_printf(to, l, STYLE_NOTE, "  session %s",
		    level->session);
	if (level->where)
		line_printf(to, l, STYLE_NOTE, "  where %s", level->where);
	if (level->columns)
		add_columns(t, to, l);
	if (t->search)
		line_printf(to, l, STYLE_NOTE, "  /%s", t->search);
	if (level->active)
		line_add_str(to, l, STYLE_NOTE, "  active");
	if (t->windows)
		line_printf(to, l, STYLE_NOTE, t->shot.n_window > 0
		    ? "  windows %s" : "  no windows %s", t->windows);
	if (t->baseline)
		paint_baseline(t, to, l);
}

static void paint_caption(const struct tui *t, const struct screen *to,
	struct line *l)
{
	struct screen left = *to; /* what does not fit beside the number is cut */
	char rows[48] = "";

	if (t->mode == MODE_HELP) {
		line_add_str(to, l, STYLE_TITLE, " keys");
		return;
	}
	if (t->mode == MODE_MENU) {
		line_printf(to, l, STYLE_TITLE, " %s", t->menu.title);
		return;
	}
	if (t->sheet.n_row > 0)
		(void)snprintf(rows, sizeof(rows), "  row %zu of %zu",
		    tui_level(t)->row + 1, t->sheet.n_row);
	left.width -= GS_MIN(left.width, strlen(rows));
	add_path(t, &left, l);
	add_conditions(t, &left, l);
	if (l->width + strlen(rows) <= to->width)
		line_pad(to, l, STYLE_PLAIN, to->width - strlen(rows));
	line_add_str(to, l, STYLE_DIM, rows);
}

/* ---- the line below ----------------------------------------------------- */

static const char *hint(const struct tui *t)
{
	if (t->mode == MODE_HELP || t->mode == MODE_EXPLAIN)
		return "arrows scroll; any other key goes back";
	if (t->mode == MODE_MENU)
		return "arrows and Enter choose; Esc goes back";
	if (t->mode == MODE_PICK)
		return "Space takes in or out; J K move; Enter shows; Esc "
		    "goes back";
	if (t->mode == MODE_PAGE)
		return "arrows scroll; t T tick; Esc goes back";
	return NULL;
}

/* The keys that matter most, as far as they fit. */
static void paint_keys(const struct screen *to, struct line *l)
{
	static const struct {
		const char *key, *name;
	} bar[] = {
		{ "?", "keys" },
		{ "q", "quit" },
		{ "t T", "tick" },
		{ "b", "jump" },
		{ "!", "findings" },
		{ "Enter", "zoom" },
		{ "d", "row" },
		{ "/", "search" },
		{ "&", "filter" },
		{ "0", "views" },
		{ "s", "sort" },
		{ "+ -", "window" },
		{ "m", "figure" },
		{ "F", "find" },
		{ "D", "compare" },
		{ "e", "tree" },
		{ "c", "columns" },
		{ ":", "option" },
		{ "w", "write" },
	};
	size_t i;

	for (i = 0; i < GS_LEN(bar); i++) {
		const char *key = command_label(bar[i].key, NULL);
		size_t len = strlen(key) + 1 + strlen(bar[i].name);

		if (l->width + (i > 0 ? 2 : 0) + len > to->width)
			return;
		line_printf(to, l, STYLE_NOTE, "%s%s", i > 0 ? "  " : "",
		    key);
		line_printf(to, l, STYLE_DIM, " %s", bar[i].name);
	}
}

static void paint_prompt(const struct tui *t, struct screen *to, struct line *l)
{
	const char *text = buf_str(&t->edit.text);
	size_t label, before, skip = 0, room;
	struct buf safe = BUF_INIT;

	line_add_str(to, l, STYLE_NOTE, prompt_label(t));
	label = l->width;
	room = to->width - GS_MIN(to->width, label + 1);
	/* the end with the cursor must be visible */
	while (skip < t->edit.at && utf8_width(text + skip, t->edit.at - skip)
	    > room)
		skip++;
	before = utf8_width(text + skip, t->edit.at - skip);
	utf8_add_safe(&safe, text + skip, t->edit.text.len - skip);
	line_add(to, l, t->edit.selected ? STYLE_BAR : STYLE_PLAIN,
	    buf_str(&safe), safe.len);
	to->cursor = true;
	to->cursor_col = label + before;
	to->cursor_line = to->height - 1;
	buf_release(&safe);
}

/* ---- messages -------------------------------------------------------------- */

#define MESSAGE_LINES 4

/* The message in lines of the screen's width, safe to show. */
static void wrap_message(const struct tui *t, size_t width, struct buf *to)
{
	const char *p = buf_str(&t->message);

	while (*p) {
		size_t n = strcspn(p, "\n");
		struct buf safe = BUF_INIT;

		utf8_add_safe(&safe, p, n);
		wrap_add(to, buf_str(&safe), 0, 0, width);
		buf_release(&safe);
		p += n + (p[n] == '\n');
	}
}

static size_t message_lines(const struct tui *t, size_t width, size_t height)
{
	struct buf b = BUF_INIT;
	size_t n = 0, i;

	if (t->message.len == 0)
		return 0;
	wrap_message(t, width, &b);
	for (i = 0; i < b.len; i++)
		n += b.ptr[i] == '\n';
	buf_release(&b);
	return GS_MIN(GS_MIN(n, (size_t)MESSAGE_LINES), height / 4);
}

/* Its lines from one of the screen on. */
static void paint_message(const struct tui *t, struct screen *to, size_t at,
	size_t n)
{
	enum style style = t->trouble ? STYLE_ERROR : STYLE_NOTE;
	struct buf b = BUF_INIT;
	const char *p;

	wrap_message(t, to->width, &b);
	p = buf_str(&b);
	for (; n > 0 && *p; n--) {
		size_t len = strcspn(p, "\n");

		line_add(to, screen_line(to, at++), style, p, len);
		p += len + (p[len] == '\n');
	}
	buf_release(&b);
}

static void paint_bottom(const struct tui *t, struct screen *to, size_t end,
	size_t tells)
{
	struct line *l = screen_line(to, to->height - 1);

	if (tells > 0)
		paint_message(t, to, end, tells);
	if (t->mode == MODE_PROMPT)
		paint_prompt(t, to, l);
	else if (tells > 0)
		return;
	else if (t->interrupted)
		line_add_str(to, l, STYLE_NOTE, "working ...");
	else if (hint(t))
		line_add_str(to, l, STYLE_DIM, hint(t));
	else
		paint_keys(to, l);
}

static void clear_places(struct tui *t, size_t width, size_t height)
{
	size_t i;

	GS_GROW(t->place.line, &t->place.line_cap, height + 1);
	t->place.n_line = height;
	t->place.width = width;
	for (i = 0; i <= height; i++)
		t->place.line[i] = SIZE_MAX;
}

/* The bar, the line of time, the caption, the keys. */
#define LINES_ABOUT_TABLES 10

void tui_paint(struct tui *t, struct screen *to, size_t width, size_t height)
{
	size_t at = 0, end, tells;

	screen_reset(to, width, height, t->utf8);
	if (width < WIDTH_LEAST || height < HEIGHT_LEAST) {
		line_printf(to, screen_line(to, 0), STYLE_ERROR,
		    "%zux%zu is too small", width, height);
		return;
	}
	t->tall = height - GS_MIN(height, (size_t)LINES_ABOUT_TABLES);
	tui_refresh(t, width);
	clear_places(t, width, height);
	/* a prompt has the last line; else a message has it */
	tells = message_lines(t, width, height);
	end = height - tells - (tells == 0 || t->mode == MODE_PROMPT);
	paint_bar(t, to, screen_line(to, at++));
	at = paint_strip(t, to, at);
	paint_caption(t, to, screen_line(to, at++));
	if (t->mode == MODE_HELP)
		paint_help(t, to, at, end);
	else if (t->mode == MODE_MENU)
		paint_menu(t, to, at, end);
	else if (t->mode == MODE_PICK)
		paint_colpick(t, to, at, end);
	else if (t->mode == MODE_EXPLAIN)
		paint_explain(t, to, at, end);
	else if (t->mode == MODE_PAGE)
		paint_page(t, to, at, end);
	else
		paint_table(t, to, at, end);
	paint_bottom(t, to, end, tells);
}
