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
#include "gpsnap.pb-c.h"

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

/* Decodes the bytes of a frame, which must hold n ticks. */
int ungrouper_open(struct ungrouper *u, const void *p, size_t len, size_t n,
	struct gs_err *err);

/* A tick of the group, valid until the next ungrouper_open(). */
const Gpsnap__V1__Tick *ungrouper_tick(const struct ungrouper *u,
	size_t i);

/* Replaces out by the record, with all columns alone. */
void ungrouper_record(struct ungrouper *u, size_t i, struct buf *out);

#endif
