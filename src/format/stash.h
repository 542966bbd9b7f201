/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stash.h - many bytes that wait for what comes before them, compressed as fast as
 * zstd can.  Private to src/format.
 *
 * The hosts of a large key take a third of their memory so, until its texts are
 * known, which are before them in the frame.
 */
#ifndef GS_FORMAT_STASH_H
#define GS_FORMAT_STASH_H

#include "base/buf.h"

struct stash {
	struct stash_part {
		char *bytes; /* a zstd frame */
		size_t len, raw_len;
	} *part;
	size_t n, cap;
	size_t raw_len; /* of all */
};

/* Adds a part: 1 MiB or so compresses well. */
void stash_add(struct stash *s, const char *p, size_t len);

/* Gives all parts to fn, in order; each is freed once it was given.  The stash is
 * empty then. */
typedef void stash_fn(void *arg, const char *p, size_t len);
void stash_take(struct stash *s, stash_fn *fn, void *arg);

/* Frees what was not taken. */
void stash_drop(struct stash *s);

#endif
