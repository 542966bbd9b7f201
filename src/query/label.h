/* SPDX-License-Identifier: Apache-2.0 */
/*
 * label.h - labels: what a view shows of a group of rows, and the texts by which
 * --group-by groups.
 */
#ifndef GS_QUERY_LABEL_H
#define GS_QUERY_LABEL_H

#include <stddef.h>

#include "analysis/sessions.h"
#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "query/statement.h"
#include "query/thread_process.h"

/* Labels by which processes, threads and IO of control groups can be grouped. */
enum label_kind {
	LABEL_SESSION,
	LABEL_QUERY,
	LABEL_STATEMENT,
	LABEL_PROCESS,
	LABEL_USER,
	LABEL_DATABASE,
	LABEL_CLIENT,
	LABEL_STATE,
	LABEL_HOST,
	LABEL_SERVER,
	LABEL_SEGMENT,
	LABEL_SLICE,
	LABEL_COMMAND,
	LABEL_CGROUP,
	LABEL_CGROUP_CPU, /* where hierarchies differ */
	LABEL_CGROUP_MEMORY,
	LABEL_THREAD, /* of threads only */
	LABEL_DEVICE, /* of IO only */
	LABEL_COUNT
};

/* A path of control groups. */
static inline bool label_is_cgroup(enum label_kind k)
{
	return k >= LABEL_CGROUP && k <= LABEL_CGROUP_MEMORY;
}

/* Whether rows of the entity have labels even if their process is not known. */
static inline bool label_is_own(enum entity_id e)
{
	return e == ENTITY_THREAD || e == ENTITY_CGROUP_IO;
}

/* Whether rows of the entity have that label. */
bool label_is_of(enum label_kind k, enum entity_id e);

/* NULL-terminated texts, owned by the label. */
struct label {
	/* What tells whether a row is still of it, at each tick: a line of the
	 * caches (LABEL_OWNER_BYTES). */
	struct session *session;
	struct query *query;
	struct session *of; /* GROUPING_LABELS by labels of ended processes: the
	                     * session */
	struct query *of_query; /* the same by queries; NULL: by others */
	uint32_t of_number; /* its number when the label was made */
	uint32_t serial; /* of the newest row of the label */
	uint64_t changed_tick;
	/* Of a process: what its newest title says. */
	bool works_on_segment, works_in_slice, works_for_cmd;
	int32_t own_segment;
	uint32_t own_slice, own_cmd;

	char *name; /* identity: "vda", "4711", "150" */
	char *title;
	char *command;
	char *thread; /* name of a thread */
	char *cgroup;
	char *uid; /* "gpadmin"; "uid 1001" where no name is known */
	char **key; /* GROUPING_LABELS: texts by kind; NULL: label_key() */
	const struct host *host; /* GROUPING_SERVER, and processes: of the
	                          * postmaster */
	uint64_t postmaster; /* pid of the newest postmaster; 0: none */
	uint64_t port; /* GROUPING_SERVER: of the server, if .has_port */
	char *operator; /* operator that wrote its temporary files; NULL: not
	                 * known */
	unsigned uid_rank; /* how well uid names the label; 0: not at all */
	int32_t segment; /* GROUPING_..._SEGMENT, GROUPING_SLICE */
	uint32_t slice;
	bool has_slice, has_port;
};

#define LABEL_OWNER_BYTES offsetof(struct label, name)
_Static_assert(LABEL_OWNER_BYTES <= GS_LINE, "a line of the caches");

/* NULL: it has none of that kind. */
static inline const char *label_key(const struct label *n, enum label_kind k)
{
	return n->key ? n->key[k] : NULL;
}

/* Labels are made from this; zeroed at first. */
struct label_source {
	const struct world *w;
	const struct sessions *s;
	struct statements *statements; /* of the engine; NULL: no label is one */
	struct buf scratch;
	struct thread_processes processes; /* of threads */
};

/* One of the texts of the label, which stays; process: a row of it, or NULL.  Where
 * they name one process, its title and command are the label's. */
void label_set_key(const struct label_source *l, struct label *n,
	enum label_kind kind, struct span text, const struct row *process);

/* Its process, if it is of one, may have another title. */
void label_follow(const struct label_source *l, struct label *n,
	const struct row *process);

/* The statement of usage that is that of several: the one that was seen. */
bool label_is_guess(const struct label *n, enum label_kind kind,
	const struct query *q);

/* A row that is grouped. */
struct label_row {
	const struct row *row; /* of a process, a thread or IO */
	const struct row *process; /* itself, or of the thread; NULL: gone, or
	                            * none */
	const struct proc *p; /* NULL: not known */
};

struct label_row label_row_of(struct label_source *l, const struct row *row);

void label_source_release(struct label_source *l);

/* Describes a row.  keyed: its names are part of the group's key, and never
 * change. */
void label_describe(struct label_source *l, struct label *n,
	const struct row *r, bool keyed);

/* NULL is accepted. */
void label_free(struct label *n);

/* Sets the user, unless a process that was seen before is better known; the
 * session, which is held. */
void label_set_uid(struct label *n, const struct world *w,
	const struct row *row);
void label_set_session(struct label *n, struct session *s);

/* The query of a label by queries; held, with its session. */
void label_set_query(struct label *n, struct query *q);

/* The session, and its user by this process of it. */
void label_set_owner(struct label *n, const struct world *w,
	const struct row *row, struct session *s);

/* Appends the text of a key, for a process that works for q; nothing if it is
 * not known. */
void label_add_key(const struct label_source *l, struct buf *b,
	enum label_kind k, const struct label_row *r, const struct query *q);

/* Kinds of which label_same() can tell that a process, which is known, still has
 * the text; false: it has another one, or may have. */
bool label_is_compared(enum label_kind k);
bool label_same(const struct label_source *l, enum label_kind k,
	const struct label_row *r, const char *text);

/* Appends what distinguishes equal names: sessions of two hosts, a process that
 * has the pid of an ended one. */
void label_add_identifier(struct buf *b, enum label_kind k,
	const struct label_row *r);

/* The end of what label_add_identifier() appended, at p. */
const char *label_skip_identifier(enum label_kind k, const char *p);

const char *label_name(enum label_kind k);

/* Messages of the table name these keys, not those of its figures' view. */
struct grid;
void label_name_keys(const enum label_kind *key, size_t n, struct grid *g);

/* Reads "user,database" into at most LABEL_COUNT kinds. */
int label_parse(const char *list, enum label_kind ret[LABEL_COUNT],
	size_t *ret_n, struct gs_err *err);

/* Before the name of a user of the operating system, among those of databases. */
#define LABEL_OS_USER "os:"

/* Text of a statement that is not known: of sessions that are idle at the ends of
 * a tick in which they worked. */
#define LABEL_NO_STATEMENT "(mixed)"

/* Name of a session in views: "con150", "4711", "sid 812", "kernel". */
#define SESSION_NAME_MAX 48
void session_name(const struct session *s, char to[SESSION_NAME_MAX]);

/* State of a session in views: "active", "idle-tx", ... */
const char *state_text(enum title_state s);

#endif
