/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rowset.h - the rows that the database brought, as a world of one host.
 *
 * What changes at one instant is said between rowset_begin() and rowset_end():
 * for each entity that was read anew, rowset_open(), for each row
 * rowset_now(), cells, rowset_put(), then rowset_close().  Rows are told by
 * their identity (F_ID cells), so a row may stand anywhere.
 */
#ifndef GS_PG_ROWSET_H
#define GS_PG_ROWSET_H

#include <stdbool.h>
#include <stdint.h>

#include "model/rows.h"
#include "model/sent_texts.h"
#include "model/world.h"

struct rowset {
	struct world *world; /* owned */
	struct sent_texts told;
	struct rows rows[ENTITY_COUNT];
	struct tick tick;
	struct block *block; /* of the tick, between begin and end */
	struct sample_clock clock;
	bool said; /* the world has had its key */
};

void rowset_init(struct rowset *s);
void rowset_release(struct rowset *s);

/* The rows that come now are of another connection. */
void rowset_connected(struct rowset *s);

void rowset_begin(struct rowset *s);
void rowset_end(struct rowset *s);

/* Rows of one part of an entity are put anew. */
void rowset_open(struct rowset *s, enum entity_id e, uint32_t part);
/* Empty cells to fill. */
struct cells rowset_now(struct rowset *s, enum entity_id e);
/* A text cell; at most once per cell. */
void rowset_text(struct rowset *s, struct cells now, unsigned col,
	struct span text);
/* The text of such a cell. */
struct span rowset_get_text(const struct rowset *s, struct cells c,
	unsigned col);
/* The row with the identity of now as it was before; val is NULL if it is
 * new. */
struct cells rowset_was(struct rowset *s, enum entity_id e, struct cells now);
void rowset_put(struct rowset *s, enum entity_id e, struct cells now);
/* Rows that were not put are closed. */
void rowset_close(struct rowset *s, enum entity_id e, enum row_close why);

/* Closes all rows of an entity, or of a part of it. */
void rowset_drop(struct rowset *s, enum entity_id e, uint32_t part,
	enum row_close why);

/* Open rows of an entity. */
size_t rowset_count(const struct rowset *s, enum entity_id e);

#endif
