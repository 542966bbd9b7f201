/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identity of rows: across keys, holes, reboots, hosts that disappear and
 * return.
 */
#include "base/compiler.h"
#include "base/mem.h"
#include "cases.h"
#include "digest.h"
#include "model/tick_encoder.h"
#include "simhost.h"

/* A host, its recording, and a reader's world of it. */
struct lab {
	struct simhost host;
	struct tick_encoder *encoder;
	struct world *world, *resting; /* the same of both */
	struct world *drowsy; /* and of one in which some rows stay awake */
	size_t a, b; /* two processes */
	bool key; /* make the next one */
};

/* Rows at rest have the cells, and the texts, of rows that never rest. */
static void check_table(const struct world *w, const struct table *awake,
	const struct world *resting, const struct table *rest, size_t n_awake)
{
	struct cells cells = cells_new(ENTITY_PROCESS);
	const unsigned title = COL(PROCESS, TITLE);
	size_t i;

	assert_int_equal(awake->n_slot, rest->n_slot);
	for (i = 0; i < rest->n_slot; i++) {
		const struct row *a = awake->slot[i], *b = rest->slot[i];
		struct span text;

		assert_true(!a == !b);
		if (!b)
			continue;
		if (b->now.val)
			assert_true(n_awake-- > 0 && b->touched_tick ==
			    world_ticks(resting));
		row_cells(b, cells);
		assert_memory_equal(cells.present, a->now.present,
		    COL_WORDS(NCOLS(PROCESS)) * sizeof(uint64_t));
		text = row_text(w, a, title);
		assert_true(span_same(row_peek_text(resting, b, title),
		    text));
	}
	cells_free(cells);
}

static void check_rest(const struct lab *l, const struct world *resting,
	size_t n_awake)
{
	size_t i;

	assert_int_equal(world_hosts(resting), world_hosts(l->world));
	for (i = 0; i < world_hosts(l->world); i++)
		check_table(l->world,
		    &world_host(l->world, i)->table[ENTITY_PROCESS], resting,
		    &world_host(resting, i)->table[ENTITY_PROCESS], n_awake);
}

static int apply(struct lab *l, const struct tick *t, struct gs_err *err)
{
	int r = world_apply(l->resting, t, err);

	assert_int_equal(world_apply(l->drowsy, t, err), r);
	assert_int_equal(world_apply(l->world, t, err), r);
	if (r == GS_OK) {
		check_rest(l, l->resting, 0);
		check_rest(l, l->drowsy, 2);
	}
	return r;
}

static void sample(struct lab *l, bool seen)
{
	const struct tick *t;
	struct gs_err err;

	simhost_tick(&l->host, SIM_SECOND);
	if (l->key || !seen)
		encoder_need_key(l->encoder);
	encoder_begin(l->encoder, l->host.clock.wall_ns);
	encoder_block(l->encoder, 3, l->host.world);
	t = encoder_end(l->encoder);
	if (!seen) {
		world_lost(l->world);
		world_lost(l->resting);
		world_lost(l->drowsy);
		encoder_need_key(l->encoder);
		return;
	}
	if (apply(l, t, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(digest_world(l->world),
	    digest_world(l->host.world));
	l->key = false;
}

/* The host and one process; two processes without it. */
static void let_stay_awake(struct world *w)
{
	world_stay_awake(w, sizeof(uint64_t) *
	    (cells_words(ENTITY_HOST) + cells_words(ENTITY_PROCESS)));
}

static void set_up(struct lab *l)
{
	*l = (struct lab) { .key = false };
	simhost_init(&l->host, "alpha");
	l->encoder = encoder_new(header_new());
	l->world = world_new();
	l->resting = world_new_resting();
	l->drowsy = world_new_resting();
	let_stay_awake(l->drowsy);
	l->a = simhost_process(&l->host, OPEN_APPEARED, 10, 1, "a");
	l->b = simhost_process(&l->host, OPEN_APPEARED, 11, 1, "b");
	sample(l, true);
}

static void tear_down(struct lab *l)
{
	simhost_release(&l->host);
	encoder_free(l->encoder);
	world_free(l->world);
	world_free(l->resting);
	world_free(l->drowsy);
}

static struct row *of_pid(const struct lab *l, uint64_t pid)
{
	const struct table *t =
	    &world_host(l->world, 0)->table[ENTITY_PROCESS];
	size_t i;
	uint64_t got;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i] && row_get(t->slot[i], COL(PROCESS, PID),
		    &got) && got == pid)
			return t->slot[i];
	}
	return NULL;
}

