/* SPDX-License-Identifier: Apache-2.0 */
/*
 * survey_index.h - .gpsnap.index of a directory: what surveys of its files
 * found, so that the next one need not decode them again.
 *
 * Derived, and never trusted over the files: an entry holds for a file of that
 * name whose bytes, all of which are read, have the digest in it.  An index that
 * another version wrote, or that is damaged, is as good as none.  The layout is
 * in gpsnap-archive(5).
 */
#ifndef GS_REPLAY_SURVEY_INDEX_H
#define GS_REPLAY_SURVEY_INDEX_H

#include "base/buf.h"
#include "replay/survey.h"

#define SURVEY_INDEX_NAME ".gpsnap.index"
#define SURVEY_INDEX_MAX ((size_t)64 << 20)

struct survey_index;

/* Of a directory; empty if there is none that can be used. */
struct survey_index *survey_index_open(const char *dir);
void survey_index_free(struct survey_index *x);

/* As survey_recording(), of files of that directory: those that are closed are
 * decoded only if they are not in it, and are entered. */
int survey_indexed(struct survey_index *x, char *const *path, size_t n,
	struct survey *ret, struct gs_err *err);

/* Appends what is to be written; false: it would be what it is already. */
bool survey_index_changed(const struct survey_index *x, struct buf *to);

/* The bytes are a whole index. */
bool survey_index_is_whole(const void *bytes, size_t len);

#endif
