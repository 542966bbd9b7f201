/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sessions_int.h - what the files of sessions.h share.
 *
 *   sessions.c           life of sessions, the tick, answers
 *   session_proc.c       processes as they come, change and go
 *   session_find.c       which session a process belongs to
 *   session_query.c      which query a session runs, and splits
 *   session_label.c      what is said of a session
 *   session_catalog.c    rows of pg_stat_activity, and what they are of
 *   session_backend.c    what one of them says
 *   session_place.c      where segments run
 *   session_server.c     which server a session is of
 *   session_name.c       what servers are called
 *   session_wait.c       since when it waits for locks
 *   session_login.c      user and database of titles, by names known elsewhere
 *
 * In a tick: rows that closed go; titles are read; leading processes find
 * their sessions, then the other processes; backends are tied; at last every
 * session that any of this touched is settled: leader, state, query, labels.
 */
#ifndef GS_ANALYSIS_SESSIONS_INT_H
#define GS_ANALYSIS_SESSIONS_INT_H

#include <uthash.h>

#include "analysis/logins.h"
#include "analysis/sessions.h"
#include "base/buf.h"

/* A postmaster that processes descend from; or, with pid 0, the server of a
 * catalog of which no postmaster is recorded. */
#define SERVER_BASE_MAX 128u

struct server {
	struct dbserver is; /* first; its number counts from 1 */
	struct server_key {
		uint32_t host;
		uint32_t boot;
		uint64_t pid;
	} key;
	uint32_t coordinator; /* number of the postmaster whose sessions its
	                       * executors are of; 0: not known */
	size_t n_executors; /* of segments, below it: no session is led there */
	uint64_t made; /* order of appearance */
	bool is_postmaster; /* else the parent, where that is all we know */
	bool is_server; /* a title, an agent or a catalog says so; a parent of
	                 * which none does goes with the last process */
	bool leads; /* sessions, in this range */
	size_t n_procs; /* recorded now, below it */
	size_t n_holds; /* those, and those that the last tick ended */
	char *cluster; /* cluster_name; "" where unknown */
	struct title_names names; /* the same, once it is sure */
	struct logins *logins; /* that its titles said; NULL: none */
	char *datadir;
	char base[SERVER_BASE_MAX]; /* its name, where no other has it */
	UT_hash_handle hh;
};

/* A catalog, and which server it is of. */
struct source {
	const struct host *host;
	uint32_t server; /* number of its postmaster, once that is known; else
	                  * of a server that stands for it */
	bool tied; /* the postmaster is known */
	uint64_t asked_tick; /* when it was asked last */
	struct logins *logins; /* that it said; NULL: none */
};

/* A row of pg_stat_activity, while it is open. */
struct tie {
	struct row *row; /* open while this is here */
	struct entry *entry; /* NULL: of no session */
	struct proc *proc; /* NULL: not recorded */
	struct tie *next; /* of the session */
	size_t at; /* in sessions.tie */
	bool main; /* a backend of the coordinator */
	int64_t waits_ns; /* as in struct proc, by the catalog */
	UT_hash_handle hh;
};

struct entry {
	struct session session; /* first: a session is its entry */
	struct sessions *owner;
	char *index_key; /* NULL: found under no name */
	struct entry *same; /* next of that name */
	struct tie *tie; /* backends */
	size_t n_main; /* of those, on the coordinator */
	struct tie *lead; /* the one that speaks for it; NULL: none */
	uint32_t holds; /* the list of all counts as one */
	uint64_t quiet_tick; /* when it ended; 0: it did not */
	bool on_quiet; /* on the list of those */
	bool exited; /* its last process ended, and was not only lost */
	bool led; /* a leading process of it was seen */
	const struct dbserver *of_procs; /* answer of sessions_server() by its
	                                  * processes, of which there may be
	                                  * thousands: */
	uint64_t of_procs_at; /* sessions.named it is of; 0: of none */
	UT_hash_handle hh;
};

