/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grouping.h - how a view groups rows: rows themselves, sessions, queries, or
 * any list of labels.
 *
 * A grouping owns a rollup and gives every group a label: the texts in its
 * line.  The last labels of processes are kept, so that ended ones still have a
 * name.
 */
#ifndef GS_QUERY_GROUPING_H
#define GS_QUERY_GROUPING_H

#include "analysis/rollup.h"
#include "analysis/sessions.h"
#include "base/err.h"

enum grouping_kind {
	GROUPING_ROW, /* one group per row of the entity */
	GROUPING_SESSION,
	GROUPING_QUERY,
	GROUPING_LABELS, /* one group per combination of label texts */
	GROUPING_SERVER, /* processes of one postmaster, itself included */
	GROUPING_SESSION_SEGMENT, /* executors of a session on one segment */
	GROUPING_QUERY_SEGMENT, /* ... of a query */
	GROUPING_SLICE /* ... of a session and slice */
};

/* Labels by which processes can be grouped. */
enum label_kind {
	LABEL_SESSION,
	LABEL_QUERY,
	LABEL_PROCESS,
	LABEL_USER,
	LABEL_DATABASE,
	LABEL_CLIENT,
	LABEL_STATE,
	LABEL_HOST,
	LABEL_SERVER,
	LABEL_SEGMENT,
	LABEL_COMMAND,
	LABEL_CGROUP,
	LABEL_COUNT
};

/* NULL-terminated texts; owned by the grouping. */
struct label {
	char *name; /* identity: "vda", "4711", "150" */
	char *title;
	char *command;
	char *thread; /* name of a thread */
	char *cgroup;
	char *uid; /* "gpadmin"; "uid 1001" where no name is known */
	char *key[LABEL_COUNT]; /* GROUPING_LABELS: texts by kind */
	struct session *session;
	struct query *query;
	struct session *of; /* GROUPING_LABELS by labels of ended processes: the
	                     * session */
	const struct host *host; /* GROUPING_SERVER, and processes: of the
	                          * postmaster */
	uint64_t postmaster; /* pid of the newest postmaster; 0: none */
	bool has_port; /* GROUPING_SERVER: of the server */
	uint64_t port;
	char *operator; /* operator that wrote its temporary files; NULL: not
	                 * known */
	int32_t segment; /* GROUPING_..._SEGMENT, GROUPING_SLICE */
	bool has_slice;
	uint32_t slice;
	uint64_t changed_tick;
	uint32_t serial; /* of the newest row of the label */
};

struct grouping;

/* keys: n_key label_kinds, for GROUPING_LABELS only. */
struct grouping *grouping_new(enum grouping_kind kind, enum entity_id e,
	const uint64_t want[COL_WORDS_MAX], const enum label_kind *key,
	size_t n_key);
void grouping_free(struct grouping *l);

/* Sums start again at every tick.  Before the first tick only. */
void grouping_set_last_tick(struct grouping *l);

/* Rank of a group: groups of high rank are kept. */
typedef double (*grouping_rank_fn)(void *ctx, const struct group *g);

/* Of ended groups, the `keep` of highest rank are kept, and others for a while;
 * the rest is summed up in one group, rollup_folded(). */
void grouping_bound(
    struct grouping *l, size_t keep, grouping_rank_fn rank, void *ctx);

/* A grouping by session or query and segment keeps only groups that whole still
 * has. */
void grouping_bound_as(struct grouping *l, const struct grouping *whole);

/* Applies the last tick. again: it repeats the tick before as a key. */
void grouping_tick(struct grouping *l, const struct world *w,
	const struct sessions *s, const struct reap *reap, bool again);

struct rollup *grouping_rollup(const struct grouping *l);
const struct label *grouping_label(const struct group *g);
enum grouping_kind grouping_kind(const struct grouping *l);

const char *label_name(enum label_kind k);

/* Messages of the table name these keys, not those of its figures' view. */
struct grid;
void label_name_keys(const enum label_kind *key, size_t n, struct grid *g);

/* Reads "user,database" into at most LABEL_COUNT kinds. */
int label_parse(const char *list, enum label_kind ret[LABEL_COUNT],
	size_t *ret_n, struct gs_err *err);

/* Name of a session in views: "con150", "4711", "sid 812", "kernel". */
#define SESSION_NAME_MAX 48
void session_name(const struct session *s, char to[SESSION_NAME_MAX]);

/* State of a session in views: "active", "idle-tx", ... */
const char *state_text(enum title_state s);

#endif
