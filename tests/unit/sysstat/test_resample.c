/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which ticks are samples: of a host that is lost and comes back, and of
 * intervals after a hole.
 */
#include "base/buf.h"
#include "cases.h"
#include "model/tick_encoder.h"
#include "simhost.h"
#include "sysstat/resample.h"

static const char *const names[] = { "one", "two" };

/* Two hosts, their recording, and what is told of it. */
struct lab {
	struct simhost host[2];
	struct tick_encoder *encoder;
	struct resample resample;
	int64_t last_ns[2];
	struct buf told; /* "one two | ": hosts that have a sample, by tick */
};

static void away(void *self, const struct resample_hole *hole)
{
	struct lab *l = self;

	buf_printf(&l->told, "away %lld ", (long long)
	    ((hole->to_ns - hole->from_ns) / SIM_SECOND));
}

static bool tick(void *self, const struct world *w, const struct host *h,
	bool is_sample)
{
	struct lab *l = self;

	(void)w;
	resample_check_gap(h, l->last_ns[h->index] > 0, &l->last_ns[h->index],
	    away, l);
	if (is_sample)
		buf_printf(&l->told, "%s ", h->name);
	return true;
}

static void hole(void *self, const struct resample_hole *hole)
{
	struct lab *l = self;

	buf_printf(&l->told, "hole %lld | ", (long long)
	    ((hole->to_ns - hole->from_ns) / SIM_SECOND));
}

static const struct resample_ops ops = { .tick = tick, .hole = hole };

static void begin(struct lab *l, int64_t every_s)
{
	struct resample_opt opt = { .every_host = true, .from_ns = INT64_MIN,
		.to_ns = INT64_MAX, .every_ns = every_s * SIM_SECOND };
	struct header *h = header_new();
	uint32_t i;

	*l = (struct lab) { .told = BUF_INIT };
	l->encoder = encoder_new(h);
	for (i = 0; i < 2; i++) {
		simhost_init(&l->host[i], names[i]);
		header_add_host(h, i, names[i]);
	}
	resample_init(&l->resample, &opt, SIM_SECOND, &ops, l);
}

static void end(struct lab *l, const char *want)
{
	assert_string_equal(buf_str(&l->told), want);
	simhost_release(&l->host[0]);
	simhost_release(&l->host[1]);
	encoder_free(l->encoder);
	resample_release(&l->resample);
	buf_release(&l->told);
}

/* Both hosts, or the first alone; told: the second was lost just now. */
static void sample(struct lab *l, bool both, bool lost)
{
	struct gs_err err;
	int i;

	for (i = 0; i < 2; i++)
		simhost_tick(&l->host[i], SIM_SECOND);
	encoder_begin(l->encoder, l->host[0].clock.wall_ns);
	for (i = 0; i < (both ? 2 : 1); i++)
		encoder_block(l->encoder, (uint32_t)i, l->host[i].world);
	if (lost)
		encoder_host_lost(l->encoder, 1);
	assert_int_equal(resample_tick(&l->resample, encoder_end(l->encoder),
	    &err), GS_OK);
	buf_add_str(&l->told, "| ");
}

/* The block that reports the loss is not a sample. */
static void host_lost(void **state)
{
	struct lab l;

	(void)state;
	begin(&l, 0);
	sample(&l, true, false);
	sample(&l, true, false);
	sample(&l, false, true);
	sample(&l, false, false);
	l.host[1].full = true;
	l.host[1].clock.connection++;
	sample(&l, true, false);
	sample(&l, true, false);
	end(&l, "one two | one two | one | one | one away 3 two | one two | ");
}

