/* SPDX-License-Identifier: Apache-2.0 */
#include "record/framer.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "format/frame.h"
#include "format/tickcode.h"

/* After it was found too long, a file may still get the queued frames and one
 * more key: room for them below FRAME_FILE_RAW_MAX. */
#define FILE_RAW_MARGIN FRAME_RAW_MAX

/* A buffer that a key of very many hosts needs is not kept for deltas. */
#define RAW_KEEP_MAX ((size_t)4 << 20)

/* Frames in memory begin with a key, so that there is up to this part of the time
 * more than was asked for. */
#define KEPT_KEYS 4

/* At the end the writer is waited for so long, each time. */
#define FLUSH_NS (10 * GS_NSEC_PER_SEC)

struct framer {
	struct framer_options opt;
	struct tick_encoder *encoder;
	struct writer *writer;
	struct tickcode *code;
	struct buf raw;
	struct writer_frame *frame; /* of the current tick; NULL: lost */
	int64_t file_ns; /* wall; start of the newest file, 0: unknown */
	int64_t wall_ns; /* of the newest tick */
	bool rotate; /* asked for */
	size_t queued_bytes; /* of the last frame, 0: it was lost */
	bool too_large; /* why it was lost */
	struct backlog backlog; /* keep_ns 0: not used */
	struct backlog_frame kept; /* of the current tick */
	int64_t key_ns; /* wall; the newest key in memory */
	bool out; /* what is in memory is queued */
	bool broken; /* a frame was lost: up to the next key others are, too */
	uint64_t hole; /* lost ticks that no tick in memory reports yet */
	char why[WRITER_WHY_MAX], moved[WRITER_WHY_MAX];
};

static void encode_block(void *arg, const struct block *b)
{
	struct framer *f = arg;

	tickcode_add_block(f->code, b);
}

struct framer *framer_new(struct header *header, struct writer *w,
	const struct framer_options *opt)
{
	struct framer *f = gs_calloc(1, sizeof(*f));

	f->opt = *opt;
	f->encoder = encoder_new(header);
	f->writer = w;
	f->code = tickcode_new(opt->level);
	tickcode_be_dense(f->code);
	f->backlog.keep_ns = opt->before_ns;
	f->backlog.max_bytes = opt->before_bytes;
	f->out = true;
	if (opt->lean)
		encoder_give_blocks(f->encoder, encode_block, f);
	return f;
}

void framer_free(struct framer *f)
{
	if (!f)
		return;
	encoder_free(f->encoder);
	tickcode_free(f->code);
	buf_release(&f->raw);
	buf_release(&f->kept.zframe);
	backlog_release(&f->backlog);
	free(f);
}

struct tick_encoder *framer_encoder(struct framer *f)
{
	return f->encoder;
}

void framer_rotate(struct framer *f)
{
	f->rotate = true;
}

static void report(struct framer *f, uint64_t hole, const char *why,
	const char *moved)
{
	if (hole > 0)
		encoder_event(f->encoder, EVENT_HOLE, f->wall_ns,
		    EVENT_NO_HOST, (int64_t)hole, why);
	if (moved[0] != '\0')
		encoder_event(f->encoder, EVENT_NOTE, f->wall_ns,
		    EVENT_NO_HOST, 0, moved);
}

/* A tick in memory is encoded before the writer has a frame for it: what is lost
 * by now is reported in it. */
static void collect(struct framer *f)
{
	f->hole += f->backlog.hole +
	    writer_take_hole(f->writer, f->why, f->moved);
	f->backlog.hole = 0;
	if (f->hole > 0)
		encoder_need_key(f->encoder);
}

/* Who is called with the bytes of each tick needs them all at a time. */
static void begin_code(struct framer *f, bool key)
{
	tickcode_begin(f->code);
	if (key && !f->opt.on_raw)
		tickcode_save_memory(f->code);
}

void framer_begin(struct framer *f, int64_t wall_ns, bool key)
{
	bool keeps = f->backlog.keep_ns > 0;
	struct writer_frame *w = f->writer && !keeps
	    ? writer_begin(f->writer, 1) : NULL;

	f->frame = w;
	f->wall_ns = wall_ns;
	f->queued_bytes = 0;
	f->too_large = false;
	if (key || (w && w->must_key) || (keeps && wall_ns - f->key_ns >=
	    f->backlog.keep_ns / KEPT_KEYS))
		encoder_need_key(f->encoder);
	if (w)
		encoder_header(f->encoder)->file_number = w->file_number;
	else if (keeps && encoder_header(f->encoder)->file_number == 0)
		encoder_header(f->encoder)->file_number = 1;
	if (keeps && f->writer)
		collect(f);
	encoder_begin(f->encoder, wall_ns);
	begin_code(f, encoder_is_key(f->encoder));
	if (w) {
		report(f, w->hole, w->why, w->moved);
	} else if (keeps) {
		report(f, f->hole, f->why, f->moved);
		f->kept.hole = f->hole;
		f->hole = 0;
		f->moved[0] = '\0';
	}
}

