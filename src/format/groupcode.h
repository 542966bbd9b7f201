/* SPDX-License-Identifier: Apache-2.0 */
/*
 * groupcode.h - the ticks of a group to bytes and back: the values of each
 * column stand side by side, so that they compress to half.
 *
 * It works on records as they are stored, and gives back the same bytes: also
 * what this version does not know of them.  Private to src/format.
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

/* Adds a record, as tickcode_encode() makes it. */
int grouper_add(struct grouper *g, const void *record, size_t len,
	struct gs_err *err);

/* Replaces out by the group, as a field `record` of Recording; there are no
 * ticks afterwards. */
void grouper_end(struct grouper *g, struct buf *out);

/* ---- reading ---- */

struct ungrouper;

struct ungrouper *ungrouper_new(void);
void ungrouper_free(struct ungrouper *u);

/* Takes the bytes of a frame, which must hold n ticks. */
int ungrouper_open(struct ungrouper *u, const void *p, size_t len, size_t n,
	struct gs_err *err);

/* A tick of it, valid until the next ungrouper_open(). */
const Gpsnap__V1__Tick *ungrouper_tick(const struct ungrouper *u,
	size_t i);

/* Replaces out by the record that was added. */
void ungrouper_record(struct ungrouper *u, size_t i, struct buf *out);

#endif
