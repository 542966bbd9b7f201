/* SPDX-License-Identifier: Apache-2.0 */
#include "format/tickparts.h"

#include <string.h>

#include "base/err.h"
#include "format/fields.h"
#include "format/varint.h"

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
	return f->wire == WIRE_BYTES ? each_field(f->body, w->fn, w->ctx) : GS_E_FORMAT;
}

static int enter_record(void *ctx, const struct field *f)
{
	struct way *w = ctx;

	if (f->number != FIELD_RECORDING_RECORD)
		return GS_OK;
	w->n_record++;
	return f->wire == WIRE_BYTES ? each_field(f->body, enter_tick, w) : GS_E_FORMAT;
}

static int measure(void *ctx, const struct field *f)
{
	struct tickparts *p = ctx;

	if (f->number != FIELD_TICK_HOST) {
		p->rest_len += span_len(f->whole);
		return GS_OK;
	}
	p->n_host++;
	return f->wire == WIRE_BYTES ? GS_OK : GS_E_FORMAT;
}

bool tickparts_of(struct tickparts *ret, struct span record)
{
	struct way w = { .fn = measure, .ctx = ret };

	*ret = (struct tickparts) { .bytes = record };
	return each_field(record, enter_record, &w) == GS_OK &&
	    w.n_record == 1 && w.n_tick > 0;
}

bool tickparts_of_tick(struct tickparts *ret, struct span tick)
{
	*ret = (struct tickparts) { .bytes = tick, .is_tick = true };
	return each_field(tick, measure, ret) == GS_OK;
}

static int each_part(const struct tickparts *p, field_fn fn, void *ctx)
{
	struct way w = { .fn = fn, .ctx = ctx };

	return p->is_tick ? each_field(p->bytes, fn, ctx)
	                  : each_field(p->bytes, enter_record, &w);
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

	(void)each_part(p, copy_rest, &at); /* checked before */
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

	return each_part(p, give_host, &g);
}
