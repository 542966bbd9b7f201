/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blockcode.h - blocks and texts between struct tick and protobuf messages.
 * Private to src/format: shared by files and wire.
 */
#ifndef GS_FORMAT_BLOCKCODE_H
#define GS_FORMAT_BLOCKCODE_H

#include "base/err.h"
#include "format/blockfields.h"
#include "format/pbarena.h"
#include "format/shapes.h"
#include "gpsnap.pb-c.h"
#include "model/header.h"
#include "model/tick.h"

/* Columns per entity that a stream has used so far; its description has to
 * name them. */
struct described {
	uint64_t col[ENTITY_COUNT][COL_WORDS_MAX];
};

/* Messages in the arena, valid until its reset; they point into t and b.  dense:
 * columns of the same rows together. */
Gpsnap__V1__HostBlock *blockcode_pack_block(struct pbarena *a,
	const struct block *b, bool dense);
void blockcode_pack_texts(struct pbarena *a, const struct tick *t,
	Gpsnap__V1__Text ***ret, size_t *ret_n);
void blockcode_pack_events(struct pbarena *a, const struct tick *t,
	Gpsnap__V1__Event ***ret, size_t *ret_n);
void blockcode_pack_entities(struct pbarena *a, const struct described *d,
	Gpsnap__V1__Entity ***ret, size_t *ret_n);

/* First slot, then differences; each slot is at a multiple of stride. */
static inline void blockcode_gaps(const uint32_t *slot, size_t n,
	size_t stride, int32_t *to)
{
	uint32_t last = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		to[i] = (int32_t)(slot[i * stride] - last);
		last = slot[i * stride];
	}
}

/* Adds the columns of numbers of d that lose no cell, those of the same rows
 * together.  left: a bit per column of d that is used; cleared for these.  They are
 * bytes already, which protobuf-c takes for fields that it does not know: most of a
 * recorder's tick are their values, which it would go through twice. */
void densecode_pack(struct pbarena *a, const struct delta *d, uint64_t *left,
	Gpsnap__V1__EntityDelta *to);

/* How many rows a message Columns with so many of each has; false: its values do
 * not fit. */
bool densecode_rows(size_t n_metric, size_t n_row, size_t n_diff,
	size_t *ret_n);

/* The rows and values of one of its columns: those that it has, of the n rows at
 * slot; to_diff may be diff.  Returns their number. */
size_t densecode_column(const uint64_t *diff, bool running, bool padded,
	const uint32_t *slot, size_t n, uint32_t *to_slot, uint64_t *to_diff);

/* Makes single columns of them in all of the tick, for a group.  Fails as
 * pbarena_fail() says. */
int densecode_spread(struct pbarena *a, Gpsnap__V1__Tick *t,
	struct gs_err *err);

/* Adds the columns that b uses. */
void described_add(struct described *d, const struct block *b);

/* Where the values of columns are, if not in the columns themselves. */
struct column_values {
	/* Points c to its values, or looks at those it has.  Negative: they are missing, or
	 * refused. */
	column_fn find;
	void *ctx;
	struct shapes *shapes;
};

/* How a block is read. */
struct blockcode_in {
	struct pbarena *scratch;
	uint64_t wanted; /* entities, a bit each; rows of others are skipped */
	const struct column_values *values; /* NULL: in the columns */
};

/* Decodes a HostBlock into ret, which is empty and a block of t, or stands alone.
 * Checks every count and slot; t is charged.  GS_E_MEMORY: it does not fit into
 * the budget. */
int blockcode_read_block(const struct blockcode_in *in, struct span bytes,
	struct tick *t, struct block *ret, struct gs_err *err);

/* Room for n more texts; t is charged.  False: they do not fit into the budget. */
bool blockcode_room_of_texts(struct tick *t, size_t n, size_t bytes);
int blockcode_read_texts(Gpsnap__V1__Text *const *m, size_t n,
	struct tick *ret, struct gs_err *err);
int blockcode_read_events(Gpsnap__V1__Event *const *m, size_t n,
	struct tick *ret, struct gs_err *err);

#endif
