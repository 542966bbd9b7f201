/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc_ran.h - whether a process ran since its last full read.  If it did not, it
 * is not read, and the kernel is not asked for its delays.
 */
#ifndef GS_AGENT_PROC_RAN_H
#define GS_AGENT_PROC_RAN_H

#include "agent/proc_read.h"

/* With threads, less than this may stay unnoticed until it adds up. */
#define PROC_QUIET_NS GS_NSEC_PER_MSEC

/* It is found out once per tick. */
bool proc_ran(struct proc_read *f, const struct scan *sc, struct proc *p);

#endif
