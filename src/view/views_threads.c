/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_threads.c - threads, where they were recorded, with the process and the
 * session that each works for.
 *
 * Figures of the whole process, such as memory, are not repeated.
 */
#include "base/compiler.h"
#include "query/columns.h"
#include "query/labelcol.h"
#include "query/offcpu.h"
#include "query/work_figures.h"
#include "view/label_figures.h"
#include "view/view_int.h"

#define FROM_THREAD_CPU .n_from = 3, .from = { COL(THREAD, CPU), \
	COL(THREAD, UTIME), COL(THREAD, STIME) }

/* Sums over threads: of one, or of a group. */
#define THREAD_FIGURES \
	COLUMN("cpu_percent", "CPU%", Q_PERCENT, 80, "CPU time per covered time, % of one core", \
	    .fn = figure_cpu_rate, .scale = 100, FROM_THREAD_CPU, ADDS), \
	COLUMN("cpu_seconds", "CPU", Q_SECONDS, 80, "CPU time", \
	    BY(figure_cpu_sum), FROM_THREAD_CPU, ADDS), \
	NAMED_COLUMN("run_queue_percent", "RUNQ%", 80, \
	    PERCENT(THREAD, RUN_DELAY), ADDS), \
	NAMED_COLUMN("voluntary_switches_per_second", "CSW/s", 80, \
	    RATE(THREAD, CSW_VOL), ADDS), \
	NAMED_COLUMN("involuntary_switches_per_second", "NVCSW/s", 120, \
	    RATE(THREAD, CSW_INVOL), ADDS), \
	NAMED_COLUMN("read_bytes_per_second", "READ/s", 120, \
	    RATE(THREAD, READ_BYTES), ADDS), \
	NAMED_COLUMN("write_bytes_per_second", "WRITE/s", 120, \
	    RATE(THREAD, WRITE_BYTES), ADDS), \
	COLUMN("faults_per_second", "FAULTS/s", Q_RATE, 160, "page faults, minor and major", \
	    RATE2(THREAD, MINFLT, MAJFLT), ADDS), \
	NAMED_COLUMN("user_percent", "USR%", 160, PERCENT(THREAD, UTIME), ADDS), \
	NAMED_COLUMN("system_percent", "SYS%", 160, PERCENT(THREAD, STIME), \
	    ADDS), \
	NAMED_COLUMN("io_delay_percent", "IODELAY%", GRID_ON_REQUEST, \
	    PERCENT(THREAD, BLKIO_DELAY), ADDS), \
	OFFCPU_FIGURES(THREAD), \
	SCHED_FIGURES(THREAD, CPU, "")

static const struct figure threads[] = {
	METRIC_COLUMN(80, CELL(THREAD, TID)),
	METRIC_COLUMN(80, CELL(THREAD, PID)),
	HOST_FIGURE(MANY_HOSTS),
	SERVER_FIGURE,
	COLUMN("state", "STATE", Q_TEXT, 80, "as in processes",
	    BY(labelcol_process_state), FROM(THREAD, STATE), VARIES),
	COLUMN("session", "SESSION", Q_TEXT, 80, "session its process works for",
	    BY(labelcol_session)),
	USER_FIGURE(120),
	COLUMN("started", "STARTED", Q_TIME, 200, "start of the thread",
	    BY(labelcol_started), FROM(THREAD, START)),
	COLUMN("ended", "ENDED", Q_TIME, 160, "last sample of a thread that is gone",
	    BY(labelcol_ended)),
	THREAD_FIGURES,
	METRIC_COLUMN(GRID_ON_REQUEST, CELL(THREAD, NICE)),
	METRIC_COLUMN(GRID_ON_REQUEST, CELL(THREAD, RT_PRIORITY)),
	METRIC_COLUMN(160, CELL(THREAD, PROCESSOR)),
	COLUMN("command", "COMMAND", Q_TEXT, 120, "name of its process's program",
	    LABEL_TEXT(command)),
	COLUMN("thread", "THREAD", Q_TEXT, 80, "name of the thread",
	    LABEL_TEXT(thread), FROM(THREAD, COMM)),
	COLUMN("title", "TITLE", Q_TEXT, 160,
	    "title or command line of its process, where recorded",
	    LABEL_TEXT(title), FLEXES),
};

ROW_VIEW(threads, THREAD, "threads, where they were recorded; ended ones stay",
    "cpu_seconds,cpu_percent");

/* The columns after the keys of --group-by. */
static const struct figure groups[] = {
	COLUMN("threads", "THREADS", Q_COUNT, 80, "living threads",
	    BY(labelcol_procs), ADDS),
	THREAD_FIGURES,
	COLUMN("hosts", "HOSTS", Q_COUNT, 200, "hosts on which it has threads",
	    BY(labelcol_hosts)),
	COLUMN("stay_percent", "STAY%", Q_PERCENT, GRID_ON_REQUEST,
	    "mean time for which a thread was in the group, of the covered time",
	    BY(labelcol_stay)),
};

const struct figure *view_thread_group_figures(size_t *ret_n)
{
	*ret_n = GS_LEN(groups);
	return groups;
}
