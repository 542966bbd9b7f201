/* SPDX-License-Identifier: Apache-2.0 */
/*
 * named.h - the processes that a user names for a recording: --pids, --comm.
 */
#ifndef GS_CLI_NAMED_H
#define GS_CLI_NAMED_H

#include "cli/opt.h"
#include "format/wire.h"

struct named {
	uint32_t pid[WIRE_PIDS_MAX];
	size_t n_pid;
	char *comm[WIRE_COMMS_MAX]; /* patterns; owned */
	size_t n_comm;
};

/* Takes the lists, each NULL or separated by commas.  CLI_GO, or the exit status
 * of the error that was printed. */
int named_parse(const struct opt_cmd *cmd, const char *pids,
	const char *comm, struct named *n);

/* Looks for them below root, or in this host's /proc if it is NULL, and reports
 * those that do not exist.  CLI_GO; EXIT_CANNOT: only pids were named, and none
 * of them exists. */
int named_look(const struct named *n, const char *root);

void named_release(struct named *n);

#endif
