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

double group_covered_s(const struct rollup *r, const struct group *g)
{
	double most = 0;
	size_t i;

	for (i = 0; i < g->n_part; i++)
		most = GS_MAX(most, part_covered_s(r, g->part[i]));
	return most;
}

static double in_base_units(const struct rollup *r, const struct part *p,
	unsigned col)
{
	struct unit_env env = diff_env(p->host);

	return unit_to_base((enum unit_id)metric_get(r->entity, col)->unit,
	    p->v[r->pos[col]], &env);
}

bool part_value(const struct rollup *r, const struct part *p, unsigned col,
	double *ret)
{
	int k = r->pos[col];

	if (k < 0 || !rollup_part_has(r, p, (unsigned)k))
		return false;
	*ret = in_base_units(r, p, col);
	return true;
}

bool group_sum(const struct rollup *r, const struct group *g, unsigned col,
	double scale, double *ret, bool *ret_partial)
{
	int k = r->pos[col];
	double sum = 0;
	bool any = false;
	size_t i;

	*ret_partial = false;
	if (k < 0)
		return false;
	if (g->ended && !rollup_bit(&r->counters, (unsigned)k)) {
		struct unit_env env = diff_env(g->part[0]->host);

		*ret = scale * unit_to_base((enum unit_id)
		    metric_get(r->entity, col)->unit, g->last[k], &env);
		return rollup_bit(&g->last_present, (unsigned)k);
	}
	for (i = 0; i < g->n_part; i++) {
		const struct part *p = g->part[i];

		*ret_partial |= rollup_bit(&p->missing, (unsigned)k);
		if (!rollup_part_has(r, p, (unsigned)k))
			continue;
		any = true;
		sum += in_base_units(r, p, col);
	}
	*ret = sum * scale;
	return any;
}

bool group_rate(const struct rollup *r, const struct group *g, unsigned col,
	double scale, double *ret, bool *ret_partial)
{
	int k = r->pos[col];
	double sum = 0;
	bool any = false;
	size_t i;

	*ret_partial = false;
	if (k < 0)
		return false;
	for (i = 0; i < g->n_part; i++) {
		const struct part *p = g->part[i];
		double covered = part_covered_s(r, p);

		*ret_partial |= rollup_bit(&p->missing, (unsigned)k);
		if (!rollup_bit(&p->present, (unsigned)k) || covered <= 0)
			continue;
		any = true;
		sum += in_base_units(r, p, col) / covered;
	}
	*ret = sum * scale;
	return any;
}

bool group_peak(const struct rollup *r, const struct group *g, unsigned col,
	double *ret)
{
	struct unit_env env;
	bool any;
	size_t i;
	int k = r->pos[col];

	if (k < 0 || g->n_part == 0)
		return false;
	env = diff_env(g->part[0]->host);
	*ret = unit_to_base((enum unit_id)metric_get(r->entity, col)->unit,
	    g->peak[k], &env);
	any = rollup_bit(&g->last_present, (unsigned)k);
	for (i = 0; i < g->n_part; i++)
		any |= rollup_bit(&g->part[i]->present, (unsigned)k);
	return any;
}
