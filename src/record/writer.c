/*
 * The mutex guards what both sides touch (struct shared) and is never held
 * over I/O.  The output belongs to the thread alone.
 *
 * Generations: every failure of the thread begins a new one and empties the
 * queue.  A frame carries the generation in which it was begun and is queued
 * only in that one.  So all that was made before a failure is lost with it,
 * and the first frame that is written again was begun in knowledge of all
 * that is missing before it.
 */
#include "record/writer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#define NOTICES_MAX 4096u
/* Room and retention are looked at so often. */
#define ROOM_EVERY_NS GS_NSEC_PER_SEC
#define TIDY_EVERY_NS (60 * GS_NSEC_PER_SEC)

struct shared {
	struct writer_frame *first, *last; /* queue */
	struct writer_frame *spare; /* used last first: few grow */
	size_t made;
	size_t queued_bytes; /* the frame being written included */
	bool ending;

	uint64_t generation;
	bool new_file; /* the next frame begun must begin one */
	bool file_empty; /* the open file holds no frame yet */
	uint64_t lost; /* not yet told in a frame */
	char why[WRITER_WHY_MAX];
	int64_t retry_ns; /* mono; refuse frames before */
	struct writer_stats stats;
	struct buf path;
	struct buf notices;
};

struct writer {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct shared s;

	/* The caller's. */
	bool key_wanted; /* it lost a frame itself */
	uint64_t pushed_generation;
	uint32_t file_number;
	bool joined;

	/* The thread's. */
	struct output out;
	struct writer_options opt;
	int64_t synced_ns; /* mono */
	int64_t room_ns; /* mono; looked at last */
	int64_t tidied_ns;
	bool has_room;
	bool tidy_told; /* that retention does not work */
	bool troubled; /* a loss was told, the recovery not yet */
	uint64_t troubled_lost; /* stats.lost when the trouble began */
	struct gs_err closed; /* how the output was closed */
};

/* ---- shared ---------------------------------------------------------- */

static void notice_locked(struct shared *s, const char *text)
{
	if (s->notices.len + strlen(text) > NOTICES_MAX)
		return;
	buf_add_str(&s->notices, text);
	buf_add_char(&s->notices, '\n');
}

static void count_lost_locked(struct shared *s, uint32_t ticks, uint64_t hole,
	const char *why)
{
	s->lost += ticks + hole;
	s->stats.lost += ticks;
	if (why != s->why)
		(void)snprintf(s->why, sizeof(s->why), "%s", why);
}

/* The frame is lost, whoever lost it; what it should have told or begun, the
 * next one has to. */
static void count_frame_locked(struct shared *s, const struct writer_frame *f,
	const char *why)
{
	struct writer_stats *st = &s->stats;
	uint64_t bytes = FRAME_INDEX_LEN + f->zframe.len;

	count_lost_locked(s, f->ticks, f->hole, why);
	st->file_bytes -= GS_MIN(st->file_bytes, bytes);
	st->file_raw_bytes -= GS_MIN(st->file_raw_bytes, f->raw_len);
}

static void recycle_locked(struct shared *s, struct writer_frame *f)
{
	f->next = s->spare;
	s->spare = f;
}

/* ---- the thread ------------------------------------------------------ */

/* A new generation: what is queued is lost. */
static void next_generation_locked(struct shared *s, const char *why)
{
	struct writer_frame *f;

	s->generation++;
	while ((f = s->first) != NULL) {
		s->first = f->next;
		count_frame_locked(s, f, why);
		s->new_file = s->new_file || f->new_file;
		s->queued_bytes -= f->zframe.len;
		s->stats.queued--;
		recycle_locked(s, f);
	}
	s->last = NULL;
}

/* The frame is lost, and with it what was begun before now. */
static void fail(struct writer *w, const struct writer_frame *f,
	const struct gs_err *why, bool new_file)
{
	struct shared *s = &w->s;
	bool full = why->status == GS_E_NOSPACE;
	bool again = w->troubled;

	(void)pthread_mutex_lock(&w->lock);
	s->new_file = s->new_file || new_file;
	if (!w->troubled) {
		w->troubled = true;
		w->troubled_lost = s->stats.lost;
		notice_locked(s, why->msg);
		notice_locked(s, full
			? "ticks are lost until there is room again"
			: "going on in a new file");
	}
	if (f)
		count_frame_locked(s, f, why->msg);
	next_generation_locked(s, why->msg);
	/* One broken file is left at once; a second time only slowly. */
	if (full || again)
		s->retry_ns = gs_clock_mono_ns() + w->opt.retry_ns;
	(void)pthread_mutex_unlock(&w->lock);
}

