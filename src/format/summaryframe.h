/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summaryframe.h - the summaries of a group: a skippable zstd frame that stands
 * between the group's zstd frame and its repair frame, and counts as bytes of
 * the group.
 *
 *      0  4  magic 0x184D2A5A
 *      4  4  length of what follows: n + 20
 *      8  4  tag "GPSS"
 *     12  4  length of what the zstd frame decompresses to
 *     16  n  a zstd frame: one Summaries
 *   n+16  4  CRC32C of these bytes
 *   n+20  4  length of the whole frame: n + 28
 *   n+24  4  tag "GPSS"
 *
 * So it is found from the end of the group, without decompressing that.
 */
#ifndef GS_FORMAT_SUMMARYFRAME_H
#define GS_FORMAT_SUMMARYFRAME_H

#include "base/budget.h"
#include "base/buf.h"
#include "base/err.h"
#include "format/besideframe.h"
#include "model/summary.h"

#define SUMMARYFRAME_TAIL BESIDE_TAIL
#define SUMMARYFRAME_RAW_MAX ((size_t)16 << 20)

struct summarycode;

struct summarycode *summarycode_new(int level);
void summarycode_free(struct summarycode *c);

/* Adds a summary to the next frame.  One that would make it too large is left
 * out. */
void summarycode_add(struct summarycode *c, const struct summary *s);
bool summarycode_is_empty(const struct summarycode *c);

/* Appends the frame of what was added since the last; false: nothing was. */
bool summarycode_put(struct summarycode *c, struct buf *to);

/* The summaries of one frame. */
struct summaries {
	struct summary *item;
	size_t n, cap;
	struct gs_budget *budget; /* not owned; charged for the items */
	size_t charged;
};

void summaries_release(struct summaries *s);

/* Length of the frame that ends with these SUMMARYFRAME_TAIL bytes, 0: none
 * does. */
size_t summaryframe_len(const void *tail);

/* Reads the frame of len bytes at p; ret is released or zeroed before, but for
 * its budget.  Counts and ids are checked; what this version does not know is
 * left out. */
int summarycode_read(struct summarycode *c, const void *p, size_t len,
	struct summaries *ret, struct gs_err *err);

#endif
