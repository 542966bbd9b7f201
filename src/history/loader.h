/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loader.h - recordings into SQL: per step of time the rows of views, in one
 * transaction per file.
 *
 * A step that begins in one file and ends in the next is of the second.  The
 * last step of a file that is being written waits until it is complete.
 *
 * Use: loader_new(); for each recording loader_recording(), files of which
 * other recordings have the samples left out, and loader_run() for each run
 * that loader_next() gives; loader_free().
 */
#ifndef GS_HISTORY_LOADER_H
#define GS_HISTORY_LOADER_H

#include "history/plan.h"
#include "history/target.h"
#include "model/cursor.h"
#include "model/header.h"

struct loader_options {
	int64_t step_ns;
	bool step_asked; /* somebody wants it, else as it was loaded before */
	uint64_t tables; /* bits of history_choose() */
	const struct history_metrics *metrics; /* as target_prepare() had it */
	/* How far it is; NULL: nobody cares. */
	void (*progress)(void *ctx, const struct plan_file *f, int64_t at_ns,
		uint64_t rows);
	void *ctx;
};

struct loader;

/* Both must outlive it. */
struct loader *loader_new(struct target *t, const struct loader_options *o);
void loader_free(struct loader *l);

/* The recording is known from now on, and so is what of it is loaded.  Fails
 * with GS_E_USAGE if it was loaded in other steps than are asked for. */
int loader_recording(struct loader *l, const struct header *h,
	struct gs_err *err);

/* The number of another recording as which samples of the file are loaded,
 * such as one that the file was cut out of; 0: none.  *ret_all: all are. */
uint32_t loader_taken(const struct loader *l, const struct plan_file *f,
	bool *ret_all);

/* As plan_next(). */
bool loader_next(const struct loader *l, const struct plan_file *f, size_t n,
	uint64_t *seq, struct plan_run *ret);

/* Loads a run; cursor: over the ticks of its files.  *ret_holes: that it had.
 * 1: somebody else loaded the recording meanwhile, and it must be planned
 * anew from loader_recording() on. */
int loader_run(struct loader *l, const struct plan_file *f,
	const struct plan_run *run, struct cursor cursor, size_t *ret_holes,
	struct gs_err *err);

#endif
