/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source.h - where the terminal's ticks come from: files, a file that grows,
 * or what is being sampled.
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
	struct zone zone; /* what times are shown in */
	bool grows; /* ticks keep coming */
	/* Looks for ticks that have come: sets first_ns, last_ns and cursor.
	 * NULL: none come. */
	void (*refresh)(void *ctx, struct tui_source *s);
	/* What stands above a table that is written to a file; e's range was
	 * r.  Texts stay until unreport() or the engine's end. */
	void (*report)(void *ctx, struct report *rep, const struct engine *e,
	    const struct range *r);
	void (*unreport)(struct report *rep);
	/* Somebody waits: give up what is being computed.  NULL: never. */
	bool (*hurry)(void *ctx);
	/* Why no file can be made elsewhere than in the current directory;
	 * NULL: it can. */
	const char *save_hint;
	void *ctx;
};

/* A cursor that gives up when somebody waits. */
struct patience {
	struct cursor of;
	bool (*hurry)(void *ctx);
	void *ctx;
	unsigned steps;
	bool lost; /* it gave up */
};

struct cursor patience_cursor(struct patience *p,
	const struct tui_source *s);

/* The first tick after t, or the last one before it; t itself if there is
 * none. */
int64_t source_after(const struct tui_source *s, int64_t t_ns);
int64_t source_before(const struct tui_source *s, int64_t t_ns);

/* t, or the edge of the recording that is nearest to it. */
int64_t source_clamp(const struct tui_source *s, int64_t t_ns);

/* The range that ends at to and is as long as the window: it begins at the
 * tick that stands there, a little early or late. */
struct range source_range(const struct tui_source *s, int64_t to_ns,
	int64_t window_ns);

#endif