/* Where the acting primary of a segment runs. */
struct place {
	const struct host *catalog; /* that says so */
	bool acts; /* else a mirror or standby: only whose it is matters */
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
	uint64_t n_made;
	struct server *servers;
	struct server **server; /* by number - 1; NULL: it is gone */
	size_t n_server, server_cap;
	uint32_t *free_number; /* of servers that are gone */
	size_t n_free, free_cap;
	uint64_t n_servers_made;
	struct proc **proc; /* by serial of the row */
	size_t proc_cap;
	struct pid_entry *by_pid;
	struct proc **ended; /* by the last tick */
	size_t n_ended, ended_cap;
	struct proc **moving; /* whose title the last tick changed */
	size_t n_moving, moving_cap;
	size_t in_class[SESSION_WAITING + 1];
	struct session **settled; /* by the last tick */
	size_t n_settled, settled_cap;
	struct entry **quiet; /* that ended within two ticks */
	size_t n_quiet, quiet_cap;
	struct session_renamed *renamed;
	size_t n_renamed, renamed_cap;
	uint64_t tick;
	bool thinned; /* ticks were left out before it */
	int64_t wall_ns, before_ns; /* of the tick and the one before */
	struct texts *texts; /* of queries */
	/* the catalog */
	struct tie *tie_of; /* by row */
	struct tie **tie;
	size_t n_tie, tie_cap;
	size_t n_main; /* of those, on the coordinator */
	struct place *place; /* by content */
	size_t n_place, place_cap;
	size_t place_hosts; /* hosts there were when places were made */
	bool place_missing; /* some place's host is not known yet */
	bool place_old; /* what they are made from changed */
	struct proc **detector; /* Greenplum's, of deadlocks: one per server */
	size_t n_detector, detector_cap;
	struct source *source; /* catalogs */
	size_t n_source, source_cap;
	struct server **listed; /* that sessions_servers() gives */
	size_t n_listed, listed_cap, n_names;
	bool unnamed; /* names of servers are to be made again */
	bool new_logins; /* or another server's: titles may be split by them */
	uint64_t named; /* how often servers_name() was called */
	struct buf scratch, key;
};

/* ---- sessions.c ---- */

/* It is looked at anew once the whole tick is known. */
void sessions_need_settle(struct sessions *s, struct session *n);

static inline struct entry *session_entry(struct session *n)
{
	return (struct entry *)(void *)n;
}

/* A session without processes, found under the key in s->key. */
struct session *session_new(struct sessions *s, enum session_kind kind,
	const char *name);

/* The newest session of the key in s->key, NULL: none; then entry.same. */
struct entry *session_named(const struct sessions *s);

/* Nobody finds it under its name any more. */
void session_unname(struct entry *e);

/* It is found under the key in s->key instead. */
void session_rename(struct sessions *s, struct entry *e);

/* A text that is replaced if it is another one. */
void session_set_text(char **to, struct span s);

/* ---- session_proc.c ---- */

/* A row of entity process that is touched: for the first time, again, and
 * closed. */
void proc_opened(struct sessions *s, const struct world *w, struct row *r);
void proc_changed(struct sessions *s, const struct world *w, struct proc *p);
void proc_closed(struct sessions *s, struct proc *p);
void proc_free(struct proc *p);

/* Those that the last tick closed. */
void procs_forget_ended(struct sessions *s);

/* Takes the process out of the session that it is in, if any, and puts it
 * into n. */
void session_join(struct sessions *s, struct session *n, struct proc *p);

/* A number of a process, 0 if it is absent. */
uint64_t proc_number(const struct proc *p, unsigned col);

/* Its pid as its server sees it, within a container. */
uint64_t proc_server_pid(const struct proc *p);

/* Reads the titles of a server's processes again; they are placed again. */
void sessions_read_again(struct sessions *s, const struct world *w,
	const struct server *v);

/* ---- session_find.c ---- */

bool proc_leads(const struct session *n, const struct proc *p);

/* Number of the postmaster of a process that was opened just now. */
uint32_t server_of(struct sessions *s, const struct row *r);

struct server *server_get(const struct sessions *s, uint32_t number);

/* Puts a process into its session by its title.  Leading processes of a
 * tick come first. */
void session_place(struct sessions *s, struct proc *p);

/* The session of a number (con) of a catalog's cluster; NULL: none, or
 * session_of_catalog() makes it. */
struct session *session_in_catalog(struct sessions *s,
	const struct source *of, uint32_t number);
struct session *session_of_catalog(struct sessions *s,
	const struct source *of, uint32_t number);

/* ---- session_server.c ---- */

/* The server of a key; made if it is new. */
struct server *server_make(struct sessions *s, struct server_key key);

/* A process comes and goes, and is forgotten. */
void server_join(struct sessions *s, const struct proc *p);
void server_leave(struct sessions *s, struct proc *p);
void server_drop(struct sessions *s, const struct proc *p);

/* The server that sessions of a postmaster are of; v may be NULL. */
struct server *server_root(const struct sessions *s, struct server *v);

/* Its executors are of that coordinator's sessions. */
void server_lead(struct sessions *s, struct server *v, uint32_t coordinator);

/* What the title of a process below it says of it. */
void server_hear(struct sessions *s, struct proc *p);

/* Learns names of servers from titles that came; before they are read. */
void servers_learn(struct sessions *s, const struct world *w,
	struct row *const *touched, size_t n);

