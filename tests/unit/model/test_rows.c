/* SPDX-License-Identifier: Apache-2.0 */
#include "model/rows.h"

#include <stdlib.h>

#include "cases.h"

struct fixture {
	struct sent_texts sent;
	struct rows rows;
	struct tick tick;
	struct block *block;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	sent_init(&f->sent);
	rows_init(&f->rows, ENTITY_NET, &f->sent);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	rows_release(&f->rows);
	sent_release(&f->sent);
	tick_release(&f->tick);
	free(f);
	return 0;
}

static struct delta *begin(struct fixture *f)
{
	tick_reset(&f->tick);
	sent_begin(&f->sent, &f->tick);
	f->block = tick_add_block(&f->tick, 0);
	rows_begin(&f->rows, &f->block->ent[ENTITY_NET]);
	return &f->block->ent[ENTITY_NET];
}

static void put(struct fixture *f, const char *name, uint64_t rx)
{
	struct cells c = rows_now(&f->rows);
	uint32_t id = sent_text(&f->sent, span_str(name));

	cells_set(c, COL(NET, NAME), id);
	cells_set(c, COL(NET, RX), rx);
	rows_put(&f->rows, id);
}

static void says_what_changed(void **state)
{
	struct fixture *f = *state;
	struct delta *d = begin(f);

	put(f, "a", 5);
	put(f, "b", 7);
	rows_end(&f->rows);
	assert_int_equal(d->n_opened, 2);
	assert_int_equal(d->opened[0].why, OPEN_APPEARED);
	assert_int_equal(f->tick.n_text, 2);
	assert_int_equal(d->col[COL(NET, RX)].n, 2);

	d = begin(f);
	put(f, "a", 5);
	put(f, "b", 7);
	rows_end(&f->rows);
	assert_true(delta_is_empty(d));
	assert_int_equal(f->tick.n_text, 0);

	d = begin(f);
	put(f, "b", 9); /* in another order */
	put(f, "a", 5);
	rows_end(&f->rows);
	assert_int_equal(d->n_opened + d->n_closed, 0);
	assert_int_equal(d->col[COL(NET, RX)].n, 1);
	assert_int_equal(d->col[COL(NET, RX)].slot[0], 1);
	assert_int_equal(d->col[COL(NET, RX)].diff[0], 2);
}

static void a_slot_waits(void **state)
{
	struct fixture *f = *state;
	struct delta *d = begin(f);

	put(f, "a", 1);
	rows_end(&f->rows);
	d = begin(f);
	put(f, "b", 1); /* while a goes */
	rows_end(&f->rows);
	assert_int_equal(d->n_closed, 1);
	assert_int_equal(d->closed[0].slot, 0);
	assert_int_equal(d->closed[0].why, CLOSE_EXITED);
	assert_int_equal(d->opened[0].slot, 1);
	d = begin(f);
	put(f, "b", 1);
	put(f, "c", 1);
	rows_end(&f->rows);
	assert_int_equal(d->opened[0].slot, 0);
}

/* A text has an id. */
static bool has_text(struct fixture *f, const char *text)
{
	bool is_new;
	uint32_t id = texts_intern(f->sent.texts, text, strlen(text), &is_new);

	texts_unref(f->sent.texts, id);
	return !is_new;
}

/* An id gets no new text in the answer that drops the old one. */
static void a_text_waits(void **state)
{
	struct fixture *f = *state;
	uint32_t old;

	begin(f);
	put(f, "a", 1);
	rows_end(&f->rows);
	old = f->tick.text[0].id;
	begin(f);
	put(f, "b", 1);
	rows_end(&f->rows);
	assert_int_not_equal(f->tick.text[0].id, old);
	assert_true(has_text(f, "a"));
	begin(f);
	assert_false(has_text(f, "a"));
	put(f, "b", 1);
	put(f, "c", 1);
	rows_end(&f->rows);
	assert_int_equal(f->tick.text[0].id, old);
}

static void texts_are_counted(void **state)
{
	struct fixture *f = *state;
	int i;

	for (i = 0; i < 20; i++) {
		begin(f);
		put(f, "same", 1);
		put(f, i % 2 ? "odd" : "even", 1);
		rows_end(&f->rows);
	}
	begin(f);
	rows_end(&f->rows);
	begin(f);
	rows_end(&f->rows);
	assert_false(has_text(f, "same"));
	assert_false(has_text(f, "even"));
	assert_false(has_text(f, "odd"));
}

