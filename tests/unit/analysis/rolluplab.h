/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rolluplab.h - sums over a range, by group: processes of two hosts, grouped by
 * uid.
 */
#ifndef TESTS_UNIT_ANALYSIS_ROLLUPLAB_H
#define TESTS_UNIT_ANALYSIS_ROLLUPLAB_H

#include <math.h>

#include "analysis/rollup.h"
#include "base/compiler.h"
#include "cases.h"
#include "model/tick_encoder.h"
#include "simhost.h"

struct lab {
	struct simhost h[2];
	struct tick_encoder *encoder;
	struct world *w;
	struct rollup *r;
};

static uint64_t moved_to; /* in place of 7 */

/* The group of a row is the one of its uid; 0: none. */
static inline struct group *by_uid(void *ctx, struct rollup *r, struct row *row)
{
	uint64_t uid = 0;
	bool fresh;

	(void)ctx;
	if (!row_get(row, COL(PROCESS, UID), &uid) || uid == 0)
		return NULL;
	if (moved_to && uid == 7)
		uid = moved_to;
	return rollup_group(r, &uid, sizeof(uid), &fresh);
}

static inline void set_up(struct lab *l)
{
	static const unsigned cols[] = { COL(PROCESS, MINFLT),
		COL(PROCESS, RSS_ANON), COL(PROCESS, READ_BYTES) };
	struct rollup_by by = { .member = by_uid, .keeps_rows = true };
	uint64_t want[COL_WORDS_MAX] = { 0 };
	size_t i;

	for (i = 0; i < GS_LEN(cols); i++)
		want[cols[i] / 64] |= UINT64_C(1) << cols[i] % 64;
	simhost_init(&l->h[0], "alpha");
	simhost_init(&l->h[1], "beta");
	l->encoder = encoder_new(header_new());
	l->w = world_new();
	l->r = rollup_new(ENTITY_PROCESS, want, &by);
}

static inline void tear_down(struct lab *l)
{
	rollup_free(l->r);
	world_free(l->w);
	encoder_free(l->encoder);
	simhost_release(&l->h[0]);
	simhost_release(&l->h[1]);
}

static inline size_t start(struct lab *l, int host, uint64_t pid, uint64_t uid,
	enum row_open how)
{
	struct simhost *h = &l->h[host];
	size_t i = simhost_process(h, how, pid, 1, "x");

	SIM_SET(h, i, UID, uid);
	SIM_SET(h, i, MINFLT, 1000);
	SIM_SET(h, i, RSS_ANON, 10);
	return i;
}

static inline void tick_of(struct lab *l, bool alpha, bool beta)
{
	struct gs_err err;

	encoder_begin(l->encoder, l->h[0].clock.wall_ns);
	if (alpha) {
		simhost_tick(&l->h[0], SIM_SECOND);
		encoder_block(l->encoder, 0, l->h[0].world);
	}
	if (beta) {
		simhost_tick(&l->h[1], SIM_SECOND);
		encoder_block(l->encoder, 1, l->h[1].world);
	}
	if (world_apply(l->w, encoder_end(l->encoder), &err) < 0)
		fail_msg("%s", err.msg);
	rollup_tick(l->r, l->w, NULL);
}

static inline void tick(struct lab *l)
{
	tick_of(l, true, true);
}

static inline struct group *group(struct lab *l, uint64_t uid)
{
	bool fresh;
	struct group *g = rollup_group(l->r, &uid, sizeof(uid), &fresh);

	assert_false(fresh);
	return g;
}

#define NONE (-1.0)

static inline double sum_col(struct lab *l, uint64_t uid, unsigned col,
	bool *ret_partial)
{
	double v;

	if (!group_sum(l->r, group(l, uid), col, 1, &v, ret_partial))
		return NONE;
	return v;
}

static inline void expect_sum(struct lab *l, uint64_t uid, unsigned col, double want)
{
	bool partial;

	assert_true(sum_col(l, uid, col, &partial) == want);
}

static inline void expect_rate(struct lab *l, uint64_t uid, double want)
{
	bool partial;
	double v = NONE;

	if (!group_rate(l->r, group(l, uid), COL(PROCESS, MINFLT), 1, &v,
	    &partial))
		v = NONE;
	assert_true(v == want);
}

static inline void expect_peak(struct lab *l, uint64_t uid, double want)
{
	double v = NONE;

	if (!group_peak(l->r, group(l, uid), COL(PROCESS, RSS_ANON), &v))
		v = NONE;
	assert_true(v == want);
}

static inline void expect_stay(struct lab *l, uint64_t uid, double want)
{
	double v = NONE;

	assert_true(group_stay(l->r, group(l, uid), &v) == (want >= 0));
	assert_true(want < 0 || fabs(v - want) < 1e-12);
}

#define FAULTS COL(PROCESS, MINFLT)
#define MEM COL(PROCESS, RSS_ANON)

#endif
