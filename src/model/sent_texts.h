/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sent_texts.h - texts that were sent to the other side, by id.
 *
 * A text is sent with the first answer that uses it.  Each text cell of a row
 * holds one reference.  A reference that an answer drops is released only when
 * the next answer begins, so that no id gets a new text while a row of the
 * same answer may still use the old one.
 */
#ifndef GS_MODEL_SENT_TEXTS_H
#define GS_MODEL_SENT_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/scan.h"
#include "model/row.h"
#include "model/texts.h"
#include "model/tick.h"

struct sent_texts {
	struct texts *texts; /* owned */
	struct tick *tick; /* the answer being made; not owned */
	uint32_t *drop;
	size_t n_drop, drop_cap;
};

void sent_init(struct sent_texts *t);
void sent_release(struct sent_texts *t);

/* An answer begins: new texts go to tick. */
void sent_begin(struct sent_texts *t, struct tick *tick);

/* The id of a text, with one more reference. */
uint32_t sent_text(struct sent_texts *t, struct span text);

/* Releases a reference at the next sent_begin(). */
void sent_drop(struct sent_texts *t, uint32_t id);

/* Sets a text cell of now; was (val may be NULL) is the row before, which
 * usually has the same text. */
void sent_set(struct sent_texts *t, struct cells now, struct cells was,
	unsigned col, struct span text);

/* Copies the cell of was to now, if it is present. */
void sent_keep(struct sent_texts *t, struct cells now, struct cells was,
	unsigned col);

/* The row now has new cells: releases the references of was. */
void sent_replace(struct sent_texts *t, enum entity_id e, struct cells was,
	struct cells now);

/* Releases all references of a row. */
void sent_forget(struct sent_texts *t, enum entity_id e, struct cells c);

#endif
