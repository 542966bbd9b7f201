/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/meter.h"

#include "base/clock.h"
#include "base/compiler.h"
#include "base/units.h"
#include "base/when.h"
#include "cli/stop.h"

void meter_init(struct meter *m, bool wanted)
{
	*m = (struct meter) { .begun_ns = gs_clock_mono_ns() };
	status_line_init(&m->line, wanted);
	m->line.shown_ns = m->begun_ns + GS_NSEC_PER_SEC;
}

void meter_stop_by_signal(struct meter *m)
{
	stop_catch();
	m->stops = true;
}

void meter_range(struct meter *m, const struct zone *zone, int64_t from_ns,
	int64_t to_ns, int64_t first_ns, int64_t last_ns)
{
	m->zone = *zone;
	m->from_ns = GS_MAX(from_ns, first_ns);
	m->to_ns = GS_MAX(GS_MIN(to_ns, last_ns), m->from_ns);
}

/* At least that of one pace of the line. */
static double seconds(const struct meter *m)
{
	return GS_MAX((double)(gs_clock_mono_ns() - m->begun_ns) / 1e9, 0.1);
}

static bool is_within(double done, double all)
{
	return done > 0 && done <= all;
}

static void add_percent(double done, double all, struct buf *to)
{
	buf_printf(to, ", %.0f %%", 100 * done / all);
}

static void add_left(const struct meter *m, double done, double all,
	struct buf *to)
{
	char left[WHEN_SPAN_MAX];

	when_age(left, seconds(m) * (all - done) / done);
	buf_printf(to, ", %s left", left);
}

void meter_add_bytes(const struct meter *m, double done, double all,
	struct buf *to)
{
	if (is_within(done, all))
		add_percent(done, all, to);
	buf_add_str(to, ", ");
	units_add_bytes(to, (uint64_t)(done / seconds(m)));
	buf_add_str(to, "/s");
	if (is_within(done, all))
		add_left(m, done, all, to);
}

void meter_add(const struct meter *m, int64_t wall_ns, struct buf *to)
{
	double all = (double)(m->to_ns - m->from_ns);
	double done = (double)(wall_ns - m->from_ns);
	char rate[WHEN_SPAN_MAX];

	if (!is_within(done, all)) /* of another range, a baseline's say */
		return;
	add_percent(done, all, to);
	when_age(rate, done / seconds(m) / 1e9);
	buf_printf(to, ", %s per second", rate);
	add_left(m, done, all, to);
}

static void show(struct meter *m, int64_t wall_ns)
{
	struct buf b = BUF_INIT;

	if (!status_line_is_due(&m->line))
		return;
	zone_add_date_time(&m->zone, wall_ns, 0, &b);
	meter_add(m, wall_ns, &b);
	status_line_set(&m->line, &b);
	buf_release(&b);
}

static enum cursor_step next(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct meter *m = self;
	enum cursor_step s;

	if (m->stops && stop_asked()) {
		(void)gs_fail(err, GS_E_GONE, "stopped: nothing was written");
		return CURSOR_ERROR;
	}
	if (!m->reads) /* another side may have been read before */
		m->begun_ns = gs_clock_mono_ns();
	m->reads = true;
	s = cursor_next(m->filter.of, ret, gap, err);
	if (s == CURSOR_TICK)
		show(m, (*ret)->wall_ns);
	return s;
}

struct cursor meter_cursor(struct meter *m, struct cursor of)
{
	m->filter = (struct cursor_filter) { of, next, m };
	return m->line.on || m->stops ? cursor_filter(&m->filter) : of;
}

void meter_end(struct meter *m)
{
	status_line_clear(&m->line);
}
