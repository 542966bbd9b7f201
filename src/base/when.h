/* SPDX-License-Identifier: Apache-2.0 */
/*
 * when.h - instants as people write them, and durations as people read them.
 *
 *   14:05  14:05:30  14:05:30.250     the recording's date
 *   2026-11-20 14:05  2026-11-20T14:05:30   in the zone that is shown
 *   2026-11-20T14:05:30Z  ...+01:00   ISO 8601 with zone; 20261120T140530Z
 *   2026-11-20                        the start of that day; as end: its end
 *   1790000000  1790000000.5  @1234   seconds since 1970; 9 digits or "@"
 *   -1h                               before the end of the recording
 *   +5m                               after the start: of the range for its
 *                                     end, of the recording for its start
 *   9:42am  9pm  noon                 of a clock of twelve hours
 *   now  today  yesterday  yesterday 14:05
 *   friday  last friday 14:05         the last one; "last": not today
 *   10 minutes ago  1h30m ago         by this machine's clock
 */
#ifndef GS_BASE_WHEN_H
#define GS_BASE_WHEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/zone.h"

/* What a time may be relative to. */
struct when_env {
	const struct zone *zone;
	int64_t first_ns, last_ns; /* of the recording */
	int64_t now_ns;
	bool is_end; /* this is the end of a range */
	bool has_start; /* ... whose start is start_ns */
	int64_t start_ns;
};

/*
 * A time of day without a date means the recording's date.  If the recording
 * covers two dates or more, it means the first of the first two dates on which
 * this time is within the recording.  As the end of a range with a start it
 * means the first such time after the start, so that 23:00 to 01:00 crosses
 * midnight.
 */
int when_parse(const char *text, const struct when_env *env, int64_t *ret_ns,
	struct gs_err *err);

/* Checks the syntax only: fails if when_parse() would fail for every
 * recording. */
int when_check(const char *text, struct gs_err *err);

/* Room for the longest text of when_span() and when_age(). */
#define WHEN_SPAN_MAX 32

/* Exactly, as units_duration() takes it back: "1m30s", "250ms", "0s". */
void when_span(char to[WHEN_SPAN_MAX], int64_t ns);

/* For reading: "9.2s", "14m03s", "2h05m", "3d04h", "412d". */
void when_age(char to[WHEN_SPAN_MAX], double seconds);

#endif
