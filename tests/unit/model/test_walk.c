/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk: ticks lost up to a key, how often and with which times a loss is
 * reported; which gaps are holes.
 *
 * A script is a word per step of the cursor.  k, d: a key, a delta; K, D: the
 * same, seen before; x: a delta that can't be applied; X: such a key; Y: a key
 * that only whoever walks can't apply; g: a gap of 3 s without a reason; G:
 * with one; w: nothing yet; e: the end.  What the walk gives is written down
 * likewise, with the seconds of ticks and of gaps.
 */
#include "base/buf.h"
#include "base/clock.h"
#include "cases.h"
#include "model/walk.h"

static struct block host;
static struct block *twice[] = { &host, &host };

struct script {
	const char *step;
	int64_t now_s;
	struct tick tick;
};

static enum cursor_step next(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct script *s = self;
	char c = *s->step ? *s->step++ : 'e';

	(void)err;
	*ret = &s->tick;
	s->tick.key = c == 'k' || c == 'K' || c == 'X' || c == 'Y';
	s->tick.block = twice; /* a host occurs twice: no key */
	s->tick.n_block = c == 'X' ? GS_LEN(twice) : 0;
	switch (c) {
	case 'w':
		return CURSOR_WAIT;
	case 'e':
		return CURSOR_END;
	case 'g':
	case 'G':
		*gap = (struct cursor_gap) { .file = "",
			.from_ns = s->now_s * GS_NSEC_PER_SEC,
			.to_ns = (s->now_s + 3) * GS_NSEC_PER_SEC };
		if (c == 'G')
			memcpy(gap->why, "gap", 4);
		s->now_s += 2;
		return CURSOR_GAP;
	case 'K':
	case 'D':
		return CURSOR_REPEAT;
	default:
		s->now_s++;
		s->tick.wall_ns = s->now_s * GS_NSEC_PER_SEC;
		return CURSOR_TICK;
	}
}

/* Some ticks before. */
static int seek(void *self, int64_t wall_ns, struct gs_err *err)
{
	struct script *s = self;

	(void)err;
	s->now_s = wall_ns / GS_NSEC_PER_SEC - 3;
	s->now_s = s->now_s < 0 ? 0 : s->now_s;
	return GS_OK;
}

static const struct cursor_ops script_ops = { .next = next, .seek = seek };

static void put_time(struct buf *to, int64_t ns)
{
	if (ns == INT64_MIN || ns == INT64_MAX)
		buf_add_str(to, ns < 0 ? "begin" : "end");
	else
		buf_printf(to, "%lld", (long long)(ns / GS_NSEC_PER_SEC));
}

static void put_gap(struct buf *to, const struct cursor_gap *gap)
{
	buf_add_char(to, '[');
	put_time(to, gap->from_ns);
	buf_add_str(to, "..");
	put_time(to, gap->to_ns);
	buf_printf(to, " %s %llu%s] ", gap->why[0] ? gap->why : "-",
	    (unsigned long long)gap->ticks, gap->damage ? " damage" : "");
}

static void put_tick(struct buf *to, enum cursor_step is,
	const struct tick *t)
{
	if (is == CURSOR_REPEAT)
		buf_add_char(to, '=');
	if (t->key)
		buf_add_char(to, 'k');
	put_time(to, t->wall_ns);
	buf_add_char(to, ' ');
}

/* Walks to the end, or to CURSOR_WAIT. */
static void walk_all(struct walk *w, struct script *s, struct buf *to)
{
	struct gs_err why = { GS_E_FORMAT, "bad" };

	for (;;) {
		const struct tick *t = NULL;
		struct cursor_gap gap;
		struct gs_err err;
		enum cursor_step is = walk_next(w, &t, &gap, &err);

		if (is == CURSOR_GAP) {
			put_gap(to, &gap);
		} else if (is == CURSOR_TICK || is == CURSOR_REPEAT) {
			if (strchr("xXY", s->step[-1]))
				walk_lose(w, &why);
			else
				put_tick(to, is, t);
		} else {
			buf_add_str(to, is == CURSOR_WAIT ? "wait" : "end");
			return;
		}
	}
}

