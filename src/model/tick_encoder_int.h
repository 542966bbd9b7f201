/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tick_encoder_int.h - the state of an encoder.  Private to tick_encoder.c.
 */
#ifndef GS_MODEL_ENCODER_INT_H
#define GS_MODEL_ENCODER_INT_H

#include "model/closings.h"
#include "model/tick_encoder.h"

/* The last encoded state of one row: its cells, texts as ids of encoder.texts,
 * packed (packed.h): usually a quarter of the unpacked size. */
struct said {
	unsigned char *bytes;
	uint32_t cap;
	uint32_t slot; /* in the recording */
	uint32_t serial; /* of the source's row: detects reused slots */
	enum row_open fresh; /* how it opened, until the tick is complete */
};

/* One entity of one host, by slot of the source. */
struct base {
	struct said *row; /* bytes == NULL: no row */
	size_t n_row, row_cap;
	uint32_t next_slot; /* of the recording, counted since the last key */
};

struct base_host {
	uint32_t index;
	bool known; /* it was encoded, and not lost since */
	bool added; /* to the current tick */
	size_t said_bytes; /* its encoded bytes, approximately */
	uint64_t src_ticks; /* ticks of the source when it was encoded */
	struct sample_clock clock;
	struct base ent[ENTITY_COUNT];
};

struct tick_encoder {
	struct closings closings; /* of the current entity */
	struct header *header;
	struct tick tick;
	struct texts *texts; /* every text of the base */
	uint32_t next_tag; /* a text's tag - period_tag is its id */
	uint32_t period_tag; /* tags up to this one were assigned before the key */
	struct base_host *host;
	size_t n_host, host_cap;
	size_t period_bytes; /* of texts that were sent since the key */
	uint64_t seq;
	uint64_t left_out; /* before the next tick */
	unsigned since_key;
	bool need_key;
	void (*give)(void *arg, const struct block *b); /* or NULL */
	void *give_arg;
	encoder_text_fn *change; /* or NULL */
	void *change_arg;
	uint64_t *scratch, *before; /* one row's cells each */
	unsigned char *pack; /* room for one row, packed */
	uint64_t hidden[ENTITY_COUNT][COL_WORDS_MAX]; /* columns */
};

#endif
