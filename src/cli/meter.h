/* SPDX-License-Identifier: Apache-2.0 */
/*
 * meter.h - how far a command is that reads a recording: a line on the terminal,
 * from its second second on.
 *
 *   2026-11-22 14:05:00, 41 %, 5m02s per second, 12.0s left
 *
 * Use: meter_init(); meter_cursor() in place of the recording's; meter_range()
 * when the range is known; meter_end().  What the command prints erases the line.
 */
#ifndef GS_CLI_METER_H
#define GS_CLI_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/zone.h"
#include "cli/status_line.h"
#include "model/cursor_filter.h"

struct meter {
	struct status_line line;
	struct cursor_filter filter;
	struct zone zone;
	int64_t from_ns, to_ns; /* equal: not known */
	int64_t begun_ns; /* monotonic */
	bool reads; /* since then, where it reads by its cursor */
	bool stops;
};

/* wanted: false for a command that is quiet, follows or draws a screen. */
void meter_init(struct meter *m, bool wanted);

/* From now on a signal that would end the program ends what is read instead, with
 * GS_E_GONE.  Before meter_cursor(). */
void meter_stop_by_signal(struct meter *m);

/* Reads from `of`.  m must stay where it is. */
struct cursor meter_cursor(struct meter *m, struct cursor of);

/* The range that is read, of a recording from first_ns to last_ns. */
void meter_range(struct meter *m, const struct zone *zone, int64_t from_ns,
	int64_t to_ns, int64_t first_ns, int64_t last_ns);

void meter_end(struct meter *m);

/* ", 41 %, 5m02s per second, 12.0s left"; nothing where it is not known. */
void meter_add(const struct meter *m, int64_t wall_ns, struct buf *to);

/* ", 41 %, 18.2 MiB/s, 12.0s left"; without what is not known. */
void meter_add_bytes(const struct meter *m, double done, double all,
	struct buf *to);

#endif
