/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The writer's thread: it takes frames from the queue and writes them to the
 * output, checks for changes to the file by others, applies retention.  Only
 * this thread uses the output.
 */
#include "record/writer_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#define NOTICES_MAX 4096u
#define COMPLETED_MAX 65536u /* bytes of paths that nobody has taken */

/* ---- shared ---------------------------------------------------------- */

static void notice_locked(struct shared *s, const char *text)
{
	if (s->notices.len + strlen(text) > NOTICES_MAX)
		return;
	buf_add_str(&s->notices, text);
	buf_add_char(&s->notices, '\n');
}

void writer_count_lost_locked(struct shared *s, uint32_t ticks, uint64_t hole,
	const char *why)
{
	s->lost += ticks + hole;
	s->stats.lost += ticks;
	if (why != s->why)
		(void)snprintf(s->why, sizeof(s->why), "%s", why);
}

/* The next frame reports it instead. */
void writer_keep_moved_locked(struct shared *s, const struct writer_frame *f)
{
	if (s->moved[0] == '\0')
		(void)memcpy(s->moved, f->moved, sizeof(s->moved));
}

/* The frame is lost; the next one reports its loss and begins the file that it
 * should have begun. */
static void count_frame_locked(struct shared *s, const struct writer_frame *f,
	const char *why)
{
	struct writer_stats *st = &s->stats;
	uint64_t bytes = FRAME_INDEX_LEN + f->zframe.len;

	writer_count_lost_locked(s, f->ticks, f->hole, why);
	writer_keep_moved_locked(s, f);
	st->file_bytes -= GS_MIN(st->file_bytes, bytes);
	st->file_raw_bytes -= GS_MIN(st->file_raw_bytes, f->raw_len);
}

/* The memory of a key of very many hosts is not kept for the deltas. */
#define KEY_KEEP_MAX ((size_t)1 << 20)

void writer_recycle_locked(struct shared *s, struct writer_frame *f)
{
	if (f->kind == FRAME_KEY && f->zframe.cap > KEY_KEEP_MAX)
		buf_release(&f->zframe);
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
		writer_recycle_locked(s, f);
	}
	s->last = NULL;
}

/* The frame is lost, and with it all frames begun before now. */
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
	/* The first broken file is replaced at once; a second one only later. */
	if (full || again)
		s->retry_ns = gs_clock_mono_ns() + w->opt.retry_ns;
	(void)pthread_mutex_unlock(&w->lock);
}

/* A stream that failed ends the recording. */
static void fail_for_good(struct writer *w, const struct writer_frame *f,
	const struct gs_err *why)
{
	(void)pthread_mutex_lock(&w->lock);
	if (!w->s.stats.failed)
		w->s.failure = *why;
	w->s.stats.failed = true;
	count_frame_locked(&w->s, f, why->msg);
	next_generation_locked(&w->s, why->msg);
	(void)pthread_mutex_unlock(&w->lock);
}

static void publish_path(struct writer *w, const char *path)
{
	(void)pthread_mutex_lock(&w->lock);
	buf_reset(&w->s.path);
	buf_add_str(&w->s.path, path);
	(void)pthread_mutex_unlock(&w->lock);
}

static void publish_file(struct writer *w)
{
	publish_path(w, w->out.file.path);
	(void)pthread_mutex_lock(&w->lock);
	w->s.file_empty = true;
	(void)pthread_mutex_unlock(&w->lock);
	w->fate = OUTFILE_HERE;
	w->file_ticks = w->file_bytes = w->file_holes = 0;
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
		w->tidy_reported = false;
	} else if (!w->tidy_reported) {
		w->tidy_reported = true;
		notice(w, err.msg);
	}
}

/* ---- what others do to the file -------------------------------------- */

/* It can still be written, up to the next frame that is begun. */
static void leave_moved(struct writer *w, const struct gs_err *why)
{
	struct shared *s = &w->s;

	(void)pthread_mutex_lock(&w->lock);
	s->new_file = true;
	s->stats.disturbed++;
	(void)snprintf(s->moved, sizeof(s->moved), "%s", why->msg);
	notice_locked(s, why->msg);
	(void)pthread_mutex_unlock(&w->lock);
}

/* Its contents are lost, and so are the queued frames that follow them. */
static void leave_lost(struct writer *w, const struct gs_err *why)
{
	struct shared *s = &w->s;
	struct writer_stats *st = &s->stats;

	output_abandon(&w->out);
	(void)pthread_mutex_lock(&w->lock);
	st->disturbed++;
	st->ticks -= GS_MIN(st->ticks, w->file_ticks);
	st->bytes -= GS_MIN(st->bytes, w->file_bytes);
	st->files -= !s->file_empty;
	writer_count_lost_locked(s, (uint32_t)w->file_ticks, w->file_holes,
	    why->msg);
	s->new_file = true;
	notice_locked(s, why->msg);
	next_generation_locked(s, why->msg);
	(void)pthread_mutex_unlock(&w->lock);
	w->file_ticks = w->file_bytes = w->file_holes = 0;
}

