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
#include "base/reading.h"

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
	/* Whether what a file keeps of a report does not fit its ticks; NULL: it is not
	 * checked. */
	bool (*page_is_wrong)(const char *path);
	/* Number of summaries and gists of a file that do not fit its ticks, for
	 * which it is read twice; NULL: they are not checked. */
	size_t (*summaries)(void *ctx, const char *path,
		const struct reading *reading);
	/* How far it is, of what is known to be read; all 0: nothing is known.
	 * May be NULL. */
	void (*step)(void *ctx, const char *path, uint64_t done_bytes,
		uint64_t all_bytes);
	void *ctx;
};

/* Files, directories, or "-". */
enum verify_result verify_paths(char *const *path, size_t n,
	const struct verify_output *out);

#endif
