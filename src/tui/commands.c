/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands.c - the action of each key.  The help and the manual's list come
 * from the table.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "tui/tui_int.h"

/* ---- rows ---------------------------------------------------------------- */

static void row_move(struct tui *t, int by)
{
	const struct level *l = tui_level(t);
	size_t n = t->sheet.n_row;

	if (n == 0)
		return;
	if (by < 0)
		tui_choose(t, l->row - GS_MIN(l->row, (size_t)-by));
	else
		tui_choose(t, GS_MIN(l->row + (size_t)by, n - 1));
}

static void row_page(struct tui *t, int direction)
{
	row_move(t, direction * (int)GS_MAX(t->room, (size_t)2));
}

static void row_edge(struct tui *t, int end)
{
	if (t->sheet.n_row > 0)
		tui_choose(t, end ? t->sheet.n_row - 1 : 0);
}

/* ---- views -------------------------------------------------------------- */

/* Those of the number keys, 1 to 9. */
static const char *const numbered[] = { "overview", "sessions", "queries",
	"processes", "hosts", "disks", "waits", "locks", "events" };

static void view_number(struct tui *t, int n)
{
	(void)tui_show_view(t, numbered[n - 1]); /* there is one */
}

static void view_step(struct tui *t, int by)
{
	size_t n = t->n_base;

	(void)tui_show_view(t, view_at((t->view + n + (size_t)(by + (int)n)) %
	    n));
}

static void choose_view(struct tui *t, int64_t value)
{
	(void)tui_show_view(t, view_at((size_t)value));
}

static void view_menu(struct tui *t, int arg)
{
	size_t i;

	(void)arg;
	t->menu.n = 0;
	t->menu.title = "view";
	t->menu.wide = false;
	t->menu.choose = choose_view;
	t->menu.at = t->view;
	for (i = 0; view_at(i) && i < MENU_MAX; i++) {
		(void)snprintf(t->menu.item[i].text,
		    sizeof(t->menu.item[i].text), "%s", view_at(i));
		t->menu.item[i].value = (int64_t)i;
		t->menu.n++;
	}
	t->mode = MODE_MENU;
}

/* ---- the table ---------------------------------------------------------- */

/* Index of the sort column in the table; -1: none. */
static int sorted_by(const struct tui *t, const struct grid *g,
	const char **ret_rest, char *ret_sign)
{
	const struct level *l = tui_level(t);
	const struct view *v = view_find(l->view);
	const char *sort = l->sort ? l->sort : v ? view_default_sort(v) : "";
	size_t len;

	*ret_sign = *sort == '+' || *sort == '-' ? *sort : 0;
	sort += *ret_sign != 0;
	len = strcspn(sort, ",");
	*ret_rest = sort + len;
	return len > 0 ? grid_find_col(g, sort, len) : -1;
}

static void set_sort(struct tui *t, const char *column, char sign)
{
	struct buf b = BUF_INIT;

	if (sign)
		buf_add_char(&b, sign);
	buf_add_str(&b, column);
	level_set(&tui_level(t)->sort, buf_str(&b));
	tui_message(t, "by %s", buf_str(&b));
	buf_release(&b);
	t->stale = true;
}

static const struct grid *main_grid(const struct tui *t)
{
	const struct view *v = view_find(tui_level(t)->view);

	if (!v || view_is_overview(v) || view_is_fixed(v) ||
	    t->shot.n_grid == 0)
		return NULL;
	return t->shot.grid[t->shot.n_grid - 1];
}

/* The shown column to the left or right of the sort column. */
static void sort_step(struct tui *t, int by)
{
	const struct grid *g = main_grid(t);
	const bool *shown;
	const char *rest;
	char sign;
	int at;

	if (!g) {
		tui_message(t, "this view has an order of its own");
		return;
	}
	shown = t->sheet.layout[t->sheet.n_grid - 1].shown;
	at = sorted_by(t, g, &rest, &sign);
	for (at += by; at >= 0 && at < (int)g->n_col; at += by) {
		if (shown[at]) {
			set_sort(t, g->col[at].name, 0);
			return;
		}
	}
}

static void sort_reverse(struct tui *t, int arg)
{
	const struct grid *g = main_grid(t);
	bool ascending;
	const char *rest;
	char sign;
	int at;

	(void)arg;
	at = g ? sorted_by(t, g, &rest, &sign) : -1;
	if (at < 0) {
		tui_message(t, "this view has an order of its own");
		return;
	}
	ascending = sign == '+' || (!sign && g->col[at].quantity == Q_TEXT);
	set_sort(t, g->col[at].name, ascending ? '-' : '+');
}

