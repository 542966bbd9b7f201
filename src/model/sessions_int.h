/*
 * sessions_int.h - what the files of sessions.h share.
 *
 *   sessions.c           life of sessions, the tick, answers
 *   session_find.c       which session a process belongs to
 *   session_query.c      which query a session runs, and splits
 *   session_label.c      what is said of a session
 *   session_catalog.c    rows of pg_stat_activity, and what they are of
 *
 * In a tick: rows that closed go; titles are read; leading processes find
 * their sessions, then the other processes; backends are tied; at last every
 * session that any of this touched is settled: leader, state, query, labels.
 */
#ifndef GS_MODEL_SESSIONS_INT_H
#define GS_MODEL_SESSIONS_INT_H

#include <uthash.h>

#include "base/buf.h"
#include "model/sessions.h"

/* A postmaster that processes descend from. */
struct server {
	struct server_key {
		uint32_t host;
		uint32_t boot;
		uint64_t pid;
	} key;
	uint32_t number; /* from 1 */
	uint32_t coordinator; /* number of the postmaster whose sessions its
	                       * executors are of; 0: not known */
	UT_hash_handle hh;
};

/* A row of pg_stat_activity, while it is open. */
struct tie {
	struct row *row; /* open while this is here */
	struct entry *entry; /* NULL: of no session */
	struct proc *proc; /* NULL: not recorded */
	struct tie *next; /* of the session */
	size_t at; /* in sessions.tie */
	UT_hash_handle hh;
};

struct entry {
	struct session session; /* first: a session is its entry */
	struct sessions *owner;
	char *index_key; /* NULL: found under no name */
	struct entry *same; /* next of that name */
	struct tie *tie; /* backends */
	struct tie *lead; /* the one that speaks for it; NULL: none */
	uint32_t holds; /* the list of all counts as one */
	uint64_t quiet_tick; /* when it ended; 0: it did not */
	bool on_quiet; /* on the list of those */
	bool exited; /* its last process ended, and was not only lost */
	UT_hash_handle hh;
};

/* Where the acting primary of a segment runs. */
struct place {
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
	struct server **server; /* by number - 1 */
	size_t n_server, server_cap;
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
	struct place *place; /* by content */
	size_t n_place, place_cap;
	size_t place_hosts; /* hosts there were when places were made */
	bool place_missing; /* some place's host is not known yet */
	bool place_old; /* what they are made from changed */
	uint32_t cluster_server; /* its postmaster; 0: not recorded so far */
	uint64_t catalog_tick; /* when the catalog was asked last */
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

/* Takes the process out of the session that it is in, if any, and puts it
 * into n. */
void session_join(struct sessions *s, struct session *n, struct proc *p);

/* A text that is replaced if it is another one. */
void session_set_text(char **to, struct span s);

/* A number of a process, 0 if it is absent. */
uint64_t proc_number(const struct proc *p, unsigned col);

/* Its pid as its server sees it, within a container. */
uint64_t proc_server_pid(const struct proc *p);

bool proc_leads(const struct session *n, const struct proc *p);

/* ---- session_find.c ---- */

/* Number of the postmaster of a process that was opened just now. */
uint32_t server_of(struct sessions *s, const struct row *r);

/* Puts a process into its session by its title.  Leading processes of a
 * tick come first. */
void session_place(struct sessions *s, struct proc *p);

/* The session of a number (con) of the catalog's cluster; made if it is
 * new. */
struct session *session_of_catalog(struct sessions *s, uint32_t number);

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

/* Where segments are; after catalog_close(). */
void catalog_places(struct sessions *s, const struct world *w);

/* The place of a segment; NULL: unknown. */
const struct place *catalog_place(const struct sessions *s, int64_t content);

/* True if a process of that host and port is of the catalog's cluster. */
bool catalog_has(const struct sessions *s, const struct host *h,
	uint32_t port);

/* A backend without a process that p fits. */
struct tie *catalog_waiting(const struct sessions *s, const struct proc *p);

/* Ties backends that came, changed, or had no process so far. */
void catalog_tie(struct sessions *s, const struct world *w);

/* The process ended. */
void catalog_untie(struct sessions *s, const struct proc *p);

/* The process is in another session now; its backend goes along. */
void catalog_follow(struct sessions *s, const struct proc *p);

/* The backend that speaks for the session; NULL: none. */
void catalog_choose_lead(struct entry *e);

/* An instant of a cell of the catalog on the recorder's clock; false if it
 * is absent or no instant. */
bool catalog_instant(const struct sessions *s, const struct row *r,
	unsigned col, int64_t *ret_us, int64_t *ret_ns);

/* State by the catalog; TITLE_STATE_NONE: it does not say. */
enum title_state catalog_state(const struct world *w, const struct row *r);

void catalog_release(struct sessions *s);

#endif
