/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pidstat_live.h - pidstat's reports of this host, sampled now.
 */
#ifndef GS_CLI_PIDSTAT_LIVE_H
#define GS_CLI_PIDSTAT_LIVE_H

#include "base/err.h"
#include "pidstat/pidstat.h"

struct pidstat_live {
	const struct pidstat_opt *opt; /* the program is added to its
	                                * selection */
	struct pidstat *pidstat;
	size_t holes; /* out: in its reports */
	struct resample *resample;
	int64_t interval_ns;
	const char *root; /* NULL: the host's own */
	char *const *command; /* to run, NULL-terminated; NULL: none */
	int status; /* set: exit status of the program, as of a shell */
};

/*
 * Samples until the wanted reports are made, the program has ended or a signal
 * comes, then ends the output.  It waits for a program that outlives the
 * reports.
 */
int pidstat_live_run(struct pidstat_live *l, struct gs_err *err);

#endif
