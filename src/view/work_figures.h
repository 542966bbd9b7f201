/*
 * work_figures.h - columns about what processes did, for every table of
 * which the rows are sums over processes.  Private to src/view.
 */
#ifndef GS_VIEW_WORK_FIGURES_H
#define GS_VIEW_WORK_FIGURES_H

#include "view/figure.h"

/* Columns of process that CPU time and memory come from. */
#define FROM_CPU .n_from = 3, .from = { COL(PROCESS, CPU), \
	COL(PROCESS, UTIME), COL(PROCESS, STIME) }
#define FROM_MEMORY .n_from = 3, .from = { COL(PROCESS, RSS_ANON), \
	COL(PROCESS, VM_SWAP), COL(PROCESS, PRIVATE) }
#define FROM_IO .n_from = 2, .from = { COL(PROCESS, READ_BYTES), \
	COL(PROCESS, WRITE_BYTES) }

#define SPILL_FIGURE(width) \
	{ .col = { .name = "spill", .title = "SPILL", .quantity = Q_BYTES, \
	    .min_width = (width), .help = "temporary files at the end", .additive = true }, \
	  .fn = figure_sum, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, SPILL) } }

/* Figures that all such tables have; those of the second list come later. */
#define CORE_FIGURES \
	{ .col = { .name = "cpu_percent", .title = "CPU%", .quantity = Q_PERCENT, \
	    .min_width = 80, .help = "CPU time per covered time, % of one core", .additive = true }, \
	  .fn = figure_cpu_rate, .scale = 100, FROM_CPU }, \
	{ .col = { .name = "cpu_seconds", .title = "CPU", .quantity = Q_SECONDS, \
	    .min_width = 80, .help = "CPU time", .additive = true }, \
	  .fn = figure_cpu_sum, .scale = 1, FROM_CPU }, \
	{ .col = { .name = "memory", .title = "MEM", .quantity = Q_BYTES, \
	    .min_width = 80, .help = "its own memory, resident and swapped, at the end", .additive = true }, \
	  .fn = figure_memory, .scale = 1, FROM_MEMORY }, \
	{ .col = { .name = "memory_peak", .title = "MEMPEAK", .quantity = Q_BYTES, \
	    .min_width = GRID_ON_REQUEST, .help = "most resident memory of its own at any tick" }, \
	  .fn = figure_memory_peak, .scale = 1, FROM_MEMORY }, \
	{ .col = { .name = "io_bytes_per_second", .title = "IO/s", .quantity = Q_BYTES_RATE, \
	    .min_width = 80, .help = "bytes read from and written to storage", .additive = true }, \
	  .fn = figure_rate, .scale = 1, FROM_IO }

/* Those that come behind others on a narrow screen. */
#define DETAIL_FIGURES \
	{ .col = { .name = "read_bytes_per_second", .title = "READ/s", .quantity = Q_BYTES_RATE, \
	    .min_width = 120, .help = "bytes read from storage", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, READ_BYTES) } }, \
	{ .col = { .name = "write_bytes_per_second", .title = "WRITE/s", .quantity = Q_BYTES_RATE, \
	    .min_width = 120, .help = "bytes written to storage", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, WRITE_BYTES) } }, \
	{ .col = { .name = "run_queue_percent", .title = "RUNQ%", .quantity = Q_PERCENT, \
	    .min_width = 120, .help = "time runnable but not running, main threads", .additive = true }, \
	  .fn = figure_rate, .scale = 100, .n_from = 1, \
	  .from = { COL(PROCESS, RUN_DELAY) } }, \
	{ .col = { .name = "faults_per_second", .title = "FAULTS/s", .quantity = Q_RATE, \
	    .min_width = 120, .help = "page faults, minor and major", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 2, \
	  .from = { COL(PROCESS, MINFLT), COL(PROCESS, MAJFLT) } }, \
	{ .col = { .name = "context_switches_per_second", .title = "CSW/s", .quantity = Q_RATE, \
	    .min_width = 120, .help = "context switches of main threads", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 2, \
	  .from = { COL(PROCESS, CSW_VOL), COL(PROCESS, CSW_INVOL) } }, \
	{ .col = { .name = "user_percent", .title = "USR%", .quantity = Q_PERCENT, \
	    .min_width = GRID_ON_REQUEST, .help = "CPU time in user mode", .additive = true }, \
	  .fn = figure_rate, .scale = 100, .n_from = 1, \
	  .from = { COL(PROCESS, UTIME) } }, \
	{ .col = { .name = "system_percent", .title = "SYS%", .quantity = Q_PERCENT, \
	    .min_width = GRID_ON_REQUEST, .help = "CPU time in the kernel", .additive = true }, \
	  .fn = figure_rate, .scale = 100, .n_from = 1, \
	  .from = { COL(PROCESS, STIME) } }, \
	{ .col = { .name = "major_faults_per_second", .title = "MAJFLT/s", .quantity = Q_RATE, \
	    .min_width = GRID_ON_REQUEST, .help = "page faults that read a disk", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, MAJFLT) } }, \
	{ .col = { .name = "io_delay_percent", .title = "IODELAY%", .quantity = Q_PERCENT, \
	    .min_width = GRID_ON_REQUEST, .help = "time waited for block IO", .additive = true }, \
	  .fn = figure_rate, .scale = 100, .n_from = 1, \
	  .from = { COL(PROCESS, BLKIO_DELAY) } }, \
	{ .col = { .name = "threads", .title = "THREADS", .quantity = Q_COUNT, \
	    .min_width = GRID_ON_REQUEST, .help = "threads at the end", .additive = true }, \
	  .fn = figure_sum, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, THREADS) } }

#define WORK_FIGURES CORE_FIGURES, DETAIL_FIGURES

#define MORE_WORK_FIGURES \
	{ .col = { .name = "syscalls_per_second", .title = "SYSC/s", .quantity = Q_RATE, \
	    .min_width = 200, .help = "read and write system calls", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 2, \
	  .from = { COL(PROCESS, SYSCR), COL(PROCESS, SYSCW) } }, \
	{ .col = { .name = "cancelled_bytes_per_second", .title = "CANCEL/s", .quantity = Q_BYTES_RATE, \
	    .min_width = 200, .help = "writes that never happened, as the file was truncated", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, CANCELLED_WRITE_BYTES) } }, \
	{ .col = { .name = "swap", .title = "SWAP", .quantity = Q_BYTES, \
	    .min_width = 200, .help = "swapped out, at the end", .additive = true }, \
	  .fn = figure_sum, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, VM_SWAP) } }, \
	{ .col = { .name = "read_chars_per_second", .title = "RCHAR/s", .quantity = Q_BYTES_RATE, \
	    .min_width = GRID_ON_REQUEST, .help = "bytes read by system calls, page cache too", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, RCHAR) } }, \
	{ .col = { .name = "write_chars_per_second", .title = "WCHAR/s", .quantity = Q_BYTES_RATE, \
	    .min_width = GRID_ON_REQUEST, .help = "bytes written by system calls", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, WCHAR) } }

#endif
