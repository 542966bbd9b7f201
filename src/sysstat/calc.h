/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calc.h - sysstat's formulas: from two states of a task to the values that
 * stand in its row.
 */
#ifndef GS_SYSSTAT_CALC_H
#define GS_SYSSTAT_CALC_H

#include "sysstat/tasks.h"
#include "sysstat/value.h"

/* One row being made. */
struct calc {
	const struct task *task;
	const struct figures *was; /* at the beginning */
	const struct figures *now;
	double span_cs; /* between; 0: none */
	uint64_t jiffies; /* between, of all CPUs; 0: none */
	uint64_t hz;
	uint64_t mem_total_kib; /* 0: unknown */
	bool average; /* of a run, not of one interval */
	bool per_cpu; /* a share of all CPUs, not of one */
	bool strict; /* as pidstat has it, see tasks.h */
};

/* Of the column's figure, or figures by a number that it knows. */
typedef struct value (*calc_fn)(const struct calc *c, unsigned arg);

struct value calc_usr(const struct calc *c, unsigned arg);
struct value calc_wait(const struct calc *c, unsigned arg);
struct value calc_cpu(const struct calc *c, unsigned arg);
struct value calc_mem(const struct calc *c, unsigned arg);
struct value calc_policy(const struct calc *c, unsigned arg);

/* arg: enum fig. */
struct value calc_percent(const struct calc *c, unsigned arg);
struct value calc_rate(const struct calc *c, unsigned arg);
struct value calc_io(const struct calc *c, unsigned arg);
struct value calc_level(const struct calc *c, unsigned arg);
struct value calc_mean(const struct calc *c, unsigned arg);
struct value calc_fds(const struct calc *c, unsigned arg);
struct value calc_iodelay(const struct calc *c, unsigned arg);
struct value calc_state(const struct calc *c, unsigned arg);
struct value calc_processor(const struct calc *c, unsigned arg);

/* With what its ended children had: arg is enum calc_family. */
enum calc_family {
	FAMILY_USR,
	FAMILY_SYSTEM,
	FAMILY_GUEST,
	FAMILY_MINFLT,
	FAMILY_MAJFLT
};
struct value calc_family_ms(const struct calc *c, unsigned arg);
struct value calc_family_count(const struct calc *c, unsigned arg);

/* Whether any of these figures (bits by enum fig) changed. */
bool calc_changed(const struct calc *c, uint64_t figs);

#endif
