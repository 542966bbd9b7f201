/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blockfields.h - the messages HostBlock, EntityDelta, Column, Columns and
 * Waited of gpsnap.proto as structs that point into their bytes.  Private to src/format.
 *
 * Nothing in them is checked but that they are such messages.
 */
#ifndef GS_FORMAT_BLOCKFIELDS_H
#define GS_FORMAT_BLOCKFIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/scan.h"
#include "format/fields.h"
#include "format/lane.h"

struct block_fields {
	struct span bytes;
	uint32_t host, connection, n_entity;
	uint64_t sequence;
	int64_t wall_ns, mono_ns, boot_ns, rtt_ns, offset_ns;
};

struct delta_fields {
	struct span bytes;
	uint32_t entity;
	struct lane closed_gap, closed_why, opened_gap, opened_how, ended_gap,
	    ended_why;
	struct message_run columns; /* Column */
	uint32_t n_columns, n_waited; /* messages Columns and Waited */
};

struct column_head {
	uint32_t metric, sum;
	uint32_t rows, diffs, texts, gones; /* in a group: how many of each */
};

struct column_fields {
	struct column_head is;
	struct lane row_gap, diff, text, gone_gap;
};

struct columns_fields {
	struct lane metric_gap, row_gap, diff;
	uint32_t running, padded;
};

struct waited_fields {
	uint32_t slot, kind, event, has_query_id, query;
	int64_t query_id;
	struct lane amount;
};

/* False: the bytes are no such message. */
bool block_fields_read(struct block_fields *ret, struct span bytes);
bool delta_fields_read(struct delta_fields *ret, struct span bytes);
bool column_fields_read(struct column_fields *ret, struct span bytes);
bool columns_fields_read(struct columns_fields *ret, struct span bytes);
bool waited_fields_read(struct waited_fields *ret, struct span bytes);

#endif
