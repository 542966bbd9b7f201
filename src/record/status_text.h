/* SPDX-License-Identifier: Apache-2.0 */
/*
 * status_text.h - a recorder's report of itself, as text.
 */
#ifndef GS_RECORD_STATUS_TEXT_H
#define GS_RECORD_STATUS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/zone.h"
#include "record/status_report.h"

/* A page about one recorder, times in zone. */
void status_text(const struct status_report *b, const struct zone *zone,
	size_t width, struct buf *to);

/* A line of a list of recorders: pid, user, since when, hosts, where. */
void status_text_line(const struct status_report *b, const struct zone *zone,
	struct buf *to);

/* Problems that make the recording incomplete now: the first line of the page.
 * Returns their number; 0: none. */
size_t status_text_troubles(const struct status_report *b, struct buf *to);

#endif
