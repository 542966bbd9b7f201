/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tick.h - the changes between two samples, column by column.
 *
 * A tick is the content of a frame of a recording, and of an agent's answer:
 * per host and entity the slots that closed, the slots that opened, and for
 * each changed column the rows that changed and by how much.  Applied in this
 * order to the state before, it gives the state after (world.h).
 *
 * All arrays are owned by the struct and reused: fill, use, *_reset(), fill
 * again allocates nothing once it has grown.
 */
#ifndef GS_MODEL_TICK_H
#define GS_MODEL_TICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/buf.h"
#include "base/scan.h"
#include "metric/metric.h"
#include "model/pace.h"
#include "model/row.h"

/* Limits on input that is read. */
#define TICK_HOSTS_MAX 4096u
#define TICK_SLOTS_MAX (1u << 20) /* rows of one entity of one host */
#define TICK_TEXTS_MAX (1u << 24)
#define TICK_TEXT_BYTES_MAX (1u << 20) /* of one text */

/* Instants from 1933 to 2116: the difference of two fits into 64 bits. */
#define TICK_TIME_MIN_NS (-(INT64_C(1) << 60))
#define TICK_TIME_MAX_NS (INT64_C(1) << 62)

static inline bool tick_time_ok(int64_t ns)
{
	return ns >= TICK_TIME_MIN_NS && ns <= TICK_TIME_MAX_NS;
}

/* Number of ticks missing between two that follow each other.  The left_out
 * ticks just before the second one do not count: they were left out on
 * purpose. */
static inline uint64_t tick_missing(uint64_t seq_before, uint64_t seq,
	uint64_t left_out)
{
	uint64_t between = seq > seq_before ? seq - seq_before - 1 : 0;

	return between > left_out ? between - left_out : 0;
}

/* A slot that opened (enum row_open) or closed (enum row_close). */
struct slot_note {
	uint32_t slot;
	uint32_t why;
};

/* The changes of one column.  For a counter, gauge, peak or state diff is
 * new - old modulo 2^64 (old is 0 where absent); for a text it is the text's
 * id itself. */
struct delta_col {
	uint32_t *slot;
	uint64_t *diff;
	size_t n, slot_cap, diff_cap;
	uint32_t *gone; /* slots whose cell became absent */
	size_t n_gone, gone_cap;
};

/* What a tick_sum is the sum of, over the ticks that were left out
 * (header.thinned_ns). */
enum sum_of {
	SUM_GROWN = 1, /* increase of the counter */
	SUM_LEFT = 2, /* left by children that were reaped */
	SUM_OWN = 3, /* of a counter that includes reaped children: the row's
		      * own part */
	SUM_LEFT_UNKNOWN = 4, /* children were reaped, but not all of their
			       * usage is known */
	SUM_COUNT
};

/* One sum; not written where the cells already give it. */
struct tick_sum {
	uint32_t slot; /* of the row; in a row itself 0 */
	uint16_t col;
	uint16_t of; /* enum sum_of */
	uint64_t amount;
};

/* Amounts of one activity of a row, or of its server and the like: see gpsnap-archive(5). */
#define WAITED_AMOUNTS 26u

/* Kinds of a tick_waited that tell when a row that ends in this tick was sampled
 * last, and when one that is new and existed before was sampled first: how long
 * before the host's sample, monotonic, and what the wall clock's difference has
 * more. */
#define WAITED_END 8u
#define WAITED_BEGIN 9u

/* For how long all threads of a process were there since the tick before, together, if
 * their number changed in between: ns. */
#define WAITED_THREADS 10u

/* Those after it are of newer versions: nobody takes them, so they have no bounds. */
#define WAITED_LAST WAITED_THREADS

/* What samples saw a row do, of ticks that were left out and of this one. */
struct tick_waited {
	uint32_t slot;
	uint32_t kind; /* enum WaitKind of proto/gpsnap.proto */
	uint32_t event, query; /* ids of texts */
	bool has_query_id;
	int64_t query_id;
	int64_t amount[WAITED_AMOUNTS];
};

/* The changes of one entity of one host. */
struct delta {
	enum entity_id entity;
	struct slot_note *closed;
	size_t n_closed, closed_cap;
	struct slot_note *opened;
	size_t n_opened, opened_cap;
	struct delta_col *col; /* ncols of them */
	uint64_t used[COL_WORDS_MAX]; /* columns with n or n_gone > 0 */
	/* Only of recordings that were thinned: */
	struct tick_sum *sum;
	size_t n_sum, sum_cap;
	struct tick_waited *waited;
	size_t n_waited, waited_cap;
	struct slot_note *ended; /* close after all of this */
	size_t n_ended, ended_cap;
};

/* One host's clocks at one sample. */
struct sample_clock {
	uint32_t connection; /* counts the agent's connections from 1 */
	uint64_t sequence; /* counts the answers of a connection from 1 */
	int64_t wall_ns; /* the host's CLOCK_REALTIME */
	int64_t mono_ns; /* the host's CLOCK_MONOTONIC */
	int64_t boot_ns; /* the host's CLOCK_BOOTTIME */
	int64_t rtt_ns; /* request to answer, the recorder's clock */
	int64_t offset_ns; /* host's wall clock - recorder's; recorder sets */
};

