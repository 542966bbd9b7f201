/* SPDX-License-Identifier: Apache-2.0 */
#include "metric/unit.h"

static const struct unit {
	const char *name;
	const char *base;
	int64_t num;
	int64_t den;
} units[] = {
#define UNIT(NAME, name, base, num, den) \
	[UNIT_##NAME] = { name, base, num, den },
#include "metric/unit.def"
#undef UNIT
};

double unit_to_base(enum unit_id unit, int64_t value,
	const struct unit_env *env)
{
	double v = (double)value;

	if (unit == UNIT_TICKS)
		return env->clock_ticks ? v / (double)env->clock_ticks : 0;
	if (unit == UNIT_PAGES)
		return v * (double)env->page_size;
	return v * (double)units[unit].num / (double)units[unit].den;
}

const char *unit_name(enum unit_id unit)
{
	return units[unit].name;
}

const char *unit_base_name(enum unit_id unit)
{
	return units[unit].base;
}

double metric_in_base(const struct metric *m, uint64_t raw,
	const struct unit_env *env)
{
	enum unit_id unit = (enum unit_id)m->unit;

	if (!(m->flags & F_SIGNED) && raw > INT64_MAX)
		return 2 * unit_to_base(unit, (int64_t)(raw / 2), env);
	return unit_to_base(unit, (int64_t)raw, env);
}