static void prompt_table(struct tui *t, int kind)
{
	const struct view *v = view_find(tui_level(t)->view);

	if (v && view_is_overview(v))
		tui_message(t, "the overview is fixed; 2 shows sessions, "
		    "4 processes");
	else
		prompt_open(t, kind);
}

static void toggle_active(struct tui *t, int arg)
{
	struct level *l = tui_level(t);

	(void)arg;
	l->active = !l->active;
	tui_message(t, l->active ? "only rows that do something, or wait"
	                     : "all rows");
	t->stale = true;
}

static void toggle_kept(struct tui *t, int arg)
{
	struct level *l = tui_level(t);
	const char *id = sheet_identity(&t->sheet, l->row);

	(void)arg;
	if (l->kept || !id) {
		level_set(&l->kept, NULL);
		tui_message(t, id ? "no row is kept in view"
		                  : "no row is chosen");
		return;
	}
	level_set(&l->kept, id);
	tui_message(t, "this row stays in view; f again lets it go");
}

static void metric_next(struct tui *t, int arg)
{
	const struct timescan_metric *m;

	(void)arg;
	timescan_next_metric(&t->timescan, t->src);
	m = &timescan_metrics[t->timescan.metric];
	tui_message(t, "%s: %s", m->name, m->help);
}

static void show_help(struct tui *t, int arg)
{
	(void)arg;
	t->mode = MODE_HELP;
	t->scroll = 0;
}

static void quit(struct tui *t, int arg)
{
	(void)arg;
	t->over = true;
}

static void redraw(struct tui *t, int arg)
{
	(void)arg;
	t->stale = true;
}

/* ---- keys --------------------------------------------------------------- */

struct command {
	int key;
	const char *label; /* NULL: of the line before, or a heading */
	const char *help; /* NULL: described by another line */
	void (*run)(struct tui *t, int arg);
	int arg;
};

#define MINUTE 60
#define HOUR 3600

static const struct command commands[] = {
	{ 0, NULL, "Time", NULL, 0 },
	{ 't', "t T", "next and previous tick", time_tick, 1 },
	{ 'T', NULL, NULL, time_tick, -1 },
	{ 'j', "j J", "a minute later, earlier", time_move, MINUTE },
	{ 'J', NULL, NULL, time_move, -MINUTE },
	{ 'k', "k K", "ten minutes later, earlier", time_move, 10 * MINUTE },
	{ 'K', NULL, NULL, time_move, -10 * MINUTE },
	{ 'h', "h H", "an hour later, earlier", time_move, HOUR },
	{ 'H', NULL, NULL, time_move, -HOUR },
	{ 'b', "b", "jump to a time, as by --from; 14:05 keeps the date",
	    prompt_open, ASK_JUMP },
	{ TKEY_HOME, "Home End", "start and end of the recording", time_edge,
	    0 },
	{ TKEY_END, NULL, NULL, time_edge, 1 },
	{ ' ', "Space", "pause and continue; plays a recording", time_pause, 0 },
	{ 'z', "z", "go to the newest tick and follow", time_newest, 0 },
	{ 'n', "n N", "next and previous event or hole", time_note, 1 },
	{ 'N', NULL, NULL, time_note, -1 },
	{ '!', "!", "the findings of the recording, to go to",
	    findings_menu, 0 },
	{ '+', "+ -", "a longer and a shorter window", time_window, 1 },
	{ '=', NULL, NULL, time_window, 1 },
	{ '-', NULL, NULL, time_window, -1 },
	{ 'm', "m", "show another figure in the line of time", metric_next, 0 },
	{ 'M', "M", "any: load, waiting, VIEW.COLUMN", prompt_open,
	    ASK_METRIC },
	{ 0, NULL, "Views", NULL, 0 },
	{ '1', "1 - 9", "overview sessions queries processes hosts disks "
	    "waits locks events", view_number, 1 },
	{ '2', NULL, NULL, view_number, 2 },
	{ '3', NULL, NULL, view_number, 3 },
	{ '4', NULL, NULL, view_number, 4 },
	{ '5', NULL, NULL, view_number, 5 },
	{ '6', NULL, NULL, view_number, 6 },
	{ '7', NULL, NULL, view_number, 7 },
	{ '8', NULL, NULL, view_number, 8 },
	{ '9', NULL, NULL, view_number, 9 },
	{ '0', "0", "choose from all views", view_menu, 0 },
	{ 'v', "v", "a view by name", prompt_open, ASK_VIEW },
	{ TKEY_TAB, "Tab", "next view; Shift-Tab: previous view", view_step,
	    1 },
	{ TKEY_BACK_TAB, NULL, NULL, view_step, -1 },
	{ TKEY_ENTER, "Enter", "zoom in: session, queries, processes, slices; "
	    "host, processes", zoom_in, 0 },
	{ '\n', NULL, NULL, zoom_in, 0 },
	{ 'i', "i", "zoom to other rows: a host's disks, cpus, nets",
	    zoom_menu, 0 },
	{ TKEY_ESCAPE, "Esc", "back", zoom_out, 0 },
	{ 0, NULL, "Rows", NULL, 0 },
	{ TKEY_UP, "Up Down", "choose a row; it stays chosen while time "
	    "moves", row_move, -1 },
	{ TKEY_DOWN, NULL, NULL, row_move, 1 },
	{ TKEY_PAGE_UP, "PgUp PgDn", "a screen of rows", row_page, -1 },
	{ TKEY_PAGE_DOWN, NULL, NULL, row_page, 1 },
	{ 'g', "g G", "first and last row", row_edge, 0 },
	{ 'G', NULL, NULL, row_edge, 1 },
	{ '/', "/", "filter rows, as by --where: cpu > 50",
	    prompt_table, ASK_WHERE },
	{ 's', "s", "sort, as by --sort: memory,+user", prompt_table,
	    ASK_SORT },
	{ '<', "< >", "sort by the column to the left, right", sort_step,
	    -1 },
	{ '>', NULL, NULL, sort_step, 1 },
	{ 'r', "r", "reverse the order", sort_reverse, 0 },
	{ 'c', "c", "columns, as by --columns: +title",
	    prompt_table, ASK_COLUMNS },
	{ 'd', "d", "compare with another range, as by --baseline: -1h",
	    prompt_open, ASK_BASELINE },
	{ 'a', "a", "all rows, or only active or waiting ones",
	    toggle_active, 0 },
	{ 'f', "f", "keep the row in view while time moves", toggle_kept, 0 },
	{ 0, NULL, "Others", NULL, 0 },
	{ 'w', "w", "write the table to a file: text, CSV or JSON",
	    prompt_open, ASK_FILE },
	{ '?', "?", "this list", show_help, 0 },
	{ TKEY_CTRL('l'), "Ctrl-L", "redraw the screen", redraw, 0 },
	{ 'q', "q", "quit", quit, 0 },
};

