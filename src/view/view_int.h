/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_int.h - what the files of src/view share.
 */
#ifndef GS_VIEW_VIEW_INT_H
#define GS_VIEW_VIEW_INT_H

#include "query/figure.h"
#include "view/view.h"

/* As min_width: shown where more than one host is recorded. */
#define MANY_HOSTS (GRID_ON_REQUEST - 1)

/* The same: where more than one database server is. */
#define MANY_SERVERS (GRID_ON_REQUEST - 2)

/* The same: where some host covers less than another. */
#define WHERE_UNEVEN (GRID_ON_REQUEST - 3)

/* In place of a grouping: tables of other views. */
#define OVERVIEW (-1)

/* In place of a grouping: the view makes its table itself. */
#define TABLE (-2)

/* How such a view works.  A use of it is one allocation of its own kind. */
struct view_table {
	/* On an engine that has seen no tick; it may add groupings and a
	 * follower.  ask outlives it. */
	void *(*open)(struct engine *e, const struct view_ask *ask);
	struct grid *(*grid)(void *self, const struct engine *e);
	void (*close)(void *self);
	const struct grid_col *second; /* behind the first of these, or NULL */
	const struct grid_col *col; /* all that it may show */
	size_t n_col;
	bool fixed; /* view_is_fixed() */
	bool waits; /* view_is_of_waits() */
	/* NULL: windows of it never stand side by side. */
	bool (*is_beside)(const struct view_ask *ask);
	struct grid *(*beside)(void *const *self,
		const struct view_window *w, size_t n);
};

/* The column at a position of such a view, false behind the last. */
bool view_table_column(const struct view_table *t, size_t i,
	struct grid_col *ret);

struct view_sink;

/* The rows of a view that are not just the groups of its grouping. */
struct view_rows {
	/* What it keeps while it follows the engine, which has seen no tick;
	 * it may add groupings.  NULL: nothing. */
	void *(*open)(struct engine *e);
	void (*close)(void *state);
	/* Gives the rows, one view_put() each. */
	void (*list)(struct view_sink *to);
};

struct view {
	const char *name;
	const char *help;
	int grouping; /* enum grouping_kind, OVERVIEW or TABLE */
	enum entity_id entity;
	const struct figure *figure;
	size_t n_figure;
	const struct view_rows *rows; /* NULL: one per group */
	int session_grouping; /* in place of grouping if grouped by session; 0:
			       * the view takes any keys, or none */
	int segment_grouping; /* one more, for columns about balance; 0: none */
	enum { KNOWN_NONE, KNOWN_SESSIONS, KNOWN_QUERIES, KNOWN_HOSTS }
		known; /* also what the catalog, or the header, alone knows */
	bool groups; /* can be grouped, though it has rows of its own */
	bool last_tick; /* is about the last tick of the range alone */
	bool catalog; /* all of it is what a database says of itself */
	bool living; /* groups that have no row any more are left out */
	const char *sort; /* as --sort takes it; "": as they stand */
	const struct view_table *table; /* for TABLE */
};

/* Adds a row: figures that need no group look at the subject, the others at
 * the group, and are absent if it is NULL. */
void view_put(struct view_sink *to, const void *subject,
	const struct group *g);

/* Adds a row for each host that is to be there, and has none. */
void view_put_silent(struct view_sink *to, const struct view *v);

/* False: no row was in the group during the range, so it says nothing. */
bool view_has_group(const struct view *v, const struct group *g);

/* What a use is of. */
const struct view *view_of(const struct view_use *u);

/* What rows are made from: its grid is the one at hand. */
const struct figure_env *view_env(const struct view_sink *to);

#define VIEW(name) extern const struct view view_##name;
#include "view/views.def"
#undef VIEW

/* The i-th metric that the view shows unasked, as the registry has it; NULL
 * behind the last. */
const struct metric *view_usual_metric(const struct view *v, size_t i);

/* The columns behind the keys of a grouping. */
const struct figure *view_group_figures(size_t *ret_n);

#endif
