/*
 * waitgrid.h - tables of what backends were doing: DB time by class and
 * event, by backend, by query, and how long waits were seen to take.
 *
 * All times are estimates by sampling (model/waits.h) and are marked so.
 * Shares are of DB time: of all backends, or of the one that is asked for.
 */
#ifndef GS_VIEW_WAITGRID_H
#define GS_VIEW_WAITGRID_H

#include "model/waits.h"
#include "view/grid.h"

/* What is asked for; NULL or 0: everything. */
struct wait_ask {
	const char *classes; /* "IO,LWLock" */
	const char *event; /* "Lock:transactionid", "CPU*" */
	const char *query_id; /* a number, or the text's beginning */
	int pid;
	double min_percent; /* of DB time; less is not shown; negative: 1 in
	                     * the time model, else 0 */
	unsigned top; /* events below each class of the time model */
};

#define WAIT_ASK_INIT { .top = 3, .min_percent = -1 }

enum wait_table {
	WAIT_TIME_MODEL, /* classes, their top events, idle at the end */
	WAIT_SYSTEM_EVENT, /* events */
	WAIT_SESSION_EVENT, /* backends; with a pid, its events */
	WAIT_QUERY_EVENT, /* queries and events; with an event, its queries;
	                   * with a query, its events */
	WAIT_HISTOGRAM, /* lengths of runs of an event */
	WAIT_ACTIVE /* backends at the end of the range */
};

/* Which sums the table needs: enum waits_by. */
unsigned waitgrid_by(enum wait_table t, const struct wait_ask *ask);

/* The table; s must have what waitgrid_by() says.  from_ns and to_ns are the
 * range.  The caller frees it.  Rows are in the table's own order. */
struct grid *waitgrid_new(enum wait_table t, const struct waits *s,
	const struct wait_ask *ask, int64_t from_ns, int64_t to_ns);

#endif
