/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline.h - a range divided into at most TIMELINE_MAX intervals of equal
 * length, each with the sums for its line.
 *
 * If the length of the range is not known in advance, intervals are merged in
 * pairs when there are too many; as they are sums, this is exact.
 */
#ifndef GS_QUERY_TIMELINE_H
#define GS_QUERY_TIMELINE_H

#include "query/engine.h"

#define TIMELINE_MAX 20u

struct timeline;

/* length_ns: of the range; 0: not known. */
struct timeline *timeline_new(int64_t length_ns);
void timeline_free(struct timeline *t);

/* Applies the engine's last tick. */
void timeline_tick(struct timeline *t, const struct engine *e);

/* A range begins at the engine's last tick. */
void timeline_restart(struct timeline *t, const struct engine *e);

/* What active sessions do.  Waits are of the classes that the server names. */
enum timeline_load {
	LOAD_CPU, /* no known wait */
	LOAD_IO,
	LOAD_LWLOCK,
	LOAD_OTHER,
	LOAD_LOCK, /* a lock, a queue, a standby */
	LOAD_COUNT
};

/* What CPUs do. */
enum timeline_cpu {
	CPU_USER,
	CPU_SYSTEM,
	CPU_IOWAIT,
	CPU_STEAL,
	CPU_COUNT
};

struct timeline_point {
	int64_t from_ns, to_ns;
	size_t ticks; /* 0: no data */
	double busy_percent; /* of the busiest host; negative: not known */
	const char *busy_host;
	double steal_percent; /* of the host with the highest value; the same */
	double await_ms; /* of the slowest disk; the same */
	double running; /* runnable tasks of all hosts, average; the same */
	double active, waiting; /* database sessions, average */
	double load[LOAD_COUNT]; /* the same sessions by what they do */
	double cpu[CPU_COUNT]; /* of the busiest host, %; with busy_percent */
};

size_t timeline_count(const struct timeline *t);
struct timeline_point timeline_get(const struct timeline *t,
	const struct engine *e, size_t i);

/* The range as one interval. */
struct timeline_point timeline_whole(const struct timeline *t,
	const struct engine *e);

#endif
