/* SPDX-License-Identifier: Apache-2.0 */
#include "format/planes.h"

#include "base/buf.h"
#include "base/err.h"
#include "format/blockfields.h"
#include "format/fields.h"
#include "format/lane.h"
#include "metric/metric.h"

#define PLANES 10u /* bytes of the longest varint */

static bool goes_on(char c)
{
	return (unsigned char)c >= 0x80;
}

/* How many values have a byte in each plane; false: one has too many.  They are after
 * each other. */
static bool count_values(const char *p, size_t len, size_t count[PLANES])
{
	size_t i, k = 0;

	for (i = 0; i < len; i++) {
		count[k]++;
		k = goes_on(p[i]) ? k + 1 : 0;
		if (k == PLANES)
			return false;
	}
	return k == 0;
}

/* The same of values that are in planes. */
static bool count_planes(const char *p, size_t len, size_t count[PLANES])
{
	size_t at = 0, k, n = lane_ends(span_of(p, len));

	for (k = 0; k < PLANES && n <= len - at; k++) {
		count[k] = n;
		n -= lane_ends(span_of(p + at, n));
		at += count[k];
	}
	return k == PLANES && n == 0 && at == len;
}

static void split(char *to, const char *from, size_t len,
	const size_t count[PLANES])
{
	char *plane[PLANES];
	size_t i, k;

	for (k = 0; k < PLANES; to += count[k++])
		plane[k] = to;
	for (i = k = 0; i < len; i++) {
		*plane[k]++ = from[i];
		k = goes_on(from[i]) ? k + 1 : 0;
	}
}

static void join(char *to, const char *from, const size_t count[PLANES])
{
	const char *plane[PLANES], *first, *second, *third, *end;
	size_t k;

	for (k = 0; k < PLANES; from += count[k++])
		plane[k] = from;
	first = plane[0]; /* most bytes are in these */
	second = end = plane[1];
	third = plane[2];
	while (first < end) {
		char c = *to++ = *first++;

		if (!goes_on(c))
			continue;
		c = *to++ = *second++;
		if (!goes_on(c))
			continue;
		c = *to++ = *third++;
		for (k = 3; goes_on(c); k++)
			c = *to++ = *plane[k]++;
	}
}

/* ---- groups ------------------------------------------------------------- */

struct group_bytes {
	char *begin;
	bool joins; /* else they are put in planes */
	enum planes_field field; /* that is in planes */
	uint64_t entities; /* a bit each */
	struct breaks *breaks; /* NULL: nobody asks */
	struct buf scratch;
};

/* len bytes are of one kind. */
static void add_breaks(struct group_bytes *g, const char *p, size_t len)
{
	size_t at = (size_t)(p - g->begin);

	if (g->breaks) {
		breaks_add(g->breaks, at);
		breaks_add(g->breaks, at + len);
	}
}

static void add_planes(struct group_bytes *g, const char *p,
	const size_t count[PLANES])
{
	size_t k;

	for (k = 0; k < PLANES; p += count[k++])
		add_breaks(g, p, count[k]);
}

static bool reorder(struct group_bytes *g, char *p, size_t len)
{
	size_t count[PLANES] = { 0 };

	if (!(g->joins ? count_planes : count_values)(p, len, count))
		return false;
	if (count[1] == 0) {
		add_breaks(g, p, len);
		return true; /* one plane is as the values are */
	}
	buf_reset(&g->scratch);
	buf_add(&g->scratch, p, len);
	if (g->joins)
		join(p, g->scratch.ptr, count);
	else
		split(p, g->scratch.ptr, len, count);
	add_planes(g, p, count);
	return true;
}

static char tag_of(unsigned field)
{
	return (char)(field << 3 | WIRE_BYTES);
}

static int reorder_diffs(void *ctx, const struct field *f)
{
	struct group_bytes *g = ctx;
	unsigned from = g->joins ? g->field : FIELD_STREAM_DIFF;
	char *whole = g->begin + (f->whole.ptr - g->begin);

	if (f->wire != WIRE_BYTES)
		return GS_OK;
	if (f->number != from) {
		add_breaks(g, f->body.ptr, span_len(f->body));
		return GS_OK;
	}
	if (*whole != tag_of(from)) /* in more bytes than it needs */
		return GS_E_FORMAT;
	*whole = tag_of(g->joins ? FIELD_STREAM_DIFF : g->field);
	return reorder(g, g->begin + (f->body.ptr - g->begin),
	    span_len(f->body)) ? GS_OK : GS_E_FORMAT;
}

/* Of an entity that is asked for. */
static bool is_asked(const struct group_bytes *g, struct span stream)
{
	struct field f;

	while (g->entities != UINT64_MAX && !span_empty(stream) &&
	    field_next(&stream, &f)) {
		if (f.number == FIELD_STREAM_ENTITY)
			return entity_is_in(g->entities, (uint32_t)f.value);
	}
	return true;
}

static int reorder_stream(void *ctx, const struct field *f)
{
	if (f->number != FIELD_GROUP_STREAM || f->wire != WIRE_BYTES ||
	    !is_asked(ctx, f->body))
		return GS_OK;
	return each_field(f->body, reorder_diffs, ctx);
}

static bool reorder_group(struct group_bytes *g, size_t len)
{
	struct span record = span_of(g->begin, len), one, streams;
	bool ok = message_next(&record, FIELD_RECORDING_RECORD, &one) &&
	    message_next(&one, FIELD_RECORD_GROUP, &streams) &&
	    each_field(streams, reorder_stream, g) == GS_OK;

	buf_release(&g->scratch);
	return ok;
}

bool planes_split(char *group, size_t len, enum planes_field field,
	struct breaks *ret)
{
	return reorder_group(&(struct group_bytes) { .begin = group,
	    .field = field, .entities = UINT64_MAX, .breaks = ret,
	    .scratch = BUF_INIT }, len);
}

bool planes_join(char *group, size_t len, enum planes_field field)
{
	return planes_join_some(group, len, field, UINT64_MAX);
}

bool planes_join_some(char *group, size_t len, enum planes_field field,
	uint64_t entities)
{
	return reorder_group(&(struct group_bytes) { .begin = group,
	    .joins = true, .field = field, .entities = entities,
	    .scratch = BUF_INIT }, len);
}
