/* SPDX-License-Identifier: Apache-2.0 */
/*
 * planes.h - varints in planes: the first bytes of all, then the second ones of those
 * that have one, and so on.  Bytes that are alike are next to each other so, and
 * compress better.  The length stays.  Private to src/format.
 */
#ifndef GS_FORMAT_PLANES_H
#define GS_FORMAT_PLANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/breaks.h"
#include "format/varint.h"

/* The field of a stream that has values in planes. */
enum planes_field {
	PLANES_OF_GROUP = FIELD_STREAM_PLANES, /* joined, they are a field diff */
	PLANES_OF_GIST = FIELD_STREAM_DIFF /* the letters of its frame tell */
};

/* The differences in all streams of a group, which is a field `record` of Recording,
 * in their place.  False: something is no group, or these are not varints.  ret, if not
 * NULL, gets where in the group another plane, or list of a stream, begins or ends. */
bool planes_split(char *group, size_t len, enum planes_field field,
	struct breaks *ret);
bool planes_join(char *group, size_t len, enum planes_field field);

/* Those of other entities than these, a bit each, stay as they are. */
bool planes_join_some(char *group, size_t len, enum planes_field field,
	uint64_t entities);

#endif
