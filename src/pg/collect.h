/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect.h - the state of a collector: when it is due, its results.
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
	bool refused; /* the server does not have what it asks for; see why */
	bool lacks; /* an object that it asked for does not exist */
	bool due;
	int64_t next_ns; /* not before */
	int64_t last_us; /* wall clock of the last answer */
	int64_t took_us;
	uint64_t rows, cut, runs, errors, timeouts;
	char why[CONN_WHY_MAX]; /* the last error that was reported */
};

/* A new connection: the collector is due at once.  same: it is the same server
 * as before, which is not asked again for objects that do not exist. */
void collect_start(struct collector *c, enum collector_id id,
	const struct server *s, bool same);

/* Its query is sent now. */
void collect_asked(struct collector *c, const struct catalog_options *opt,
	int64_t now_ns);

/* True if its period has passed; after a change a fifth of it is enough. */
bool collect_is_time(const struct collector *c,
	const struct catalog_options *opt, bool changed, int64_t now_ns);

/* Puts the rows of all collectors that have a query. */
void collect_put(const struct collector list[COLLECTOR_COUNT],
	const struct catalog_options *opt, struct rowset *s);

#endif
