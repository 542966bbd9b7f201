/* SPDX-License-Identifier: Apache-2.0 */
/*
 * world_int.h - shared by the files of world: world_row.c (rows),
 * world_entity.c (deltas of one entity), world_key.c (keys), world_order.c (order
 * of rows), world.c (hosts, ticks).
 */
#ifndef GS_MODEL_WORLD_INT_H
#define GS_MODEL_WORLD_INT_H

#include "model/world.h"

/* Rows of all hosts together: limits the memory that a crafted file can take. */
#define ROWS_MAX (1u << 20)

/* Slots of all tables together, open or not, between two keys: a row in slot 1,000,000 of each
 * of 4,096 hosts must not take all memory.  64 MiB of pointers. */
#define SLOTS_MAX ((size_t)8 << 20)

/* The rows that a key may continue, by identity: a hash table (open addressing).  A row
 * is its number + 1; 0: none. */
struct match {
	struct match_bucket {
		uint32_t like; /* any of the identity; 0: an empty bucket */
		uint32_t next; /* the first that was not matched */
	} *bucket;
	uint32_t *after; /* of a row: the next one of its identity */
	size_t n_bucket, cap, after_cap;
};

struct world {
	struct gs_budget *budget; /* not owned; may be NULL */
	size_t charged; /* of it, by this world */
	struct host **host; /* by position */
	size_t n_host, host_cap;
	struct host **catalog; /* those that are one, in the same order */
	size_t n_catalog, catalog_cap;
	struct host **by_index; /* by index in the recording, NULL: none */
	size_t by_index_cap;
	struct texts *texts;
	uint64_t text_mask[ENTITY_COUNT][COL_WORDS_MAX];
	uint64_t id_mask[ENTITY_COUNT][COL_WORDS_MAX]; /* F_ID */
	uint32_t *map; /* the stream's text ids to ours; holds references */
	size_t map_len, map_cap;
	struct row **touched;
	size_t n_touched, touched_cap;
	uint64_t touched_of; /* a bit per entity */
	struct row **fresh; /* rows that the current key opens */
	size_t fresh_cap;
	struct match match;
	uint64_t ticks;
	uint32_t serial;
	size_t n_rows;
	size_t n_slots; /* room of all tables */
	size_t text_bytes; /* the part of charged that texts take */
	int64_t thinned_ns; /* 0: the newest header does not say that ticks were left out */
	bool lost;
	bool plain; /* rows have no `was` */
	bool resting; /* world_new_resting() */
	struct row **awake; /* of these the last tick touched, held */
	size_t n_awake, awake_cap, awake_bytes, awake_max_bytes;
	bool names_hosts; /* hosts are matched by the header's names */
};

/* Applies the sums of a delta, then closes the slots that it ends. */
int world_sum_up(struct world *w, struct table *tab, const struct delta *d,
	struct gs_err *err);

/* Frees the memory of slots that a table does not use any more. */
void world_shrink(struct world *w, struct table *tab);
void world_each_text(struct world *w, enum entity_id e, struct cells c,
	void (*fn)(struct texts *, uint32_t));

/* Charges the world's budget; false: there is no room. */
bool world_charge(struct world *w, size_t bytes);
void world_refund(struct world *w, size_t bytes);

/* Memory of a row, with its entries in the world's lists. */
size_t world_row_bytes(const struct world *w, enum entity_id e);

/* An open row that the world holds, all cells absent; charged already. */
struct row *world_row_new(struct world *w, struct host *h, enum entity_id e);

/* The cells of a row at rest are needed. */
void world_wake(struct row *r);
void world_wake_all(const struct table *tab);

/* A tick was applied: rows of a resting world are packed, those of a key or else
 * those touched, but for world_stay_awake(). */
void world_rest(struct world *w, bool key);

/* What the current tick tells of ticks that were left out; empty at first. */
struct left_out *world_left_out(const struct world *w, struct row *r);

/* The world drops its reference; texts of cells are released. */
void world_row_forget(struct world *w, struct row *r);

/* world_touch(), of a row that the tick has not changed yet. */
void world_touch_first(struct world *w, struct row *r);

/* The current tick changes the row: keeps its cells as they were. */
static inline void world_touch(struct world *w, struct row *r)
{
	if (r->touched_tick != w->ticks)
		world_touch_first(w, r);
}

void world_row_opened(struct world *w, struct row *r, enum row_open how);
void world_row_closed(struct world *w, struct row *r, enum row_close why);

/* The same after the rest of a tick, of which it may have had a part. */
void world_row_ended(struct world *w, struct row *r, enum row_close why);

/* lenient: skips slots that are not open.  If reading starts at a key, the
 * slots that it closes were never open. */
int world_close_slots(struct world *w, struct table *tab,
	const struct delta *d, bool lenient, struct gs_err *err);

/* In a key rows are only created: whether they opened is decided when all are
 * known. */
int world_open_slots(struct world *w, struct host *h, struct table *tab,
	const struct delta *d, bool key, struct gs_err *err);
int world_change_columns(struct world *w, const struct table *tab,
	const struct delta *d, bool key, struct gs_err *err);

/* Gives all rows new slots. */
int world_renumber(struct world *w, struct gs_err *err);

/* Applies the delta of one entity of one host. */
int world_apply_delta(struct world *w, struct host *h, const struct delta *d,
	struct gs_err *err);
int world_apply_key(struct world *w, struct host *h, const struct delta *d,
	struct gs_err *err);

#endif
