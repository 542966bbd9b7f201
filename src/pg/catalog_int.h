/* SPDX-License-Identifier: Apache-2.0 */
/*
 * catalog_int.h - shared by catalog.c (the caller's side), link.c
 * (connections) and answer.c (results of collectors).
 */
#ifndef GS_PG_CATALOG_INT_H
#define GS_PG_CATALOG_INT_H

#include "pg/catalog.h"
#include "pg/collect.h"
#include "pg/conn.h"
#include "pg/decode.h"
#include "pg/ident.h"
#include "pg/names.h"
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
	bool identified; /* version and settings of the server are known */
	enum collector_id collector; /* that was asked */
	uint64_t tick; /* in which it was asked or connected */
	int64_t retry_ns; /* connect not before */
	int64_t backoff_ns;
	int64_t suspect_ns; /* its backend may be alive: wait until it is gone,
	                     * or until then; 0: it is not */
	char reported[CONN_WHY_MAX]; /* why it is down, in the last event */
};

#define MAIN 0 /* never sends to segments */
#define SENDER 1
#define LINKS 2

struct catalog {
	struct catalog_options opt;
	struct params params;
	uint32_t extra; /* settings that the server is known to have */
	uint32_t extra_bad; /* settings that it refused */
	uint32_t extra_used; /* by the newest connection of MAIN */
	bool plain; /* texts are not converted from their encoding */
	struct link link[LINKS];
	bool up; /* the database answers */
	bool described; /* false: catalog_describe() has news */
	uint64_t tick; /* counts catalog_tick() */
	struct ident ident;
	struct ident asked; /* filled by the answers that are coming in */
	int64_t recheck_ns; /* when to read version and settings again */
	struct collector collector[COLLECTOR_COUNT];
	struct topology topology;
	struct rowset rowset;
	struct names names; /* of relations of other databases */
	bool fresh;
	bool waiting; /* a session waits for a lock on the coordinator */
	bool waiting_news; /* another session has begun to wait */
	bool waiting_hint; /* titles show a wait somewhere */
	bool locked; /* a session waits for a lock or in a queue */
	bool blockers; /* the activity query includes blocking sessions */
	bool replicates; /* the activity shows a WAL sender, or can't show it */
	size_t clients; /* connections in use */
	size_t senders; /* WAL senders of the server itself */
	bool senders_known;
	int64_t start_us; /* of the server that collectors were started for */
	int64_t stats_us[COLLECTOR_COUNT]; /* last answers with a clock */
	int64_t stats_dt_us; /* time since the one before the present one */
	bool stats_born; /* its new rows began since then */
	bool texts; /* the next query asks for texts of statements */
	bool asked_texts; /* the answered one did */
	bool queue_reported; /* reported: our own statements may wait in a queue */
	struct tick events;
	struct buf sql, scratch;
	const char *(*host_of)(void *arg, const char *hostname,
	    const char *address);
};

/* The next attempt to connect is made at once. */
void link_retry_now(struct link *l);

/* Connects, if it is time to. */
void link_connect(struct catalog *c, struct link *l, int64_t now_ns);

/* Does what can be done without waiting. */
void link_advance(struct catalog *c, struct link *l);

/* Runs the collector that has been due longest. */
void link_ask_next(struct catalog *c, struct link *l);

/* True if enough connections are known to be free for one more of ours. */
bool answer_has_room(const struct catalog *c);

/* The answer of the link's collector: rows, or an error. */
void answer_apply(struct catalog *c, struct link *l, const PGresult *r,
	int64_t now_ns);

/* The link's collector was given up. */
void answer_timeout(struct catalog *c, struct link *l);

/* Ends the changes of rows at one instant, with the collectors' own rows. */
void answer_end(struct catalog *c);

/* Puts the row of the cluster. */
void answer_cluster(struct catalog *c);

/* Closes the rows that come from queries which are sent to segments. */
void answer_drop_sent(struct catalog *c);

/* How rows of the server's counters are completed (stats.c). */
void stats_decode(struct catalog *c, enum collector_id id, struct decode *t);

/* Maximum number of rows of a query. */
size_t answer_limit(const struct catalog *c, const struct query *q);

#endif
