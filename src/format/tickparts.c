/* SPDX-License-Identifier: Apache-2.0 */
#include "format/tickparts.h"

#include <string.h>

#include "base/err.h"
#include "format/varint.h"
#include "metric/metric.h"

/* Wire types: the low bits of a tag give the type of the bytes after it. */
enum wire { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

struct field {
	uint64_t number;
	struct span whole; /* with its tag */
	struct span body; /* of WIRE_BYTES; else empty */
	bool has_body;
	uint64_t value; /* of WIRE_VARINT; else 0 */
};

/* Parses a field from the beginning of s; false: there is no whole one. */
static bool parse_field(struct span *s, struct field *ret)
{
	const char *from = s->ptr;
	uint64_t tag, len = 0;

	if (!varint_read(s, &tag))
		return false;
	*ret = (struct field) { .number = tag >> 3 };
	ret->has_body = (tag & 7) == WIRE_BYTES;
	if ((tag & 7) == WIRE_32 || (tag & 7) == WIRE_64)
		len = (tag & 7) == WIRE_32 ? 4 : 8;
	else if ((tag & 7) != WIRE_VARINT && !ret->has_body)
		return false;
	else if (!varint_read(s, &len))
		return false;
	else if (!ret->has_body) {
		ret->value = len;
		len = 0;
	}
	if (len > span_len(*s))
		return false;
	if (ret->has_body)
		ret->body = span_of(s->ptr, (size_t)len);
	s->ptr += len;
	ret->whole = span_of(from, (size_t)(s->ptr - from));
	return true;
}

typedef int (*field_fn)(void *ctx, const struct field *f);

/* GS_OK, or the negative result of fn; GS_E_FORMAT: these are not fields. */
static int each_field(struct span s, field_fn fn, void *ctx)
{
	struct field f;
	int r = GS_OK;

	while (r == GS_OK && !span_empty(s))
		r = parse_field(&s, &f) ? fn(ctx, &f) : GS_E_FORMAT;
	return r;
}

/* Visits the fields of the ticks within records, and counts both. */
struct way {
	field_fn fn; /* for each field of the tick */
	void *ctx;
	size_t n_record, n_tick;
};

static int enter_tick(void *ctx, const struct field *f)
{
	struct way *w = ctx;

	if (f->number != FIELD_RECORD_TICK)
		return GS_OK;
	w->n_tick++;
	return f->has_body ? each_field(f->body, w->fn, w->ctx) : GS_E_FORMAT;
}

static int enter_record(void *ctx, const struct field *f)
{
	struct way *w = ctx;

	if (f->number != FIELD_RECORDING_RECORD)
		return GS_OK;
	w->n_record++;
	return f->has_body ? each_field(f->body, enter_tick, w) : GS_E_FORMAT;
}

static int measure(void *ctx, const struct field *f)
{
	struct tickparts *p = ctx;

	if (f->number != FIELD_TICK_HOST) {
		p->rest_len += span_len(f->whole);
		return GS_OK;
	}
	p->n_host++;
	return f->has_body ? GS_OK : GS_E_FORMAT;
}

bool tickparts_of(struct tickparts *ret, struct span record)
{
	struct way w = { .fn = measure, .ctx = ret };

	*ret = (struct tickparts) { .record = record };
	return each_field(record, enter_record, &w) == GS_OK &&
	    w.n_record == 1 && w.n_tick > 0;
}

static int copy_rest(void *ctx, const struct field *f)
{
	char **to = ctx;

	if (f->number == FIELD_TICK_HOST)
		return GS_OK;
	memcpy(*to, f->whole.ptr, span_len(f->whole));
	*to += span_len(f->whole);
	return GS_OK;
}

void tickparts_rest(const struct tickparts *p, void *to)
{
	char *at = to;
	struct way w = { .fn = copy_rest, .ctx = &at };

	(void)each_field(p->record, enter_record, &w); /* checked before */
}

struct give {
	int (*fn)(void *ctx, struct span host);
	void *ctx;
};

static int give_host(void *ctx, const struct field *f)
{
	const struct give *g = ctx;

	return f->number == FIELD_TICK_HOST ? g->fn(g->ctx, f->body) : GS_OK;
}

int tickparts_hosts(const struct tickparts *p,
	int (*fn)(void *ctx, struct span host), void *ctx)
{
	struct give g = { fn, ctx };
	struct way w = { .fn = give_host, .ctx = &g };

	return each_field(p->record, enter_record, &w);
}

/* ---- some of a host's entities -------------------------------------------- */

static int find_entity(void *ctx, const struct field *f)
{
	uint64_t *id = ctx;

	if (f->number == FIELD_DELTA_ENTITY)
		*id = f->value; /* the last one counts */
	return GS_OK;
}

struct picking {
	uint64_t wanted;
	char *to;
};

static int pick(void *ctx, const struct field *f)
{
	struct picking *p = ctx;
	uint64_t id = 0;
	int e;

	if (f->number == FIELD_BLOCK_ENTITY && f->has_body) {
		/* what is no message is left to those who unpack it */
		if (each_field(f->body, find_entity, &id) == GS_OK) {
			e = id > UINT32_MAX ? -1
			    : entity_by_file_id((uint32_t)id);
			if (e < 0 || !(p->wanted >> e & 1))
				return GS_OK;
		}
	}
	memcpy(p->to, f->whole.ptr, span_len(f->whole));
	p->to += span_len(f->whole);
	return GS_OK;
}

bool tickparts_pick(struct span host, uint64_t wanted, void *to,
	size_t *ret_len)
{
	struct picking p = { wanted, to };
	bool whole = each_field(host, pick, &p) == GS_OK;

	*ret_len = (size_t)(p.to - (char *)to);
	return whole;
}
