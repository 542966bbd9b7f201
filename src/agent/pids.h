/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pids.h - the process ids in a directory.
 *
 * procfs lists numbers in ascending order, and the position of each in the
 * directory is the number plus a constant (proc_pid_readdir() in the kernel).
 * pids_read() checks that; then a read can begin after any number.  The kernel
 * takes about a microsecond for every number that it lists.
 */
#ifndef GS_AGENT_PIDS_H
#define GS_AGENT_PIDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct pids {
	uint32_t *pid; /* ascending */
	size_t n, cap;
	uint32_t *fresh; /* while part of the list is replaced */
	size_t n_fresh, fresh_cap;
	char *buf; /* for the kernel's entries; owned */
	int64_t follows; /* position after the last number; 0: none */
	int64_t shift; /* position of a number, minus the number */
	size_t pairs; /* of numbers that shift was seen at */
	bool ordered; /* it was the same at all of them */
};

void pids_release(struct pids *p);

/* Replaces the list by the entries of dir_fd, read from its beginning.  There
 * is no limit of its length; names that are not numbers are skipped. */
int pids_read(struct pids *p, int dir_fd, struct gs_err *err);

/* True if the entries were at such positions at the last pids_read(). */
bool pids_can_seek(const struct pids *p);

/* Replaces the numbers above after by those that dir_fd has there, up to the
 * first that is above last and in the list.  Only if pids_can_seek(). */
int pids_read_after(struct pids *p, int dir_fd, uint32_t after, uint32_t last,
	struct gs_err *err);

#endif