static void keep_and_set(void **state)
{
	struct fixture *f = *state;
	struct cells was = cells_new(ENTITY_NET), now = cells_new(ENTITY_NET);
	const unsigned col = COL(NET, DUPLEX);

	begin(f);
	sent_set(&f->sent, was, now, col, span_str("full"));
	sent_keep(&f->sent, now, was, col);
	assert_int_equal(now.val[col], was.val[col]);
	sent_replace(&f->sent, ENTITY_NET, was, now);
	cells_clear(ENTITY_NET, was);
	sent_set(&f->sent, was, now, col, span_str("full"));
	assert_int_equal(now.val[col], was.val[col]);
	sent_replace(&f->sent, ENTITY_NET, now, was);
	sent_forget(&f->sent, ENTITY_NET, was);
	begin(f);
	assert_false(has_text(f, "full"));
	cells_clear(ENTITY_NET, was);
	sent_keep(&f->sent, now, was, col);
	sent_keep(&f->sent, now, (struct cells) { NULL, NULL }, col);
	cells_free(was);
	cells_free(now);
}

/* Many, in ever another order, some twice: slots stay. */
static void found_in_any_order(void **state)
{
	struct fixture *f = *state;
	uint32_t slot[100];
	struct delta *d = begin(f);
	struct cells c;
	size_t i, round;

	for (i = 0; i < 100; i++) {
		c = rows_now(&f->rows);
		cells_set(c, COL(NET, RX), 0);
		rows_put(&f->rows, i);
		slot[i] = d->opened[i].slot;
	}
	rows_end(&f->rows);
	for (round = 1; round < 5; round++) {
		d = begin(f);
		for (i = 0; i < 100; i++) {
			size_t k = (i * 37 + round) % 100;

			assert_false(rows_seen(&f->rows, k));
			c = rows_now(&f->rows);
			cells_set(c, COL(NET, RX), round);
			rows_put(&f->rows, k);
			assert_true(rows_seen(&f->rows, k));
			assert_int_equal(d->col[COL(NET, RX)].slot[i],
			    slot[k]);
		}
		rows_end(&f->rows);
		assert_int_equal(d->n_opened + d->n_closed, 0);
	}
}

static void parts_are_apart(void **state)
{
	struct fixture *f = *state;
	struct delta *d = begin(f);

	put(f, "a", 1);
	rows_end(&f->rows);
	d = begin(f);
	rows_begin_part(&f->rows, d, 1);
	put(f, "b", 1);
	rows_end(&f->rows);
	assert_int_equal(d->n_opened, 1);
	assert_int_equal(d->n_closed, 0);
	d = begin(f);
	rows_end_as(&f->rows, CLOSE_LEFT);
	assert_int_equal(d->n_closed, 1);
	assert_int_equal(d->closed[0].slot, 0);
	assert_int_equal(d->closed[0].why, CLOSE_LEFT);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

/* As many that share a key as a database may answer, each found at once. */
static void share_a_key(void **state)
{
	struct fixture *f = *state;
	const size_t n = 200000;
	struct delta *d = NULL;
	size_t i, round;

	for (round = 0; round < 2; round++) {
		d = begin(f);
		for (i = 0; i < n; i++) {
			uint64_t key = rows_unused(&f->rows, 7);

			assert_int_equal(key, 7 + i);
			cells_set(rows_now(&f->rows), COL(NET, RX), i);
			rows_put(&f->rows, key);
		}
		rows_end(&f->rows);
		assert_int_equal(d->n_opened, round == 0 ? n : 0);
		assert_int_equal(d->n_closed, 0);
	}
	d = begin(f);
	rows_begin_part(&f->rows, d, 1);
	assert_int_equal(rows_unused(&f->rows, 8), 7 + n);
	assert_int_equal(rows_unused(&f->rows, 6), 6);
}

static void keeps_what_is_not_read(void **state)
{
	struct fixture *f = *state;
	struct delta *d = begin(f);
	uint32_t a, b;

	put(f, "a", 5);
	put(f, "b", 7);
	a = (uint32_t)f->rows.item[0].key;
	b = (uint32_t)f->rows.item[1].key;
	rows_end(&f->rows);
	d = begin(f);
	assert_true(rows_keep(&f->rows, b));
	assert_false(rows_keep(&f->rows, 12345));
	rows_leave(&f->rows, a, CLOSE_LEFT);
	rows_end(&f->rows);
	assert_int_equal(d->n_opened, 0);
	assert_int_equal(d->n_closed, 1);
	assert_int_equal(d->closed[0].why, CLOSE_LEFT);
	d = begin(f);
	rows_end(&f->rows);
	assert_int_equal(d->n_closed, 1);
	assert_int_equal(d->closed[0].why, CLOSE_EXITED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(says_what_changed),
		TEST(a_slot_waits),
		TEST(a_text_waits),
		TEST(texts_are_counted),
		TEST(keep_and_set),
		TEST(found_in_any_order),
		TEST(parts_are_apart),
		TEST(share_a_key),
		TEST(keeps_what_is_not_read),
	};

	return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
