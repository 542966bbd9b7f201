/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gistframe.h - the gist of a stretch (model/cursor.h): a skippable zstd frame
 * after the zstd frame of a group, before the group's summaries.
 *
 *      0  4  magic 0x184D2A5A
 *      4  4  length of what follows: n + 80
 *      8  4  tag "GPSK"; "GPSW": the same with waits (gistwaits.h); "GPSJ": with
 *            plain texts (gisttext.h); "GPSG", "GPSH" and "GPSI" are of earlier
 *            layouts, which are not read
 *     12  4  length of what the zstd frame decompresses to
 *     16  4  number of ticks, with both keys of the stretch
 *     20  4  number of remarks
 *     24  8  sequence number of the first one
 *     32  8  its time, ns
 *     40  8  sequence number of the last one
 *     48  8  its time, ns
 *     56  4  r
 *     60  8  sequence number of the first tick of its base; 0: none
 *     68  8  the time of that tick, ns
 *     76  n  a zstd frame: r bytes, the ticks after the first as one record, without
 *            times, the differences of its streams in planes (planes.h); then per
 *            tick as in a group's list (group.h), its kind that of the recording;
 *            then, as varints, per tick the five numbers of struct tick_census,
 *            zigzag of the difference to the tick before; then of struct tick_remark
 *            one field of all remarks after the other: tick, difference to the
 *            remark before; host; slot, zigzag of the difference to the remark
 *            before; kind; value, a time as the number of ticks before this one;
 *            then the texts of ticks (gisttext.h); then the waits, if it has them;
 *            then the clocks of hosts (gistclock.h)
 *          4  CRC32C of these bytes
 *          4  length of the whole frame: n + 88
 *          4  the tag
 *
 * So frames are found from the end of the group.
 *
 * The base is another gist of the file, which has none: the last GISTFRAME_BASE_MAX
 * bytes of its raw ones are before these ones as a dictionary of zstd is.  Without it a
 * gist can't be read, so all have the same.
 */
#ifndef GS_FORMAT_GISTFRAME_H
#define GS_FORMAT_GISTFRAME_H

#include "base/err.h"
#include "format/besideframe.h"
#include "format/gistclock.h"
#include "format/gisttext.h"
#include "format/gistwaits.h"
#include "format/group.h"
#include "format/tickcode.h"

#define GISTFRAME_HEAD 76u
#define GISTFRAME_TAIL BESIDE_TAIL
#define GISTFRAME_RAW_MAX ((size_t)64 << 20)
#define GISTFRAME_BASE_MAX ((size_t)384 << 10)
#define GISTFRAME_REMARKS_MAX ((size_t)1 << 20)

/* Which stretch it is of, and how much is in it. */
struct gist_head {
	uint64_t from_seq, to_seq;
	int64_t from_ns, to_ns;
	size_t n, raw_len, record_len, n_remark;
	uint64_t base_seq; /* of the first tick of the base; 0: none */
	int64_t base_ns;
	bool plain_texts; /* an earlier layout */
	bool has_waits;
};

/* What other gists are compressed after. */
struct gist_base {
	uint64_t seq;
	int64_t ns;
	struct buf raw; /* empty: no base */
};

struct gist {
	struct group list;
	struct tick_census *census; /* list.n of them */
	size_t census_cap;
	struct tick_remark *remark; /* in order of ticks */
	size_t n_remark, remark_cap;
	struct gisttext text;
	struct gistwaits waits;
	struct gistclock clock;
	struct buf raw; /* begins with the record */
	size_t record_len;
};

void gist_release(struct gist *g);

/* Makes it empty; keeps the memory. */
void gist_reset(struct gist *g);
void gist_add(struct gist *g, const struct group_tick *t,
	const struct tick_census *c);

/* The raw bytes are the record; a time in a remark is that of a tick of the gist
 * before it.  Appends the frame.  An empty base becomes that of the gists after this
 * one. */
void gistframe_put(struct tickcode *zstd, const struct gist *g,
	struct gist_base *base, struct buf *to);

/* Length of the frame that ends with these GISTFRAME_TAIL bytes, 0: none does.  It may
 * be of an earlier layout, of which there is no head. */
size_t gistframe_len(const void *tail);

/* Reads the first GISTFRAME_HEAD bytes of a frame of len bytes; false: they are
 * none, or out of bounds. */
bool gistframe_head(const void *p, size_t len, struct gist_head *ret);

/* What it takes at most to read a frame, without its base. */
size_t gistframe_memory(const struct gist_head *h);

/* Reads the frame of len bytes at p; ret is zeroed or released before.  base: the one
 * that its head names. */
int gistframe_read(struct tickcode *zstd, const void *p, size_t len,
	const struct gist_base *base, struct gist *ret, struct gs_err *err);

/* The same for a base: only the bytes that others are compressed after. */
int gistframe_read_base(struct tickcode *zstd, const void *p, size_t len,
	struct gist_base *ret, struct gs_err *err);

#endif