/* The row of that pid that the last tick closed. */
static struct row *closed_pid(const struct lab *l, uint64_t pid)
{
	size_t n, i;
	struct row *const *r = world_touched(l->world, &n);
	uint64_t got;

	for (i = 0; i < n; i++) {
		if (r[i]->closed && row_get(r[i], COL(PROCESS, PID), &got) &&
		    got == pid)
			return r[i];
	}
	return NULL;
}

static size_t touched(const struct lab *l)
{
	size_t n;

	(void)world_touched(l->world, &n);
	return n;
}

/* True if the row of that pid is awake in the drowsy world. */
static bool is_awake(const struct lab *l, uint64_t pid)
{
	const struct table *t =
	    &world_host(l->drowsy, 0)->table[ENTITY_PROCESS];
	uint64_t got;
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i] && row_peek(t->slot[i], COL(PROCESS, PID),
		    &got) && got == pid)
			return t->slot[i]->now.val != NULL;
	}
	return false;
}

/* What each tick touches stays awake, the rest rests; a row may end awake. */
static void test_awake(void **state)
{
	struct lab l;
	int i;

	(void)state;
	set_up(&l);
	for (i = 0; i < 4; i++) {
		SIM_ADD(&l.host, l.a, CPU, 5);
		sample(&l, true);
		assert_true(is_awake(&l, 10));
		assert_false(is_awake(&l, 11));
	}
	SIM_ADD(&l.host, l.b, CPU, 5);
	sample(&l, true);
	assert_false(is_awake(&l, 10));
	assert_true(is_awake(&l, 11));
	SIM_EXIT(&l.host, l.b);
	SIM_ADD(&l.host, l.a, CPU, 5);
	sample(&l, true);
	assert_true(is_awake(&l, 10));
	assert_null(of_pid(&l, 11));
	l.key = true;
	sample(&l, true);
	assert_false(is_awake(&l, 10));
	SIM_ADD(&l.host, l.a, CPU, 5);
	sample(&l, true);
	assert_true(is_awake(&l, 10));
	tear_down(&l);
}

/* No more than fit. */
static void test_awake_bytes(void **state)
{
	struct lab l;
	size_t c, d;

	(void)state;
	set_up(&l);
	c = simhost_process(&l.host, OPEN_BORN, 12, 1, "c");
	d = simhost_process(&l.host, OPEN_BORN, 13, 1, "d");
	sample(&l, true);
	SIM_ADD(&l.host, l.a, CPU, 5);
	SIM_ADD(&l.host, c, CPU, 5);
	SIM_ADD(&l.host, d, CPU, 5);
	sample(&l, true);
	assert_true(is_awake(&l, 10));
	assert_false(is_awake(&l, 13));
	tear_down(&l);
}

static void test_first_tick(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	assert_int_equal(of_pid(&l, 10)->opened, OPEN_APPEARED);
	assert_int_equal(touched(&l), 3);
	assert_true(world_host(l.world, 0)->gap);
	assert_string_equal(world_host(l.world, 0)->name, "alpha");
	tear_down(&l);
}

static void test_key_continues_rows(void **state)
{
	struct lab l;
	struct row *a;

	(void)state;
	set_up(&l);
	a = of_pid(&l, 10);
	l.key = true;
	sample(&l, true);
	assert_ptr_equal(of_pid(&l, 10), a);
	assert_int_equal(touched(&l), 0); /* nothing changed */
	SIM_EXIT(&l.host, l.b);
	SIM_ADD(&l.host, l.a, CPU, 5);
	l.key = true;
	sample(&l, true);
	assert_ptr_equal(of_pid(&l, 10), a);
	assert_int_equal(a->was.val[COL(PROCESS, CPU)], 0);
	assert_int_equal(a->now.val[COL(PROCESS, CPU)], 5);
	assert_int_equal(closed_pid(&l, 11)->closed, CLOSE_EXITED);
	assert_false(world_host(l.world, 0)->gap);
	tear_down(&l);
}

