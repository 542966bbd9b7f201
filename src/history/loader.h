/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loader.h - loads recordings into a database: the rows of views per time step,
 * in one transaction per file.
 *
 * A step that begins in one file and ends in the next belongs to the second.
 * The last step of a file that is being written is loaded when it is complete.
 *
 * Use: loader_new(); for each recording loader_recording(), leave out files of
 * loader_find_related(), and loader_run() for each run of loader_next();
 * loader_free().
 */
#ifndef GS_HISTORY_LOADER_H
#define GS_HISTORY_LOADER_H

#include "history/plan.h"
#include "history/target.h"
#include "model/cursor.h"
#include "model/header.h"

struct loader_options {
	int64_t step_ns;
	bool step_asked; /* the user gave it; else the step of earlier loads
	                  * is kept */
	uint64_t tables; /* bits of history_choose() */
	const struct history_metrics *metrics; /* as in target_prepare() */
	/* Per step; false stops with GS_E_GONE: the files before f stay loaded.
	 * May be NULL. */
	bool (*progress)(void *ctx, const struct plan_file *f, int64_t at_ns,
		uint64_t rows);
	void *ctx;
};

struct loader;

/* Both must outlive it. */
struct loader *loader_new(struct target *t, const struct loader_options *o);
void loader_free(struct loader *l);

/* Registers the recording and reads which parts of it are loaded.  Fails
 * with GS_E_USAGE if it was loaded with another step than the user gave. */
int loader_recording(struct loader *l, const struct header *h,
	struct gs_err *err);

/* The number of a related recording under which samples of the file are loaded,
 * such as the one it was cut from; 0: none.  *ret_all: it has all of them. */
uint32_t loader_find_related(const struct loader *l, const struct plan_file *f,
	bool *ret_all);

/* The tick is in a part that is loaded. */
bool loader_has(const struct loader *l, uint64_t seq);

/* As plan_next(). */
bool loader_next(const struct loader *l, const struct plan_file *f, size_t n,
	uint64_t *seq, struct plan_run *ret);

struct loader_result {
	size_t holes; /* in what was read */
	bool any; /* something of the run was not loaded before, and is there */
};

/* Loads a run, but for what counters grew by where ticks are missing: a file that has
 * them can be loaded later.  cursor: over the ticks of its files.  Returns 1 if another
 * session has loaded the recording in the meantime: start again with
 * loader_recording(). */
int loader_run(struct loader *l, const struct plan_file *f,
	const struct plan_run *run, struct cursor cursor,
	struct loader_result *ret, struct gs_err *err);

#endif
