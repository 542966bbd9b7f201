/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/gist_verify.h"

#include "edit/gist.h"
#include "format/reader.h"

static bool take(void *ctx, uint64_t from_seq, int64_t from_ns,
	struct gist_about *ret)
{
	struct reader *r = ctx;
	int64_t to_ns;

	return reader_gist(r, from_seq, from_ns, INT64_MAX, &to_ns) &&
	    reader_take_gist(r, ret);
}

static int next(void *ctx, struct tick **ret, bool *ret_last,
	struct gs_err *err)
{
	return reader_next_gist(ctx, ret, ret_last, err);
}

/* Gives all ticks of the file. */
static void give(struct reader *r, struct gists *all,
	const struct reading *reading)
{
	enum cursor_step is = CURSOR_TICK;
	struct cursor_gap gap;
	struct frame_entry e;
	struct gs_err err;
	struct tick *t = NULL;

	while (is == CURSOR_TICK || is == CURSOR_GAP) {
		is = reader_next(r, &t, &gap, &err);
		if (is == CURSOR_GAP)
			(void)gists_end(all);
		if (is == CURSOR_TICK)
			(void)gists_tick(all, t, reader_record(r, &e));
		reading_at(reading, reader_offset(r));
	}
	(void)gists_end(all);
}

static size_t count_right(const char *path, struct reader *r,
	const struct reading *reading)
{
	struct reader *kept = NULL; /* r is in the middle of its ticks */
	struct gists *all;
	size_t n;

	if (reader_open(path, &kept, NULL) < 0)
		return 0;
	all = gists_new_to_compare(&(struct gists_given) { take, next, kept });
	give(r, all, reading);
	n = gists_right(all);
	gists_free(all);
	reader_free(kept);
	return n;
}

size_t gist_verify_file(const char *path, const struct reading *reading)
{
	struct reader *r = NULL;
	size_t wrong = 0, n;
	uint64_t bytes;

	if (reader_open(path, &r, NULL) == 0) {
		n = reader_count_gists(r, &bytes);
		wrong = n > 0 ? n - count_right(path, r, reading) : 0;
	}
	reader_free(r);
	return wrong;
}
