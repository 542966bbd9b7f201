/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load_files.h - the files that gpsnap load is given, recording by recording.
 */
#ifndef GS_CLI_LOAD_FILES_H
#define GS_CLI_LOAD_FILES_H

#include "history/plan.h"
#include "replay/recfile.h"

struct load_files {
	struct recfile *file;
	size_t n, cap;
	size_t n_refused; /* files of directories that are no recordings */
};

/* Whether they can be opened at all, before anything is read. */
int load_files_check(char *const *path, size_t n, struct gs_err *err);

/* Opens files and directories; what is no recording fails if it was named,
 * and is told and counted if it was found.  Recordings that were made of
 * others come last.  The caller releases it, also on failure. */
int load_files_open(struct load_files *l, char *const *path, size_t n,
	struct gs_err *err);
void load_files_release(struct load_files *l);

/* Of the files from i on that are of one recording: what a plan needs, in a
 * fresh array, which the caller frees.  *i is moved behind them.  Fails where
 * the index of one can't be read. */
int load_files_recording(struct load_files *l, size_t *i,
	struct plan_file **ret, size_t *ret_n, struct gs_err *err);

#endif
