/* SPDX-License-Identifier: Apache-2.0 */
#include "format/lane.h"

#include "base/bytes.h"

/* The last byte of a varint has no high bit. */
#define LOW_BITS UINT64_C(0x0101010101010101)

/* How many of 8 bytes end a value. */
static size_t ends_of_8(const char *p)
{
	return (size_t)((~gs_get_le64(p) >> 7 & LOW_BITS) * LOW_BITS >> 56);
}

/* Steps over n values; false: there are fewer. */
static bool skip(struct span *s, size_t n)
{
	while (n >= 8 && span_len(*s) >= 8) {
		n -= ends_of_8(s->ptr);
		s->ptr += 8;
	}
	while (n > 0 && !span_empty(*s))
		n -= (unsigned char)*s->ptr++ < 0x80;
	return n == 0;
}

size_t lane_ends(struct span bytes)
{
	const char *p = bytes.ptr;
	size_t n = 0;

	for (; bytes.end - p >= 8; p += 8)
		n += ends_of_8(p);
	for (; p < bytes.end; p++)
		n += (unsigned char)*p < 0x80;
	return n;
}

bool lane_of(struct lane *ret, struct span bytes)
{
	if (!span_empty(bytes) && (unsigned char)bytes.end[-1] >= 0x80)
		return false;
	*ret = (struct lane) { bytes.ptr, bytes.end, lane_ends(bytes) };
	return true;
}

bool lane_take(struct lane *ret, struct span *s, size_t n)
{
	struct span rest = *s;

	if (!skip(&rest, n))
		return false;
	*ret = (struct lane) { s->ptr, rest.ptr, n };
	*s = rest;
	return true;
}
