/* SPDX-License-Identifier: Apache-2.0 */
/*
 * daythin.h - thins the files of an archived day (thin.h) in place.
 *
 * A day stays a part of its recording: each file keeps its name, its first and
 * its last tick, and ticks keep their numbers; so the files before and after
 * it, thinned or not, still join at the same ticks.  Each file is replaced
 * atomically, one after the other: after an interruption each is the old one
 * or the new one, and the next run does the rest.
 */
#ifndef GS_EDIT_DAYTHIN_H
#define GS_EDIT_DAYTHIN_H

#include "edit/daily.h"

/* Number of files of the day with an interval shorter than every_ns. */
size_t day_finer(const struct day *d, int64_t every_ns);

/*
 * Thins those files.  ticks and bytes count the files that were made, even if
 * another file failed.  GS_E_FORMAT: a file is damaged, and stays unchanged.
 */
int day_thin(const struct day *d, int64_t every_ns,
	const struct day_options *o, const struct io_ops *io,
	struct day_result *ret, struct gs_err *err);

#endif
