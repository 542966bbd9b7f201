/* SPDX-License-Identifier: Apache-2.0 */
/*
 * files.h - a recording in files, for tests of reading them.
 */
#ifndef TESTS_UNIT_REPLAY_FILES_H
#define TESTS_UNIT_REPLAY_FILES_H

#include <fcntl.h>

#include "cases.h"
#include "recording.h"
#include "replay/archive.h"
#include "simlife.h"
#include "tempdir.h"

#define FILES 4

/* A recording in FILES files, of a host that stays up. */
struct lab {
	struct tempdir dir;
	struct recording rec;
	struct simlife life;
	size_t start[FILES + 1]; /* of each file within rec.bytes */
	size_t first[FILES + 1]; /* its first entry of rec.tick */
};

static inline void write_file(const struct lab *l, const char *name, const void *p,
	size_t len)
{
	int fd = open(tempdir_file(&l->dir, name), O_CREAT | O_TRUNC |
	    O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, p, len), (ssize_t)len);
	(void)close(fd);
}

static inline const char *file_name(size_t i)
{
	static const char *const names[] = { "a.gpsnap", "b.gpsnap",
		"c.gpsnap", "d.gpsnap" };

	return names[i];
}

static inline void write_part(const struct lab *l, size_t i, size_t cut)
{
	write_file(l, file_name(i), l->rec.bytes.ptr + l->start[i],
	    l->start[i + 1] - l->start[i] - cut);
}

static inline void step(struct lab *l)
{
	struct simhost *h[1] = { &l->life.host };

	simlife_step(&l->life, SIM_SECOND);
	recording_tick(&l->rec, h, 1);
}

/* A tick after others that the recorder could not write; why: its reason. */
static inline void step_behind_hole(struct lab *l, unsigned lost, const char *why)
{
	struct recording *r = &l->rec;
	struct simhost *h = &l->life.host;
	uint64_t seq = r->tick[r->n - 1].seq;
	uint64_t digest;

	simlife_step(&l->life, (lost + 1) * SIM_SECOND);
	encoder_need_key(r->encoder);
	encoder_set_seq(r->encoder, seq + lost + 1);
	encoder_begin(r->encoder, h->clock.wall_ns);
	encoder_event(r->encoder, EVENT_HOLE, h->clock.wall_ns, EVENT_NO_HOST,
	    lost, why);
	encoder_block(r->encoder, 0, h->world);
	digest = digest_world(h->world);
	recording_put(r, encoder_end(r->encoder), digest);
}

/* 10 more ticks, after the recorder's clock was set back by 25 s: the first is
 * a key.  Then all in one file. */
static inline void step_after_clock_back(struct lab *l)
{
	size_t i;

	recording_rotate(&l->rec);
	l->life.host.clock.wall_ns -= 25 * SIM_SECOND;
	for (i = 0; i < 10; i++) {
		if (i == 0)
			encoder_need_key(l->rec.encoder);
		step(l);
	}
	write_file(l, "all.gpsnap", l->rec.bytes.ptr, l->rec.bytes.len);
}

/* 10 ticks in each file, and the last one of the previous file. */
static inline void set_up(struct lab *l)
{
	size_t i, k;

	*l = (struct lab) { .start = { 0 } };
	tempdir_make(&l->dir);
	recording_init(&l->rec, 1);
	simlife_init(&l->life, "alpha", 5, 5);
	for (i = 0; i < FILES; i++) {
		l->start[i] = l->rec.bytes.len;
		l->first[i] = l->rec.n;
		if (i > 0)
			recording_rotate(&l->rec);
		for (k = 0; k < 10; k++) {
			if (k % 4 == 3)
				encoder_need_key(l->rec.encoder);
			step(l);
		}
		recording_close(&l->rec);
	}
	l->start[FILES] = l->rec.bytes.len;
	l->first[FILES] = l->rec.n;
}

static inline void tear_down(struct lab *l)
{
	tempdir_remove(&l->dir);
	recording_release(&l->rec);
	simlife_release(&l->life);
}

struct seen {
	uint64_t seq[512];
	int64_t wall_ns[512];
	size_t n, repeats, gaps, hosts;
	struct cursor_gap gap[8];
};

static inline void expect_run(const struct seen *s, size_t at, uint64_t from,
	uint64_t to)
{
	uint64_t i;

	assert_true(s->n >= at + (to - from));
	for (i = from; i < to; i++)
		assert_int_equal(s->seq[at + (i - from)], i);
}

#endif
