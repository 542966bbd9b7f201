/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/strip.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"

size_t strip_column(const struct strip *s, int64_t t_ns)
{
	double span = (double)(s->last_ns - s->first_ns);
	double at = (double)(t_ns - s->first_ns);
	double col = span > 0 ? at / span * (double)s->width : 0;

	if (col < 0)
		return 0;
	return GS_MIN((size_t)col, s->width - 1);
}

int64_t strip_instant(const struct strip *s, size_t column)
{
	double span = (double)(s->last_ns - s->first_ns);

	return s->first_ns + (int64_t)(span * (double)column /
	    (double)s->width);
}

/* The time buckets that touch a column: from *ret_i to before *ret_end. */
static void touching(const struct strip *s, size_t column, size_t *ret_i,
	size_t *ret_end)
{
	const struct timescan *w = s->timescan;
	int64_t from = strip_instant(s, column) - w->start_ns;
	int64_t to = strip_instant(s, column + 1) - w->start_ns;
	int64_t i = from / w->step_ns;
	int64_t end = (to + w->step_ns - 1) / w->step_ns;

	i = GS_MIN(GS_MAX(i, 0), (int64_t)w->n - 1);
	end = GS_MIN(GS_MAX(end, i + 1), (int64_t)w->n);
	*ret_i = (size_t)i;
	*ret_end = (size_t)end;
}

static void take(const struct strip *s, const struct timescan_point *p,
	struct strip_bar *bar)
{
	const double *part;
	double v;

	bar->done &= p->done;
	bar->hole &= p->done && p->ticks == 0;
	if (!timescan_value(s->timescan, p, &v) || (bar->known &&
	    v <= bar->value))
		return;
	bar->known = true;
	bar->value = v;
	bar->n_part = timescan_parts(s->timescan, p, &part);
	if (bar->n_part > 0)
		memcpy(bar->part, part, bar->n_part * sizeof(*part));
}

struct strip_bar strip_bar(const struct strip *s, size_t column)
{
	struct strip_bar bar = { .done = true, .hole = true };
	size_t i, end;

	touching(s, column, &i, &end);
	for (; i < end; i++)
		take(s, timescan_at(s->timescan, i), &bar);
	return bar;
}

/* 1, 2, 3, 4, 5, 6, 8 times a power of ten. */
static double round_up(double v)
{
	static const double round[] = { 1, 2, 3, 4, 5, 6, 8, 10 };
	double power = pow(10, floor(log10(v)));
	size_t i = 0;

	while (i + 1 < GS_LEN(round) && round[i] * power < v * (1 - 1e-9))
		i++;
	return round[i] * power;
}

double strip_top(const struct timescan *s)
{
	double top = 0, v;
	size_t i;

	if (timescan_is_percent(s))
		return 100;
	for (i = 0; i < s->n; i++) {
		if (timescan_value(s, &s->point[i], &v))
			top = GS_MAX(top, v);
	}
	return top > 0 ? round_up(top) : 0;
}

/* Eighths of a row that a value fills; anything fills one. */
static size_t eighths(const struct strip *s, double v)
{
	double share = s->top > 0 ? v / s->top : 0;
	size_t most = 8 * s->height;

	if (share <= 0)
		return 0;
	return GS_MIN(GS_MAX((size_t)ceil(share * (double)most - 1e-9),
	    (size_t)1), most);
}

/* Of these, those within a row. */
static size_t within(const struct strip *s, size_t n, size_t row)
{
	size_t below = 8 * (s->height - 1 - row);

	return n <= below ? 0 : GS_MIN(n - below, (size_t)8);
}

size_t strip_part(const struct strip *s, const struct strip_bar *bar,
	size_t row)
{
	size_t best = bar->n_part, most = 0, from = 0, i;
	double sum = 0;

	for (i = 0; bar->known && i < bar->n_part; i++) {
		size_t to, n;

		sum += bar->part[i];
		to = within(s, eighths(s, sum), row);
		n = to - GS_MIN(from, to);
		if (n > 0 && n >= most) { /* of equals, the upper: waits */
			best = i;
			most = n;
		}
		from = to;
	}
	return best;
}