static void test_birth_is_told_in_key_and_delta(void **state)
{
	struct lab l;
	int key;

	(void)state;
	for (key = 0; key < 2; key++) {
		set_up(&l);
		(void)simhost_process(&l.host, OPEN_BORN, 20, 10, "born");
		(void)simhost_process(&l.host, OPEN_APPEARED, 21, 10, "old");
		l.key = key;
		sample(&l, true);
		assert_int_equal(of_pid(&l, 20)->opened, OPEN_BORN);
		assert_int_equal(of_pid(&l, 21)->opened, OPEN_APPEARED);
		tear_down(&l);
	}
}

static void test_hole(void **state)
{
	struct lab l;
	struct row *a;
	size_t old;

	(void)state;
	set_up(&l);
	a = of_pid(&l, 10);
	SIM_EXIT(&l.host, l.b);
	/* born in the hole: its start is after the last sample */
	(void)simhost_process(&l.host, OPEN_BORN, 20, 10, "born in it");
	/* only selected now: it started long before */
	old = simhost_process(&l.host, OPEN_APPEARED, 21, 10, "old");
	SIM_SET(&l.host, old, START, 7);
	SIM_ADD(&l.host, l.a, CPU, 3);
	sample(&l, false);
	SIM_ADD(&l.host, l.a, CPU, 4);
	sample(&l, true);
	assert_true(world_host(l.world, 0)->gap);
	assert_ptr_equal(of_pid(&l, 10), a);
	assert_int_equal(a->was.val[COL(PROCESS, CPU)], 0);
	assert_int_equal(a->now.val[COL(PROCESS, CPU)], 7);
	assert_int_equal(closed_pid(&l, 11)->closed, CLOSE_UNSEEN);
	assert_int_equal(of_pid(&l, 20)->opened, OPEN_BORN);
	assert_int_equal(of_pid(&l, 21)->opened, OPEN_APPEARED);
	assert_int_equal(world_host(l.world, 0)->clock.mono_ns -
	    world_host(l.world, 0)->prev.mono_ns, 2 * SIM_SECOND);
	tear_down(&l);
}

/* A reused pid is another row, even within one tick. */
static void test_pid_used_again(void **state)
{
	struct lab l;
	int way;

	(void)state;
	for (way = 0; way < 3; way++) {
		struct row *before;

		set_up(&l);
		before = of_pid(&l, 11);
		row_hold(before);
		SIM_EXIT(&l.host, l.b);
		(void)simhost_process(&l.host, OPEN_BORN, 11, 1, "again");
		l.key = way == 1;
		if (way == 2)
			sample(&l, false);
		sample(&l, true);
		assert_ptr_not_equal(of_pid(&l, 11), before);
		assert_true(before->closed != 0);
		assert_int_equal(of_pid(&l, 11)->opened, OPEN_BORN);
		row_drop(before);
		tear_down(&l);
	}
}

static void test_delta_after_a_hole_is_refused(void **state)
{
	struct lab l;
	struct tick t = TICK_INIT;
	struct gs_err err;

	(void)state;
	set_up(&l);
	world_lost(l.world);
	world_lost(l.resting);
	world_lost(l.drowsy);
	t.seq = 7;
	assert_int_equal(apply(&l, &t, &err), GS_E_FORMAT);
	assert_string_equal(err.msg, "tick 7 needs a key before it");
	tear_down(&l);
}

