/* SPDX-License-Identifier: Apache-2.0 */
/*
 * describe.h - what a recording's header says about it.
 */
#ifndef GS_RECORD_DESCRIBE_H
#define GS_RECORD_DESCRIBE_H

#include <stdbool.h>

#include "model/header.h"
#include "model/world.h"
#include "record/recorder.h"

/* The header of a new recording, with an id of its own; the caller's. */
struct header *describe_new(const struct recorder_options *opt);

/* Adds what an agent may not read: "what: why".  Each what once; false: it is
 * there, or there is no room. */
bool describe_refused(struct header *h, const char *text);

/* Looks at the processes that the last answer touched.  True if they are
 * recorded because all are, and the header did not say so yet. */
bool describe_roles(struct header *h, const struct world *w);

/* Processes of the host of which the agent may not read every file, where
 * that could be helped; says so in the header, and in text. */
#define DESCRIBE_TEXT_MAX 160
uint64_t describe_unreadable(struct header *h, const struct world *w,
	char text[DESCRIBE_TEXT_MAX]);

#endif
