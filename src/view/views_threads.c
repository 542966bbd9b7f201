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
#include "view/label_figures.h"
#include "view/view_int.h"

#define FROM_THREAD_CPU .n_from = 3, .from = { COL(THREAD, CPU), \
	COL(THREAD, UTIME), COL(THREAD, STIME) }

/* Also for an ended thread. */
static struct cell thread_name(FIGURE_ARGS)
{
	return figure_text(v, grouping_label(g)->thread);
}

static const struct figure threads[] = {
	COLUMN("tid", "TID", Q_ID, 80, "thread id; that of the process: its main thread",
	    CELL(THREAD, TID)),
	COLUMN("pid", "PID", Q_ID, 80, "process it is a thread of", CELL(THREAD, PID)),
	HOST_FIGURE(MANY_HOSTS),
	SERVER_FIGURE,
	COLUMN("state", "STATE", Q_TEXT, 80, "as in processes",
	    BY(labelcol_process_state), FROM(THREAD, STATE)),
	COLUMN("session", "SESSION", Q_TEXT, 80, "session its process works for",
	    BY(labelcol_session)),
	USER_FIGURE(120),
	COLUMN("started", "STARTED", Q_TIME, 200, "start of the thread",
	    BY(labelcol_started), FROM(THREAD, START)),
	COLUMN("ended", "ENDED", Q_TIME, 160, "last sample of a thread that is gone",
	    BY(labelcol_ended)),
	COLUMN("cpu_percent", "CPU%", Q_PERCENT, 80, "CPU time per covered time, % of one core",
	    .fn = figure_cpu_rate, .scale = 100, FROM_THREAD_CPU, ADDS),
	COLUMN("cpu_seconds", "CPU", Q_SECONDS, 80, "CPU time",
	    BY(figure_cpu_sum), FROM_THREAD_CPU, ADDS),
	COLUMN("run_queue_percent", "RUNQ%", Q_PERCENT, 80, "time runnable but not running",
	    PERCENT(THREAD, RUN_DELAY), ADDS),
	COLUMN("voluntary_switches_per_second", "CSW/s", Q_RATE, 80,
	    "times it gave up the CPU to wait", RATE(THREAD, CSW_VOL), ADDS),
	COLUMN("involuntary_switches_per_second", "NVCSW/s", Q_RATE, 120,
	    "times it was taken off the CPU", RATE(THREAD, CSW_INVOL), ADDS),
	COLUMN("read_bytes_per_second", "READ/s", Q_BYTES_RATE, 120, "bytes read from storage",
	    RATE(THREAD, READ_BYTES), ADDS),
	COLUMN("write_bytes_per_second", "WRITE/s", Q_BYTES_RATE, 120, "bytes written to storage",
	    RATE(THREAD, WRITE_BYTES), ADDS),
	COLUMN("faults_per_second", "FAULTS/s", Q_RATE, 160, "page faults, minor and major",
	    RATE2(THREAD, MINFLT, MAJFLT), ADDS),
	COLUMN("user_percent", "USR%", Q_PERCENT, 160, "CPU time in user mode",
	    PERCENT(THREAD, UTIME), ADDS),
	COLUMN("system_percent", "SYS%", Q_PERCENT, 160, "CPU time in the kernel",
	    PERCENT(THREAD, STIME), ADDS),
	COLUMN("io_delay_percent", "IODELAY%", Q_PERCENT, GRID_ON_REQUEST,
	    "time waited for block IO", PERCENT(THREAD, BLKIO_DELAY), ADDS),
	COLUMN("nice", "NI", Q_ID, GRID_ON_REQUEST, "nice value", CELL(THREAD, NICE)),
	COLUMN("rt_priority", "RTPRIO", Q_ID, GRID_ON_REQUEST, "real-time priority",
	    CELL(THREAD, RT_PRIORITY)),
	COLUMN("processor", "LASTCPU", Q_ID, 160, "CPU it ran on last", CELL(THREAD, PROCESSOR)),
	COLUMN("command", "COMMAND", Q_TEXT, 120, "name of its process's program",
	    BY(labelcol_command)),
	COLUMN("thread", "THREAD", Q_TEXT, 80, "name of the thread",
	    BY(thread_name), FROM(THREAD, COMM)),
	COLUMN("title", "TITLE", Q_TEXT, 160,
	    "title or command line of its process, where recorded",
	    BY(labelcol_process_title), FLEXES),
};

const struct view view_threads = {
	.name = "threads",
	.help = "threads, where they were recorded; ended ones stay",
	.grouping = GROUPING_ROW,
	.entity = ENTITY_THREAD,
	FIGURES(threads),
	.sort = "cpu_seconds,cpu_percent",
};
