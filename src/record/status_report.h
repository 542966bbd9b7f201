/* SPDX-License-Identifier: Apache-2.0 */
/*
 * status_report.h - the status of a running recorder: the answer to
 * "gpsnap status".
 *
 * A line "NAME VALUE" per field of the table below, a line per host, per database
 * server that is asked, and per condition that is watched for.  Unknown values are left out, and a
 * reader skips unknown names, so that programs of different versions work
 * together.
 */
#ifndef GS_RECORD_STATUS_REPORT_H
#define GS_RECORD_STATUS_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define STATUS_REPORT_BYTES_MAX ((size_t)4 << 20)
#define STATUS_REPORT_HOSTS_MAX 4096u

/* FIELD(KIND, name): NUMBER uint64_t, TIME int64_t (wall, ns; 0: never), REAL
 * double, WORDS char *.  Names are keys of JSON, too. */
#define STATUS_REPORT_MAP(FIELD)                                               \
	FIELD(NUMBER, pid)                                                     \
	FIELD(WORDS, user)                                                     \
	FIELD(WORDS, host)                                                     \
	FIELD(WORDS, version)                                                  \
	FIELD(TIME, started)                                                   \
	FIELD(TIME, now)                                                       \
	FIELD(REAL, interval_seconds)                                          \
	FIELD(WORDS, directory) /* or absent */                                \
	FIELD(WORDS, file)	/* the newest; or absent */                    \
	FIELD(NUMBER, file_bytes)                                              \
	FIELD(NUMBER, files)                                                   \
	FIELD(NUMBER, bytes) /* of all files */                                \
	FIELD(NUMBER, ticks) /* made */                                        \
	FIELD(NUMBER, ticks_written)                                           \
	FIELD(NUMBER, ticks_queued) /* not written yet */                      \
	FIELD(NUMBER, ticks_lost)   /* could not be written */                 \
	FIELD(NUMBER, ticks_losing) /* of them, since the last that could */   \
	FIELD(NUMBER, ticks_late)                                              \
	FIELD(NUMBER, ticks_skipped)                                           \
	FIELD(NUMBER, answers_missed) /* came too late for their tick */       \
	FIELD(NUMBER, connections_lost)                                        \
	FIELD(TIME, first_tick)                                                \
	FIELD(TIME, last_tick)                                                 \
	FIELD(NUMBER, hosts)                                                   \
	FIELD(NUMBER, hosts_up)                                                \
	FIELD(NUMBER, processes)                                               \
	FIELD(NUMBER, processes_quiet)                                         \
	FIELD(WORDS, database) /* none, down, up */                            \
	FIELD(NUMBER, marks)                                                   \
	FIELD(REAL, cpu_percent) /* of one CPU, since it began */              \
	FIELD(NUMBER, rss_bytes)                                               \
	FIELD(NUMBER, agents)		/* that run */                         \
	FIELD(REAL, agents_cpu_percent) /* sum, since each began */            \
	FIELD(NUMBER, agents_rss_bytes)                                        \
	FIELD(TIME, fast_until) /* sampled more often until then */            \
	FIELD(NUMBER, watch_ticks) /* judged */                                \
	FIELD(NUMBER, watch_dropped) /* ticks that were not */                 \
	FIELD(REAL, watch_cpu_seconds)                                         \
	FIELD(NUMBER, watch_bytes) /* of memory */                             \
	FIELD(REAL, kept_seconds) /* by --before */                            \
	FIELD(NUMBER, kept_ticks) /* in memory */                              \
	FIELD(NUMBER, kept_bytes)                                              \
	FIELD(NUMBER, kept_dropped) /* ticks, for lack of memory */            \
	FIELD(TIME, last_error_time)                                           \
	FIELD(WORDS, last_error)

enum status_report_kind {
	STATUS_REPORT_NUMBER,
	STATUS_REPORT_TIME,
	STATUS_REPORT_REAL,
	STATUS_REPORT_WORDS
};

#define STATUS_REPORT_TYPE_NUMBER uint64_t
#define STATUS_REPORT_TYPE_TIME int64_t
#define STATUS_REPORT_TYPE_REAL double
#define STATUS_REPORT_TYPE_WORDS char *

struct status_report_host { /* or a database server */
	char *name;
	char *state; /* up, late, connecting, down */
	int64_t since_ns; /* up, down, or late: not answering; wall; 0: unknown */
	char *why; /* it is down; or NULL */
};

#define STATUS_REPORT_WATCHES_MAX 256u

struct status_report_watch { /* a condition */
	char *name;
	int64_t since_ns; /* began, or ended if it is not held; 0: never */
	uint64_t held; /* began and did not end */
	uint64_t times; /* it began */
	uint64_t runs, failed, not_run; /* of its command */
};

struct status_report {
#define FIELD(kind, name) STATUS_REPORT_TYPE_##kind name;
	STATUS_REPORT_MAP(FIELD)
#undef FIELD
	struct status_report_host *at; /* hosts */
	size_t n_at, at_cap;
	struct status_report_host *server; /* that are asked */
	size_t n_server, server_cap;
	struct status_report_watch *watch;
	size_t n_watch, watch_cap;
};

#define STATUS_REPORT_INIT { 0 }

struct status_report_field {
	const char *name;
	enum status_report_kind kind;
	size_t offset; /* within struct status_report */
};

extern const struct status_report_field status_report_fields[];
extern const size_t n_status_report_fields;

/* Texts are copied; why may be NULL. */
void status_report_add_host(struct status_report *b, const char *name,
	const char *state, int64_t since_ns, const char *why);

void status_report_add_server(struct status_report *b, const char *name,
	const char *state, int64_t since_ns, const char *why);

/* The name is copied. */
void status_report_add_watch(struct status_report *b,
	const struct status_report_watch *w);

void status_report_put(const struct status_report *b, struct buf *to);

/* Fills b, which must be released or STATUS_REPORT_INIT.  GS_E_PROTOCOL: the
 * text is not a report; b is empty then. */
int status_report_read(struct status_report *b, const char *text, size_t len,
	struct gs_err *err);

void status_report_release(struct status_report *b);

#endif
