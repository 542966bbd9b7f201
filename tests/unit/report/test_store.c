/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a table, step by step: what is kept and the sum of the others are the
 * whole in every step, also where room was made on the way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report/page_pack.h"
#include "report/page_store.h"

#define STEPS 60u

/* A text, an amount by which rows are chosen, a level that adds up. */
static const struct page_store_col cols[] = {
	{ .text = true },
	{ .adds = true, .ranks = true },
	{ .adds = true },
};

struct whole {
	int64_t amount[STEPS], level[STEPS];
};

/* n rows; a quarter of them are others in the next step. */
static void add_rows(struct page_store *s, struct page_texts *texts, uint64_t n,
	size_t step, struct whole *w)
{
	size_t i;

	for (i = 0; i < n; i++) {
		uint64_t key = i + step * n / 4;
		int64_t v = (int64_t)(key * 7919 % 1000);
		struct page_value row[3] = { { .known = true, .v = (int64_t)page_text(
			texts, "row", 3) }, { .known = true, .v = v },
			{ .known = i % 3 != 0, .v = 5 } };

		page_store_add(s, page_store_row(s, &key, sizeof(key)), row);
		w->amount[step] += v;
		w->level[step] += i % 3 != 0 ? 5 : 0;
	}
}

static void fill(struct page_store *s, struct page_texts *texts, uint64_t n,
	struct whole *w)
{
	size_t step;

	for (step = 0; step < STEPS; step++) {
		page_store_begin(s, step);
		add_rows(s, texts, n, step, w);
		page_store_end(s);
	}
}

/* Takes off what the page has; returns the number of rows in it. */
static size_t take(struct page_unpack *u, struct whole *w)
{
	size_t rows = 0;

	while (u->at < u->len) {
		uint64_t n = page_unpack_number(u), i, c;
		uint64_t step[STEPS], at = 0;

		assert_in_range(n, 1, STEPS);
		for (i = 0; i < n; i++)
			step[i] = at += page_unpack_number(u);
		for (c = 0; c < 3; c++) {
			int64_t last = 0;

			for (i = 0; i < n; i++) {
				if (!page_unpack_value(u, &last) || c == 0)
					continue;
				if (c == 1)
					w->amount[step[i]] -= last;
				else
					w->level[step[i]] -= last;
			}
		}
		for (c = 0; c < 3; c++)
			(void)page_unpack_number(u);
		rows++;
	}
	return rows;
}

/* Returns how many rows were kept. */
static size_t check_whole(uint64_t n, size_t max_values)
{
	struct page_store *s = page_store_new(cols, 3, max_values);
	struct page_texts texts = { 0 };
	struct whole w = { { 0 }, { 0 } };
	struct buf out = BUF_INIT;
	struct page_unpack u;
	size_t i, kept;

	fill(s, &texts, n, &w);
	page_store_choose(s);
	page_store_put(s, &texts, &out);
	u = (struct page_unpack) { out.ptr, out.len, 0 };
	kept = page_store_rows(s);
	assert_int_equal(take(&u, &w),
	    kept + (page_store_others(s) > 0 ? 1 : 0));
	for (i = 0; i < STEPS; i++) {
		assert_int_equal(w.amount[i], 0);
		assert_int_equal(w.level[i], 0);
	}
	buf_release(&out);
	page_texts_release(&texts);
	page_store_free(s);
	return kept;
}

static void test_all_rows(void **state)
{
	(void)state;
	/* 100 rows, and 25 others in each of 59 steps */
	assert_int_equal(check_whole(100, 0), 100 + 59 * 25);
	assert_int_equal(check_whole(100, 1000000), 100 + 59 * 25);
}

static void test_others(void **state)
{
	size_t kept = check_whole(400, 3000);

	(void)state;
	assert_in_range(kept, PAGE_TOP, 1000);
}

/* Far more than the store holds at a time. */
static void test_room(void **state)
{
	size_t kept = check_whole(20000, 3000);

	(void)state;
	assert_in_range(kept, PAGE_TOP, 1000);
}

/* Rows that a step had are there in the next one, whatever made room between, and no
 * later one is promised. */
