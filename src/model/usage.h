/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage.h - what the kernel adds to a parent when it reaps a child: everything
 * that the child used, and that the child's own reaped children used.
 *
 * The parent has CPU time and faults of reaped children in columns of their own
 * (cutime, ...), and their IO in the columns of its own IO.
 */
#ifndef GS_MODEL_USAGE_H
#define GS_MODEL_USAGE_H

#include "model/row.h"

/* What is added up. */
enum reap_col {
	REAP_CPU, /* us */
	REAP_UTIME,
	REAP_STIME,
	REAP_GUEST_TIME,
	REAP_MINFLT,
	REAP_MAJFLT,
	REAP_RCHAR,
	REAP_WCHAR,
	REAP_SYSCR,
	REAP_SYSCW,
	REAP_READ_BYTES,
	REAP_WRITE_BYTES,
	REAP_CANCELLED,
	REAP_COUNT
};

/* From here on: counters that contain a process's own usage and its reaped
 * children's. */
#define REAP_FIRST_IO REAP_RCHAR

/* Parents that are looked up in a row where each ended in the same tick as its
 * child: further up, usage is not passed on. */
#define REAP_GENERATIONS 32

/* Columns of process. */
struct usage_cols {
	unsigned own; /* its own usage */
	unsigned reaped; /* that of its reaped children, or the same column;
			  * REAP_CPU: cutime, but cstime belongs to it, too */
	unsigned counted; /* the part of reaped that other rows counted
			   * before */
};

const struct usage_cols *usage_cols(enum reap_col c);

/* Total usage of a process, its reaped children included; absent cells are
 * 0. */
uint64_t usage_total(struct cells c, enum reap_col col, uint64_t tick_us);

#endif
