/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host.h - scanners of the files that describe a host.
 *
 * They get the text of a file and set cells; a cell that the file does not
 * give stays absent.  Files with many rows are iterated: *_next() takes a row
 * off the front of the text and returns false at its end; invalid lines are
 * skipped.
 */
#ifndef GS_PROCFS_HOST_H
#define GS_PROCFS_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/scan.h"
#include "model/row.h"

/* /proc/stat: the host's own cells, CPUS and BTIME among them. */
void stat_scan(struct span text, struct cells host);

/* /proc/stat: sets all cells of a CPU's row. */
bool stat_next_cpu(struct span *text, struct cells cpu);

void meminfo_scan(struct span text, struct cells host);
void vmstat_scan(struct span text, struct cells host);
void loadavg_scan(struct span text, struct cells host);

/* The number that was given last to a process or thread; 0: not there. */
uint64_t loadavg_last_pid(struct span text);

void uptime_scan(struct span text, struct cells host);
void snmp_scan(struct span text, struct cells host);
void netstat_scan(struct span text, struct cells host);
void sockstat_scan(struct span text, struct cells host);
void file_nr_scan(struct span text, struct cells host);
void dentry_state_scan(struct span text, struct cells host);
void inode_state_scan(struct span text, struct cells host);
void pty_nr_scan(struct span text, struct cells host);

/* A file of pressure: the columns of the totals of its two lines; their
 * averages follow.  PRESSURE_NONE: it has no such line. */
#define PRESSURE_NONE (~0u)
void pressure_scan_at(struct span text, unsigned some, unsigned full,
	struct cells c);

/* A total of 0 that has no meaning, and its averages, become absent. */
void pressure_drop_zero(struct cells c, unsigned col);

/* One of /proc/pressure; resource is "cpu", "memory", "io" or "irq". */
void pressure_scan(const char *resource, struct span text, struct cells host);

/* /proc/diskstats: sets all cells but NAME, PARTITION and VIRTUAL. */
bool diskstats_next(struct span *text, struct cells disk,
	struct span *ret_name);

/* True for a loop or ram device that never did any I/O. */
bool diskstats_idle_pseudo(struct span name, struct cells disk);

/* /proc/net/dev: sets the counters. */
bool net_dev_next(struct span *text, struct cells net, struct span *ret_name);

/* A file that holds one number, such as most sysctls: sets the cell, unless
 * the text is not a number.  May be negative. */
void fact_number(struct span text, struct cells c, unsigned col);

/* A file that holds one line: the line without blanks around it. */
struct span fact_line(struct span text);

/* The choice in brackets, as in "always [madvise] never"; empty if there are
 * no brackets. */
struct span fact_choice(struct span text);

#endif
