/* SPDX-License-Identifier: Apache-2.0 */
#include "query/figure.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/diff.h"

static const struct cell absent = { .kind = CELL_ABSENT };

static bool is_unreadable_on(const struct figure_env *v, const struct host *h,
	const char *path)
{
	const struct table *t = &h->table[ENTITY_SOURCE];
	uint64_t processes;
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		const struct row *r = t->slot[i];

		if (r && row_get(r, COL(SOURCE, PROCESSES), &processes) &&
		    processes > 0 && span_eq(row_text(v->engine->world, r,
		    COL(SOURCE, FILE)), path))
			return true;
	}
	return false;
}

/* The kernel has it, but the agent may not read its file. */
static bool is_unreadable(const struct figure_env *v, const struct figure *f,
	const struct group *g)
{
	const struct metric *m = metric_get(rollup_entity(v->rollup),
	    f->from[0]);
	const char *path = metric_source_path((enum metric_source)m->source);
	size_t i;

	for (i = 0; !g->residual && path[0] && i < g->n_part; i++) {
		if (is_unreadable_on(v, g->part[i]->host, path))
			return true;
	}
	return false;
}

static struct cell number(const struct group *g, bool any, double v,
	bool partial)
{
	struct cell c = cell_real(v);

	if (!any)
		return absent;
	if (g->estimated)
		c.mark = '~';
	if (partial)
		c.mark = '>';
	return c;
}

/* A process with exited children is not counted as partial: theirs is known. */
static bool lacks(const struct figure *f, const struct group *g)
{
	uint64_t v;

	return g->row && !row_peek(g->row, f->from[0], &v);
}

typedef bool (*sum_fn)(const struct rollup *r, const struct group *g,
	unsigned col, double scale, double *ret, bool *ret_partial);

static struct cell add_up(const struct figure_env *v, const struct figure *f,
	const struct group *g, sum_fn fn)
{
	bool any = false, partial = false;
	double sum = 0;
	unsigned i;

	for (i = 0; i < f->n_from; i++) {
		double one = 0;
		bool part;

		if (f->ema) {
			part = false;
			if (!group_ema(v->rollup, g, f->from[i], f->scale,
			    f->ema - 1, &one))
				continue;
			sum += one;
			any = true;
			continue;
		}
		if (fn(v->rollup, g, f->from[i], f->scale, &one, &part)) {
			sum += one;
			any = true;
		}
		partial |= part;
	}
	if (!any && (partial || lacks(f, g)) && is_unreadable(v, f, g))
		return (struct cell) { .kind = CELL_ABSENT, .mark = '?' };
	return number(g, any, sum, partial);
}

struct cell figure_amount(
    const struct figure_env *v, const struct group *g, struct cell c)
{
	if (c.kind != CELL_ABSENT && !c.mark &&
	    group_is_partial(v->rollup, g)) {
		c.mark = '>';
		c.of_part = true;
	}
	return c;
}

/* Levels are of now; only what grows has a past. */
static bool is_amount(const struct figure_env *v, const struct figure *f)
{
	return f->n_from > 0 && !f->ema && metric_is_counter(metric_get(
	    rollup_entity(v->rollup), f->from[0]));
}

/* Averages go on after the end. */
static struct cell level(const struct figure *f, const struct group *g, struct cell c)
{
	c.ended = g->ended && !f->ema;
	return c;
}

struct cell figure_sum(FIGURE_ARGS)
{
	struct cell c = add_up(v, f, g, group_sum);

	return is_amount(v, f) ? figure_amount(v, g, c) : level(f, g, c);
}

struct cell figure_rate(FIGURE_ARGS)
{
	return add_up(v, f, g, group_rate);
}

struct cell figure_peak(FIGURE_ARGS)
{
	double peak;

	if (!group_peak(v->rollup, g, f->from[0], &peak))
		return absent;
	return cell_real(peak * f->scale);
}

