/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writer_int.h - shared by writer.c (the caller's side) and writer_thread.c
 * (the thread).
 */
#ifndef GS_RECORD_WRITER_INT_H
#define GS_RECORD_WRITER_INT_H

#include <pthread.h>

#include "record/writer.h"

/* How often free space, the file and retention are checked. */
#define ROOM_EVERY_NS GS_NSEC_PER_SEC
#define CHECK_EVERY_NS GS_NSEC_PER_SEC
#define TIDY_EVERY_NS (60 * GS_NSEC_PER_SEC)

struct shared {
	struct writer_frame *first, *last; /* queue */
	struct writer_frame *spare; /* used last first: few grow */
	size_t made;
	size_t queued_bytes; /* the frame being written included */
	bool ending;

	uint64_t generation;
	bool new_file; /* the next frame must begin a new file */
	bool file_empty; /* the open file holds no frame yet */
	uint32_t numbered; /* files that ever held a frame */
	char moved[WRITER_WHY_MAX]; /* not yet recorded in a frame */
	uint64_t lost; /* not yet recorded in a frame */
	char why[WRITER_WHY_MAX];
	int64_t retry_ns; /* mono; refuse frames before */
	struct gs_err failure; /* if stats.failed: why */
	struct writer_stats stats;
	struct buf path;
	struct buf notices;
	struct buf completed; /* files, each with its '\0' */
};

struct writer {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct shared s;

	/* The caller's. */
	bool key_wanted; /* it lost a frame itself */
	uint64_t pushed_generation;
	uint32_t file_number;
	bool joined;

	/* The thread's. */
	struct output out;
	struct writer_options opt;
	int64_t synced_ns; /* mono */
	int64_t checked_ns; /* mono; last check of the file */
	uint64_t file_ticks, file_bytes; /* written to the open file */
	uint64_t file_holes; /* recorded in it */
	enum outfile_fate fate; /* of the open file */
	struct buf all; /* of all that were finished, a line each */
	struct buf before; /* path of the newest file that was finished */
	int64_t room_ns; /* mono; last check */
	int64_t tidied_ns;
	bool has_room;
	bool tidy_reported; /* a failure of retention was reported */
	bool troubled; /* a loss was reported, the recovery not yet */
	uint64_t troubled_lost; /* stats.lost when the trouble began */
	struct gs_err closed; /* how the output was closed */
};

/* Counts lost ticks; the next frame says why.  The mutex must be held. */
void writer_count_lost_locked(struct shared *s, uint32_t ticks,
	uint64_t hole, const char *why);

/* If this frame says that a file was moved, the next one will say it instead.
 * The mutex must be held. */
void writer_keep_moved_locked(struct shared *s, const struct writer_frame *f);

/* The frame may be used again.  The mutex must be held. */
void writer_recycle_locked(struct shared *s, struct writer_frame *f);

/* The thread; arg is the writer. */
void *writer_run(void *arg);

#endif
