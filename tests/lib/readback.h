/* SPDX-License-Identifier: Apache-2.0 */
/*
 * readback.h - reads a file and checks every tick that comes out against what
 * was recorded.
 */
#ifndef TESTS_LIB_READBACK_H
#define TESTS_LIB_READBACK_H

#include "expect.h"
#include "format/reader.h"
#include "sandbox/sanitizer.h"

/* How far to go on where every n-th place is tried.  With sanitizers each costs five
 * times as much, and every 20th of these is tried: the other build tries all. */
static inline size_t stride(size_t n)
{
	return HAS_SANITIZER ? 20 * n : n;
}

/* What came out of a file. */
struct got {
	uint64_t seq[RECORDING_TICKS];
	size_t n, gaps, damages;
	bool ended, waits;
	struct gs_err err; /* status 0: none */
	struct cursor_gap first_gap, last_gap;
};

static inline void take_gap(struct got *g, const struct cursor_gap *gap)
{
	if (g->gaps++ == 0)
		g->first_gap = *gap;
	g->last_gap = *gap;
	g->damages += gap->damage;
	assert_non_null(memchr(gap->why, '\0', sizeof(gap->why)));
}

static inline void take_tick(struct got *g, const struct recording *r,
	const struct tick *t, struct world *w)
{
	struct gs_err err;

	if (world_apply(w, t, &err) < 0)
		fail_msg("%s", err.msg);
	recording_expect(r, t, w);
	assert_true(g->n < RECORDING_TICKS);
	g->seq[g->n++] = t->seq;
}

static inline void read_on(struct reader *rd, const struct recording *r,
	struct got *g, struct world *w)
{
	for (;;) {
		struct cursor_gap gap;
		struct tick *t = NULL;

		switch (reader_next(rd, &t, &gap, &g->err)) {
		case CURSOR_TICK:
			take_tick(g, r, t, w);
			break;
		case CURSOR_GAP:
			take_gap(g, &gap);
			world_lost(w);
			break;
		case CURSOR_WAIT:
			g->waits = true;
			return;
		case CURSOR_END:
			g->ended = true;
			return;
		case CURSOR_ERROR:
			assert_true(g->err.status < 0);
			return;
		case CURSOR_REPEAT:
			fail_msg("files repeat nothing");
		}
	}
}

static inline void read_path(const char *path, const struct recording *r,
	struct got *g)
{
	struct reader *rd = NULL;
	struct world *w = world_new();

	*g = (struct got) { 0 };
	if (reader_open(path, &rd, &g->err) == GS_OK) {
		read_on(rd, r, g, w);
		reader_free(rd);
	}
	world_free(w);
}

static inline void read_bytes(const struct buf *b, const struct recording *r,
	struct got *g)
{
	struct memfile m;

	memfile_make(&m, b->ptr, b->len);
	read_path(m.path, r, g);
	memfile_close(&m);
}

static inline void expect_seqs(const struct got *g, uint64_t from, uint64_t to)
{
	uint64_t i;

	assert_int_equal(g->n, to - from);
	for (i = from; i < to; i++)
		assert_int_equal(g->seq[i - from], i + 1);
}

#endif
