/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits.h - what backends were doing, by sampling pg_stat_activity.
 *
 * Each answer of the catalog is a sample.  It stands for the time since the
 * one before it, but for no more than WAITS_GAP_INTERVALS intervals: what is
 * beyond is no data, in no sum and in no denominator.  A backend that was seen
 * doing something counts that weight for it.  So sums of time are estimates
 * with an error of about 1 / sqrt(samples); numbers of waits, and what was
 * shorter than the interval, can't be known.  Runs of samples in which a
 * backend does the same for the same query bound how long that took:
 * more than (n - 1), less than (n + 1) intervals for n samples.
 *
 * Where the catalog does not speak, the titles and states of processes do: of
 * the coordinator's backends while the database does not answer or was never
 * asked, of segments' processes unless segments are asked.  They know no
 * events, but idle, waits for locks, queues and standbys, and whether the
 * process runs, waits for a disk, or sleeps, and what for, as far as the
 * kernel tells.
 *
 * On Greenplum a coordinator process that waits for its executors does what
 * they do: its time is split among them (waits_split.c), and stays whole.
 *
 * DB time is one server's: where there are several, each has waits of its own,
 * which waits_set_server() chooses.
 *
 * Use: waits_tick() after every world_apply(), waits_restart() where a range
 * begins: what came before is forgotten, so that figures are of the range.
 */
#ifndef GS_ANALYSIS_WAITS_H
#define GS_ANALYSIS_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/sessions.h"
#include "model/world.h"

#define WAITS_GAP_INTERVALS 3
#define WAITS_BUCKETS 16 /* of run lengths: 1, 2..3, 4..7 ... samples */

enum wait_kind {
	WAIT_IDLE, /* for the client, or for work to come: no DB time */
	WAIT_IDLE_TX, /* for the client, with a transaction open: the same */
	WAIT_CPU, /* active, waits for nothing that is known */
	WAIT_EVENT /* active, waits */
};

/* Something to do: class and event as the server names them; "CPU*" and ""
 * where it waits for nothing. */
struct wait_event {
	enum wait_kind kind;
	char *class;
	char *event;
};

/* Whose time it is. */
enum wait_part {
	WAIT_FOREGROUND, /* clients, and who works for them */
	WAIT_MAINTENANCE, /* autovacuum */
	WAIT_BACKGROUND, /* all others */
	WAIT_IO_WORKER, /* serves the others, who wait: no DB time */
	WAIT_PARTS
};

/* What a backend's process used in the range, as far as it was recorded. */
struct wait_work {
	int64_t covered_ns;
	bool has_cpu, has_io, has_memory;
	uint64_t cpu_us, io_bytes;
	uint64_t memory; /* RssAnon and swap at its last sample, bytes */
};

/* A backend, as it was last. */
struct wait_backend {
	int content; /* -1: coordinator, or PostgreSQL */
	int pid;
	uint64_t session; /* Greenplum's session id; else the leader's pid */
	enum wait_part part;
	char *type; /* "client backend" */
	char *user, *database, *application;
	bool open; /* is there at the newest sample */
	/* of the newest sample, if open */
	const struct wait_event *event; /* the one it is shown by */
	bool has_at; /* that is what an executor of it does: */
	int at; /* on that segment */
	struct wait_query *query;
	char *state;
	int64_t seen_ns; /* it does the same since this sample: at least */
	int64_t changed_ns; /* and at most since then; 0: not known */
	int64_t db_time_ns; /* in the range */
	struct wait_work work;
};

/* Queries are the same if the server's identifiers are, or else the texts. */
struct wait_query {
	bool has_id;
	int64_t id;
	char *text; /* as first seen; "" if not recorded */
};

struct wait_sum {
	int64_t time_ns; /* sum of weights */
	uint64_t samples; /* backends seen, over all samples */
	uint64_t runs; /* at least so many waits */
	uint64_t longest; /* samples of the longest run */
	int64_t longest_ns; /* time from its first to its last sample */
	uint64_t bucket[WAITS_BUCKETS]; /* runs by samples, log2 */
	/* of WAIT_CPU: what the processes really did in that time, where it
	 * is known of them */
	int64_t split_ns; /* weight of samples of which it is known */
	int64_t cpu_ns, queue_ns; /* on a CPU, runnable */
};

struct wait_row {
	const struct wait_event *event;
	const struct wait_backend *backend; /* NULL: not asked for */
	const struct wait_query *query; /* NULL: none, or not asked for */
	struct wait_sum sum; /* of the coordinator's backends */
	struct wait_sum segment; /* of segments' */
};

enum waits_by {
	WAITS_BY_BACKEND = 1 << 0,
	WAITS_BY_QUERY = 1 << 1
};

struct waits;

/* The process of a backend's row, NULL if it is not recorded. */
typedef const struct row *(*waits_process_fn)(void *ctx,
	const struct row *backend);

/* by: waits_by bits; rows are per event and these. */
struct waits *waits_new(unsigned by, int64_t interval_ns,
	waits_process_fn process, void *ctx);
void waits_free(struct waits *s);

/* Whether samples of a server count; NULL: not known of which, or of none.
 * Only with sessions; before the first tick. */
typedef bool (*waits_server_fn)(void *ctx, const struct dbserver *server);
void waits_set_server(struct waits *s, waits_server_fn fn, void *ctx);

/* It has covered what the other one has, without a sample of its own: a server
 * appeared.  Before the first tick. */
void waits_begin_as(struct waits *s, const struct waits *other);

/* The interval is another one from the next tick on. */
void waits_set_interval(struct waits *s, int64_t interval_ns);

/* sessions: after the same tick; NULL: titles are not looked at. */
void waits_tick(struct waits *s, const struct world *w,
	const struct sessions *sessions);
void waits_restart(struct waits *s);

size_t waits_count(const struct waits *s);
const struct wait_row *waits_get(const struct waits *s, size_t i);

/* All backends of the range, those of segments too. */
size_t waits_backends(const struct waits *s);
const struct wait_backend *waits_backend(const struct waits *s, size_t i);

struct waits_total {
	int64_t covered_ns; /* sum of weights of samples */
	uint64_t samples;
	int64_t db_time_ns; /* of the coordinator's backends */
	int64_t part_ns[WAIT_PARTS]; /* of that; that of IO workers beside */
	int64_t io_workers_ns; /* time that there were IO workers, sum */
	int64_t session_time_ns; /* of sessions: each once, if it or an executor
	                          * of it is at work */
	int64_t segment_time_ns; /* of segments' processes */
	bool segments; /* some were seen */
	int64_t peak_ns, peak_weight_ns; /* the sample with most at once */
	int64_t newest_ns; /* wall clock of the newest sample; 0: none */
};

void waits_total(const struct waits *s, struct waits_total *ret);

#endif