struct cell figure_share(FIGURE_ARGS)
{
	double part = 0, all = 0;
	bool any = false, partial;
	unsigned i;

	for (i = 0; i < f->n_from; i++) {
		bool picked = f->pick >> i & 1;
		double one = 0;

		if (f->ema ? !group_ema(v->rollup, g, f->from[i], 1,
		    f->ema - 1, &one) : !group_sum(v->rollup, g,
		    f->from[i], 1, &one, &partial))
			continue;
		any |= picked;
		all += one;
		part += picked ? one : 0;
	}
	return number(g, any && all > 0, f->scale * part / all, false);
}

struct cell figure_ratio(FIGURE_ARGS)
{
	double a, b;
	bool part;

	if (!group_sum(v->rollup, g, f->from[0], 1, &a, &part) ||
	    !group_sum(v->rollup, g, f->from[1], 1, &b, &part) || b <= 0)
		return absent;
	return cell_real(f->scale * a / b);
}

/* Whether all rows have the first n columns of the figure. */
static bool all_have(const struct figure_env *v, const struct figure *f,
	const struct group *g, unsigned n)
{
	double one;
	bool lacks;
	unsigned i;

	for (i = 0; i < n; i++) {
		if (!group_sum(v->rollup, g, f->from[i], 1, &one, &lacks) ||
		    lacks)
			return false;
	}
	return true;
}

struct cell figure_ratio_of_all(FIGURE_ARGS)
{
	return all_have(v, f, g, 2) ? figure_ratio(v, f, g) : absent;
}

struct cell figure_ratio_or(FIGURE_ARGS)
{
	struct figure other = *f;

	if (all_have(v, f, g, 2))
		return figure_ratio(v, f, g);
	other.from[0] = f->from[2];
	other.from[1] = f->from[3];
	return figure_ratio(v, &other, g);
}

struct cell figure_part(FIGURE_ARGS)
{
	return all_have(v, f, g, f->n_from) ? figure_share(v, f, g) : absent;
}

struct cell figure_rest(FIGURE_ARGS)
{
	double a, b;
	bool lacks, too;

	if (!group_sum(v->rollup, g, f->from[0], f->scale, &a, &lacks) ||
	    !group_sum(v->rollup, g, f->from[1], f->scale, &b, &too))
		return absent;
	return figure_amount(v, g,
	    number(g, true, a > b ? a - b : 0, lacks || too));
}

static struct cell text_cell(const struct figure_env *v,
	const struct row *r, unsigned col)
{
	struct span s;

	if (r->closed)
		return absent; /* its texts are gone */
	s = row_text(v->engine->world, r, col);
	return span_empty(s) ? absent
	    : cell_text(grid_text(v->grid, s.ptr, span_len(s)));
}

/* Microseconds since 1970, as in databases. */
static struct cell instant(int64_t usec)
{
	if (usec > INT64_MAX / 1000 || usec < INT64_MIN / 1000)
		return absent;
	return cell_int(usec * 1000);
}

struct cell figure_row_cell(const struct figure_env *v,
	const struct figure *f, const struct row *r)
{
	const struct metric *m;
	struct unit_env env;
	uint64_t n;

	if (!r || !row_peek(r, f->from[0], &n))
		return absent;
	m = metric_get(r->entity, f->from[0]);
	if (metric_is_text(m))
		return text_cell(v, r, f->from[0]);
	if (metric_is_max(m, n))
		return cell_max();
	switch (f->col.quantity) {
	case Q_TEXT: {
		char letter = (char)n;

		return cell_text(grid_text(v->grid, &letter, 1));
	}
	case Q_ID:
		return n > INT64_MAX && !(m->flags & F_SIGNED) ? absent
		    : cell_int((int64_t)n);
	case Q_COUNT:
		return m->flags & F_SIGNED ? cell_int((int64_t)n)
		    : cell_count(n);
	case Q_TIME:
		return instant((int64_t)n);
	case Q_NUMBER:
	case Q_RATE:
	case Q_PERCENT:
	case Q_BYTES:
	case Q_BYTES_RATE:
	case Q_SECONDS:
	case Q_LATENCY:
	case Q_AGE:
	case Q_BY_ROW:
		break;
	}
	env = diff_env(r->host);
	return cell_real(f->scale * metric_in_base(m, n, &env));
}

