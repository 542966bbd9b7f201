/* SPDX-License-Identifier: Apache-2.0 */
/*
 * running.h - the recorders that run on this host, by their own description,
 * and the one that a user means.
 */
#ifndef GS_RECORD_RUNNING_H
#define GS_RECORD_RUNNING_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "record/ask.h"
#include "record/status_report.h"

struct running {
	struct ask_whom whom;
	struct status_report status;
};

struct runnings {
	struct running *item; /* the oldest first */
	size_t n, cap;
	size_t n_mute, mute_cap; /* without those that did not answer */
	uid_t *mute_uid; /* their user */
	struct buf mute; /* a line for each of those, one for all that only bear
	                  * a recorder's name, and one for all of which that is
	                  * unknown */
	size_t n_others; /* of other users, which must not be asked */
};

#define RUNNINGS_INIT { .item = NULL }

/* Asks all recorders that may be asked. */
int runnings_find(struct runnings *l, struct gs_err *err);

void runnings_release(struct runnings *l);

/*
 * The one that records into path, a file or a directory.  Without a path
 * (NULL): the only one, or the one that records into usual.
 * GS_E_NOTFOUND: none; GS_E_USAGE: several, which err names.
 */
int runnings_choose(const struct runnings *l, const char *path,
	const char *usual, const struct running **ret, struct gs_err *err);

#endif
