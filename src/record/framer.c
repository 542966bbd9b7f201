/* SPDX-License-Identifier: Apache-2.0 */
#include "record/framer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "format/frame.h"
#include "format/tickcode.h"

/* After it was found too long, a file may still get the queued frames and one
 * more key: room for them below FRAME_FILE_RAW_MAX. */
#define FILE_RAW_MARGIN (64u << 20)

/* A buffer that a key of very many hosts needs is not kept for deltas. */
#define RAW_KEEP_MAX ((size_t)4 << 20)

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

void framer_begin(struct framer *f, int64_t wall_ns, bool key)
{
	struct writer_frame *w = f->writer ? writer_begin(f->writer, 1)
	                                   : NULL;

	f->frame = w;
	f->wall_ns = wall_ns;
	f->queued_bytes = 0;
	f->too_large = false;
	if (key || (w && w->must_key))
		encoder_need_key(f->encoder);
	if (w)
		encoder_header(f->encoder)->file_number = w->file_number;
	tickcode_begin(f->code);
	encoder_begin(f->encoder, wall_ns);
	if (w && w->hole > 0)
		encoder_event(f->encoder, EVENT_HOLE, wall_ns, EVENT_NO_HOST,
		    (int64_t)w->hole, w->why);
	if (w && w->moved[0] != '\0')
		encoder_event(f->encoder, EVENT_NOTE, wall_ns, EVENT_NO_HOST, 0,
		    w->moved);
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

/* Encodes a tick into a frame and queues it. */
static bool queue(struct framer *f, struct writer_frame *w,
	const struct tick *t, bool again)
{
	size_t len;

	f->queued_bytes = 0; /* of the tick, before framer_next_file() */
	encode(f, t, again);
	if (f->too_large) {
		writer_lose(f->writer, w, "the tick is larger than 64 MiB");
		return false;
	}
	tickcode_compress(f->code, f->raw.ptr, f->raw.len, &w->zframe);
	w->kind = t->key ? FRAME_KEY : FRAME_DELTA;
	w->seq = t->seq;
	w->wall_ns = t->wall_ns;
	w->raw_len = (uint32_t)f->raw.len;
	if (f->raw.cap > RAW_KEEP_MAX)
		buf_release(&f->raw);
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
	bool ok = !f->writer || (f->frame && queue(f, f->frame, t, false));

	if (!f->frame && f->opt.on_raw)
		encode(f, t, false);
	f->frame = NULL;
	if (!ok)
		encoder_need_key(f->encoder);
	if (f->file_ns == 0)
		f->file_ns = t->wall_ns;
	if (ret_queued)
		*ret_queued = ok;
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

	if (!f->writer || f->opt.endless || !is_time_to_rotate(f))
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
	tickcode_begin(f->code);
	t = encoder_repeat_as_key(f->encoder);
	if (!queue(f, w, t, true))
		encoder_need_key(f->encoder);
	return t;
}
