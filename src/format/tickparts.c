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

static bool is_of_rest(const struct tickparts *p, const struct field *f)
{
	return f->number != FIELD_TICK_HOST &&
	    (p->texts || f->number != FIELD_TICK_TEXT);
}

static int measure(void *ctx, const struct field *f)
{
	struct tickparts *p = ctx;

	if (is_of_rest(p, f))
		p->rest_len += span_len(f->whole);
	if (f->number == FIELD_TICK_HEADER && ++p->n_header > 1)
		return GS_E_FORMAT;
	if (f->number != FIELD_TICK_HOST)
		return GS_OK;
	p->n_host++;
	return f->wire == WIRE_BYTES ? GS_OK : GS_E_FORMAT;
}

bool tickparts_of(struct tickparts *ret, struct span record, bool texts)
{
	struct way w = { .fn = measure, .ctx = ret };

	*ret = (struct tickparts) { .bytes = record, .texts = texts };
	return each_field(record, enter_record, &w) == GS_OK &&
	    w.n_record == 1 && w.n_tick > 0;
}

bool tickparts_of_tick(struct tickparts *ret, struct span tick, bool texts)
{
	*ret = (struct tickparts) { .bytes = tick, .is_tick = true, .texts = texts };
	return each_field(tick, measure, ret) == GS_OK;
}

static int each_part(const struct tickparts *p, field_fn fn, void *ctx)
{
	struct way w = { .fn = fn, .ctx = ctx };

	return p->is_tick ? each_field(p->bytes, fn, ctx)
	                  : each_field(p->bytes, enter_record, &w);
}

struct copy {
	const struct tickparts *p;
	char *to;
};

static int copy_rest(void *ctx, const struct field *f)
{
	struct copy *c = ctx;

	if (!is_of_rest(c->p, f))
		return GS_OK;
	memcpy(c->to, f->whole.ptr, span_len(f->whole));
	c->to += span_len(f->whole);
	return GS_OK;
}

void tickparts_rest(const struct tickparts *p, void *to)
{
	struct copy c = { p, to };

	(void)each_part(p, copy_rest, &c); /* checked before */
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