/* The new boot comes as a delta, as a key, or after a hole. */
static void test_reboot(void **state)
{
	struct lab l;
	int way;

	(void)state;
	for (way = 0; way < 3; way++) {
		struct row *a;
		uint64_t boots;

		set_up(&l);
		a = of_pid(&l, 10);
		row_hold(a);
		boots = world_host(l.world, 0)->boot_ids;
		simhost_reboot(&l.host, "boot 2");
		(void)simhost_process(&l.host, OPEN_APPEARED, 10, 1, "a");
		l.key = way == 1;
		if (way == 2)
			sample(&l, false);
		sample(&l, true);
		assert_true(a->closed == CLOSE_EXITED);
		assert_ptr_not_equal(of_pid(&l, 10), a);
		assert_int_equal(of_pid(&l, 10)->opened, OPEN_APPEARED);
		assert_true(world_host(l.world, 0)->gap);
		assert_int_equal(world_host(l.world, 0)->boot_ids, boots + 1);
		assert_null(closed_pid(&l, 12));
		row_drop(a);
		tear_down(&l);
	}
}

/* The connection is lost and comes back: the same boot, other rows. */
static void test_host_lost_and_back(void **state)
{
	struct lab l;
	struct gs_err err;
	uint64_t boots;

	(void)state;
	set_up(&l);
	boots = world_host(l.world, 0)->boot_ids;
	encoder_begin(l.encoder, l.host.clock.wall_ns + SIM_SECOND);
	encoder_host_lost(l.encoder, 3);
	assert_int_equal(apply(&l, encoder_end(l.encoder), &err), 0);
	assert_int_equal(closed_pid(&l, 10)->closed, CLOSE_HOST_LOST);
	assert_null(of_pid(&l, 11));
	l.host.full = true;
	simhost_tick(&l.host, SIM_SECOND);
	sample(&l, true);
	assert_int_equal(of_pid(&l, 10)->opened, OPEN_APPEARED);
	assert_true(world_host(l.world, 0)->gap);
	assert_int_equal(world_host(l.world, 0)->boot_ids, boots);
	tear_down(&l);
}

/* A key that does not name a host: it is gone. */
static void test_key_without_a_host(void **state)
{
	struct lab l;
	struct tick t = TICK_INIT;
	struct gs_err err;

	(void)state;
	set_up(&l);
	t.key = true;
	t.seq = 2;
	assert_int_equal(apply(&l, &t, &err), GS_OK);
	assert_int_equal(closed_pid(&l, 10)->closed, CLOSE_HOST_LOST);
	assert_int_equal(digest_world(l.world), 0);
	tear_down(&l);
}

/* ---- ticks that no writer produces ---------------------------------------- */

static void say_process(struct delta *d, uint32_t slot, uint64_t pid)
{
	delta_open_slot(d, slot, OPEN_CONTINUED);
	delta_change(d, COL(PROCESS, PID), slot, pid);
}

/* Rows that can't be distinguished stay separate rows, key after key. */
static void test_twins(void **state)
{
	struct world *w = world_new();
	struct gs_err err;
	uint32_t round, i;
	size_t n;

	(void)state;
	for (round = 0; round < 4; round++) {
		struct tick t = TICK_INIT;
		struct delta *d =
		    &tick_add_block(&t, 0)->ent[ENTITY_PROCESS];

		t.key = true;
		for (i = 0; i < 4 + round % 2; i++)
			say_process(d, i * 2, 7);
		assert_int_equal(world_apply(w, &t, &err), GS_OK);
		assert_int_equal(
		    world_host(w, 0)->table[ENTITY_PROCESS].n_live, i);
		for (i = 0; i < 4 + round % 2; i++) {
			const struct row *r = world_host(w, 0)
			    ->table[ENTITY_PROCESS].slot[i * 2];

			assert_int_equal(r->slot, i * 2);
		}
		(void)world_touched(w, &n);
		assert_int_equal(n, round == 0 ? 4 : 1);
		tick_release(&t);
	}
	world_free(w);
}

/* Slots begin again, in the order of pids, whatever they were; nothing else is
 * different, but no text has its id any more. */
