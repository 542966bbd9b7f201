/* SPDX-License-Identifier: Apache-2.0 */
/*
 * note.h - events of the database, for the next frame.
 */
#ifndef GS_PG_NOTE_H
#define GS_PG_NOTE_H

#include "base/compiler.h"
#include "model/tick.h"

/* Adds an event of now, about no recorded host.  Its text is cut at 1023
 * bytes.  Events after the first 1000 that are not taken yet are dropped. */
void note(struct tick *events, enum event_kind kind, int64_t value,
	const char *fmt, ...) GS_PRINTF(4, 5);

#endif
