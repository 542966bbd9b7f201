/*
 * told.h - texts as the other side knows them.
 *
 * A text is sent with the first answer that uses it.  Each text cell of a
 * row holds one reference.  A reference that an answer drops is let go only
 * when the next answer begins, so that no id gets a new text while a row of
 * the same answer may still mean the old one.
 */
#ifndef GS_MODEL_TOLD_H
#define GS_MODEL_TOLD_H

#include <stddef.h>
#include <stdint.h>

#include "base/scan.h"
#include "model/row.h"
#include "model/texts.h"
#include "model/tick.h"

struct told {
	struct texts *texts; /* owned */
	struct tick *tick; /* the answer being made; not owned */
	uint32_t *drop;
	size_t n_drop, drop_cap;
};

void told_init(struct told *t);
void told_release(struct told *t);

/* An answer begins: new texts go to tick. */
void told_begin(struct told *t, struct tick *tick);

/* The id of a text, with one more reference. */
uint32_t told_text(struct told *t, struct span text);

/* Gives a reference back at the next told_begin(). */
void told_drop(struct told *t, uint32_t id);

/* Sets a text cell of now; was (val may be NULL) is the row before, whose
 * text mostly is the same. */
void told_set(struct told *t, struct cells now, struct cells was,
	unsigned col, struct span text);

/* Lets now have the cell that was has, if any. */
void told_keep(struct told *t, struct cells now, struct cells was,
	unsigned col);

/* The row is now what was in now: gives back the references of was. */
void told_settle(struct told *t, enum entity_id e, struct cells was,
	struct cells now);

/* Gives back all references of a row. */
void told_forget(struct told *t, enum entity_id e, struct cells c);

#endif
