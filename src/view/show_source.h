/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_source.h - the ticks that tables are made of: of files, or live samples.
 */
#ifndef GS_VIEW_SHOW_SOURCE_H
#define GS_VIEW_SHOW_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/zone.h"
#include "model/cursor.h"
#include "query/grid.h"

/* The source of ticks, and of the lines above tables. */
struct show_source {
	struct cursor cursor;
	int64_t interval_ns;
	bool leaps; /* ticks may be passed over whose summary is known, if that
	             * gives the same figures */
	int64_t first_ns, last_ns; /* of its ticks */
	int64_t before_ns; /* as engine.before_ns, for views that tell it */
	bool is_pipe; /* last_ns is not known, and it can be read once only */
	struct zone zone; /* zone of the times shown */
	/* Names files and adds notes, in memory that report_release()
	 * knows. */
	void (*head)(void *ctx, struct report *rep);
	/* NULL, or: true if no more tables are wanted. */
	bool (*is_over)(void *ctx);
	void *ctx;
};

#endif
