/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sessions.h - which session and which query a process works for: what
 * process titles say, merged with what the catalog says.  Either is enough.
 *
 * A session is, on Greenplum and Cloudberry, all processes whose titles carry
 * one session id (con) of one coordinator; on PostgreSQL a client backend and
 * its parallel workers; for what is no backend, the session of the operating
 * system.  Which coordinator an executor belongs to is known by the catalog's
 * list of segments, else by what its postmaster's other executors belong to,
 * else by user and database.  A coordinator process whose session id changes
 * goes on being the same session.
 *
 * Every session is of one server: of the coordinator's postmaster, or of the
 * catalog that knows it.  What has the same session id, or the same pid in
 * another pid namespace, on two servers is two sessions.
 *
 * A row of pg_stat_activity is tied to the process of its pid on the host of
 * its segment's acting primary, if the start times of both fit; else the
 * session is known by the catalog alone and has no processes.
 *
 * A query is, by the catalog, what began at one query_start; by titles, an
 * unbroken run of ticks in which the session's leading process is not idle
 * and has one command counter (Greenplum) or one activity (PostgreSQL).  The
 * session's other processes work for the query of the leading process,
 * whatever their own counter says.  Where no leading process is recorded,
 * the catalog, else the executors' own titles stand in for it.
 *
 * What a process used in a tick counts for the query at both ends of the
 * tick; if one end is idle, for the query at the other end; where both run
 * and the start of the later one is known, for both, by time; else for the
 * session's `mixed` query.  So queries + mixed = session, always.
 *
 * Use: after every world_apply(), sessions_tick(); then ask.
 */
#ifndef GS_ANALYSIS_SESSIONS_H
#define GS_ANALYSIS_SESSIONS_H

#include <stdbool.h>

#include "model/world.h"
#include "title/title.h"

struct session;

/* A database server that sessions are of: a PostgreSQL, or a cluster by its
 * coordinator. */
struct dbserver {
	uint32_t number; /* from 1 */
	char *name; /* as a DBA calls it: cluster_name, else the port, else the
	             * data directory; with the host, the port or the pid where
	             * another server has the same */
	const struct host *host; /* on which it runs; NULL: not recorded */
	uint64_t pid; /* of its postmaster; 0: not recorded */
	bool has_port;
	uint64_t port;
	const struct host *catalog; /* its own; NULL: none is recorded */
};

enum session_kind {
	SESSION_GREENPLUM,
	SESSION_POSTGRES,
	SESSION_OS
};

struct query {
	struct session *session;
	uint32_t number; /* within the session, from 1; 0: mixed */
	bool has_cmd;
	uint32_t cmd;
	char *activity; /* "SELECT"; "" for mixed */
	int64_t first_ns, last_ns; /* ticks that saw it, wall */
	bool open; /* runs at the newest tick */
	bool has_start; /* from the catalog: */
	int64_t start_ns; /* query_start, on the recorder's clock */
	int64_t start_us; /* the same on the coordinator's clock */
	bool has_id;
	int64_t id; /* query_id */
	bool estimated; /* counts a share of a tick, by time: `~` */
	uint32_t text; /* its text, for query_text() */
	struct texts *texts; /* where that is; counted by the sessions */
	uint32_t holds;
};

/* One process that is or was recorded. */
struct pid_entry;

struct proc {
	struct row *row; /* held; its texts end with it */
	struct session *session;
	struct proc *next; /* in its session, while it lives */
	struct proc **at; /* who points to it there */
	struct title title; /* points into text */
	char *text; /* the title as it was last */
	size_t text_len, text_cap;
	uint64_t changed_tick; /* when session or title changed last */
	uint32_t server; /* its postmaster, numbered from 1; 0: unknown */
	uint32_t number; /* session id that put it where it is */
	bool tied; /* a backend of the catalog is this process */
	bool detects; /* an executor of the deadlock detector */
	bool executor; /* its title names a segment */
	int64_t waits_ns; /* its title says at each tick since this one that it
	                   * waits; 0: it does not */
	bool misread; /* so far, for want of its server's name */
	struct proc *same; /* of the same host and pid number */
	struct proc **same_at; /* who points to it there */
	struct pid_entry *entry; /* where that is */
};

struct session {
	enum session_kind kind;
	char *key; /* unique, stable */
	uint64_t key_hash; /* of it (fnv.h) */
	uint32_t number; /* Greenplum's session id now */
	char *name; /* "150", "4711" */
	uint32_t server; /* the coordinator's postmaster, numbered as in
	                  * struct proc; 0: unknown */
	const struct host *catalog; /* that knows or knew it; NULL: none */
	char *user, *database, *client; /* "" where unknown */
	char *title; /* newest title of the leading process */
	char *activity;
	char *command; /* program name of the leading process */
	enum title_state state; /* of whichever process waits; else the
	                         * catalog's where there is one */
	bool has_cmd;
	uint32_t cmd;
	bool has_range; /* executors' counters at the newest tick */
	uint32_t cmd_low, cmd_high;
	bool has_seg; /* a backend in utility mode on a segment: which */
	int32_t seg;
	int64_t since_ns; /* state, command and activity are as they are since */
	bool since_exact; /* we saw it begin */
	bool since_known; /* the catalog says when it began */
	int64_t first_ns, last_ns;
	enum session_class {
		SESSION_OTHER, /* idle, ended, or no database session */
		SESSION_ACTIVE,
		SESSION_WAITING /* for a lock, a queue, a standby */
	} class;
	/* What the catalog says of the leading backend; "" and false where
	 * it says nothing, and once the backend is gone. */
	const struct row *backend; /* entity backend; NULL: not known to the
	                            * catalog now */
	char *application;
	char *wait_type, *wait_event; /* as the server names them */
	char *group; /* resource group or queue */
	char *text; /* of the query it runs or ran last */
	char *blockers; /* pids, "12,34" */
	bool has_xact; /* a transaction is open */
	int64_t xact_ns; /* since then, on the recorder's clock */
	bool has_xid_age;
	int64_t xid_age; /* older of xid and xmin */
	bool has_query_id;
	int64_t query_id;
	bool own; /* gpsnap's: no view of sessions or queries has it */
	struct proc *procs; /* living ones */
	struct proc *leader; /* NULL: not recorded or ended */
	bool over; /* its leading process ended: whoever comes with its name
	            * is another session */
	bool ended; /* over, or its last process ended: it is not on the list
	             * of sessions any more */
	size_t n_procs;
	struct query *query; /* running now, NULL: idle */
	struct query *before; /* running at the tick before */
	uint64_t query_tick; /* when query became what it is */
	uint64_t split_tick; /* when that was at a known instant: */
	uint32_t split; /* share of before in that tick, of CHARGE_WHOLE */
	uint64_t settled_tick; /* when titles of it changed last */
	struct query mixed; /* lives as long as the session */
	uint32_t n_queries;
};