/* One host's answer to one request. */
struct block {
	uint32_t host; /* index within the recording */
	struct sample_clock clock;
	struct delta ent[ENTITY_COUNT];
};

/* A text that cells use. */
struct text {
	uint32_t id;
	size_t off, len; /* within tick.bytes */
};

enum event_kind {
	EVENT_NOTE = 1, /* any other message */
	EVENT_HOLE = 2, /* ticks that were sampled but not written, or lost since */
	EVENT_CLOCK_STEP = 3, /* the recorder's wall clock was set */
	EVENT_HOST_UP = 4, /* first answer of a connection */
	EVENT_HOST_DOWN = 5, /* connection lost or refused */
	EVENT_REFUSED = 6, /* something may not be read, or does not exist */
	EVENT_START = 7, /* recording began */
	EVENT_STOP = 8, /* recording ended cleanly */
	EVENT_LATE = 9, /* a tick came later than half an interval */
	EVENT_HOST_CONNECTING = 10, /* an agent is being started, or restarted */
	EVENT_HOST_LATE = 11, /* an answer missed its tick; value: ns so far */
	EVENT_DATABASE_UP = 12, /* the catalog can be read */
	EVENT_DATABASE_DOWN = 13, /* it can't; the text says why */
	EVENT_SEGMENT = 14, /* role, mode or status of a segment changed */
	EVENT_SESSION = 15, /* a living session continues under another id */
	EVENT_MARK = 16, /* a user's mark */
	EVENT_HOST_IN_TIME = 17, /* was late, answers in time again; value: ns
				  * since its first late request */
	EVENT_STOOD_STILL = 18, /* the recorder did not run; value: ns */
	EVENT_SUSPENDED = 19, /* the recorder's machine was suspended; value: ns */
	/* Never written: a reader derives them from rows (notable.h). */
	EVENT_POSTMASTER = 1001, /* a postmaster started or ended */
	EVENT_CRASH = 1002, /* a server lost its processes and restarted; value:
			     * number of processes */
	EVENT_OOM = 1003, /* OOM killer; value: number of kills */
	EVENT_REBOOT = 1004 /* a host was rebooted */
};

/* "host down", ...; "event" for an unknown kind. */
const char *event_name(enum event_kind kind);

/* Whether events of this kind have a value. */
bool event_has_value(enum event_kind kind);

/* Importance, if there is no room for all events: from 0 (routine) to
 * EVENT_WEIGHT_MAX. */
unsigned event_weight(enum event_kind kind);
#define EVENT_WEIGHT_MAX 3u

/* value: hole: ticks lost; clock step: ns, signed. */
struct event {
	enum event_kind kind;
	int64_t wall_ns;
	int64_t value;
	uint32_t host; /* index, or EVENT_NO_HOST */
	size_t off, len; /* text within tick.bytes */
};

#define EVENT_NO_HOST UINT32_MAX

struct header;

/* Database sessions at a tick, by what they do. */
struct tick_census {
	uint32_t active, waiting; /* of all */
	uint32_t shown, shown_active, shown_waiting; /* without the recorder's
	                                              * own and ended ones */
};

/* What a gist says of a process after a tick, beside its cells. */
enum remark_kind {
	/* By how much its anonymous memory, or its private memory, was higher than it is
	 * now, at its highest; that of all processes of its session; or both. */
	REMARK_ANON = 0,
	REMARK_ANON_SESSION = 1,
	REMARK_ANON_BOTH = 2,
	REMARK_PRIVATE = 3,
	REMARK_PRIVATE_SESSION = 4,
	REMARK_PRIVATE_BOTH = 5,
	/* The time of the tick since which its session does what it does; and
	 * the change was seen. */
	REMARK_SINCE = 6,
	REMARK_SINCE_SEEN = 7,
	REMARK_WAITS = 8, /* since which its title says that it waits */
	REMARK_COUNT
};

static inline bool remark_is_time(enum remark_kind k)
{
	return k == REMARK_SINCE || k == REMARK_SINCE_SEEN || k == REMARK_WAITS;
}

struct tick_remark {
	uint32_t tick; /* number in the gist, from 0 */
	uint32_t host, slot; /* of the process */
	enum remark_kind kind;
	int64_t value; /* a time: ns */
};

/* DB time of a session in an event, of the ticks of a gist that do not show it. */
struct tick_wait {
	uint32_t tick; /* number in the gist, from 0 */
	uint32_t host, slot; /* of a process of the session; of a catalog, of a backend */
	uint32_t kind; /* as of struct row_waited */
	struct span event; /* "Lock:relation"; a part of the gist */
	int64_t time_ns;
};

