/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_traits.c - what is known of a view before there is a tick.
 */
#include <stdio.h>
#include <string.h>

#include "query/labelcol.h"
#include "query/leap.h"
#include "view/view_int.h"

const char *view_name(const struct view *v)
{
	return v->name;
}

const char *view_help(const struct view *v)
{
	return v->help;
}

const char *view_default_sort(const struct view *v)
{
	return v->sort;
}

bool view_is_overview(const struct view *v)
{
	return v->grouping == OVERVIEW;
}

bool view_can_group(const struct view *v)
{
	return view_sums_processes(v) ||
	    (v->grouping >= 0 && label_is_own(v->entity));
}

bool view_has_key(const struct view *v, enum label_kind k)
{
	return label_is_of(k, v->entity);
}

const char *view_group_sort(const struct view *v)
{
	return v->entity == ENTITY_CGROUP_IO ? v->sort : "cpu_seconds";
}

bool view_sums_processes(const struct view *v)
{
	return v->grouping >= 0 && v->entity == ENTITY_PROCESS &&
	    (!v->rows || v->session_grouping || v->groups);
}

bool view_has_averages(const struct view *v)
{
	return v->entity == ENTITY_PROCESS ? view_sums_processes(v) && !v->rows
	    : v->entity == ENTITY_HOST && v->grouping >= 0;
}

bool view_groups_by_session_only(const struct view *v)
{
	return v->session_grouping != 0;
}

/* By its heading, or by its name, whose unit may be left out. */
static bool may_name(const char *text, const struct grid_col *col)
{
	const char *unit = strstr(col->name, "_seconds");
	size_t len = unit ? (size_t)(unit - col->name) : strlen(col->name);
	char name[64];

	(void)snprintf(name, sizeof(name), "%.*s", (int)len, col->name);
	return strcasestr(text, name) || strcasestr(text, col->title);
}

bool view_names_dear(const struct view *v, const char *text)
{
	size_t i;

	for (i = 0; text && i < v->n_figure; i++) {
		if (v->figure[i].dear && may_name(text, &v->figure[i].col))
			return true;
	}
	return false;
}

bool view_leaps(const struct view *v, const struct view_ask *ask)
{
	return v->grouping == GROUPING_ROW && !v->rows && !v->catalog &&
	    !v->last_tick && ask->n_key == 0 && ask->n_ema == 0 &&
	    (LEAP_ENTITIES & summary_bit(v->entity)) != 0;
}

bool view_takes_gists(const struct view *v, const struct view_ask *ask)
{
	if (v->grouping == OVERVIEW)
		return true;
	return v->entity == ENTITY_PROCESS && !v->rows && !v->last_tick &&
	    (v->grouping == GROUPING_SESSION || v->grouping == GROUPING_ROW) &&
	    ask->n_key == 0 && ask->n_ema == 0 && ask->n_metric == 0 &&
	    !ask->last_tick;
}

bool view_is_fixed(const struct view *v)
{
	return v->table && v->table->fixed;
}
