/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rowset.h - the rows of the database, as a world of one host.
 *
 * All changes at one instant are made between rowset_begin() and rowset_end():
 * for each entity that was read again, rowset_open(), for each row
 * rowset_now(), cells, rowset_put(), then rowset_close().  Rows are matched by
 * their identity (F_ID cells), in any order.
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
	struct sent_texts sent;
	struct rows rows[ENTITY_COUNT];
	struct tick tick;
	struct block *block; /* of the tick, between begin and end */
	struct sample_clock clock;
	bool has_key; /* the world has received its first key */
};

void rowset_init(struct rowset *s);
void rowset_release(struct rowset *s);

/* The following rows are of a new connection. */
void rowset_connected(struct rowset *s);

void rowset_begin(struct rowset *s);
void rowset_end(struct rowset *s);

/* Begins to replace the rows of one part of an entity. */
void rowset_open(struct rowset *s, enum entity_id e, uint32_t part);
/* Empty cells to fill. */
struct cells rowset_now(struct rowset *s, enum entity_id e);
/* A text cell; at most once per cell. */
void rowset_text(struct rowset *s, struct cells now, unsigned col,
	struct span text);
/* Copies a text cell of was, if it is there. */
void rowset_keep(struct rowset *s, struct cells now, struct cells was,
	unsigned col);
/* The text of such a cell. */
struct span rowset_get_text(const struct rowset *s, struct cells c,
	unsigned col);
/* The previous cells of the row with the identity of now; val is NULL if the
 * row is new. */
struct cells rowset_was(struct rowset *s, enum entity_id e, struct cells now);
void rowset_put(struct rowset *s, enum entity_id e, struct cells now);
/* The same; a new row opens so. */
void rowset_put_as(struct rowset *s, enum entity_id e, struct cells now,
	enum row_open how);
/* Closes the rows that were not put. */
void rowset_close(struct rowset *s, enum entity_id e, enum row_close why);

/* Closes all rows of an entity, or of a part of it. */
void rowset_drop(struct rowset *s, enum entity_id e, uint32_t part,
	enum row_close why);

/* Open rows of an entity. */
size_t rowset_count(const struct rowset *s, enum entity_id e);

#endif
