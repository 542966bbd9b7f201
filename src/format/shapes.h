/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shapes.h - which columns the entities of a group's ticks have, without their values.
 * Private to src/format.
 *
 * In a group the messages of columns have only the numbers of their values (groupcode.h),
 * so most are what another tick had: those that were read are kept, and found by their
 * bytes.
 */
#ifndef GS_FORMAT_SHAPES_H
#define GS_FORMAT_SHAPES_H

#include "base/buf.h"
#include "base/err.h"
#include "format/blockfields.h"

/* More than that in an entity of a tick is not kept. */
#define SHAPE_BYTES_MAX 2048u
#define SHAPE_COLUMNS_MAX 128u

struct shape {
	struct buf bytes; /* of the messages */
	struct column_head *column;
	size_t n, cap;
};

struct shapes {
	struct shape kept[256]; /* by a hash of their bytes */
};

/* Of an entity, by its id in files. */
typedef int (*column_fn)(void *ctx, uint32_t entity, struct column_fields *c,
	struct gs_err *err);

void shapes_release(struct shapes *s);

/* Calls fn for each column of an entity, until it returns anything but GS_OK, which is
 * returned.  s: NULL, if columns have their values.  GS_E_FORMAT, too: not columns. */
int each_shaped(struct shapes *s, uint32_t entity, const struct message_run *columns,
	column_fn fn, void *ctx, struct gs_err *err);

#endif
