/* SPDX-License-Identifier: Apache-2.0 */
/*
 * group.h - several ticks in one zstd frame.  Recordings that are kept are
 * packed into groups, since ticks take half the bytes together.
 *
 * The index frame of a group is followed by its list, a skippable zstd frame,
 * then by the zstd frame of its one record, then perhaps by a repair frame
 * (repair.h); all of them count as the frame's bytes.
 *
 *    0  4  magic 0x184D2A5C
 *    4  4  length of what follows: 8 + n
 *    8  4  tag "GPSL"
 *   12  4  number of ticks
 *   16  n  per tick, as varints
 *            sequence - sequence before, zigzag (the first: - the index
 *            frame's)
 *            time - time before, ns, zigzag (the first: - the index frame's)
 *            kind: 1 key, 2 delta; and 4 times the number of ticks that
 *            were left out just before it, in a frame of layouts 3 and 5 only
 *
 * A tick that is not a key builds on the newest key before it in the group.
 * If there is none, it builds on the key given by the index frame.
 */
#ifndef GS_FORMAT_GROUP_H
#define GS_FORMAT_GROUP_H

#include "base/buf.h"
#include "base/scan.h"
#include "format/frame.h"

#define GROUP_LIST_HEAD 16u
#define GROUP_TICKS_MAX 65536u

struct group_tick {
	enum frame_kind kind;
	uint64_t seq;
	uint64_t left_out; /* as in struct tick */
	int64_t wall_ns;
};

struct group {
	struct group_tick *tick;
	size_t n, cap;
	size_t first_key; /* number of the first key; n: none */
	size_t list_len; /* of the list's frame, as read */
};

void group_release(struct group *g);

/* Removes all ticks; keeps the memory. */
void group_reset(struct group *g);
void group_add(struct group *g, const struct group_tick *t);
bool group_is_sparse(const struct group *g);

/* Appends the entries only, without their number. */
void group_put_ticks(const struct group *g, struct buf *out);

/* Reads n entries from *s; the first has seq and wall_ns.  False: they are
 * damaged. */
bool group_parse_ticks(struct group *g, struct span *s, size_t n,
	uint64_t seq, int64_t wall_ns);
void group_put(const struct group *g, struct buf *out);

/* Length of the list's whole frame, from its first GROUP_LIST_HEAD bytes; 0:
 * it is not a list. */
size_t group_list_len(const void *head);

/* Reads a list that begins at p; len is from group_list_len().  False: it is
 * damaged. */
bool group_get(struct group *g, const void *p, size_t len,
	const struct frame_index *f);

#endif
