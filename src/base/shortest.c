/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shortest.c - see shortest.h.
 *
 * Digits are made one by one from the exact fraction, up to the first that is
 * nearer to v than half the way to the next double (Steele and White, 1990).  That
 * is for the usual sizes; printf() does the others, ten times slower.
 */
#include "base/shortest.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Smaller ones have an exponent; below 2^53 every bit is in the numbers here. */
#define LEAST 1e-4
#define MOST 1e15

#define MANTISSA_BITS 53

__extension__ typedef unsigned __int128 wide;

/* A number below one, in units of which there are `one`. */
struct fraction {
	wide rest, one;
	wide low, high; /* what is nearer to v than to its neighbours */
};

/* The next digit; *ret_done: it is the last. */
static unsigned next_digit(struct fraction *f, bool *ret_done)
{
	unsigned digit;
	bool low, high;

	f->rest *= 10;
	f->low *= 10;
	f->high *= 10;
	digit = (unsigned)(f->rest / f->one);
	f->rest %= f->one;
	low = f->rest < f->low;
	high = f->one - f->rest < f->high;
	*ret_done = low || high;
	/* of two that are as near the even one, as printf() does */
	if (high && (!low || f->rest * 2 + digit % 2 > f->one))
		digit++;
	return digit;
}

static void add_fraction(struct buf *to, struct fraction f)
{
	bool done = false;

	buf_add_char(to, '.');
	while (!done)
		buf_add_char(to, (char)('0' + next_digit(&f, &done)));
}

/* From LEAST to MOST, and no whole number. */
static void add_usual(struct buf *to, double v)
{
	int exponent;
	uint64_t mantissa = (uint64_t)ldexp(frexp(v, &exponent),
	    MANTISSA_BITS);
	int shift = MANTISSA_BITS - exponent; /* v = mantissa / 2^shift */
	wide quarters = (wide)mantissa << 2; /* of the last bit */
	struct fraction f = { .one = (wide)1 << (shift + 2), .high = 2,
		/* the double below is nearer to a power of two */
		.low = mantissa == UINT64_C(1) << (MANTISSA_BITS - 1) ? 1 : 2 };

	f.rest = quarters % f.one;
	buf_add_int(to, (int64_t)(quarters / f.one));
	add_fraction(to, f);
}

static void add_unusual(struct buf *to, double v)
{
	char text[40];
	int digits;

	for (digits = 15; digits <= 17; digits++) {
		(void)snprintf(text, sizeof(text), "%.*g", digits,
		    v); /* fits */
		if (strtod(text, NULL) == v)
			break;
	}
	buf_add_str(to, text);
}

void shortest_add(struct buf *to, double v)
{
	double size = fabs(v);

	if (size < MOST && v == (double)(int64_t)v) {
		buf_add_int(to, (int64_t)v);
	} else if (size >= LEAST && size < MOST) {
		if (v < 0)
			buf_add_char(to, '-');
		add_usual(to, size);
	} else {
		add_unusual(to, v);
	}
}
