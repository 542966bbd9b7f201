/* SPDX-License-Identifier: Apache-2.0 */
/*
 * catalog_int.h - what catalog.c (connections, time) and answer.c (what
 * collectors bring) share.
 */
#ifndef GS_PG_CATALOG_INT_H
#define GS_PG_CATALOG_INT_H

#include "pg/catalog.h"
#include "pg/collect.h"
#include "pg/conn.h"
#include "pg/ident.h"
#include "pg/params.h"
#include "pg/rowset.h"
#include "pg/topology.h"

enum asked {
	ASKED_NOTHING,
	ASKED_VERSION,
	ASKED_SETTINGS,
	ASKED_COLLECTOR
};

/* One of the two connections. */
struct link {
	struct conn conn;
	enum asked asked;
	bool settled; /* the server is known, with all settings it has */
	enum collector_id collector; /* that was asked */
	uint64_t tick; /* in which it was asked, or is connected */
	int64_t retry_ns; /* connect not before */
	int64_t backoff_ns;
	int64_t suspect_ns; /* its backend may live: until it is gone, or
	                     * until then; 0: no doubt */
	char said[CONN_WHY_MAX]; /* why it is down, as an event said */
};

#define MAIN 0 /* never sends to segments */
#define SENDER 1
#define LINKS 2

struct catalog {
	struct catalog_options opt;
	struct params params;
	uint32_t extra; /* settings that the server was seen to have */
	uint32_t extra_bad; /* and those that it refused */
	uint32_t extra_used; /* by the newest connection of MAIN */
	bool plain; /* texts come in whatever encoding they are */
	struct link link[LINKS];
	bool up; /* the database answers */
	bool described; /* false: catalog_describe() has news */
	uint64_t tick; /* counts catalog_tick() */
	struct ident ident;
	struct ident asked; /* of the answers that are coming in */
	int64_t recheck_ns; /* when to ask the server about itself again */
	struct collector collector[COLLECTOR_COUNT];
	struct topology topology;
	struct rowset rowset;
	bool fresh;
	bool waiting; /* for a lock, on the coordinator */
	bool waiting_news; /* somebody does who did not */
	bool waiting_hint; /* somewhere, by titles */
	bool locked; /* somebody waits for a lock or in a queue */
	bool blockers; /* the activity is asked who keeps others back */
	bool replicates; /* the activity shows a WAL sender, or may not */
	size_t clients; /* connections in use */
	size_t senders; /* WAL senders of the server itself */
	bool senders_known;
	int64_t start_us; /* of the server that collectors were begun for */
	bool queue_said; /* that our own statements may stand in a queue */
	struct tick events;
	struct buf sql, scratch;
	const char *(*host_of)(void *arg, const char *hostname,
	    const char *address);
};

/* The answer of the link's collector: rows, or an error. */
void answer_take(struct catalog *c, struct link *l, const PGresult *r,
	int64_t now_ns);

/* The link's collector was given up. */
void answer_timeout(struct catalog *c, struct link *l);

/* Begins and ends what changes in the rows at one instant; the collectors'
 * own rows change with it. */
void answer_begin(struct catalog *c);
void answer_end(struct catalog *c);

/* Puts the row of the cluster. */
void answer_cluster(struct catalog *c);

/* Closes the rows of the entities that those queries brought which are, or
 * are not, sent to segments. */
void answer_drop(struct catalog *c, bool sent, enum row_close why);

/* Rows that a query brings at most. */
size_t answer_limit(const struct catalog *c, const struct query *q);

#endif
