/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The waits of a gist: what was written is read, tick by tick, and nothing else.
 */
#include "cases.h"

#include "base/compiler.h"
#include "format/gistwaits.h"

#define TICKS 9u

static const struct tick_wait waits[] = {
	{ 3, 0, 7, 4, { NULL, NULL }, 1 },
	{ 3, 0, 7, 3, { NULL, NULL }, INT64_MAX },
	{ 3, 2, 5, 4, { NULL, NULL }, 2000000000 },
	{ 6, 2, 5, 4, { NULL, NULL }, 1999999999 },
	{ 8, 0, TICK_SLOTS_MAX - 1, 4, { NULL, NULL }, 77 },
};

static const char *const names[] = { "IO:DataFileRead", "CPU*", "Lock:relation",
	"IO:DataFileRead", "" };

static void add_all(struct gistwaits *g)
{
	size_t i;

	gistwaits_reset(g);
	g->any = true;
	g->from = 3;
	g->relations = UINT64_C(0x8182838485868788);
	for (i = 0; i < GS_LEN(waits); i++) {
		struct tick_wait w = waits[i];

		w.event = span_str(names[i]);
		gistwaits_add(g, &w);
	}
}

static void assert_wait(const struct tick_wait *got, size_t i)
{
	assert_int_equal(got->tick, waits[i].tick);
	assert_int_equal(got->host, waits[i].host);
	assert_int_equal(got->slot, waits[i].slot);
	assert_int_equal(got->kind, waits[i].kind);
	assert_int_equal(got->time_ns, waits[i].time_ns);
	assert_true(span_eq(got->event, names[i]));
}

static void put(struct gistwaits *g, struct buf *b)
{
	struct breaks breaks = { .at = NULL };

	buf_reset(b);
	gistwaits_put(g, b, &breaks);
	breaks_release(&breaks);
}

static bool opens(struct gistwaits *g, const struct buf *b)
{
	struct span s = b->len > 0 ? span_of(b->ptr, b->len) : span_str("");

	return gistwaits_open(g, &s, TICKS) && span_empty(s);
}

static void round_trip(void **state)
{
	struct gistwaits want = { .any = false }, got = { .any = false };
	struct buf b = BUF_INIT;
	struct tick t = TICK_INIT;
	size_t i, k, n = 0;

	(void)state;
	add_all(&want);
	put(&want, &b);
	assert_true(opens(&got, &b));
	assert_int_equal(got.from, 3);
	assert_int_equal(got.relations, want.relations);
	for (i = 1; i < TICKS; i++) {
		gistwaits_give(&got, i, &t);
		assert_int_equal(t.unsampled, i >= 3);
		for (k = 0; k < t.n_wait; k++) {
			assert_int_equal(t.wait[k].tick, i);
			assert_wait(&t.wait[k], n++);
		}
	}
	assert_int_equal(n, GS_LEN(waits));
	gistwaits_reset(&got);
	gistwaits_give(&got, 3, &t);
	assert_false(t.unsampled);
	assert_int_equal(t.n_wait, 0);
	gistwaits_release(&want);
	gistwaits_release(&got);
	buf_release(&b);
}

/* Nothing was waited for. */
static void none(void **state)
{
	struct gistwaits want = { .any = true, .from = 1 }, got = { .any = false };
	struct buf b = BUF_INIT;
	struct tick t = TICK_INIT;

	(void)state;
	put(&want, &b);
	assert_true(opens(&got, &b));
	gistwaits_give(&got, 1, &t);
	assert_true(t.unsampled);
	assert_int_equal(t.n_wait, 0);
	gistwaits_release(&got);
	buf_release(&b);
}

static void cut_off(void **state)
{
	struct gistwaits g = { .any = false }, got = { .any = false };
	struct buf b = BUF_INIT, part = BUF_INIT;
	size_t n;

	(void)state;
	add_all(&g);
	put(&g, &b);
	for (n = 0; n < b.len; n++) {
		buf_reset(&part);
		buf_add(&part, b.ptr, n);
		assert_false(opens(&got, &part));
		assert_false(got.any);
		buf_release(&part);
	}
	gistwaits_release(&g);
	gistwaits_release(&got);
	buf_release(&b);
}

/* Numbers of which one is more than there can be. */
struct odd {
	const char *name;
	size_t at; /* the byte in question */
	char is;
};

#define RELATIONS "\1\2\3\4\5\6\7\x8"

/* After relations: first tick, waits, events, rows; the event; the row: tick, host, slot,
 * waits; the wait's event; its time. */
#define ONE "\3\1\1\1" "\4\2IO" "\3\0\xe\1" "\0" "\1\0\0\0\0\0\0\0"

static const struct odd odds[] = {
	{ "no first tick", 0, 0 },
	{ "first tick after the last", 0, TICKS + 1 },
	{ "more waits than bytes", 1, 2 }, { "no wait", 1, 0 },
	{ "more events than waits", 2, 2 }, { "no event", 2, 0 },
	{ "more rows than waits", 3, 2 }, { "no row", 3, 0 },
	{ "name is longer than the rest", 5, 120 },
	{ "tick before the first", 8, 2 }, { "tick after the last", 8, TICKS },
	{ "slot before the first", 10, 1 }, { "row without a wait", 11, 0 },
	{ "row with two", 11, 2 }, { "another event", 12, 1 },
	{ "time below 0", 20, (char)0x80 },
};

static void test_odd(void **state)
{
	const struct odd *o = *state;
	struct gistwaits g = { .any = false };
	struct buf b = BUF_INIT;

	buf_add(&b, RELATIONS ONE, sizeof(RELATIONS ONE) - 1);
	assert_true(opens(&g, &b));
	assert_int_equal(g.wait[0].slot, 7);
	b.ptr[sizeof(RELATIONS) - 1 + o->at] = o->is;
	assert_false(opens(&g, &b));
	gistwaits_release(&g);
	buf_release(&b);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "what was written is read", round_trip, NULL);
	cases_add(&c, "none", none, NULL);
	cases_add(&c, "cut off", cut_off, NULL);
	CASES_TABLE(&c, test_odd, odds);
	return cases_run(&c, "gistwaits");
}
