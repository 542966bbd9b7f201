/* SPDX-License-Identifier: Apache-2.0 */
/*
 * running.h - the recorders that run on this host, as they describe
 * themselves, and which of them a user means.
 */
#ifndef GS_CLI_RUNNING_H
#define GS_CLI_RUNNING_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "record/ask.h"
#include "record/status_report.h"

struct running {
	struct ask_whom whom;
	struct status_report says;
};

struct runnings {
	struct running *item; /* the one that began first is first */
	size_t n, cap;
	size_t n_mute, mute_cap; /* those that did not answer are not among
	                          * them */
	uid_t *mute_uid; /* whose those are */
	struct buf mute; /* a line for each of those, and one each for all
	                  * that only bear a recorder's name, and for all
	                  * of which nobody knows that */
	size_t n_others; /* of other users, who may not be asked */
};

#define RUNNINGS_INIT { .item = NULL }

/* Asks all that may be asked. */
int runnings_find(struct runnings *l, struct gs_err *err);

/* Tells the user of those that did not answer. */
void runnings_tell_mute(const struct runnings *l);

void runnings_release(struct runnings *l);

/*
 * The one that records into path, a file or a directory.  Without a path
 * (NULL): the only one, or the one that records into ~/gpsnap/.
 * GS_E_NOTFOUND: none; GS_E_USAGE: several, which err names.
 */
int runnings_choose(const struct runnings *l, const char *path,
	const struct running **ret, struct gs_err *err);

#endif
