/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_pack.h - whole numbers in few bytes: a value is 0 where it is absent,
 * else 1 more than the zigzag of its difference to the value before it.  All
 * values are numbers that JavaScript has exactly.
 */
#ifndef GS_REPORT_PAGE_PACK_H
#define GS_REPORT_PAGE_PACK_H

#include <stdbool.h>

#include "base/buf.h"

#define PAGE_VALUE_MAX (INT64_C(1) << 51)

static inline void page_pack_value(struct buf *to, bool known, int64_t v,
	int64_t *last)
{
	int64_t d;

	if (!known) {
		buf_add_varint(to, 0);
		return;
	}
	v = v > PAGE_VALUE_MAX ? PAGE_VALUE_MAX
	    : v < -PAGE_VALUE_MAX ? -PAGE_VALUE_MAX : v;
	d = v - *last;
	*last = v;
	buf_add_varint(to, 1 + (d < 0 ? ~((uint64_t)d << 1)
	                              : (uint64_t)d << 1));
}

/* What page_pack_value() and buf_add_varint() wrote. */
struct page_unpack {
	const char *p;
	size_t len, at;
};

static inline uint64_t page_unpack_number(struct page_unpack *u)
{
	uint64_t v = 0;
	unsigned shift;

	for (shift = 0; u->at < u->len && shift < 64; shift += 7) {
		unsigned char c = (unsigned char)u->p[u->at++];

		v |= (uint64_t)(c & 0x7f) << shift;
		if (!(c & 0x80))
			break;
	}
	return v;
}

/* False: absent, *last is unchanged. */
static inline bool page_unpack_value(struct page_unpack *u, int64_t *last)
{
	uint64_t z = page_unpack_number(u);

	if (z == 0)
		return false;
	z--;
	*last += (int64_t)(z >> 1) ^ -(int64_t)(z & 1);
	return true;
}

#endif
