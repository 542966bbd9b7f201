/*
 * waitgrid_int.h - what the files of waitgrid share: waitgrid.c (events),
 * waitgrid_who.c (backends, queries, lengths).
 */
#ifndef GS_VIEW_WAITGRID_INT_H
#define GS_VIEW_WAITGRID_INT_H

#include "view/waitgrid.h"

#define WAIT_NAME_MAX 160

/* The columns of each table. */
extern const struct grid_col wait_model_cols[5], wait_event_cols[7],
	wait_backend_cols[11], wait_query_cols[8], wait_histogram_cols[6],
	wait_active_cols[11];

/* A row that was asked for. */
struct wait_item {
	const struct wait_row *row;
	int64_t time_ns;
};

/* Those rows, most time first; the caller frees it. */
struct wait_item *wait_items(const struct waits *s, const struct wait_ask *a,
	size_t *ret_n);

/* "IO:DataFileRead", "CPU*". */
size_t wait_event_name(const struct wait_event *e, char to[WAIT_NAME_MAX]);

/* True if its time is DB time. */
bool wait_event_works(const struct wait_event *e);

struct grid *wait_grid_new(const char *name, const struct grid_col *col,
	size_t n, const struct waits *s, int64_t from_ns, int64_t to_ns);
struct cell wait_text(struct grid *g, const char *s);
struct cell wait_seconds(int64_t ns);
struct cell wait_percent(int64_t part_ns, int64_t of_ns);
struct cell wait_at_least(struct cell c);

struct grid *waitgrid_backends(const struct waits *s,
	const struct wait_ask *a, int64_t from_ns, int64_t to_ns);
struct grid *waitgrid_queries(const struct waits *s,
	const struct wait_ask *a, int64_t from_ns, int64_t to_ns);
struct grid *waitgrid_histogram(const struct waits *s,
	const struct wait_ask *a, int64_t from_ns, int64_t to_ns);
struct grid *waitgrid_active(const struct waits *s,
	const struct wait_ask *a, int64_t from_ns, int64_t to_ns);

#endif