static void test_handles(void **state)
{
	enum { N = 20000 };
	struct page_store *s = page_store_new(cols, 3, 3000);
	struct page_row **of = calloc(N, sizeof(struct page_row *));
	struct page_value v[3] = { { .known = false }, { .known = true, .v = 1 },
		{ .known = false } };
	uint64_t step, i, key;

	(void)state;
	assert_non_null(of);
	for (step = 0; step < STEPS; step++) {
		page_store_begin(s, step);
		assert_true(page_store_has(s, step));
		assert_int_equal(step > 0, page_store_has(s, step - 1));
		assert_false(page_store_has(s, step - 2));
		for (i = 0; i < N; i++) {
			key = i + step / 2 * N; /* each in two steps */
			if (step % 2 == 0)
				of[i] = page_store_row(s, &key, sizeof(key));
			else
				assert_ptr_equal(of[i], page_store_row(s, &key,
				    sizeof(key)));
			page_store_add(s, of[i], v);
		}
		page_store_end(s);
		page_store_fetch(s, of, N);
	}
	free(of);
	page_store_free(s);
}

/* In each step n rows that no other step has: v is their amount. */
static void drop_ended(struct page_store *s, struct whole *w, size_t step,
	uint64_t n, size_t *ret_kept)
{
	uint64_t i;

	for (i = 0; i < n; i++)
		page_store_note(s, 1, (struct page_value) { .known = true, .v =
			(int64_t)(i * 7919 % 1000) });
	for (i = 0; i < n; i++) {
		uint64_t key = step * n + i;
		int64_t v = (int64_t)(i * 7919 % 1000);
		struct page_value row[3] = { { .known = false },
			{ .known = true, .v = v }, { .known = true, .v = 5 } };

		w->amount[step] += v;
		w->level[step] += 5;
		if (page_store_is_full(s) && !page_store_may_choose(s, row)) {
			page_store_drop(s, row);
			continue;
		}
		page_store_add(s, page_store_row(s, &key, sizeof(key)), row);
		++*ret_kept;
	}
}

/* Rows that end are dropped once there is no room for all, but none of those
 * that would have been chosen. */
static void test_ended(void **state)
{
	struct page_store *s = page_store_new(cols, 3, 3000);
	struct page_texts texts = { 0 };
	struct whole w = { { 0 }, { 0 } };
	struct buf out = BUF_INIT;
	struct page_unpack u;
	size_t i, kept = 0;

	(void)state;
	for (i = 0; i < STEPS; i++) {
		page_store_begin(s, i);
		drop_ended(s, &w, i, 1000, &kept);
		page_store_end(s);
	}
	/* the first step fills the store */
	assert_in_range(kept, 59 * PAGE_TOP, 59 * PAGE_TOP + 1000);
	page_store_choose(s);
	assert_int_equal(page_store_rows(s) + page_store_others(s),
	    STEPS * 1000);
	page_store_put(s, &texts, &out);
	u = (struct page_unpack) { out.ptr, out.len, 0 };
	assert_int_equal(take(&u, &w), page_store_rows(s) + 1);
	for (i = 0; i < STEPS; i++) {
		assert_int_equal(w.amount[i], 0);
		assert_int_equal(w.level[i], 0);
	}
	buf_release(&out);
	page_texts_release(&texts);
	page_store_free(s);
}

/* What the last row of the page, the others, has as its level at that step; -1: none. */
static int64_t level_of_others(const struct buf *out, size_t rows, size_t step)
{
	struct page_unpack u = { out->ptr, out->len, 0 };
	int64_t ret = -1;

	for (; rows > 0; rows--) {
		uint64_t n = page_unpack_number(&u), i, c, at[STEPS], sum = 0;

		for (i = 0; i < n; i++)
			at[i] = sum += page_unpack_number(&u);
		for (c = 0; c < 3; c++) {
			int64_t last = 0;

			for (i = 0; i < n; i++) {
				bool known = page_unpack_value(&u, &last);

				if (c == 2 && rows == 1 && at[i] == step)
					ret = known ? last : -1;
			}
		}
		for (c = 0; c < 3; c++)
			(void)page_unpack_number(&u);
	}
	return ret;
}

/* In both steps n rows, of which one in four ends in the second. */
static void add_leaving(struct page_store *s, uint64_t n)
{
	uint64_t step, key;

	for (step = 0; step < 2; step++) {
		page_store_begin(s, step);
		for (key = 0; key < n; key++) {
			struct page_value row[3] = { { .known = false },
				{ .known = true, .v = (int64_t)(n - key) },
				{ .known = true, .v = 5,
					.ended = step == 1 && key % 4 == 0 } };

			page_store_add(s, page_store_row(s, &key, sizeof(key)), row);
		}
		page_store_end(s);
	}
}