static void encode(struct framer *f, const struct tick *t, bool again)
{
	if (f->opt.lean)
		tickcode_end(f->code, t, &f->raw);
	else
		tickcode_encode(f->code, t, &f->raw);
	f->too_large = f->raw.len > FRAME_RAW_MAX;
	if (f->opt.on_raw && !f->too_large)
		f->opt.on_raw(f->opt.arg, &f->raw, t, again);
}

static void compress(struct framer *f, const struct tick *t, struct buf *to)
{
	if (t->key)
		tickcode_compress_key(f->code, f->raw.ptr, f->raw.len, to);
	else
		tickcode_compress_tick(f->code, f->raw.ptr, f->raw.len, to);
}

/* Replaces to by the frame of a tick; returns the bytes in it.  Those of a large key
 * are not all in memory. */
static size_t make_frame(struct framer *f, const struct tick *t, bool again,
	struct buf *to)
{
	size_t len;

	if (tickcode_is_large(f->code)) {
		len = tickcode_end_large(f->code, t, to);
		f->too_large = len > FRAME_RAW_MAX;
		return len;
	}
	encode(f, t, again);
	len = f->raw.len;
	if (!f->too_large)
		compress(f, t, to);
	if (f->raw.cap > RAW_KEEP_MAX)
		buf_release(&f->raw);
	return len;
}

/* Encodes a tick into a frame and queues it. */
static bool queue(struct framer *f, struct writer_frame *w,
	const struct tick *t, bool again)
{
	size_t len;

	f->queued_bytes = 0; /* of the tick, before framer_next_file() */
	w->raw_len = (uint32_t)make_frame(f, t, again, &w->zframe);
	if (f->too_large) {
		writer_lose(f->writer, w, "the tick is larger than "
		    FRAME_RAW_MAX_TEXT);
		return false;
	}
	w->kind = t->key ? FRAME_KEY : FRAME_DELTA;
	w->seq = t->seq;
	w->wall_ns = t->wall_ns;
	if (w->new_file) {
		f->file_ns = t->wall_ns;
		f->rotate = false;
	}
	len = w->zframe.len;
	if (!writer_push(f->writer, w))
		return false;
	f->queued_bytes = len;
	return true;
}

/* ---- frames in memory ------------------------------------------------- */

static bool is_time_to_rotate(const struct framer *f);

/* What was lost since the tick was encoded is reported by the next one.  If this one
 * is lost, what it reports is, too. */
static void exchange_reports(struct framer *f, struct writer_frame *w,
	const struct backlog_frame *k)
{
	f->hole += w->hole;
	if (w->hole > 0)
		(void)memcpy(f->why, w->why, sizeof(f->why));
	if (w->moved[0] != '\0')
		(void)memcpy(f->moved, w->moved, sizeof(f->moved));
	w->hole = k->hole;
	w->moved[0] = '\0';
}

/* The file that a key is written to was not known when it was encoded. */
static void renumber(const struct framer *f, struct backlog_frame *k,
	uint32_t number)
{
	struct tickcode *code;
	struct buf raw = BUF_INIT;
	struct tick t = TICK_INIT;
	struct gs_err err;

	if (k->kind != FRAME_KEY || k->file_number == number)
		return;
	code = tickcode_new(f->opt.level);
	tickcode_be_dense(code);
	if (tickcode_decompress(code, k->zframe.ptr, k->zframe.len, k->raw_len,
	    &raw, &err) == GS_OK && tickcode_decode(code, raw.ptr, raw.len,
	    &t, &err) == GS_OK && t.header) {
		t.header->file_number = k->file_number = number;
		tickcode_encode_again(code, &t, &raw);
		tickcode_compress_key(code, raw.ptr, raw.len, &k->zframe);
		k->raw_len = (uint32_t)raw.len;
	}
	tick_release(&t);
	buf_release(&raw);
	tickcode_free(code);
}

/* False: it was lost.  After a loss the next one must be a key, which the reader
 * then finds after a jump of the numbers. */
static bool queue_kept(struct framer *f, struct backlog_frame *k)
{
	struct writer_frame *w = writer_begin(f->writer, 1);
	bool key = k->kind == FRAME_KEY;

	if (!w) {
		f->hole += k->hole;
		return false;
	}
	exchange_reports(f, w, k);
	if (!key && (f->broken || w->must_key)) {
		writer_lose(f->writer, w, "the tick before it is lost");
		return false;
	}
	if (key && !f->opt.endless && f->file_ns != 0 && is_time_to_rotate(f))
		writer_start_file(w);
	renumber(f, k, w->file_number);
	encoder_header(f->encoder)->file_number = w->file_number;
	w->kind = k->kind;
	w->seq = k->seq;
	w->wall_ns = k->wall_ns;
	w->raw_len = k->raw_len;
	buf_add(&w->zframe, k->zframe.ptr, k->zframe.len);
	if (w->new_file)
		f->rotate = false;
	if (w->new_file || f->file_ns == 0)
		f->file_ns = k->wall_ns;
	f->queued_bytes += k->zframe.len;
	return writer_push(f->writer, w);
}

