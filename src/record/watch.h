/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.h - conditions that a recorder watches for, and what it does when one
 * comes true.
 *
 * The recorder does not know what a condition is: a judge of the caller does,
 * who is given each tick, in a thread of its own (watcher.h), and tells what
 * began and what ended.
 */
#ifndef GS_RECORD_WATCH_H
#define GS_RECORD_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/tick.h"

#define WATCHES_MAX 32

/* Texts that a recording is the source of are cut at so many bytes. */
#define WATCH_TEXT_MAX ((size_t)1000)

/* A condition, and what to do.  Not owned; must outlive the recorder. */
struct watch {
	const char *name;
	int64_t fast_ns; /* sample this often; 0: as before */
	int64_t fast_for_ns; /* for so long */
	bool mark; /* set a mark */
	char *const *command; /* to run, NULL-terminated; or NULL */
};

/* Something that a watch is about begins or ends.  Owns its texts, each of which
 * may be NULL. */
struct watch_news {
	size_t watch; /* its index */
	bool begins;
	int64_t from_ns; /* wall; when it began */
	int64_t to_ns; /* wall; the last tick at which it was so */
	char *rule, *severity;
	char *host, *session, *subject;
	char *says; /* a sentence */
	char *next; /* options of gpsnap replay that show it */
	char *figures; /* a JSON object: {} */
	struct watch_news *link; /* the next one of a list */
};

void watch_news_free(struct watch_news *n);

struct watch_judge {
	/* In the watcher's thread.  Takes a tick: again: one that was given
	 * before, now as a key; lost: ticks before it are missing.  Appends to
	 * the list at *ret_end; bytes in use to *ret_bytes.  Fails if it can't
	 * go on. */
	int (*tick)(void *arg, const struct tick *t, bool again, bool lost,
		struct watch_news ***ret_end, size_t *ret_bytes,
		struct gs_err *err);
	/* In the recorder's thread: appends one JSON object, which says what
	 * began; file: of the recording, or NULL. */
	void (*describe)(const struct watch_news *n, const char *file,
		struct buf *to);
	void *arg;
};

struct watch_options {
	const struct watch *watch;
	size_t n; /* 0: nothing is watched, and the judge is not called */
	struct watch_judge judge;
};

#endif
