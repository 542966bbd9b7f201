/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands.c - the action of each key.  The help and the manual's list come
 * from the table.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "tui/looks.h"
#include "tui/tui_int.h"

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

/* ---- others -------------------------------------------------------------- */

static void metric_next(struct tui *t, int arg)
{
	const struct timescan_metric *m;

	(void)arg;
	timescan_next_metric(&t->timescan, t->src);
	m = &timescan_metrics[t->timescan.metric];
	tui_message(t, "%s: %s", m->name, m->help);
}

static void end_filter(struct tui *t)
{
	struct level *l = tui_level(t);

	if (!l->where)
		return;
	level_set(&l->where, NULL);
	tui_message(t, "all rows");
	t->stale = true;
}

/* Esc ends a search, then goes back, and in the end shows all rows. */
static void step_back(struct tui *t, int arg)
{
	if (t->search)
		level_set(&t->search, NULL);
	else if (t->n_zoomed > 0)
		zoom_out(t, arg);
	else
		end_filter(t);
}

static void search_or_note(struct tui *t, int direction)
{
	if (t->search)
		search_next(t, direction);
	else
		time_note(t, direction);
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
	{ ']', "[ ]", "a minute earlier, later", time_move, MINUTE },
	{ '[', NULL, NULL, time_move, -MINUTE },
	{ '}', "{ }", "ten minutes earlier, later", time_move, 10 * MINUTE },
	{ '{', NULL, NULL, time_move, -10 * MINUTE },
	{ ')', "( )", "an hour earlier, later", time_move, HOUR },
	{ '(', NULL, NULL, time_move, -HOUR },
	{ 'b', "b", "jump to a time, as by --from; 14:05 keeps the date",
	    prompt_open, ASK_JUMP },
	{ TKEY_HOME, "Home End", "start and end of the recording", time_edge,
	    0 },
	{ TKEY_END, NULL, NULL, time_edge, 1 },
	{ ' ', "Space", "pause and continue; plays a recording", time_pause, 0 },
	{ 'z', "z", "go to the newest tick and follow", time_newest, 0 },
	{ 'n', "n N", "next and previous event or hole, or match of /",
	    search_or_note, 1 },
	{ 'N', NULL, NULL, search_or_note, -1 },
	{ '!', "!", "the findings of the recording, to go to",
	    findings_menu, 0 },
	{ 'F', "F", "when something was so, as by --find: session.cpu > 50",
	    prompt_open, ASK_FIND },
	{ '+', "+ -", "a longer and a shorter window", time_window, 1 },
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
	{ 'd', "d", "all of a row: whole query, waits, course, processes",
	    zoom_detail, 0 },
	{ 'i', "i", "zoom to other rows: a host's disks, cpus, nets",
	    zoom_menu, 0 },
	{ TKEY_ESCAPE, "Esc", "back; ends a search first, a filter last",
	    step_back, 0 },
	{ 0, NULL, "Rows and columns", NULL, 0 },
	{ TKEY_UP, "Up Down", "choose a row, as k j; it stays chosen while "
	    "time moves", row_move, -1 },
	{ TKEY_DOWN, NULL, NULL, row_move, 1 },
	{ 'k', NULL, NULL, row_move, -1 },
	{ 'j', NULL, NULL, row_move, 1 },
	{ TKEY_LEFT, "Left Right", "columns to the left and right, as h l",
	    column_move, -1 },
	{ TKEY_RIGHT, NULL, NULL, column_move, 1 },
	{ 'h', NULL, NULL, column_move, -1 },
	{ 'l', NULL, NULL, column_move, 1 },
	{ TKEY_PAGE_UP, "PgUp PgDn", "a screen of rows", row_page, -1 },
	{ TKEY_PAGE_DOWN, NULL, NULL, row_page, 1 },
	{ 'g', "g G", "first and last row", row_edge, 0 },
	{ 'G', NULL, NULL, row_edge, 1 },
	{ '/', "/", "search for a text in the rows; n N go on",
	    prompt_open, ASK_SEARCH },
	{ '&', "& =", "only some rows, as by --where: cpu > 50",
	    prompt_table, ASK_WHERE },
	{ '=', NULL, NULL, prompt_table, ASK_WHERE },
	{ 's', "s", "sort, as by --sort: memory,+user", prompt_table,
	    ASK_SORT },
	{ '<', "< >", "sort by the column to the left, right", sort_step,
	    -1 },
	{ '>', NULL, NULL, sort_step, 1 },
	{ 'r', "r", "reverse the order", sort_reverse, 0 },
	{ 'c', "c", "columns, as by --columns: +title",
	    prompt_table, ASK_COLUMNS },
	{ 'C', "C", "choose and move columns in a list", colpick_open, 0 },
	{ 'x', "x", "what the columns mean, as by --explain", explain_open, 0 },
	{ 'D', "D", "compare with another range, as by --baseline: -1h",
	    prompt_open, ASK_BASELINE },
	{ 'W', "W", "windows beside each other, as by --window: 5s,1m,5m",
	    prompt_open, ASK_WINDOWS },
	{ 'a', "a", "all rows, or only active or waiting ones",
	    toggle_active, 0 },
	{ 'f', "f", "keep the row in view while time moves", toggle_kept, 0 },
	{ 'e', "e", "a tree: sessions, queries, processes; cgroups by path",
	    tree_open, 0 },
	{ 'o', "o O", "fold or open a row of a tree; all rows", tree_fold, 0 },
	{ 'O', NULL, NULL, tree_fold_all, 0 },
	{ 'y', "y Y", "copy the query or name of the row; the row as shown",
	    copy_row, 0 },
	{ 'Y', NULL, NULL, copy_row, 1 },
	{ 0, NULL, "Others", NULL, 0 },
	{ ':', ":", "an option of gpsnap replay: sort memory, group-by user",
	    prompt_open, ASK_OPTION },
	{ 'w', "w", "write the table to a file: text, CSV or JSON",
	    prompt_open, ASK_FILE },
	{ '?', "?", "this list", show_help, 0 },
	{ TKEY_F1, "F1 - F10", "list views search filter row order findings "
	    "jump find quit", show_help, 0 },
	{ TKEY_F1 + 1, NULL, NULL, view_menu, 0 },
	{ TKEY_F1 + 2, NULL, NULL, prompt_open, ASK_SEARCH },
	{ TKEY_F1 + 3, NULL, NULL, prompt_table, ASK_WHERE },
	{ TKEY_F1 + 4, NULL, NULL, zoom_detail, 0 },
	{ TKEY_F1 + 5, NULL, NULL, prompt_table, ASK_SORT },
	{ TKEY_F1 + 6, NULL, NULL, findings_menu, 0 },
	{ TKEY_F1 + 7, NULL, NULL, prompt_open, ASK_JUMP },
	{ TKEY_F1 + 8, NULL, NULL, prompt_open, ASK_FIND },
	{ TKEY_F10, NULL, NULL, quit, 0 },
	{ TKEY_CTRL('l'), "Ctrl-L", "redraw the screen", redraw, 0 },
	{ 'q', "q", "quit", quit, 0 },
};

