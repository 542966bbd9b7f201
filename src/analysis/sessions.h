/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sessions.h - which session and which query a process works for: from process
 * titles and the catalog.  Either is enough.
 *
 * A session is, on Greenplum and Cloudberry, all processes whose titles carry
 * one session id (con) of one coordinator; on PostgreSQL a client backend and
 * its parallel workers; for other processes, the session of the operating
 * system.  Which coordinator an executor belongs to is known by the catalog's
 * list of segments, else by what its postmaster's other executors belong to,
 * else by user and database.  A coordinator process whose session id changes
 * stays the same session.
 *
 * Every session is of one server: of the coordinator's postmaster, or of the
 * catalog that knows it.  The same session id, or the same pid in another pid
 * namespace, on two servers means two sessions.
 *
 * A row of pg_stat_activity is tied to the process of its pid on the host of
 * its segment's acting primary, if the start times of both fit; else the
 * session is known by the catalog alone and has no processes.
 *
 * A query is, in the catalog, identified by its query_start; in titles, it is
 * an unbroken run of ticks in which the session's leading process is not idle
 * and has one command counter (Greenplum) or one activity (PostgreSQL).  The
 * session's other processes work for the query of the leading process, whatever
 * their own counter is.  Where no leading process is recorded, the catalog,
 * else the executors' own titles stand in for it.
 *
 * Usage of a process in a tick counts for the query that runs at both ends of
 * the tick; if one end is idle, for the query at the other end; if two queries
 * run and the start of the later one is known, for both, split by time; else
 * for the session's `mixed` query.  So queries + mixed = session, always.
 *
 * Use: sessions_tick() after every world_apply(); then the functions below.
 */
#ifndef GS_ANALYSIS_SESSIONS_H
#define GS_ANALYSIS_SESSIONS_H

#include <stdbool.h>

#include "model/world.h"
#include "title/title.h"

struct session;

/* The database server of a session: a PostgreSQL, or a cluster, represented by
 * its coordinator. */
struct dbserver {
	uint32_t number; /* from 1 */
	char *name; /* cluster_name, else the port, else the data directory;
	             * with the host, the port or the pid if another server has
	             * the same */
	const struct host *host; /* of the postmaster; NULL: not recorded */
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
	bool open; /* is running at the newest tick */
	bool has_start; /* from the catalog: */
	int64_t start_ns; /* query_start, on the recorder's clock */
	int64_t start_us; /* the same on the coordinator's clock */
	bool has_id;
	int64_t id; /* query_id */
	bool estimated; /* includes a share of a tick, split by time: `~` */
	uint32_t text; /* id of its text, for query_text() */
	struct texts *texts; /* that text is in; reference-counted by the
	                      * sessions */
	uint32_t holds;
};

struct pid_entry;

/* One process that is or was recorded. */
struct proc {
	struct row *row; /* held; its texts end with it */
	struct session *session;
	struct proc *next; /* list of its session, while it lives */
	struct proc **at; /* the pointer to it in that list */
	struct title title; /* points into text */
	char *text; /* the last title */
	size_t text_len, text_cap;
	uint64_t changed_tick; /* when session or title changed last */
	uint32_t server; /* its postmaster, numbered from 1; 0: unknown */
	uint32_t session_id; /* that assigned it to its session */
	bool tied; /* a backend of the catalog is this process */
	bool detects; /* an executor of the deadlock detector */
	bool executor; /* its title names a segment */
	int64_t waits_ns; /* title says that it waits, at each tick since this
	                   * one; 0: it does not */
	bool misread; /* so far, as its server's name is unknown */
	struct proc *same; /* next of the same host and pid number */
	struct proc **same_at; /* the pointer to it in that list */
	struct pid_entry *entry; /* head of that list */
};

