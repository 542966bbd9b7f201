/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_calc.h - sar's formulas: from a host's samples to the values of one row.
 *
 * Counters are compared over the interval that ended, or over the run;
 * levels are as they are now, or their mean over the run.
 */
#ifndef GS_SAR_SAR_CALC_H
#define GS_SAR_SAR_CALC_H

#include "base/compiler.h"
#include "sar/sar_data.h"
#include "sysstat/value.h"

struct sar_calc {
	const struct sar_data *data;
	enum sar_kind kind;
	const struct sar_item *item; /* NULL: all of the kind together */
	bool average; /* of the run, not of the interval */
	double span_cs; /* covered; 0: none */
};

/* item may be NULL. */
struct sar_calc sar_calc_of(const struct sar_data *d, enum sar_kind kind,
	const struct sar_item *item, bool average);

/* The increase of a counter of the item; false if it is unknown. */
bool sar_grew(const struct sar_calc *c, unsigned col, double *ret);

/* A level of the item; false if it was not recorded. */
bool sar_level(const struct sar_calc *c, unsigned col, double *ret);

/* The same, of two states of one item. */
bool sar_difference(const struct sar_data *d, enum entity_id e, unsigned col,
	struct cells was, struct cells now, double *ret);

/* The cells at the beginning of the interval, or of the run. */
struct cells sar_before(const struct sar_item *t, bool average);

/* a / b as percent; absent, or for sar 0, if b is 0. */
struct value sar_percent(const struct sar_calc *c, double a, double b);

/* A growth by the second; absent if no time is covered. */
struct value sar_per_second(const struct sar_calc *c, double v);

/* A level; means have digits after the point. */
struct value sar_whole(const struct sar_calc *c, double v);

#define SAR_ARGS const struct sar_calc *c, GS_UNUSED unsigned arg

typedef struct value (*sar_fn)(SAR_ARGS);

/* arg: a column of the kind's entity. */
struct value sar_rate(SAR_ARGS);
struct value sar_level_whole(SAR_ARGS);
struct value sar_level_centi(SAR_ARGS);
struct value sar_running(SAR_ARGS);
struct value sar_stalled(SAR_ARGS);

/* arg: none. */
struct value sar_reclaimed(SAR_ARGS);
struct value sar_net_used(SAR_ARGS);

enum sar_pages {
	PAGES_SCANNED_DIRECT,
	PAGES_STOLEN
};
struct value sar_pages(SAR_ARGS);

/* sar_levels.c; arg: enum sar_sum. */
enum sar_sum {
	SUM_MEM_USED, /* without what the kernel may drop */
	SUM_COMMIT,
	SUM_SWAP_USED,
	SUM_SWAP_CACHED,
	SUM_HUGE_FREE,
	SUM_HUGE_USED,
	SUM_HUGE_RSVD,
	SUM_HUGE_SURP,
	SUM_INODES_USED,
	SUM_FS_FREE,
	SUM_FS_USED,
	SUM_FS_UNAVAILABLE,
	SUM_FS_INODES,
	SAR_SUMS
};
struct value sar_sum(SAR_ARGS);
struct value sar_share(SAR_ARGS);

/* sar_cpu.c; arg: counters that are added, and those that are subtracted. */
enum sar_cpu_time {
	CPU_TIME_USER = 1 << 0, /* with that of guests */
	CPU_TIME_NICE = 1 << 1,
	CPU_TIME_SYSTEM = 1 << 2,
	CPU_TIME_IDLE = 1 << 3,
	CPU_TIME_IOWAIT = 1 << 4,
	CPU_TIME_IRQ = 1 << 5,
	CPU_TIME_SOFT = 1 << 6,
	CPU_TIME_STEAL = 1 << 7,
	CPU_TIME_GUEST = 1 << 8,
	CPU_TIME_GNICE = 1 << 9
};
#define CPU_TIME_LESS(bits) ((bits) << 10)
struct value sar_cpu(SAR_ARGS);

/* sar_disk.c; arg: which transfers, and what of them in place of their
 * number. */
enum sar_transfer {
	TRANSFER_READ = 1 << 0,
	TRANSFER_WRITE = 1 << 1,
	TRANSFER_DISCARD = 1 << 2,
	TRANSFER_ALL = 7,
	TRANSFER_SECTORS = 1 << 3,
	TRANSFER_KIB = 1 << 4,
	TRANSFER_MSEC = 1 << 5,
	TRANSFER_MEAN = 1 << 6 /* of one transfer, not by the second */
};
struct value sar_transfers(SAR_ARGS);

/* arg: none. */
struct value sar_queue(SAR_ARGS);
struct value sar_busy(SAR_ARGS);

/* The item ever transferred anything. */
bool sar_disk_was_used(const struct sar_item *t);

/* sadc had stored it in the sample before. */
bool sar_disk_was_stored(const struct sar_item *t);

/* It is a device, not a part of one. */
bool sar_disk_is_whole(const struct sar_item *t);

#endif
