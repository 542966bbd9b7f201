/* SPDX-License-Identifier: Apache-2.0 */
/*
 * daythin.h - the files of an archived day with fewer ticks (thin.h), in their
 * places.
 *
 * A day stays a part of its recording: each file keeps its name, its first and
 * its last tick, and ticks keep their numbers; so what is before and behind
 * it, thinned or not, goes on at the same ticks.  One file after the other is
 * replaced by what was made of it, at once: whatever stops the work, each is
 * the old one or the new one, and the next run does the rest.
 */
#ifndef GS_EDIT_DAYTHIN_H
#define GS_EDIT_DAYTHIN_H

#include "edit/daily.h"

/* Files of the day that have a tick more often than that. */
size_t day_finer(const struct day *d, int64_t every_ns);

/*
 * Makes those files coarser.  ticks and bytes are of the files that were made,
 * also where another of them failed.  GS_E_FORMAT: a file is damaged, and
 * stays.
 */
int day_thin(const struct day *d, int64_t every_ns,
	const struct day_options *o, const struct io_ops *io,
	struct day_result *ret, struct gs_err *err);

#endif
