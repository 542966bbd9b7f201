/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits.h - activity of backends, by sampling pg_stat_activity.
 *
 * Each answer of the catalog is a sample.  Its weight is the time since the
 * sample before, at most WAITS_GAP_INTERVALS intervals: time beyond is without
 * data, in no sum and in no denominator.  A backend that was seen doing
 * something counts that weight for it.  What segments do, which are asked less
 * often, counts until their next sample instead (waits_held.c).  So sums of
 * time are estimates with an error of about 1 / sqrt(samples); the number of
 * waits, and waits shorter than the interval, can't be known.  Runs of samples
 * in which a backend does the same for the same query bound how long that took:
 * more than (n - 1), less than (n + 1) intervals for n samples.
 *
 * Where the catalog has no answer, titles and states of processes are used: for
 * the coordinator's backends while the database does not answer or was never
 * asked, for segments' processes unless segments are asked.  They show no
 * events, but idle, waits for locks, queues and standbys, and whether the
 * process runs, waits for a disk, or sleeps, and the reason, if the kernel
 * shows it.
 *
 * On Greenplum the time of a coordinator process that waits for its executors
 * is split by their activity (waits_split.c); the total is unchanged.
 *
 * DB time is of one server: each of several servers has its own struct waits,
 * see waits_set_server().
 *
 * In a recording that was thinned a tick tells what all samples since the tick
 * before it saw.  That counts in place of a sample of this one, which only shows
 * the present state (waits_left_out.c).
 *
 * Use: waits_tick() after every world_apply(); waits_settle() before sums are
 * read; waits_restart() where a range begins: earlier samples are dropped.
 */
#ifndef GS_ANALYSIS_WAITS_H
#define GS_ANALYSIS_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/sessions.h"
#include "model/world.h"

#define WAITS_GAP_INTERVALS 3
#define WAITS_BUCKETS 16 /* of run lengths: 1, 2..3, 4..7 ... samples */

/* In files as kind + 1.  A new one would have another number there (waits_told.h); and it
 * needs a feature bit that old readers refuse: they would count its time as idle. */
enum wait_kind {
	WAIT_IDLE, /* waits for the client, or for work: no DB time */
	WAIT_IDLE_TX, /* waits for the client in an open transaction: no DB time */
	WAIT_CPU, /* active, no known wait */
	WAIT_EVENT /* active, waits */
};

/* An activity: class and event as the server names them; "CPU*" and "" if there
 * is no wait. */
struct wait_event {
	enum wait_kind kind;
	char *class;
	char *event;
};

/* Category of a backend. */
enum wait_part {
	WAIT_FOREGROUND, /* clients and their workers */
	WAIT_MAINTENANCE, /* autovacuum */
	WAIT_BACKGROUND, /* all others */
	WAIT_IO_WORKER, /* serves other backends, which wait: no DB time */
	WAIT_PARTS
};

/* Usage of a backend's process in the range, as far as it was recorded. */
struct wait_work {
	int64_t covered_ns; /* of the range, but for times in which it may have
	                     * worked unseen; by waits_settle() */
	bool has_cpu, has_io, has_memory;
	uint64_t cpu_us, io_bytes;
	uint64_t memory; /* RssAnon and swap at its last sample, bytes */
};

/* A backend in its last known state. */
struct wait_backend {
	int content; /* -1: coordinator, or PostgreSQL */
	int pid;
	uint64_t session; /* Greenplum's session id; else the leader's pid */
	enum wait_part part;
	char *type; /* "client backend" */
	char *user, *database, *application;
	bool open; /* exists at the newest sample */
	/* of the newest sample, if open */
	const struct wait_event *event; /* the one shown */
	bool has_at; /* event is that of an executor: */
	int at; /* on that segment */
	struct wait_query *query;
	char *state;
	int64_t seen_ns; /* unchanged since this sample: lower bound */
	int64_t changed_ns; /* unchanged at most since then; 0: not known */
	int64_t db_time_ns; /* in the range */
	struct wait_work work;
};

/* Queries are equal if the server's identifiers are; without these, if the
 * texts are. */
struct wait_query {
	bool has_id;
	int64_t id;
	char *text; /* as first seen; "" if not recorded */
};

/* Its members are, in order, amounts in files: new ones come last. */
struct wait_sum {
	int64_t time_ns; /* sum of weights */
	uint64_t samples; /* backends seen, over all samples */
	uint64_t runs; /* lower bound of the number of waits */
	uint64_t longest; /* samples of the longest run */
	int64_t longest_ns; /* time from its first to its last sample */
	/* of WAIT_CPU and of class Unknown: what the processes did in that
	 * time, where it is known */
	int64_t cpu_ns, queue_ns; /* on a CPU, runnable */
	int64_t with_io_ns; /* weight of samples in which block IO is known */
	int64_t io_ns, asleep_ns; /* of that: waiting for it; nothing of these */
	uint64_t bucket[WAITS_BUCKETS]; /* runs by samples, log2 */
};