/* What postmasters and catalogs say of servers in this tick. */
void servers_look(struct sessions *s, const struct world *w);

void servers_forget(struct sessions *s);

/* The catalog is that postmaster's; 0: nothing is known of it. */
void source_tie(struct sessions *s, struct source *of, uint32_t number);

/* A process is a deadlock detector, or not, or not any more. */
void session_note_detector(struct sessions *s, struct proc *p, bool is);

/* Executors that a deadlock detector works with go to its session: they
 * have a session id, and nobody's session.  After backends were tied. */
void session_adopt_detectors(struct sessions *s);

/* ---- session_name.c ---- */

/* Names, once the tick is known. */
void servers_name(struct sessions *s);

/* ---- session_query.c ---- */

/* What a session does at this tick. */
struct doing {
	enum title_state state;
	bool has_cmd;
	uint32_t cmd;
	struct span verb;
	bool has_start;
	int64_t start_us, start_ns;
	const struct tie *tie; /* NULL: said by titles */
};

bool state_is_open(enum title_state state);

/* A waiting SELECT is the same query as the SELECT. */
struct span title_verb(const struct title *t);

/* d NULL: nothing that is recorded belongs to it any more. */
void session_set_query(struct sessions *s, const struct world *w,
	struct session *n, const struct doing *d);

/* ---- session_wait.c ---- */

/* since_ns: of a process or backend that is in that state now. */
void session_note_wait(int64_t *since_ns, int64_t now_ns,
	enum title_state state);

/* A range begins: what waits counts as seen first now. */
void session_begin_waits(struct sessions *s);

/* ---- session_login.c ---- */

/* A title that was read: what it says of names, and what names say of it. */
void session_login_read(struct sessions *s, struct proc *p);

/* What catalogs say in this tick; titles are split by names that are new. */
void session_logins_look(struct sessions *s, const struct world *w);

/* A range begins: only names that rows have now are known. */
void session_logins_begin(struct sessions *s, const struct world *w);

/* ---- session_label.c ---- */

/* Leader, state, query, labels of a session that the tick touched. */
void session_settle(struct sessions *s, const struct world *w,
	struct session *n);

/* What processes and backends said that are not what they are now, or gone, is
 * forgotten. */
void session_label_anew(struct sessions *s, const struct world *w,
	struct session *n);

/* ---- session_catalog.c ---- */

/* What the last tick closed; before anything else is done. */
void catalog_close(struct sessions *s, const struct world *w);

/* A backend without a process that p fits. */
struct tie *catalog_waiting(const struct sessions *s, const struct proc *p);

/* Ties backends that came, changed, or had no process so far. */
void catalog_tie(struct sessions *s, const struct world *w);

/* The process ended. */
void catalog_untie(struct sessions *s, const struct proc *p);

/* The process is in another session now; its backend goes along. */
void catalog_follow(struct sessions *s, const struct proc *p);

/* The tie of a row; NULL: it has none. */
struct tie *catalog_tie_of(const struct sessions *s, const struct row *r);

/* The backend that speaks for the session; NULL: none. */
void catalog_choose_lead(struct entry *e);

void catalog_release(struct sessions *s);

/* ---- session_place.c ---- */

/* Where segments are; after catalog_close(). */
void catalog_places(struct sessions *s, const struct world *w);

/* The place of a segment by a catalog; NULL: unknown. */
const struct place *catalog_place(const struct sessions *s,
	const struct host *catalog, int64_t content);

/* The catalog of whose cluster a server of that host and port is a segment, or
 * the coordinator; NULL: of none. */
const struct source *catalog_of(const struct sessions *s,
	const struct host *h, uint64_t port);

/* The catalog of a row of it; NULL: not a catalog that is known. */
struct source *catalog_source(const struct sessions *s,
	const struct host *catalog);

/* ---- session_backend.c ---- */

static inline int64_t row_signed(const struct row *r, unsigned col,
	int64_t absent)
{
	uint64_t v;

	return row_get(r, col, &v) ? (int64_t)v : absent;
}

/* An instant of a cell of the catalog on the recorder's clock; false if it
 * is absent or no instant. */
bool catalog_instant(const struct sessions *s, const struct row *r,
	unsigned col, int64_t *ret_us, int64_t *ret_ns);

/* State by the catalog; TITLE_STATE_NONE: it does not say. */
enum title_state catalog_state(const struct world *w, const struct row *r);

/* Not a checkpointer, a WAL sender, ... */
bool backend_is_of_session(const struct world *w, const struct row *r);

/* A parallel worker. */
bool backend_is_worker(const struct row *r);

/* On the coordinator, else on a lower segment; else older. */
bool backend_is_before(const struct row *a, const struct row *b);

#endif
