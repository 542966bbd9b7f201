/* SPDX-License-Identifier: Apache-2.0 */
#include "format/fields.h"

#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "format/varint.h"

#define FIELD_NUMBER_MAX 0x1fffffff /* of protobuf */

/* A number of a fixed length. */
static bool read_fixed(struct span *s, enum wire wire, uint64_t *ret)
{
	size_t len = wire == WIRE_32 ? 4 : 8;

	if ((wire != WIRE_32 && wire != WIRE_64) || span_len(*s) < len)
		return false;
	*ret = wire == WIRE_32 ? gs_get_le32(s->ptr) : gs_get_le64(s->ptr);
	s->ptr += len;
	return true;
}

/* Most varints have one byte. */
static inline bool read_short(struct span *s, uint64_t *ret)
{
	if (span_empty(*s) || (unsigned char)*s->ptr >= 0x80)
		return varint_read(s, ret);
	*ret = (unsigned char)*s->ptr++;
	return true;
}

/* Sets the body of WIRE_BYTES only. */
static inline bool next(struct span *s, struct field *ret)
{
	uint64_t tag;

	if (!read_short(s, &tag))
		return false;
	ret->number = tag >> 3;
	if (ret->number == 0 || ret->number > FIELD_NUMBER_MAX)
		return false;
	ret->wire = (enum wire)(tag & 7);
	if (ret->wire == WIRE_VARINT)
		return read_short(s, &ret->value);
	if (ret->wire != WIRE_BYTES)
		return read_fixed(s, ret->wire, &ret->value);
	if (!read_short(s, &ret->value) || ret->value > span_len(*s))
		return false;
	ret->body = span_of(s->ptr, (size_t)ret->value);
	s->ptr = ret->body.end;
	return true;
}

bool field_next(struct span *s, struct field *ret)
{
	const char *from = s->ptr;

	ret->body = span_of(from, 0);
	if (!next(s, ret))
		return false;
	ret->whole = span_of(from, (size_t)(s->ptr - from));
	return true;
}

int each_field(struct span s, field_fn fn, void *ctx)
{
	struct field f;
	int r = GS_OK;

	while (r == GS_OK && !span_empty(s))
		r = field_next(&s, &f) ? fn(ctx, &f) : GS_E_FORMAT;
	return r;
}

bool message_next(struct span *s, uint64_t number, struct span *ret)
{
	struct field f;

	while (!span_empty(*s) && next(s, &f)) {
		if (f.number == number && f.wire == WIRE_BYTES) {
			*ret = f.body;
			return true;
		}
	}
	return false;
}

/* ---- into a struct ------------------------------------------------------ */

static const enum wire wire_of[] = {
	[FIELD_U32] = WIRE_VARINT, [FIELD_U64] = WIRE_VARINT,
	[FIELD_ZIGZAG] = WIRE_VARINT, [FIELD_FIXED64] = WIRE_64,
	[FIELD_MESSAGES] = WIRE_BYTES, [FIELD_RUN] = WIRE_BYTES,
	[FIELD_LANE] = WIRE_BYTES,
};

/* Values in two parts, which no writer makes, are refused. */
static bool put_lane(const struct field *f, struct lane *to)
{
	return to->n == 0 && lane_of(to, f->body);
}

/* The field begins at `from`. */
static void put_run(const struct field *f, const char *from, struct message_run *to)
{
	if (to->n == 0)
		to->bytes.ptr = from;
	to->bytes.end = f->body.end;
	to->n++;
}

static inline bool put(const struct field *f, const char *from, enum field_kind kind,
	char *to)
{
	uint32_t low = (uint32_t)f->value;
	int64_t v;

	if (f->wire != wire_of[kind])
		return false;
	if (kind == FIELD_U32) {
		memcpy(to, &low, sizeof(low));
		return f->value == low;
	}
	if (kind == FIELD_MESSAGES) {
		++*(uint32_t *)(void *)to;
		return true;
	}
	if (kind == FIELD_RUN) {
		put_run(f, from, (struct message_run *)(void *)to);
		return true;
	}
	if (kind == FIELD_LANE)
		return put_lane(f, (struct lane *)(void *)to);
	v = kind == FIELD_ZIGZAG ? gs_unzigzag(f->value) : (int64_t)f->value;
	memcpy(to, &v, sizeof(v));
	return true;
}

/* The messages after each other that s begins with: with a byte each for their tag and
 * length, as most. */
static inline bool take_run(struct span *s, const struct field_place *place, size_t n,
	char *to)
{
	const unsigned char *p = (const unsigned char *)s->ptr;
	const unsigned char *end = (const unsigned char *)s->end;
	unsigned tag = *p;
	struct message_run *run;

	if ((tag & 0x87) != WIRE_BYTES || tag >> 3 >= n || place[tag >> 3].kind != FIELD_RUN)
		return false;
	run = (struct message_run *)(void *)(to + place[tag >> 3].offset);
	if (run->n == 0)
		run->bytes.ptr = s->ptr;
	for (; end - p >= 2 && *p == tag && p[1] < 0x80 && p[1] <= end - p - 2; run->n++)
		p += 2 + p[1];
	run->bytes.end = (const char *)p;
	if ((const char *)p == s->ptr)
		return false;
	s->ptr = (const char *)p;
	return true;
}

/* The most frequent field: a small number with a byte each for tag and value. */
static inline bool take_small(struct span *s, const struct field_place *place,
	size_t n, char *to)
{
	const unsigned char *p = (const unsigned char *)s->ptr;
	uint32_t v;

	/* WIRE_VARINT is 0 */
	if (span_len(*s) < 2 || (p[0] & 0x87) || p[1] >= 0x80 ||
	    p[0] >> 3 >= n || place[p[0] >> 3].kind != FIELD_U32)
		return false;
	v = p[1];
	memcpy(to + place[p[0] >> 3].offset, &v, sizeof(v));
	s->ptr += 2;
	return true;
}

bool fields_read(struct span s, const struct field_place *place, size_t n,
	void *to)
{
	struct field f;

	while (!span_empty(s)) {
		const struct field_place *p;
		const char *from = s.ptr;

		if (take_small(&s, place, n, to) || take_run(&s, place, n, to))
			continue;
		if (!next(&s, &f))
			return false;
		p = f.number < n ? &place[f.number] : NULL;
		if (p && p->kind != FIELD_NONE &&
		    !put(&f, from, p->kind, (char *)to + p->offset))
			return false;
	}
	return true;
}
