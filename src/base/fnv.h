/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fnv.h - a hash of bytes (FNV-1a) with the same result in every run and on
 * every machine.
 */
#ifndef GS_BASE_FNV_H
#define GS_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

/* Continues from h; the first h is FNV_BASIS. */
static inline uint64_t fnv_add(uint64_t h, const void *p, size_t len)
{
	const unsigned char *c = p;
	size_t i;

	for (i = 0; i < len; i++)
		h = (h ^ c[i]) * FNV_PRIME;
	return h;
}

#endif
