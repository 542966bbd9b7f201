/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grouping.h - what a view groups by: rows themselves, sessions, queries, or
 * any list of labels.
 *
 * A grouping owns a rollup and gives every group a label: the texts that stand
 * in its line.  Labels of processes are kept as they were last, so that what
 * ended can still be named.
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

/* What processes can be grouped by. */
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
	char *thread; /* its name */
	char *cgroup;
	char *uid; /* "gpadmin"; "uid 1001" where no name is known */
	char *key[LABEL_COUNT]; /* GROUPING_LABELS: texts by kind */
	struct session *session;
	struct query *query;
	struct session *of; /* GROUPING_LABELS by what ends: the session */
	const struct host *host; /* GROUPING_SERVER, and processes: of the
	                          * postmaster */
	uint64_t postmaster; /* and its pid, the newest; 0: of none */
	bool has_port; /* GROUPING_SERVER: of the server */
	uint64_t port;
	char *operator; /* that wrote its temporary files; NULL: not known */
	int32_t segment; /* GROUPING_..._SEGMENT, GROUPING_SLICE */
	bool has_slice;
	uint32_t slice;
	uint64_t changed_tick;
	uint32_t serial; /* of the newest row that it describes */
};

struct grouping;

/* keys: n_key label_kinds, for GROUPING_LABELS only. */
struct grouping *grouping_new(enum grouping_kind kind, enum entity_id e,
	const uint64_t want[COL_WORDS_MAX], const enum label_kind *key,
	size_t n_key);
void grouping_free(struct grouping *l);

/* Sums begin anew with every tick.  Before the first tick only. */
void grouping_set_last_tick(struct grouping *l);

/* How much a group is worth keeping. */
typedef double (*grouping_rank_fn)(void *ctx, const struct group *g);

/* Of what ended, the `keep` of highest rank are kept, and others for a while;
 * the rest is one group, rollup_folded(). */
void grouping_bound(
    struct grouping *l, size_t keep, grouping_rank_fn rank, void *ctx);

/* A grouping by session or query and segment: what whole keeps no more is kept
 * no more. */
void grouping_bound_as(struct grouping *l, const struct grouping *whole);

/* Takes in the last tick.  again: it is the one before as a key, which adds
 * to that. */
void grouping_tick(struct grouping *l, const struct world *w,
	const struct sessions *s, const struct reap *reap, bool again);

struct rollup *grouping_rollup(const struct grouping *l);
const struct label *grouping_label(const struct group *g);
enum grouping_kind grouping_kind(const struct grouping *l);

const char *label_name(enum label_kind k);

/* The table is of these keys: its messages say so.  It is none of the view that
 * its figures are of. */
struct grid;
void label_name_keys(const enum label_kind *key, size_t n, struct grid *g);

/* Reads "user,database" into at most LABEL_COUNT kinds. */
int label_parse(const char *list, enum label_kind ret[LABEL_COUNT],
	size_t *ret_n, struct gs_err *err);

/* A session as views name it: "con150", "4711", "sid 812", "kernel". */
#define SESSION_NAME_MAX 48
void session_name(const struct session *s, char to[SESSION_NAME_MAX]);

/* "active", "idle-tx", ... as views show the state of a session. */
const char *state_text(enum title_state s);

#endif
