/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work_figures.h - columns of process usage, for every table whose rows are
 * sums over processes.  Used by src/query and src/view.
 */
#ifndef GS_QUERY_WORK_FIGURES_H
#define GS_QUERY_WORK_FIGURES_H

#include "query/all_threads.h"

/* Columns of process for CPU time and memory. */
#define FROM_CPU .n_from = 3, .from = { COL(PROCESS, CPU), \
	COL(PROCESS, UTIME), COL(PROCESS, STIME) }
#define FROM_MEMORY .n_from = 3, .from = { COL(PROCESS, RSS_ANON), \
	COL(PROCESS, VM_SWAP), COL(PROCESS, PRIVATE) }
#define FROM_IO .n_from = 2, .from = { COL(PROCESS, READ_BYTES), \
	COL(PROCESS, WRITE_BYTES) }

#define SPILL_FIGURE(width) \
	COLUMN("spill", "SPILL", Q_BYTES, width, \
	    "temporary files at the end; of a process that has ended, at its last tick; see spill", \
	    SUM(PROCESS, SPILL), ADDS)

/* Figures of all such tables; the second list has lower priority. */
#define CORE_FIGURES \
	COLUMN("cpu_percent", "CPU%", Q_PERCENT, 80, "CPU time per covered time, % of one core", \
	    .fn = figure_cpu_rate, .scale = 100, FROM_CPU, ADDS, YIELDS(3)), \
	COLUMN("cpu_seconds", "CPU", Q_SECONDS, 80, "CPU time", \
	    BY(figure_cpu_sum), FROM_CPU, ADDS), \
	COLUMN("memory", "MEM", Q_BYTES, 80, "private memory, resident and swapped, at the end", \
	    BY(figure_memory), FROM_MEMORY, ADDS, YIELDS(2)), \
	COLUMN("memory_peak", "MEMPEAK", Q_BYTES, GRID_ON_REQUEST, \
	    "highest private resident memory at any tick", BY(figure_memory_peak), FROM_MEMORY), \
	COLUMN("io_bytes_per_second", "IO/s", Q_BYTES_RATE, 80, \
	    "bytes read from and written to storage", BY(figure_rate), FROM_IO, ADDS, YIELDS(4))

/* Shown after others on a narrow screen. */
#define DETAIL_FIGURES \
	NAMED_COLUMN("read_bytes_per_second", "READ/s", 120, RATE(PROCESS, READ_BYTES), ADDS), \
	NAMED_COLUMN("write_bytes_per_second", "WRITE/s", 120, RATE(PROCESS, WRITE_BYTES), ADDS), \
	COLUMN("run_queue_percent", "RUNQ%", Q_PERCENT, 120, \
	    "time runnable but not running, of all threads; a lower bound if only main threads are recorded", \
	    RUN_QUEUE_PERCENT(PROCESS), ADDS), \
	COLUMN("faults_per_second", "FAULTS/s", Q_RATE, 120, "page faults, minor and major", \
	    RATE2(PROCESS, MINFLT, MAJFLT), ADDS), \
	COLUMN("context_switches_per_second", "CSW/s", Q_RATE, 120, \
	    "context switches of main threads", RATE2(PROCESS, CSW_VOL, CSW_INVOL), ADDS), \
	NAMED_COLUMN("user_percent", "USR%", GRID_ON_REQUEST, PERCENT(PROCESS, UTIME), ADDS), \
	NAMED_COLUMN("system_percent", "SYS%", GRID_ON_REQUEST, PERCENT(PROCESS, STIME), ADDS), \
	NAMED_COLUMN("major_faults_per_second", "MAJFLT/s", GRID_ON_REQUEST, \
	    RATE(PROCESS, MAJFLT), ADDS), \
	NAMED_COLUMN("io_delay_percent", "IODELAY%", GRID_ON_REQUEST, \
	    PERCENT(PROCESS, BLKIO_DELAY), ADDS), \
	METRIC_COLUMN(GRID_ON_REQUEST, SUM(PROCESS, THREADS), ADDS)

