/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pushes ticks through a writer whose disk fails at step 1, 2, 3, ..., and
 * compares the files with the pushed ticks: each file begins with a
 * key, no delta follows a gap, and every tick is written or counted in a hole.
 */
#include "cases.h"

#include <inttypes.h>

#include "base/clock.h"
#include "fault_io.h"
#include "gate_io.h"
#include "frames.h"
#include "format/naming.h"
#include "record/writer.h"
#include "tempdir.h"

#define TICKS 24
#define KEY_EVERY 7
#define ROTATE_AT 15 /* tick after which a new file is asked for */

static const struct fault_case {
	const char *name;
	enum fault fault;
	int errnum;
	int fail_for;
	bool burst; /* all ticks at once, not one after the other */
} cases[] = {
	{ "full once", FAULT_ERRNO, ENOSPC, 1, false },
	{ "full for a while", FAULT_ERRNO, ENOSPC, 7, false },
	{ "full for good", FAULT_ERRNO, ENOSPC, -1, false },
	{ "broken once", FAULT_ERRNO, EIO, 1, false },
	{ "broken for a while", FAULT_ERRNO, EIO, 5, false },
	{ "broken for good", FAULT_ERRNO, EIO, -1, false },
	{ "read-only for a while", FAULT_ERRNO, EROFS, 6, false },
	{ "short once", FAULT_SHORT, 0, 1, false },
	{ "full once, in a burst", FAULT_ERRNO, ENOSPC, 1, true },
	{ "broken once, in a burst", FAULT_ERRNO, EIO, 1, true },
	{ "broken for a while, in a burst", FAULT_ERRNO, EIO, 4, true },
};

struct run {
	struct tempdir dir;
	struct fault_io io;
	struct writer *w;
	struct writer_stats stats; /* at the end */
	uint64_t pushed;
	bool need_key; /* a reader would need one */
};

static void wait_idle(struct run *r)
{
	struct writer_stats s;

	do {
		writer_get_stats(r->w, &s);
		(void)usleep(20);
	} while (s.queued > 0);
}

/* The bytes of a frame are its hole and its file number. */
static bool push(struct run *r, struct writer_frame *f, bool key, uint64_t seq)
{
	f->kind = key ? FRAME_KEY : FRAME_DELTA;
	f->seq = seq;
	f->wall_ns = (int64_t)seq;
	f->raw_len = 100;
	buf_printf(&f->zframe, "%" PRIu64 " %u", f->hole, f->file_number);
	return writer_push(r->w, f);
}

static void push_tick(struct run *r, uint64_t seq)
{
	struct writer_frame *f = writer_begin(r->w, 1);
	bool key = seq % KEY_EVERY == 1 || r->need_key;

	r->pushed++;
	r->need_key = true;
	if (f && push(r, f, key || f->must_key, seq))
		r->need_key = false;
}

static void rotate(struct run *r, uint64_t seq)
{
	struct writer_frame *f = writer_begin(r->w, 0);

	if (!f)
		return;
	if (f->must_key) {
		writer_lose(r->w, f, f->why);
		return;
	}
	writer_start_file(f);
	if (push(r, f, true, seq))
		r->need_key = false;
}

static void open_run(struct run *r, const struct fault_case *c, int step)
{
	struct writer_options wo = { .sync_ns = 0, .retry_ns = 1 };
	struct output out;
	struct output_options oo = { .kind = OUTPUT_FILE };

	tempdir_make(&r->dir);
	fault_init(&r->io);
	oo.path = tempdir_file(&r->dir, "a.gpsnap");
	oo.host = "h";
	assert_int_equal(output_open(&out, &oo, &r->io.ops, 0, NULL), 0);
	r->io.step = 0; /* the first file exists */
	r->io.fault = c->fault;
	r->io.errnum = c->errnum;
	r->io.fail_at = step;
	r->io.fail_for = c->fail_for;
	r->w = writer_new(&out, &wo);
}

struct seen {
	uint64_t ticks, holes, last_seq;
	unsigned files;
};

static void check_file(const struct frames *f, struct seen *s)
{
	uint64_t hole;
	unsigned number;
	size_t i;

	if (f->n == 0)
		return;
	s->files++;
	assert_int_equal(f->index[0].kind, FRAME_KEY);
	for (i = 0; i < f->n; i++) {
		uint64_t seq = f->index[i].seq;

		assert_int_equal(sscanf(frames_data(f, i), "%" SCNu64 " %u",
		    &hole, &number), 2);
		assert_int_equal(number, s->files);
		if (f->index[i].kind == FRAME_DELTA)
			assert_int_equal(seq, s->last_seq + 1);
		/* A new file may repeat the last tick of the old one. */
		if (i == 0 && s->files > 1 && seq == s->last_seq)
			continue;
		assert_true(seq > s->last_seq);
		/* It reports exactly the ticks that are missing before it. */
		assert_int_equal(hole, seq - s->last_seq - 1);
		s->holes += hole;
		s->ticks++;
		s->last_seq = seq;
	}
}

