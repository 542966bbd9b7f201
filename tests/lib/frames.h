/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frames.h - reads what is whole in a file of frames, by its bytes alone.
 */
#ifndef TESTS_LIB_FRAMES_H
#define TESTS_LIB_FRAMES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "format/footer.h"

#define FRAMES_MAX 512

struct frames {
	struct buf bytes;
	struct frame_index index[FRAMES_MAX];
	uint64_t offset[FRAMES_MAX];
	size_t n;
	size_t end; /* of the last whole frame */
	bool footer; /* a valid one, of just these frames, ends the file */
};

static inline void frames_release(struct frames *f)
{
	buf_release(&f->bytes);
}

static inline const char *frames_data(const struct frames *f, size_t i)
{
	return f->bytes.ptr + f->offset[i] + FRAME_INDEX_LEN;
}

static inline bool frames_slurp(struct frames *f, const char *path)
{
	FILE *in = fopen(path, "rb");
	size_t n;

	*f = (struct frames) { 0 };
	if (!in)
		return false;
	do {
		n = fread(buf_reserve(&f->bytes, 65536), 1, 65536, in);
		f->bytes.len += n;
	} while (n > 0);
	(void)fclose(in);
	*buf_reserve(&f->bytes, 1) = '\0'; /* text in the last frame ends */
	return true;
}

/* The distances of frame i lead to its key and the key before. */
static inline bool frames_linked(const struct frames *f, size_t i)
{
	uint64_t key = 0, prev = 0;
	bool has_key = false, has_prev = false;
	size_t k;

	for (k = 0; k < i; k++) {
		if (f->index[k].kind != FRAME_KEY)
			continue;
		has_prev = has_key;
		prev = key;
		has_key = true;
		key = f->offset[k];
	}
	if (f->index[i].kind == FRAME_KEY)
		return f->index[i].back_key == 0 && f->index[i].back_prev_key ==
		    (has_key ? f->offset[i] - key : 0);
	return has_key && f->index[i].back_key == f->offset[i] - key &&
	    f->index[i].back_prev_key == (has_prev ? f->offset[i] - prev : 0);
}

static inline bool frames_has_footer(const struct frames *f)
{
	struct frame_entry *e = NULL;
	size_t n = 0, i;
	bool ok;

	ok = footer_get(f->bytes.ptr + f->end, f->bytes.len - f->end,
	    f->end, &e, &n, NULL) == 0 && n == f->n;
	for (i = 0; ok && i < n; i++)
		ok = e[i].offset == f->offset[i] &&
		    e[i].seq == f->index[i].seq &&
		    e[i].kind == f->index[i].kind;
	free(e);
	return ok;
}

/* False if there is no such file, or a frame's distances are wrong. */
static inline bool frames_read(struct frames *f, const char *path)
{
	if (!frames_slurp(f, path))
		return false;
	while (f->n < FRAMES_MAX &&
	    f->end + FRAME_INDEX_LEN <= f->bytes.len) {
		struct frame_index *ix = &f->index[f->n];
		const char *p = f->bytes.ptr + f->end;

		if (frame_index_get(p, ix) != 0 || ix->comp_len >
			f->bytes.len - f->end - FRAME_INDEX_LEN ||
		    frame_crc32c(p + FRAME_INDEX_LEN, ix->comp_len) !=
			ix->crc)
			break;
		f->offset[f->n] = f->end;
		if (!frames_linked(f, f->n))
			return false;
		f->n++;
		f->end += FRAME_INDEX_LEN + ix->comp_len;
	}
	f->footer = f->end < f->bytes.len && frames_has_footer(f);
	return true;
}

#endif
