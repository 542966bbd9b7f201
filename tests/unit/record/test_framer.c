/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of ticks on a disk that hangs: what the framer says of a tick that the
 * writer does not take.
 */
#include "cases.h"

#include <unistd.h>

#include "base/clock.h"
#include "fault_io.h"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