#define WORK_FIGURES CORE_FIGURES, DETAIL_FIGURES

#define MORE_WORK_FIGURES \
	COLUMN("syscalls_per_second", "SYSC/s", Q_RATE, 200, "read and write system calls", \
	    RATE2(PROCESS, SYSCR, SYSCW), ADDS), \
	NAMED_COLUMN("cancelled_bytes_per_second", "CANCEL/s", 200, \
	    RATE(PROCESS, CANCELLED_WRITE_BYTES), ADDS), \
	NAMED_COLUMN("swap", "SWAP", 200, SUM(PROCESS, VM_SWAP), ADDS), \
	NAMED_COLUMN("read_chars_per_second", "RCHAR/s", GRID_ON_REQUEST, \
	    RATE(PROCESS, RCHAR), ADDS), \
	NAMED_COLUMN("write_chars_per_second", "WCHAR/s", GRID_ON_REQUEST, \
	    RATE(PROCESS, WCHAR), ADDS)

/* What follows from the scheduler's figures of processes (of their main threads)
 * or of threads.  RUN: CPU time of the same threads as the rest.  OF: whose. */
#define SCHED_FIGURES(E, RUN, OF) \
	COLUMN("average_slice_ms", "AVGSLICE", Q_NUMBER, GRID_ON_REQUEST, \
	    "ms per run on a CPU" OF, .fn = figure_ratio_of_all, .scale = 1000, \
	    FROM2(E, RUN, TIMESLICES)), \
	COLUMN("average_wait_ms", "AVGWAIT", Q_NUMBER, GRID_ON_REQUEST, \
	    "ms per wait for a CPU" OF, .fn = figure_ratio_or, .scale = 1000, .n_from = 4, \
	    .from = { COL(E, WAIT_SUM), COL(E, WAIT_COUNT), COL(E, RUN_DELAY), \
	        COL(E, TIMESLICES) }), \
	COLUMN("average_iowait_ms", "AVGIOWAIT", Q_NUMBER, GRID_ON_REQUEST, \
	    "ms per wait in iowait" OF, RATIO(1000, E, IOWAIT_SUM, IOWAIT_COUNT)), \
	COLUMN("on_cpu_percent", "ONCPU%", Q_PERCENT, GRID_ON_REQUEST, \
	    "time on a CPU, of the time in which it was runnable" OF, \
	    PART(E, RUN, RUN_DELAY)), \
	COLUMN("involuntary_percent", "INVOL%", Q_PERCENT, GRID_ON_REQUEST, \
	    "involuntary context switches, of all" OF, PART(E, CSW_INVOL, CSW_VOL)), \
	COLUMN("local_wakeups_percent", "LOCAL%", Q_PERCENT, GRID_ON_REQUEST, \
	    "wakeups on the CPU of the task that woke it, of all" OF, \
	    RATIO(100, E, WAKEUPS_LOCAL, WAKEUPS)), \
	COLUMN("affine_wakeups_percent", "AFFINE%", Q_PERCENT, GRID_ON_REQUEST, \
	    "wakeups moved near the task that woke it, of those tried" OF, \
	    RATIO(100, E, WAKEUPS_AFFINE, WAKEUPS_AFFINE_ATTEMPTS)), \
	COLUMN("voluntary_sleep_seconds", "VSLEEP", Q_SECONDS, GRID_ON_REQUEST, \
	    "time asleep, without the time blocked" OF, BY(figure_rest), \
	    FROM2(E, SLEEP_SUM, BLOCK_SUM), AMOUNT), \
	COLUMN("disk_read_percent", "DISKREAD%", Q_PERCENT, GRID_ON_REQUEST, \
	    "bytes read from storage, of bytes read by calls; above 100: mapped or read ahead", \
	    RATIO(100, E, READ_BYTES, RCHAR))

#define PROCESS_SCHED_FIGURES SCHED_FIGURES(PROCESS, SCHED_RUN, "; main thread")

#endif
