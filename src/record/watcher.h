/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watcher.h - a thread that judges ticks, so that judging delays none.
 *
 * The recorder pushes the bytes of each tick; the thread decodes them, gives
 * them to the judge, and wakes the loop if there is news.  The queue is bounded:
 * a tick that does not fit is dropped with those after it up to the next key, and
 * counted.  The thread has a low priority, and uses at most WATCHER_SHARE of one
 * CPU: more work waits, and then is dropped.
 */
#ifndef GS_RECORD_WATCHER_H
#define GS_RECORD_WATCHER_H

#include <uv.h>

#include "base/buf.h"
#include "record/watch.h"

#define WATCHER_QUEUE_MAX 64u /* ticks */
#define WATCHER_QUEUE_BYTES_MAX ((size_t)32 << 20)
#define WATCHER_SHARE 0.25
#define WATCHER_BURST_S 2.0

struct watcher;

struct watcher_stats {
	uint64_t ticks; /* judged */
	uint64_t dropped; /* not judged */
	double seconds; /* of CPU */
	size_t bytes; /* of the queue and the judge */
	size_t queued; /* ticks */
};

/* news() is called from the loop with a list that it owns.  The judge, and arg,
 * must outlive the watcher. */
struct watcher *watcher_new(uv_loop_t *loop, const struct watch_judge *judge,
	void (*news)(void *arg, struct watch_news *list), void *arg,
	struct gs_err *err);

/* Takes the bytes of a tick (tickcode.h); again: as in watch_judge. */
void watcher_push(struct watcher *w, const struct buf *raw, bool key,
	bool again);

void watcher_get_stats(struct watcher *w, struct watcher_stats *ret);

/* Why the judge can't go on; GS_OK: it does.  Reported once. */
int watcher_fetch_failure(struct watcher *w, struct gs_err *err);

/* Ends the thread after the tick that it judges, and closes the handle; run the
 * loop until it has nothing left, then call watcher_free().  NULL is allowed for
 * both. */
void watcher_close(struct watcher *w);
void watcher_free(struct watcher *w);

#endif
