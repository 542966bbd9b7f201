/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sessions_int.h - shared by the files of sessions.h.
 *
 * Each file uses only files further down:
 *
 *   sessions.c           the tick, answers
 *   session_label.c      labels of a session
 *   session_queue.c      backends that wait for a resource queue
 *   session_query.c      which query a session runs, and splits
 *   session_proc.c       processes: start, change and end
 *   session_catalog.c    rows of pg_stat_activity, and their sessions
 *   session_find.c       which session a process belongs to
 *   session_login.c      user and database of titles, by known names
 *   session_name.c       names of servers
 *   session_server.c     which server a session is of
 *   session_wait.c       since when it waits for locks
 *   session_backend.c    one row of pg_stat_activity
 *   session_place.c      where segments run
 *   session_member.c     the processes and backends of a session
 *   session_index.c      processes by row, sessions by key; their list, their end
 *
 * In a tick: closed rows are removed; titles are read; leading processes find
 * their sessions, then the other processes; backends are tied; finally every
 * session that this changed is updated: leader, state, query, labels.
 */
#ifndef GS_ANALYSIS_SESSIONS_INT_H
#define GS_ANALYSIS_SESSIONS_INT_H

#include <uthash.h>

#include "analysis/logins.h"
#include "analysis/sessions.h"
#include "base/buf.h"

/* A postmaster with its descendants; or, with pid 0, the server of a catalog
 * whose postmaster is not recorded. */
#define SERVER_BASE_MAX 128u

struct server {
	struct dbserver is; /* first; its number counts from 1 */
	struct server_key {
		uint32_t host;
		uint32_t boot;
		uint64_t pid;
	} key;
	uint32_t coordinator; /* number of the postmaster of its executors'
	                       * sessions; 0: not known */
	size_t n_executors; /* of segments, among its descendants: it leads no
	                     * session */
	uint64_t made; /* order of appearance */
	bool is_postmaster; /* else only a known parent */
	bool is_server; /* by a title, an agent or a catalog; other parents are
	                 * freed with their last process */
	bool leads; /* has sessions, in this range, or is PostgreSQL's */
	bool has_titles, has_ports; /* among its descendants; ports only in titles of
	                             * Greenplum */
	size_t n_procs; /* recorded now, descending from it */
	size_t n_holds; /* n_procs, plus those that the last tick ended */
	char *cluster; /* cluster_name; "" where unknown */
	struct title_names names; /* cluster as titles have it, once it is sure */
	struct logins *logins; /* from its titles; NULL: none */
	char *datadir;
	char base[SERVER_BASE_MAX]; /* its name, if no other has it */
	UT_hash_handle hh;
};

/* A catalog, and its server. */
struct source {
	const struct host *host;
	uint32_t server; /* number of its postmaster, once known; else of a
	                  * placeholder server */
	bool tied; /* the postmaster is known */
	uint64_t asked_tick; /* tick of its last sample */
	bool answered; /* at some tick */
	struct logins *logins; /* from this catalog; NULL: none */
};

/* A row of pg_stat_activity, while it is open. */
struct tie {
	struct row *row; /* open while this exists */
	struct entry *entry; /* NULL: no session */
	struct proc *proc; /* NULL: not recorded */
	struct tie *next; /* of the same session */
	size_t at; /* index in sessions.tie */
	bool main; /* a backend of the coordinator */
	int64_t waits_ns; /* as in struct proc, from the catalog */
	char *blockers; /* the last that the catalog told, "101,102"; NULL: none
	                 * yet */
	int64_t blocked_ns; /* since when it waits for some of them; 0: for
	                     * nobody else before */
	UT_hash_handle hh;
};

struct entry {
	struct session session; /* first: a session is its entry */
	struct sessions *owner;
	char *index_key; /* NULL: not in the index */
	struct entry *same; /* next of that key */
	struct tie *tie; /* backends */
	size_t n_main; /* number of ties on the coordinator */
	struct tie *lead; /* the representative one; NULL: none */
	uint32_t holds; /* the list of all entries is one hold */
	bool on_quiet; /* is on the list quiet */
	bool exited; /* its last process ended, and was not merely lost */
	bool led; /* a leading process of it was seen */
	uint64_t listed; /* which one it was that came into that list */
	uint64_t quiet_tick; /* when it ended; 0: it did not */
	uint64_t over_tick; /* when its leading process ended; 0: it did not */
	const struct dbserver *of_procs; /* cached result of sessions_server()
	                                  * from its processes, which may be
	                                  * thousands: */
	uint64_t of_procs_at; /* value of sessions.named then; 0: not cached */
	uint64_t members, members_at; /* of sessions_relations(), in that call */
	UT_hash_handle hh;
};

