/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sample_at.h - which sample a moment means.
 *
 * It is the last one that was due at or before the moment, by the interval of
 * the ticks there, which need not be that of the whole file.  A moment of whole
 * seconds also means a sample that is shown with that second.
 */
#ifndef GS_QUERY_SAMPLE_AT_H
#define GS_QUERY_SAMPLE_AT_H

#include "query/range.h"

/* 1: *ret is from the tick before that sample to it; 0: there is none within
 * 1.5 intervals; negative: failed.  interval_ns: of the recording, until a key
 * says another.  Leaves the cursor anywhere; not for a pipe. */
int sample_at(struct cursor c, int64_t interval_ns, int64_t at_ns,
	struct range *ret, struct gs_err *err);

#endif
