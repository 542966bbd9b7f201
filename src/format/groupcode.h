/* SPDX-License-Identifier: Apache-2.0 */
/*
 * groupcode.h - encodes and decodes the ticks of a group: the values of each
 * column are stored next to each other, so that they compress to half.
 *
 * It works on stored records and restores the same bytes, including fields
 * that this version does not know.  Private to src/format.
 */
#ifndef GS_FORMAT_GROUPCODE_H
#define GS_FORMAT_GROUPCODE_H

#include "base/buf.h"
#include "base/err.h"
#include "format/blockcode.h"

/* ---- writing ---- */

struct grouper;

struct grouper *grouper_new(void);
void grouper_free(struct grouper *g);

/* Adds a record made by tickcode_encode(). */
int grouper_add(struct grouper *g, const void *record, size_t len,
	struct gs_err *err);

/* Replaces out by the group, as a field `record` of Recording; then removes
 * its ticks. */
void grouper_end(struct grouper *g, struct buf *out);

/* ---- reading ---- */

struct ungrouper;

struct ungrouper *ungrouper_new(void);
void ungrouper_free(struct ungrouper *u);

/* Opens the bytes of a frame, which must hold n ticks.  They are not copied. */
int ungrouper_open(struct ungrouper *u, const void *p, size_t len, size_t n,
	struct gs_err *err);

/* Columns of other entities than these, a bit each, get no values.  Default: all. */
void ungrouper_only(struct ungrouper *u, uint64_t entities);

/* A tick of the group: its message, whose columns get their values from
 * ret_values, each once and in order.  One after the other, ticks are read at no
 * further cost. */
int ungrouper_tick(struct ungrouper *u, size_t i, struct span *ret,
	struct column_values *ret_values, struct gs_err *err);

/* All columns of that tick have got their values. */
void ungrouper_done(struct ungrouper *u);

/* Replaces out by the record of a tick that can be read, with all columns
 * alone.  Of all entities. */
void ungrouper_record(struct ungrouper *u, size_t i, struct buf *out);

#endif
