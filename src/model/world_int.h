/* SPDX-License-Identifier: Apache-2.0 */
/*
 * world_int.h - what the files of world share: world.c (rows, hosts, ticks),
 * world_entity.c (deltas of one entity), world_key.c (keys).
 */
#ifndef GS_MODEL_WORLD_INT_H
#define GS_MODEL_WORLD_INT_H

#include "model/world.h"

/* Rows of all hosts together: what a crafted file may make us hold. */
#define ROWS_MAX (1u << 20)

/* Slots of all tables together, open or not, between two keys: a row in slot 1,000,000 of each
 * of 4,096 hosts must not take all memory.  64 MiB of pointers. */
#define SLOTS_MAX ((size_t)8 << 20)

/* Open addressing over the rows that a key may continue. */
struct match {
	struct row **bucket;
	size_t n_bucket, cap;
};

struct world {
	struct gs_budget *budget; /* not owned; NULL: none */
	size_t charged; /* of it, by this world */
	struct host **host; /* by position */
	size_t n_host, host_cap;
	struct host **by_index; /* by index in the recording, NULL: none */
	size_t by_index_cap;
	struct texts *texts;
	uint64_t text_mask[ENTITY_COUNT][COL_WORDS_MAX];
	uint32_t *map; /* the stream's text ids to ours, each referenced */
	size_t map_len, map_cap;
	struct row **touched;
	size_t n_touched, touched_cap;
	struct row **fresh; /* rows that the key at hand brings */
	size_t fresh_cap;
	struct match match;
	uint64_t ticks;
	uint32_t serial;
	size_t n_rows;
	size_t n_slots; /* room of all tables */
	size_t text_bytes; /* of what is charged, that of texts */
	bool thinned; /* the newest header says so */
	bool lost;
	bool plain; /* rows have no `was` */
	bool names_hosts; /* the header has the names to go by */
};

/* What a delta says besides cells, then the slots that it ends. */
int world_sum_up(struct world *w, struct table *tab, const struct delta *d,
	struct gs_err *err);

/* Gives back room that a table has no slots for any more. */
void world_shrink(struct world *w, struct table *tab);

/* fn for each text that the cells refer to. */
void world_each_text(struct world *w, enum entity_id e, struct cells c,
	void (*fn)(struct texts *, uint32_t));

/* Charges the world's budget; false: there is no room. */
bool world_charge(struct world *w, size_t bytes);
void world_refund(struct world *w, size_t bytes);

/* What a row costs, with its places in the world's lists. */
size_t world_row_bytes(const struct world *w, enum entity_id e);

/* An open row that the world holds, all cells absent; charged already. */
struct row *world_row_new(struct world *w, struct host *h, enum entity_id e);

/* The world gives its own reference back; texts of cells stay alive no
 * longer. */
void world_row_forget(struct world *w, struct row *r);

/* The tick at hand changes the row: keeps its cells as they were. */
void world_touch(struct world *w, struct row *r);
void world_row_opened(struct world *w, struct row *r, enum row_open how);
void world_row_closed(struct world *w, struct row *r, enum row_close why);

/* Where reading starts at a key, the slots that it closes were never open:
 * lenient passes over them. */
int world_close_slots(struct world *w, struct table *tab,
	const struct delta *d, bool lenient, struct gs_err *err);

/* In a key rows only come to be: settling says whether they opened. */
int world_open_slots(struct world *w, struct host *h, struct table *tab,
	const struct delta *d, bool key, struct gs_err *err);
int world_change_columns(struct world *w, const struct table *tab,
	const struct delta *d, bool key, struct gs_err *err);

/* One entity of one host. */
int world_apply_delta(struct world *w, struct host *h, const struct delta *d,
	struct gs_err *err);
int world_apply_key(struct world *w, struct host *h, const struct delta *d,
	struct gs_err *err);

#endif
