/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_int.h - shared by the files of src/view.
 */
#ifndef GS_VIEW_VIEW_INT_H
#define GS_VIEW_VIEW_INT_H

#include "metric/collectors.h"
#include "query/figure.h"
#include "view/view.h"

/* Values of min_width: shown if more than one host is recorded. */
#define MANY_HOSTS (GRID_ON_REQUEST - 1)

/* Shown if more than one database server is recorded. */
#define MANY_SERVERS (GRID_ON_REQUEST - 2)

/* Shown if some host covers less than another. */
#define WHERE_UNEVEN (GRID_ON_REQUEST - 3)

/* The metric of counters that are not asked for at each tick: the time between
 * answers. */
#define VIEW_CLOCK "clock"

/* In place of a grouping: a list of tables of other views. */
#define OVERVIEW (-1)

/* In place of a grouping: the view makes its table itself. */
#define TABLE (-2)

/* Functions of such a view.  Each use of it is one allocation of the view's own
 * type. */
struct view_table {
	/* On an engine before its first tick; it may add groupings and a
	 * follower.  ask outlives it. */
	void *(*open)(struct engine *e, const struct view_ask *ask);
	struct grid *(*grid)(void *self, const struct engine *e);
	/* The same of the state of another view of waits; NULL: none. */
	struct grid *(*grid_as)(void *other, const struct engine *e);
	void (*close)(void *self);
	const struct grid_col *second; /* columns after the first of these, or
	                                * NULL */
	const struct grid_col *col; /* all its columns */
	size_t n_col;
	bool fixed; /* view_is_fixed() */
	bool waits; /* view_is_of_waits() */
	bool page; /* view_is_page() */
	/* NULL: windows are never side by side. */
	bool (*is_beside)(const struct view_ask *ask);
	struct grid *(*beside)(void *const *self,
		const struct view_window *w, size_t n);
};

/* The column at a position of such a view, false after the last. */
bool view_table_column(const struct view_table *t, size_t i,
	struct grid_col *ret);

struct view_sink;

/* Rows of a view that are not simply the groups of its grouping. */
struct view_rows {
	/* Makes the view's state on an engine before its first tick; it may add
	 * groupings, of the last tick alone if that is asked for.  NULL: no
	 * state. */
	void *(*open)(struct engine *e, bool last_tick);
	void (*close)(void *state);
	/* Makes the rows, one view_put() each. */
	void (*list)(struct view_sink *to);
	/* False: it makes nothing of that group, if it has ended.  NULL: of each
	 * it may. */
	bool (*needs)(const struct rollup *r, const struct group *g);
};

struct view {
	const char *name;
	const char *help;
	int grouping; /* enum grouping_kind, OVERVIEW or TABLE */
	enum label_kind key; /* for GROUPING_LABELS */
	enum entity_id entity;
	const struct figure *figure;
	size_t n_figure;
	const struct view_rows *rows; /* NULL: one per group */
	int session_grouping; /* in place of grouping, if grouped by session; 0:
	                       * the view takes any keys, or none */
	int segment_grouping; /* an additional one, for columns of skew; 0: none */
	enum { KNOWN_NONE, KNOWN_SESSIONS, KNOWN_QUERIES, KNOWN_HOSTS }
		known; /* with rows known only from the catalog, or the header */
	bool groups; /* can be grouped, though it has rows of its own */
	bool last_tick; /* only about the last tick of the range */
	bool catalog; /* all of it comes from the catalog */
	uint32_t collectors; /* that bring what it shows of the catalog, as bits; 0: of
	                      * a view of the catalog, those of its entity */
	bool living; /* groups without a current row are left out */
	const char *sort; /* default of --sort; "": unsorted */
	const struct view_table *table; /* for TABLE */
};

/* A view whose rows are those of an entity: its columns are the table NAME[].
 * Other members may follow. */
#define ROW_VIEW(NAME, ENTITY, HELP, ...) \
	const struct view view_##NAME = { .name = #NAME, .help = HELP, \
		.grouping = GROUPING_ROW, .entity = ENTITY_##ENTITY, \
		.figure = NAME, .n_figure = GS_LEN(NAME), .sort = __VA_ARGS__ }

/* Adds a row.  Figures without a group use the subject, the others the group;
 * these are absent if it is NULL. */
void view_put(struct view_sink *to, const void *subject,
	const struct group *g);

/* False: the group had no row during the range. */
bool view_has_group(const struct view *v, const struct group *g);

/* The use whose rows are made; whether it is about the last tick alone. */
const struct view_use *view_use_of(const struct view_sink *to);
bool view_is_of_last_tick(const struct view_use *u);

/* The view of a use. */
const struct view *view_of(const struct view_use *u);

/* The input of rows; its grid is the current one. */
const struct figure_env *view_env(const struct view_sink *to);

#define VIEW(name) extern const struct view view_##name;
#include "view/views.def"
#undef VIEW

/* The i-th metric that the view shows by default, in the order of the registry;
 * NULL after the last. */
const struct metric *view_usual_metric(const struct view *v, size_t i);

/* The columns after the keys of a grouping: of processes, of threads, or of IO. */
const struct figure *view_group_figures(enum entity_id e, size_t *ret_n);
const struct figure *view_thread_group_figures(size_t *ret_n);
const struct figure *view_cgroup_io_group_figures(size_t *ret_n);

#endif
