/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recording of a newer version has metrics that this one keeps but can't add up:
 * it gets neither summaries nor gists, which would lack them.
 */
#include "cases.h"
#include "edit/gist.h"
#include "format/tickcode.h"
#include "model/tick_encoder.h"
#include "query/stretch.h"
#include "simlife.h"

#define TICKS 25u
#define KEY_EVERY 12u

struct made {
	size_t summaries, gists;
};

static struct header *new_header(bool newer)
{
	struct header *h = header_new();

	h->interval_ns = SIM_SECOND;
	header_add_host(h, 0, "alpha");
	if (newer)
		header_add_unknown(h, "process.flux");
	return h;
}

static void make(bool newer, struct made *ret)
{
	struct tick_encoder *e = encoder_new(new_header(newer));
	struct stretch *s = stretch_new(&(struct stretch_also) { 0 });
	struct gists *g = gists_new(TICKCODE_LEVEL, 0);
	struct tickcode *code = tickcode_new(TICKCODE_LEVEL);
	struct buf raw = BUF_INIT;
	struct simlife life;
	unsigned i;

	*ret = (struct made) { 0 };
	simlife_init(&life, "alpha", 7, 12);
	for (i = 0; i < TICKS; i++) {
		struct tick *t;

		simlife_step(&life, SIM_SECOND);
		if (i % KEY_EVERY == 0)
			encoder_need_key(e);
		encoder_begin(e, life.host.clock.wall_ns);
		encoder_block(e, 0, life.host.world);
		/* the encoder builds it anew each time */
		t = (struct tick *)encoder_end(e);
		tickcode_encode(code, t, &raw);
		ret->gists += gists_tick(g, t,
		    span_of(raw.ptr, raw.len)) != NULL;
		ret->summaries += stretch_tick(s, t) != NULL;
	}
	ret->gists += gists_end(g) != NULL;
	buf_release(&raw);
	tickcode_free(code);
	gists_free(g);
	stretch_free(s);
	encoder_free(e);
	simlife_release(&life);
}

static void test_of_this_version(void **state)
{
	struct made made;

	(void)state;
	make(false, &made);
	assert_int_equal(made.summaries, 2);
	assert_true(made.gists > 0);
}

static void test_of_a_newer_one(void **state)
{
	struct made made;

	(void)state;
	make(true, &made);
	assert_int_equal(made.summaries, 0);
	assert_int_equal(made.gists, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_of_this_version),
		cmocka_unit_test(test_of_a_newer_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
