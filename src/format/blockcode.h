/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blockcode.h - blocks and texts between struct tick and protobuf messages.
 * Private to src/format: shared by files and wire.
 */
#ifndef GS_FORMAT_BLOCKCODE_H
#define GS_FORMAT_BLOCKCODE_H

#include "base/err.h"
#include "format/pbarena.h"
#include "gpsnap.pb-c.h"
#include "model/tick.h"

/* Columns per entity that a stream has used so far; its description has to
 * name them. */
struct described {
	uint64_t col[ENTITY_COUNT][COL_WORDS_MAX];
};

/* Messages in the arena, valid until its reset; they point into t and b. */
Gpsnap__V1__HostBlock *blockcode_pack_block(struct pbarena *a,
	const struct block *b);
void blockcode_pack_texts(struct pbarena *a, const struct tick *t,
	Gpsnap__V1__Text ***ret, size_t *ret_n);
void blockcode_pack_events(struct pbarena *a, const struct tick *t,
	Gpsnap__V1__Event ***ret, size_t *ret_n);
void blockcode_pack_entities(struct pbarena *a, const struct described *d,
	Gpsnap__V1__Entity ***ret, size_t *ret_n);

/* Adds the columns that b uses. */
void described_add(struct described *d, const struct block *b);

/* Decodes into ret, which is empty and a block of t, or stands alone.  Checks
 * every count and slot; a is scratch, t is charged.  GS_E_MEMORY: it does not
 * fit into the budget. */
int blockcode_read_block(struct pbarena *a, const Gpsnap__V1__HostBlock *m,
	struct tick *t, struct block *ret, struct gs_err *err);
int blockcode_read_texts(Gpsnap__V1__Text *const *m, size_t n,
	struct tick *ret, struct gs_err *err);
int blockcode_read_events(Gpsnap__V1__Event *const *m, size_t n,
	struct tick *ret, struct gs_err *err);

#endif
