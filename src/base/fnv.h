/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fnv.h - a hash (FNV-1a) of some bytes that is the same everywhere: what is
 * told apart by it in one run is in another.
 */
#ifndef GS_BASE_FNV_H
#define GS_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

/* Goes on from h, which begins as FNV_BASIS. */
static inline uint64_t fnv_add(uint64_t h, const void *p, size_t len)
{
	const unsigned char *c = p;
	size_t i;

	for (i = 0; i < len; i++)
		h = (h ^ c[i]) * FNV_PRIME;
	return h;
}

#endif