void command_key(struct tui *t, int key)
{
	size_t i;

	buf_reset(&t->message);
	t->trouble = false;
	for (i = 0; i < GS_LEN(commands); i++) {
		if (commands[i].run && commands[i].key == key) {
			commands[i].run(t, commands[i].arg);
			return;
		}
	}
	tui_message(t, "? lists the keys");
}

bool command_line(size_t i, const char **ret_key, const char **ret_help)
{
	size_t k;

	for (k = 0; k < GS_LEN(commands); k++) {
		if (!commands[k].help || i-- > 0)
			continue;
		*ret_key = commands[k].label;
		*ret_help = commands[k].help;
		return true;
	}
	return false;
}

void tui_list_keys(struct buf *to)
{
	const char *key, *help;
	size_t i;

	for (i = 0; command_line(i, &key, &help); i++)
		buf_printf(to, "%s\t%s\n", key ? key : "", help);
}

/* ---- other modes -------------------------------------------------------- */

void help_key(struct tui *t, int key)
{
	if (key == TKEY_DOWN || key == 'j' || key == TKEY_PAGE_DOWN ||
	    key == ' ')
		t->scroll += key == TKEY_DOWN || key == 'j' ? 1 : t->room;
	else if (key == TKEY_UP || key == 'k')
		t->scroll -= GS_MIN(t->scroll, 1);
	else if (key == TKEY_PAGE_UP)
		t->scroll -= GS_MIN(t->scroll, t->room);
	else
		t->mode = MODE_TABLE;
}

static void menu_choose(struct tui *t, size_t i)
{
	t->mode = MODE_TABLE;
	if (i < t->menu.n)
		t->menu.choose(t, t->menu.item[i].value);
}

void menu_key(struct tui *t, int key)
{
	size_t n = t->menu.n;

	if (key == TKEY_DOWN || key == TKEY_TAB)
		t->menu.at = (t->menu.at + 1) % n;
	else if (key == TKEY_UP || key == TKEY_BACK_TAB)
		t->menu.at = (t->menu.at + n - 1) % n;
	else if (key == TKEY_ENTER || key == '\n')
		menu_choose(t, t->menu.at);
	else if (key >= '1' && key <= '9' && n <= 9)
		menu_choose(t, (size_t)(key - '1'));
	else
		t->mode = MODE_TABLE;
}