/* A session that is shown nowhere any more goes two ticks after its end
 * unless somebody holds it. */
void session_hold(struct session *n);
void session_drop(struct session *n);

/* A query that ended goes two ticks later unless somebody holds it; then it
 * lives until it is dropped.  Its session has to be held, too, and both have
 * to be dropped before sessions_free(). */
void query_hold(struct query *q);
void query_drop(struct query *q);

/* Its text as the catalog had it; empty where that is unknown. */
struct span query_text(const struct query *q);

struct sessions;

struct sessions *sessions_new(void);
void sessions_free(struct sessions *s);

/* Takes in what the last tick changed.  wall_ns is the tick's time. */
void sessions_tick(struct sessions *s, const struct world *w,
	int64_t wall_ns);

/* A range begins at the last tick: what stands before it is forgotten.
 * States, commands and queries that go on count as seen first now, and
 * queries are numbered from 1 again, and of names and texts only those are known
 * that rows have now, so that what is said of a range does not depend on where
 * reading began. */
void sessions_begin(struct sessions *s, const struct world *w);

/* The process of a row of entity process, until the tick after the one that
 * closed it; NULL if it is none. */
struct proc *sessions_proc(const struct sessions *s, const struct row *r);

/* The process of an open row of entity backend; NULL if it is not recorded or
 * not known. */
struct proc *sessions_proc_of_backend(const struct sessions *s,
	const struct row *backend);

/* The session of an open row of entity backend; NULL if it is of none. */
struct session *sessions_of_backend(const struct sessions *s,
	const struct row *backend);

/* For how long it has been seen to wait for a lock at each tick: a process by
 * its title, else a backend by the catalog.  False: it was not. */
bool sessions_seen_to_wait(const struct sessions *s, const struct proc *p,
	const struct row *backend, int64_t *ret_ns);

/* Whether its title says that it waits: for a lock, a queue, a standby. */
bool proc_waits(const struct proc *p);

/* Whether the backend of a row waits for a resource queue, by pg_locks. */
bool catalog_queues(const struct world *w, const struct row *backend);
/* The server that a session is of; NULL: of none (of the operating system), or
 * not known which. */
const struct dbserver *sessions_server(const struct sessions *s,
	const struct session *n);

/* That of a process: of a segment the cluster's; NULL: of none. */
const struct dbserver *sessions_server_of(const struct sessions *s,
	const struct row *process);

/* That of a postmaster by its pid, and of a catalog. */
const struct dbserver *sessions_server_at(const struct sessions *s,
	const struct host *h, uint64_t pid);
const struct dbserver *sessions_server_of_catalog(const struct sessions *s,
	const struct host *catalog);

/* The servers of the range that lead sessions or have a catalog, by name; one
 * that was restarted is in it twice, the newest first. */
size_t sessions_servers(const struct sessions *s);
const struct dbserver *sessions_server_get(const struct sessions *s,
	size_t i);

/* Those that are gone, or lead no session now, are in the list no more: a range
 * begins. */
void sessions_forget_servers(struct sessions *s);

/* Different names among them. */
size_t sessions_server_names(const struct sessions *s);

/* What counts what the process used in the last tick. */
struct query_charge {
	struct query *to;
	struct query *also; /* NULL: nothing else; else the later one */
	uint32_t share; /* of to, of CHARGE_WHOLE */
};

#define CHARGE_WHOLE 65536u

struct query_charge sessions_charge_of(const struct sessions *s,
	const struct proc *p);

/* The same, where one query is wanted: mixed where there are two. */
struct query *sessions_query_of(const struct sessions *s,
	const struct proc *p);

/* The sessions of which the last tick changed a title or a process. */
struct session *const *sessions_settled(const struct sessions *s,
	size_t *ret_n);

/* Database sessions of a class at the newest tick. */
size_t sessions_in(const struct sessions *s, enum session_class c);

/* A living coordinator process that goes on under another session id. */
struct session_renamed {
	const struct session *session;
	uint32_t from, to;
};

/* Those of the last tick. */
const struct session_renamed *sessions_renamed(const struct sessions *s,
	size_t *ret_n);

/* Sessions that have a process or are known to the catalog, and those that
 * ended less than two ticks ago.  A database session with n_procs 0 and a
 * backend has no process that is recorded: its figures are absent. */
size_t sessions_count(const struct sessions *s);
struct session *sessions_get(const struct sessions *s, size_t i);

#endif
