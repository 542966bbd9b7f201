/* SPDX-License-Identifier: Apache-2.0 */
/*
 * web_live.h - what gpsnap web --live shows: a recording that it makes itself.
 */
#ifndef GS_CLI_WEB_LIVE_H
#define GS_CLI_WEB_LIVE_H

#include "cli/metrics_server.h"
#include "cli/sampling.h"

struct web_live {
	struct sampling_use use;
	struct recorder_options ro;
	struct metrics_server metrics;
	struct buf typed;
	char *dir; /* where it records */
	bool own; /* a temporary one, which goes at the end */
};

/* record: NULL for a temporary directory.  CLI_GO, or the exit status. */
int web_live_open(struct web_live *w, const struct opt_cmd *cmd,
	const struct sampling *o, const char *record);

/* Until it is interrupted. */
int web_live_run(struct web_live *w);
void web_live_close(struct web_live *w);

#endif
