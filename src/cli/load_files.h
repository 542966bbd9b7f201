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

/* Checks that they can be opened, before anything is read. */
int load_files_check(char *const *path, size_t n, struct gs_err *err);

/* Opens files and directories.  A file that is not a recording fails if it was
 * named; in a directory it is reported and counted.  Recordings that were made
 * of others come last.  The caller releases it, also on failure. */
int load_files_open(struct load_files *l, char *const *path, size_t n,
	struct gs_err *err);
void load_files_release(struct load_files *l);

/* What a plan needs of the files from i on that belong to one recording, in a
 * new array, which the caller frees. *i is moved after them.  Fails if an index
 * can't be read. */
int load_files_recording(struct load_files *l, size_t *i,
	struct plan_file **ret, size_t *ret_n, struct gs_err *err);

#endif
