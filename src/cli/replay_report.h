/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_report.h - the lines above tables: files, hosts, range, holes.
 */
#ifndef GS_CLI_REPLAY_REPORT_H
#define GS_CLI_REPLAY_REPORT_H

#include "base/zone.h"
#include "query/grid.h"
#include "query/range.h"
#include "replay/archive.h"

/* Adds the file names of an archive, and notes about them, to a report that was
 * zeroed or released.  The names belong to the archive. */
void report_archive(struct report *rep, const struct archive *a,
	const struct zone *zone);

/* Adds the contents of the engine's range; last_ns: of the recording's last
 * tick, whole or not.  The texts belong to the engine. */
void report_fill(struct report *rep, const struct engine *e,
	const struct range *r, int64_t last_ns, const struct zone *zone);
void report_release(struct report *rep);

/* Adds a note. */
void report_add_note(struct report *rep, const char *text);

/* Adds a line about the database at the end of the range: version, sessions by
 * state, segments that are up. */
void report_add_database(struct report *rep, const struct engine *e);

/* Fails: no tick is within the range; names what the recording covers. */
int report_nothing(const struct range *r, const struct zone *zone,
	int64_t first_ns, int64_t last_ns, struct gs_err *err);

#endif
