/* SPDX-License-Identifier: Apache-2.0 */
#include "view/empty.h"

#include <string.h>

#include "view/view_int.h"

#define BIT(C) (1u << COLLECT_##C)

static void no_threads(const struct asked *a, struct buf *to)
{
	(void)a;
	buf_add_str(to, "no thread was recorded in this range: gpsnap record "
	    "--threads records them");
}

static void no_groups(const struct asked *a, struct buf *to)
{
	if (asked_none_has(a, BIT(GROUPS)))
		buf_add_str(to, "PostgreSQL has no resource groups or queues, "
		    "and ");
	buf_add_str(to, "no control group that was recorded has a limit of CPU "
	    "time or memory, or holds a process of a session");
}

static void no_segments(const struct asked *a, struct buf *to)
{
	if (asked_none_has(a, BIT(TOPOLOGY)))
		buf_add_str(to, "a single PostgreSQL has no segments");
	else
		buf_add_str(to, "no process that works for a query at a segment "
		    "was recorded in this range; a single PostgreSQL has no "
		    "segments");
}

/* What a view shows may not be there at all. */
static const struct {
	const char *view;
	void (*add_why)(const struct asked *a, struct buf *to);
} all[] = {
	{ "threads", no_threads },
	{ "groups", no_groups },
	{ "skew", no_segments },
	{ "matrix", no_segments },
};

/* Figures of waits are of the time between samples. */
static bool lacks_time(const struct engine *e, const struct view *v)
{
	return v->table && v->table->waits && engine_covered_ns(e) <= 0;
}

/* Each host has some, so they were not recorded. */
static bool is_always_there(enum entity_id e)
{
	return e == ENTITY_CPU || e == ENTITY_DISK || e == ENTITY_NET ||
	    e == ENTITY_FS || e == ENTITY_CGROUP || e == ENTITY_CGROUP_IO;
}

bool empty_note(const struct engine *e, const struct asked *a,
	const struct view *v, struct buf *to)
{
	size_t i;

	if (lacks_time(e, v)) {
		buf_printf(to, "%s: the range has one sample: figures are of the "
		    "time between two", v->name);
		return true;
	}
	for (i = 0; i < GS_LEN(all); i++) {
		if (strcmp(v->name, all[i].view) != 0)
			continue;
		buf_printf(to, "%s: ", v->name);
		all[i].add_why(a, to);
		return true;
	}
	if (v->grouping != GROUPING_ROW || !is_always_there(v->entity))
		return false;
	buf_printf(to, "%s: none was recorded in this range", v->name);
	return true;
}
