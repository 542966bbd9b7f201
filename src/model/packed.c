/* SPDX-License-Identifier: Apache-2.0 */
#include "model/packed.h"

#include "base/bytes.h"
#include "base/compiler.h"

/* The longest packed row. */
#define PACKED_MAX (COL_WORDS_MAX * 8 + COLS_MAX * 10)

struct packed {
	uint32_t refs;
	uint16_t len, cap; /* of bytes */
	unsigned char bytes[];
};

_Static_assert(PACKED_MAX <= UINT16_MAX, "len and cap have no room");

/* Returns the bytes written, at most PACKED_MAX. */
static size_t put(enum entity_id e, struct cells c, unsigned char *to)
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

static struct packed *with_room(size_t len)
{
	/* what the allocator would round up to anyway */
	size_t cap = len | 15;
	struct packed *p = gs_malloc(sizeof(*p) + cap);

	p->refs = 1;
	p->cap = (uint16_t)cap;
	return p;
}

void packed_keep(enum entity_id e, struct cells c, struct packed **p)
{
	unsigned char bytes[PACKED_MAX];
	size_t len = put(e, c, bytes);
	struct packed *was = *p;

	if (was && was->len == len && memcmp(was->bytes, bytes, len) == 0)
		return;
	if (!was || was->refs > 1 || len > was->cap) {
		packed_drop(was);
		*p = with_room(len);
	}
	(*p)->len = (uint16_t)len;
	memcpy((*p)->bytes, bytes, len);
}

struct packed *packed_hold(struct packed *p)
{
	p->refs++;
	return p;
}

void packed_drop(struct packed *p)
{
	if (p && --p->refs == 0)
		free(p);
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

void packed_get(enum entity_id e, const struct packed *p, struct cells to)
{
	const unsigned char *from = p->bytes;
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

bool packed_find(enum entity_id e, const struct packed *p, unsigned col,
	uint64_t *ret)
{
	const unsigned char *from = p->bytes;
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
