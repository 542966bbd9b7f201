/* SPDX-License-Identifier: Apache-2.0 */
/*
 * footer.h - the index at the end of closed files, also of files joined with
 * cat: its bytes (frame.h has the map), and where they are in a file.
 */
#ifndef GS_FORMAT_FOOTER_H
#define GS_FORMAT_FOOTER_H

#include "base/buf.h"
#include "base/fnv.h"
#include "format/frame.h"
#include "format/source.h"

#define FOOTER_LEN_MIN 28u

/* The longest footer: some ten million ticks. */
#define FOOTER_LEN_MAX ((uint64_t)256 << 20)

struct group;

/* Collects entries as frames are written, and makes the footer of them. */
struct footer {
	struct buf entries;
	uint32_t n;
	uint64_t end; /* of the previous frame pair */
	uint64_t seq;
	int64_t wall_ns;
};

#define FOOTER_INIT { BUF_INIT, 0, 0, 0, 0 }

void footer_release(struct footer *f);
void footer_add(struct footer *f, const struct frame_entry *e);

/* The same for a group; e is the entry of its first tick. */
void footer_add_group(struct footer *f, const struct frame_entry *e,
	const struct group *g);
void footer_put(const struct footer *f, struct buf *out);

/* Reads a footer of len bytes (from its magic to its tag) into a fresh array
 * *ret of *ret_n entries, one per tick, which the caller frees.  start is the
 * footer's offset in its file: no entry may reach beyond it. */
int footer_get(const void *p, size_t len, uint64_t start,
	struct frame_entry **ret, size_t *ret_n, struct gs_err *err);

/* The part of a file that a footer covers. */
struct footer_claim {
	uint64_t bytes; /* from the first index frame to the last frame's end */
	size_t ticks;
	uint64_t digest; /* footer_mix() of each tick */
	uint64_t last_seq;
};

/* A number for ticks, in their order: the first h is 0. */
static inline uint64_t footer_mix(uint64_t h, uint64_t seq, int64_t wall_ns,
	enum frame_kind kind)
{
	h = (h ^ seq) * FNV_PRIME;
	h = (h ^ h >> 29 ^ (uint64_t)wall_ns) * FNV_PRIME;
	return h ^ h >> 31 ^ (uint64_t)kind;
}

/* The last bytes of a footer: its length, a checksum, a tag. */
#define FOOTER_END_LEN 12u

/* True if these can be the last bytes of a footer of len bytes. */
bool footer_ends_so(const char *end, uint64_t len);

/* True if the len bytes at p are a footer with both checksums right. */
bool footer_is_whole(const void *p, size_t len, struct footer_claim *ret);

/* True if the file ends with a whole footer. */
bool footer_ends(const struct source *s);

/* The entries of all footers of the file, offsets counted from its start.
 * Fails if the footers do not account for every byte; with GS_E_MEMORY if they
 * do not fit into the budget. */
int footer_load(const struct source *s, struct frame_entry **ret,
	size_t *ret_n);

#endif
