/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work_figures.h - columns of process usage, for every table whose rows are
 * sums over processes.  Used by src/query and src/view.
 */
#ifndef GS_QUERY_WORK_FIGURES_H
#define GS_QUERY_WORK_FIGURES_H

#include "query/columns.h"

/* Columns of process for CPU time and memory. */
#define FROM_CPU .n_from = 3, .from = { COL(PROCESS, CPU), \
	COL(PROCESS, UTIME), COL(PROCESS, STIME) }
#define FROM_MEMORY .n_from = 3, .from = { COL(PROCESS, RSS_ANON), \
	COL(PROCESS, VM_SWAP), COL(PROCESS, PRIVATE) }
#define FROM_IO .n_from = 2, .from = { COL(PROCESS, READ_BYTES), \
	COL(PROCESS, WRITE_BYTES) }

#define SPILL_FIGURE(width) \
	COLUMN("spill", "SPILL", Q_BYTES, width, "temporary files at the end", \
	    SUM(PROCESS, SPILL), ADDS)

/* Figures of all such tables; the second list has lower priority. */
#define CORE_FIGURES \
	COLUMN("cpu_percent", "CPU%", Q_PERCENT, 80, "CPU time per covered time, % of one core", \
	    .fn = figure_cpu_rate, .scale = 100, FROM_CPU, ADDS), \
	COLUMN("cpu_seconds", "CPU", Q_SECONDS, 80, "CPU time", \
	    BY(figure_cpu_sum), FROM_CPU, ADDS), \
	COLUMN("memory", "MEM", Q_BYTES, 80, "private memory, resident and swapped, at the end", \
	    BY(figure_memory), FROM_MEMORY, ADDS), \
	COLUMN("memory_peak", "MEMPEAK", Q_BYTES, GRID_ON_REQUEST, \
	    "highest private resident memory at any tick", BY(figure_memory_peak), FROM_MEMORY), \
	COLUMN("io_bytes_per_second", "IO/s", Q_BYTES_RATE, 80, \
	    "bytes read from and written to storage", BY(figure_rate), FROM_IO, ADDS)

/* Shown after others on a narrow screen. */
#define DETAIL_FIGURES \
	COLUMN("read_bytes_per_second", "READ/s", Q_BYTES_RATE, 120, "bytes read from storage", \
	    RATE(PROCESS, READ_BYTES), ADDS), \
	COLUMN("write_bytes_per_second", "WRITE/s", Q_BYTES_RATE, 120, \
	    "bytes written to storage", RATE(PROCESS, WRITE_BYTES), ADDS), \
	COLUMN("run_queue_percent", "RUNQ%", Q_PERCENT, 120, \
	    "time runnable but not running, main threads", PERCENT(PROCESS, RUN_DELAY), ADDS), \
	COLUMN("faults_per_second", "FAULTS/s", Q_RATE, 120, "page faults, minor and major", \
	    RATE2(PROCESS, MINFLT, MAJFLT), ADDS), \
	COLUMN("context_switches_per_second", "CSW/s", Q_RATE, 120, \
	    "context switches of main threads", RATE2(PROCESS, CSW_VOL, CSW_INVOL), ADDS), \
	COLUMN("user_percent", "USR%", Q_PERCENT, GRID_ON_REQUEST, "CPU time in user mode", \
	    PERCENT(PROCESS, UTIME), ADDS), \
	COLUMN("system_percent", "SYS%", Q_PERCENT, GRID_ON_REQUEST, "CPU time in the kernel", \
	    PERCENT(PROCESS, STIME), ADDS), \
	COLUMN("major_faults_per_second", "MAJFLT/s", Q_RATE, GRID_ON_REQUEST, \
	    "page faults that read a disk", RATE(PROCESS, MAJFLT), ADDS), \
	COLUMN("io_delay_percent", "IODELAY%", Q_PERCENT, GRID_ON_REQUEST, \
	    "time waited for block IO", PERCENT(PROCESS, BLKIO_DELAY), ADDS), \
	COLUMN("threads", "THREADS", Q_COUNT, GRID_ON_REQUEST, "threads at the end", \
	    SUM(PROCESS, THREADS), ADDS)

#define WORK_FIGURES CORE_FIGURES, DETAIL_FIGURES

#define MORE_WORK_FIGURES \
	COLUMN("syscalls_per_second", "SYSC/s", Q_RATE, 200, "read and write system calls", \
	    RATE2(PROCESS, SYSCR, SYSCW), ADDS), \
	COLUMN("cancelled_bytes_per_second", "CANCEL/s", Q_BYTES_RATE, 200, \
	    "writes cancelled because the file was truncated", \
	    RATE(PROCESS, CANCELLED_WRITE_BYTES), ADDS), \
	COLUMN("swap", "SWAP", Q_BYTES, 200, "swapped out, at the end", \
	    SUM(PROCESS, VM_SWAP), ADDS), \
	COLUMN("read_chars_per_second", "RCHAR/s", Q_BYTES_RATE, GRID_ON_REQUEST, \
	    "bytes read by system calls, page cache included", RATE(PROCESS, RCHAR), ADDS), \
	COLUMN("write_chars_per_second", "WCHAR/s", Q_BYTES_RATE, GRID_ON_REQUEST, \
	    "bytes written by system calls", RATE(PROCESS, WCHAR), ADDS)

#endif
