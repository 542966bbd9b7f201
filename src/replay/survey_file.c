/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/survey_file.h"

#include <string.h>

#include "replay/recfile.h"

void survey_describe_missing(const struct header *before,
	const struct header *after, uint64_t lost, struct cursor_gap *gap)
{
	recfile_describe_missing(before->file_number, after->file_number, gap->why,
	    sizeof(gap->why));
	gap->damage = gap->ticks > lost && !header_is_edited(before) &&
	    !header_is_edited(after);
}

static void keep_header(struct survey_file *f, const struct header *h)
{
	header_free(f->header);
	f->header = header_dup(h);
}

/* Ticks missing before this key; within a piece the reader reports them. */
static bool is_after_gap(struct survey_file *f, const struct tick *t,
	struct cursor_gap *gap)
{
	uint64_t ticks = tick_missing(f->seq, t->seq, t->left_out);

	if (f->gap_returned || ticks == 0)
		return false;
	*gap = (struct cursor_gap) { .from_ns = f->last_ns,
		.to_ns = t->wall_ns, .ticks = ticks, .file = "",
		.offset = SURVEY_NOWHERE };
	survey_describe_missing(f->header, t->header, tick_lost_before(t), gap);
	return true;
}

/* The time before the key of another recording, as replay has it. */
static bool is_after_pause(struct survey_file *f, const struct tick *t,
	struct cursor_gap *gap)
{
	if (f->gap_returned || t->wall_ns <= f->last_ns)
		return false;
	*gap = (struct cursor_gap) { .from_ns = f->last_ns,
		.to_ns = t->wall_ns, .file = "", .offset = SURVEY_NOWHERE };
	return true;
}

/* A key has its position.  CURSOR_WAIT: pass the tick over. */
static enum cursor_step judge(struct survey_file *f, struct tick *t,
	struct cursor_gap *gap)
{
	bool key = t->key && t->header;
	bool same = key && f->any && memcmp(f->header->recording_id,
	    t->header->recording_id, RECORDING_ID_LEN) == 0;
	bool again = same && t->seq == f->seq;

	if (key)
		f->over = same && t->seq < f->seq;
	if (f->over)
		return CURSOR_WAIT;
	if (same ? is_after_gap(f, t, gap)
	    : key && f->any && is_after_pause(f, t, gap)) {
		f->gap_returned = true;
		f->held = t;
		return CURSOR_GAP;
	}
	if (key)
		keep_header(f, t->header);
	f->any = f->header != NULL;
	f->gap_returned = false;
	f->seq = t->seq;
	f->last_ns = t->wall_ns;
	return again ? CURSOR_REPEAT : CURSOR_TICK;
}

static enum cursor_step next(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct survey_file *f = self;

	for (;;) {
		struct tick *t = f->held;
		enum cursor_step s = t ? CURSOR_TICK
		    : reader_next(f->reader, &t, gap, err);

		f->held = NULL;
		f->gap_returned |= s == CURSOR_GAP;
		if (s != CURSOR_TICK)
			return s;
		s = judge(f, t, gap);
		*ret = t;
		if (s != CURSOR_WAIT)
			return s;
	}
}

static int no_seek(void *self, int64_t wall_ns, struct gs_err *err)
{
	(void)self;
	(void)wall_ns;
	return gs_fail(err, GS_E_USAGE, "a file is surveyed forward");
}

struct cursor survey_file_cursor(struct survey_file *f)
{
	static const struct cursor_ops ops = { .next = next, .seek = no_seek };

	return (struct cursor) { &ops, f };
}

void survey_file_release(struct survey_file *f)
{
	header_free(f->header);
	*f = (struct survey_file) { 0 };
}
