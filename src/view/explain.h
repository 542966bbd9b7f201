/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.h - what the figures of views of waits mean: the definitions that
 * they are made by, and what sampling makes of them.  --explain prints these,
 * and the manual has them from here.
 */
#ifndef GS_VIEW_EXPLAIN_H
#define GS_VIEW_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

struct explain {
	const char *term;
	const char *text;
	const char *views; /* names, separated by blanks */
};

/* In the order of reading; false behind the last. */
bool explain_get(size_t i, struct explain *ret);

/* The same, and whether the view of that name has such figures. */
bool explain_is_of(const struct explain *x, const char *view);

#endif
