/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_int.h - shared by the files of waits: waits.c (when there is a sample),
 * waits_source.c (of what), waits_sum.c (sums), waits_work.c (what processes
 * used), waits_quiet.c (processes of which nothing is new; who is looked at in a
 * tick), waits_names.c (events and queries), waits_class.c (a backend's activity
 * from the catalog), waits_title.c (from a process title), waits_sleep.c (from its
 * state and the kernel), waits_split.c (the time of a coordinator process that
 * waits for its executors), waits_take.c (what is told of ticks that are left out),
 * waits_left_out.c (adds what is told of them), waits_ended.c (processes that a tick
 * ended), waits_worker.c (the process of a backend), waits_held.c (time of
 * segments' processes).
 */
#ifndef GS_ANALYSIS_WAITS_INT_H
#define GS_ANALYSIS_WAITS_INT_H

#include "analysis/waits.h"
#include "base/buf.h"
#include "base/hash.h"
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
	bool told; /* all but row, process, what and its shares is that of the
	            * sample before, and is not here again */
	struct wait_share share[WAIT_SHARES_MAX]; /* of its time; last, since it
	                                           * need not be cleared */
};

static inline void wait_sample_as_told(struct wait_sample *l,
	const struct wait_backend *told)
{
	l->told = true;
	l->content = told->content;
	l->pid = told->pid;
	l->part = told->part;
	l->session = told->session;
}

/* The activity of a backend in the catalog. process: its own, or NULL.  False:
 * it is not counted, as it is the recorder's own, or nothing is known of it.  told: the
 * backend in the sample before, if its row has not changed since then; or NULL. */
bool waits_sample_row(const struct world *w, struct row *backend,
	const struct row *process, const struct proc *p,
	const struct wait_backend *told, struct wait_sample *ret);

/* The same from title and state of a process; key is memory for the name of its
 * query.  told: the backend in the sample before, if since then neither title
 * nor session have changed; or NULL. */
bool waits_sample_title(const struct world *w, const struct proc *p,
	const struct wait_backend *told, struct buf *key,
	struct wait_sample *ret);

/* False: it has no activity, whatever its state is. */
bool waits_may_sample_title(const struct proc *p);

/* Of which segment it is, as of a sample by its title, or by its row of the catalog. */
int waits_content_of(const struct proc *p);
int waits_content_of_row(const struct row *backend);

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
 * their activity. n: its session, or NULL.  Does nothing if it may not be split. */
bool waits_may_split(const struct wait_sample *l);
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

/* NULL: the query has no identity, or there are too many queries.  guess: the same. */
struct wait_query *wait_names_query(struct wait_names *n,
	const struct wait_sample *l, struct wait_query *guess);

/* ---- sums (waits_sum.c) ---------------------------------------------- */

/* Rows that are sampled together: the coordinator's or the segments' of the
 * catalog, or the processes of one host. */
struct stream {
	const struct host *host; /* host of the processes; the catalog, if its answers
	                          * were sampled */
	bool begun; /* there was a sample before */
	bool sampled; /* in this tick */
	int64_t now_ns; /* of the newest tick, monotonic */
	int64_t mono_ns; /* of the newest sample, or of the start of the range */
	int64_t weight_ns; /* of the newest sample */
	uint64_t stamp; /* when the database answered it */
	int64_t gap_ns; /* highest weight of a sample */
	bool is_held; /* what a sample saw counts until the next one: */
	int64_t sample_ns; /* the newest, monotonic */
	int64_t held_to_ns; /* counted so far */
	uint64_t number; /* of the newest sample, from 1 */
	int64_t sum_ns; /* weights of the samples since waits_take() */
	uint64_t n_sample;
	uint32_t row; /* serial of the row of the host, or of the catalog's answers */
	bool is_told; /* the newest tick tells of all samples since the last one: */
	int64_t told_ns;
	uint64_t n_told;
	int64_t elapsed_ns; /* of a host: its time in the range */
	uint64_t unsteady_tick; /* world_ticks() of the last sample in the range whose
	                         * weight depends on what was before; 0: none */
	bool steady; /* that of the next one does not */
	bool known; /* whether it is begun does not depend on it, either */
	/* of a host and of the coordinator's catalog (waits_quiet.c): */
	struct row **awake; /* processes, or backends, that the next sample looks at;
	                     * others do what they did, or are not sampled */
	size_t n_awake, awake_cap;
	bool all; /* it looks at all of them */
	uint64_t *due; /* the same, a bit per slot, during the sample */
	size_t due_cap;
	struct slept {
		uint64_t n; /* samples with weight */
		int64_t time_ns; /* sum of weights */
	} slept; /* so far */
	uint64_t slept_number; /* of the newest of these samples */
	int64_t slept_wall_ns; /* the host's clock at it */
	UT_hash_handle hh;
};

enum { COORDINATOR, SEGMENTS, CATALOGS };

