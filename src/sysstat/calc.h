/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calc.h - sysstat's formulas: from two states of a task to the values of its
 * row.
 */
#ifndef GS_SYSSTAT_CALC_H
#define GS_SYSSTAT_CALC_H

#include "base/compiler.h"
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

/* A column's formula; arg selects its figures. */
#define CALC_ARGS const struct calc *c, GS_UNUSED unsigned arg

typedef struct value (*calc_fn)(CALC_ARGS);

struct value calc_usr(CALC_ARGS);
struct value calc_wait(CALC_ARGS);
struct value calc_cpu(CALC_ARGS);
struct value calc_mem(CALC_ARGS);
struct value calc_policy(CALC_ARGS);

/* arg: enum fig. */
struct value calc_percent(CALC_ARGS);
struct value calc_rate(CALC_ARGS);
struct value calc_io(CALC_ARGS);
struct value calc_level(CALC_ARGS);
struct value calc_mean(CALC_ARGS);
struct value calc_fds(CALC_ARGS);
struct value calc_iodelay(CALC_ARGS);
struct value calc_state(CALC_ARGS);
struct value calc_processor(CALC_ARGS);

/* With what its ended children had: arg is enum calc_family. */
enum calc_family {
	FAMILY_USR,
	FAMILY_SYSTEM,
	FAMILY_GUEST,
	FAMILY_MINFLT,
	FAMILY_MAJFLT
};
struct value calc_family_ms(CALC_ARGS);
struct value calc_family_count(CALC_ARGS);

/* Whether any of these figures (bits by enum fig) changed. */
bool calc_changed(const struct calc *c, uint64_t figs);

#endif
