/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid.h - tables of what backends were doing: DB time by class and
 * event, by backend, by query, and how long waits were seen to take.
 *
 * All times are estimates by sampling (model/waits.h) and are marked so.
 * Shares are of DB time: of all backends, or of what is asked for.
 */
#ifndef GS_WAITGRID_WAITGRID_H
#define GS_WAITGRID_WAITGRID_H

#include "analysis/waits.h"
#include "query/grid.h"

/* What is asked for; NULL or 0: everything. */
struct wait_ask {
	const char *classes; /* "IO,LWLock" */
	const char *event; /* "Lock:transactionid", "CPU*" */
	const char *query_id; /* a number, or the text's beginning */
	const char *server; /* name of one */
	int pid;
	const char *session; /* "7", "con7", the pid of a leader */
	double min_percent; /* of DB time; less is not shown; negative: 1 in
	                     * the time model, else 0 */
	unsigned top; /* events below each class of the time model */
	const char *metric; /* the histogram's: a column of processes */
};

#define WAIT_ASK_INIT { .top = 3, .min_percent = -1 }

enum wait_table {
	WAIT_SCREEN, /* classes, events and sessions, the most of each */
	WAIT_TIME_MODEL, /* classes, their top events, idle at the end */
	WAIT_SYSTEM_EVENT, /* events */
	WAIT_SESSION_EVENT, /* backends; of a pid or session, its events */
	WAIT_QUERY_EVENT, /* queries and events; with an event, its queries;
	                   * with a query, its events */
	WAIT_HISTOGRAM, /* lengths of runs of an event */
	WAIT_ACTIVE, /* backends at the end of the range */
	WAIT_TABLES
};

/* Which sums the table needs: enum waits_by. */
unsigned waitgrid_by(enum wait_table t, const struct wait_ask *ask);

#define WAIT_WINDOWS_MAX 5

/* One range; windows end together, and each has those before it. */
struct wait_window {
	const struct waits *waits; /* that have what waitgrid_by() says */
	int64_t from_ns, to_ns;
	int64_t length_ns; /* as asked for; 0: the range */
	bool filled; /* it lies within what is recorded */
};

/* Whether the table can have windows as columns. */
bool waitgrid_beside(enum wait_table t, const struct wait_ask *ask);

/* Columns of a screen that n windows side by side need at least. */
size_t waitgrid_width(size_t n);

/* The table.  One window: it and no other; more, up to WAIT_WINDOWS_MAX: side
 * by side.  The caller frees it.  Rows are in the table's own order. */
struct grid *waitgrid_new(enum wait_table t, const struct wait_window *w,
	size_t n, const struct wait_ask *ask);

#endif
