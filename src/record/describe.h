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

/* Checks the processes that the last answer touched.  True if they are
 * recorded because all processes are, and the header did not say so yet. */
bool describe_roles(struct header *h, const struct world *w);

/* The agent may not read every file of n processes: if more rights would help,
 * says so in the header, and in text. */
#define DESCRIBE_TEXT_MAX 160
bool describe_unreadable(struct header *h, uint64_t n,
	char text[DESCRIBE_TEXT_MAX]);

#endif
