/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opening.c - where the terminal opens: at the worst finding of the recording,
 * else where it is busiest.  Short recordings are searched before the first
 * screen, long ones behind it; a key keeps the window where it is.
 *
 * The list of findings is of the same search.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "tui/tui_int.h"

/* Before the first screen; its table takes time, too.  Where that will not do,
 * the screen comes first. */
#define FIRST_NS (25 * GS_NSEC_PER_MSEC)
#define FIRST_TICKS 600
#define STEP_NS (15 * GS_NSEC_PER_MSEC) /* so soon is a key handled */

#define LIST_NS (20 * GS_NSEC_PER_MSEC) /* before the list is shown */

static void choose(struct tui *t, int64_t row);

static bool is_listed(const struct tui *t)
{
	return t->mode == MODE_MENU && t->menu.choose == choose;
}

static const struct cell *cell_of(const struct grid *g, size_t row,
	const char *name)
{
	return &g->row[row].cell[grid_find_col(g, name, strlen(name))];
}

static struct span text_of(const struct grid *g, size_t row, const char *name)
{
	const struct cell *c = cell_of(g, row, name);

	return c->kind == CELL_TEXT ? cell_span(c) : span_str("");
}

/* The tick that the sentence is about. */
static void go_to(struct tui *t, const struct grid *g, size_t row)
{
	const struct cell *at = cell_of(g, row, "at");

	if (at->kind != CELL_INT)
		return;
	t->newest = false;
	time_go(t, source_after(t->src, at->i - 1));
}

static void tell(struct tui *t, const struct grid *g, size_t row)
{
	struct span is = text_of(g, row, "severity");
	struct span what = text_of(g, row, "what");
	char of[40] = "";

	if (t->trouble)
		return;
	if (g->n_row > 1)
		(void)snprintf(of, sizeof(of), "%zu of %zu findings, ",
		    row + 1, g->n_row);
	tui_message(t, "%s%.*s: %.*s%s", of, (int)span_len(is), is.ptr,
	    (int)span_len(what), what.ptr, g->n_row > 1 ? " (! lists them)"
	                                                : "");
}

/* Most of a window that ends soon after the recording began would be before it: so
 * it ends later, and shows what was found, with what came after. */
static void fill_window(struct tui *t)
{
	int64_t whole = t->src->first_ns + t->window_ns;

	if (t->pos_ns < whole - t->window_ns / 2)
		time_go(t, source_after(t->src, GS_MIN(whole,
		    t->src->last_ns) - 1));
}

static void open_busiest(struct tui *t)
{
	int64_t at;

	if (timescan_busiest(&t->timescan, &at))
		time_go(t, source_after(t->src, GS_MIN(at,
		    t->src->last_ns) - 1));
	fill_window(t);
	if (t->trouble)
		return;
	tui_message(t, t->worst.begun
	    ? "no findings; this is where it is busiest"
	    : "this is where it is busiest; ! looks for findings");
}

/* The search is over. */
static void open_found(struct tui *t)
{
	struct grid *g = worst_grid(&t->worst);

	t->opening = false;
	if (g && g->n_row > 0) {
		go_to(t, g, 0);
		fill_window(t);
		tell(t, g, 0);
	} else {
		open_busiest(t);
	}
	grid_free(g);
}

/* The list is on the screen, or waited for, and may become longer. */
static bool wants_list(const struct tui *t)
{
	return (t->listing || is_listed(t)) && t->worst.begun &&
	    !t->worst.over;
}

static void step(struct tui *t, int64_t for_ns)
{
	int64_t until = gs_clock_mono_ns() + for_ns, now;

	for (;;) {
		now = gs_clock_mono_ns();
		if (now >= until || !opening_is_busy(t))
			return;
		if (!timescan_is_done(&t->timescan) && !wants_list(t))
			(void)timescan_step(&t->timescan, t->src,
			    t->timescan.start_ns, false);
		else
			(void)worst_step(&t->worst, until - now);
		if (t->src->hurry && t->src->hurry(t->src->ctx))
			return;
	}
}

bool opening_is_busy(const struct tui *t)
{
	return !timescan_is_done(&t->timescan) ||
	    (t->worst.begun && !t->worst.over);
}

static bool is_short(const struct tui_source *s)
{
	return s->interval_ns > 0 &&
	    (s->last_ns - s->first_ns) / s->interval_ns <= FIRST_TICKS;
}

void opening_begin(struct tui *t)
{
	if (!worst_is_long(t->src))
		worst_begin(&t->worst, t->src);
	if (is_short(t->src))
		step(t, FIRST_NS);
	if (!opening_is_busy(t))
		open_found(t);
}

void opening_stop(struct tui *t)
{
	t->opening = false;
	t->listing = false;
}

/* ---- the list ------------------------------------------------------------- */

/* What shows it is a range: all of it. */
static bool go_to_range(struct tui *t, const struct grid *g, size_t row)
{
	static const char option[] = " --from ";
	const struct cell *from = cell_of(g, row, "from");
	const struct cell *to = cell_of(g, row, "to");
	struct span next = text_of(g, row, "next");

	if (!memmem(next.ptr, span_len(next), option, sizeof(option) - 1) ||
	    from->kind != CELL_INT || to->kind != CELL_INT)
		return false;
	time_span(t, from->i, to->i);
	return true;
}

