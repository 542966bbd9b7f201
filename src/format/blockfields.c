/* SPDX-License-Identifier: Apache-2.0 */
#include "format/blockfields.h"

#include "base/compiler.h"
#include "format/fields.h"
#include "format/varint.h"

#define AT(S, FIELD) offsetof(struct S, FIELD)

/* By the numbers of gpsnap.proto. */
static const struct field_place of_block[] = {
	[1] = { FIELD_U32, AT(block_fields, host) },
	[2] = { FIELD_U32, AT(block_fields, connection) },
	[3] = { FIELD_U64, AT(block_fields, sequence) },
	[4] = { FIELD_FIXED64, AT(block_fields, wall_ns) },
	[5] = { FIELD_FIXED64, AT(block_fields, mono_ns) },
	[6] = { FIELD_FIXED64, AT(block_fields, boot_ns) },
	[7] = { FIELD_ZIGZAG, AT(block_fields, rtt_ns) },
	[8] = { FIELD_ZIGZAG, AT(block_fields, offset_ns) },
	[FIELD_BLOCK_ENTITY] = { FIELD_MESSAGES, AT(block_fields, n_entity) },
};

static const struct field_place of_delta[] = {
	[FIELD_DELTA_ENTITY] = { FIELD_U32, AT(delta_fields, entity) },
	[2] = { FIELD_LANE, AT(delta_fields, closed_gap) },
	[3] = { FIELD_LANE, AT(delta_fields, closed_why) },
	[4] = { FIELD_LANE, AT(delta_fields, opened_gap) },
	[5] = { FIELD_LANE, AT(delta_fields, opened_how) },
	[FIELD_DELTA_COLUMN] = { FIELD_RUN, AT(delta_fields, columns) },
	[7] = { FIELD_LANE, AT(delta_fields, ended_gap) },
	[8] = { FIELD_LANE, AT(delta_fields, ended_why) },
	[FIELD_DELTA_COLUMNS] = { FIELD_MESSAGES, AT(delta_fields, n_columns) },
	[FIELD_DELTA_WAITED] = { FIELD_MESSAGES, AT(delta_fields, n_waited) },
};

static const struct field_place of_column[] = {
	[1] = { FIELD_U32, AT(column_fields, is.metric) },
	[FIELD_COLUMN_VALUES + 0] = { FIELD_LANE, AT(column_fields, row_gap) },
	[FIELD_COLUMN_VALUES + 1] = { FIELD_LANE, AT(column_fields, diff) },
	[FIELD_COLUMN_VALUES + 2] = { FIELD_LANE, AT(column_fields, text) },
	[FIELD_COLUMN_VALUES + 3] = { FIELD_LANE, AT(column_fields, gone_gap) },
	[FIELD_COLUMN_COUNTS + 0] = { FIELD_U32, AT(column_fields, is.rows) },
	[FIELD_COLUMN_COUNTS + 1] = { FIELD_U32, AT(column_fields, is.diffs) },
	[FIELD_COLUMN_COUNTS + 2] = { FIELD_U32, AT(column_fields, is.texts) },
	[FIELD_COLUMN_COUNTS + 3] = { FIELD_U32, AT(column_fields, is.gones) },
	[10] = { FIELD_U32, AT(column_fields, is.sum) },
};

static const struct field_place of_columns[] = {
	[1] = { FIELD_LANE, AT(columns_fields, metric_gap) },
	[2] = { FIELD_LANE, AT(columns_fields, row_gap) },
	[3] = { FIELD_LANE, AT(columns_fields, diff) },
	[4] = { FIELD_U32, AT(columns_fields, running) },
	[5] = { FIELD_U32, AT(columns_fields, padded) },
};

static const struct field_place of_waited[] = {
	[1] = { FIELD_U32, AT(waited_fields, slot) },
	[2] = { FIELD_U32, AT(waited_fields, kind) },
	[3] = { FIELD_U32, AT(waited_fields, event) },
	[4] = { FIELD_U32, AT(waited_fields, has_query_id) },
	[5] = { FIELD_ZIGZAG, AT(waited_fields, query_id) },
	[6] = { FIELD_U32, AT(waited_fields, query) },
	[7] = { FIELD_LANE, AT(waited_fields, amount) },
};

bool block_fields_read(struct block_fields *ret, struct span bytes)
{
	*ret = (struct block_fields) { .bytes = bytes };
	return fields_read(bytes, of_block, GS_LEN(of_block), ret);
}

bool delta_fields_read(struct delta_fields *ret, struct span bytes)
{
	*ret = (struct delta_fields) { .bytes = bytes };
	return fields_read(bytes, of_delta, GS_LEN(of_delta), ret);
}

bool column_fields_read(struct column_fields *ret, struct span bytes)
{
	*ret = (struct column_fields) { .is.metric = 0 };
	return fields_read(bytes, of_column, GS_LEN(of_column), ret);
}

bool columns_fields_read(struct columns_fields *ret, struct span bytes)
{
	*ret = (struct columns_fields) { 0 };
	return fields_read(bytes, of_columns, GS_LEN(of_columns), ret);
}

bool waited_fields_read(struct waited_fields *ret, struct span bytes)
{
	*ret = (struct waited_fields) { 0 };
	return fields_read(bytes, of_waited, GS_LEN(of_waited), ret);
}
