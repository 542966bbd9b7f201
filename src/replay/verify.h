/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify.h - reads all of some recordings and reports where bytes are damaged
 * or missing.
 */
#ifndef GS_REPLAY_VERIFY_H
#define GS_REPLAY_VERIFY_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

/* Of several files the highest counts. */
enum verify_result {
	VERIFY_WHOLE,
	VERIFY_DAMAGED, /* or something is missing */
	VERIFY_FAILED /* a file is unreadable, or no recording */
};

struct verify_output {
	/* Lines about one file; false: no more is wanted. */
	bool (*text)(void *ctx, const struct buf *text);
	/* Why it failed. */
	void (*fail)(void *ctx, const struct gs_err *err);
	/* Number of summaries of a file that do not fit its ticks; NULL: they are
	 * not checked. */
	size_t (*summaries)(const char *path);
	void *ctx;
};

/* Files, directories, or "-". */
enum verify_result verify_paths(char *const *path, size_t n,
	const struct verify_output *out);

#endif
