/* SPDX-License-Identifier: Apache-2.0 */
#include "format/gistclock.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"
#include "format/varint.h"

void gistclock_release(struct gistclock *c)
{
	size_t i;

	for (i = 0; i < GISTCLOCK_COLUMNS; i++)
		buf_release(&c->col[i]);
	free(c->host);
	*c = (struct gistclock) { .host = NULL };
}

void gistclock_reset(struct gistclock *c)
{
	size_t i;

	for (i = 0; i < GISTCLOCK_COLUMNS; i++)
		buf_reset(&c->col[i]);
	c->n_host = 0;
}

static struct gistclock_host *host_of(struct gistclock *c, uint32_t index)
{
	GS_GROW(c->host, &c->host_cap, (size_t)index + 1);
	while (c->n_host <= index)
		c->host[c->n_host++] = (struct gistclock_host) { { 0 } };
	return &c->host[index];
}

static struct gistclock_host values_of(const struct sample_clock *c,
	int64_t tick_ns)
{
	return (struct gistclock_host) { { (int64_t)c->connection,
		(int64_t)c->sequence, gs_difference(c->wall_ns, tick_ns),
		gs_difference(c->mono_ns, c->wall_ns),
		gs_difference(c->boot_ns, c->mono_ns), c->rtt_ns,
		c->offset_ns } };
}

static struct sample_clock clock_of(const struct gistclock_host *h,
	int64_t tick_ns)
{
	struct sample_clock c = { .connection = (uint32_t)h->v[0],
		.sequence = (uint64_t)h->v[1], .rtt_ns = h->v[5],
		.offset_ns = h->v[6] };

	c.wall_ns = gs_sum(h->v[2], tick_ns);
	c.mono_ns = gs_sum(h->v[3], c.wall_ns);
	c.boot_ns = gs_sum(h->v[4], c.mono_ns);
	return c;
}

/* ---- writing ------------------------------------------------------------ */

static void add_block(struct gistclock *c, const struct block *b,
	int64_t tick_ns)
{
	struct gistclock_host *before = host_of(c, b->host);
	struct gistclock_host now = values_of(&b->clock, tick_ns);
	size_t i;

	for (i = 0; i < GISTCLOCK_COLUMNS; i++)
		buf_add_varint(&c->col[i], gs_zigzag(gs_difference(now.v[i],
		    before->v[i])));
	*before = now;
}

void gistclock_add(struct gistclock *c, const struct tick *t)
{
	size_t i;

	for (i = 0; i < t->n_block; i++)
		add_block(c, t->block[i], t->wall_ns);
}

void gistclock_put(const struct gistclock *c, struct buf *to)
{
	size_t i;

	for (i = 0; i < GISTCLOCK_COLUMNS; i++) {
		buf_add_varint(to, c->col[i].len);
		buf_add(to, c->col[i].ptr, c->col[i].len);
	}
}

/* ---- reading ------------------------------------------------------------ */

bool gistclock_open(struct gistclock *c, struct span s)
{
	uint64_t len;
	size_t i;

	for (i = 0; i < GISTCLOCK_COLUMNS; i++) {
		if (!varint_read(&s, &len) || len > span_len(s))
			return false;
		c->all[i] = span_of(s.ptr, (size_t)len);
		s.ptr += len;
	}
	gistclock_rewind(c);
	return span_empty(s);
}

void gistclock_rewind(struct gistclock *c)
{
	memcpy(c->rest, c->all, sizeof(c->rest));
	c->n_host = 0;
}

static bool give_block(struct gistclock *c, struct block *b, int64_t tick_ns)
{
	struct gistclock_host *h = host_of(c, b->host);
	uint64_t d;
	size_t i;

	for (i = 0; i < GISTCLOCK_COLUMNS; i++) {
		if (!varint_read(&c->rest[i], &d))
			return false;
		h->v[i] = gs_sum(h->v[i], gs_unzigzag(d));
	}
	b->clock = clock_of(h, tick_ns);
	return tick_time_ok(b->clock.wall_ns) &&
	    tick_time_ok(b->clock.mono_ns) && tick_time_ok(b->clock.boot_ns);
}

bool gistclock_give(struct gistclock *c, struct tick *t)
{
	bool ok = true;
	size_t i;

	for (i = 0; ok && i < t->n_block; i++)
		ok = give_block(c, t->block[i], t->wall_ns);
	return ok;
}