static void test_renumbered(void **state)
{
	static const struct tick again = { .seq = 1, .renumbers = true };
	const struct table *t;
	struct tick bad = { .seq = 2 };
	struct gs_err err;
	struct lab l;
	uint64_t digest, ticks;
	size_t i;

	(void)state;
	set_up(&l);
	(void)simhost_process(&l.host, OPEN_BORN, 9, 3, "a");
	simhost_close(&l.host, ENTITY_PROCESS, l.a, CLOSE_EXITED);
	sample(&l, true);
	digest = digest_world(l.world);
	ticks = world_ticks(l.world);
	assert_int_equal(world_apply(l.world, &again, &err), GS_OK);
	assert_int_equal(digest_world(l.world), digest);
	assert_int_equal(world_ticks(l.world), ticks);
	t = &world_host(l.world, 0)->table[ENTITY_PROCESS];
	assert_int_equal(t->n_slot, 2);
	for (i = 0; i < 2; i++) {
		assert_int_equal(t->slot[i]->slot, i);
		assert_int_equal(t->slot[i]->now.val[COL(PROCESS, PID)],
		    i == 0 ? 9 : 11);
	}
	delta_change(&tick_add_block(&bad, 3)->ent[ENTITY_PROCESS],
	    COL(PROCESS, TITLE), 0, 1);
	assert_int_equal(world_apply(l.world, &bad, &err), GS_E_FORMAT);
	tick_release(&bad);
	tear_down(&l);
}

/* Of processes that are equal nobody knows which is which. */
static void test_twins_renumbered(void **state)
{
	static const struct tick again = { .seq = 1, .renumbers = true };
	struct world *w = world_new();
	struct tick t = { .seq = 1, .key = true };
	struct delta *d = &tick_add_block(&t, 0)->ent[ENTITY_PROCESS];
	struct gs_err err;

	(void)state;
	say_process(d, 0, 7);
	say_process(d, 1, 7);
	assert_int_equal(world_apply(w, &t, &err), GS_OK);
	assert_int_equal(world_apply(w, &again, &err), GS_E_FORMAT);
	assert_int_equal(world_apply(w, &t, &err), GS_OK);
	delta_change(d, COL(PROCESS, CPU), 0, 5);
	assert_int_equal(world_apply(w, &t, &err), GS_OK);
	assert_int_equal(world_apply(w, &again, &err), GS_OK);
	tick_release(&t);
	world_free(w);
}

static void twice_opened(struct block *b)
{
	delta_open_slot(&b->ent[ENTITY_PROCESS], 0, OPEN_BORN);
}

static void closed_not_open(struct block *b)
{
	delta_close_slot(&b->ent[ENTITY_PROCESS], 9, CLOSE_EXITED);
}

static void changed_not_open(struct block *b)
{
	delta_change(&b->ent[ENTITY_PROCESS], COL(PROCESS, CPU), 1000, 5);
}

static void gone_not_open(struct block *b)
{
	delta_gone(&b->ent[ENTITY_PROCESS], COL(PROCESS, CPU), 2);
}

static void text_not_sent(struct block *b)
{
	delta_change(&b->ent[ENTITY_PROCESS], COL(PROCESS, TITLE), 0, 77);
}

static const struct bad {
	const char *name;
	void (*make)(struct block *b);
	const char *message;
} bads[] = {
	{ "slot opened twice", twice_opened,
	    "tick 2: host 3: process: slot 0 opened but is open" },
	{ "slot closed that is not open", closed_not_open,
	    "tick 2: host 3: process: slot 9 closed but is not open" },
	{ "row changed that is not open", changed_not_open,
	    "tick 2: host 3: process: slot 1000 is not open" },
	{ "cell gone of no row", gone_not_open,
	    "tick 2: host 3: process: slot 2 is not open" },
	{ "text that was not sent", text_not_sent,
	    "tick 2: host 3: text 77 was never sent" },
};

/* It is refused, the world needs a key, and then is right again. */
static void test_bad_tick(void **state)
{
	const struct bad *b = *state;
	struct lab l;
	struct tick t = TICK_INIT;
	struct gs_err err;

	set_up(&l);
	t.seq = 2;
	b->make(tick_add_block(&t, 3));
	assert_int_equal(apply(&l, &t, &err), GS_E_FORMAT);
	assert_string_equal(err.msg, b->message);
	assert_int_equal(apply(&l, &t, &err), GS_E_FORMAT);
	tick_release(&t);
	l.key = true;
	sample(&l, true);
	sample(&l, true);
	tear_down(&l);
}

