/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_use.h - a view at work, as the files of view.h share it: view.c (from an
 * engine to a grid), view_figures.c (its columns), view_sink.c (its rows).
 */
#ifndef GS_VIEW_VIEW_USE_H
#define GS_VIEW_VIEW_USE_H

#include "view/known.h"
#include "view/view_int.h"

struct view_use {
	const struct view *view;
	const struct grouping *grouping;
	const struct grouping *disks, *segments;
	struct figure *figure; /* keys, then the view's or the groups' */
	size_t n_figure;
	bool *late; /* per figure: of kept rows only; NULL: no row goes */
	struct cell *scratch; /* of a row that may go */
	void *table; /* of a view that makes its table itself */
	void *state; /* of view->rows */
	const struct view_ask *ask;
	struct view_ask own; /* what of it goes with a session grouping */
	const struct engine *engine;
	const struct figure *order; /* what rows are worth keeping by */
	double direction; /* -1: ascending */
	char **name; /* that columns of averages have */
	size_t n_name;
};

struct view_sink {
	const struct view_use *use;
	struct figure_env env;
	struct known_shown shown;
};

/* The columns that are asked for. */
void view_choose_figures(struct view_use *u, const struct view_ask *ask);

#endif