/* Rows below others are indented. */
static bool has_text(const struct grid *g, const struct grid_row *row,
	const char *column, const char *text)
{
	int col = grid_find_col(g, column, strlen(column));
	struct span s;

	if (col < 0 || row->cell[col].kind != CELL_TEXT ||
	    strcmp(g->col[col].name, column) != 0)
		return false;
	s = cell_span(&row->cell[col]);
	while (!span_empty(s) && *s.ptr == ' ')
		s.ptr++;
	return span_eq(s, text);
}

/* The row of the session that a finding is about, else of its host. */
static void choose_subject(struct tui *t, const struct grid *g, size_t row)
{
	const char *column = span_len(text_of(g, row, "session")) > 0
	    ? "session" : "host";
	struct span name = text_of(g, row, column);
	char *want = gs_strndup(name.ptr, span_len(name));
	size_t n, grid, at;

	tui_refresh(t, t->width); /* g may be of the table before */
	for (n = 0; !t->stale && *want && sheet_get(&t->sheet, n, &grid, &at); n++) {
		const struct grid *of = t->shot.grid[grid];

		if (!has_text(of, &of->row[at], column, want))
			continue;
		tui_choose(t, n);
		break;
	}
	free(want);
}

void findings_go(struct tui *t, const struct grid *g, size_t row)
{
	struct span next = text_of(g, row, "next");
	char view[40];

	/* "-V locks --at ...": the view that shows it */
	if (span_len(next) > 3 && strncmp(next.ptr, "-V ", 3) == 0) {
		(void)snprintf(view, sizeof(view), "%.*s",
		    (int)span_len(next) - 3, next.ptr + 3);
		view[strcspn(view, " ")] = '\0';
		(void)tui_show_view(t, view);
	}
	if (!go_to_range(t, g, row))
		go_to(t, g, row);
	tell(t, g, row);
	choose_subject(t, g, row);
}

static void choose(struct tui *t, int64_t row)
{
	struct grid *g = worst_grid(&t->worst);

	if (g && (size_t)row < g->n_row)
		findings_go(t, g, (size_t)row);
	grid_free(g);
}

static void add_item(struct tui *t, const struct grid *g, size_t row)
{
	struct menu_item *item = &t->menu.item[t->menu.n++];
	struct span is = text_of(g, row, "severity");
	struct span what = text_of(g, row, "what");
	struct buf b = BUF_INIT;

	if (zone_same_date(&t->src->zone, t->src->first_ns, t->src->last_ns))
		zone_add_time(&t->src->zone, cell_of(g, row, "from")->i, 0,
		    &b);
	else
		zone_add_date_time(&t->src->zone, cell_of(g, row, "from")->i,
		    0, &b);
	buf_printf(&b, "  %-7.*s  ", (int)span_len(is), is.ptr);
	utf8_add_safe(&b, what.ptr, span_len(what));
	/* whole characters */
	(void)snprintf(item->text, sizeof(item->text), "%.*s",
	    (int)utf8_fit(buf_str(&b), GS_MIN(b.len, sizeof(item->text) - 1),
	    sizeof(item->text)), buf_str(&b));
	item->value = (int64_t)row;
	buf_release(&b);
}

static void list_findings(struct tui *t)
{
	struct grid *g = worst_grid(&t->worst);
	size_t i;

	t->menu.n = 0;
	t->menu.title = t->worst.over ? "findings, the worst first"
	    : "findings so far, the worst first";
	t->menu.choose = choose;
	t->menu.wide = true;
	for (i = 0; g && i < g->n_row && i < MENU_MAX; i++)
		add_item(t, g, i);
	grid_free(g);
}

/* The first ones may be found later. */
static void open_list(struct tui *t)
{
	list_findings(t);
	t->menu.at = 0;
	t->listing = t->menu.n == 0 && !t->worst.over;
	if (t->menu.n > 0) {
		t->mode = MODE_MENU;
		buf_reset(&t->message); /* "no findings so far" */
	} else if (t->worst.over)
		tui_message(t, "no findings");
	else
		tui_message(t, "no findings so far: %u %% was searched",
		    worst_percent(&t->worst));
}

void findings_menu(struct tui *t, int arg)
{
	(void)arg;
	if (t->worst.over && t->worst.at_ns < t->src->last_ns)
		worst_release(&t->worst); /* it has grown */
	if (!t->worst.begun)
		worst_begin(&t->worst, t->src);
	(void)worst_step(&t->worst, LIST_NS);
	open_list(t);
}

/* More is found while the list is on the screen.  The chosen item stays chosen. */
static void list_again(struct tui *t)
{
	char was[sizeof(t->menu.item[0].text)];
	size_t i;

	memcpy(was, t->menu.item[t->menu.at].text, sizeof(was));
	list_findings(t);
	t->menu.at = GS_MIN(t->menu.at, t->menu.n - GS_MIN(t->menu.n, 1));
	for (i = 0; i < t->menu.n; i++) {
		if (strcmp(t->menu.item[i].text, was) == 0)
			t->menu.at = i;
	}
}

bool opening_idle(struct tui *t)
{
	if (!opening_is_busy(t))
		return false;
	step(t, STEP_NS);
	if (is_listed(t))
		list_again(t);
	else if (t->listing)
		open_list(t);
	timescan_suit(&t->timescan);
	if (!opening_is_busy(t) && t->opening)
		open_found(t);
	else if (t->opening && t->worst.begun && !t->trouble)
		tui_message(t, "looking for the worst moment, %u %%; a key "
		    "stays here", worst_percent(&t->worst));
	return true;
}
