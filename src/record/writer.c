/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mutex guards what both sides touch (struct shared) and is never held
 * over I/O.  The output belongs to the thread alone.
 *
 * Generations: every failure of the thread begins a new one and empties the
 * queue.  A frame carries the generation in which it was begun and is queued
 * only in that one.  So all frames made before a failure are lost with it,
 * and the first frame that is written again was begun when the whole loss
 * before it was known.
 */
#include "record/writer_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

struct writer *writer_new(struct output *o, const struct writer_options *opt)
{
	struct writer *w = gs_calloc(1, sizeof(*w));
	pthread_condattr_t attr;

	w->out = *o;
	*o = (struct output)OUTPUT_INIT;
	w->opt = *opt;
	w->synced_ns = gs_clock_mono_ns();
	w->tidied_ns = w->synced_ns - TIDY_EVERY_NS; /* at once */
	w->room_ns = w->synced_ns - ROOM_EVERY_NS;
	w->file_number = 1;
	w->s.file_empty = true;
	buf_add_str(&w->s.path, w->out.file.path);
	(void)pthread_mutex_init(&w->lock, NULL); /* can't fail on Linux */
	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&w->wake, &attr);
	(void)pthread_condattr_destroy(&attr);
	if (pthread_create(&w->thread, NULL, writer_run, w) != 0)
		abort(); /* as when memory is exhausted */
	return w;
}

static struct writer_frame *spare_locked(struct shared *s)
{
	struct writer_frame *f = s->spare;

	if (f) {
		s->spare = f->next;
		return f;
	}
	if (s->made == WRITER_QUEUE_MAX)
		return NULL;
	s->made++;
	return gs_calloc(1, sizeof(*f));
}

/* Why ticks can't be written; NULL: they can. */
static const char *refusal_locked(const struct shared *s)
{
	if (s->stats.failed)
		return s->why;
	if (s->retry_ns > 0 && gs_clock_mono_ns() < s->retry_ns)
		return s->why;
	return NULL;
}

/* Fills the upper part; pending reports move to the frame. */
static void hand_out_locked(struct writer *w, struct writer_frame *f,
	uint32_t ticks)
{
	struct shared *s = &w->s;
	bool failed = s->generation != w->pushed_generation;

	f->ticks = ticks;
	f->next = NULL;
	f->raw_len = 0;
	f->generation = s->generation;
	f->new_file = s->new_file;
	f->hole = s->lost;
	(void)memcpy(f->moved, s->moved, sizeof(f->moved));
	s->moved[0] = '\0';
	(void)memcpy(f->why, s->why, sizeof(f->why));
	s->new_file = false;
	s->lost = 0;
	buf_reset(&f->zframe);
	f->must_key = w->key_wanted || failed || f->new_file || f->hole > 0;
	/* After a failure all queued frames are dropped: the thread's count of
	 * files is correct. */
	if (failed)
		f->file_number = s->numbered +
		    (f->new_file || s->file_empty);
	else
		f->file_number = w->file_number + f->new_file;
}

struct writer_frame *writer_begin(struct writer *w, uint32_t ticks)
{
	struct shared *s = &w->s;
	struct writer_frame *f = NULL;
	const char *why;

	(void)pthread_mutex_lock(&w->lock);
	why = refusal_locked(s);
	if (!why) {
		f = spare_locked(s);
		why = "the disk is too slow";
	}
	if (f) {
		hand_out_locked(w, f, ticks);
	} else {
		writer_count_lost_locked(s, ticks, 0, why);
		w->key_wanted = true;
	}
	(void)pthread_mutex_unlock(&w->lock);
	return f;
}

uint64_t writer_take_hole(struct writer *w, char why[WRITER_WHY_MAX],
	char moved[WRITER_WHY_MAX])
{
	struct shared *s = &w->s;
	uint64_t hole = 0;

	(void)pthread_mutex_lock(&w->lock);
	if (!refusal_locked(s)) {
		hole = s->lost;
		w->key_wanted |= hole > 0;
		s->lost = 0;
		if (hole > 0)
			(void)memcpy(why, s->why, sizeof(s->why));
		if (s->moved[0] != '\0')
			(void)memcpy(moved, s->moved, sizeof(s->moved));
		s->moved[0] = '\0';
	}
	(void)pthread_mutex_unlock(&w->lock);
	return hole;
}

void writer_start_file(struct writer_frame *f)
{
	if (!f->new_file)
		f->file_number++;
	f->new_file = true;
}

