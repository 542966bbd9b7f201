/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pidstat_live.h - pidstat's reports of this host, sampled now.
 */
#ifndef GS_CLI_PIDSTAT_LIVE_H
#define GS_CLI_PIDSTAT_LIVE_H

#include "base/err.h"
#include "pidstat/pidstat.h"

struct pidstat_live {
	const struct pidstat_opt *opt; /* its selection gets the program */
	struct pidstat *pidstat;
	struct resample *resample;
	int64_t interval_ns;
	const char *root; /* NULL: the host's own */
	char *const *command; /* to run, NULL-terminated; NULL: none */
	int status; /* set: exit status of the program, as a shell has it */
};

/*
 * Samples until the reports that are wanted are made, the program has ended
 * or a signal comes, and ends the output.  A program outlives the reports: it
 * is waited for.
 */
int pidstat_live_run(struct pidstat_live *l, struct gs_err *err);

#endif
