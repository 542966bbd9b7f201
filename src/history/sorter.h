/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sorter.h - any number of records of one size in order, in bounded memory:
 * what does not fit goes to a temporary file without a name.
 *
 * Use: sorter_new(), sorter_add() for each, sorter_done() once, sorter_next()
 * until there is none, sorter_free().
 */
#ifndef GS_HISTORY_SORTER_H
#define GS_HISTORY_SORTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

typedef int (*sorter_compare_fn)(const void *a, const void *b);

struct sorter;

/* At most memory bytes of records are held (at least one record is). */
struct sorter *sorter_new(size_t record_len, size_t memory,
	sorter_compare_fn compare);
void sorter_free(struct sorter *s);

/* Copies the record.  Fails where the temporary file does. */
int sorter_add(struct sorter *s, const void *record, struct gs_err *err);
int sorter_done(struct sorter *s, struct gs_err *err);

/* The next in order, valid until the next call; NULL at the end. */
int sorter_next(struct sorter *s, const void **ret, struct gs_err *err);

/* A file in TMPDIR, else /tmp, that has no name; -1 with err filled. */
int sorter_temporary(struct gs_err *err);

#endif