static void lose_locked(struct writer *w, struct writer_frame *f,
	const char *why)
{
	writer_count_lost_locked(&w->s, f->ticks, f->hole, why);
	w->s.new_file = w->s.new_file || f->new_file;
	writer_keep_moved_locked(&w->s, f);
	writer_recycle_locked(&w->s, f);
	w->key_wanted = true;
}

void writer_lose(struct writer *w, struct writer_frame *f, const char *why)
{
	(void)pthread_mutex_lock(&w->lock);
	lose_locked(w, f, why);
	(void)pthread_mutex_unlock(&w->lock);
}

static void account_locked(struct writer *w, const struct writer_frame *f)
{
	struct writer_stats *st = &w->s.stats;

	if (f->new_file)
		st->file_bytes = st->file_raw_bytes = 0;
	st->file_bytes += FRAME_INDEX_LEN + f->zframe.len;
	st->file_raw_bytes += f->raw_len;
}

bool writer_push(struct writer *w, struct writer_frame *f)
{
	struct shared *s = &w->s;
	bool fits, ok;

	(void)pthread_mutex_lock(&w->lock);
	fits = s->queued_bytes == 0 ||
	    s->queued_bytes + f->zframe.len <= WRITER_QUEUE_BYTES_MAX;
	ok = fits && f->generation == s->generation;
	if (!ok) {
		lose_locked(w, f, fits ? s->why : "the disk is too slow");
	} else {
		account_locked(w, f);
		s->queued_bytes += f->zframe.len;
		s->stats.queued++;
		if (s->last)
			s->last->next = f;
		else
			s->first = f;
		s->last = f;
		w->key_wanted = false;
		w->pushed_generation = f->generation;
		w->file_number = f->file_number;
		(void)pthread_cond_signal(&w->wake);
	}
	(void)pthread_mutex_unlock(&w->lock);
	return ok;
}

void writer_get_stats(struct writer *w, struct writer_stats *ret)
{
	(void)pthread_mutex_lock(&w->lock);
	*ret = w->s.stats;
	ret->losing = w->s.lost;
	(void)pthread_mutex_unlock(&w->lock);
}

int writer_get_failure(struct writer *w, struct gs_err *err)
{
	bool failed;

	(void)pthread_mutex_lock(&w->lock);
	failed = w->s.stats.failed;
	if (failed)
		*err = w->s.failure;
	(void)pthread_mutex_unlock(&w->lock);
	return failed ? (int)err->status : GS_OK;
}

void writer_get_path(struct writer *w, struct buf *out)
{
	buf_reset(out);
	(void)pthread_mutex_lock(&w->lock);
	buf_add(out, w->s.path.ptr, w->s.path.len);
	(void)pthread_mutex_unlock(&w->lock);
}

void writer_get_files(struct writer *w, struct buf *out)
{
	buf_reset(out);
	buf_add(out, w->all.ptr, w->all.len);
}

static bool fetch(struct writer *w, struct buf *from, struct buf *out)
{
	buf_reset(out);
	(void)pthread_mutex_lock(&w->lock);
	if (from->len > 0)
		buf_add(out, from->ptr, from->len);
	buf_reset(from);
	(void)pthread_mutex_unlock(&w->lock);
	return out->len > 0;
}

bool writer_fetch_completed(struct writer *w, struct buf *out)
{
	return fetch(w, &w->s.completed, out);
}

bool writer_fetch_notices(struct writer *w, struct buf *out)
{
	return fetch(w, &w->s.notices, out);
}

int writer_finish(struct writer *w, struct gs_err *err)
{
	(void)pthread_mutex_lock(&w->lock);
	w->s.ending = true;
	(void)pthread_cond_signal(&w->wake);
	(void)pthread_mutex_unlock(&w->lock);
	(void)pthread_join(w->thread, NULL);
	w->joined = true;
	if (w->closed.status != GS_OK && err)
		*err = w->closed;
	return w->closed.status;
}

static void free_list(struct writer_frame *f)
{
	struct writer_frame *next;

	for (; f; f = next) {
		next = f->next;
		buf_release(&f->zframe);
		free(f);
	}
}

void writer_free(struct writer *w)
{
	if (!w)
		return;
	if (!w->joined)
		(void)writer_finish(w, NULL); /* given up */
	free_list(w->s.first);
	free_list(w->s.spare);
	buf_release(&w->s.path);
	buf_release(&w->s.notices);
	buf_release(&w->s.completed);
	buf_release(&w->before);
	buf_release(&w->all);
	(void)pthread_cond_destroy(&w->wake);
	(void)pthread_mutex_destroy(&w->lock);
	free(w);
}
