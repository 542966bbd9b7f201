/* SPDX-License-Identifier: Apache-2.0 */
/*
 * times.h - the part of a recording and the zone of its times: options and
 * their meaning.
 */
#ifndef GS_CLI_TIMES_H
#define GS_CLI_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/zone.h"
#include "cli/opt.h"

struct times {
	const char *from, *to; /* as written; NULL: open */
	int64_t duration_ns; /* of the range; 0: up to its end */
	const char *at; /* an instant in place of a range; NULL: none */
	const char *host; /* the only one; NULL: all */
	bool utc;
	const char *tz; /* NULL: the recording's */
	bool grows; /* a time to come may end the range */
};

/* Options of T, whose member WHEN is the struct times.  S, E: the letters of
 * --from and --to, 0: none. */
#define FROM_TO_OPTIONS(T, WHEN, S, E) \
	{ OPT_TIME, S, "from", "TIME", \
	    "begin at TIME, written as for gpsnap replay", \
	    .offset = OPT_AT(T, WHEN.from) }, \
	{ OPT_TIME, E, "to", "TIME", "end at TIME", \
	    .offset = OPT_AT(T, WHEN.to) }

/* The same, with the syntax of TIME. */
#define RANGE_OPTIONS(T, WHEN) \
	{ OPT_TIME, 0, "from", "TIME", \
	    "begin at TIME: 14:05, \"2026-11-20 14:05\", ISO 8601, epoch " \
	    "seconds, -1h before the end, +5m after the start, yesterday", \
	    .group = "Which part", .offset = OPT_AT(T, WHEN.from) }, \
	{ OPT_TIME, 0, "to", "TIME", \
	    "end at TIME; +5m counts from --from", \
	    .offset = OPT_AT(T, WHEN.to) }

#define HOST_OPTION(T, WHEN) \
	{ OPT_TEXT, 0, "host", "HOST", \
	    "this host, if the recording has several", \
	    .offset = OPT_AT(T, WHEN.host) }

#define TZ_OPTION(T, WHEN) \
	{ OPT_TEXT, 0, "tz", "ZONE", "times in ZONE: Europe/Berlin, +01:00", \
	    .offset = OPT_AT(T, WHEN.tz) }

/* U: the letter of --utc. */
#define ZONE_OPTIONS(T, WHEN, U) \
	{ OPT_FLAG, U, "utc", NULL, \
	    "times in UTC, not in the recording's zone", \
	    .offset = OPT_AT(T, WHEN.utc) }, \
	TZ_OPTION(T, WHEN)

/* The same, for the zone of the options' own times. */
#define TIME_IS_IN_OPTIONS(T, WHEN) \
	{ OPT_FLAG, 'u', "utc", NULL, \
	    "TIME is in UTC, not in the recording's zone", \
	    .group = "How times are written", .offset = OPT_AT(T, WHEN.utc) }, \
	{ OPT_TEXT, 0, "tz", "ZONE", \
	    "TIME is in ZONE: Europe/Berlin, +01:00", \
	    .offset = OPT_AT(T, WHEN.tz) }

/* CLI_GO, or the exit status: --utc and --tz were both given. */
int times_check(const struct opt_cmd *c, const struct times *t);

/* GS_E_USAGE: a time counts from the end, which is unknown for a pipe. */
int times_check_pipe(const struct times *t, struct gs_err *err);

/* The zone of the options, else the recording's: offset_s east of UTC.
 * GS_E_USAGE: there is no such zone. */
int times_zone(const struct times *t, int32_t offset_s, struct zone *ret,
	struct gs_err *err);

/*
 * The range of the options in a recording from first_ns to last_ns; INT64_MIN
 * and INT64_MAX where it is open.  Fails with GS_E_USAGE, also if it ends
 * before it starts.
 */
int times_range(const struct times *t, const struct zone *zone,
	int64_t first_ns, int64_t last_ns, int64_t *ret_from_ns,
	int64_t *ret_to_ns, struct gs_err *err);

/* A range without length means the sample there: it begins an interval before. A
 * whole second means the sample that is shown with that time. */
void times_widen(int64_t interval_ns, int64_t *from_ns, int64_t *to_ns);

/* The range of a text "FROM..TO", either of which may be empty.  Fails as
 * times_range() does. */
int times_parse_range(const char *text, const struct zone *zone,
	int64_t first_ns, int64_t last_ns, int64_t *ret_from_ns,
	int64_t *ret_to_ns, struct gs_err *err);

/*
 * The baseline of the range from from_ns to to_ns: "FROM..TO", or "-1h" for the
 * same range so much earlier.  Fails with GS_E_USAGE.
 */
int times_baseline(const char *text, const struct zone *zone,
	int64_t first_ns, int64_t last_ns, int64_t from_ns, int64_t to_ns,
	int64_t *ret_from_ns, int64_t *ret_to_ns, struct gs_err *err);

#endif
