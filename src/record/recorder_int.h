/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder_int.h - shared by the files of the recorder, from the bottom up:
 * recorder_report.c (events, notices), recorder_count.c (numbers of hosts),
 * recorder_db.c (databases), recorder_tick.c (ticks, the end),
 * recorder_pace.c (how often), recorder_watch.c (what is done then),
 * recorder_hosts.c (callbacks of the hosts), recorder_control.c (status and
 * marks), recorder.c (the calls of recorder.h).
 */
#ifndef GS_RECORD_RECORDER_INT_H
#define GS_RECORD_RECORDER_INT_H

#include <signal.h>
#include <uv.h>

#include "record/tty_watch.h"
#include "record/child.h"
#include "record/control.h"
#include "record/dbsource.h"
#include "record/host_set.h"
#include "record/framer.h"
#include "record/gather.h"
#include "record/quota.h"
#include "record/recorder.h"
#include "record/hook.h"
#include "record/status_report.h"
#include "record/summarizer.h"
#include "record/ticker.h"
#include "record/watcher.h"

#define RECORDER_MARKS_MAX 100u /* that wait for the next tick */

/* Sampling more often, for a while. */
struct fast {
	int64_t until_ns; /* monotonic; 0: it is not so now */
	int64_t tick_ns; /* the last tick meanwhile; monotonic */
	struct allowance allowed; /* seconds */
};

struct watched;

/* The current tick: from its requests to its frame. */
struct open_tick {
	bool open;
	bool last;
	bool key;
	bool waited_again; /* the deadline had passed while the recorder was
	                    * not running */
	int64_t wall_ns;
	int64_t wait_until_ns; /* deadline of answers; monotonic */
};

enum {
	SIG_INT,
	SIG_TERM,
	SIG_HUP,
	SIG_COUNT
};

struct recorder {
	struct recorder_options opt;
	uv_loop_t loop;
	struct ticker ticker;
	uv_timer_t deadline;
	uv_timer_t beat;
	struct gather gather;
	uv_signal_t sig[SIG_COUNT];
	struct tty_watch tty_watch;
	bool handles; /* the above are open */
	bool signals_held; /* blocked until recorder_run() handles them */
	sigset_t mask; /* of the caller, while they are blocked */
	int64_t interval_ns; /* of the current tick, and in the header */
	struct fast fast;
	struct watcher *watcher; /* NULL: nothing is watched */
	struct watched *watched; /* one for each watch */
	int64_t out_until_ns; /* ticks are written until then; monotonic */
	int64_t end_boot_ns; /* 0: no end */
	struct host_set *host_set;
	struct dbsource *db[SERVERS_ASKED_MAX]; /* servers that are asked */
	size_t n_db;
	void (*database_answered)(void *arg); /* recorder_hosts.c */
	uint64_t servers_seen; /* postmasters when they were chosen */
	int64_t servers_retry_ns; /* monotonic, when to choose again: the address
	                          * of some is not known yet; 0: of all it is */
	int64_t servers_wait_ns; /* between the last two times */
	bool relisted; /* the hosts or databases of the header changed */
	struct child child;
	struct summarizer summarizer;
	struct writer *writer; /* NULL: nothing is written */
	struct framer *framer;
	struct quota quota;
	struct open_tick tick;
	struct tick pending; /* events of the next frame */
	char stop_why[128];
	bool final_wanted; /* one more tick, now that the command has ended */
	bool ended; /* no more ticks */
	struct recorder_status status;
	struct buf notices;
	struct buf path;
	struct gs_err err; /* why it ended with an error */
	struct control *control; /* NULL: there is no control socket */
	char *user; /* of the recorder */
	char *cwd; /* at the start; NULL: not known */
	int64_t started_ns, started_mono_ns; /* recorder_run() */
	struct buf trouble; /* the last one that was reported */
	int64_t trouble_ns; /* when it was; wall */
};

/* Reports a line to the user. */
void recorder_notice(struct recorder *r, bool trouble,
	const char *text);

/* An event of the next frame. */
void recorder_pend(struct recorder *r, enum event_kind kind, uint32_t host,
	int64_t value, const char *text);

/* Reports a line about a host to the user: the first takes a text that names
 * the host, the second adds the name if it is needed.  Rate limited
 * (recorder_report.c). */
void recorder_notice_about(
    struct recorder *r, struct host_conn *s, bool trouble, const char *text);
void recorder_notice_host_conn(struct recorder *r, struct host_conn *s,
	const char *text);

