/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc_status.h - the cells of /proc/<pid>/status: read, kept, or in part of
 * statm and the delays.
 */
#ifndef GS_AGENT_PROC_STATUS_H
#define GS_AGENT_PROC_STATUS_H

#include "agent/proc_reading.h"

/* True if what others may have changed in stat and status is the same.  The
 * rest of stat, as the process that a terminal listens to, is read more seldom,
 * but always when the parent ended. */
bool proc_status_left(struct reading *r);

/* Sets its cells, after those of stat and the delays. */
void proc_status_read(struct reading *r);

#endif
