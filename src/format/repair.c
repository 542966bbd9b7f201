/* SPDX-License-Identifier: Apache-2.0 */
#include "format/repair.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "format/crc32c.h"
#include "format/frame.h"

#define REPAIR_MAGIC 0x184D2A5Bu
#define HEAD 16u
#define CHUNKS 128u

static const char repair_tag[4] = { 'G', 'P', 'S', 'R' };

static size_t chunk_len(size_t n)
{
	return (n + CHUNKS - 1) / CHUNKS;
}

static size_t frame_len(size_t n)
{
	return HEAD + 2 * chunk_len(n);
}

/* XORs n bytes of from into to. */
static void fold(unsigned char *to, const unsigned char *from, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		to[i] ^= from[i];
}

/* XORs all chunks of the n bytes at p into the two parities at to. */
static void fold_chunks(unsigned char *to, const unsigned char *p, size_t n)
{
	size_t c = chunk_len(n), at, i;

	for (at = i = 0; at < n; at += c, i++)
		fold(to + i % 2 * c, p + at, GS_MIN(c, n - at));
}

/* The frame for the n bytes at p. */
static void put_frame(unsigned char *to, const unsigned char *p, size_t n)
{
	memset(to, 0, frame_len(n));
	gs_put_le32(to, REPAIR_MAGIC);
	gs_put_le32(to + 4, (uint32_t)(frame_len(n) - 8));
	memcpy(to + 8, repair_tag, sizeof(repair_tag));
	gs_put_le32(to + 12, (uint32_t)n);
	fold_chunks(to + HEAD, p, n);
}

void repair_add(struct buf *b)
{
	size_t n = b->len;
	unsigned char *to = (unsigned char *)buf_reserve(b, frame_len(n));

	put_frame(to, (const unsigned char *)b->ptr, n);
	b->len += frame_len(n);
	b->ptr[b->len] = '\0';
}

/* ---- restoring -------------------------------------------------------- */

/* Computed from the total length, since the number in the frame may be
 * damaged. */
size_t repair_covers(size_t len)
{
	size_t n = len > HEAD ? (len - HEAD) / (CHUNKS + 2) * CHUNKS : 0;

	while (n + frame_len(n) < len)
		n++;
	return n + frame_len(n) == len ? n : 0;
}

/* The CRC register after n more bytes, which are 0. */
static uint32_t after_zeros(uint32_t crc, size_t n)
{
	static const unsigned char zeros[4096];

	while (n > 0) {
		size_t part = GS_MIN(n, sizeof(zeros));

		crc = crc32c_update(crc, zeros, part);
		n -= part;
	}
	return crc;
}

struct job {
	unsigned char *p;
	size_t len, n, c;
	unsigned char *error; /* of even chunks, then of odd ones: 2 c bytes */
	uint32_t want; /* effect of the error on the CRC of the whole */
	uint32_t does[CHUNKS]; /* its effect if the error were in this chunk */
};

static size_t chunk_size(const struct job *j, size_t i)
{
	return GS_MIN(j->c, j->n - i * j->c);
}

static const unsigned char *error_of(const struct job *j, size_t i)
{
	return j->error + i % 2 * j->c;
}

static bool is_zero(const unsigned char *p, size_t n)
{
	size_t i = 0;

	while (i < n && p[i] == 0)
		i++;
	return i == n;
}

/* CRCs are linear: the error of a chunk is followed by zeros.  From the last
 * chunk backwards, each needs some more zeros than the one two after it. */
static void weigh(struct job *j, size_t chunks)
{
	uint32_t full[2] = { 0, 0 };
	size_t i, a;

	for (i = chunks; i-- > 0;) {
		size_t end = i * j->c + chunk_size(j, i);

		a = i % 2;
		if (i + 1 == chunks) {
			j->does[i] = after_zeros(crc32c_update(0,
			    error_of(j, i), chunk_size(j, i)), j->len - end);
		} else if (i + 3 >= chunks) { /* first of its parity */
			full[a] = after_zeros(crc32c_update(0, error_of(j, i),
			    j->c), j->len - end);
			j->does[i] = full[a];
		} else {
			full[a] = after_zeros(full[a], 2 * j->c);
			j->does[i] = full[a];
		}
	}
}

static bool holds(const struct job *j, uint32_t crc)
{
	return frame_crc32c(j->p, j->len) == crc;
}

static bool mend_chunk(struct job *j, size_t i)
{
	size_t n = chunk_size(j, i);

	if (!is_zero(error_of(j, i) + n, j->c - n))
		return false;
	fold(j->p + i * j->c, error_of(j, i), n);
	return true;
}

/* The error is in one chunk, or in two adjacent ones. */
static bool mend_chunks(struct job *j, uint32_t crc)
{
	size_t chunks = (j->n + j->c - 1) / j->c, i;
	bool even = !is_zero(j->error, j->c);
	bool odd = !is_zero(j->error + j->c, j->c);

	weigh(j, chunks);
	for (i = 0; i < chunks; i++) {
		bool both = even && odd;

		if (both && (i + 1 == chunks ||
		    (j->does[i] ^ j->does[i + 1]) != j->want))
			continue;
		if (!both && ((i % 2 ? !odd : !even) || j->does[i] != j->want))
			continue;
		return mend_chunk(j, i) && (!both || mend_chunk(j, i + 1)) &&
		    holds(j, crc);
	}
	return false;
}

/* Only the repair frame is damaged. */
static bool mend_frame(struct job *j, uint32_t crc)
{
	unsigned char *was = gs_malloc(j->len - j->n);
	bool ok;

	memcpy(was, j->p + j->n, j->len - j->n);
	put_frame(j->p + j->n, j->p, j->n);
	ok = holds(j, crc);
	if (!ok)
		memcpy(j->p + j->n, was, j->len - j->n);
	free(was);
	return ok;
}

bool repair_mend(void *p, size_t len, uint32_t crc)
{
	struct job j = { .p = p, .len = len, .n = repair_covers(len) };
	bool ok;

	if (j.n == 0)
		return false;
	j.c = chunk_len(j.n);
	if (mend_frame(&j, crc))
		return true;
	j.want = frame_crc32c(p, len) ^ crc;
	j.error = gs_malloc(2 * j.c);
	memcpy(j.error, j.p + j.n + HEAD, 2 * j.c);
	fold_chunks(j.error, j.p, j.n);
	ok = mend_chunks(&j, crc);
	free(j.error);
	return ok;
}
