/* SPDX-License-Identifier: Apache-2.0 */
/*
 * describe.h - fills the header of a recording.
 */
#ifndef GS_RECORD_DESCRIBE_H
#define GS_RECORD_DESCRIBE_H

#include <stdbool.h>

#include "model/header.h"
#include "model/world.h"
#include "record/recorder_options.h"

/* The header of a new recording, with a new id; the caller owns it. */
struct header *describe_new(const struct recorder_options *opt);

/* Adds "what: why" to the list of what an agent may not read.  Each what is
 * listed once; false: it is listed already, or there is no room. */
bool describe_refused(struct header *h, const char *text);

/* Appends which processes were named for the recording: "only pids 1, 2 and
 * processes called pg_*"; nothing if none were. */
void describe_named(const struct host_set_options *opt, struct buf *to);

/* Checks the processes that the last answer touched.  True if they are
 * recorded because all processes are, and the header did not say so yet. */
bool describe_roles(struct header *h, const struct world *w);

#endif
