/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder_options.h - what a recorder records, and its counters.
 */
#ifndef GS_RECORD_RECORDER_OPTIONS_H
#define GS_RECORD_RECORDER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/tick.h"
#include "pg/catalog_options.h"
#include "record/host_set.h"
#include "record/output.h"
#include "record/servers.h"
#include "record/watch.h"

/* What SIGHUP does. */
enum recorder_hup {
	HUP_IGNORE,
	HUP_ROTATE,
	HUP_END
};

enum database_state {
	DATABASE_NONE, /* no database is asked */
	DATABASE_DOWN,
	DATABASE_UP
};

struct recorder_status {
	int64_t wall_ns; /* of the newest tick */
	uint64_t ticks; /* made */
	uint64_t written; /* ticks in files */
	uint64_t lost; /* ticks that could not be written */
	uint64_t late; /* ticks later than half an interval */
	uint64_t skipped; /* multiples of the interval without a tick */
	uint64_t unanswered; /* answers that missed their tick */
	uint64_t marks; /* taken */
	uint64_t downs; /* connections that broke or could not be made */
	size_t hosts, hosts_up; /* recorded; of them, answering */
	size_t hosts_missed; /* of them, never answered; known at the end */
	enum database_state database;
	bool database_missed; /* it never answered; known at the end */
	char away[128]; /* hosts that were down, and how long; known at the
	                 * end */
	bool unclosed; /* the last file could not be finished */
	uint64_t disturbed; /* files that others removed, moved, changed */
	uint64_t bytes; /* written, all files */
	uint64_t rows; /* live processes, summed over ticks written */
	uint64_t processes; /* live in the newest tick */
	uint64_t quiet; /* of them, idle since the tick before */
	uint64_t files;
	int64_t first_ns, last_ns; /* wall, of ticks */
};

struct recorder_options {
	int64_t interval_ns;
	bool from_now; /* the first tick is at once, others follow at whole
	                * intervals; else they are at multiples of it */
	uint64_t count; /* ticks; 0: no end */
	int64_t duration_ns; /* 0: no end */
	struct host_set_options host_set;
	const char *const *host; /* to record; n_host 0: this one */
	size_t n_host;
	/* Servers whose catalogs are recorded. */
	const struct catalog_options *catalog[SERVERS_ASKED_MAX];
	size_t n_catalog;
	/* Called after a tick if the servers that run on this host have
	 * changed: returns the servers to ask in addition, which must live as
	 * long as opt, at most as many as SERVERS_ASKED_MAX leaves; and those
	 * asked already whose address has changed.  *ret_later: the address of
	 * some is not known yet.  An error in err is reported.  May be NULL. */
	size_t (*choose_catalog)(void *arg, const struct servers *s,
		const struct catalog_options **ret, bool *ret_later,
		struct gs_err *err);
	void *choose_arg;
	int level; /* of zstd */
	const char *version;
	const char *command_line; /* as it was typed */
	bool no_files; /* ticks go to on_tick() only; out is not used */
	struct output_options out;
	uint64_t rotate_bytes; /* 0: only at the limit of the format */
	int64_t rotate_ns; /* 0: never */
	int64_t sync_ns;
	/* The program, with options, that adds summaries to files of a directory
	 * when they are complete (summarizer.h); NULL: none does. */
	char *const *summarize;
	char *const *command; /* to run, NULL-terminated; or NULL */
	bool has_terminal; /* ^C reaches the command, too */
	enum recorder_hup hup;
	bool control; /* opens a control socket (control.h) */

	struct watch_options watch;
	/* Ticks of so long, at most so many bytes, are kept in memory, and
	 * written when a watch begins to hold; 0: each is written. */
	int64_t before_ns;
	uint64_t before_bytes;

	/* on_tick does not use the tick's blocks: they are not kept, which
	 * saves much memory if there are many hosts. */
	bool lean;

	/* Called from recorder_run(): after each tick, and with a line for
	 * the user (trouble: data is or may be lost).  Each may be NULL. */
	void (*on_tick)(void *arg, const struct tick *t,
		const struct recorder_status *s);
	/* Called with the newest tick repeated as a key. */
	void (*on_repeat)(void *arg, const struct tick *t);
	void (*on_notice)(void *arg, bool trouble, const char *text);
	/* Called from the loop, first at its start; returns the ns until the
	 * next call, 0: never. */
	int64_t (*on_status_timer)(void *arg, const struct recorder_status *s);
	/* Called also between ticks: when watch_fd is readable, and several
	 * times a second. */
	void (*on_watch)(void *arg);
	int watch_fd;
	void *arg;
};

#endif