struct session {
	enum session_kind kind;
	char *key; /* unique, stable */
	uint64_t key_hash; /* of key (fnv.h) */
	uint32_t session_id; /* Greenplum's, now */
	char *name; /* "150", "4711" */
	uint32_t server; /* the coordinator's postmaster, numbered as in
	                  * struct proc; 0: unknown */
	uint32_t left_server; /* of a session of the operating system without
	                       * processes: whose the last one was; 0: of none */
	const struct host *catalog; /* that lists or listed it; NULL: none */
	char *user, *database, *client; /* "" where unknown */
	char *title; /* newest title of the leading process */
	char *activity;
	char *command; /* program name of the leading process */
	enum title_state state; /* of the process that waits, if any; else the
	                         * catalog's, if there is one */
	uint32_t cmd; /* with has_cmd */
	uint32_t cmd_low, cmd_high; /* with has_range: lowest and highest cmd of
	                             * executors at the newest tick */
	int32_t seg; /* with has_seg: of a backend in utility mode */
	int64_t since_ns; /* since when state, command and activity are
	                   * unchanged */
	int64_t since_us; /* with since_known: as the server's clock has it */
	int64_t first_ns, last_ns;
	enum session_class {
		SESSION_OTHER, /* idle, ended, or no database session */
		SESSION_ACTIVE,
		SESSION_WAITING /* for a lock, a queue, a standby */
	} class;
	/* From the catalog, of the leading backend; "" and false where it gives
	 * nothing, and after the backend has ended. */
	const struct row *backend; /* entity backend; NULL: not in the catalog
	                            * now */
	char *application;
	char *wait_type, *wait_event; /* as the server names them */
	char *group; /* resource group or queue */
	char *text; /* of the query that it runs or ran last */
	char *blockers; /* pids, "12,34" */
	int64_t xact_ns; /* with has_xact: its start, on the recorder's clock */
	int64_t xid_age; /* with has_xid_age: older of xid and xmin */
	int64_t query_id; /* with has_query_id */
	struct proc *procs; /* living ones */
	struct proc *leader; /* NULL: not recorded or ended */
	size_t n_procs;
	struct query *query; /* running now, NULL: idle */
	struct query *before; /* running at the tick before */
	uint64_t query_tick; /* when query changed last */
	uint64_t unseen_tick; /* when it was idle and had run a query that no tick
	                       * shows after `before` */
	int64_t start_us; /* with has_start: of the query that it runs or ran last */
	uint64_t ran_tick; /* when it was idle and had run a query since the tick
	                    * before */
	uint64_t split_tick; /* tick at which the instant of that change is
	                      * known: */
	uint32_t split; /* share of `before` in that tick, of CHARGE_WHOLE */
	uint64_t changed_tick; /* when titles of it changed last */
	struct query *mixed; /* session_mixed(); NULL: nobody asked */
	uint32_t n_queries;
	/* side by side: there are many sessions */
	bool has_cmd, has_range, has_seg, has_start;
	bool since_exact; /* the change was observed */
	bool since_known; /* the catalog has its start */
	bool has_xact; /* a transaction is open */
	bool has_xid_age, has_query_id;
	bool own; /* gpsnap's own: hidden in views of sessions and queries */
	bool over; /* its leading process ended: a process of that name later is
	            * another session */
	bool left; /* the last of its processes to go was not seen to end */
	bool ended; /* over, or its last process ended: no longer on the list of
	             * sessions */
};

/* The number by which its server knows a process: in a container another one. */
uint64_t process_server_pid(const struct row *process);

/* Its process that labels are of: the leading one, or one that stands in for it;
 * NULL: none lives. */
const struct row *session_row(const struct session *n);

/* A session is freed two ticks after its end unless it is held. */
void session_hold(struct session *n);
void session_drop(struct session *n);

/* A query is freed two ticks after its end unless it is held; then it lives
 * until it is dropped.  Its session has to be held, too, and both have to be
 * dropped before sessions_free(). */
void query_hold(struct query *q);
void query_drop(struct query *q);

/* What counts for none of its queries; lives as long as the session. */
struct query *session_mixed(struct session *n);

/* Its text from the catalog; empty if unknown. */
struct span query_text(const struct query *q);

struct sessions;

struct sessions *sessions_new(void);
void sessions_free(struct sessions *s);

/* Applies the changes of the last tick. wall_ns is the tick's time. */
void sessions_tick(struct sessions *s, const struct world *w,
	int64_t wall_ns);

/* A range begins at the last tick: earlier knowledge is dropped, so that
 * results do not depend on where reading began.  States, commands and queries
 * that continue count as first seen now.  Queries are numbered from 1 again.
 * Only names and texts in current rows are kept. */
void sessions_begin(struct sessions *s, const struct world *w);

/* A range begins at the last tick: queries that idle sessions ran before it are not of
 * the range. */
void sessions_forget_ran(struct sessions *s);

/* The process of a row of entity process, valid until the tick after the one
 * that closed it; NULL for other rows. */
struct proc *sessions_proc(const struct sessions *s, const struct row *r);

/* What the title in the row of a process says, which the world owns: of one that
 * ended between two ticks its last one, where p->title is that of the tick before. */
void sessions_read_title(const struct sessions *s, const struct world *w,
	const struct proc *p, struct title *ret);

