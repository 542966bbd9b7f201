/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_usage.h - what a host's own counters say was used, and what of it no recorded
 * process accounts for.
 */
#ifndef GS_VIEW_HOST_USAGE_H
#define GS_VIEW_HOST_USAGE_H

#include "query/figure.h"
#include "query/grouping.h"

#define HOST_CPU_COLS COL(HOST, CPU_USER), COL(HOST, CPU_NICE), \
	COL(HOST, CPU_SYSTEM), COL(HOST, CPU_IRQ), COL(HOST, CPU_SOFTIRQ)
#define N_HOST_CPU_COLS 5

extern const unsigned host_cpu_cols[N_HOST_CPU_COLS]; /* time of CPUs at work */
extern const unsigned disk_byte_cols[2], process_byte_cols[2];

/* A row's grouping with these columns. */
struct grouping *usage_rows(enum entity_id entity, const unsigned *col, size_t n);

/* Adds a group's amounts in these columns; false: none is known. */
bool usage_add(const struct rollup *r, const struct group *g,
	const unsigned *col, size_t n, double *sum);

/* Bytes of disks; of one host, or of all (NULL).  False: none is known. */
bool usage_of_disks(const struct rollup *disks, const struct host *h,
	double *sum);

/* All processes, one group per host: figure_env.processes. */
struct grouping *usage_processes(void);

/* Of a host, with HOST_CPU_COLS; the disks need READ and WRITTEN. */
struct cell unattributed_cpu(FIGURE_ARGS); /* % of a core */
struct cell unattributed_io(FIGURE_ARGS); /* bytes per second */

#endif
