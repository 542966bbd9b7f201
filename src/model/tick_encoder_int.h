/* SPDX-License-Identifier: Apache-2.0 */
/*
 * encoder_int.h - what a encoder remembers of what it said.  Private to
 * encoder.c.
 */
#ifndef GS_MODEL_ENCODER_INT_H
#define GS_MODEL_ENCODER_INT_H

#include "model/closings.h"
#include "model/tick_encoder.h"

/* What was said last of one row: its cells, texts as ids of encoder.texts,
 * packed (packed.h): mostly a quarter of what they take unpacked. */
struct said {
	unsigned char *bytes;
	uint32_t cap;
	uint32_t slot; /* in the recording */
	uint32_t serial; /* of the source's row: tells slots used again */
	enum row_open fresh; /* how it opened, until the tick is made */
};

/* One entity of one host, by the source's slot. */
struct base {
	struct said *row; /* bytes == NULL: no row */
	size_t n_row, row_cap;
	uint32_t next_slot; /* of the recording, since the last key */
};

struct base_host {
	uint32_t index;
	bool known; /* it has been said, and was not lost since */
	bool added; /* to the tick at hand */
	size_t said_bytes; /* in it, about */
	uint64_t src_ticks; /* of the source, when it was said */
	struct sample_clock clock;
	struct base ent[ENTITY_COUNT];
};

struct tick_encoder {
	struct closings closings; /* of the entity at hand */
	struct header *header;
	struct tick tick;
	struct texts *texts; /* every text of the base */
	uint32_t next_tag; /* a text's tag - period_tag is its id */
	uint32_t period_tag; /* tags up to this were given before the key */
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
