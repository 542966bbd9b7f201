/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/gist_verify.h"

#include "edit/gist.h"
#include "format/gistframe.h"
#include "format/reader.h"

/* 1: the file has this gist. */
static size_t has(struct reader *r, const struct buf *made)
{
	struct gist_head h;
	int64_t to_ns;

	return made && gistframe_head(made->ptr, made->len, &h) &&
	    reader_gist(r, h.from_seq, h.from_ns, &to_ns) &&
	    gistframe_same(reader_gist_frame(r),
	    span_of(made->ptr, made->len));
}

/* How many gists of the file its ticks give. */
static size_t count_right(struct reader *r, struct gists *all,
	const struct reading *reading)
{
	enum cursor_step is = CURSOR_TICK;
	struct cursor_gap gap;
	struct frame_entry e;
	struct gs_err err;
	struct tick *t = NULL;
	size_t n = 0;

	while (is == CURSOR_TICK || is == CURSOR_GAP) {
		is = reader_next(r, &t, &gap, &err);
		if (is == CURSOR_GAP)
			n += has(r, gists_end(all));
		if (is == CURSOR_TICK)
			n += has(r, gists_tick(all, t, reader_record(r, &e)));
		reading_at(reading, reader_offset(r));
	}
	return n + has(r, gists_end(all));
}

size_t gist_verify_file(const char *path, const struct reading *reading)
{
	struct gists *all = gists_new(TICKCODE_LEVEL, 0);
	struct reader *r = NULL;
	size_t wrong = 0, n;
	uint64_t bytes;

	if (reader_open(path, &r, NULL) == 0) {
		n = reader_count_gists(r, &bytes);
		wrong = n > 0 ? n - count_right(r, all, reading) : 0;
	}
	reader_free(r);
	gists_free(all);
	return wrong;
}