/* False if the file is lost. */
static bool check_file(struct writer *w)
{
	enum outfile_fate fate;
	struct gs_err why;

	w->checked_ns = gs_clock_mono_ns();
	fate = outfile_check(&w->out.file, &why);
	if (fate == OUTFILE_MOVED && w->fate == OUTFILE_HERE)
		leave_moved(w, &why);
	w->fate = fate;
	if (fate == OUTFILE_HERE || fate == OUTFILE_MOVED)
		return true;
	leave_lost(w, &why);
	return false;
}

/* The name that the file will have when it is finished. */
static void note_name(struct writer *w)
{
	char *now;

	if (!outfile_is_open(&w->out.file) || w->out.file.frames == 0)
		return;
	now = w->fate == OUTFILE_MOVED ? outfile_moved_to(&w->out.file)
	                               : NULL;
	buf_reset(&w->before);
	buf_add_str(&w->before, now ? now : w->out.file.path);
	buf_printf(&w->all, "%s\n", buf_str(&w->before));
	free(now);
}

/* Writing failed; the frames before stay in the file. */
static void abandon(struct writer *w)
{
	note_name(w);
	output_abandon(&w->out);
}

/* It has its index, and nothing is written to it any more. */
static void note_completed(struct writer *w)
{
	struct buf *all = &w->s.completed;

	(void)pthread_mutex_lock(&w->lock);
	if (all->len + w->before.len < COMPLETED_MAX)
		buf_add(all, buf_str(&w->before), w->before.len + 1);
	(void)pthread_mutex_unlock(&w->lock);
}

static int begin_file(struct writer *w, int64_t wall_ns, struct gs_err *err)
{
	struct gs_err finish = { 0 };
	bool any = outfile_is_open(&w->out.file) && w->out.file.frames > 0;
	int r;

	note_name(w);
	r = output_next(&w->out, wall_ns, &finish, err);
	if (finish.status != GS_OK)
		notice(w, finish.msg);
	else if (any)
		note_completed(w);
	if (r < 0)
		return r;
	publish_file(w);
	tidy(w);
	return 0;
}

/* Checked once a second at most: it asks the file system. */
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
	s->numbered += s->file_empty;
	s->file_empty = false;
	w->file_ticks += f->ticks;
	w->file_holes += f->hole;
	w->file_bytes += FRAME_INDEX_LEN + f->zframe.len;
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
		abandon(w);
		fail(w, f, &err, true);
	}
}

/* The frame does not report the loss before it. */
static void lose_with_file(struct writer *w, const struct writer_frame *f)
{
	(void)pthread_mutex_lock(&w->lock);
	count_frame_locked(&w->s, f, w->s.why);
	(void)pthread_mutex_unlock(&w->lock);
}

static void write_frame(struct writer *w, const struct writer_frame *f)
{
	struct gs_err err;

	if (check_room(w, &err) < 0) {
		fail(w, f, &err, f->new_file);
		return;
	}
	if (f->new_file && !check_file(w)) {
		lose_with_file(w, f);
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
	(void)check_file(w); /* a lost file needs no sync */
	if (outfile_sync(&w->out.file, &err) == 0)
		return;
	abandon(w);
	fail(w, NULL, &err, true);
}

static void upkeep(struct writer *w)
{
	int64_t now = gs_clock_mono_ns();

	if (w->out.file.dirty && now - w->synced_ns >= w->opt.sync_ns)
		sync_now(w);
	else if (now - w->checked_ns >= CHECK_EVERY_NS)
		(void)check_file(w); /* as above */
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
static struct writer_frame *dequeue(struct writer *w, bool *ret_end)
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
	writer_recycle_locked(&w->s, f);
	(void)pthread_mutex_unlock(&w->lock);
}

void *writer_run(void *arg)
{
	struct writer *w = arg;
	struct writer_frame *f;
	bool end = false;

	while (!end) {
		f = dequeue(w, &end);
		if (f) {
			write_frame(w, f);
			give_back(w, f);
		}
		upkeep(w);
	}
	(void)check_file(w); /* reported there */
	note_name(w);
	(void)output_close(&w->out, &w->closed); /* w->closed says it */
	publish_path(w, buf_str(&w->before));
	return NULL;
}
