/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views.c - the list of views, in the order of help.
 *
 * To add a view: define it in the file of its theme, views_*.c, declare it in
 * view_int.h, and add it to the list.
 */
#include <string.h>

#include "base/compiler.h"
#include "base/suggest.h"
#include "view/view_int.h"

static const struct view view_overview = {
	.name = "overview",
	.help = "coverage, a line of time, the top of sessions, processes and "
	    "hosts",
	.grouping = OVERVIEW,
	.entity = ENTITY_HOST,
	.sort = "",
};

static const struct view *const views[] = {
	&view_overview,
	&view_sessions,
	&view_queries,
	&view_processes,
	&view_threads,
	&view_segments,
	&view_connections,
	&view_locks,
	&view_skew,
	&view_matrix,
	&view_spill,
	&view_top,
	&view_events,
	&view_hosts,
	&view_cpus,
	&view_disks,
	&view_nets,
	&view_filesystems,
	&view_cgroups,
	&view_agents,
	&view_postmasters,
	&view_clusters,
	&view_backends,
	&view_pglocks,
	&view_replicas,
	&view_groups,
	&view_vmems,
	&view_workfiles,
	&view_collectors,
	&view_waits, &view_time_model,
	&view_system_event,
	&view_session_event,
	&view_query_event,
	&view_histogram,
	&view_active,
};

const struct view *view_find(const char *name)
{
	int e = entity_by_name(name, strlen(name));
	size_t i;

	for (i = 0; i < GS_LEN(views); i++) {
		if (strcmp(views[i]->name, name) == 0)
			return views[i];
	}
	/* "process" for "processes", and so on */
	for (i = 0; e >= 0 && i < GS_LEN(views); i++) {
		if (views[i]->grouping == GROUPING_ROW &&
		    (int)views[i]->entity == e)
			return views[i];
	}
	return NULL;
}

const char *view_at(size_t i)
{
	return i < GS_LEN(views) ? views[i]->name : NULL;
}

const char *view_suggest(const char *name)
{
	const char *best = NULL;
	size_t i;

	for (i = 0; i < GS_LEN(views); i++) {
		const char *n = views[i]->name;

		if (suggest_is_close(name, n) && (!best ||
		    suggest_distance(name, n) < suggest_distance(name, best)))
			best = n;
	}
	return best;
}
