/* SPDX-License-Identifier: Apache-2.0 */
/*
 * survey_fold.h - the survey of a recording from those of its files.
 *
 * Only where that is plainly the same as to read them all: each file is whole
 * and closed, goes on where the one before it ended, and has the same hosts,
 * which answer at its edges.  In any other case the caller reads them all.
 */
#ifndef GS_REPLAY_SURVEY_FOLD_H
#define GS_REPLAY_SURVEY_FOLD_H

#include "replay/survey.h"

/* The survey of one file may be a part of a fold. */
bool survey_is_plain(const struct survey *s);

/* Adds the file that comes next, which loses its header and its hosts to the
 * sum; if sum has no tick it becomes that.  False: it does not simply go on, and
 * sum is of no use.  next may be the last one, which is still being written. */
bool survey_fold(struct survey *sum, struct survey *next);

#endif