struct row_key {
	const void *event, *backend, *query;
};

struct row_entry {
	struct row_key key;
	UT_hash_handle hh;
	struct wait_row row; /* its sums: own, nothing yet, or allocated */
	struct wait_sum own; /* the first one, as most rows have one of the two only */
};

/* A backend and its current runs. */
struct seen {
	struct wait_backend backend;
	struct row *row; /* held while it is open */
	uint32_t serial; /* of the row */
	const struct stream *stream;
	struct active *active; /* its session, when it was active; NULL: not known */
	uint64_t sample; /* the last that saw it */
	int64_t query_start;
	bool kept; /* it was open at the last waits_take() */
	int64_t taken_ns; /* of all its activities, in waits_take() only */
	uint64_t n_taken;
	/* of its process (waits_work.c): */
	const struct stream *home; /* its host's; NULL: not seen in the range */
	int64_t unseen_ns; /* time of home in which it may have worked unseen */
	int64_t work_to_ns; /* time of home up to which its work is counted */
	bool ended; /* it did not only disappear */
	/* since the last waits_take(): */
	bool whole; /* its process began */
	struct before {
		int64_t unseen_ns; /* up to its first sample of all */
		uint64_t cpu_us, io_bytes; /* what its process had used by then */
	} before;
	bool apart; /* its work is not what its process did from tick to tick */
	uint64_t told_tick; /* world_ticks() that told its work; 0: none */
	bool listed; /* in waits.lively */
	bool told; /* what it is follows from title and session, or from its row of
	            * the catalog, which have not changed since */
	bool quiet; /* it was idle by its title, or by its row of the catalog, and
	             * nothing of it is new */
	const struct row *worker; /* of the catalog: its process, if it was looked at and has
	                           * not ended */
	UT_hash_handle hh; /* in waits.working */
	bool asleep; /* quiet, and not looked at: its samples since then follow
	              * from those of its stream: */
	struct slept slept; /* as it was then, or when they were counted */
	struct run *run; /* one for each of its simultaneous activities */
	size_t n_run, run_cap;
};

/* A session that was active. */
struct active {
	uint64_t session;
	uint64_t tick; /* world_ticks() of the last time */
	UT_hash_handle hh;
};

/* Consecutive samples with the same activity for the same query. */
struct run {
	struct row_entry *entry;
	uint64_t sample; /* the last */
	uint64_t n; /* with weight */
	int64_t from_ns; /* its first sample */
};

/* Processes that a tick ended. */
struct ended_processes {
	uint64_t tick; /* world_ticks(); 0: none yet */
	struct ended {
		uint32_t host;
		uint64_t pid; /* as its server knows it */
		const struct row *row;
	} *item; /* sorted */
	size_t n, cap;
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
	struct seen *working; /* backends of the catalog, by their worker */
	struct seen **lively; /* those that are open and not asleep */
	size_t n_lively, lively_cap;
	struct stream catalog[CATALOGS];
	struct stream *hosts;
	struct ended_processes ended; /* by the newest tick that was asked for */
	struct active *active; /* sessions that were, by number */
	uint64_t tick; /* world_ticks() of the last tick */
	uint64_t from_tick; /* that with which the range begins */
	bool wanted[CATALOGS]; /* titles were used in it */
	bool by_titles; /* of the coordinator's, in the range */
	bool passes; /* this tick does not show what backends do */
	struct waits_total total;
	bool is_taken; /* waits_take() is used: sums may be of parts of runs */
	/* of the current tick */
	const struct row *answers; /* of the catalog; NULL: it has none */
	const struct row *host; /* of a host that was sampled; NULL: none was */
	size_t n_active; /* active sessions */
	int64_t active_ns; /* time of all active backends */
	int64_t now_ns; /* time of the tick, the recorder's clock */
	struct buf key;
};

/* One backend at one sample. weight_ns 0: only later samples count. */
void waits_sample(struct waits *s, const struct world *w,
	const struct stream *from, const struct wait_sample *l, int64_t now_ns,
	int64_t weight_ns);

/* The sums of an activity, for a backend and a query as far as they are asked for. */
struct row_entry *waits_entry(struct waits *s, const struct seen *b,
	const struct wait_event *event, const struct wait_query *query);

/* What it counts for the coordinator's backends, or for those of segments. */
struct wait_sum *waits_entry_sum(struct row_entry *e, bool of_segments);

/* Its sums are as of a new one. */
void waits_entry_forget(struct row_entry *e);
void waits_entry_free(struct row_entry *e);

/* The catalog of the server; NULL: none. */
const struct host *waits_catalog(const struct waits *s, const struct world *w,
	const struct sessions *sessions);

/* The row of when it answered; whether a row is one. */
const struct row *waits_answers(const struct world *w, const struct host *c,
	unsigned which);
bool waits_is_answers(const struct world *w, const struct row *r,
	unsigned which);

