/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream.h - tables of ticks as they come: of live samples, and of a recording
 * that is being written.
 *
 * Views go through the ticks once; the overview and windows look back from
 * the newest tick.
 */
#ifndef GS_CLI_STREAM_H
#define GS_CLI_STREAM_H

#include "cli/show.h"

struct stream {
	const struct replay_options *o;
	const struct show_source *source;
	struct show *show;
	struct range range; /* the wanted part of all ticks */
	bool looks_back;
	int64_t keep_ns; /* length of an overview; 0: all */
	int64_t shown_ns; /* end, if it looks back */
	struct show_result result;
};

/* The show and the others are the caller's; they must outlive it.  r's every_ns
 * is not 0. */
void stream_open(struct stream *t, struct show *show,
	const struct replay_options *o, const struct show_source *source,
	const struct range *r);

/* Shows new ticks: the source's first_ns and last_ns are current.  Returns
 * RANGE_WAITS; GS_OK if no more will be shown; or an error. */
int stream_more(struct stream *t, struct gs_err *err);

/* Shows the rest. */
int stream_close(struct stream *t, struct gs_err *err);

#endif
