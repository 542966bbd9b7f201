/*
 * running.h - the recorders that run on this host, as they describe
 * themselves, and which of them a user means.
 */
#ifndef GS_CLI_RUNNING_H
#define GS_CLI_RUNNING_H

#include <stddef.h>

#include "base/err.h"
#include "record/ask.h"
#include "record/bulletin.h"

struct running {
	struct ask_whom whom;
	struct bulletin says;
};

struct runnings {
	struct running *item; /* the one that began first is first */
	size_t n;
};

#define RUNNINGS_INIT { NULL, 0 }

/* Asks all that may be asked.  One that does not answer is passed over and
 * told: *ret_mute counts them. */
int runnings_find(struct runnings *l, size_t *ret_mute, struct gs_err *err);
void runnings_release(struct runnings *l);

/*
 * The one that records into path, a file or a directory.  Without a path
 * (NULL): the only one, or the one that records into ~/gpsnap/.
 * GS_E_NOTFOUND: none; GS_E_USAGE: several, which err names.
 */
int runnings_choose(const struct runnings *l, const char *path,
	const struct running **ret, struct gs_err *err);

#endif