struct cell figure_cell(FIGURE_ARGS)
{
	return g->residual ? absent : figure_row_cell(v, f, g->row);
}

/* One host's CPU seconds of a group. */
static bool part_cpu(const struct figure_env *v, const struct figure *f,
	const struct part *p, double *ret)
{
	double u, s;

	if (part_value(v->rollup, p, f->from[0], ret))
		return true;
	if (!part_value(v->rollup, p, f->from[1], &u) ||
	    !part_value(v->rollup, p, f->from[2], &s))
		return false;
	*ret = u + s;
	return true;
}

struct cell figure_cpu_sum(FIGURE_ARGS)
{
	double sum = 0;
	bool any = false, partial = false;
	size_t i;

	for (i = 0; i < g->n_part; i++) {
		double one;

		partial |= g->part[i]->reaped_old;
		if (part_covered_s(v->rollup, g->part[i]) > 0 &&
		    part_cpu(v, f, g->part[i], &one)) {
			sum += one;
			any = true;
		}
	}
	return figure_amount(v, g, number(g, any, sum * f->scale, partial));
}

struct cell figure_cpu_rate(FIGURE_ARGS)
{
	double user = 0, system = 0;
	double sum = 0;
	bool any = false, partial = false;
	size_t i;

	if (f->ema) {
		any = group_ema(v->rollup, g, f->from[0], f->scale,
		    f->ema - 1, &sum);
		if (!any)
			any = group_ema(v->rollup, g, f->from[1], f->scale,
			    f->ema - 1, &user) && group_ema(v->rollup, g,
			    f->from[2], f->scale, f->ema - 1, &system);
		return number(g, any, sum + user + system, false);
	}
	for (i = 0; i < g->n_part; i++) {
		double covered = part_covered_s(v->rollup, g->part[i]);
		double one;

		partial |= g->part[i]->reaped_old;
		if (covered > 0 && part_cpu(v, f, g->part[i], &one)) {
			sum += one / covered;
			any = true;
		}
	}
	return number(g, any, sum * f->scale, partial);
}

#define PF_KTHREAD 0x00200000u /* linux/sched.h */

/* Kernel threads have no memory of their own: 0, not unknown. */
static bool is_kernel_thread(const struct group *g)
{
	uint64_t flags;

	return g->row && g->n_rows == 1 && g->row->entity == ENTITY_PROCESS &&
	    row_peek(g->row, COL(PROCESS, FLAGS), &flags) &&
	    flags & PF_KTHREAD;
}

struct cell figure_memory(FIGURE_ARGS)
{
	double anon = 0, swap = 0;
	bool part;

	if (g->residual)
		return absent;
	if (group_sum(v->rollup, g, f->from[0], 1, &anon, &part)) {
		/* no VmSwap line: a kernel without swap */
		(void)group_sum(v->rollup, g, f->from[1], 1, &swap, &part);
		return level(f, g, cell_real(anon + swap));
	}
	if (group_sum(v->rollup, g, f->from[2], 1, &anon, &part))
		return level(f, g, cell_real(anon));
	return is_kernel_thread(g) ? cell_real(0) : absent;
}

struct cell figure_memory_peak(FIGURE_ARGS)
{
	double peak;

	if (g->residual)
		return absent;
	if (group_peak(v->rollup, g, f->from[0], &peak) ||
	    group_peak(v->rollup, g, f->from[2], &peak))
		return cell_real(peak);
	return absent;
}

struct cell figure_text(const struct figure_env *v, const char *s)
{
	if (!s || !*s)
		return absent;
	return cell_text(grid_text(v->grid, s, strlen(s)));
}
