/*
 * view_int.h - what the files of src/view share.
 */
#ifndef GS_VIEW_VIEW_INT_H
#define GS_VIEW_VIEW_INT_H

#include "view/figure.h"
#include "view/view.h"

/* As min_width: shown where more than one host is recorded. */
#define MANY_HOSTS (GRID_ON_REQUEST - 1)

/* In place of a lens: tables of other views. */
#define OVERVIEW (-1)

struct view {
	const char *name;
	const char *help;
	int lens; /* enum lens_kind, or OVERVIEW */
	enum entity_id entity;
	const struct figure *figure;
	size_t n_figure;
	const char *sort; /* as --sort takes it */
};

/* Views, by theme. */
extern const struct view view_sessions, view_queries, view_processes;
extern const struct view view_hosts, view_cpus, view_disks, view_nets,
	view_filesystems, view_cgroups, view_agents;

/* The columns behind the keys of a grouping. */
const struct figure *view_group_figures(size_t *ret_n);

#endif
