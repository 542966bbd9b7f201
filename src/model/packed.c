/* SPDX-License-Identifier: Apache-2.0 */
#include "model/packed.h"

#include "base/bytes.h"
#include "base/compiler.h"

#define PACKED_SPARE 8

size_t packed_put(enum entity_id e, struct cells c, unsigned char *to)
{
	size_t words = COL_WORDS(entity_get(e)->ncols);
	size_t n = words * sizeof(uint64_t), w;

	memcpy(to, c.present, n);
	for (w = 0; w < words; w++) {
		uint64_t bits = c.present[w];

		for (; bits; bits &= bits - 1)
			n += gs_put_varint(to + n, gs_zigzag(
			    (int64_t)c.val[w * 64 + gs_ctz64(bits)]));
	}
	return n;
}

void packed_keep(enum entity_id e, struct cells c, unsigned char **bytes,
	uint32_t *cap)
{
	unsigned char packed[PACKED_MAX];
	size_t len = packed_put(e, c, packed);

	if (len > *cap || !*bytes) {
		/* some spare room: counters get longer from time to time */
		*cap = (uint32_t)(len + PACKED_SPARE);
		free(*bytes);
		*bytes = gs_malloc(*cap);
	}
	memcpy(*bytes, packed, len);
}

/* As gs_get_varint(), for bytes that are known to be complete. */
static size_t read_varint(const unsigned char *p, uint64_t *ret)
{
	uint64_t v = p[0] & 0x7f;
	size_t n = 1;

	for (; p[n - 1] >= 0x80; n++)
		v |= (uint64_t)(p[n] & 0x7f) << (7 * n);
	*ret = v;
	return n;
}

void packed_get(enum entity_id e, const unsigned char *from, struct cells to)
{
	size_t words = COL_WORDS(entity_get(e)->ncols);
	size_t w;

	cells_clear(e, to);
	memcpy(to.present, from, words * sizeof(uint64_t));
	from += words * sizeof(uint64_t);
	for (w = 0; w < words; w++) {
		uint64_t bits = to.present[w], v;

		for (; bits; bits &= bits - 1) {
			from += read_varint(from, &v);
			to.val[w * 64 + gs_ctz64(bits)] =
			    (uint64_t)gs_unzigzag(v);
		}
	}
}

bool packed_find(enum entity_id e, const unsigned char *from, unsigned col,
	uint64_t *ret)
{
	size_t words = COL_WORDS(entity_get(e)->ncols), w;
	uint64_t present[COL_WORDS_MAX], v = 0;

	memcpy(present, from, words * sizeof(uint64_t));
	if (!(present[col / 64] >> (col % 64) & 1))
		return false;
	from += words * sizeof(uint64_t);
	for (w = 0; w <= col / 64; w++) {
		uint64_t bits = present[w];

		if (w == col / 64)
			bits &= UINT64_MAX >> (63 - col % 64);
		for (; bits; bits &= bits - 1)
			from += read_varint(from, &v);
	}
	*ret = (uint64_t)gs_unzigzag(v);
	return true;
}
