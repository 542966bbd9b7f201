/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries on groups: sums, rates, peaks.
 */
#include "analysis/rollup_int.h"

#include "base/arith.h"
#include "base/mem.h"
#include "model/diff.h"

size_t rollup_count(const struct rollup *r)
{
	return r->n_group;
}

struct group *rollup_get(const struct rollup *r, size_t i)
{
	return r->group[i];
}

enum entity_id rollup_entity(const struct rollup *r)
{
	return r->entity;
}

size_t rollup_live(const struct rollup *r)
{
	return r->n_live;
}

const struct row *rollup_live_row(const struct rollup *r, size_t i,
	const struct group **ret_in)
{
	*ret_in = r->live[i]->in;
	return r->live[i]->row;
}

int64_t rollup_covered_ns(const struct rollup *r, const struct host *h)
{
	return h->index < r->covered_cap ? r->covered[h->index] : 0;
}

double part_covered_s(const struct rollup *r, const struct part *p)
{
	int64_t end = p->left_ns >= 0 ? p->left_ns
	                              : rollup_covered_ns(r, p->host);

	return (double)gs_difference(end, p->since_ns) / 1e9;
}

bool part_is_partial(const struct rollup *r, const struct part *p)
{
	return p->late || (p->gone_ns >= 0 &&
	    rollup_covered_ns(r, p->host) > p->gone_ns);
}

bool group_is_partial(const struct rollup *r, const struct group *g)
{
	size_t i;

	for (i = 0; i < g->n_part; i++) {
		if (part_is_partial(r, g->part[i]))
			return true;
	}
	return false;
}

/* NULL: it has none. */
static const struct part *longest_part(const struct rollup *r,
	const struct group *g)
{
	const struct part *most = NULL;
	size_t i;

	for (i = 0; i < g->n_part; i++) {
		if (!most || part_covered_s(r, g->part[i]) >
		    part_covered_s(r, most))
			most = g->part[i];
	}
	return most;
}

double group_covered_s(const struct rollup *r, const struct group *g)
{
	const struct part *p = longest_part(r, g);

	return p ? GS_MAX(0, part_covered_s(r, p)) : 0;
}

struct group_edges group_edges(const struct rollup *r, const struct group *g)
{
	const struct part *p = longest_part(r, g);

	return p ? (struct group_edges) { p->fresh, p->left_ns >= 0, p->later ||
		(g->n_born > 0 && part_covered_s(r, p) <= 0) }
	         : (struct group_edges) { false, false, false };
}

/* Levels of a group's hosts are added up as they are stored, and the sum becomes base
 * units by the facts of one of the hosts.  Only rows of a host are of one host. */
#define BEGIN(E)
#define END(E)
#define METRIC(E, id, SYM, nam, cls, unit, bit, agg, ...)                    \
	_Static_assert(ENTITY_##E == ENTITY_HOST ||                          \
	    CLASS_##cls == CLASS_COUNTER || AGG_##agg != AGG_SUM ||          \
	    (UNIT_##unit != UNIT_PAGES && UNIT_##unit != UNIT_TICKS),        \
	    "hosts with other pages or clock ticks would be added up: " nam);
#include "metric/metrics.def"
#undef METRIC
#undef END
#undef BEGIN

static double in_base_units(const struct rollup *r, const struct host *h,
	unsigned col, int64_t v)
{
	struct unit_env env;

	if (v == 0) /* most are */
		return 0;
	env = diff_env(h);
	return unit_to_base((enum unit_id)metric_get(r->entity, col)->unit, v,
	    &env);
}

/* What no row can have: a level of 2^63 or more, from a file that is damaged. */
static bool is_beyond(const struct rollup *r, unsigned col, int64_t v)
{
	const struct metric *m;

	if (v >= 0)
		return false;
	m = metric_get(r->entity, col);
	return !metric_is_counter(m) && !(m->flags & F_SIGNED);
}

bool part_value(const struct rollup *r, const struct part *p, unsigned col,
	double *ret)
{
	int k = r->pos[col];

	if (k < 0 || !rollup_part_has(r, p, (unsigned)k) ||
	    rollup_part_overflows(r, p, (unsigned)k) ||
	    is_beyond(r, col, p->v[k]))
		return false;
	*ret = in_base_units(r, p->host, col, p->v[k]);
	return true;
}

/* The sum of the parts, or of their rates. */
static bool add_parts(const struct rollup *r, const struct group *g,
	unsigned col, bool rate, double *ret, bool *ret_partial)
{
	unsigned k = (unsigned)r->pos[col];
	bool any = false;
	size_t i;

	*ret = 0;
	for (i = 0; i < g->n_part; i++) {
		const struct part *p = g->part[i];
		double over;

		*ret_partial |= rollup_bit(part_missing(r, p), k);
		if (!(rate ? rollup_bit(part_present(r, p), k)
		    : rollup_part_has(r, p, k)))
			continue;
		if (rollup_part_overflows(r, p, k) ||
		    is_beyond(r, col, p->v[k]))
			return false;
		over = rate ? part_covered_s(r, p) : 1;
		if (over <= 0)
			continue;
		any = true;
		*ret += in_base_units(r, p->host, col, p->v[k]) / over;
	}
	return any;
}

bool group_sum(const struct rollup *r, const struct group *g, unsigned col,
	double scale, double *ret, bool *ret_partial)
{
	int k = r->pos[col];
	bool any;

	*ret_partial = false;
	if (k < 0)
		return false;
	if (g->ended && !rollup_bit(r->counters, (unsigned)k)) {
		int64_t last = *rollup_last_at(r, g, (unsigned)k);

		*ret = in_base_units(r, g->part[0]->host, col, last);
		any = rollup_bit(g->last_present, (unsigned)k) &&
		    !is_beyond(r, col, last);
	} else {
		any = add_parts(r, g, col, false, ret, ret_partial);
	}
	*ret *= scale;
	return any;
}

bool group_rate(const struct rollup *r, const struct group *g, unsigned col,
	double scale, double *ret, bool *ret_partial)
{
	bool any;

	*ret_partial = false;
	if (r->pos[col] < 0)
		return false;
	any = add_parts(r, g, col, true, ret, ret_partial);
	*ret *= scale;
	return any;
}

bool group_stay(const struct rollup *r, const struct group *g, double *ret)
{
	bool any = false;
	double sum = 0;
	size_t i;

	for (i = 0; i < g->n_part; i++) {
		const struct part *p = g->part[i];
		int64_t covered = rollup_covered_ns(r, p->host);

		if (covered <= 0)
			continue;
		sum += rollup_lived_ns(&p->rows, covered) / (double)covered;
		any = true;
	}
	*ret = g->n_rows > 0 ? sum / (double)g->n_rows : 0;
	return any && g->n_rows > 0;
}

bool group_peak(const struct rollup *r, const struct group *g, unsigned col,
	double *ret)
{
	int k = r->pos[col];
	bool any;
	size_t i;

	if (k < 0 || g->n_part == 0 || rollup_bit(r->counters, (unsigned)k))
		return false;
	*ret = in_base_units(r, g->part[0]->host, col,
	    *rollup_peak_at(r, g, (unsigned)k));
	any = rollup_bit(g->last_present, (unsigned)k);
	for (i = 0; i < g->n_part; i++)
		any |= rollup_bit(part_present(r, g->part[i]), (unsigned)k);
	return any;
}
