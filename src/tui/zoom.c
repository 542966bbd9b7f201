/* SPDX-License-Identifier: Apache-2.0 */
/*
 * zoom.c - from a row to its parts.
 *
 * A row of the table: from a view to another view, to the rows whose column
 * there equals this one's.  The first of several is the default.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/tui_int.h"

struct way {
	const char *from, *column; /* of the row that is chosen */
	const char *to, *match; /* column there; NULL: by set */
	size_t set; /* offset of a text of struct level that is the value */
};

#define BY(MEMBER) NULL, offsetof(struct level, MEMBER)

static const struct way ways[] = {
	{ "sessions", "session", "queries", "session", 0 },
	{ "sessions", "session", "processes", "session", 0 },
	{ "sessions", "session", "matrix", "session", 0 },
	{ "sessions", "session", "locks", "session", 0 },
	{ "queries", "session", "processes", "session", 0 },
	{ "queries", "session", "matrix", "session", 0 },
	{ "processes", "session", "matrix", "session", 0 },
	{ "processes", "session", "queries", "session", 0 },
	{ "processes", "pid", "threads", "pid", 0 },
	{ "threads", "pid", "processes", "pid", 0 },
	{ "offcpu", "pid", "threads", "pid", 0 },
	{ "offcpu", "session", "sessions", "session", 0 },
	{ "top", "session", "matrix", "session", 0 },
	{ "top", "session", "queries", "session", 0 },
	{ "skew", "session", "matrix", "session", 0 },
	{ "spill", "session", "processes", "session", 0 },
	{ "matrix", "session", "processes", "session", 0 },
	{ "locks", "session", "processes", "session", 0 },
	{ "locks", "session", "queries", "session", 0 },
	{ "backends", "pid", "processes", "pid", 0 },
	{ "segments", "host", "processes", "host", 0 },
	{ "hosts", "host", "processes", "host", 0 },
	{ "hosts", "host", "disks", "host", 0 },
	{ "hosts", "host", "cpus", "host", 0 },
	{ "hosts", "host", "nets", "host", 0 },
	{ "hosts", "host", "filesystems", "host", 0 },
	{ "hosts", "host", "cgroups", "host", 0 },
	{ "cgroups", "cgroup", "cgroup_io", "cgroup", 0 },
	{ "disks", "host", "filesystems", "host", 0 },
	{ "disks", "host", "processes", "host", 0 },
	{ "cpus", "host", "processes", "host", 0 },
	{ "time", "busy_host", "processes", "host", 0 },
	{ "system_event", "event", "query_event", BY(event) },
	{ "time_model", "event", "query_event", BY(event) },
	{ "query_event", "query_id", "query_event", BY(query_id) },
	{ "active", "pid", "processes", "pid", 0 },
	{ "session_event", "pid", "processes", "pid", 0 },
};

#define PROCESS_IN_TREE "process"

/* The chosen row; false if there is none with a meaning. */
static bool chosen(struct tui *t, const struct grid **ret_g,
	const struct grid_row **ret_row)
{
	size_t grid, row;

	if (!sheet_get(&t->sheet, tui_level(t)->row, &grid, &row))
		return false;
	*ret_g = t->shot.grid[grid];
	*ret_row = &(*ret_g)->row[row];
	return !(*ret_row)->others;
}

/* The view whose rows are like this one: in the tree, queries and processes stand
 * below sessions.  Below a process in it there is nothing. */
static const char *view_of(struct tui *t, const struct grid *g,
	const struct grid_row *row)
{
	if (!tui_level(t)->tree || strcmp(g->name, "sessions") != 0 ||
	    row->level < 2)
		return g->name;
	return row->level == 2 ? "queries" : PROCESS_IN_TREE;
}

/* A session without a database has processes, and nothing of the catalog. */
static bool is_of_system(const struct way *w, const char *value)
{
	return strcmp(w->column, "session") == 0 &&
	    strcmp(w->to, "processes") != 0 &&
	    strncmp(value, "sid ", 4) == 0;
}

/* The value that a zoom selects by, as text; empty: the row has none. */
static void value_of(const struct way *w, const struct grid *g,
	const struct grid_row *row, struct buf *to)
{
	int col = grid_find_col(g, w->column, strlen(w->column));

	buf_reset(to);
	if (col >= 0)
		(void)cell_add_exact(to, g->col[col].quantity,
		    &row->cell[col]);
	if (is_of_system(w, buf_str(to)))
		buf_reset(to);
}

/* column = 'value', in a quote that the value does not contain. */
static void add_condition(struct buf *to, const char *column,
	const char *value)
{
	char quote = strchr(value, '"') ? '\'' : '"';

	buf_printf(to, "%s = %c%s%c", column, quote, value, quote);
}

