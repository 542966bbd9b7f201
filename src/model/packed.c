/* SPDX-License-Identifier: Apache-2.0 */
#include "model/packed.h"

#include "base/bytes.h"
#include "base/compiler.h"

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
