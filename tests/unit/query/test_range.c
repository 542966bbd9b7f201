/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a range begins and ends, and how it is cut into tables.
 */
#include <inttypes.h>

#include "cases.h"
#include "digest.h"
#include "model/tick_encoder.h"
#include "query/sample_at.h"
#include "simhost.h"

/* Tables end at multiples of their length since 1970: those of 2 s at even
 * seconds after tick 0, those of 3 s at 1, 4, 7 s. */
_Static_assert(SIM_EPOCH / SIM_SECOND % 6 == 2, "tables below rest on it");

#define MS INT64_C(1000000)
#define OPEN_FROM INT64_MIN
#define OPEN_TO INT64_MAX

/* A cursor over ticks of one host, at given instants. */
struct script {
	const int64_t *at_ms; /* after T0; ended by -1; GAP: a gap */
	size_t i;
	struct simhost host;
	struct tick_encoder *encoder;
	struct tick bad;
	bool gist; /* ticks are of a gist, which is refused */
	bool waits; /* no tick is available before each step */
	bool waited;
};

#define GAP (-2)
#define FAST (-3) /* from here on every 200 ms */
#define SLOW (-4) /* and every second */
#define BAD (-5) /* a tick that does not fit */

static enum cursor_step next(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct script *s = self;
	int64_t at = s->at_ms[s->i];

	(void)err;
	s->waited = s->waits && !s->waited;
	if (s->waited)
		return CURSOR_WAIT;
	if (at == -1)
		return CURSOR_END;
	s->i++;
	if (at == BAD) {
		delta_close_slot(&tick_add_block(&s->bad, 0)->
		    ent[ENTITY_PROCESS], 7, CLOSE_EXITED);
		s->bad.wall_ns = SIM_EPOCH + s->at_ms[s->i++] * MS;
		s->bad.seq = s->i;
		*ret = &s->bad;
		return CURSOR_TICK;
	}
	if (at == FAST || at == SLOW) {
		encoder_header(s->encoder)->interval_ns =
		    at == FAST ? 200 * MS : SIM_SECOND;
		encoder_need_key(s->encoder);
		at = s->at_ms[s->i++];
	}
	if (at == GAP) {
		*gap = (struct cursor_gap) {
			.from_ns = SIM_EPOCH + s->at_ms[s->i - 2] * MS,
			.to_ns = SIM_EPOCH + s->at_ms[s->i] * MS };
		(void)strcpy(gap->why, "a hole");
		encoder_need_key(s->encoder);
		return CURSOR_GAP;
	}
	simhost_add(&s->host, ENTITY_HOST, 0, COL(HOST, CPU_USER), 1);
	s->host.clock.wall_ns = SIM_EPOCH + at * MS;
	s->host.clock.mono_ns = at * MS + 1;
	simhost_tick(&s->host, 0);
	encoder_begin(s->encoder, SIM_EPOCH + at * MS);
	encoder_block(s->encoder, 0, s->host.world);
	*ret = encoder_end(s->encoder);
	return CURSOR_TICK;
}

static int seek(void *self, int64_t wall_ns, struct gs_err *err)
{
	(void)self;
	(void)wall_ns;
	(void)err;
	return GS_OK;
}

static bool refuse_gist(void *self)
{
	const struct script *s = self;

	return s->gist;
}

/* "from-to(ticks)" of each table, ms after T0; "!" per hole. */
static int note_table(void *ctx, const struct engine *e)
{
	struct buf *out = ctx;
	size_t i;

	buf_printf(out, "%s%" PRId64 "-%" PRId64 "(%zu)", out->len ? " " : "",
	    (e->from_ns - SIM_EPOCH) / MS, (e->to_ns - SIM_EPOCH) / MS,
	    e->n_ticks);
	for (i = 0; i < e->n_hole; i++)
		buf_add_char(out, '!');
	return 0;
}

static const int64_t steady[] = { 0, 1000, 2000, 3000, 4000, 5000, 6000,
	7000, 8000, 9000, -1 };