/* Keys of below that are others here: what they stand for. */
static const struct {
	int key, is;
} below[] = {
	{ 'j', ']' },
	{ 'J', '[' },
	{ 'k', '}' },
	{ 'K', '{' },
	{ 'h', ')' },
	{ 'H', '(' },
	{ '/', '&' },
};

/* How labels of the list and of the last line read then.  The first that has a
 * label is right. */
static const struct {
	const char *label, *below;
	const char *help; /* NULL: as it is */
} below_labels[] = {
	{ "[ ]", "J j", NULL },
	{ "{ }", "K k", NULL },
	{ "( )", "H h", NULL },
	{ "Up Down", "Up Down", "choose a row; it stays chosen while time moves" },
	{ "Left Right", "Left Right", "columns to the left and right" },
	{ "/", "F3", NULL },
	{ "&", "/", NULL },
	{ "& =", "/ & =", NULL },
	{ "n N", "n N", "next and previous event or hole, or match of F3" },
};

static bool keys_of_below;

int looks_set_keys(const char *name, struct gs_err *err)
{
	if (strcmp(name, "below") != 0 && strcmp(name, "less") != 0)
		return gs_fail(err, GS_E_USAGE, "\"%s\": expected less or "
		    "below", name);
	keys_of_below = strcmp(name, "below") == 0;
	return GS_OK;
}

static int meant(int key)
{
	size_t i;

	for (i = 0; keys_of_below && i < GS_LEN(below); i++) {
		if (below[i].key == key)
			return below[i].is;
	}
	return key;
}

/* What the row or the columns of the table that was asked for are used by.
 * Others need not wait for it: who holds T down sees the last table. */
static bool needs_table(void (*run)(struct tui *t, int arg))
{
	static void (*const those[])(struct tui *t, int arg) = { zoom_in,
		zoom_menu, zoom_detail, row_move, row_page, row_edge,
		column_move, sort_step, sort_reverse, colpick_open,
		toggle_kept, copy_row, search_or_note, tree_fold,
		tree_fold_all };
	size_t i;

	for (i = 0; i < GS_LEN(those); i++) {
		if (those[i] == run)
			return true;
	}
	return false;
}

/* Makes the table that keys before this one asked for, whatever is typed after
 * it. */
static void settle(struct tui *t)
{
	bool (*hurry)(void *ctx) = t->src->hurry;

	if (!t->stale)
		return;
	t->src->hurry = NULL;
	tui_refresh(t, t->width);
	t->src->hurry = hurry;
}

void command_key(struct tui *t, int key)
{
	size_t i;

	buf_reset(&t->message);
	t->trouble = false;
	key = meant(key);
	for (i = 0; i < GS_LEN(commands); i++) {
		if (commands[i].run && commands[i].key == key) {
			if (needs_table(commands[i].run))
				settle(t);
			commands[i].run(t, commands[i].arg);
			return;
		}
	}
	tui_message(t, "? lists the keys");
}

const char *command_label(const char *label, const char **ret_help)
{
	size_t i;

	for (i = 0; keys_of_below && label && i < GS_LEN(below_labels); i++) {
		if (strcmp(below_labels[i].label, label) != 0)
			continue;
		if (below_labels[i].help && ret_help)
			*ret_help = below_labels[i].help;
		return below_labels[i].below;
	}
	return label;
}

bool command_line(size_t i, const char **ret_key, const char **ret_help)
{
	size_t k;

	for (k = 0; k < GS_LEN(commands); k++) {
		if (!commands[k].help || i-- > 0)
			continue;
		*ret_help = commands[k].help;
		*ret_key = command_label(commands[k].label, ret_help);
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
