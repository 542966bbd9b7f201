/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decimal.h - whole numbers as text, for those that are made for each row: much
 * faster than a format.
 */
#ifndef GS_BASE_DECIMAL_H
#define GS_BASE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define GS_DECIMAL_MAX 21 /* with a sign; without a NUL */

/* Writes no NUL, at most GS_DECIMAL_MAX characters; returns the length. */
static inline size_t gs_put_decimal(char *to, uint64_t v)
{
	char digit[GS_DECIMAL_MAX];
	size_t at = sizeof(digit);

	do {
		digit[--at] = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	memcpy(to, digit + at, sizeof(digit) - at);
	return sizeof(digit) - at;
}

static inline size_t gs_put_int(char *to, int64_t v)
{
	if (v >= 0)
		return gs_put_decimal(to, (uint64_t)v);
	to[0] = '-';
	return 1 + gs_put_decimal(to + 1, 0 - (uint64_t)v);
}

#endif