static const int64_t jitter[] = { 10, 1020, 2005, 3200, 4001, 5249, 6000,
	7100, 8030, 9010, -1 };
static const int64_t paced[] = { 0, 1000, 2001, FAST, 2202, 2403, 2600,
	3000, 3203, SLOW, 4002, 5000, -1 };
static const int64_t tardy[] = { 0, 1000, FAST, 2120, 2202, 2403, SLOW,
	4202, 5000, -1 };
static const int64_t holed[] = { 0, 1000, 2000, GAP, 7000, 8000, 9000, -1 };
/* The clock was set back in the hole. */
static const int64_t back_in_hole[] = { 5000, 6000, 7000, GAP, 2000, 3000, 4000, -1 };
static const int64_t single[] = { 3000, -1 };
static const int64_t late[] = { 0, 1000, 2600, 3000, 4000, -1 };
static const int64_t back[] = { 5000, 6000, 7000, 2000, 3000, 4000, -1 };

static const struct range_case {
	const char *name;
	const int64_t *ticks;
	int64_t from_ms, to_ms; /* OPEN_FROM, OPEN_TO */
	int64_t every_ms; /* -1: each tick */
	const char *tables;
	bool any, clamped;
} ranges[] = {
	{ "whole", steady, OPEN_FROM, OPEN_TO, 0, "0-9000(9)", true, false },
	{ "edges on ticks", steady, 2000, 5000, 0, "2000-5000(3)", true,
	    false },
	{ "edges between ticks: the last at or before", steady, 2600, 5900,
	    0, "2000-5000(3)", true, false },
	{ "from before the first tick: clamped", steady, -5000, 3000, 0,
	    "0-3000(3)", true, true },
	{ "to after the last", steady, 7000, 99000, 0, "7000-9000(2)", true,
	    false },
	{ "no tick after the start", steady, 9400, 9900, 0, "9000-9000(0)",
	    true, false },
	{ "all after", steady, 99000, 99900, 0, "", false, false },
	{ "all before", steady, -9000, -100, 0, "", false, false },
	{ "one tick", single, OPEN_FROM, OPEN_TO, 0, "3000-3000(0)", true,
	    false },
	{ "late ticks count for their instant", jitter, 2000, 5000, 0,
	    "2005-5249(3)", true, false },
	{ "base older than 1.5 intervals: the first after, and the hole before it",
	    holed, 4000, 9000, 0, "7000-9000(2)!", true, true },
	{ "base just young enough", late, 2500, 4000, 0, "1000-4000(3)",
	    true, false },
	{ "hole within", holed, 1000, 9000, 0, "1000-9000(4)!", true,
	    false },
	{ "clock set back in a hole", back_in_hole, 6000, OPEN_TO, 0, "6000-4000(4)!",
	    true, false },
	{ "hole before the range", holed, 7000, 9000, 0, "7000-9000(2)",
	    true, false },
	{ "each tick", steady, 6000, 9000, -1,
	    "6000-7000(1) 7000-8000(1) 8000-9000(1)", true, false },
	{ "every 3 s", steady, OPEN_FROM, OPEN_TO, 3000,
	    "0-1000(1) 1000-4000(3) 4000-7000(3) 7000-9000(2)", true,
	    false },
	{ "every 2 s with late ticks", jitter, OPEN_FROM, OPEN_TO, 2000,
	    "10-2005(2) 2005-4001(2) 4001-6000(2) 6000-8030(2) "
	    "8030-9010(1)", true, false },
	{ "every 2 s over a hole", holed, OPEN_FROM, OPEN_TO, 2000,
	    "0-2000(2) 2000-8000(2)! 8000-9000(1)", true, false },
	{ "every 2 s of one tick", single, OPEN_FROM, OPEN_TO, 2000, "",
	    true, false },
	{ "the interval changes at the start", paced, 2000, 3000, 0,
	    "2001-3000(4)", true, false },
	{ "the interval changes between tables", paced, OPEN_FROM, OPEN_TO,
	    2000, "0-2001(2) 2001-4002(6) 4002-5000(1)", true, false },
	{ "each tick where the interval changes", paced, 2000, 2500, -1,
	    "2001-2202(1) 2202-2403(1)", true, false },
	{ "the last tick of an interval is as late as that allows", tardy,
	    OPEN_FROM, OPEN_TO, 2000, "0-2120(2) 2120-4202(3) "
	    "4202-5000(1)", true, false },
	{ "clock set back", back, OPEN_FROM, OPEN_TO, 0, "5000-4000(5)",
	    true, false },
	{ "clock set back by more than a table", back, OPEN_FROM, OPEN_TO, 2000,
	    "5000-6000(1) 6000-7000(1) 7000-2000(1) 2000-4000(2)", true,
	    false },
	{ "clock set back by less than a table", back, OPEN_FROM, OPEN_TO, 6000,
	    "5000-4000(5)", true, false },
};

