/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bytes.h - numbers in byte strings: little-endian and LEB128 varints,
 * independent of the machine's byte order and alignment rules.
 */
#ifndef GS_BASE_BYTES_H
#define GS_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline void gs_put_le32(void *to, uint32_t v)
{
	unsigned char *p = to;
	unsigned i;

	for (i = 0; i < 4; i++)
		p[i] = (unsigned char)(v >> (8 * i));
}

static inline void gs_put_le64(void *to, uint64_t v)
{
	unsigned char *p = to;
	unsigned i;

	for (i = 0; i < 8; i++)
		p[i] = (unsigned char)(v >> (8 * i));
}

static inline uint32_t gs_get_le32(const void *from)
{
	const unsigned char *p = from;

	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	    (uint32_t)p[3] << 24;
}

static inline uint64_t gs_get_le64(const void *from)
{
	const unsigned char *p = from;

	return (uint64_t)gs_get_le32(p) | (uint64_t)gs_get_le32(p + 4) << 32;
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