static const struct walk_case {
	const char *name, *script, *want;
} walk_cases[] = {
	{ "nothing lost", "kddkd", "k1 2 3 k4 5 end" },
	{ "lost up to a key", "kdxddkd",
	    "k1 2 [2..6 bad 3 damage] k6 7 end" },
	{ "lost up to a repeat", "kdxdKd",
	    "k1 2 [2..4 bad 2 damage] =k4 5 end" },
	{ "a repeat that is no key", "kdxDk",
	    "k1 2 [2..4 bad 1 damage] k4 end" },
	{ "lost to the end", "kdxdd",
	    "k1 2 [2..end bad 3 damage] end" },
	{ "not told while more may come", "kdxdw",
	    "k1 2 wait" },
	{ "a key that is lost, too", "kdXdkd",
	    "k1 2 [2..5 bad 2 damage] k5 6 end" },
	{ "two losses in a row", "kdxXk",
	    "k1 2 [2..5 bad 2 damage] k5 end" },
	{ "keys that are lost, one after the other", "kdxdXdXKd",
	    "k1 2 [2..7 bad 5 damage] =k7 8 end" },
	{ "keys that are lost up to the end", "kdxXdX",
	    "k1 2 [2..end bad 4 damage] end" },
	{ "a key that is lost after a loss", "kdxYdk",
	    "k1 2 [2..4 bad 1 damage] [4..6 bad 2 damage] k6 end" },
	{ "a key that is lost after a gap", "kdGXdk",
	    "k1 2 [2..5 gap 0] [5..7 bad 2 damage] k7 end" },
	{ "a gap with a reason within a loss", "kdxdGk",
	    "k1 2 [2..7 gap 0 damage] k7 end" },
	{ "a gap without a reason within a loss", "kdxdgk",
	    "k1 2 [2..7 bad 0 damage] k7 end" },
	{ "the first tick is lost", "Xdk",
	    "[begin..3 bad 2 damage] k3 end" },
	{ "a gap alone", "kdgkd",
	    "k1 2 [2..5 - 0] k5 6 end" },
};

static void run_walk(void **state)
{
	const struct walk_case *c = *state;
	struct script s = { .step = c->script };
	struct buf told = BUF_INIT;
	struct walk w;

	walk_begin(&w, (struct cursor) { &script_ops, &s }, GS_NSEC_PER_SEC);
	walk_all(&w, &s, &told);
	assert_string_equal(buf_str(&told), c->want);
	buf_release(&told);
}

/* Earlier losses do not matter there. */
static void seeking_forgets_a_loss(void **state)
{
	struct script s = { .step = "kx" };
	struct buf told = BUF_INIT;
	struct walk w;

	(void)state;
	walk_begin(&w, (struct cursor) { &script_ops, &s }, GS_NSEC_PER_SEC);
	walk_all(&w, &s, &told);
	s.step = "kd";
	assert_int_equal(walk_seek(&w, 10 * GS_NSEC_PER_SEC, NULL), GS_OK);
	buf_add_str(&told, " | ");
	walk_all(&w, &s, &told);
	assert_string_equal(buf_str(&told),
	    "k1 [1..end bad 1 damage] end | k8 9 end");
	buf_release(&told);
}

static void ending_where_it_waits(void **state)
{
	struct script s = { .step = "kdxw" };
	struct buf told = BUF_INIT;
	struct cursor_gap gap;
	struct walk w;

	(void)state;
	walk_begin(&w, (struct cursor) { &script_ops, &s }, GS_NSEC_PER_SEC);
	walk_all(&w, &s, &told);
	assert_true(walk_end(&w, &gap));
	put_gap(&told, &gap);
	assert_false(walk_end(&w, &gap));
	assert_string_equal(buf_str(&told),
	    "k1 2 wait[2..end bad 1 damage] ");
	buf_release(&told);
}

static const struct hole_case {
	const char *name;
	struct cursor_gap gap; /* in ms */
	bool want;
} hole_cases[] = {
	{ "an interval", { .from_ns = 0, .to_ns = 1000 }, false },
	{ "one and a half", { .from_ns = 0, .to_ns = 1500 }, false },
	{ "more", { .from_ns = 0, .to_ns = 1501 }, true },
	{ "short, with a reason", { .from_ns = 0, .to_ns = 1000, .why = "x" },
	    true },
	{ "nothing before", { .from_ns = INT64_MIN, .to_ns = 0 }, true },
	{ "nothing after", { .from_ns = 0, .to_ns = INT64_MAX }, true },
};

static void run_hole(void **state)
{
	const struct hole_case *c = *state;

	assert_int_equal(walk_is_hole(&c->gap, 1000), c->want);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, run_walk, walk_cases);
	cases_add(&c, "seeking forgets a loss", seeking_forgets_a_loss, NULL);
	cases_add(&c, "ending where it waits", ending_where_it_waits, NULL);
	CASES_TABLE(&c, run_hole, hole_cases);
	return cases_run(&c, "walk");
}