struct tick {
	uint64_t seq; /* counts the ticks of a recording from 1 */
	uint64_t left_out; /* number of ticks left out just before this one; the
			    * base is the tick before them */
	uint64_t skipped; /* of a recording that was thinned: ticks of the source
			   * since the tick before, that were never sampled */
	int64_t wall_ns; /* the recorder's CLOCK_REALTIME */
	bool key;
	/* Of a gist only (model/cursor.h); never written in a tick. */
	bool renumbers; /* nothing but: slots begin again, see world_apply() */
	bool was_key; /* the tick is a key of the recording */
	bool has_census; /* titles are not told in each tick, but how many
	                  * sessions do what: */
	struct tick_census census;
	struct tick_remark *remark; /* not owned */
	size_t n_remark;
	bool unsampled; /* what backends do is not told in each tick, but once for all of
	                 * them the DB time of sessions: */
	const struct tick_wait *wait; /* not owned */
	size_t n_wait;
	uint32_t key_tag; /* as read from a file: of a key, its own; of a delta,
			   * that of its key; 0: written by a version without
			   * tags.  Set when encoded */
	struct header *header; /* key only; owned; NULL if there is none */
	struct block **block;
	size_t n_block, block_cap, block_made;
	struct text *text;
	size_t n_text, text_cap;
	struct event *event;
	size_t n_event, event_cap;
	struct buf bytes;
	/* Charged by a reader for all this; released by tick_release(). */
	struct gs_budget *budget; /* not owned; NULL: none */
	size_t charged;
};

/* The text at an offset of tick.bytes, never NULL: a tick whose texts are all
 * empty has no bytes. */
static inline const char *tick_text_at(const struct tick *t, size_t off)
{
	return t->bytes.ptr ? t->bytes.ptr + off : "";
}

#define TICK_INIT { 0 }

void tick_release(struct tick *t);
void tick_reset(struct tick *t);

/* Makes to (released or TICK_INIT) equal to from, in memory of its own. */
void tick_copy(struct tick *to, const struct tick *from);

/* Memory used by its arrays, approximately. */
size_t tick_bytes(const struct tick *t);

/* More was charged for it, blocks aside, than is worth keeping for reuse. */
bool tick_is_large(const struct tick *t);

/* Charges the tick's budget for arrays that it will own. */
bool tick_charge(struct tick *t, size_t bytes);

/* The same for one more block and its rows' arrays. */
bool tick_charge_block(struct tick *t);

/* Adds an empty block; valid until tick_release(). */
struct block *tick_add_block(struct tick *t, uint32_t host);

/* The slots that a key closes are of the tick just before it, in its own file: of no use
 * to who comes from elsewhere. */
void tick_clear_closed(struct tick *t);

void tick_add_text(struct tick *t, uint32_t id, const char *p, size_t len);
void tick_add_event(struct tick *t, enum event_kind kind, int64_t wall_ns,
	uint32_t host, int64_t value, const char *text, size_t len);

/* Number of ticks just before this one that the recorder lost, by its events. */
uint64_t tick_lost_before(const struct tick *t);

/* The recorder's reason for that; empty: it lost none, or gave no reason.
 * Valid as long as the tick. */
struct span tick_lost_why(const struct tick *t);

/* tick_due() of a tick: a key says its own pace, other ticks have that of before. */
int64_t tick_due_of(const struct tick *t, int64_t before_ns,
	struct tick_pace was);

/* Number of ticks that were due after the tick at before_ns and before this one,
 * and were never sampled: the recorder, by its events, was late or stopped, or
 * its machine was suspended. */
uint64_t tick_skipped_before(const struct tick *t, int64_t before_ns,
	int64_t interval_ns);

/* Whether these are all that were due since then, of a tick that tells it. */
bool tick_skipped_all(const struct tick *t, int64_t before_ns, int64_t sampled_ns);

/* Encoded size of the block in bytes, approximately, without texts. */
size_t block_weight(const struct block *b);

bool delta_is_empty(const struct delta *d);

/* Makes it empty; keeps the memory. */
void delta_reset(struct delta *d);

void delta_close_slot(struct delta *d, uint32_t slot, enum row_close why);
void delta_open_slot(struct delta *d, uint32_t slot, enum row_open how);

/* The slot closes after the changes in the delta. */
void delta_end_slot(struct delta *d, uint32_t slot, enum row_close why);
void delta_add_sum(struct delta *d, uint32_t slot, struct tick_sum sum);
void delta_add_waited(struct delta *d, const struct tick_waited *waited);

/* Sorts the sums into the order in which they are written. */
void delta_sort_sums(struct delta *d);

/* One cell: changed by diff (text: now has id diff), or gone. */
void delta_change(struct delta *d, unsigned col, uint32_t slot, uint64_t diff);
void delta_gone(struct delta *d, unsigned col, uint32_t slot);

/* Adds what differs between two states of the row in a slot; was.val may be
 * NULL: the row is new.  Text cells are compared and written as they are.
 * Returns the number of cells that differ. */
size_t delta_row(struct delta *d, uint32_t slot, struct cells was,
	struct cells now);

#endif
