/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_offcpu.c - where the time of processes went: on a CPU, and off it by
 * cause.
 *
 * What its columns mean and which of them overlap: query/offcpu.h.
 */
#include "base/compiler.h"
#include "query/labelcol.h"
#include "query/offcpu.h"
#include "query/work_figures.h"
#include "view/label_figures.h"
#include "view/view_int.h"

static const struct figure offcpu[] = {
	PID_FIGURE,
	HOST_FIGURE(MANY_HOSTS),
	SERVER_FIGURE,
	SESSION_FIGURE,
	USER_FIGURE(200),
	COLUMN("cpu_seconds", "CPU", Q_SECONDS, 80, "CPU time",
	    BY(figure_cpu_sum), FROM_CPU, ADDS),
	OFFCPU_PARTS(PROCESS, 80),
	OFFCPU_CAUSE(PROCESS, 80),
	OFFCPU_SPANS(PROCESS, 120),
	OFFCPU_AVERAGES(PROCESS),
	PROCESS_SCHED_FIGURES,
	METRIC_COLUMN(GRID_ON_REQUEST, SUM(PROCESS, MINFLT), ADDS),
	METRIC_COLUMN(GRID_ON_REQUEST, SUM(PROCESS, MAJFLT), ADDS),
	COMMAND_FIGURE,
	PROCESS_TITLE_FIGURE,
};

ROW_VIEW(offcpu, PROCESS,
    "time of processes on the CPU, and off it by cause: run queue, block IO, reclaim, ...",
    "waited_seconds,cpu_seconds");
