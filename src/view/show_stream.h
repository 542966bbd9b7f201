/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_stream.h - tables of ticks as they come: of live samples, and of a
 * recording that is being written.
 *
 * Views go through the ticks once; the overview and windows look back from
 * the newest tick.
 */
#ifndef GS_VIEW_SHOW_STREAM_H
#define GS_VIEW_SHOW_STREAM_H

#include "view/show.h"

struct show_stream {
	const struct show_source *source;
	struct show *show;
	struct range range; /* the wanted part of all ticks */
	bool looks_back; /* windows, or an overview */
	int64_t keep_ns; /* length of an overview; 0: all */
	int64_t shown_ns; /* end, if it looks back */
	struct show_result result;
};

/* The show and the others are the caller's; they must outlive it.  r's every_ns
 * is not 0. */
void show_stream_open(struct show_stream *t, struct show *show,
	const struct show_source *source, const struct range *r);

/* Shows new ticks: the source's first_ns and last_ns are current.  Returns
 * RANGE_WAITS; GS_OK if no more will be shown; or an error. */
int show_stream_more(struct show_stream *t, struct gs_err *err);

/* Shows the rest. */
int show_stream_close(struct show_stream *t, struct gs_err *err);

#endif
