/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiler.h - the only place that names compiler extensions.
 */
#ifndef GS_BASE_COMPILER_H
#define GS_BASE_COMPILER_H

#define GS_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define GS_NORETURN __attribute__((noreturn))
#define GS_UNUSED __attribute__((unused))
#define GS_LIKELY(x) __builtin_expect(!!(x), 1)
#define GS_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Number of elements of an array (never of a pointer). */
#define GS_LEN(a) (sizeof(a) / sizeof((a)[0]))

#define GS_MIN(a, b) ((a) < (b) ? (a) : (b))
#define GS_MAX(a, b) ((a) > (b) ? (a) : (b))

/* Index of the lowest set bit; x must not be 0. */
static inline unsigned gs_ctz64(unsigned long long x)
{
	return (unsigned)__builtin_ctzll(x);
}

/* Bits up to the highest set one; x must not be 0. */
static inline unsigned gs_width64(unsigned long long x)
{
	return 64 - (unsigned)__builtin_clzll(x);
}

/* Set bits. */
static inline unsigned gs_popcount64(unsigned long long x)
{
	return (unsigned)__builtin_popcountll(x);
}

/* Bytes that a CPU's caches hold together. */
#define GS_LINE 64

/* What is kept of so many rows is loaded together; of more, the first would be lost
 * again. */
#define GS_FETCH_ROWS 64

/* Starts to load memory that is needed soon; it need not be there: p may be NULL, so
 * addresses are numbers.  Without the empty statement, gcc takes a function that does
 * nothing else to have no effect, and drops the calls of it. */
static inline void gs_fetch(const void *p, unsigned long len_bytes)
{
	unsigned long at = (unsigned long)p, end = at + len_bytes;

	for (; at < end; at += GS_LINE) {
		__builtin_prefetch((const void *)at, 1);
		__asm__ volatile("");
	}
}

#endif