/* A stream that failed is the end of it. */
static void fail_for_good(struct writer *w, const struct writer_frame *f,
	const struct gs_err *why)
{
	(void)pthread_mutex_lock(&w->lock);
	if (!w->s.stats.failed)
		notice_locked(&w->s, why->msg);
	w->s.stats.failed = true;
	count_frame_locked(&w->s, f, why->msg);
	next_generation_locked(&w->s, why->msg);
	(void)pthread_mutex_unlock(&w->lock);
}

static void publish_file(struct writer *w)
{
	struct shared *s = &w->s;

	(void)pthread_mutex_lock(&w->lock);
	s->file_empty = true;
	buf_reset(&s->path);
	buf_add_str(&s->path, w->out.file.path);
	(void)pthread_mutex_unlock(&w->lock);
}

static void notice(struct writer *w, const char *text)
{
	(void)pthread_mutex_lock(&w->lock);
	notice_locked(&w->s, text);
	(void)pthread_mutex_unlock(&w->lock);
}

static void tidy(struct writer *w)
{
	struct retention_result res;
	struct gs_err err;

	w->tidied_ns = gs_clock_mono_ns();
	if (output_tidy(&w->out, gs_clock_wall_ns(), &res, &err) == 0) {
		w->tidy_told = false;
	} else if (!w->tidy_told) {
		w->tidy_told = true;
		notice(w, err.msg);
	}
}

static int begin_file(struct writer *w, int64_t wall_ns, struct gs_err *err)
{
	struct gs_err finish = { 0 };
	int r = output_next(&w->out, wall_ns, &finish, err);

	if (finish.status != GS_OK)
		notice(w, finish.msg);
	if (r < 0)
		return r;
	publish_file(w);
	tidy(w);
	return 0;
}

/* Looked at once a second at most: it asks the file system. */
static int check_room(struct writer *w, struct gs_err *err)
{
	int64_t now = gs_clock_mono_ns();

	if (now - w->room_ns >= ROOM_EVERY_NS) {
		w->room_ns = now;
		w->has_room = output_has_room(&w->out, gs_clock_wall_ns());
	}
	if (w->has_room)
		return 0;
	return gs_fail(err, GS_E_NOSPACE,
	    "%s: less than %g %% of the file system is free", w->out.path,
	    w->out.keep.min_free * 100);
}

static void note_written(struct writer *w, const struct writer_frame *f)
{
	struct shared *s = &w->s;
	char text[128];

	(void)pthread_mutex_lock(&w->lock);
	s->stats.ticks += f->ticks;
	s->stats.bytes += FRAME_INDEX_LEN + f->zframe.len;
	s->stats.files += s->file_empty;
	s->file_empty = false;
	if (w->troubled) {
		w->troubled = false;
		(void)snprintf(text, sizeof(text),
		    "writing again after %llu lost ticks",
		    (unsigned long long)(s->stats.lost - w->troubled_lost));
		notice_locked(s, text);
	}
	(void)pthread_mutex_unlock(&w->lock);
}

static void append(struct writer *w, const struct writer_frame *f)
{
	struct outframe of = { .kind = f->kind, .seq = f->seq,
		.wall_ns = f->wall_ns, .raw_len = f->raw_len,
		.zframe = f->zframe.ptr,
		.zframe_len = (uint32_t)f->zframe.len };
	struct gs_err err;

	if (outfile_append(&w->out.file, &of, &err) == 0) {
		note_written(w, f);
	} else if (w->out.kind == OUTPUT_STREAM) {
		fail_for_good(w, f, &err);
	} else if (outfile_sound(&w->out.file)) {
		fail(w, f, &err, false);
	} else {
		output_abandon(&w->out);
		fail(w, f, &err, true);
	}
}

static void write_frame(struct writer *w, const struct writer_frame *f)
{
	struct gs_err err;

	if (check_room(w, &err) < 0) {
		fail(w, f, &err, f->new_file);
		return;
	}
	if ((f->new_file || !outfile_is_open(&w->out.file)) &&
	    begin_file(w, f->wall_ns, &err) < 0) {
		fail(w, f, &err, true);
		return;
	}
	append(w, f);
}

