/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid_int.h - shared by the files of waitgrid: waitgrid.c (choice of the
 * table), waitgrid_kit.c (selection and cells), waitgrid_asked.c,
 * waitgrid_lines.c (tables of windows side by side), waitgrid_model.c,
 * waitgrid_events.c, waitgrid_who.c (backends, queries), waitgrid_runs.c
 * (lengths), waitgrid_active.c.
 */
#ifndef GS_WAITGRID_WAITGRID_INT_H
#define GS_WAITGRID_WAITGRID_INT_H

#include "base/buf.h"
#include "waitgrid/waitgrid.h"

#define WAIT_NAME_MAX 160

/* The columns of each table.  Of a histogram: first those of runs, then those
 * that replace the first ones for a metric. */
#define WAIT_RUN_COLS 7
extern const struct grid_col wait_screen_cols[7], wait_model_cols[6],
	wait_event_cols[9], wait_backend_cols[15], wait_query_cols[9],
	wait_histogram_cols[11], wait_active_cols[13];

/* Columns that identify a backend: pid, session, segment. */
#define WAIT_BACKEND_NAMED_BY \
	GRID_COL("pid", "PID", Q_ID, 80, "process id"), \
	GRID_COL("session", "SESSION", Q_TEXT, 120, \
	    "session that it works for: Greenplum's number, else the pid of its leader"), \
	GRID_COL("segment", "SEG", Q_ID, GRID_ON_REQUEST, "segment; -1: the coordinator")

struct own_sums;

/* Sums of the selection. */
struct wait_item {
	const struct wait_event *event;
	const struct wait_backend *backend; /* NULL: several */
	const struct wait_query *query; /* NULL: several, or none */
	const struct wait_sum *sum, *segment; /* those of its row; of several
	                                       * rows, in wait_items.sums */
	int64_t time_ns; /* part of DB time, or of the selection */
	struct own_sums *own; /* sum and segment; NULL: of one row */
	size_t nth; /* in order of appearance: that of its first row */
};

/* Valid until the next tick of the waits that it is made of. */
struct wait_items {
	struct wait_item *item;
	size_t n;
	struct arena *sums; /* NULL: no item is of several rows */
	struct waits_total total;
	int64_t db_time_ns; /* of all, or of the selected one */
};

/* Items by event, and by backend and query according to by (enum waits_by); most time
 * first. */
void wait_items_init(struct wait_items *s, const struct waits *of,
	const struct wait_ask *a, unsigned by);

/* In no order; else the same, and quicker. */
void wait_items_collect(struct wait_items *s, const struct waits *of,
	const struct wait_ask *a, unsigned by);
void wait_items_release(struct wait_items *s);

/* The item of the same event, NULL if there is none. */
const struct wait_item *wait_items_find(const struct wait_items *s,
	const struct wait_event *e);

/* "IO:DataFileRead", "CPU*". */
size_t wait_event_name(const struct wait_event *e, char to[WAIT_NAME_MAX]);

/* By name. */
int wait_by_event(const struct wait_event *a, const struct wait_event *b);

/* True if the event counts as DB time. */
bool wait_event_works(const struct wait_event *e);

/* True if one backend or one session is selected. */
bool wait_is_detail(const struct wait_ask *a);

/* True if the share is below the requested minimum; usual: percent if none is
 * requested. */
bool wait_is_little(const struct wait_ask *a, double usual, int64_t ns,
	int64_t db_ns);

struct grid *wait_grid_new(const char *name, const struct grid_col *col,
	size_t n, const struct wait_window *w);
struct cell wait_text(struct grid *g, const char *s);
struct cell wait_seconds(int64_t ns);
struct cell wait_percent(int64_t part_ns, int64_t of_ns);
struct cell wait_average(int64_t part_ns, int64_t of_ns);
struct cell wait_at_least(struct cell c);

/* True if the word is in a comma-separated list. */
bool waitgrid_is_listed(const char *list, const char *word);

/* True if there were waits, but none of the requested event or class; which,
 * and those that were seen, are added to the text. */
bool waitgrid_unseen(const struct waits *w, const struct wait_ask *a,
	struct buf *to);

/* True if the backend passes --pid and --session. */
bool waitgrid_is_asked(const struct wait_ask *a,
	const struct wait_backend *b);

/* The number of its session. */
struct cell waitgrid_session(struct grid *g, const struct wait_backend *b);

/* ---- lines ----------------------------------------------------------- */

#define WAIT_NOT_SAID (-1)

/* A line of a table in which windows can stand side by side. */
struct wait_line {
	const char *kind; /* a constant */
	char *name;
	bool shares; /* is a part of DB time */
	struct wait_at {
		int64_t ns;
		int64_t segment_ns; /* or WAIT_NOT_SAID */
		uint64_t samples; /* 0: not shown */
	} at[WAIT_WINDOWS_MAX];
};

struct wait_lines {
	const struct wait_window *window;
	size_t n_window;
	struct wait_items of[WAIT_WINDOWS_MAX];
	struct wait_line *line;
	size_t n, cap;
};

void wait_lines_init(struct wait_lines *l, const struct wait_window *w,
	size_t n, const struct wait_ask *a, unsigned by);
void wait_lines_release(struct wait_lines *l);

/* Items of the longest window, which has all of them. */
const struct wait_items *wait_lines_all(const struct wait_lines *l);

struct wait_line *wait_lines_add(struct wait_lines *l, const char *kind,
	const char *name, bool shares);

/* A line of an event, with its time in each window. */
struct wait_line *wait_lines_add_event(struct wait_lines *l,
	const char *kind, const char *name, const struct wait_event *e);

/* Columns after those that name a line.  One window: time, share, average and
 * samples; several: time and share of each. */
void wait_lines_add_cols(const struct wait_lines *l, struct grid *g,
	const struct grid_col *one, size_t n_one);

/* True if it has time in a shown window. */
bool wait_line_is_seen(const struct wait_lines *l, size_t i);

/* Appends a row for each shown line: kind, name, times. */
void wait_lines_list(const struct wait_lines *l, struct grid *g, bool kinds,
	bool (*is_shown)(const struct wait_lines *l, size_t i));

/* Adds at most so many sessions, those with most time in the longest window, each
 * with what it did most. */
void wait_add_sessions(struct wait_lines *to,
	const struct wait_lines *by_backend, size_t most);

/* Title of window k: "LAST 5s". */
const char *wait_window_title(struct grid *g, const struct wait_window *w,
	const char *prefix);

/* ---- tables ---------------------------------------------------------- */

typedef struct grid *wait_table_fn(const struct wait_window *w, size_t n,
	const struct wait_ask *a);

wait_table_fn waitgrid_screen, waitgrid_model, waitgrid_events,
	waitgrid_detail, waitgrid_of_query, waitgrid_backends,
	waitgrid_queries, waitgrid_runs, waitgrid_active;

#endif
