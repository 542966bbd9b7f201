/* SPDX-License-Identifier: Apache-2.0 */
#include "waitgrid/waitgrid.h"

#include "waitgrid/waitgrid_int.h"

unsigned waitgrid_by(enum wait_table t, const struct wait_ask *ask)
{
	unsigned by = 0;

	if (t == WAIT_SCREEN || t == WAIT_SESSION_EVENT || t == WAIT_ACTIVE ||
	    ask->all_sums || wait_is_detail(ask))
		by |= WAITS_BY_BACKEND;
	if (t == WAIT_QUERY_EVENT || ask->all_sums || ask->query_id)
		by |= WAITS_BY_QUERY;
	return by;
}

static wait_table_fn *table_of(enum wait_table t, const struct wait_ask *a)
{
	static wait_table_fn *const tables[WAIT_TABLES] = {
		[WAIT_SCREEN] = waitgrid_screen,
		[WAIT_TIME_MODEL] = waitgrid_model,
		[WAIT_SYSTEM_EVENT] = waitgrid_events,
		[WAIT_SESSION_EVENT] = waitgrid_backends,
		[WAIT_QUERY_EVENT] = waitgrid_queries,
		[WAIT_HISTOGRAM] = waitgrid_runs,
		[WAIT_ACTIVE] = waitgrid_active,
	};

	if (t == WAIT_SESSION_EVENT && wait_is_detail(a))
		return waitgrid_detail;
	if (t == WAIT_QUERY_EVENT && a->query_id && !a->event)
		return waitgrid_of_query;
	return tables[t];
}

bool waitgrid_beside(enum wait_table t, const struct wait_ask *ask)
{
	wait_table_fn *fn = table_of(t, ask);

	return fn == waitgrid_screen || fn == waitgrid_model ||
	    fn == waitgrid_detail || (fn == waitgrid_runs && !ask->metric);
}

size_t waitgrid_width(size_t n)
{
	/* a name, and of each window "LAST 15m" and "~99.9" */
	return 28 + n * 17;
}

struct grid *waitgrid_new(enum wait_table t, const struct wait_window *w,
	size_t n, const struct wait_ask *ask)
{
	return table_of(t, ask)(w, n, ask);
}
