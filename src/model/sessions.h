/*
 * sessions.h - which session and which query a process works for, from
 * process titles alone.
 *
 * A session is, on Greenplum and Cloudberry, all processes whose titles carry
 * one session id (con); on PostgreSQL a client backend and its parallel
 * workers; for what is no backend, the session of the operating system.
 *
 * A query is an unbroken run of ticks in which the session's leading process
 * is not idle and has one command counter (Greenplum) or one activity
 * (PostgreSQL).  The session's other processes work for the query of the
 * leading process, whatever their own counter says.  Where no leading
 * process is recorded, the executors' own titles stand in for it.
 *
 * What a process used in a tick counts for the query at both ends of the
 * tick; if one end is idle, for the query at the other end; else for the
 * session's `mixed` query, so that queries + mixed = session, always.
 *
 * Use: after every world_apply(), sessions_tick(); then ask.
 */
#ifndef GS_MODEL_SESSIONS_H
#define GS_MODEL_SESSIONS_H

#include <stdbool.h>

#include "model/title.h"
#include "model/world.h"

struct session;

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
	uint32_t holds;
};

/* One process that is or was recorded. */
struct proc {
	struct row *row; /* held; its texts end with it */
	struct session *session;
	struct proc *next; /* in its session, while it lives */
	struct title title; /* points into text */
	char *text; /* the title as it was last */
	size_t text_len, text_cap;
	uint64_t changed_tick; /* when session or title changed last */
};

struct session {
	enum session_kind kind;
	char *key; /* unique, stable */
	uint32_t number; /* Greenplum's session id */
	char *name; /* "150", "4711" */
	char *user, *database, *client; /* "" where unknown */
	char *title; /* newest title of the leading process */
	char *activity;
	char *command; /* program name of the leading process */
	enum title_state state;
	bool has_cmd;
	uint32_t cmd;
	bool has_range; /* executors' counters at the newest tick */
	uint32_t cmd_low, cmd_high;
	int64_t since_ns; /* state, command and activity are as they are since */
	bool since_exact; /* we saw it begin */
	int64_t first_ns, last_ns;
	enum session_class {
		SESSION_OTHER, /* idle, ended, or no database session */
		SESSION_ACTIVE,
		SESSION_WAITING /* for a lock, a queue, a standby */
	} class;
	struct proc *procs; /* living ones */
	struct proc *leader; /* NULL: not recorded or ended */
	bool over; /* its leading process ended: whoever comes with its name
	            * is another session */
	size_t n_procs, n_hosts;
	struct query *query; /* running now, NULL: idle */
	struct query *before; /* running at the tick before */
	uint64_t query_tick; /* when query became what it is */
	uint64_t settled_tick; /* when titles of it changed last */
	struct query mixed; /* lives as long as the session */
	uint32_t n_queries;
};

/* A query that ended goes two ticks later unless somebody holds it; then it
 * lives until it is dropped, at the latest with its session. */
void query_hold(struct query *q);
void query_drop(struct query *q);

struct sessions;

struct sessions *sessions_new(void);
void sessions_free(struct sessions *s);

/* Takes in what the last tick changed.  wall_ns is the tick's time. */
void sessions_tick(struct sessions *s, const struct world *w,
	int64_t wall_ns);

/* A range begins at the last tick: what stands before it is forgotten.
 * States, commands and queries that go on count as seen first now, and
 * queries are numbered from 1 again, so that what is said of a range does not
 * depend on where reading began. */
void sessions_begin(struct sessions *s);

/* The process of a row of entity process, until the tick after the one that
 * closed it; NULL if it is none. */
struct proc *sessions_proc(const struct sessions *s, const struct row *r);

/* The query that counts what the process used in the last tick. */
struct query *sessions_query_of(const struct sessions *s,
	const struct proc *p);

/* The sessions of which the last tick changed a title or a process. */
struct session *const *sessions_settled(const struct sessions *s,
	size_t *ret_n);

/* Database sessions of a class at the newest tick. */
size_t sessions_in(const struct sessions *s, enum session_class c);

size_t sessions_count(const struct sessions *s);
struct session *sessions_get(const struct sessions *s, size_t i);

#endif
