/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc_status.h - the cells of /proc/<pid>/status: read, kept, or in part of
 * statm and the delays.
 */
#ifndef GS_AGENT_PROC_STATUS_H
#define GS_AGENT_PROC_STATUS_H

#include "agent/proc_reading.h"

/* Sets its cells, after those of stat and the delays. */
void proc_status_read(struct reading *r);

#endif
