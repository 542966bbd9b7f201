/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queries.h - the table of queries.def.
 */
#ifndef GS_PG_QUERIES_H
#define GS_PG_QUERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/row.h"
#include "pg/catalog_options.h"
#include "pg/collectors.h"

enum need {
	NEED_NOTHING,
	NEED_GROUPS, /* resource groups are in use */
	NEED_QUEUES, /* resource queues are */
	NEED_STATEMENTS /* pg_stat_statements is in the connected database */
};

enum period {
	PERIOD_ACTIVITY, /* catalog_options.activity_ns */
	PERIOD_LOCKS, /* .locks_ns, while a session waits */
	PERIOD_DISPATCH, /* .dispatch_ns */
	PERIOD_SELDOM, /* changes only at a restart: 20 times .dispatch_ns */
	PERIOD_TOPOLOGY, /* 10 s */
	PERIOD_STATS, /* 10 s: counters, whose rates have the time of their
	               * own samples */
	PERIOD_STATEMENTS /* 30 s */
};

struct query {
	enum collector_id collector;
	uint8_t flavours;
	bool sent;
	enum need need;
	enum period period;
	int min_version, max_version;
	int deadline_s;
	size_t limit;
	const char *sql;
};

/* What is known of the server. */
struct server {
	enum flavour flavour;
	int version_num;
	enum need manager; /* NEED_GROUPS, NEED_QUEUES or none */
	bool statements; /* has pg_stat_statements */
};

/* The first query of a collector that fits the server; after: the one that
 * failed, or NULL.  Returns NULL if none is left. */
const struct query *query_pick(enum collector_id c, const struct server *s,
	const struct query *after);

/* Options of a statement. */
struct query_form {
	size_t max_chars; /* of the text of a query; 0: none */
	bool all; /* all columns, since no text is longer than max_chars: keeps
	           * the statement short in the server's log */
	bool blockers; /* include blocking sessions */
	size_t limit; /* maximum rows */
	bool texts; /* of pg_stat_statements: include them */
	const char *statements; /* the schema of pg_stat_statements, quoted;
	                         * NULL: there is none */
};

void query_sql(const struct query *q, const struct query_form *f,
	struct buf *out);

/* True if the query can include blocking sessions. */
bool query_has_blockers(const struct query *q);

int64_t query_period_ns(const struct query *q,
	const struct catalog_options *opt);

#endif