/* Where the acting primary of a segment runs. */
struct place {
	const struct host *catalog; /* from which this is known */
	bool acts; /* else a mirror or standby: only its owner matters */
	int64_t content;
	const struct host *host; /* NULL: not recorded */
	uint64_t port; /* 0: not known */
};

struct proc_key {
	uint32_t host;
	uint32_t boot;
	uint64_t pid; /* as the server sees it */
};

struct pid_entry {
	struct proc_key key;
	struct proc *first;
	UT_hash_handle hh;
};

struct sessions {
	struct entry *by_key;
	struct entry **all; /* in order of appearance */
	size_t n, cap;
	uint64_t n_came; /* into that list so far */
	uint64_t n_made;
	struct server *servers;
	struct server **server; /* by number - 1; NULL: freed */
	size_t n_server, server_cap;
	uint32_t *free_number; /* of freed servers */
	size_t n_free, free_cap;
	uint64_t n_servers_made;
	struct proc **proc; /* by serial of the row */
	size_t proc_cap;
	struct pid_entry *by_pid;
	struct proc **ended; /* in the last tick */
	size_t n_ended, ended_cap;
	struct proc **moving; /* with a title that the last tick changed */
	size_t n_moving, moving_cap;
	struct row **switched; /* processes that changed their session in the last tick,
	                        * which did not touch them */
	size_t n_switched, switched_cap;
	size_t in_class[SESSION_WAITING + 1];
	struct session **changed; /* in the last tick */
	size_t n_changed, changed_cap;
	struct session **ran; /* idle, and had run a query since the tick before: they
	                       * are in the catalog, so they live as long as that
	                       * tells */
	size_t n_ran, ran_cap;
	struct entry **quiet; /* ended less than two ticks ago */
	size_t n_quiet, quiet_cap;
	struct session_renamed *renamed;
	size_t n_renamed, renamed_cap;
	uint64_t tick;
	bool thinned; /* ticks were left out before the last one */
	int64_t wall_ns, before_ns; /* time of the tick and of the one before */
	struct texts *texts; /* of queries */
	/* the catalog */
	struct ended_backend {
		const struct row *row;
		struct session *session;
	} *gone; /* in the newest tick */
	size_t n_gone, gone_cap;
	struct tie *tie_of; /* by row */
	struct tie **tie;
	size_t n_tie, tie_cap;
	uint64_t n_relations; /* calls of sessions_relations() */
	bool loose; /* a process, or a session, may still come for some of them */
	size_t n_main; /* number of ties on the coordinator */
	struct place *place; /* by content */
	size_t n_place, place_cap;
	size_t place_hosts; /* number of hosts when places were made */
	bool place_missing; /* the host of some place is not known yet */
	bool place_old; /* their sources changed */
	struct proc **detector; /* Greenplum's deadlock detectors: one per
	                         * server */
	size_t n_detector, detector_cap;
	struct source *source; /* catalogs */
	size_t n_source, source_cap;
	struct server **listed; /* result of sessions_servers() */
	size_t n_listed, listed_cap, n_names;
	bool unnamed; /* names of servers have to be made again */
	bool new_logins; /* names were learned: titles may be split by them */
	uint64_t named; /* number of calls of servers_name() */
	struct buf scratch, key;
};

/* ---- session_index.c ---- */

/* The session is updated once the whole tick is known. */
void session_mark_changed(struct sessions *s, struct session *n);

static inline struct entry *session_entry(struct session *n)
{
	return (struct entry *)(void *)n;
}

/* A session without processes, indexed by the key in s->key. */
struct session *session_new(struct sessions *s, enum session_kind kind,
	const char *name);

/* The newest session of the key in s->key, NULL: none; older ones in
 * entry.same. */
struct entry *session_named(const struct sessions *s);

/* Removes it from the index. */
void session_unname(struct entry *e);

/* Moves it to the key in s->key. */
void session_rename(struct sessions *s, struct entry *e);

/* After a change: the session ended, or did not after all. */
void session_note_quiet(struct sessions *s, struct entry *e);

/* Frees sessions that ended some ticks ago. */
void sessions_forget_quiet(struct sessions *s);

/* ---- session_member.c ---- */

/* A numeric column of a process; 0 if it is absent. */
uint64_t proc_number(const struct proc *p, unsigned col);

