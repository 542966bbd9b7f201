/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dirs.h - the entries of a directory, without allocating.
 */
#ifndef GS_AGENT_DIRS_H
#define GS_AGENT_DIRS_H

#include <stdbool.h>

#include "procfs/root.h"

#define DIRS_BUF 4096

struct dirs {
	int fd;
	long n, at; /* bytes in buf, and how many of them were consumed */
	int status; /* -errno of a failed listing; else 0 */
	_Alignas(8) char buf[DIRS_BUF];
};

/* Opens path below at_fd for listing, as root_open().  0, or -errno. */
int dirs_open(struct dirs *d, const struct root *r, int at_fd,
	const char *path, int flags);

/* The next name but "." and "..", and its DT_ type (DT_UNKNOWN on some file
 * systems); NULL at the end.  Valid until the next call. */
const char *dirs_next(struct dirs *d, unsigned char *ret_type);

void dirs_close(struct dirs *d);

#endif