static void sync_now(struct writer *w)
{
	struct gs_err err;

	w->synced_ns = gs_clock_mono_ns();
	if (outfile_sync(&w->out.file, &err) == 0)
		return;
	output_abandon(&w->out);
	fail(w, NULL, &err, true);
}

static void upkeep(struct writer *w)
{
	int64_t now = gs_clock_mono_ns();

	if (w->out.file.dirty && now - w->synced_ns >= w->opt.sync_ns)
		sync_now(w);
	if (now - w->tidied_ns >= TIDY_EVERY_NS)
		tidy(w);
}

static struct timespec wake_time(const struct writer *w)
{
	int64_t at = w->tidied_ns + TIDY_EVERY_NS;

	if (w->out.file.dirty)
		at = GS_MIN(at, w->synced_ns + w->opt.sync_ns);
	return (struct timespec) { .tv_sec = (time_t)(at / GS_NSEC_PER_SEC),
		.tv_nsec = (long)(at % GS_NSEC_PER_SEC) };
}

/* The next frame; NULL with *ret_end false: time for upkeep. */
static struct writer_frame *take(struct writer *w, bool *ret_end)
{
	struct timespec until = wake_time(w);
	struct shared *s = &w->s;
	struct writer_frame *f;
	int r = 0;

	(void)pthread_mutex_lock(&w->lock);
	while (!s->first && !s->ending && r == 0)
		r = pthread_cond_timedwait(&w->wake, &w->lock, &until);
	f = s->first;
	if (f) {
		s->first = f->next;
		if (!s->first)
			s->last = NULL;
	}
	*ret_end = !f && s->ending;
	(void)pthread_mutex_unlock(&w->lock);
	return f;
}

static void give_back(struct writer *w, struct writer_frame *f)
{
	(void)pthread_mutex_lock(&w->lock);
	w->s.queued_bytes -= f->zframe.len;
	w->s.stats.queued--;
	recycle_locked(&w->s, f);
	(void)pthread_mutex_unlock(&w->lock);
}

static void *run(void *arg)
{
	struct writer *w = arg;
	struct writer_frame *f;
	bool end = false;

	while (!end) {
		f = take(w, &end);
		if (f) {
			write_frame(w, f);
			give_back(w, f);
		}
		upkeep(w);
	}
	(void)output_close(&w->out, &w->closed); /* w->closed says it */
	return NULL;
}

/* ---- the caller ------------------------------------------------------ */

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
	if (pthread_create(&w->thread, NULL, run, w) != 0)
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

/* NULL: ticks may be written; else why not. */
static const char *refusal_locked(const struct shared *s)
{
	if (s->stats.failed)
		return s->why;
	if (s->retry_ns > 0 && gs_clock_mono_ns() < s->retry_ns)
		return s->why;
	return NULL;
}

/* Fills the upper part; what was pending is the frame's now. */
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
	(void)memcpy(f->why, s->why, sizeof(f->why));
	s->new_file = false;
	s->lost = 0;
	buf_reset(&f->zframe);
	f->must_key = w->key_wanted || failed || f->new_file || f->hole > 0;
	/* After a failure all that was queued is void: the thread's count of
	 * files is the whole truth. */
	if (failed)
		f->file_number = s->stats.files +
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
		count_lost_locked(s, ticks, 0, why);
		w->key_wanted = true;
	}
	(void)pthread_mutex_unlock(&w->lock);
	return f;
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
	count_lost_locked(&w->s, f->ticks, f->hole, why);
	w->s.new_file = w->s.new_file || f->new_file;
	recycle_locked(&w->s, f);
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

void writer_get_path(struct writer *w, struct buf *out)
{
	buf_reset(out);
	(void)pthread_mutex_lock(&w->lock);
	buf_add(out, w->s.path.ptr, w->s.path.len);
	(void)pthread_mutex_unlock(&w->lock);
}

bool writer_take_notices(struct writer *w, struct buf *out)
{
	buf_reset(out);
	(void)pthread_mutex_lock(&w->lock);
	if (w->s.notices.len > 0)
		buf_add(out, w->s.notices.ptr, w->s.notices.len);
	buf_reset(&w->s.notices);
	(void)pthread_mutex_unlock(&w->lock);
	return out->len > 0;
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
	(void)pthread_cond_destroy(&w->wake);
	(void)pthread_mutex_destroy(&w->lock);
	free(w);
}
