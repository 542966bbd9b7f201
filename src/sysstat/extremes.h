/* SPDX-License-Identifier: Apache-2.0 */
/*
 * extremes.h - the minimum and maximum of each value of some rows.
 */
#ifndef GS_SYSSTAT_EXTREMES_H
#define GS_SYSSTAT_EXTREMES_H

#include <stddef.h>

#include "sysstat/value.h"

struct extremes_row {
	char *host, *name; /* owned; its identity */
	struct value *least, *most; /* absent: no value yet; owned */
};

struct extremes {
	struct extremes_row *row;
	size_t n, cap;
	size_t next; /* where the next one is expected */
};

#define EXTREMES_INIT { 0 }

void extremes_release(struct extremes *e);

/* Adds a row of n values; a row has as many each time. */
void extremes_add(struct extremes *e, const char *host, const char *name,
	const struct value *v, size_t n);

/* NULL: it was never added. */
struct extremes_row *extremes_find(struct extremes *e, const char *host,
	const char *name);

#endif
