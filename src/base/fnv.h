/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fnv.h - a hash of bytes (FNV-1a) with the same result in every run and on
 * every machine.
 */
#ifndef GS_BASE_FNV_H
#define GS_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* Of a text: FNV-1a, folded a word at a time for length. */
static inline uint32_t fnv_text(const char *p, size_t len)
{
	uint64_t h = FNV_BASIS ^ len;
	uint64_t w;

	for (; len >= sizeof(w); p += sizeof(w), len -= sizeof(w)) {
		memcpy(&w, p, sizeof(w));
		h = (h ^ w) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	for (; len > 0; p++, len--)
		h = (h ^ (unsigned char)*p) * FNV_PRIME;
	return (uint32_t)(h ^ h >> 32);
}

#endif
