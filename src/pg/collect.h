/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect.h - the state of a collector: when it is due, how it went.
 */
#ifndef GS_PG_COLLECT_H
#define GS_PG_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "pg/conn.h"
#include "pg/queries.h"
#include "pg/rowset.h"

struct collector {
	bool on; /* wanted */
	const struct query *query; /* NULL: nothing for this server */
	bool refused; /* the server has not what it asks for, and why */
	bool lacks; /* an object that the server was asked for is not in it */
	bool due;
	int64_t next_ns; /* not before */
	int64_t last_us; /* wall clock of the last answer */
	int64_t took_us;
	uint64_t rows, cut, runs, errors, timeouts;
	char why[CONN_WHY_MAX]; /* the last error that was said */
};

/* Another connection: everything is to be tried (again), at once; but what a
 * server lacks, it is asked for once: same tells that it is the same one. */
void collect_start(struct collector *c, enum collector_id id,
	const struct server *s, bool same);

/* It is asked now. */
void collect_asked(struct collector *c, const struct catalog_options *opt,
	int64_t now_ns);

/* True if it may be asked now as far as time goes. */
bool collect_is_time(const struct collector *c,
	const struct catalog_options *opt, int64_t now_ns);

/* True if it may be asked before its time, as something is new: after a fifth
 * of it. */
bool collect_is_early(const struct collector *c,
	const struct catalog_options *opt, int64_t now_ns);

/* Puts the rows of all that have something to ask. */
void collect_put(const struct collector list[COLLECTOR_COUNT],
	const struct catalog_options *opt, struct rowset *s);

#endif
