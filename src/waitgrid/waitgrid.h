/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid.h - tables of backend activity: DB time by class and event, by
 * backend, by query, and observed lengths of waits.
 *
 * All times are estimates by sampling (model/waits.h) and are marked so.
 * Shares are of DB time: of all backends, or of the selected ones.
 */
#ifndef GS_WAITGRID_WAITGRID_H
#define GS_WAITGRID_WAITGRID_H

#include "analysis/waits.h"
#include "query/grid.h"

/* Selection; NULL or 0: everything. */
struct wait_ask {
	const char *classes; /* "IO,LWLock" */
	const char *event; /* "Lock:transactionid", "CPU*" */
	const char *query_id; /* a number, or the beginning of the text */
	const char *server; /* name of a server */
	int pid;
	const char *session; /* "7", "con7", the pid of a leader */
	double min_percent; /* of DB time; lower shares are not shown; negative:
	                     * 1 in the time model, else 0 */
	unsigned top; /* number of events below each class of the time model */
	const char *metric; /* the histogram's column of processes */
	bool all_sums; /* those of every table: view_grid_as() */
};

#define WAIT_ASK_INIT { .top = 3, .min_percent = -1 }

enum wait_table {
	WAIT_SCREEN, /* top classes, events and sessions */
	WAIT_TIME_MODEL, /* classes, their top events, idle at the end */
	WAIT_SYSTEM_EVENT, /* events */
	WAIT_SESSION_EVENT, /* backends; of one pid or session, its events */
	WAIT_QUERY_EVENT, /* queries and events; of one event, its queries; of
	                   * one query, its events */
	WAIT_HISTOGRAM, /* lengths of an event's runs */
	WAIT_ACTIVE, /* backends at the end of the range */
	WAIT_TABLES
};

/* The sums that the table needs: enum waits_by. */
unsigned waitgrid_by(enum wait_table t, const struct wait_ask *ask);

#define WAIT_WINDOWS_MAX 5

/* One range.  Windows end together; each contains those before it. */
struct wait_window {
	const struct waits *waits; /* with the sums of waitgrid_by() */
	int64_t from_ns, to_ns;
	int64_t length_ns; /* requested; 0: the range */
	bool filled; /* the recording covers it */
};

/* True if the table can have windows as columns. */
bool waitgrid_beside(enum wait_table t, const struct wait_ask *ask);

/* Minimal screen width for n windows side by side. */
size_t waitgrid_width(size_t n);

/* The table of one window, or of up to WAIT_WINDOWS_MAX side by side.  The
 * caller frees it.  Rows are in the table's own order. */
struct grid *waitgrid_new(enum wait_table t, const struct wait_window *w,
	size_t n, const struct wait_ask *ask);

/* Distribution of a column's values over the rows of a grid, without the row of
 * others and without reaped children.  The caller frees it. */
struct grid *waitgrid_metric(const struct grid *of, size_t col);

#endif
