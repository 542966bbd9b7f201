/* SPDX-License-Identifier: Apache-2.0 */
/*
 * groupcode_int.h - names of streams, shared by groupcode.c (ticks into a group) and
 * ungroup.c (ticks out of it).
 */
#ifndef GS_FORMAT_GROUPCODE_INT_H
#define GS_FORMAT_GROUPCODE_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whose values a stream has.  Unknown ids pass through: they are only compared. */
struct stream_name {
	uint32_t entity, metric;
	bool key;
};

int by_stream_name(const void *x, const void *y);

/* Where an element with that name is, or belongs, in a list that is sorted by
 * name; each begins with its name. */
size_t find_stream_name(const void *list, size_t n, size_t size,
	const struct stream_name *name, bool *ret_found);

#endif
