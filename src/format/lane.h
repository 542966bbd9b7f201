/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lane.h - the values of a packed repeated field, still as varints.  Private to
 * src/format.
 *
 * A lane has been counted: each of its n values ends within it.  So they are
 * read without a check of each.
 */
#ifndef GS_FORMAT_LANE_H
#define GS_FORMAT_LANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/scan.h"

struct lane {
	const char *at, *end;
	size_t n;
};

/* How many of the bytes end a value. */
size_t lane_ends(struct span bytes);

/* False: the last value has no end. */
bool lane_of(struct lane *ret, struct span bytes);

/* Takes n values from the beginning of s; false: there are fewer. */
bool lane_take(struct lane *ret, struct span *s, size_t n);

/* The same of a few, as most often; n is not 0. */
static inline bool lane_take_few(struct lane *ret, struct span *s, size_t n)
{
	const char *p = s->ptr;
	size_t left = n;

	for (; p < s->end && left > 0; p++)
		left -= (unsigned char)*p < 0x80;
	if (left > 0)
		return false;
	*ret = (struct lane) { s->ptr, p, n };
	s->ptr = p;
	return true;
}

/* Bits above the 64th are dropped. */
static inline uint64_t lane_next(struct lane *l)
{
	const unsigned char *p = (const unsigned char *)l->at;
	uint64_t v = *p & 0x7f;
	unsigned shift;

	for (shift = 7; *p >= 0x80; shift += 7) {
		p++;
		v |= shift < 64 ? (uint64_t)(*p & 0x7f) << shift : 0;
	}
	l->at = (const char *)p + 1;
	l->n--;
	return v;
}

#endif
