/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder_int.h - what the files of the recorder share: recorder.c (ticks,
 * the end), recorder_hosts.c (what hosts have to say), recorder_life.c
 * (opening and closing), recorder_control.c (whoever asks).
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
#include "record/quota.h"
#include "record/recorder.h"
#include "record/ticker.h"

/* The tick at hand: from its requests to its frame. */
struct open_tick {
	bool open;
	bool last;
	bool key;
	bool waited_again; /* the wait had run out while nothing ran */
	int64_t wall_ns;
	int64_t wait_until_ns; /* monotonic; for answers */
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
	uv_signal_t sig[SIG_COUNT];
	struct tty_watch tty_watch;
	bool handles; /* the above are open */
	bool signals_held; /* until recorder_run() watches them */
	sigset_t mask; /* of the caller, while they are held */
	int64_t end_boot_ns; /* 0: no end */
	struct host_set *host_set;
	struct dbsource *db[SERVERS_ASKED_MAX]; /* servers that are asked */
	size_t n_db;
	uint64_t servers_seen; /* postmasters when they were chosen */
	int64_t servers_look_ns; /* monotonic, when to choose again: some do not
	                          * say yet where they are; 0: none */
	int64_t servers_wait_ns; /* between the last two times */
	bool relisted; /* the header's hosts, or what it says of the
	                * database, changed */
	struct child child;
	struct writer *writer; /* NULL: nothing is written */
	struct framer *framer;
	struct quota quota;
	struct open_tick tick;
	struct tick pending; /* events of the next frame */
	char stop_why[128];
	bool final_wanted; /* one more tick, now that the command has ended */
	bool ended; /* no more ticks */
	bool hup_taken;
	struct recorder_status status;
	struct buf notices;
	struct buf path;
	struct gs_err err; /* why it ended in disorder */
	struct control *control; /* NULL: nobody can ask */
	char *user; /* whose the recorder is */
	char *cwd; /* at the beginning; NULL: not known */
	int64_t started_ns, started_mono_ns; /* recorder_run() */
	struct buf trouble; /* the last one that was told, */
	int64_t trouble_ns; /* and when; wall */
};

/* Lets signals through that recorder_new() blocked. */
void recorder_release_signals(struct recorder *r);

/* Tells the user a line. */
void recorder_notice(struct recorder *r, bool trouble,
	const char *text);

/* An event of the next frame. */
void recorder_pend(struct recorder *r, enum event_kind kind, uint32_t host,
	int64_t value, const char *text);

/* To the user, about a host: a line that names it, or is to name it where
 * that is not clear.  Limited (recorder_said.c). */
void recorder_notice_about(
    struct recorder *r, struct host_conn *s, bool trouble, const char *text);
void recorder_notice_host_conn(
    struct recorder *r, struct host_conn *s, bool trouble, const char *text);

/* An event of the next frame that a host may cause as often as it likes:
 * false if it is left out. */
bool recorder_pend_host_conn(struct recorder *r, struct host_conn *s,
	enum event_kind kind, int64_t value, const char *text);

/* What was left out is told, from time to time. */
void recorder_sum_up_host_conn(struct recorder *r, struct host_conn *s);

/* What the agent tells, as far as it may. */
void recorder_take_events(struct recorder *r, struct host_conn *s,
	const struct tick *t);

/* Whether the host's newest sample is to be left for a later tick, since it
 * has written too much.  That is told; one that is far beyond is given up. */
bool recorder_defers(struct recorder *r, struct host_conn *s);

/* The tick did not fit into a frame: whoever takes most of it is given up, so
 * that the next one does. */
void recorder_give_up_largest(struct recorder *r);

/* A wall clock that is far from ours, whenever that changes. */
void recorder_note_clock(struct recorder *r, struct host_conn *s);

/* What the host_set calls. */
struct host_set_ops recorder_host_set_ops(struct recorder *r);

/* recorder_db.c: opens those of the options, lists them in the header. */
int recorder_open_databases(struct recorder *r, struct gs_err *err);
void recorder_list_databases(struct recorder *r);

/* A tick begins; an answer of it is to come; into its frame. */
void recorder_tick_databases(struct recorder *r);
bool recorder_waits_for_database(const struct recorder *r);
void recorder_say_databases(struct recorder *r, struct tick_encoder *m);

/* The end. */
void recorder_stop_databases(struct recorder *r);
void recorder_free_databases(struct recorder *r);
bool recorder_missed_database(const struct recorder *r);

/* Takes in what the database has to say, before a tick is made of it. */
void recorder_hear_database(struct recorder *r);

/* Between ticks: a server may have been started since the last one. */
void recorder_look_for_database(struct recorder *r);

/* Somebody of whom the tick at hand has an answer to come. */
bool recorder_is_waiting(const struct recorder *r);

/* The database waits for nothing any more; arg is the recorder. */
void recorder_database_settled(void *arg);

/* The first header lists the hosts that the host_set has by now. */
void recorder_list_hosts(struct recorder *r);

/* Adds up the hosts of now, and those that never answered. */
void recorder_count_hosts(struct recorder *r);
size_t recorder_count_missed(const struct recorder *r);

/* For the status at the end: which hosts did not answer meanwhile. */
void recorder_say_away(struct recorder *r);

/* A tick is due; arg is the recorder. */
void recorder_tick_due(void *arg, int64_t due_ns);

/* The tick at hand, if there is one, waits for nobody any more. */
void recorder_finish_tick(struct recorder *r);

/* No more ticks.  The loop ends with the command, if that still runs. */
void recorder_end(struct recorder *r);

/* From now on it can be asked, if that is wanted. */
void recorder_open_control(struct recorder *r);

void recorder_close_handles(struct recorder *r);

#endif
