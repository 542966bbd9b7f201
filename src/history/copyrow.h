/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copyrow.h - rows as COPY takes them: binary, or as text for a database that may
 * not take binary ones.  In binary form numbers and times need be neither written
 * out nor read, and texts not be escaped.
 *
 * Types are those of ddl_known_type().  Times are microseconds there: the nearest
 * one.
 *
 * Use: copyrow_begin() and copyrow_add_...() of its first columns, which several
 * rows may have: they are appended to another buffer; copyrow_add_cell() of each
 * other column, copyrow_end(); copyrow_finish() after the last row.
 */
#ifndef GS_HISTORY_COPYROW_H
#define GS_HISTORY_COPYROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "query/grid.h"

struct copyrow {
	bool is_binary;
	uint32_t last_character; /* of the database's encoding */
	struct buf cell, text; /* scratch */
};

void copyrow_release(struct copyrow *c);

/* What follows COPY's FROM STDIN. */
const char *copyrow_format(const struct copyrow *c);

/* n: its columns, all of them. */
void copyrow_begin(const struct copyrow *c, struct buf *to, size_t n);
void copyrow_add_id(const struct copyrow *c, struct buf *to, uint32_t id);
void copyrow_add_time(const struct copyrow *c, struct buf *to, int64_t ns);
void copyrow_add_real(const struct copyrow *c, struct buf *to, double v);

/* table: for errors.  A text where the column has numbers is one. */
int copyrow_add_cell(struct copyrow *c, struct buf *to,
	const struct grid_col *col, const struct cell *cell, const char *table,
	struct gs_err *err);
void copyrow_end(const struct copyrow *c, struct buf *to);

/* Before the rows, and after them. */
void copyrow_open(const struct copyrow *c, struct buf *to);
void copyrow_finish(const struct copyrow *c, struct buf *to);

/* A text that the database can store: bytes of characters that its encoding lacks
 * become \xHH. */
void copyrow_add_storable(uint32_t last_character, struct buf *to,
	struct span s);

#endif
