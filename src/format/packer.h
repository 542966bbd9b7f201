/* SPDX-License-Identifier: Apache-2.0 */
/*
 * packer.h - joins encoded ticks into groups.
 *
 * A group ends before a key if it has enough ticks or bytes, and anywhere if
 * it would become too large.
 *
 * Summaries of stretches (summaryframe.h) go with the group of their last tick.
 *
 * Ticks that have frames already may keep them: packer_add_frame().
 *
 * Use: packer_new(); packer_add() per tick; packer_flush(); packer_free().
 */
#ifndef GS_FORMAT_PACKER_H
#define GS_FORMAT_PACKER_H

#include "format/outfile.h"
#include "model/summary.h"

#define PACKER_LEVEL 19 /* of zstd */
#define PACKER_TICKS 480u
#define PACKER_RAW ((size_t)2 << 20) /* a seek reads half of it on average */
#define PACKER_RAW_MAX ((size_t)16 << 20)
#define PACKER_THREADS_MAX ((size_t)64)

struct packer;

/* threads: so many groups are compressed or filled at the same time; 0 and 1:
 * none but the caller's thread.  The bytes are the same. */
struct packer *packer_new(int level, size_t threads);
void packer_free(struct packer *p);

/* A tick encoded by tickcode_encode(). */
struct packer_tick {
	enum frame_kind kind;
	bool first; /* a key that does not continue the recording before it in
		     * the file: it begins a group */
	uint64_t seq;
	uint64_t left_out; /* as in struct tick */
	int64_t wall_ns;
	const void *record;
	size_t len;
};

/* Adds a tick; if the group is full, that is appended to the file, or will be. */
int packer_add(struct packer *p, const struct packer_tick *t,
	struct outfile *to, struct gs_err *err);

/* Adds a tick that has a frame already, zlen bytes at zframe, in another file.  What
 * was added before is appended.  The frame will be, too, as it is; but if a summary or
 * a gist is added to the tick, that is a group, which earlier versions can read as they
 * can read the others. */
int packer_add_frame(struct packer *p, const struct packer_tick *t,
	const void *zframe, size_t zlen, struct outfile *to,
	struct gs_err *err);

/* Adds the summary of a stretch whose last tick was just added. */
void packer_add_summary(struct packer *p, const struct summary *s);

/* Adds the frame of a gist (gistframe.h) of ticks that were added. */
void packer_add_gist(struct packer *p, const struct buf *frame);

/* The frame of the page (pageframe.h) of all ticks of the file, before the
 * packer_flush() that ends it; a tick must have been added since the last. */
void packer_set_page(struct packer *p, const struct buf *frame);

/* Decompressed bytes of groups that are full and not in the file yet. */
uint64_t packer_pending(const struct packer *p);

/* Appends the remaining ticks: before another file begins, and at the end. */
int packer_flush(struct packer *p, struct outfile *to, struct gs_err *err);

#endif
