/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress.h - the state of a recorder in one line of text.
 */
#ifndef GS_RECORD_PROGRESS_H
#define GS_RECORD_PROGRESS_H

#include "base/buf.h"
#include "record/recorder.h"

/* Appends time, hosts if there are several, processes, quiet, ticks, bytes,
 * bytes per process and tick, late or lost ticks. */
void progress_add_line(const struct recorder_status *s, struct buf *to);

/* Appends the summary at the end; path: what was recorded into. */
void progress_add_summary(const struct recorder_status *s, const char *path,
	struct buf *to);

#endif
