/*
 * bulletin.h - what a running recorder says of itself: the answer to
 * "gpsnap status".
 *
 * A line "NAME VALUE" per field of the table below, a line per host and a line
 * per database server that is asked; what
 * is not known is left out, and what a reader does not know it passes over,
 * so that programs of different versions understand each other.
 */
#ifndef GS_RECORD_BULLETIN_H
#define GS_RECORD_BULLETIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define BULLETIN_BYTES_MAX ((size_t)4 << 20)
#define BULLETIN_HOSTS_MAX 4096u

/* FIELD(KIND, name): NUMBER uint64_t, TIME int64_t (wall, ns; 0: never), REAL
 * double, WORDS char *.  Names are keys of JSON, too. */
#define BULLETIN_MAP(FIELD)                                                \
	FIELD(NUMBER, pid)                                                 \
	FIELD(WORDS, user)                                                 \
	FIELD(WORDS, host)                                                 \
	FIELD(WORDS, version)                                              \
	FIELD(TIME, started)                                               \
	FIELD(TIME, now)                                                   \
	FIELD(REAL, interval_seconds)                                      \
	FIELD(WORDS, directory)      /* or none */                         \
	FIELD(WORDS, file)           /* the newest; or none */             \
	FIELD(NUMBER, file_bytes)                                          \
	FIELD(NUMBER, files)                                               \
	FIELD(NUMBER, bytes)         /* of all files */                    \
	FIELD(NUMBER, ticks)         /* made */                            \
	FIELD(NUMBER, ticks_written)                                       \
	FIELD(NUMBER, ticks_queued)  /* not written yet */                 \
	FIELD(NUMBER, ticks_lost)    /* could not be written */            \
	FIELD(NUMBER, ticks_losing)  /* of them, since the last that could */ \
	FIELD(NUMBER, ticks_late)                                          \
	FIELD(NUMBER, ticks_skipped)                                       \
	FIELD(NUMBER, answers_missed) /* their tick */                     \
	FIELD(NUMBER, connections_lost)                                    \
	FIELD(TIME, first_tick)                                            \
	FIELD(TIME, last_tick)                                             \
	FIELD(NUMBER, hosts)                                               \
	FIELD(NUMBER, hosts_up)                                            \
	FIELD(NUMBER, processes)                                           \
	FIELD(NUMBER, processes_quiet)                                     \
	FIELD(WORDS, database)       /* none, down, up */                  \
	FIELD(NUMBER, marks)                                               \
	FIELD(REAL, cpu_percent)     /* of one CPU, since it began */      \
	FIELD(NUMBER, rss_bytes)                                           \
	FIELD(NUMBER, agents)        /* that run */                        \
	FIELD(REAL, agents_cpu_percent) /* sum, since each began */        \
	FIELD(NUMBER, agents_rss_bytes)                                    \
	FIELD(TIME, last_error_time)                                       \
	FIELD(WORDS, last_error)

enum bulletin_kind {
	BULLETIN_NUMBER,
	BULLETIN_TIME,
	BULLETIN_REAL,
	BULLETIN_WORDS
};

#define BULLETIN_TYPE_NUMBER uint64_t
#define BULLETIN_TYPE_TIME int64_t
#define BULLETIN_TYPE_REAL double
#define BULLETIN_TYPE_WORDS char *

struct bulletin_host { /* or a database server */
	char *name;
	char *state; /* up, late, connecting, down */
	int64_t since_ns; /* up, down, or late: not answering; wall; 0: unknown */
	char *why; /* it is down; or NULL */
};

struct bulletin {
#define FIELD(kind, name) BULLETIN_TYPE_##kind name;
	BULLETIN_MAP(FIELD)
#undef FIELD
	struct bulletin_host *at; /* hosts, one by one */
	size_t n_at, at_cap;
	struct bulletin_host *server; /* that are asked, one by one */
	size_t n_server, server_cap;
};

#define BULLETIN_INIT { 0 }

struct bulletin_field {
	const char *name;
	enum bulletin_kind kind;
	size_t offset; /* within struct bulletin */
};

extern const struct bulletin_field bulletin_fields[];
extern const size_t n_bulletin_fields;

/* Texts are copied; why may be NULL. */
void bulletin_add_host(struct bulletin *b, const char *name,
	const char *state, int64_t since_ns, const char *why);

void bulletin_add_server(struct bulletin *b, const char *name,
	const char *state, int64_t since_ns, const char *why);

void bulletin_put(const struct bulletin *b, struct buf *to);

/* Fills b, which must be released or BULLETIN_INIT.  GS_E_PROTOCOL: it is no
 * bulletin; b is empty then. */
int bulletin_read(struct bulletin *b, const char *text, size_t len,
	struct gs_err *err);

void bulletin_release(struct bulletin *b);

#endif