/* The process of an open row of entity backend; NULL: not recorded or not
 * known. */
struct proc *sessions_proc_of_backend(const struct sessions *s,
	const struct row *backend);

/* The session of an open row of entity backend; NULL: none. */
struct session *sessions_of_backend(const struct sessions *s,
	const struct row *backend);

/* The session of a row of entity backend that the last tick closed; NULL: none is
 * known. */
struct session *sessions_of_ended_backend(const struct sessions *s,
	const struct row *backend);

/* How long it has been waiting for a lock at each tick: a process by its title,
 * else a backend by the catalog, and for none but those that it waits for now.
 * False: it is not waiting. */
bool sessions_seen_to_wait(const struct sessions *s, const struct proc *p,
	const struct row *backend, int64_t *ret_ns);

/* Whether its title shows a wait: for a lock, a queue, a standby. */
bool proc_waits(const struct proc *p);

/* Whether the backend of a row waits for a resource queue, by pg_locks. */
bool catalog_queues(const struct world *w, const struct row *backend);
/* The server of a session; NULL: none (a session of the operating system), or
 * not known. */
const struct dbserver *sessions_server(const struct sessions *s,
	const struct session *n);

/* The server of the last process of a session of the operating system that has none
 * any more; NULL: none. */
const struct dbserver *sessions_server_left(const struct sessions *s,
	const struct session *n);

/* The server of a process; for a segment's process, the cluster's.  NULL: none. */
const struct dbserver *sessions_server_of(const struct sessions *s,
	const struct row *process);

/* The server of a postmaster by its pid, and of a catalog. */
const struct dbserver *sessions_server_at(const struct sessions *s,
	const struct host *h, uint64_t pid);
const struct dbserver *sessions_server_of_catalog(const struct sessions *s,
	const struct host *catalog);

/* The servers of the range that lead sessions or have a catalog, by name.  A
 * restarted server is listed twice, the newest first. */
size_t sessions_servers(const struct sessions *s);
const struct dbserver *sessions_server_get(const struct sessions *s,
	size_t i);

/* A range begins: servers that are gone or lead no session now are removed from
 * the list. */
void sessions_forget_servers(struct sessions *s);

/* Number of different names in the list. */
size_t sessions_server_names(const struct sessions *s);

/* The queries that count a process's usage of the last tick. */
struct query_charge {
	struct query *to;
	struct query *also; /* the later query; NULL: only `to` counts it */
	uint32_t share; /* share of `to`, of CHARGE_WHOLE */
};

#define CHARGE_WHOLE 65536u

struct query_charge sessions_charge_of(const struct sessions *s,
	const struct proc *p);

/* The sessions that were idle at the last tick and had run a query since the tick
 * before; the same after sessions_forget_ran(). */
struct session *const *sessions_ran(const struct sessions *s, size_t *ret_n);

/* The sessions with a title or process that changed in the last tick. */
struct session *const *sessions_changed(const struct sessions *s,
	size_t *ret_n);

/* Processes that are of another session since the last tick, which did not touch their
 * rows: a catalog told of them. */
struct row *const *sessions_switched(const struct sessions *s, size_t *ret_n);

/* Who belongs to which session and server after the last tick, and which postmaster a
 * catalog is of, as one number: with another one, others may belong to them later. */
uint64_t sessions_relations(struct sessions *s, const struct world *w);

/* What is known from elsewhere of a process that titles were not told of in each
 * tick (tick_remark): since when its session does what it does now, and whether the
 * change was seen; since when its title says that it waits. */
void session_set_since(struct proc *p, int64_t since_ns, bool seen);
void session_set_waits(struct proc *p, int64_t since_ns);

/* Number of database sessions of a class at the newest tick. */
size_t sessions_in(const struct sessions *s, enum session_class c);

/* The same, and how many of the sessions that views show. */
struct tick_census sessions_census(const struct sessions *s);

/* It is of a database, not the recorder's own, and there. */
bool session_is_shown(const struct session *s);

/* A living coordinator process that continues under another session id. */
struct session_renamed {
	const struct session *session;
	uint32_t from, to;
};

/* The renames of the last tick. */
const struct session_renamed *sessions_renamed(const struct sessions *s,
	size_t *ret_n);

/* Sessions that have a process or are in the catalog, and those that ended less
 * than two ticks ago.  A database session with a backend and n_procs 0 has no
 * recorded process: its figures are absent. */
size_t sessions_count(const struct sessions *s);
struct session *sessions_get(const struct sessions *s, size_t i);

#endif
