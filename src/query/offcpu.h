/* SPDX-License-Identifier: Apache-2.0 */
/*
 * offcpu.h - where the time of processes went: on a CPU, or waiting, and for
 * what.  Columns for every table of processes or threads.  Used by src/query
 * and src/view.
 *
 * On a CPU, runnable, block IO, interrupted and asleep are parts of the time
 * for which threads existed: together they are all of it.  Swap-in, reclaim,
 * thrashing, compaction and write-protect copies are spans within these: a span
 * of reclaim has CPU time, block IO and sleep in it.  Only before taskstats 11
 * (Linux 5.17) is swap-in a part of its own.
 *
 * The kernel may count more block IO than there is time (16.4 s in 8.0 s of one
 * thread were seen on Linux 6.18 with busy CPUs), and a wait for a CPU is added at
 * its end, also what of it was before the sample.  What does not fit into the time
 * that is left is cut off, and the cell is marked as an estimate.
 *
 * Where only main threads are recorded of processes with several, waits are lower
 * bounds, and what is left is not known to be sleep.
 */
#ifndef GS_QUERY_OFFCPU_H
#define GS_QUERY_OFFCPU_H

#include "query/all_threads.h"

/* Order of the columns that all these figures need. */
enum offcpu_from {
	OFFCPU_CPU,
	OFFCPU_UTIME,
	OFFCPU_STIME,
	OFFCPU_WAIT, /* for a CPU, all threads */
	OFFCPU_RUN_DELAY, /* the same, of main threads: see all_threads.h */
	OFFCPU_BLKIO,
	OFFCPU_BLKIO_TICKS, /* the same, of main threads, by stat */
	OFFCPU_IRQ,
	OFFCPU_SWAPIN,
	OFFCPU_RECLAIM,
	OFFCPU_THRASHING,
	OFFCPU_COMPACT,
	OFFCPU_WPCOPY,
	OFFCPU_FROM
};

#define FROM_OFFCPU(E) .by_threads = true, .n_from = OFFCPU_FROM, .from = { COL(E, CPU), \
	COL(E, UTIME), COL(E, STIME), COL(E, DELAY_CPU), COL(E, RUN_DELAY), \
	COL(E, DELAY_BLKIO), COL(E, BLKIO_DELAY), COL(E, DELAY_IRQ), \
	COL(E, DELAY_SWAPIN), COL(E, DELAY_RECLAIM), COL(E, DELAY_THRASHING), \
	COL(E, DELAY_COMPACT), COL(E, DELAY_WPCOPY) }

/* What these figures of a row share: figure_cache.offcpu.  NULL: none. */
struct offcpu_times;
void offcpu_forget(struct offcpu_times *t);

/* Time for which the threads existed. */
struct cell offcpu_wall(FIGURE_ARGS);

/* That, without CPU time. */
struct cell offcpu_off(FIGURE_ARGS);

/* The same, as a share of it. */
struct cell offcpu_off_share(FIGURE_ARGS);

/* Parts of it. */
struct cell offcpu_run_queue(FIGURE_ARGS);
struct cell offcpu_block_io(FIGURE_ARGS);
struct cell offcpu_irq(FIGURE_ARGS);
struct cell offcpu_sleep(FIGURE_ARGS);

/* Runnable, block IO and interrupted. */
struct cell offcpu_waited(FIGURE_ARGS);

/* Its largest part or span, named like its column; and its share of the time. */
struct cell offcpu_cause(FIGURE_ARGS);
struct cell offcpu_cause_share(FIGURE_ARGS);

/* All delays that the kernel counts: what overlaps is counted twice, but of
 * swap-in and thrashing the larger one. */
struct cell offcpu_delays(FIGURE_ARGS);

/* The same, as a share of the time for which the threads existed. */
struct cell offcpu_delay_share(FIGURE_ARGS);

