/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work_counts.h - how much work of databases the processes of a group do at the
 * end of the range: sessions, active ones, segments, slices.
 */
#ifndef GS_VIEW_WORK_COUNTS_H
#define GS_VIEW_WORK_COUNTS_H

#include "query/columns.h"

struct cell work_sessions(FIGURE_ARGS);
struct cell work_active_sessions(FIGURE_ARGS);
struct cell work_segments(FIGURE_ARGS);
struct cell work_slices(FIGURE_ARGS);

#define WORK_COUNT_FIGURES \
	COLUMN("sessions", "SESSIONS", Q_COUNT, GRID_ON_REQUEST, \
	    "database sessions that have a process in it, at the end", BY(work_sessions)), \
	COLUMN("active_sessions", "ACTIVE", Q_COUNT, GRID_ON_REQUEST, \
	    "of these, sessions that run or wait, at the end", BY(work_active_sessions)), \
	COLUMN("segments", "SEGMENTS", Q_COUNT, GRID_ON_REQUEST, \
	    "segments that have a process of a session in it, at the end", BY(work_segments)), \
	COLUMN("slices", "SLICES", Q_COUNT, GRID_ON_REQUEST, \
	    "slices of sessions that have a process in it, at the end", BY(work_slices))

#endif
