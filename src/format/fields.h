/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fields.h - the fields of a protobuf message, parsed where they are: without
 * memory for a message.  Private to src/format.
 *
 * Blocks of rows are read this way, since most of a recording is in them; what
 * is small or rare is unpacked by protobuf-c.
 */
#ifndef GS_FORMAT_FIELDS_H
#define GS_FORMAT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/scan.h"
#include "format/lane.h"

/* Wire types: the low bits of a tag give the type of the bytes after it. */
enum wire { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

struct field {
	uint64_t number;
	enum wire wire;
	struct span whole; /* with its tag */
	struct span body; /* of WIRE_BYTES; else empty */
	uint64_t value; /* of the others */
};

/* Messages of one number: how many, and the bytes from the first one to the last, with
 * their tags and whatever is between. */
struct message_run {
	struct span bytes;
	uint32_t n;
};

/* Parses a field from the beginning of s; false: there is no whole one. */
bool field_next(struct span *s, struct field *ret);

typedef int (*field_fn)(void *ctx, const struct field *f);

/* GS_OK, or the negative result of fn; GS_E_FORMAT: these are not fields. */
int each_field(struct span s, field_fn fn, void *ctx);

/* Where a field goes in a struct. */
enum field_kind {
	FIELD_NONE, /* nowhere, like fields that are not in the table */
	FIELD_U32,
	FIELD_U64,
	FIELD_ZIGZAG, /* int64_t */
	FIELD_FIXED64, /* int64_t */
	FIELD_MESSAGES, /* uint32_t: how many there are */
	FIELD_RUN, /* struct message_run */
	FIELD_LANE /* struct lane; packed */
};

struct field_place {
	enum field_kind kind;
	size_t offset;
};

/* Removes from s all up to its next field of that number and of WIRE_BYTES, whose body
 * is returned in ret; false: no such field. */
bool message_next(struct span *s, uint64_t number, struct span *ret);

/* Fills the zeroed struct at to; place has one entry per number of a field, up
 * to n.  Of a field that occurs again the last one counts.  False: these are
 * not fields, a known one has another type, or a lane has two parts. */
bool fields_read(struct span s, const struct field_place *place, size_t n,
	void *to);

#endif