static void check_run(struct run *r)
{
	struct seen s = { 0 };
	struct buf path = BUF_INIT;
	unsigned nth;

	for (nth = 1; nth < 60; nth++) {
		struct frames f;
		char name[32];

		(void)snprintf(name, sizeof(name), "a.gpsnap");
		naming_continued(tempdir_file(&r->dir, name), nth, &path);
		if (access(buf_str(&path), F_OK) != 0)
			continue;
		assert_true(frames_read(&f, buf_str(&path)));
		check_file(&f, &s);
		frames_release(&f);
	}
	assert_int_equal(s.ticks, r->stats.ticks);
	assert_int_equal(s.files, r->stats.files);
	assert_int_equal(s.ticks + r->stats.lost, r->pushed);
	/* No frame can report losses after the last written one. */
	assert_true(s.holes <= r->stats.lost);
	if (s.last_seq == TICKS)
		assert_int_equal(s.holes, r->stats.lost);
	buf_release(&path);
}

static bool run_step(const struct fault_case *c, int step)
{
	struct run r = { 0 };
	struct buf notices = BUF_INIT;
	uint64_t seq;
	bool failed;

	open_run(&r, c, step);
	for (seq = 1; seq <= TICKS; seq++) {
		push_tick(&r, seq);
		if (!c->burst)
			wait_idle(&r);
		if (seq == ROTATE_AT)
			rotate(&r, seq);
	}
	(void)writer_finish(r.w, NULL); /* what failed is counted */
	writer_get_stats(r.w, &r.stats);
	failed = r.io.failed;
	/* Lost ticks are reported to the user. */
	if (!failed)
		assert_int_equal(r.stats.lost, 0);
	if (r.stats.lost > 0)
		assert_true(writer_fetch_notices(r.w, &notices));
	check_run(&r);
	writer_free(r.w);
	buf_release(&notices);
	tempdir_remove(&r.dir);
	return failed;
}

static void test_every_step(void **state)
{
	int step = 1;

	while (run_step(*state, step))
		step++;
	assert_true(step > TICKS);
}

/* A disk that hangs: sampling goes on, the queue is filled, the rest is a hole
 * that the next frame reports. */
static void test_stalled(void **state)
{
	struct writer_options wo = { .sync_ns = GS_NSEC_PER_SEC };
	struct output_options oo = { .kind = OUTPUT_FILE, .host = "h" };
	struct gate g = { 0 };
	struct run r = { 0 };
	struct output out;
	int64_t start;
	uint64_t seq;

	(void)state;
	tempdir_make(&r.dir);
	fault_init(&g.io);
	g.io.ops.ctx = &g;
	g.io.ops.writev = gated_writev;
	oo.path = tempdir_file(&r.dir, "a.gpsnap");
	assert_int_equal(output_open(&out, &oo, &g.io.ops, 0, NULL), 0);
	r.w = writer_new(&out, &wo);
	start = gs_clock_mono_ns();
	for (seq = 1; seq <= WRITER_QUEUE_MAX + 20; seq++)
		push_tick(&r, seq);
	assert_true(gs_clock_mono_ns() - start < GS_NSEC_PER_SEC);
	writer_get_stats(r.w, &r.stats);
	assert_int_equal(r.stats.lost, 20);
	assert_int_equal(r.stats.queued, WRITER_QUEUE_MAX);
	g.open = true;
	wait_idle(&r);
	push_tick(&r, seq);
	assert_int_equal(writer_finish(r.w, NULL), 0);
	writer_get_stats(r.w, &r.stats);
	assert_int_equal(r.stats.ticks, WRITER_QUEUE_MAX + 1);
	check_run(&r);
	writer_free(r.w);
	tempdir_remove(&r.dir);
}

/* Below min_free nothing is written; afterwards it goes on. */
static void test_min_free(void **state)
{
	struct writer_options wo = { .sync_ns = GS_NSEC_PER_SEC,
		.retry_ns = 1 };
	struct output_options oo = { .kind = OUTPUT_FILE, .host = "h",
		.min_free = 0.05 };
	struct run r = { 0 };
	struct buf notices = BUF_INIT;
	struct output out;

	(void)state;
	tempdir_make(&r.dir);
	fault_init(&r.io);
	r.io.free_share = 0.04;
	oo.path = tempdir_file(&r.dir, "a.gpsnap");
	assert_int_equal(output_open(&out, &oo, &r.io.ops, 0, NULL), 0);
	r.w = writer_new(&out, &wo);
	push_tick(&r, 1);
	wait_idle(&r);
	assert_true(writer_fetch_notices(r.w, &notices));
	assert_non_null(strstr(buf_str(&notices), "less than 5 %"));
	r.io.free_share = 0.06;
	(void)usleep(1100000); /* free space is checked once a second */
	push_tick(&r, 2);
	assert_int_equal(writer_finish(r.w, NULL), 0);
	writer_get_stats(r.w, &r.stats);
	assert_int_equal(r.stats.ticks, 1);
	assert_int_equal(r.stats.lost, 1);
	assert_true(writer_fetch_notices(r.w, &notices));
	assert_non_null(strstr(buf_str(&notices), "after 1 lost ticks"));
	check_run(&r);
	writer_free(r.w);
	buf_release(&notices);
	tempdir_remove(&r.dir);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, test_every_step, cases);
	cases_add(&c, "stalled", test_stalled, NULL);
	cases_add(&c, "min free", test_min_free, NULL);
	return cases_run(&c, "writer");
}
