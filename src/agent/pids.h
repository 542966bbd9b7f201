/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pids.h - the process ids that a directory lists.
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

/* Replaces the list by what dir_fd, read from its beginning, names.  A list
 * is cut at no size; a name that is no number is passed over. */
int pids_read(struct pids *p, int dir_fd, struct gs_err *err);

#endif
