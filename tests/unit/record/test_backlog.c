/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include "base/clock.h"
#include "record/backlog.h"

/* A frame a second of 1000 bytes: 'k' is a key, 'd' a delta. */
static const struct {
	const char *name, *frames;
	int64_t keep_s;
	size_t max_bytes;
	const char *want; /* what is left */
	uint64_t dropped;
} cases[] = {
	{ "nothing", "", 10, 100000, "", 0 },
	{ "all is new", "kdddkd", 10, 100000, "kdddkd", 0 },
	{ "up to a key", "kdddkddddd", 5, 100000, "kddddd", 0 },
	{ "a key within", "kdddkddddd", 6, 100000, "kdddkddddd", 0 },
	{ "several", "kdkdkdkdkd", 3, 100000, "kdkd", 0 },
	{ "of what was written before", "ddddkddd", 3, 100000, "kddd", 0 },
	{ "too much: up to a key", "kddkdd", 100, 5000, "kdd", 3 },
	{ "too much: no key", "kdddd", 100, 3000, "", 5 },
	{ "too much: up to the next key", "kddddkd", 100, 3000, "kd", 5 },
};

static void test_frames(void **state)
{
	const __typeof__(cases[0]) *c = *state;
	struct backlog b = { .keep_ns = c->keep_s * GS_NSEC_PER_SEC,
		.max_bytes = c->max_bytes };
	struct backlog_frame f = { .zframe = BUF_INIT }, *one;
	struct buf got = BUF_INIT;
	size_t i;

	buf_add_fill(&f.zframe, 'x', 1000);
	for (i = 0; c->frames[i]; i++) {
		f.kind = c->frames[i] == 'k' ? FRAME_KEY : FRAME_DELTA;
		f.seq = i;
		f.wall_ns = (int64_t)i * GS_NSEC_PER_SEC;
		backlog_add(&b, &f);
		backlog_trim(&b);
	}
	assert_int_equal(b.dropped, c->dropped);
	while ((one = backlog_pop(&b)) != NULL) {
		buf_add_char(&got, one->kind == FRAME_KEY ? 'k' : 'd');
		assert_int_equal(one->zframe.len, 1000);
		backlog_frame_free(one);
	}
	assert_string_equal(buf_str(&got), c->want);
	assert_int_equal(b.n, 0);
	assert_int_equal(b.bytes, 0);
	backlog_release(&b);
	buf_release(&f.zframe);
	buf_release(&got);
}

int main(void)
{
	struct cases all = { 0 };

	CASES_TABLE(&all, test_frames, cases);
	return cases_run(&all, "record/backlog");
}
