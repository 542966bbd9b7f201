/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summarize.h - adds summaries and gists to a file as the recorder left it.
 *
 * The frames of its ticks are copied; only ticks that get something beside them are
 * compressed again, as groups of one tick.  The new file replaces the old one, with its
 * mode and times, when it was verified; until then nothing changes.
 */
#ifndef GS_EDIT_SUMMARIZE_H
#define GS_EDIT_SUMMARIZE_H

#include "edit/beside.h"
#include "format/io_ops.h"

struct summarize_options {
	struct beside_options beside;
	bool reads_all; /* a file that stays is read as a whole: GS_E_FORMAT if it is
	                 * damaged */
	/* Called after each tick, with how many bytes were read of all; false stops
	 * with GS_E_GONE.  May be NULL. */
	bool (*step)(void *ctx, uint64_t done_bytes, uint64_t all_bytes);
	void *ctx;
};

enum summarize_done {
	SUMMARIZE_MADE,
	/* The file stays: */
	SUMMARIZE_HAS, /* it was archived, or has them */
	SUMMARIZE_THINNED, /* ticks were left out of it */
	SUMMARIZE_NEWER, /* it has metrics that this version can't add up */
	SUMMARIZE_NONE, /* no stretch of it can have one */
	SUMMARIZE_MEMORY /* there is too little memory for any */
};

struct summarize_result {
	enum summarize_done done;
	uint64_t bytes_before, bytes;
};

/* GS_E_BUSY: it is being written; GS_E_FORMAT: it was not closed, or is damaged;
 * GS_E_GONE: somebody has changed it meanwhile, or it was stopped. */
int summarize_file(const char *path, const struct summarize_options *o,
	const struct io_ops *io, struct summarize_result *ret,
	struct gs_err *err);

#endif
