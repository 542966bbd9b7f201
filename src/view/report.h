/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.h - the lines above tables: files, hosts, range, holes.
 */
#ifndef GS_VIEW_REPORT_H
#define GS_VIEW_REPORT_H

#include "base/zone.h"
#include "query/grid.h"
#include "query/range.h"

/* Adds the contents of the engine's range; last_ns: of the recording's last
 * tick, whole or not. */
void report_fill(struct report *rep, const struct engine *e,
	const struct range *r, int64_t last_ns, const struct zone *zone);
void report_release(struct report *rep);

/* A hole within a range that begins at from_ns, or before it.  It may have no end:
 * INT64_MAX, up to report_end_holes(). */
struct report_hole report_hole_of(const struct engine_hole *h, int64_t from_ns);
void report_end_holes(struct report *rep, int64_t end_ns);

void report_drop_marks(struct report *rep);
void report_drop_covers(struct report *rep);

/* Adds a note; for archive_notes(), too. */
void report_add_note(void *report, const char *text);

/* Appends the names of the hosts, or of the first ones: "sdw1, sdw2". */
void report_add_hosts(const struct world *w, struct buf *to);

/* Most sessions of the database at any tick; most that were active, that waited. */
struct report_most {
	size_t sessions, active, waiting;
};

/* Takes the last tick. */
void report_take_most(struct report_most *m, const struct engine *e);

/* Adds a line about the database at the end of the range: version, sessions by
 * state, segments that are up; and the most of the range, if that is more. */
void report_add_database(struct report *rep, const struct engine *e,
	const struct report_most *most);

/* Fails: no tick is within the range; names what the recording covers, and the
 * hole in which the range is (NULL: not looked for). */
int report_nothing(const struct range *r, const struct range_hole *hole,
	const struct zone *zone, int64_t first_ns, int64_t last_ns,
	struct gs_err *err);

#endif