struct wait_row {
	const struct wait_event *event;
	const struct wait_backend *backend; /* NULL: not asked for */
	const struct wait_query *query; /* NULL: no query, or not asked for */
	const struct wait_sum *sum; /* of the coordinator's backends */
	const struct wait_sum *segment; /* of segments' */
};

enum waits_by {
	WAITS_BY_BACKEND = 1 << 0,
	WAITS_BY_QUERY = 1 << 1
};

struct waits;

/* The process of a backend's row, NULL if it is not recorded. */
typedef const struct row *(*waits_process_fn)(void *ctx,
	const struct row *backend);

/* by: waits_by bits.  There is a row per event and each of these. */
struct waits *waits_new(unsigned by, int64_t interval_ns,
	waits_process_fn process, void *ctx);
void waits_free(struct waits *s);

/* True if samples of the server count; server NULL: not known, or none.  Only
 * with sessions.  fn NULL: all count, which is quicker. */
typedef bool (*waits_server_fn)(void *ctx, const struct dbserver *server);
void waits_set_server(struct waits *s, waits_server_fn fn, void *ctx);

/* Called with all DB time of the coordinator's backends, as it is counted: time_ns
 * that a row, of a backend or a process, spent in an event.  Before the first
 * tick. */
typedef void (*waits_note_fn)(void *ctx, const struct row *row,
	const struct wait_event *event, int64_t time_ns);
void waits_set_note(struct waits *s, waits_note_fn fn, void *ctx);

/* Takes over the covered time of other, without a sample: a server appeared.
 * Before the first tick. */
void waits_begin_as(struct waits *s, const struct waits *other);

/* The interval changes with the next tick. */
void waits_set_interval(struct waits *s, int64_t interval_ns);

/* sessions: after the same tick; NULL: titles are not used. */
void waits_tick(struct waits *s, const struct world *w,
	const struct sessions *sessions);

/* A tick that does not show what backends do (tick.unsampled), in place of waits_tick():
 * its samples count for nobody, but the next ones have the weight that they would have
 * after waits_tick().  Only without WAITS_BY_BACKEND; of sums only those of a
 * waits_note_fn are of use then. */
void waits_pass(struct waits *s, const struct world *w,
	const struct sessions *sessions);

/* What samples after this world_ticks() count for does not depend on what was before the
 * range: of the coordinator's backends, if their servers are known.  UINT64_MAX: all
 * may. */
uint64_t waits_steady_after(const struct waits *s);

/* Before sums are used: counts samples that were left for later, of processes that
 * do nothing, what segments did since their newest sample, and what is covered of
 * the work of processes. */
void waits_settle(struct waits *s);

/* knows: since when backends are unchanged is known from before. */
void waits_restart(struct waits *s, bool knows);

size_t waits_count(const struct waits *s);
const struct wait_row *waits_get(const struct waits *s, size_t i);

/* All backends of the range, including those of segments. */
size_t waits_backends(const struct waits *s);
const struct wait_backend *waits_backend(const struct waits *s, size_t i);

struct waits_total {
	int64_t covered_ns; /* sum of weights of samples */
	uint64_t samples;
	int64_t db_time_ns; /* of the coordinator's backends */
	int64_t part_ns[WAIT_PARTS]; /* parts of db_time_ns; that of IO workers
	                              * is not in it */
	int64_t io_workers_ns; /* time in which there were IO workers, sum */
	int64_t session_time_ns; /* of sessions: each once, if it or one of its
	                          * executors is active */
	int64_t segment_time_ns; /* of segments' processes */
	bool segments; /* segments' processes were seen; by waits_settle() */
	bool processes; /* CPU times of some processes are known */
	int64_t peak_ns, peak_weight_ns; /* the sample with the highest load */
	int64_t newest_ns; /* wall clock of the newest sample; 0: none */
};

void waits_total(const struct waits *s, struct waits_total *ret);

/* ---- ticks that are left out ----------------------------------------- */

/* Gives all that was sampled since the call before, or since the first tick, of
 * backends of which serial is the row's number: what a recording that is thinned
 * keeps (struct row_waited).  Runs go on.  Only with WAITS_BY_BACKEND. */
typedef void (*waits_take_fn)(void *ctx, uint32_t serial,
	const struct row_waited *what); /* texts are valid during the call */
void waits_take(struct waits *s, waits_take_fn fn, void *ctx);

#endif
