/*
 * shelf.h - the rows that the database brought, as a world of one host.
 *
 * What changes at one instant is said between shelf_begin() and shelf_end():
 * for each entity that was read anew, shelf_open(), for each row
 * shelf_now(), cells, shelf_put(), then shelf_close().  Rows are told by
 * their identity (F_ID cells), so a row may stand anywhere.
 */
#ifndef GS_PG_SHELF_H
#define GS_PG_SHELF_H

#include <stdbool.h>
#include <stdint.h>

#include "model/rows.h"
#include "model/sent_texts.h"
#include "model/world.h"

struct shelf {
	struct world *world; /* owned */
	struct sent_texts told;
	struct rows rows[ENTITY_COUNT];
	struct tick tick;
	struct block *block; /* of the tick, between begin and end */
	struct sample_clock clock;
	bool said; /* the world has had its key */
};

void shelf_init(struct shelf *s);
void shelf_release(struct shelf *s);

/* The rows that come now are of another connection. */
void shelf_connected(struct shelf *s);

void shelf_begin(struct shelf *s);
void shelf_end(struct shelf *s);

/* Rows of one part of an entity are put anew. */
void shelf_open(struct shelf *s, enum entity_id e, uint32_t part);
/* Empty cells to fill. */
struct cells shelf_now(struct shelf *s, enum entity_id e);
/* A text cell; at most once per cell. */
void shelf_text(struct shelf *s, struct cells now, unsigned col,
	struct span text);
/* The text of such a cell. */
struct span shelf_get_text(const struct shelf *s, struct cells c,
	unsigned col);
/* The row with the identity of now as it was before; val is NULL if it is
 * new. */
struct cells shelf_was(struct shelf *s, enum entity_id e, struct cells now);
void shelf_put(struct shelf *s, enum entity_id e, struct cells now);
/* Rows that were not put are closed. */
void shelf_close(struct shelf *s, enum entity_id e, enum row_close why);

/* Closes all rows of an entity, or of a part of it. */
void shelf_drop(struct shelf *s, enum entity_id e, uint32_t part,
	enum row_close why);

/* Open rows of an entity. */
size_t shelf_count(const struct shelf *s, enum entity_id e);

#endif
