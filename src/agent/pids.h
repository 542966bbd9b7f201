/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pids.h - the process ids in a directory.
 */
#ifndef GS_AGENT_PIDS_H
#define GS_AGENT_PIDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct pids {
	uint32_t *pid; /* ascending */
	size_t n, cap;
	char *buf; /* for the kernel's entries; owned */
};

void pids_release(struct pids *p);

/* Replaces the list by the entries of dir_fd, read from its beginning.  There
 * is no limit of its length; names that are not numbers are skipped. */
int pids_read(struct pids *p, int dir_fd, struct gs_err *err);

#endif
