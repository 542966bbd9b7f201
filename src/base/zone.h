/* SPDX-License-Identifier: Apache-2.0 */
/*
 * zone.h - instants (ns since 1970, UTC) and local date and time.
 *
 * A zone is a fixed offset, as stored in a recording, or a name of the
 * system's zone database, with daylight saving.  Named zones go through libc's
 * TZ variable: for programs with one thread, or with no other use of local
 * time.
 */
#ifndef GS_BASE_ZONE_H
#define GS_BASE_ZONE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define ZONE_NAME_MAX 64

struct zone {
	bool named;
	int32_t offset_s; /* east of UTC, where not named */
	char name[ZONE_NAME_MAX]; /* value for TZ, where named */
};

#define ZONE_UTC { .named = false, .offset_s = 0, .name = "" }

/* A date and a time of day. */
struct civil {
	int64_t year;
	int32_t month; /* 1 to 12 */
	int32_t day; /* 1 to 31 */
	int32_t hour; /* 0 to 23 */
	int32_t minute;
	int32_t second; /* 0 to 59 */
	int32_t ns;
};

/* Accepted years; all fit into int64_t ns. */
#define CIVIL_YEAR_MIN 1700
#define CIVIL_YEAR_MAX 2200

struct zone zone_fixed(int32_t offset_s);

/*
 * "Europe/Berlin", "UTC", "local" (of this machine), "Z", "+01:00", "-0330", or a POSIX rule such as
 * "CET-1CEST,M3.5.0,M10.5.0/3".  Fails with GS_E_USAGE if the zone database
 * of this machine has no such zone.
 */
int zone_parse(struct zone *z, const char *text, struct gs_err *err);

/* "+01:00", "+0100", "+01", "Z", "UTC", "UTC+01:00" at p, of at most len bytes.  Returns the
 * number of bytes used, 0 if there is no offset. */
size_t zone_parse_offset(const char *p, size_t len, int32_t *ret_s);

/* True if both instants are on one day. */
bool zone_same_date(const struct zone *z, int64_t a, int64_t b);

/* Seconds east of UTC of this process's local time, now. */
int32_t zone_offset_here(void);

/* Seconds east of UTC at an instant. */
int32_t zone_offset(const struct zone *z, int64_t ns);

/* Local date and time. */
struct civil zone_to_civil(const struct zone *z, int64_t ns);

/*
 * The instant at which the local time is c.  An hour that occurs twice (the
 * clock is set back) means the first, with later the second.  An hour that
 * does not occur (set forward) is computed as if the clock had not been set
 * yet: 02:30 becomes 03:30.
 */
int64_t zone_from_civil(const struct zone *z, const struct civil *c,
	bool later);

/* False for the 30th of February, 24:00 and the like. */
bool civil_valid(const struct civil *c);

/* Days since 1970-01-01, in the proleptic Gregorian calendar. */
int64_t civil_to_days(int64_t year, int32_t month, int32_t day);
void civil_from_days(struct civil *c, int64_t days);

/* "2026-11-20 14:05:30", with digits (0 to 9) after the point. */
void zone_add_date_time(const struct zone *z, int64_t ns, unsigned digits,
	struct buf *to);

/* "14:05:30" */
void zone_add_time(const struct zone *z, int64_t ns, unsigned digits,
	struct buf *to);

/* "2026-11-20T14:05:30.250Z" of UTC; digits as needed: 0, 3, 6 or 9. */
void zone_add_iso(int64_t ns, struct buf *to);

/* Name of the zone: "UTC", "UTC+01:00", "Europe/Berlin". */
void zone_add_label(const struct zone *z, struct buf *to);

#endif