static void test_host_twice_in_a_tick(void **state)
{
	struct world *w = world_new();
	struct tick t = TICK_INIT;
	struct gs_err err;

	(void)state;
	t.key = true;
	t.seq = 1;
	(void)tick_add_block(&t, 5);
	(void)tick_add_block(&t, 5);
	assert_int_equal(world_apply(w, &t, &err), GS_E_FORMAT);
	assert_string_equal(err.msg, "tick 1: host 5 occurs twice");
	tick_release(&t);
	world_free(w);
}

/* Reasons that this version does not know close a row all the same. */
static void test_odd_reasons(void **state)
{
	static const uint32_t reasons[] = { 0, 6, 77, UINT32_MAX };
	struct lab l;
	struct gs_err err;
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(reasons); i++) {
		struct tick t = TICK_INIT;

		set_up(&l);
		delta_close_slot(&tick_add_block(&t, 3)->ent[ENTITY_PROCESS],
		    0, (enum row_close)reasons[i]);
		assert_int_equal(apply(&l, &t, &err), GS_OK);
		assert_int_equal(closed_pid(&l, 10)->closed, CLOSE_EXITED);
		tick_release(&t);
		tear_down(&l);
	}
}

/* Names of hosts: recorder's host, hosts of the header (of which the first has
 * a block, and reports the name alpha), expected name of the first. */
static const struct {
	const char *name, *recorder;
	const char *host[3];
	const char *want;
} names[] = {
	{ "own host, perhaps a captured tree", "me", { "me" }, "alpha" },
	{ "another host", "me", { "10.0.0.1" }, "10.0.0.1" },
	{ "several", "me", { "a", "b" }, "a" },
	{ "several, own host too", "me", { "me", "b" }, "me" },
	{ "nobody recorded", NULL, { "x" }, "alpha" },
};

static void test_name(void **state)
{
	const __typeof__(names[0]) *c = *state;
	struct header *h = header_new();
	struct simhost host;
	struct tick_encoder *m;
	struct world *w = world_new();
	struct gs_err err;
	uint32_t i;

	h->recorder_host = c->recorder ? gs_strdup(c->recorder) : NULL;
	for (i = 0; i < 3 && c->host[i]; i++)
		header_add_host(h, i, c->host[i]);
	header_add_catalog(h, 9, "db");
	m = encoder_new(h);
	simhost_init(&host, "alpha");
	for (i = 0; i < 2; i++) {
		simhost_tick(&host, SIM_SECOND);
		encoder_begin(m, host.clock.wall_ns);
		encoder_block(m, 0, host.world);
		if (world_apply(w, encoder_end(m), &err) < 0)
			fail_msg("%s", err.msg);
		assert_string_equal(world_host(w, 0)->name, c->want);
	}
	simhost_release(&host);
	encoder_free(m);
	world_free(w);
}

int main(void)
{
	struct cases c = { .n = 0 };

	cases_add(&c, "first tick", test_first_tick, NULL);
	cases_add(&c, "awake", test_awake, NULL);
	cases_add(&c, "awake bytes", test_awake_bytes, NULL);
	cases_add(&c, "key continues rows", test_key_continues_rows, NULL);
	cases_add(&c, "birth", test_birth_is_told_in_key_and_delta, NULL);
	cases_add(&c, "hole", test_hole, NULL);
	cases_add(&c, "pid used again", test_pid_used_again, NULL);
	cases_add(&c, "delta after a hole",
	    test_delta_after_a_hole_is_refused, NULL);
	cases_add(&c, "reboot", test_reboot, NULL);
	cases_add(&c, "host lost and back", test_host_lost_and_back, NULL);
	cases_add(&c, "key without a host", test_key_without_a_host, NULL);
	cases_add(&c, "twins", test_twins, NULL);
	cases_add(&c, "renumbered", test_renumbered, NULL);
	cases_add(&c, "twins renumbered", test_twins_renumbered, NULL);
	CASES_TABLE(&c, test_bad_tick, bads);
	cases_add(&c, "host twice", test_host_twice_in_a_tick, NULL);
	CASES_TABLE(&c, test_name, names);
	cases_add(&c, "odd reasons", test_odd_reasons, NULL);
	return cases_run(&c, "world");
}
