/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source.h - the terminal's source of ticks: files, a file that grows, or live
 * samples.
 */
#ifndef GS_TUI_SOURCE_H
#define GS_TUI_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/zone.h"
#include "model/cursor.h"
#include "query/grid.h"
#include "query/range.h"

struct tui_source {
	const char *name; /* what is read: "incident.gpsnap", "live" */
	struct cursor cursor;
	int64_t interval_ns;
	int64_t first_ns, last_ns; /* of its ticks */
	struct zone zone; /* zone of the times shown */
	bool grows; /* ticks keep coming */
	/* Looks for new ticks: sets first_ns, last_ns and cursor.  NULL: no new
	 * ticks come. */
	void (*refresh)(void *ctx, struct tui_source *s);
	/* The lines above a table that is written to a file; e's range was r.
	 * Texts are valid until report_release() or the engine's end. */
	void (*report)(void *ctx, struct report *rep, const struct engine *e,
	    const struct range *r);
	/* The range that a window from from_ns to to_ns is compared with, as
	 * the user wrote it. */
	int (*baseline)(void *ctx, const char *text, const struct range *window,
	    struct range *ret, struct gs_err *err);
	/* True if a key is pending: stop computing.  NULL: never. */
	bool (*hurry)(void *ctx);
	/* Why no file can be made elsewhere than in the current directory;
	 * NULL: it can. */
	const char *save_hint;
	void *ctx;
};

/* A cursor that stops when a key is pending. */
struct patience {
	struct cursor of;
	bool (*hurry)(void *ctx);
	void *ctx;
	unsigned steps;
	bool lost; /* it gave up */
};

struct cursor patience_cursor(struct patience *p,
	const struct tui_source *s);

/* The first tick after t; t itself if there is none. */
int64_t source_after(const struct tui_source *s, int64_t t_ns);

/* t, or the edge of the recording that is nearest to it. */
int64_t source_clamp(const struct tui_source *s, int64_t t_ns);

/* The range that ends at to and is as long as the window: it begins at the tick
 * near that time. */
struct range source_range(const struct tui_source *s, int64_t to_ns,
	int64_t window_ns);

#endif
