/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_conn.h - one host: its connection, its state, its pending events.
 *
 * A host_conn waits for its turn, connects, answers, is late, fails and is
 * tried again after a growing pause, for ever.  Each change is reported once.
 * host_set.c, which gives turns and counts answers, uses the struct directly;
 * others use the functions below.
 */
#ifndef GS_RECORD_HOST_CONN_H
#define GS_RECORD_HOST_CONN_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/err.h"
#include "model/tick.h"
#include "model/world.h"
#include "record/allowance.h"
#include "record/event_limit.h"
#include "record/remote_command.h"
#include "record/deploy.h"
#include "record/agent_conn.h"

/* The first pause after a failure, and the longest.  After a host has answered
 * for HOST_CONN_STEADY_NS, the next pause is the first again: not so for an
 * agent that dies each second. */
#define HOST_CONN_BACKOFF_MIN_MS UINT64_C(1000)
#define HOST_CONN_BACKOFF_MAX_MS UINT64_C(60000)
#define HOST_CONN_STEADY_NS (INT64_C(60) * 1000 * 1000 * 1000)
/* A connection that is not made by then waits for the network, not for our
 * CPU: others may start. */
#define HOST_CONN_TURN_MS UINT64_C(2000)
/* A first answer that took longer than this is no base: it is asked for again. */
#define HOST_CONN_SLOW_NS (INT64_C(50) * 1000 * 1000)
/* A timer that is later than this means that the recorder did not run. */
#define HOST_CONN_STOOD_NS (INT64_C(1000) * 1000 * 1000)

enum host_conn_state {
	HOST_CONN_IDLE, /* not started yet, or removed */
	HOST_CONN_QUEUED, /* waits for its turn */
	HOST_CONN_CONNECTING, /* started, no answer yet */
	HOST_CONN_SAMPLING, /* answers */
	HOST_CONN_LATE, /* owes an answer since an earlier tick */
	HOST_CONN_RETRY, /* failed; waits to be tried again */
	HOST_CONN_ALIAS /* is the same host as another host_conn */
};

/* Shared by all host_conns; owned by the host_set. */
struct host_conn_plan {
	struct agent_conn_pool pool;
	struct remote_command remote;
	struct deploy deploy;
	enum deploy_want want;
	char *const *local_argv; /* the agent of this host */
	struct request request; /* to each host; pids are this host's */
	uint64_t timeout_ms; /* no answer for so long ends the connection */
	uint64_t random; /* state of the jitter */
};

struct host_conn;

struct host_conn_ops {
	void (*answered)(void *arg, struct host_conn *s, const struct tick *t);
	/* An event about the host. */
	void (*event)(void *arg, struct host_conn *s, enum event_kind kind,
		int64_t value, const char *text);
	/* It wants a turn, gave one back, or is not waited for any more. */
	void (*moved)(void *arg, struct host_conn *s);
	void *arg;
};

/* The counters of context switches and interrupts of a host at a time of its
 * boot clock.  They only grow, and another host can't guess both. */
struct host_conn_mark {
	int64_t boot_ns;
	uint64_t switches, interrupts;
	bool known;
};
#define HOST_CONN_MARKS 3

/* Files that an agent could not read, and why, as was reported. */
#define HOST_UNREAD_MAX 24
#define HOST_UNREAD_NAME 24
struct host_unread {
	char file[HOST_UNREAD_NAME];
	uint64_t error;
};