/* Levels that rows had when they ended are not in the sum of the others, also of
 * those that were still there when they were added. */
static void test_ended_levels(void **state)
{
	struct page_store *s = page_store_new(cols, 3, 3000);
	struct page_texts texts = { 0 };
	struct buf out = BUF_INIT;
	size_t kept;

	(void)state;
	add_leaving(s, 4000);
	page_store_choose(s);
	kept = page_store_rows(s); /* the first keys */
	assert_in_range(kept, 1, 3999);
	page_store_put(s, &texts, &out);
	assert_int_equal(level_of_others(&out, kept + 1, 0), 5 * (4000 - kept));
	assert_int_equal(level_of_others(&out, kept + 1, 1),
	    5 * (3000 - (kept - (kept + 3) / 4)));
	buf_release(&out);
	page_texts_release(&texts);
	page_store_free(s);
}

/* The highest value of an amount that the page has. */
static int64_t highest(const struct buf *out, size_t rows)
{
	struct page_unpack u = { out->ptr, out->len, 0 };
	int64_t most = 0;

	for (; rows > 0; rows--) {
		uint64_t n = page_unpack_number(&u), i, c;

		for (i = 0; i < n; i++)
			(void)page_unpack_number(&u);
		for (c = 0; c < 3; c++) {
			int64_t last = 0;

			for (i = 0; i < n; i++) {
				if (page_unpack_value(&u, &last) && c == 1)
					most = last > most ? last : most;
			}
		}
		for (c = 0; c < 3; c++)
			(void)page_unpack_number(&u);
	}
	return most;
}

#define LATE_STEP 50u
#define LATE_VALUE 100000

static void add_late(struct page_store *s, struct whole *w, size_t step)
{
	uint64_t key = UINT64_MAX;
	int64_t v = step < LATE_STEP ? 1 : LATE_VALUE;
	struct page_value row[3] = { { .known = false }, { .known = true, .v = v },
		{ .known = false } };
	struct page_row *e = page_store_row(s, &key, sizeof(key));

	w->amount[step] += v;
	page_store_rise(s, e, row);
	page_store_add(s, e, row);
}

/* One that was low while room was made is high in the end. */
static void test_late(void **state)
{
	struct page_store *s = page_store_new(cols, 3, 3000);
	struct page_texts texts = { 0 };
	struct whole w = { { 0 }, { 0 } };
	struct buf out = BUF_INIT;
	struct page_unpack u;
	size_t i;

	(void)state;
	for (i = LATE_STEP - 10; i < STEPS; i++) {
		page_store_begin(s, i);
		add_late(s, &w, i);
		add_rows(s, &texts, 30000, i, &w);
		page_store_end(s);
	}
	page_store_choose(s);
	page_store_put(s, &texts, &out);
	assert_int_equal(highest(&out, page_store_rows(s)), LATE_VALUE);
	u = (struct page_unpack) { out.ptr, out.len, 0 };
	(void)take(&u, &w);
	for (i = 0; i < STEPS; i++)
		assert_int_equal(w.amount[i], 0);
	buf_release(&out);
	page_texts_release(&texts);
	page_store_free(s);
}

static void test_numbers(void **state)
{
	static const int64_t v[] = { 0, -1, 1, -64, 64, PAGE_VALUE_MAX,
		-PAGE_VALUE_MAX, INT64_MAX, INT64_MIN, 7 };
	struct buf b = BUF_INIT;
	struct page_unpack u;
	int64_t last = 0;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(v) / sizeof(*v); i++) {
		page_pack_value(&b, true, v[i], &last);
		page_pack_value(&b, false, 0, &last);
	}
	u = (struct page_unpack) { b.ptr, b.len, 0 };
	last = 0;
	for (i = 0; i < sizeof(v) / sizeof(*v); i++) {
		int64_t want = v[i] > PAGE_VALUE_MAX ? PAGE_VALUE_MAX
		    : v[i] < -PAGE_VALUE_MAX ? -PAGE_VALUE_MAX : v[i];

		assert_true(page_unpack_value(&u, &last));
		assert_int_equal(last, want);
		assert_false(page_unpack_value(&u, &last));
	}
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_rows),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_handles),
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_ended_levels),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
