/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dbtime.h - DB time of things that sessions work for, by event: of sessions,
 * of statements, of queries.  By sampling (analysis/waits.h); all servers.
 *
 * Use: dbtime_new() on an engine before its first tick; then the sums of the
 * range, at any tick.
 */
#ifndef GS_QUERY_DBTIME_H
#define GS_QUERY_DBTIME_H

#include "analysis/waits.h"
#include "query/engine.h"

/* A number for what a session works for at the newest tick; 0: not counted. */
typedef uint64_t (*dbtime_of_fn)(void *ctx, const struct session *s);

/* Of one of these, in one event. */
struct dbtime_part {
	const struct wait_event *event; /* as long as the dbtime */
	int64_t time_ns;
};

struct dbtime;

/* It follows the engine until dbtime_free(), after the engine's last tick.
 * events: only the waits of catalogs are wanted, so nothing is sampled while no
 * catalog is recorded. */
struct dbtime *dbtime_new(struct engine *e, dbtime_of_fn of, void *ctx,
	bool events);
void dbtime_free(struct dbtime *d);

/* For sums of sessions: the hash of its key. */
uint64_t dbtime_of_session(void *ctx, const struct session *s);

/* The events of one, most time first; *ret_n of them, valid until the next tick.
 * NULL, 0: none. */
const struct dbtime_part *dbtime_parts(const struct dbtime *d, uint64_t of,
	size_t *ret_n);

/* Servers have their own events of the same names. */
bool dbtime_same_event(const struct wait_event *a, const struct wait_event *b);

/* As waits_steady_after().  What is of no known server counts for the first one, and
 * which that is may depend on what was before the range. */
uint64_t dbtime_steady_after(const struct dbtime *d);

/* What a tick of a gist says, of which it does with its waits itself. */
void dbtime_add(struct dbtime *d, const struct tick_wait *w, size_t n);

/* Numbers that have had time; valid until the next tick, the caller frees them. */
uint64_t *dbtime_list(const struct dbtime *d, size_t *ret_n);

/* False: nothing was sampled in the range, so no sum is known. */
bool dbtime_is_sampled(const struct dbtime *d);

/* Sum over its events. */
int64_t dbtime_sum(const struct dbtime *d, uint64_t of);

/* The known wait with most time; NULL: none was seen. */
const struct dbtime_part *dbtime_main_wait(const struct dbtime *d,
	uint64_t of);

/* "IO:DataFileRead", "CPU*"; returns its length. */
#define DBTIME_NAME_MAX 160
size_t dbtime_event_name(const struct wait_event *e, char to[DBTIME_NAME_MAX]);

#endif