struct host_conn {
	struct host_conn_plan *plan;
	struct host_conn_ops ops;
	char *name; /* in the recording */
	char *hostname; /* to connect to */
	char *address; /* if that fails; or NULL */
	uint32_t index; /* of its host in the recording */
	bool local;
	bool removed;
	enum host_conn_state state;
	struct host_conn *same; /* HOST_CONN_ALIAS: of this one */
	struct agent_conn *link;
	uv_timer_t timer; /* of the state: turn, silence, pause */
	int64_t silent_ns; /* deadline of an answer; monotonic */
	int64_t late_ns; /* asked then, it was late; monotonic; 0: in time */
	bool timer_open;
	struct host_unread unread[HOST_UNREAD_MAX];
	size_t n_unread;
	bool turn; /* is one of those that connect now */
	bool awaited; /* the current tick waits for it */
	bool fresh; /* its world has data that is to be in a frame */
	bool framed; /* some frame has it, since it was up last */
	bool lost; /* the next frame must say so */
	bool announced; /* HOST_UP was reported */
	bool connecting_reported; /* since it was up last */
	bool was_up; /* ever */
	bool failed; /* since it was up last */
	bool at_address; /* tries the address */
	bool deploys; /* there is an agent, of another version */
	uint64_t backoff_ms;
	int64_t up_ns; /* up since; monotonic */
	int64_t changed_ns; /* up or down since; monotonic */
	enum gs_status status; /* of the last failure */
	char *why; /* the last failure that was reported; NULL: none */
	char *first_why; /* why the hostname did not work */
	char *boot_id; /* of the host, while it is up */
	uint64_t pid_ns;
	/* twins.h: */
	struct host_conn_mark mark[HOST_CONN_MARKS]; /* newest sample first */
	bool has_twin; /* another one has, or had, its boot id */
	struct host_conn *held_for; /* may be the same host: not recorded until
	                             * that is decided; NULL: is recorded */
	unsigned held_samples; /* since then */
	/* The recorder's, for its reports about the host: */
	struct event_limit events;
	struct allowance notices;
	uint64_t forged; /* events that it may not send, not reported yet */
	uint64_t notices_left_out;
	int64_t forged_ns; /* last report; monotonic, 0: never */
	unsigned n_refused; /* in the header */
	int64_t reported_offset_ns; /* of its clock, as reported last */
	struct allowance written; /* bytes of files; quota.h */
	double written_per_s; /* recent average */
	int64_t quota_ns; /* last report that it wrote too much; monotonic */
	int64_t answered_ns; /* its last answer; the recorder's boot clock */
	int64_t left_ns; /* went down then; monotonic; 0: it is up */
	int64_t away_ns; /* total time down, after it was up */
	bool late_reported; /* reported late, and not yet in time again */
};

/* name, hostname and address are copied. */
struct host_conn *host_conn_new(struct host_conn_plan *plan, const char *name,
    const char *hostname, const char *address, const struct host_conn_ops *ops);

/* Asks for a turn. */
void host_conn_start(struct host_conn *s);

/* Its turn: connects. */
void host_conn_connect(struct host_conn *s);

/* Asks for a sample; false if it can't be asked now. */
bool host_conn_request(struct host_conn *s);

/* It has not answered in time: reported once, until it answers in time. */
void host_conn_note_late(struct host_conn *s);

/* s is the same host as another: its own connection ends. */
void host_conn_be_alias(struct host_conn *s, struct host_conn *of);

/* Ends the connection, as if it had failed; it is tried again. */
void host_conn_give_up(struct host_conn *s, const struct gs_err *why);

/* Ends the connection; the host is lost in the next frame. */
void host_conn_remove(struct host_conn *s);

/* What the next frame has to record of it; each is returned once.  A host that
 * is held has no news. */
enum host_conn_news {
	HOST_CONN_NO_NEWS,
	HOST_CONN_IS_FRESH, /* host_conn_world() */
	HOST_CONN_IS_LOST
};
enum host_conn_news host_conn_fetch_news(struct host_conn *s);

/* Its current state: a world of that one host. */
const struct world *host_conn_world(const struct host_conn *s);

/* The sum of a column of its agent's row. */
uint64_t host_conn_agent_sum(const struct host_conn *s, unsigned col);

/* True while it answers, however late. */
bool host_conn_is_up(const struct host_conn *s);

/* Closes its handles; run the loop until it has nothing left, then call
 * host_conn_free(). */
void host_conn_stop(struct host_conn *s);
void host_conn_free(struct host_conn *s);

#endif
