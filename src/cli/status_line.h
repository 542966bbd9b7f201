/* SPDX-License-Identifier: Apache-2.0 */
/*
 * status_line.h - one line on the terminal with the state of the recording.
 */
#ifndef GS_CLI_STATUS_LINE_H
#define GS_CLI_STATUS_LINE_H

#include <stdbool.h>

#include "base/buf.h"
#include "record/recorder.h"

struct status_line {
	bool on;
	bool shown; /* the cursor is after it */
	int64_t shown_ns; /* when last; monotonic */
};

/* Off unless wanted and stderr is a terminal. */
void status_line_init(struct status_line *l, bool wanted);
void status_line_show(struct status_line *l, const struct recorder_status *s);

/* True if it is on and was not shown for a fifth of a second. */
bool status_line_is_due(struct status_line *l);

/* Shows another text in its place. */
void status_line_set(struct status_line *l, const struct buf *text);

/* Erases it. */
void status_line_clear(struct status_line *l);

/* Erases the one that is shown, if any, so that something else can be printed. */
void status_line_make_room(void);

#endif
