/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_gist.c - any bytes as a gist frame of a group, also behind a checksum that
 * holds.
 */
#include <stdlib.h>

#include "format/gistframe.h"
#include "fuzz.h"
#include "repair.h"

static void give_texts(struct gisttext *g)
{
	struct tick t = TICK_INIT;

	while (gisttext_give(g, &t)) {
		if (t.n_text > 0 && t.text[t.n_text - 1].id != t.n_text)
			abort();
	}
	tick_release(&t);
}

static void give_clocks(struct gistclock *c)
{
	struct tick t = TICK_INIT;

	(void)tick_add_block(&t, 0);
	(void)tick_add_block(&t, 3);
	while (gistclock_give(c, &t)) {
		if (!tick_time_ok(t.block[1]->clock.wall_ns))
			abort();
	}
	tick_release(&t);
}

static void give_waits(const struct gistwaits *g)
{
	struct tick t = TICK_INIT;
	size_t i, n = 0;

	for (i = 0; i < GROUP_TICKS_MAX && n < g->n; i++) {
		gistwaits_give(g, i, &t);
		if (t.n_wait > 0 && !t.unsampled)
			abort();
		n += t.n_wait;
	}
	if (g->any && n != g->n)
		abort();
}

static void read_frame(const void *p, size_t len)
{
	static struct tickcode *zstd;
	struct gist_base base = { .raw = BUF_INIT };
	struct gist g = { .raw = BUF_INIT };
	struct gist_head h;
	struct gs_err err;

	if (!zstd)
		zstd = tickcode_new(1);
	if (len >= GISTFRAME_TAIL)
		(void)gistframe_len((const char *)p + len -
		    GISTFRAME_TAIL); /* any answer will do */
	(void)gistframe_read_base(zstd, p, len, &base, &err);
	if (gistframe_head(p, len, &h) && h.base_seq > 0) {
		buf_add(&base.raw, p, len); /* any bytes may be there */
		base.seq = h.base_seq;
		base.ns = h.base_ns;
	}
	if (gistframe_read(zstd, p, len, &base, &g, &err) == GS_OK &&
	    (!gistframe_head(p, len, &h) || g.list.n != h.n ||
	    g.raw.len != h.raw_len || g.record_len > g.raw.len || g.n_remark != h.n_remark))
		abort();
	give_texts(&g.text);
	give_waits(&g.waits);
	give_clocks(&g.clock);
	gist_release(&g);
	buf_release(&base.raw);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf b = BUF_INIT;

	read_frame(data, size);
	if (size >= GISTFRAME_HEAD + GISTFRAME_TAIL) {
		buf_add(&b, data, size);
		repair_beside(b.ptr, b.len);
		read_frame(b.ptr, b.len);
		buf_release(&b);
	}
	return 0;
}