static int64_t instant(int64_t ms)
{
	return ms == OPEN_FROM || ms == OPEN_TO ? ms : SIM_EPOCH + ms * MS;
}

/* What tests of one case work with. */
struct lab {
	struct script script;
	struct cursor cursor;
	struct range range;
	struct engine engine;
	struct buf out;
};

static void set_up(struct lab *l, const struct range_case *c)
{
	static const struct cursor_ops ops = { .next = next, .seek = seek,
		.refuse_gist = refuse_gist };
	struct header *h = header_new();

	*l = (struct lab) { .out = BUF_INIT, .script = { .at_ms = c->ticks },
		.range = { instant(c->from_ms), instant(c->to_ms),
		    c->every_ms > 0 ? c->every_ms * MS : c->every_ms } };
	l->cursor = (struct cursor) { &ops, &l->script };
	h->interval_ns = SIM_SECOND;
	l->script.encoder = encoder_new(h);
	simhost_init(&l->script.host, "alpha");
	engine_init(&l->engine, SIM_SECOND);
}

static void tear_down(struct lab *l)
{
	buf_release(&l->out);
	engine_release(&l->engine);
	simhost_release(&l->script.host);
	encoder_free(l->script.encoder);
	tick_release(&l->script.bad);
}

static void test_range(void **state)
{
	const struct range_case *c = *state;
	struct range_result res;
	struct gs_err err;
	struct lab l;

	set_up(&l, c);
	assert_int_equal(range_run(&l.range, l.cursor, &l.engine,
	    note_table, &l.out, &res, &err), GS_OK);
	assert_string_equal(buf_str(&l.out), c->tables);
	assert_int_equal(res.any, c->any);
	assert_int_equal(res.clamped, c->clamped);
	tear_down(&l);
}

/* Reading tick by tick gives the same tables. */
static void test_bit_by_bit(void **state)
{
	const struct range_case *c = *state;
	struct range_result res;
	struct range_run *u;
	struct gs_err err;
	struct lab l;
	int r;

	set_up(&l, c);
	l.script.waits = true;
	u = range_open(&l.range, l.cursor, &l.engine, note_table, &l.out,
	    &res);
	do {
		r = range_go(u, &err);
	} while (r == RANGE_WAITS && (c->ticks[l.script.i] != -1 ||
	    l.script.waited));
	assert_true(r >= GS_OK);
	range_end(u);
	range_close(u);
	assert_string_equal(buf_str(&l.out), c->tables);
	assert_int_equal(res.any, c->any);
	assert_int_equal(res.clamped, c->clamped);
	tear_down(&l);
}

static const struct soon_case {
	const char *name;
	struct range_case range;
	const char *at_ticks; /* tables emitted after each tick */
} soon[] = {
	{ "each tick is shown at once", { "", steady, OPEN_FROM, 4000, -1, NULL,
	    true, false }, "01234" },
	{ "a step is shown with its last tick", { "", steady, OPEN_FROM, OPEN_TO,
	    3000, NULL, true, false }, "0111222333" },
	{ "the tick after a hole", { "", holed, OPEN_FROM, OPEN_TO, -1, NULL,
	    true, false }, "0122345" },
	{ "one table waits for the end", { "", steady, OPEN_FROM, OPEN_TO, 0,
	    NULL, true, false }, "0000000000" },
};

