/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream.h - tables of ticks as they come: of what is being sampled, and of a
 * recording that is being written.
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
	struct range range; /* what is wanted of all that comes */
	bool looks_back;
	int64_t keep_ns; /* so much of an overview; 0: all */
	int64_t shown_ns; /* up to here, if it looks back */
	struct show_result result;
};

/* The show is the caller's, and so are the others; they must outlive it.  r's
 * every_ns is not 0. */
void stream_open(struct stream *t, struct show *show,
	const struct replay_options *o, const struct show_source *source,
	const struct range *r);

/* Shows what came: the source's first_ns and last_ns are those of now.
 * RANGE_WAITS; GS_OK where no more will be shown; else why not. */
int stream_more(struct stream *t, struct gs_err *err);

/* Shows what is left. */
int stream_close(struct stream *t, struct gs_err *err);

#endif