/* Its pid in its server's pid namespace. */
uint64_t proc_server_pid(const struct proc *p);

bool proc_leads(const struct session *n, const struct proc *p);

/* Moves the process from its session, if any, to n. */
void session_join(struct sessions *s, struct session *n, struct proc *p);

/* The process ended. */
void session_leave(struct sessions *s, struct proc *p);

/* The tie of a row; NULL: it has none. */
struct tie *tie_of_row(const struct sessions *s, const struct row *r);

/* The session of a backend; n NULL: none. */
void tie_attach(struct sessions *s, struct tie *t, struct session *n);
void tie_detach(struct sessions *s, struct tie *t);

/* The process ended. */
void proc_untie(struct sessions *s, const struct proc *p);

/* ---- session_proc.c ---- */

/* A row of entity process was touched: for the first time, again, or closed. */
void proc_opened(struct sessions *s, const struct world *w, struct row *r);
void proc_changed(struct sessions *s, const struct world *w, struct proc *p);
void proc_closed(struct sessions *s, struct proc *p);

/* Before proc_closed(): its session gets what it was at last (row_ended_late()). */
void proc_ended_late(struct sessions *s, const struct world *w, struct proc *p);
void proc_free(struct proc *p);

/* Frees the processes that the last tick closed. */
void procs_forget_ended(struct sessions *s);

/* Learns names of servers from new titles; call before titles are read. */
void servers_learn(struct sessions *s, const struct world *w,
	struct row *const *touched, size_t n);

/* If titles do not show a server's name, the setting of its catalog does. */
void servers_learn_settings(struct sessions *s, const struct world *w);

/* ---- session_find.c ---- */

/* Assigns a process to its session by its title.  Within a tick, leading
 * processes come first. */
void session_place(struct sessions *s, struct proc *p);

/* The session of a number (con) in a catalog's cluster.  NULL: none;
 * session_of_catalog() makes it. */
struct session *session_in_catalog(struct sessions *s,
	const struct source *of, uint32_t number);
struct session *session_of_catalog(struct sessions *s,
	const struct source *of, uint32_t number);

/* Notes whether a process is (still) a deadlock detector. */
void session_note_detector(struct sessions *s, struct proc *p, bool is);

/* Moves executors of a deadlock detector to its session: they have a session id
 * that no session has.  Call after backends were tied. */
void session_adopt_detectors(struct sessions *s);

/* ---- session_server.c ---- */

/* The server of a key; made if it is new. */
struct server *server_make(struct sessions *s, struct server_key key);

/* Number of the postmaster of a process that has just been opened. */
uint32_t server_of(struct sessions *s, const struct row *r);

struct server *server_get(const struct sessions *s, uint32_t number);

/* Their data directories are the same, or one is not known. */
bool server_may_share(const struct server *a, const struct server *b);

/* A process starts, ends, and is freed. */
void server_join(struct sessions *s, const struct proc *p);
void server_leave(struct sessions *s, struct proc *p);
void server_drop(struct sessions *s, const struct proc *p);

/* The server of a postmaster's sessions; v may be NULL. */
struct server *server_root(const struct sessions *s, struct server *v);

/* Its executors belong to that coordinator's sessions. */
void server_lead(struct sessions *s, struct server *v, uint32_t coordinator);

/* Applies what the title of a descendant tells about it. */
void server_read_title(struct sessions *s, struct proc *p);

/* Applies this tick's rows of postmasters and catalogs to servers. */
void servers_update(struct sessions *s, const struct world *w);

/* Finds the coordinators of segments, by catalogs. */
void servers_tie_segments(struct sessions *s);

void servers_forget(struct sessions *s);

/* The catalog belongs to that postmaster; 0: it is not known. */
void source_tie(struct sessions *s, struct source *of, uint32_t number);

/* ---- session_name.c ---- */

/* Names servers, once the tick is known. */
void servers_name(struct sessions *s);

/* ---- session_query.c ---- */

/* The activity of a session at this tick. */
struct doing {
	enum title_state state;
	bool has_cmd;
	uint32_t cmd;
	struct span verb;
	bool has_start; /* of the query; if idle, of the last one */
	int64_t start_us, start_ns;
	const struct tie *tie; /* NULL: from titles */
};

bool state_is_open(enum title_state state);

/* A waiting SELECT is the same query as the SELECT. */
struct span title_verb(const struct title *t);

