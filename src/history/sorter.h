/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sorter.h - an external sort of records of one size, in bounded memory: the
 * rest goes to an unnamed temporary file.
 *
 * Use: sorter_new(), sorter_add() for each, sorter_done() once, sorter_next()
 * until it returns NULL, sorter_free().
 */
#ifndef GS_HISTORY_SORTER_H
#define GS_HISTORY_SORTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

typedef int (*sorter_compare_fn)(const void *a, const void *b);

struct sorter;

/* Holds at most memory bytes of records (but at least one record). */
struct sorter *sorter_new(size_t record_len, size_t memory,
	sorter_compare_fn compare);
void sorter_free(struct sorter *s);

/* Copies the record.  Fails on an error of the temporary file. */
int sorter_add(struct sorter *s, const void *record, struct gs_err *err);
int sorter_done(struct sorter *s, struct gs_err *err);

/* The next in order, valid until the next call; NULL at the end. */
int sorter_next(struct sorter *s, const void **ret, struct gs_err *err);

/* Opens an unnamed file in TMPDIR, else /tmp; -1 with err filled. */
int sorter_temporary(struct gs_err *err);

#endif