static int count_table(void *ctx, const struct engine *e)
{
	size_t *n = ctx;

	(void)e;
	(*n)++;
	return 0;
}

/* A complete table does not wait for the next tick. */
static void test_soon(void **state)
{
	const struct soon_case *c = *state;
	struct range_result res;
	struct range_run *u;
	size_t n = 0, step = 0;
	struct gs_err err;
	struct lab l;

	set_up(&l, &c->range);
	l.script.waits = true;
	u = range_open(&l.range, l.cursor, &l.engine, count_table, &n, &res);
	assert_int_equal(range_go(u, &err), RANGE_WAITS); /* nothing yet */
	while (range_go(u, &err) == RANGE_WAITS && c->at_ticks[step]) {
		assert_int_equal(n, c->at_ticks[step] - '0');
		step++;
	}
	assert_int_equal(c->at_ticks[step], '\0');
	range_close(u);
	tear_down(&l);
}

/* ---- which sample a moment means --------------------------------------- */

static const struct at_case {
	const char *name;
	const int64_t *ticks;
	int64_t at_ms;
	const char *sample; /* empty: there is none */
} at[] = {
	{ "at a tick", steady, 3000, "2000-3000" },
	{ "between ticks of a second: that with this second", jitter, 3000,
	    "2005-3200" },
	{ "between ticks: the one before", jitter, 4900, "3200-4001" },
	{ "a late tick", jitter, 2000, "1020-2005" },
	{ "the last one of an interval that grows shorter", paced, 2000,
	    "1000-2001" },
	{ "late, by the longer interval", tardy, 2000, "1000-2120" },
	{ "of a short interval", paced, 3000, "2600-3000" },
	{ "just before, of a short interval", paced, 2500, "2202-2403" },
	{ "the first one of an interval that grows longer", paced, 4000,
	    "3203-4002" },
	{ "the first one of all", steady, 0, "-1000-0" },
	{ "after the last", steady, 9400, "8000-9000" },
	{ "long after the last", steady, 99000, "" },
	{ "before the first", steady, -5000, "" },
	{ "in a hole", holed, 5000, "" },
	{ "after a hole", holed, 7000, "6000-7000" },
};

static void test_at(void **state)
{
	const struct at_case *c = *state;
	struct range_case rc = { .ticks = c->ticks };
	struct gs_err err;
	struct lab l;
	int r;

	set_up(&l, &rc);
	r = sample_at(l.cursor, SIM_SECOND, instant(c->at_ms), &l.range,
	    &err);
	assert_true(r >= 0);
	if (r > 0)
		buf_printf(&l.out, "%" PRId64 "-%" PRId64,
		    (l.range.from_ns - SIM_EPOCH) / MS,
		    (l.range.to_ns - SIM_EPOCH) / MS);
	assert_string_equal(buf_str(&l.out), c->sample);
	tear_down(&l);
}

/* Why a gist is refused is not lost. */
static void test_refused(void **state)
{
	static const int64_t ticks[] = { 0, 1000, BAD, 2000, 3000, -1 };
	const struct range_case c = { .ticks = ticks, .from_ms = OPEN_FROM,
		.to_ms = OPEN_TO };
	struct range_result res;
	struct gs_err err;
	struct lab l;

	(void)state;
	set_up(&l, &c);
	l.script.gist = true;
	assert_int_equal(range_run(&l.range, l.cursor, &l.engine,
	    note_table, &l.out, &res, &err), GS_E_AGAIN);
	assert_int_equal(err.status, GS_E_AGAIN);
	if (!strstr(err.msg, "a gist is not of its recording: ") ||
	    !strstr(err.msg, "slot 7"))
		fail_msg("it says: %s", err.msg);
	tear_down(&l);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, test_range, ranges);
	CASES_TABLE(&c, test_bit_by_bit, ranges);
	CASES_TABLE(&c, test_soon, soon);
	CASES_TABLE(&c, test_at, at);
	cases_add(&c, "why a gist is refused", test_refused, NULL);
	return cases_run(&c, "range");
}
