/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files whose frames are whole, and promise ticks that are not in them: reading ends,
 * and what is lost is told.
 */
#include <unistd.h>

#include "files.h"

/* Longer than all of it takes where everything is slow. */
#define SECONDS_MAX 120

static void begin(struct recording *r, uint32_t number)
{
	recording_init(r, 1);
	encoder_header(r->encoder)->file_number = number;
}

/* Ticks from seq on, of which the first is a key; the life goes on. */
static void put_ticks(struct lab *l, struct recording *r, uint64_t seq, size_t n)
{
	struct simhost *h[1] = { &l->life.host };

	encoder_set_seq(r->encoder, seq);
	encoder_need_key(r->encoder);
	while (n-- > 0) {
		recording_tick(r, h, 1);
		simlife_step(&l->life, SIM_SECOND);
	}
}

/* Keys up to seq that are none, a second apart. */
static void put_promises(struct recording *r, uint64_t seq, uint64_t to, int64_t wall_ns)
{
	for (; seq <= to; seq++) {
		buf_reset(&r->raw);
		buf_add_str(&r->raw, "no tick");
		recording_put_raw(r, seq, wall_ns, true);
		wall_ns += SIM_SECOND;
	}
}

static void end(struct lab *l, struct recording *r, const char *name)
{
	write_file(l, name, r->bytes.ptr, r->bytes.len);
	recording_release(r);
}

/* Ticks 1 to 10; keys 3 to 100, of which the first `good` are ticks; 10 to 39. */
static void make(struct lab *l, size_t good)
{
	struct recording r;
	int64_t wall_ns;

	*l = (struct lab) { .start = { 0 } };
	tempdir_make(&l->dir);
	simlife_init(&l->life, "alpha", 5, 5);
	simlife_step(&l->life, SIM_SECOND);
	wall_ns = l->life.host.clock.wall_ns;
	begin(&r, 1);
	put_ticks(l, &r, 1, 10);
	end(l, &r, "a.gpsnap");
	l->life.host.clock.wall_ns = wall_ns + 2 * SIM_SECOND;
	begin(&r, 2);
	put_ticks(l, &r, 3, good);
	put_promises(&r, 3 + good, 100, wall_ns + (2 + (int64_t)good) * SIM_SECOND);
	end(l, &r, "b.gpsnap");
	l->life.host.clock.wall_ns = wall_ns + 9 * SIM_SECOND;
	begin(&r, 3);
	put_ticks(l, &r, 10, 30);
	end(l, &r, "c.gpsnap");
}

/* How many ticks and gaps there are. */
static void count(struct lab *l, size_t *ticks, size_t *gaps, size_t *files)
{
	char *path[1] = { l->dir.path };
	struct archive *a = NULL;
	enum cursor_step is;
	const struct tick *t;
	struct cursor_gap gap;
	struct cursor c;

	*ticks = *gaps = 0;
	assert_int_equal(archive_open(path, 1, &a, NULL), GS_OK);
	*files = archive_files(a);
	c = archive_cursor(a);
	while ((is = cursor_next(c, &t, &gap, NULL)) != CURSOR_END) {
		assert_true(is == CURSOR_TICK || is == CURSOR_REPEAT ||
		    is == CURSOR_GAP);
		*ticks += is == CURSOR_TICK;
		*gaps += is == CURSOR_GAP;
		assert_true(*gaps < 10);
	}
	archive_free(a);
	simlife_release(&l->life);
	tempdir_remove(&l->dir);
}

/* It was left for the file with the same tick, and entered again, for ever. */
static void test_one_good_key(void **state)
{
	size_t ticks, gaps, files;
	struct lab l;

	(void)state;
	make(&l, 1);
	count(&l, &ticks, &gaps, &files);
	assert_int_equal(files, 3);
	assert_true(ticks >= 3);
	assert_true(gaps > 0);
}

/* A file between others of its recording is opened by its header, but not if it says
 * that it has ticks of their time: none of theirs is lost for it. */
static void test_no_good_key(void **state)
{
	size_t ticks, gaps, files;
	struct lab l;

	(void)state;
	make(&l, 0);
	count(&l, &ticks, &gaps, &files);
	assert_int_equal(files, 2);
	assert_int_equal(ticks, 39);
	assert_int_equal(gaps, 0);
}

int main(void)
{
	struct cases c = { 0 };

	(void)alarm(SECONDS_MAX);
	cases_add(&c, "one good key", test_one_good_key, NULL);
	cases_add(&c, "no good key", test_no_good_key, NULL);
	return cases_run(&c, "promised");
}