/* Of the processes of a host. */
struct stream *waits_stream_of(struct waits *s, const struct host *h);

/* True if samples of the row count. */
bool waits_asks_row(const struct waits *s, const struct sessions *sessions,
	const struct row *r);

/* Forgets backends that are gone, of which nothing is in the sums, and which sessions were
 * active. */
void waits_forget_gone(struct waits *s);
void waits_forget_active(struct waits *s);
void waits_seen_free(struct seen *b);

/* The samples of all streams in a tick. */
void waits_step(struct waits *s, const struct world *w,
	const struct sessions *sessions);

/* One row at the newest tick, of either kind; false: it is not counted. */
bool waits_sample_backend(const struct waits *s, const struct world *w,
	const struct sessions *sessions, struct row *r,
	const struct wait_backend *told, struct wait_sample *ret);
bool waits_sample_of(struct waits *s, const struct world *w,
	const struct sessions *sessions, struct row *r, struct wait_sample *ret);

/* Finds the streams of which this tick tells what was sampled since the tick
 * before. */
void waits_find_told(struct waits *s, const struct world *w,
	const struct host *catalog);

/* Counts the idle time of a row that was sampled at this tick, too. */
void waits_count_told(struct waits *s, const struct world *w,
	const struct row *r);

/* Counts all else that it tells. */
void waits_add_told(struct waits *s, const struct world *w,
	const struct sessions *sessions);

/* It is open, and not asleep. */
void waits_list_lively(struct waits *s, struct seen *b);

/* One more sample of a backend that does what it did in the sample before. */
void waits_sample_again(struct waits *s, struct seen *b, int64_t now_ns,
	int64_t weight_ns);

/* The same n times, the last time in sample `number` of its stream, at now_ns;
 * time_ns: all weights.  It has one run. */
void waits_sample_many(struct seen *b, uint64_t n, uint64_t number,
	int64_t now_ns, int64_t time_ns);

/* ---- who is looked at (waits_quiet.c) -------------------------------- */

/* At the begin of a tick: wakes processes of which something is new. */
void waits_wake(struct waits *s, const struct world *w,
	const struct sessions *sessions);

/* In place of what was known: every process of the host, or backend of the catalog, is
 * looked at. */
void waits_wake_all(struct waits *s, struct stream *t);
/* They are lively, as far as they sleep. */
void waits_wake_sleepers(struct waits *s, const struct stream *t);

/* A sample of the stream: those who sleep have it, too. */
void waits_count_asleep(struct waits *s, struct stream *t);

/* Calls look for each that is awake, in order of their slots.  False: the
 * row is not looked at until something is new. */
typedef bool (*waits_look_fn)(void *ctx, struct row *r);
void waits_look(struct stream *t, waits_look_fn look, void *ctx);

/* Remembers what need not be asked again, after waits_sample(), of a process and of
 * a backend of the catalog. */
void waits_quiet_note(struct waits *s, const struct proc *p,
	const struct wait_sample *l);
void waits_quiet_note_row(struct waits *s, const struct wait_sample *l);

/* It was idle in the sample before, and nothing of it has changed: its sample would be
 * the same; else NULL. */
struct seen *waits_quiet(const struct waits *s, const struct row *r,
	const struct stream *from);

/* What it was in the sample before, if that has not changed; else NULL. */
const struct wait_backend *waits_told(const struct waits *s,
	const struct row *r, const struct stream *from);

/* At the end of a tick: who is quiet falls asleep. */
void waits_sleep(struct waits *s);

/* Counts the samples of those who sleep, and what is covered of their work. */
void waits_catch_up(struct waits *s);

/* ---- processes of the catalog's backends (waits_worker.c) ------------------ */

/* The backend has this process at this tick; NULL: none is known. */
void waits_set_worker(struct waits *s, struct seen *b, const struct row *process);

/* The one that has it; NULL: none. */
struct seen *waits_of_worker(const struct waits *s, const struct row *process);

/* ---- time of segments' processes (waits_held.c) ----------------------- */

/* If the stream is held, counts its time up to the newest tick. */
void waits_hold(struct waits *s, struct stream *t);

/* ---- what processes used (waits_work.c) ------------------------------ */

/* Adds the usage of open backends' processes in the last tick. */
void waits_add_work(struct waits *s, const struct world *w);

/* A process that slept did not work up to now. */
void waits_work_slept(struct seen *b);

void waits_settle_work(struct seen *b);
void waits_forget_work(struct seen *b);

/* What ticks that stay do not show of its work is told, as amounts of its row; false:
 * they show it.  waits_take_work() begins the next of them. */
bool waits_tells_work(const struct seen *b, int64_t *amount);
void waits_take_work(struct waits *s);
void waits_add_told_work(struct waits *s, const struct world *w,
	const struct sessions *sessions, struct seen *b, const struct row *r,
	const int64_t *amount);

#endif
