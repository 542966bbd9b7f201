/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_int.h - what the files of waits share: waits.c (when there is a sample), waits_sum.c (what it
 * counts for), waits_names.c (events and queries), waits_class.c (what the catalog says of
 * a backend), waits_title.c (what its title says of a process), waits_sleep.c
 * (what its state and the kernel say), waits_split.c (whose time it is while
 * it waits for its executors).
 */
#ifndef GS_ANALYSIS_WAITS_INT_H
#define GS_ANALYSIS_WAITS_INT_H

#include <uthash.h>

#include "analysis/waits.h"
#include "base/buf.h"
#include "base/scan.h"

struct wait_what {
	enum wait_kind kind;
	struct span class, event; /* constants, or the row's texts */
};

#define WAIT_SHARES_MAX 12

/* Some of a session's executors, which do the same. */
struct wait_share {
	struct wait_what what;
	uint32_t n;
	int content; /* segment of one of them */
	/* of CPU*: what those used of which it is known */
	uint32_t n_used;
	uint64_t cpu_us, queue_us;
};

/* A backend at one sample.  Texts are the row's, or constants. */
struct wait_look {
	struct row *row; /* of the catalog, or a process */
	struct wait_what what; /* of shares: the one that it is shown by */
	struct wait_share share[WAIT_SHARES_MAX]; /* of its time */
	size_t n_share; /* 0: what has all */
	uint32_t n_executors; /* over all shares */
	bool has_at; /* what is an executor's: */
	int at; /* of that segment */
	int content; /* -1: coordinator, or PostgreSQL */
	int pid;
	uint64_t session;
	enum wait_part part;
	const struct row *process; /* NULL: not known */
	bool by_state; /* its state says what it does */
	struct span type, user, database, application, state;
	int64_t start_ns; /* of its query; 0: not known */
	int64_t changed_ns; /* last known change; 0: not known */
	bool has_query_id;
	int64_t query_id;
	struct span query;
};

/* What a backend of the catalog does.  process: its own, or NULL.  False: it
 * is not counted at all, as it is the recorder's own, or nothing is known of
 * it. */
bool waits_look(const struct world *w, struct row *backend,
	const struct row *process, const struct proc *p,
	struct wait_look *ret);

/* The same by title and state of a process; key is memory for the name of
 * its query. */
bool waits_look_title(const struct world *w, const struct proc *p,
	struct buf *key, struct wait_look *ret);

/* By the server's name of its type. */
enum wait_part waits_part_of(struct span type);

/* What an active process does, by its state: on a CPU, waiting for a disk,
 * asleep, and where the kernel tells, for what.  False: the state is not
 * known. */
bool waits_by_process(const struct world *w, const struct row *process,
	bool executor, struct wait_what *ret);

/* CPU time of the process in the last tick, and time that it was runnable;
 * false: not known. */
bool waits_used(const struct world *w, const struct row *process,
	uint64_t *ret_cpu_us, uint64_t *ret_queue_us);

/* What a client's backend or an executor does, by title and state. */
bool waits_by_title(const struct world *w, const struct proc *p,
	struct wait_what *ret);

/* Whether it is a wait for other processes of its own session. */
bool waits_for_others(const struct wait_what *what);

/* Gives the time of a coordinator process that waits for its executors to
 * them.  n: its session, or NULL. */
void waits_split(const struct world *w, const struct session *n,
	const struct proc *leader, struct wait_look *l);

/* Events and queries, each once. */
struct wait_names {
	struct event_entry *event;
	struct query_entry *query;
	struct buf key;
};

void wait_names_release(struct wait_names *n);

/* Lives as long as the names. */
const struct wait_event *wait_names_event(struct wait_names *n,
	const struct wait_what *what);

/* NULL: it has no identity, or there are too many. */
struct wait_query *wait_names_query(struct wait_names *n,
	const struct wait_look *look);

/* ---- sums (waits_sum.c) ---------------------------------------------- */

/* Some rows that are sampled together: of the catalog, the coordinator's or
 * the segments'; of one host, its processes. */
struct stream {
	const struct host *host; /* whose processes; NULL: the catalog's */
	bool begun; /* there was a sample before */
	bool sampled; /* in this tick */
	int64_t now_ns; /* of the newest tick, monotonic */
	int64_t mono_ns; /* of the newest sample, or of the range's beginning */
	int64_t weight_ns; /* that it stands for */
	uint64_t stamp; /* when the database answered it */
	int64_t gap_ns; /* a sample stands for no more */
	uint64_t number; /* of the newest sample, from 1 */
	UT_hash_handle hh;
};

enum { COORDINATOR, SEGMENTS, CATALOGS };

struct row_key {
	const void *event, *backend, *query;
};

struct row_entry {
	struct wait_row row;
	struct row_key key;
	UT_hash_handle hh;
};

/* A backend and the runs that it is in. */
struct seen {
	struct wait_backend backend;
	struct row *row; /* held while it is open */
	const struct stream *stream;
	uint64_t sample; /* that saw it last */
	int64_t query_start;
	struct run *run; /* one for each thing that it does at once */
	size_t n_run, run_cap;
};

/* Samples in which it did the same for the same query. */
struct run {
	struct row_entry *entry;
	uint64_t sample; /* the last */
	uint64_t n; /* with weight */
	int64_t from_ns; /* its first sample */
};

struct waits {
	unsigned by;
	int64_t gap_ns;
	waits_process_fn process;
	void *ctx;
	waits_server_fn of_server; /* NULL: of any */
	void *server_ctx;
	struct wait_names names;
	struct row_entry *rows;
	struct row_entry **row; /* in order */
	size_t n_row, row_cap;
	struct seen **seen; /* by serial of the row */
	size_t seen_cap;
	struct seen **all;
	size_t n_all, all_cap;
	struct stream catalog[CATALOGS];
	struct stream *hosts;
	struct waits_total total;
	/* of the tick at hand */
	uint64_t *active; /* sessions at work */
	size_t n_active, active_cap;
	int64_t active_ns; /* time of all at work */
	int64_t now_ns; /* its time, the recorder's clock */
	struct buf key;
};

/* One backend at one sample; weight_ns 0: only what comes after it counts. */
void waits_sample(struct waits *s, const struct world *w,
	const struct stream *from, const struct wait_look *l, int64_t now_ns,
	int64_t weight_ns);

/* What the processes of open backends used in the last tick. */
void waits_add_work(struct waits *s, const struct world *w);

#endif
