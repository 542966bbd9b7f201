/* SPDX-License-Identifier: Apache-2.0 */
#include "sadf/svg_int.h"

#include "base/clock.h"
#include "base/compiler.h"

/* ---- values ---------------------------------------------------------- */

#define METRIC "", "k", "M", "G", "T"
#define BINARY "", "Ki", "Mi", "Gi", "Ti", "Pi"

static const struct {
	double base; /* of what one value is */
	double k; /* from one prefix to the next */
	const char *prefix[6];
	const char *unit;
	bool spaced; /* a blank before them, in figures */
} units[] = {
	[CHART_NONE] = { 1, 0, { "" }, "", false },
	[CHART_COUNT] = { 1, 1000, { METRIC }, "", false },
	[CHART_TASKS] = { 1, 1000, { METRIC }, "tasks", false },
	[CHART_INODES] = { 1, 1000, { METRIC }, "inodes", false },
	[CHART_PERCENT] = { 1, 0, { "" }, "%", false },
	[CHART_BYTES] = { 1, 1024, { BINARY }, "B", true },
	[CHART_KIB] = { 1024, 1024, { BINARY }, "B", true },
	[CHART_BYTES_RATE] = { 1, 1024, { BINARY }, "B/s", true },
	[CHART_KIB_RATE] = { 1024, 1024, { BINARY }, "B/s", true },
	[CHART_RATE] = { 1, 1000, { METRIC }, "/s", false },
	[CHART_SWITCHES] = { 1, 1000, { METRIC }, "/s", false },
	[CHART_SECTORS] = { 1, 1000, { METRIC }, "sectors/s", false },
	[CHART_MILLISECONDS] = { 1, 0, { "" }, "ms", false },
};

/* Which prefix suits a value; *divide is what it stands for. */
static size_t prefix_of(enum chart_unit unit, double v, double *divide)
{
	size_t i = 0;

	*divide = 1 / units[unit].base;
	v *= units[unit].base;
	while (units[unit].k > 0 && i + 1 < GS_LEN(units[unit].prefix) &&
	    units[unit].prefix[i + 1] && v >= units[unit].k) {
		v /= units[unit].k;
		*divide *= units[unit].k;
		i++;
	}
	return i;
}

/* The least of 1, 2, 2.5, 5 times a power of ten that is not below v. */
static double round_step(double v, int *decimals)
{
	static const double steps[] = { 1, 2, 2.5, 5, 10 };
	double power = 1;
	int digits = 0;
	size_t i = 0;

	while (power * 10 <= v && power < 1e300) {
		power *= 10;
		digits--;
	}
	while (power > v && digits < 6) {
		power /= 10;
		digits++;
	}
	while (i + 1 < GS_LEN(steps) && steps[i] * power < v)
		i++;
	*decimals = digits + (steps[i] == 2.5) - (steps[i] == 10);
	if (*decimals < 0)
		*decimals = 0;
	return steps[i] * power;
}

struct svg_values svg_values(enum chart_unit unit, double high)
{
	struct svg_values s = { .unit = units[unit].unit };

	if (unit == CHART_PERCENT && high > 20 && high <= 100)
		high = 100;
	s.prefix = units[unit].prefix[prefix_of(unit, high, &s.divide)];
	high /= s.divide;
	if (high <= 0)
		s.step = 1;
	else if (unit == CHART_PERCENT && high == 100)
		s.step = 25;
	else
		s.step = round_step(high / 4, &s.decimals);
	s.top = s.step;
	while (s.top < high)
		s.top += s.step;
	s.top *= s.divide;
	s.step *= s.divide;
	return s;
}

void svg_add_figure(struct buf *to, enum chart_unit unit, double v)
{
	double divide;
	size_t i = prefix_of(unit, v, &divide);

	v /= divide;
	buf_printf(to, "%.*f", v >= 1000 ? 0 : v >= 100 ? 1 : 2, v);
	if (units[unit].spaced)
		buf_printf(to, " %sB", units[unit].prefix[i]);
	else
		buf_add_str(to, units[unit].prefix[i]);
}

/* ---- times ----------------------------------------------------------- */

#define SECOND GS_NSEC_PER_SEC
#define DAY (86400 * SECOND)

static const int64_t time_steps[] = {
	SECOND / 10, SECOND / 5, SECOND / 2, SECOND, 2 * SECOND, 5 * SECOND,
	10 * SECOND, 15 * SECOND, 30 * SECOND, 60 * SECOND, 120 * SECOND,
	300 * SECOND, 600 * SECOND, 900 * SECOND, 1800 * SECOND,
	3600 * SECOND, 7200 * SECOND, 10800 * SECOND, 21600 * SECOND,
	43200 * SECOND, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY, 91 * DAY,
	364 * DAY, 3640 * DAY
};

struct svg_times svg_times(const struct zone *z, int64_t from_ns,
	int64_t to_ns, unsigned max)
{
	int64_t offset_ns = zone_offset(z, from_ns) * SECOND;
	struct svg_times t;
	size_t i = 0;

	while (i + 1 < GS_LEN(time_steps) &&
	    (to_ns - from_ns) / time_steps[i] >= (int64_t)max)
		i++;
	t.step_ns = time_steps[i];
	t.first_ns = from_ns + offset_ns + t.step_ns - 1;
	t.first_ns -= (t.first_ns % t.step_ns + t.step_ns) % t.step_ns;
	t.first_ns -= offset_ns;
	return t;
}

void svg_add_time(struct buf *to, const struct svg_times *t,
	const struct zone *z, int64_t ns)
{
	struct civil c = zone_to_civil(z, ns);

	if (c.hour == 0 && c.minute == 0 && c.second == 0 && c.ns == 0)
		buf_printf(to, "%04lld-%02d-%02d", (long long)c.year,
		    (int)c.month, (int)c.day);
	else if (t->step_ns % (60 * SECOND) == 0)
		buf_printf(to, "%02d:%02d", (int)c.hour, (int)c.minute);
	else
		zone_add_time(z, ns, t->step_ns < SECOND ? 1 : 0, to);
}
