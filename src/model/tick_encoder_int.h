/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tick_encoder_int.h - the state of an encoder: shared by tick_encoder.c
 * (ticks, hosts), tick_encoder_base.c (rows) and tick_encoder_text.c.
 */
#ifndef GS_MODEL_TICK_ENCODER_INT_H
#define GS_MODEL_TICK_ENCODER_INT_H

#include "model/tick_encoder.h"

#define BASE_SLOT_BITS 29

/* The last encoded state of one row, packed (packed.h): usually a quarter of the
 * unpacked size, and where the source packs its rows, too, the same bytes.  Cells of
 * hidden columns may be in it; its texts are in base.text.  Of rows that change at
 * each tick the cells are as they are, since they would be unpacked and packed each
 * time. */
struct base_row {
	union {
		struct packed *packed; /* NULL: no row */
		uint64_t *awake; /* cells_words() of them */
	};
	uint32_t slot : BASE_SLOT_BITS; /* in the recording; TICK_SLOTS_MAX */
	uint32_t is_awake : 1;
	uint32_t fresh : 2; /* enum row_open, until the tick is complete */
	uint32_t serial; /* of the source's row: detects reused slots */
};

/* One entity of one host, by slot of the source. */
struct base {
	struct base_row *row; /* packed == NULL: no row */
	size_t n_row, row_cap;
	uint32_t *text; /* ids of encoder.texts, as many for each row as the entity
			 * has columns of texts */
	size_t text_cap;
	uint32_t next_slot; /* of the recording, counted since the last key */
};

struct base_host {
	uint32_t index;
	bool known; /* it was encoded, and not lost since */
	bool added; /* to the current tick */
	size_t tick_bytes; /* its encoded bytes, approximately */
	uint64_t src_ticks; /* ticks of the source when it was encoded */
	struct sample_clock clock;
	struct base ent[ENTITY_COUNT];
};

/* Why rows closed in the last tick of a world.  Many may close at once, so they
 * are found by binary search. */
struct closings {
	struct closing {
		uint32_t serial;
		enum row_close why;
	} *at; /* sorted by serial */
	size_t n, cap;
};

/* A row of the base in the order in which a key has the cells. */
struct sorted {
	uint64_t kind;
	uint32_t row;
};

struct tick_encoder {
	struct closings closings; /* of the current entity */
	struct sorted *sorted; /* rows of the current entity, in a key */
	size_t sorted_cap;
	struct header *header;
	struct tick tick;
	struct texts *texts; /* every text of the base */
	uint32_t *sent; /* texts in no cell, with a reference up to the next key */
	size_t n_sent, sent_cap;
	uint32_t next_tag; /* a text's tag - period_tag is its id */
	uint32_t period_tag; /* tags up to this one were assigned before the key */
	struct base_host *host;
	size_t n_host, host_cap;
	size_t awake_bytes; /* of rows that are not packed */
	uint32_t *place; /* of a host by index: in host, + 1; 0: none */
	size_t n_place, place_cap;
	size_t period_bytes; /* of texts that were sent since the key */
	uint64_t seq;
	uint64_t left_out, skipped; /* before the next tick */
	unsigned since_key;
	bool need_key;
	bool no_key; /* none is due by time */
	void (*give)(void *arg, const struct block *b); /* or NULL */
	void *give_arg;
	encoder_hide_fn *hide;
	void *hide_arg;
	encoder_text_fn *change; /* or NULL */
	void *change_arg;
	uint64_t *scratch, *before; /* one row's cells each */
	uint64_t hidden[ENTITY_COUNT][COL_WORDS_MAX]; /* columns */
};

/* One host of the source, and what was encoded of it before. */
struct encoder_source {
	const struct world *world;
	const struct table *table; /* by entity */
	uint64_t since; /* ticks of the world already encoded */
	enum row_close gone; /* why rows close that the source did not close */
	const struct encoder_rows *rows; /* NULL: no sums */
};

/* Encodes the rows of an entity that changed since; in a key only updates the
 * base. */
void encoder_rows_of(struct tick_encoder *m, struct base *b, struct delta *d,
	const struct encoder_source *by);

/* Encodes all rows of the base, with new slots. */
void encoder_all_rows(struct tick_encoder *m, struct base *b,
	struct delta *d);

/* Rows that closed stay in the base until their sums are encoded. */
void encoder_sums(struct tick_encoder *m, struct base *b, struct delta *d,
	const struct encoder_source *by);

/* The id of a text in no cell.  It stays up to the next key: other ticks have the same
 * texts. */
uint32_t encoder_send_text(struct tick_encoder *m, const char *text);

/* A key begins: texts in no cell are sent again. */
void encoder_forget_sent(struct tick_encoder *m);

/* Deltas have ids of the pool; converts them to ids of the recording. */
void encoder_translate_texts(struct tick_encoder *m, struct delta *d);

/* Removes row i from the base; the first also closes its slot. */
void encoder_close_row(struct tick_encoder *m, struct base *b, struct delta *d,
	size_t i, enum row_close why);
void encoder_forget_row(struct tick_encoder *m, struct base *b,
	enum entity_id e, size_t i);

/* Frees the cells of a row: there is no row then.  Its texts stay. */
void encoder_drop_cells(struct tick_encoder *m, enum entity_id e,
	struct base_row *s);

#endif
