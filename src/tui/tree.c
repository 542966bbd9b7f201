/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.c - keys of trees: sessions, their queries, their processes; control
 * groups by path; any table of nested groups.  A row that is folded hides those
 * below it.
 */
#include <string.h>

#include "base/mem.h"
#include "tui/tui_int.h"

void tree_fold(struct tui *t, int arg)
{
	struct level *l = tui_level(t);
	unsigned deepest = folds_deepest(&l->folds);
	size_t grid, row;

	(void)arg;
	if (!sheet_get(&t->sheet, l->row, &grid, &row) ||
	    !folds_has_below(&l->folds, t->shot.grid[grid], row)) {
		tui_message(t, "nothing is below this row");
		return;
	}
	tui_choose(t, l->row);
	if (!folds_turn(&l->folds, l->chosen, t->shot.grid[grid]->row[row].level))
		tui_message(t, "that is enough: O opens or folds all");
	if (folds_deepest(&l->folds) == deepest)
		tui_lay_out(t);
	else
		t->stale = true;
}

void tree_fold_all(struct tui *t, int arg)
{
	struct level *l = tui_level(t);
	bool open = l->folds.depth == FOLDS_OPEN && l->folds.n == 0;

	(void)arg;
	if (t->shot.n_grid == 0 || t->shot.grid[t->shot.n_grid - 1]->n_row == 0 ||
	    t->shot.grid[t->shot.n_grid - 1]->row[0].level == 0) {
		tui_message(t, "this is no tree; e shows one");
		return;
	}
	folds_set(&l->folds, open ? 1 : FOLDS_OPEN);
	tui_message(t, open ? "all rows are folded" : "all rows are open");
	t->stale = true; /* the chosen row may be hidden */
}

/* ---- the trees ------------------------------------------------------------ */

static bool is_of_cgroups(const char *view)
{
	return strcmp(view, "cgroups") == 0;
}

static bool is_of_sessions(const char *view)
{
	static const char *const views[] = { "overview", "sessions", "queries",
		"processes" };
	size_t i;

	for (i = 0; i < GS_LEN(views); i++) {
		if (strcmp(views[i], view) == 0)
			return true;
	}
	return false;
}

void tree_open(struct tui *t, int arg)
{
	struct level *from = tui_level(t), *l;
	bool cgroups = is_of_cgroups(from->view);

	(void)arg;
	if (from->tree) {
		zoom_out(t, 0);
		return;
	}
	if ((!cgroups && !is_of_sessions(from->view)) ||
	    t->n_zoomed == LEVELS_MAX) {
		tui_message(t, "sessions, queries, processes and cgroups have "
		    "a tree");
		return;
	}
	l = &t->zoomed[t->n_zoomed++];
	level_init(l, cgroups ? "cgroups" : "sessions", NULL);
	l->tree = true;
	level_set(&l->name, "tree");
	if (cgroups) {
		level_set(&l->where, from->where);
		level_set(&l->sort, from->sort);
	} else {
		level_set(&l->group_by, "session,query,process");
		level_set(&l->columns, "+work_text");
		l->nested = true;
		l->folds.depth = 1;
		l->folds.levels = 3;
	}
	/* what was zoomed into stays, if the tree has its column */
	if (from->zoom && (cgroups || strncmp(from->zoom, "session = ",
	    strlen("session = ")) == 0))
		level_set(&l->zoom, from->zoom);
	tui_message(t, "o folds and opens a row, O all; e goes back");
	t->stale = true;
}
