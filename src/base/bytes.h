/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bytes.h - numbers in byte strings: little-endian and LEB128 varints,
 * independent of the machine's byte order and alignment rules.
 */
#ifndef GS_BASE_BYTES_H
#define GS_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define GS_LE32(v) (v)
#define GS_LE64(v) (v)
#else
#define GS_LE32(v) __builtin_bswap32(v)
#define GS_LE64(v) __builtin_bswap64(v)
#endif

/* Copies of a fixed length are one instruction each; loops over bytes are not. */
static inline void gs_put_le32(void *to, uint32_t v)
{
	v = GS_LE32(v);
	memcpy(to, &v, sizeof(v));
}

static inline void gs_put_le64(void *to, uint64_t v)
{
	v = GS_LE64(v);
	memcpy(to, &v, sizeof(v));
}

static inline uint32_t gs_get_le32(const void *from)
{
	uint32_t v;

	memcpy(&v, from, sizeof(v));
	return GS_LE32(v);
}

static inline uint64_t gs_get_le64(const void *from)
{
	uint64_t v;

	memcpy(&v, from, sizeof(v));
	return GS_LE64(v);
}

/* Writes at most 10 bytes; returns how many. */
static inline size_t gs_put_varint(void *to, uint64_t v)
{
	unsigned char *p = to;
	size_t n = 0;

	while (v >= 0x80) {
		p[n++] = (unsigned char)(v | 0x80);
		v >>= 7;
	}
	p[n++] = (unsigned char)v;
	return n;
}

/* Reads a varint from the len bytes at from.  Returns the bytes used, 0 if
 * it does not end within len, (size_t)-1 if it has more than 64 bits. */
static inline size_t gs_get_varint(const void *from, size_t len, uint64_t *ret)
{
	const unsigned char *p = from;
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < len && i < 10; i++) {
		if (i == 9 && p[i] > 1)
			return (size_t)-1;
		v |= (uint64_t)(p[i] & 0x7f) << (7 * i);
		if (p[i] < 0x80) {
			*ret = v;
			return i + 1;
		}
	}
	return i == 10 ? (size_t)-1 : 0;
}

static inline uint64_t gs_zigzag(int64_t v)
{
	return ((uint64_t)v << 1) ^ (uint64_t)(v >> 63);
}

static inline int64_t gs_unzigzag(uint64_t v)
{
	return (int64_t)((v >> 1) ^ (~(v & 1) + 1));
}

#endif
