/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_int.h - shared by the files of waits: waits.c (when there is a sample),
 * waits_sum.c (sums), waits_quiet.c (processes of which nothing is new),
 * waits_names.c (events and queries), waits_class.c (a
 * backend's activity from the catalog), waits_title.c (from a process title),
 * waits_sleep.c (from its state and the kernel), waits_split.c (the time of a
 * coordinator process that waits for its executors).
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

static inline void wait_set(struct wait_what *ret, enum wait_kind kind,
	const char *class, const char *event)
{
	*ret = (struct wait_what) { kind, span_str(class), span_str(event) };
}

/* What a process did since the sample before. */
struct wait_used {
	uint64_t cpu_us, queue_us, io_us;
	bool with_io; /* block IO is known */
};

/* True if the time in it is split by what processes did. */
static inline bool wait_is_split(const struct wait_what *what)
{
	return what->kind == WAIT_CPU || span_eq(what->class, "Unknown");
}

#define WAIT_SHARES_MAX 12

/* Executors of a session with the same activity. */
struct wait_share {
	struct wait_what what;
	uint32_t n;
	int content; /* segment of one of them */
	/* of CPU* and Unknown: usage of those for which it is known */
	uint32_t n_used;
	struct wait_used used; /* with_io: of all of them */
};

/* A backend at one sample.  Texts are the row's, or constants. */
struct wait_sample {
	struct row *row; /* of a backend, or of a process */
	struct wait_what what; /* of shares: the one shown */
	struct wait_share share[WAIT_SHARES_MAX]; /* of its time */
	size_t n_share; /* 0: what has all of it */
	uint32_t n_executors; /* over all shares */
	bool has_at; /* what is that of an executor: */
	int at; /* on that segment */
	int content; /* -1: coordinator, or PostgreSQL */
	int pid;
	uint64_t session;
	enum wait_part part;
	const struct row *process; /* NULL: not known */
	bool by_state; /* what comes from the state of its process */
	struct span type, user, database, application, state;
	int64_t start_ns; /* of its query; 0: not known */
	int64_t changed_ns; /* last known change; 0: not known */
	bool has_query_id;
	int64_t query_id;
	struct span query;
};

/* The activity of a backend in the catalog. process: its own, or NULL.  False:
 * it is not counted, as it is the recorder's own, or nothing is known of it. */
bool waits_sample_row(const struct world *w, struct row *backend,
	const struct row *process, const struct proc *p,
	struct wait_sample *ret);

/* The same from title and state of a process; key is memory for the name of its
 * query. */
bool waits_sample_title(const struct world *w, const struct proc *p,
	struct buf *key, struct wait_sample *ret);

/* By the server's name of the backend type. */
enum wait_part waits_part_of(struct span type);

/* The activity of an active process from its state: on a CPU, waiting for a
 * disk, asleep, and the reason, if the kernel shows it.  False: the state is
 * not known. */
bool waits_by_process(const struct world *w, const struct row *process,
	bool executor, struct wait_what *ret);

/* What the process did in the last tick; false: not known. */
bool waits_used(const struct world *w, const struct row *process,
	struct wait_used *ret);

/* The activity of a client's backend or an executor, from title and state. */
bool waits_by_title(const struct world *w, const struct proc *p,
	struct wait_what *ret);

/* Whether it is a wait for other processes of its own session. */
bool waits_for_others(const struct wait_what *what);

/* Splits the time of a coordinator process that waits for its executors by
 * their activity. n: its session, or NULL. */
void waits_split(const struct world *w, const struct session *n,
	const struct proc *leader, struct wait_sample *l);

/* Events and queries, each once. */
struct wait_names {
	struct event_entry *event;
	struct query_entry *query;
	struct buf key;
};

void wait_names_release(struct wait_names *n);

/* Valid as long as the names.  guess: likely to be it, or NULL. */
const struct wait_event *wait_names_event(struct wait_names *n,
	const struct wait_what *what, const struct wait_event *guess);

/* NULL: the query has no identity, or there are too many queries. */
struct wait_query *wait_names_query(struct wait_names *n,
	const struct wait_sample *l);

/* ---- sums (waits_sum.c) ---------------------------------------------- */

/* Rows that are sampled together: the coordinator's or the segments' of the
 * catalog, or the processes of one host. */
struct stream {
	const struct host *host; /* host of the processes; NULL: the catalog's */
	bool begun; /* there was a sample before */
	bool sampled; /* in this tick */
	int64_t now_ns; /* of the newest tick, monotonic */
	int64_t mono_ns; /* of the newest sample, or of the start of the range */
	int64_t weight_ns; /* of the newest sample */
	uint64_t stamp; /* when the database answered it */
	int64_t gap_ns; /* highest weight of a sample */
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

/* A backend and its current runs. */
struct seen {
	struct wait_backend backend;
	struct row *row; /* held while it is open */
	const struct stream *stream;
	uint64_t sample; /* the last that saw it */
	int64_t query_start;
	uint64_t quiet_tick; /* at which it was idle by its title (waits_quiet.c); 0:
	                      * it was not */
	const struct session *quiet_of; /* then; to compare */
	struct run *run; /* one for each of its simultaneous activities */
	size_t n_run, run_cap;
};

/* Consecutive samples with the same activity for the same query. */
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
	waits_server_fn of_server; /* NULL: of any server */
	void *server_ctx;
	waits_note_fn note; /* NULL: nobody is told */
	void *note_ctx;
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
	/* of the current tick */
	uint64_t *active; /* active sessions */
	size_t n_active, active_cap;
	int64_t active_ns; /* time of all active backends */
	int64_t now_ns; /* time of the tick, the recorder's clock */
	struct buf key;
};

/* One backend at one sample. weight_ns 0: only later samples count. */
void waits_sample(struct waits *s, const struct world *w,
	const struct stream *from, const struct wait_sample *l, int64_t now_ns,
	int64_t weight_ns);

/* One more sample of a backend that does what it did in the sample before. */
void waits_sample_again(struct waits *s, struct seen *b, int64_t now_ns,
	int64_t weight_ns);

/* Remembers an idle process, after waits_sample(). */
void waits_quiet_note(struct waits *s, const struct world *w,
	const struct proc *p, const struct wait_sample *l);

/* The process was idle in the sample before, and nothing of it has changed: its
 * sample would be the same; else NULL. */
struct seen *waits_quiet(const struct waits *s, const struct world *w,
	const struct proc *p, const struct stream *from);

/* Adds the usage of open backends' processes in the last tick. */
void waits_add_work(struct waits *s, const struct world *w);

#endif