#define AVERAGE_DELAY(E, WIDTH, NAME, TITLE, HELP, KIND) \
	COLUMN(NAME, TITLE, Q_NUMBER, WIDTH, HELP, \
	    RATIO(1000, E, DELAY_##KIND, DELAY_##KIND##_COUNT))

/* What table offcpu has and others have on request. */
#define OFFCPU_PARTS(E, WIDTH) \
	COLUMN("wall_seconds", "WALL", Q_SECONDS, WIDTH, \
	    "time for which its threads existed in the range, added up", \
	    BY(offcpu_wall), FROM_OFFCPU(E), AMOUNT), \
	COLUMN("off_cpu_seconds", "OFFCPU", Q_SECONDS, GRID_ON_REQUEST, \
	    "that time without CPU time; >=: that of exited children is taken off, too", \
	    BY(offcpu_off), FROM_OFFCPU(E), AMOUNT), \
	COLUMN("off_cpu_percent", "OFFCPU%", Q_PERCENT, GRID_ON_REQUEST, \
	    "time for which its threads existed without CPU time, of all of it; >=: as of OFFCPU", \
	    .fn = offcpu_off_share, .scale = 100, FROM_OFFCPU(E)), \
	COLUMN("waited_seconds", "WAITED", Q_SECONDS, GRID_ON_REQUEST, \
	    "runnable, waiting for block IO and interrupted", \
	    BY(offcpu_waited), FROM_OFFCPU(E), AMOUNT), \
	COLUMN("run_queue_seconds", "RUNQ", Q_SECONDS, WIDTH, \
	    "runnable, but not on a CPU, of all threads; >=: of main threads only; ~: more than fits into the time", \
	    BY(offcpu_run_queue), FROM_OFFCPU(E), AMOUNT), \
	COLUMN("block_io_seconds", "BLKIO", Q_SECONDS, WIDTH, \
	    "waiting for block IO; absent of processes started while kernel.task_delayacct was 0 (sysctl kernel.task_delayacct=1); >=: of main threads only; ~: the kernel counted more than fits into the time", \
	    BY(offcpu_block_io), FROM_OFFCPU(E), AMOUNT), \
	COLUMN("irq_seconds", "IRQ", Q_SECONDS, WIDTH, "interrupted", \
	    BY(offcpu_irq), FROM_OFFCPU(E), AMOUNT), \
	COLUMN("sleep_seconds", "SLEEP", Q_SECONDS, WIDTH, \
	    "the rest: waiting for locks, network, timers, others; absent if RUNQ or BLKIO is a lower bound", \
	    BY(offcpu_sleep), FROM_OFFCPU(E), AMOUNT)

#define OFFCPU_SPANS(E, WIDTH) \
	COLUMN("swapin_seconds", "SWAPIN", Q_SECONDS, WIDTH, \
	    "reading pages from swap; within the others", SUM(E, DELAY_SWAPIN), ADDS), \
	COLUMN("reclaim_seconds", "RECLAIM", Q_SECONDS, WIDTH, \
	    "reclaiming memory; within the others", SUM(E, DELAY_RECLAIM), ADDS), \
	COLUMN("thrashing_seconds", "THRASH", Q_SECONDS, WIDTH, \
	    "waiting for pages that were reclaimed shortly before; within the others", \
	    SUM(E, DELAY_THRASHING), ADDS), \
	COLUMN("compact_seconds", "COMPACT", Q_SECONDS, WIDTH, \
	    "compacting memory; within the others", SUM(E, DELAY_COMPACT), ADDS), \
	COLUMN("wpcopy_seconds", "WPCOPY", Q_SECONDS, WIDTH, \
	    "copying write-protected pages; within the others", SUM(E, DELAY_WPCOPY), ADDS)

#define OFFCPU_CAUSE(E, WIDTH) \
	COLUMN("cause", "CAUSE", Q_TEXT, WIDTH, \
	    "largest part of the time off the CPU, named like its column", \
	    BY(offcpu_cause), FROM_OFFCPU(E), VARIES), \
	COLUMN("cause_percent", "CAUSE%", Q_PERCENT, WIDTH, "its share of the whole time", \
	    .fn = offcpu_cause_share, .scale = 100, FROM_OFFCPU(E))

#define OFFCPU_AVERAGES(E) \
	COLUMN("delay_seconds", "DELAYS", Q_SECONDS, GRID_ON_REQUEST, \
	    "all delays of the kernel, added up: overlapping ones count twice", \
	    BY(offcpu_delays), FROM_OFFCPU(E), AMOUNT), \
	COLUMN("delay_percent", "DELAY%", Q_PERCENT, GRID_ON_REQUEST, \
	    "all delays of the kernel, of the time for which its threads existed", \
	    .fn = offcpu_delay_share, .scale = 100, FROM_OFFCPU(E)), \
	AVERAGE_DELAY(E, GRID_ON_REQUEST, "average_cpu_delay_ms", "CPUms", \
	    "milliseconds per wait for a CPU, as taskstats counts: all threads", CPU), \
	AVERAGE_DELAY(E, GRID_ON_REQUEST, "average_block_io_ms", "BLKIOms", \
	    "milliseconds per wait for block IO, as the kernel counts", BLKIO), \
	AVERAGE_DELAY(E, GRID_ON_REQUEST, "average_swapin_ms", "SWAPINms", \
	    "milliseconds per swap-in", SWAPIN), \
	AVERAGE_DELAY(E, GRID_ON_REQUEST, "average_reclaim_ms", "RECLAIMms", \
	    "milliseconds per reclaim", RECLAIM), \
	AVERAGE_DELAY(E, GRID_ON_REQUEST, "average_thrashing_ms", "THRASHms", \
	    "milliseconds per wait for a reclaimed page", THRASHING), \
	AVERAGE_DELAY(E, GRID_ON_REQUEST, "average_compact_ms", "COMPACTms", \
	    "milliseconds per compaction", COMPACT), \
	AVERAGE_DELAY(E, GRID_ON_REQUEST, "average_wpcopy_ms", "WPCOPYms", \
	    "milliseconds per copy of a page", WPCOPY), \
	AVERAGE_DELAY(E, GRID_ON_REQUEST, "average_irq_ms", "IRQms", \
	    "milliseconds per interruption", IRQ)

/* All of them, on request. */
#define OFFCPU_FIGURES(E) \
	OFFCPU_PARTS(E, GRID_ON_REQUEST), OFFCPU_SPANS(E, GRID_ON_REQUEST), \
	OFFCPU_CAUSE(E, GRID_ON_REQUEST), OFFCPU_AVERAGES(E)

#endif