/* d NULL: nothing recorded belongs to the session any more. */
void session_set_query(struct sessions *s, const struct world *w,
	struct session *n, const struct doing *d);

/* ---- session_wait.c ---- */

/* state: of a process or backend now; *since_ns: start of its wait. */
void session_note_wait(int64_t *since_ns, int64_t now_ns,
	enum title_state state);

/* After the backend's row changed: a wait for others than before is another
 * wait, even if each sample shows one. */
void session_note_blockers(struct tie *t, const struct world *w,
	int64_t now_ns);

/* A range begins: waits count as first seen now. */
void session_begin_waits(struct sessions *s);

/* ---- session_login.c ---- */

/* After a title was read: learns its names, and splits it by known names. */
void session_login_read(struct sessions *s, struct proc *p);

/* Learns names from this tick's catalogs; titles are split by new names. */
void session_logins_update(struct sessions *s, const struct world *w);

/* A range begins: only names in current rows are kept. */
void session_logins_begin(struct sessions *s, const struct world *w);

/* ---- session_label.c ---- */

/* Updates leader, state, query and labels of a session that the tick touched. */
void session_update(struct sessions *s, const struct world *w,
	struct session *n);

/* While processes and backends of it are there that the tick opened and closed. */
void session_label_brief(struct sessions *s, const struct world *w,
	struct session *n);

/* Before the leading process of it ends, which did more since the tick before. */
void session_label_last(struct sessions *s, const struct world *w,
	struct session *n);

/* Times that the catalog tells, by how far its clock is ahead now. */
void session_retime(struct sessions *s, struct session *n);

/* Drops labels from processes and backends that have changed or ended. */
void session_relabel(struct sessions *s, const struct world *w,
	struct session *n);

/* ---- session_catalog.c ---- */

/* Removes the rows that the last tick closed; call this first. */
void catalog_close(struct sessions *s, const struct world *w);

/* Ties backends that are new, changed, or without a process so far. */
void catalog_tie(struct sessions *s, const struct world *w);

/* Between these two calls, backends that came and went between two ticks are tied to
 * their sessions, which have their labels from them.  Returns what the second one
 * needs. */
size_t catalog_open_brief(struct sessions *s, const struct world *w);
void catalog_close_brief(struct sessions *s, size_t n);

/* Chooses the representative backend of the session; NULL: none. */
void catalog_choose_lead(struct entry *e);

void catalog_release(struct sessions *s);

/* ---- session_place.c ---- */

/* Its database answers: rows of one that does not are gone. */
static inline bool catalog_answers(const struct host *catalog)
{
	return catalog->table[ENTITY_CLUSTER].n_live > 0 ||
	    catalog->table[ENTITY_SEGMENT].n_live > 0 ||
	    catalog->table[ENTITY_BACKEND].n_live > 0;
}

/* Updates where segments run; after catalog_close(). */
void catalog_places(struct sessions *s, const struct world *w);

/* The place of a segment according to a catalog; NULL: unknown. */
const struct place *catalog_place(const struct sessions *s,
	const struct host *catalog, int64_t content);

/* The catalog whose cluster has that host and port as a segment or coordinator;
 * NULL: none. */
const struct source *catalog_of(const struct sessions *s,
	const struct host *h, uint64_t port);

/* The source of a catalog; NULL: not a known catalog. */
struct source *catalog_source(const struct sessions *s,
	const struct host *catalog);

/* ---- session_backend.c ---- */

static inline int64_t row_signed(const struct row *r, unsigned col,
	int64_t absent)
{
	uint64_t v;

	return row_get(r, col, &v) ? (int64_t)v : absent;
}

/* An instant in a cell of the catalog, on the recorder's clock; false if it is
 * absent or not an instant. */
bool catalog_instant(const struct sessions *s, const struct row *r,
	unsigned col, int64_t *ret_us, int64_t *ret_ns);

/* State from the catalog; TITLE_STATE_NONE: not known. */
enum title_state catalog_state(const struct world *w, const struct row *r);

/* Not a checkpointer, a WAL sender, ... */
bool backend_is_of_session(const struct world *w, const struct row *r);

/* A parallel worker. */
bool backend_is_worker(const struct row *r);

/* The process of a row; NULL: not recorded. */
struct proc *backend_find_proc(const struct sessions *s, const struct row *r);

/* A backend without a process, and p fits. */
struct tie *backend_waiting(const struct sessions *s, const struct proc *p);

/* Order: the coordinator first, then lower segments, then older backends. */
bool backend_is_before(const struct row *a, const struct row *b);

#endif
