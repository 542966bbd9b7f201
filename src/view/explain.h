/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.h - definitions of the figures in views of waits, and the effects of
 * sampling.  --explain prints these; the manual contains them.
 */
#ifndef GS_VIEW_EXPLAIN_H
#define GS_VIEW_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct explain {
	const char *term;
	const char *text;
	const char *views; /* names, separated by blanks */
};

/* In reading order; false after the last. */
bool explain_get(size_t i, struct explain *ret);

/* Whether the view of that name has such figures. */
bool explain_is_of(const struct explain *x, const char *view);

struct view;

/* Appends lines of that width: what the view is, definitions, and its columns, or
 * those of its groups. */
void explain_add(struct buf *to, const struct view *v, bool groups,
	size_t width);

#endif