static void let_out(struct framer *f, struct backlog_frame *k)
{
	f->broken = !queue_kept(f, k);
	if (f->broken)
		encoder_need_key(f->encoder);
}

static bool has_room(const struct framer *f)
{
	struct writer_stats s;

	writer_get_stats(f->writer, &s);
	return s.failed || s.queued < WRITER_QUEUE_MAX / 2;
}

/* Queues what is in memory, as far as there is room. */
static void drain(struct framer *f)
{
	struct backlog_frame *k;

	while (has_room(f) && (k = backlog_pop(&f->backlog)) != NULL) {
		let_out(f, k);
		backlog_frame_free(k);
	}
}

/* A frame that need not wait takes no memory: however little there is, what is
 * let out is not dropped. */
static void keep_frame(struct framer *f, struct backlog_frame *k)
{
	bool follows = k->kind == FRAME_KEY || !f->backlog.cut;

	if (f->out)
		drain(f);
	if (f->out && follows && f->backlog.n == 0 && has_room(f)) {
		f->backlog.cut = false;
		let_out(f, k);
		return;
	}
	backlog_add(&f->backlog, k);
	if (f->backlog.cut) /* nothing is kept before the next one */
		encoder_need_key(f->encoder);
	if (!f->out)
		backlog_trim(&f->backlog);
}

static bool keep(struct framer *f, const struct tick *t)
{
	f->kept.raw_len = (uint32_t)make_frame(f, t, false, &f->kept.zframe);
	if (f->too_large) {
		f->backlog.cut = true;
		f->hole += f->kept.hole;
		return false;
	}
	if (t->key)
		f->key_ns = t->wall_ns;
	f->kept.kind = t->key ? FRAME_KEY : FRAME_DELTA;
	f->kept.seq = t->seq;
	f->kept.wall_ns = t->wall_ns;
	f->kept.file_number = encoder_header(f->encoder)->file_number;
	keep_frame(f, &f->kept);
	return true;
}

void framer_let_out(struct framer *f, bool on)
{
	f->out = on;
}

void framer_flush(struct framer *f)
{
	int64_t until_ns = gs_clock_mono_ns() + FLUSH_NS;
	const struct timespec pause = { 0, 2 * GS_NSEC_PER_MSEC };
	size_t n = f->backlog.n;

	while (f->writer && f->backlog.n > 0 && gs_clock_mono_ns() < until_ns) {
		drain(f);
		if (f->backlog.n < n)
			until_ns = gs_clock_mono_ns() + FLUSH_NS;
		n = f->backlog.n;
		if (n > 0)
			(void)nanosleep(&pause, NULL); /* no signal matters */
	}
}

const struct backlog *framer_backlog(const struct framer *f)
{
	return &f->backlog;
}

/* ---- ticks ------------------------------------------------------------- */

bool framer_was_too_large(const struct framer *f)
{
	return f->too_large;
}

size_t framer_queued_bytes(const struct framer *f)
{
	return f->queued_bytes;
}

const struct tick *framer_end(struct framer *f, bool *ret_queued)
{
	const struct tick *t = encoder_end(f->encoder);
	bool keeps = f->writer && f->backlog.keep_ns > 0;
	bool ok = keeps ? keep(f, t) : !f->writer ||
	    (f->frame && queue(f, f->frame, t, false));

	if (!keeps && !f->frame && f->opt.on_raw)
		encode(f, t, false);
	f->frame = NULL;
	if (!ok)
		encoder_need_key(f->encoder);
	if (f->file_ns == 0 && !keeps)
		f->file_ns = t->wall_ns;
	if (ret_queued)
		*ret_queued = ok && (!keeps || f->out);
	return t;
}

static bool is_time_to_rotate(const struct framer *f)
{
	struct writer_stats s;

	if (f->rotate)
		return true;
	writer_get_stats(f->writer, &s);
	if (s.file_raw_bytes >= FRAME_FILE_RAW_MAX - FILE_RAW_MARGIN)
		return true;
	if (f->opt.rotate_bytes > 0 && s.file_bytes >= f->opt.rotate_bytes)
		return true;
	return f->opt.rotate_ns > 0 && f->file_ns / f->opt.rotate_ns !=
	    f->wall_ns / f->opt.rotate_ns;
}

const struct tick *framer_next_file(struct framer *f)
{
	struct writer_frame *w;
	const struct tick *t;

	if (!f->writer || f->backlog.keep_ns > 0 || f->opt.endless || !is_time_to_rotate(f))
		return NULL;
	/* Until it is queued: then it is done. */
	f->rotate = true;
	w = writer_begin(f->writer, 0);
	if (!w)
		return NULL;
	if (w->must_key) {
		/* A loss just now, perhaps of this very tick: the next tick
		 * reports it. */
		writer_lose(f->writer, w, w->why);
		return NULL;
	}
	writer_start_file(w);
	encoder_header(f->encoder)->file_number = w->file_number;
	begin_code(f, true);
	t = encoder_repeat_as_key(f->encoder);
	if (!queue(f, w, t, true))
		encoder_need_key(f->encoder);
	return t;
}
