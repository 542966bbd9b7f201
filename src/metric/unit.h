/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unit.h - converts stored integers to base units.
 */
#ifndef GS_METRIC_UNIT_H
#define GS_METRIC_UNIT_H

#include <stdint.h>

#include "metric/metric.h"

/* The facts of a host that units depend on. */
struct unit_env {
	uint64_t clock_ticks; /* per second */
	uint64_t page_size; /* bytes */
};

/* Linux defaults, for a host that reports neither. */
#define UNIT_ENV_INIT { 100, 4096 }

/* value in base units (bytes, seconds, percent, plain number). */
double unit_to_base(enum unit_id unit, int64_t value,
	const struct unit_env *env);

const char *unit_name(enum unit_id unit);
const char *unit_base_name(enum unit_id unit);

/* A value of the metric in the base unit of its own; without F_SIGNED it may be as large
 * as 64 bits. */
double metric_in_base(const struct metric *m, uint64_t raw,
	const struct unit_env *env);

#endif
