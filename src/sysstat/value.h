/* SPDX-License-Identifier: Apache-2.0 */
/*
 * value.h - the values in columns of sysstat's programs, and their format.
 */
#ifndef GS_SYSSTAT_VALUE_H
#define GS_SYSSTAT_VALUE_H

#include <stdint.h>

enum value_kind {
	VALUE_ABSENT,
	VALUE_REAL,
	VALUE_WHOLE,
	VALUE_WORD
};

struct value {
	enum value_kind kind;
	double real;
	uint64_t whole;
	const char *word; /* lives as long as what it was made of */
};

static inline struct value value_absent(void)
{
	return (struct value) { .kind = VALUE_ABSENT };
}

static inline struct value value_real(double v)
{
	return (struct value) { .kind = VALUE_REAL, .real = v };
}

static inline struct value value_whole(uint64_t v)
{
	return (struct value) { .kind = VALUE_WHOLE, .whole = v };
}

/* Of a number that is not negative.  A product or a mean of damaged numbers may
 * exceed every whole one. */
static inline struct value value_floor(double v)
{
	return value_whole(v < 0x1p64 ? (uint64_t)v : UINT64_MAX);
}

/* The value of calc_io() where pidstat writes -1. */
#define VALUE_REFUSED (-1.0)

/* How a value is written. */
enum value_style {
	STYLE_PERCENT, /* coloured by how much it is */
	STYLE_SHARE, /* the same, of memory */
	STYLE_RATE, /* with decimals */
	STYLE_BYTES_RATE, /* bytes per second; in kB unless for humans */
	STYLE_KIB_RATE, /* kB per second */
	STYLE_KIB, /* whole; scaled for humans */
	STYLE_MIB, /* bytes; in MB, whole, unless for humans */
	STYLE_WHOLE,
	STYLE_ITEM, /* names something */
	STYLE_WORD
};

struct value_format {
	enum value_style style;
	int width;
};

#endif
