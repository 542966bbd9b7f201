/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of ticks on a disk that hangs or is full: what the framer says of a tick that
 * the writer does not take; and of ticks that were in memory first.
 */
#include "cases.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "fault_io.h"
#include "format/reader.h"
#include "gate_io.h"
#include "record/framer.h"
#include "tempdir.h"

/* A frame that was not queued has no bytes: they are not charged twice. */
static void test_refused(void **state)
{
	struct writer_options wo = { .sync_ns = GS_NSEC_PER_SEC };
	struct output_options oo = { .kind = OUTPUT_FILE, .host = "h" };
	struct framer_options fo = { .level = 3 };
	struct gate g = { 0 };
	struct tempdir dir;
	struct output out;
	struct framer *f;
	struct writer *w;
	bool queued = true;
	unsigned n;

	(void)state;
	tempdir_make(&dir);
	fault_init(&g.io);
	g.io.ops.ctx = &g;
	g.io.ops.writev = gated_writev;
	oo.path = tempdir_file(&dir, "a.gpsnap");
	assert_int_equal(output_open(&out, &oo, &g.io.ops, 0, NULL), 0);
	w = writer_new(&out, &wo);
	f = framer_new(header_new(), w, &fo);
	for (n = 1; queued && n < 10000; n++) {
		framer_begin(f, n, n == 1);
		(void)framer_end(f, &queued);
		assert_int_equal(framer_queued_bytes(f) > 0, queued);
		assert_false(framer_was_too_large(f));
	}
	assert_false(queued);
	g.open = true;
	assert_int_equal(writer_finish(w, NULL), 0);
	framer_free(f);
	writer_free(w);
	tempdir_remove(&dir);
}

struct kept {
	struct tempdir dir;
	struct fault_io io;
	struct framer *f;
	struct writer *w;
};

static void open_kept(struct kept *k)
{
	struct writer_options wo = { .sync_ns = GS_NSEC_PER_SEC, .retry_ns = 1 };
	struct output_options oo = { .kind = OUTPUT_FILE, .host = "h" };
	struct framer_options fo = { .level = 3, .before_ns = 8,
		.before_bytes = 1 << 20 };
	struct output out;

	tempdir_make(&k->dir);
	fault_init(&k->io);
	oo.path = tempdir_file(&k->dir, "a.gpsnap");
	assert_int_equal(output_open(&out, &oo, &k->io.ops, 0, NULL), 0);
	k->io.step = 0; /* the file exists */
	k->w = writer_new(&out, &wo);
	k->f = framer_new(header_new(), k->w, &fo);
}

static void close_kept(struct kept *k)
{
	framer_free(k->f);
	writer_free(k->w);
	tempdir_remove(&k->dir);
}

/* A tick, and what is queued is written. */
static void add_tick(struct kept *k, int64_t n)
{
	struct writer_stats s;

	framer_begin(k->f, n, false);
	(void)framer_end(k->f, NULL);
	do {
		writer_get_stats(k->w, &s);
		(void)usleep(20);
	} while (s.queued > 0);
}

/* Adds ticks of a file, which may not be there, and lost ones that it reports; its
 * keys have that number, 0: any. */
static void count(struct kept *k, const char *name, uint32_t number,
	uint64_t *ticks, uint64_t *lost)
{
	enum cursor_step is = CURSOR_TICK;
	struct reader *r = NULL;
	struct cursor_gap gap;
	struct tick *t = NULL;
	struct gs_err err;

	if (reader_open(tempdir_file(&k->dir, name), &r, &err) < 0)
		is = CURSOR_END;
	while (is == CURSOR_TICK || is == CURSOR_GAP) {
		is = reader_next(r, &t, &gap, &err);
		assert_false(number > 0 && is == CURSOR_GAP);
		if (is != CURSOR_TICK)
			continue;
		++*ticks;
		*lost += tick_lost_before(t);
		if (t->key && number > 0)
			assert_int_equal(t->header->file_number, number);
	}
	assert_int_equal(is, CURSOR_END);
	reader_free(r);
}

/* All that is lost is reported, also if the tick that does so is lost, too. */
static void test_full_disk(void **state)
{
	static const char *const names[] = { "a.gpsnap", "a-2.gpsnap",
		"a-3.gpsnap", "a-4.gpsnap" };
	size_t i;
	int at;

	(void)state;
	for (at = 1; at < 12; at++) {
		uint64_t ticks = 0, lost = 0;
		struct kept k;
		int64_t n;

		open_kept(&k);
		k.io.errnum = ENOSPC;
		k.io.fail_at = at;
		k.io.fail_for = at % 5 + 1;
		for (n = 1; n <= 60; n++) {
			framer_let_out(k.f, n % 16 < 12);
			add_tick(&k, n);
		}
		framer_flush(k.f);
		assert_int_equal(writer_finish(k.w, NULL), 0);
		assert_true(k.io.failed);
		for (i = 0; i < GS_LEN(names); i++)
			count(&k, names[i], 0, &ticks, &lost);
		assert_true(lost > 0);
		assert_int_equal(ticks + lost, 60);
		close_kept(&k);
	}
}

/* Keys were encoded before it was known that they are of another file. */
static void test_number_of_file(void **state)
{
	uint64_t ticks = 0, lost = 0;
	struct kept k;
	int64_t n;

	(void)state;
	open_kept(&k);
	for (n = 1; n <= 12; n++) {
		framer_let_out(k.f, n < 3 || n > 9);
		if (n == 4)
			framer_rotate(k.f);
		add_tick(&k, n);
	}
	assert_int_equal(writer_finish(k.w, NULL), 0);
	count(&k, "a.gpsnap", 1, &ticks, &lost);
	assert_int_equal(ticks, 2);
	count(&k, "a-2.gpsnap", 2, &ticks, &lost);
	assert_true(ticks > 4);
	close_kept(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_number_of_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