/* An event of the next frame, rate limited per host: false if it is dropped. */
bool recorder_pend_host_conn(struct recorder *r, struct host_conn *s,
	enum event_kind kind, int64_t value, const char *text);

/* Reports from time to time how many events and notices were dropped. */
void recorder_sum_up_host_conn(struct recorder *r, struct host_conn *s);

/* Takes the events of the agent that it may send. */
void recorder_apply_events(struct recorder *r, struct host_conn *s,
	const struct tick *t);

/* True if the host's newest sample has to wait for a later tick because the
 * host is over its quota.  That is reported; a host far over it is
 * disconnected. */
bool recorder_defers(struct recorder *r, struct host_conn *s);

/* The tick did not fit into a frame: disconnects the host with the largest
 * share, so that the next one fits. */
void recorder_give_up_largest(struct recorder *r);

/* Reports a wall clock that is far from ours, whenever that changes. */
void recorder_note_clock(struct recorder *r, struct host_conn *s);

/* The callbacks for the host_set. */
struct host_set_ops recorder_host_set_ops(struct recorder *r);

/* recorder_db.c: opens those of the options, lists them in the header. */
int recorder_open_databases(struct recorder *r, struct gs_err *err);
void recorder_list_databases(struct recorder *r);

/* At the start of a tick; while an answer is outstanding; in its frame. */
void recorder_tick_databases(struct recorder *r);
bool recorder_waits_for_database(const struct recorder *r);
void recorder_encode_databases(struct recorder *r, struct tick_encoder *m);

void recorder_stop_databases(struct recorder *r);
void recorder_free_databases(struct recorder *r);
bool recorder_missed_database(const struct recorder *r);

/* Takes the database's events and header, before a tick is made. */
void recorder_prepare_databases(struct recorder *r);

/* Between ticks: looks for a server that was started since the last one. */
void recorder_find_databases(struct recorder *r);

/* True if the current tick has an outstanding answer. */
bool recorder_is_waiting(const struct recorder *r);

/* The database has no outstanding answer any more; arg is the recorder. */
void recorder_database_answered(void *arg);

/* Lists the current hosts of the host_set in the first header. */
void recorder_list_hosts(struct recorder *r);

/* Counts the current hosts, and those that never answered. */
void recorder_count_hosts(struct recorder *r);
size_t recorder_count_missed(const struct recorder *r);

/* Fills status.away: which hosts were down, and how long. */
void recorder_report_away(struct recorder *r);

/* A tick is due; arg is the recorder. */
void recorder_tick_due(void *arg, int64_t due_ns);

/* Ends the current tick, if there is one, without waiting any longer. */
void recorder_finish_tick(struct recorder *r);

/* The first tick, if it does not wait for a multiple of the interval. */
void recorder_tick_first(struct recorder *r);

/* No more ticks.  The loop ends with the command, if that still runs. */
void recorder_end(struct recorder *r);

/* Ends now, without another sample: all data is written already. */
void recorder_stop(struct recorder *r, const char *why);

/* Notices and statistics of the writer. */
void recorder_notice_writer(struct recorder *r);
void recorder_count_written(struct recorder *r);

/* recorder_pace.c: samples more often for a while, at most for half of the
 * time.  If that is so already, until the later end. */
void recorder_go_fast(struct recorder *r, int64_t interval_ns, int64_t for_ns);
bool recorder_is_fast(const struct recorder *r, int64_t *ret_until_ns);

/* When a tick begins, and after it was started. */
void recorder_pace_tick(struct recorder *r);
void recorder_pace_after(struct recorder *r);

/* recorder_watch.c */
int recorder_open_watcher(struct recorder *r, struct gs_err *err);
void recorder_watch_tick(void *arg, const struct buf *raw,
	const struct tick *t, bool again);
void recorder_report_watches(const struct recorder *r,
	struct status_report *b);
void recorder_close_watcher(struct recorder *r);
void recorder_free_watcher(struct recorder *r);

/* With before_ns: whether ticks are written now; they are for a while after a
 * watch held, and after a mark. */
void recorder_let_out(struct recorder *r);
void recorder_watch_before(struct recorder *r);

/* Marks that wait for the next tick. */
size_t recorder_marks_waiting(const struct recorder *r);

/* The absolute path, for clients in another directory; the caller frees it. */
char *recorder_absolute(const struct recorder *r, const char *path);

/* The newest file, for programs in another directory; NULL: none.  The caller
 * frees it. */
char *recorder_absolute_path(struct recorder *r);

/* Opens the control socket if the options want one. */
void recorder_open_control(struct recorder *r);

void recorder_close_handles(struct recorder *r);

#endif