static void go(struct tui *t, int64_t number)
{
	const struct way *w = &ways[number];
	const struct grid *g;
	const struct grid_row *row;
	struct buf value = BUF_INIT, condition = BUF_INIT;
	struct level *l;

	if (!chosen(t, &g, &row))
		return;
	value_of(w, g, row, &value);
	if (value.len == 0 || t->n_zoomed == LEVELS_MAX)
		goto out;
	/* the current settings stay */
	level_set(&tui_level(t)->chosen, sheet_identity(&t->sheet,
	    tui_level(t)->row));
	l = &t->zoomed[t->n_zoomed++];
	level_init(l, w->to, NULL);
	columns_inherit(t, l);
	if (w->match) {
		add_condition(&condition, w->match, buf_str(&value));
		level_set(&l->zoom, buf_str(&condition));
	} else {
		level_set((char **)(void *)((char *)l + w->set),
		    buf_str(&value));
	}
	level_set(&l->name, buf_str(&value));
	t->stale = true;
out:
	buf_release(&value);
	buf_release(&condition);
}

/* The zooms from the row; false: none, and a message was shown. */
static bool list_ways(struct tui *t)
{
	struct buf value = BUF_INIT;
	const struct grid *g;
	const struct grid_row *row;
	const char *from;
	size_t i;

	t->menu.n = t->menu.at = 0;
	t->menu.title = "zoom into";
	t->menu.wide = false;
	t->menu.choose = go;
	if (!chosen(t, &g, &row)) {
		tui_message(t, "no row is chosen");
		return false;
	}
	from = view_of(t, g, row);
	for (i = 0; i < GS_LEN(ways) && t->menu.n < MENU_MAX; i++) {
		struct menu_item *item = &t->menu.item[t->menu.n];

		if (strcmp(ways[i].from, from) != 0)
			continue;
		value_of(&ways[i], g, row, &value);
		if (value.len == 0)
			continue;
		(void)snprintf(item->text, sizeof(item->text), "%s",
		    ways[i].to); /* fits */
		item->value = (int64_t)i;
		t->menu.n++;
	}
	buf_release(&value);
	if (t->menu.n == 0)
		tui_message(t, "there is nothing below this row");
	return t->menu.n > 0;
}

void zoom_in(struct tui *t, int arg)
{
	const struct grid *g;
	const struct grid_row *row;

	(void)arg;
	if (chosen(t, &g, &row) && strcmp(g->name, "findings") == 0) {
		findings_go(t, g, (size_t)(row - g->row));
		return;
	}
	if (!list_ways(t)) {
		if (chosen(t, &g, &row)) /* a leaf */
			zoom_detail(t, 0);
		return;
	}
	go(t, t->menu.item[0].value);
	if (t->menu.n > 1)
		tui_message(t, "i: other ways to zoom into %s",
		    tui_level(t)->name);
}

/* The name of a session of the database; empty: the row has none. */
static void session_of(const struct grid *g, const struct grid_row *row,
	struct buf *to)
{
	const struct way by = { g->name, "session", "query", NULL, 0 };

	value_of(&by, g, row, to);
}

void zoom_detail(struct tui *t, int arg)
{
	const struct grid *g;
	const struct grid_row *row;
	struct buf session = BUF_INIT;
	struct level *l;

	(void)arg;
	if (!chosen(t, &g, &row)) {
		tui_message(t, "no row is chosen");
		return;
	}
	session_of(g, row, &session);
	if (session.len == 0 || strcmp(g->name, "processes") == 0 ||
	    strcmp(view_of(t, g, row), PROCESS_IN_TREE) == 0 ||
	    strcmp(tui_level(t)->view, "query") == 0 ||
	    t->n_zoomed == LEVELS_MAX) {
		t->mode = MODE_PAGE; /* which has all figures */
		t->scroll = 0;
		t->stale = true;
	} else {
		level_set(&tui_level(t)->chosen, sheet_identity(&t->sheet,
		    tui_level(t)->row));
		l = &t->zoomed[t->n_zoomed++];
		level_init(l, "query", NULL);
		level_set(&l->session, buf_str(&session));
		level_set(&l->name, buf_str(&session));
		t->stale = true;
	}
	buf_release(&session);
}

void zoom_menu(struct tui *t, int arg)
{
	(void)arg;
	if (list_ways(t))
		t->mode = MODE_MENU;
}

void zoom_out(struct tui *t, int arg)
{
	(void)arg;
	if (t->n_zoomed == 0)
		return;
	level_release(&t->zoomed[--t->n_zoomed]);
	t->stale = true;
}