static void after_a_hole(void **state)
{
	struct lab l;
	struct cursor_gap gap;
	int i;

	(void)state;
	begin(&l, 3);
	for (i = 0; i < 5; i++)
		sample(&l, true, false);
	gap = (struct cursor_gap) { .from_ns = l.host[0].clock.wall_ns };
	for (i = 0; i < 4; i++) {
		simhost_tick(&l.host[0], SIM_SECOND);
		simhost_tick(&l.host[1], SIM_SECOND);
	}
	gap.to_ns = l.host[0].clock.wall_ns + SIM_SECOND;
	resample_gap(&l.resample, &gap);
	encoder_need_key(l.encoder);
	for (i = 0; i < 4; i++)
		sample(&l, true, false);
	end(&l, "one two | | | one two | | "
	    "hole 5 | away 5 one away 5 two | | | one two | ");
}

/* A cursor of twenty ticks.  The fifth can't be applied, and after the sixth
 * the next file begins with a key that repeats it. */
struct rotating {
	struct lab *l;
	int n; /* ticks that were given */
	bool repeated;
	struct block *spoilt; /* to be put right */
	struct gs_err err;
};

static enum cursor_step next_rotating(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct rotating *r = self;
	struct lab *l = r->l;
	int i;

	(void)gap;
	(void)err;
	if (r->spoilt)
		r->spoilt->host = 1;
	r->spoilt = NULL;
	if (r->n == 6 && !r->repeated) {
		r->repeated = true;
		*ret = encoder_repeat_as_key(l->encoder);
		return CURSOR_REPEAT;
	}
	if (r->n == 20)
		return CURSOR_END;
	for (i = 0; i < 2; i++)
		simhost_tick(&l->host[i], SIM_SECOND);
	encoder_begin(l->encoder, l->host[0].clock.wall_ns);
	for (i = 0; i < 2; i++)
		encoder_block(l->encoder, (uint32_t)i, l->host[i].world);
	*ret = encoder_end(l->encoder);
	if (++r->n == 5) {
		r->spoilt = (*ret)->block[1];
		r->spoilt->host = 0; /* occurs twice */
	}
	buf_add_char(&l->told, '|');
	return CURSOR_TICK;
}

static void a_repeat_ends_a_loss(void **state)
{
	static const struct cursor_ops ways = { .next = next_rotating };
	struct lab l;
	struct rotating r = { .l = &l };

	(void)state;
	begin(&l, 0);
	assert_int_equal(resample_run(&l.resample,
	    (struct cursor) { &ways, &r }, &r.err), GS_OK);
	end(&l, "|one two |one two |one two |one two ||hole 2 | "
	    "|one two |one two |one two |one two |one two |one two |one two "
	    "|one two |one two |one two |one two |one two |one two |one two ");
}

static const struct head_case {
	const char *name;
	struct cursor_gap gap;
	bool is_told;
} head_cases[] = {
	{ "damage at the start", { .from_ns = INT64_MIN, .damage = true,
	    .why = "wrong checksum" }, true },
	{ "ticks of another file at the start", { .from_ns = INT64_MIN,
	    .why = "ticks are missing" }, false },
	{ "a hole before the first sample", { .from_ns = 0,
	    .why = "ticks are missing" }, true },
	{ "nothing recorded", { .from_ns = 0 }, false },
};

/* It separates no samples, but a part of the range is lost. */
static void before_the_first(void **state)
{
	const struct head_case *c = *state;
	struct cursor_gap gap = c->gap;
	struct lab l;

	begin(&l, 0);
	gap.to_ns = l.host[0].clock.wall_ns + SIM_SECOND;
	resample_gap(&l.resample, &gap);
	sample(&l, true, false);
	assert_int_equal(l.resample.headless, c->is_told);
	if (c->is_told) {
		assert_true(l.resample.head.from_ns == gap.from_ns);
		assert_true(l.resample.head.to_ns == gap.to_ns);
		assert_string_equal(l.resample.head.why, gap.why);
	}
	end(&l, "one two | ");
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, before_the_first, head_cases);
	cases_add(&c, "host lost", host_lost, NULL);
	cases_add(&c, "after a hole", after_a_hole, NULL);
	cases_add(&c, "a repeat ends a loss", a_repeat_ends_a_loss, NULL);
	return cases_run(&c, "resample");
}