static const char *part_letter(const struct strip *s, size_t part)
{
	static const char *const load[] = { "c", "i", "w", "o", "L" };
	static const char *const cpu[] = { "u", "s", "i", "T" };

	return timescan_is_percent(s->timescan) ? cpu[part] : load[part];
}

const char *strip_glyph(const struct strip *s, const struct strip_bar *bar,
	size_t row)
{
	static const char *const block[] = { " ", "▁", "▂", "▃", "▄", "▅",
		"▆", "▇", "█" };
	static const char *const ascii[] = { " ", ".", ":", "-", "=", "+",
		"*", "#", "@" };
	bool low = row + 1 == s->height;
	size_t n, part;

	if (bar->hole)
		return s->utf8 ? "░" : "/";
	if (!bar->known)
		return bar->done || !low ? " " : s->utf8 ? "·" : "?";
	n = within(s, eighths(s, bar->value), row);
	part = strip_part(s, bar, row);
	if (s->letters && part < bar->n_part && (n >= 4 || low))
		return part_letter(s, part);
	if (s->letters && bar->n_part > 0)
		return " ";
	return s->utf8 ? block[n] : ascii[n];
}

char strip_mark(const struct strip *s, size_t column)
{
	const struct timescan *w = s->timescan;
	bool hole = false;
	size_t i;

	for (i = 0; i < w->n_note; i++) {
		size_t from = strip_column(s, w->note[i].at_ns);

		if (w->note[i].kind == 0)
			hole |= from <= column &&
			    column <= strip_column(s, w->note[i].end_ns);
		else if (from == column)
			return '!';
	}
	return hole ? 'x' : 0;
}

/* Round steps of an axis, in seconds. */
static const int64_t nice[] = { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900,
	1800, 3600, 7200, 10800, 21600, 43200, 86400, 2 * 86400, 7 * 86400,
	14 * 86400, 28 * 86400 };

#define LABEL_ROOM ((size_t)14) /* columns from one time to the next */

static int64_t axis_step(const struct strip *s)
{
	double per_column = (double)(s->last_ns - s->first_ns) /
	    (double)s->width / 1e9;
	size_t i = 0;

	while (i + 1 < GS_LEN(nice) && (double)nice[i] <
	    per_column * (double)LABEL_ROOM)
		i++;
	return nice[i] * GS_NSEC_PER_SEC;
}

static void add_label(int64_t t, int64_t step, const struct zone *zone,
	struct buf *b)
{
	struct civil c = zone_to_civil(zone, t);

	if (step >= 86400 * GS_NSEC_PER_SEC)
		buf_printf(b, "%02d-%02d", c.month, c.day);
	else if (c.hour == 0 && c.minute == 0 && c.second == 0)
		buf_printf(b, "%02d-%02d 00:00", c.month, c.day);
	else if (step < 60 * GS_NSEC_PER_SEC)
		buf_printf(b, "%02d:%02d:%02d", c.hour, c.minute, c.second);
	else
		buf_printf(b, "%02d:%02d", c.hour, c.minute);
}

void strip_add_axis(const struct strip *s, const struct zone *zone,
	const struct screen *screen, struct line *l)
{
	int64_t step = axis_step(s);
	int64_t shift = (int64_t)zone_offset(zone, s->first_ns) *
	    GS_NSEC_PER_SEC;
	int64_t t = (s->first_ns + shift) / step * step - shift;
	size_t left = l->width;
	struct buf b = BUF_INIT;

	for (; t <= s->last_ns; t += step) {
		size_t at = strip_column(s, t);

		if (t < s->first_ns || left + at < l->width)
			continue;
		buf_reset(&b);
		add_label(t, step, zone, &b);
		if (at + b.len > s->width)
			break;
		line_pad(screen, l, STYLE_DIM, left + at);
		line_add(screen, l, STYLE_DIM, b.ptr, b.len);
		line_add_str(screen, l, STYLE_DIM, " ");
	}
	buf_release(&b);
}
