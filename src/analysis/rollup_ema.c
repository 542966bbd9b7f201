/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rollup_ema.c - exponential moving averages of counters' rates.
 *
 * With every tick of dt covered seconds an average becomes
 *	average * (1 - a) + rate * a,	a = 1 - exp(-dt / tau),
 * where the rate of a tick in which nothing was booked is 0.  As (1 - a) of
 * several ticks multiply to exp(-time / tau), a part is brought up to date
 * only when it is looked at.  Weights are divided by their sum since the range
 * began, 1 - exp(-covered / tau), so that an average over less than tau is
 * not drawn to 0.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rollup_int.h"
#include "base/arith.h"
#include "base/mem.h"
#include "model/diff.h"

struct ema {
	int64_t at_ns; /* host's covered time at which values are valid */
	double v[]; /* per average and wanted column; per second */
};

void rollup_set_ema(struct rollup *r, const int64_t *tau_ns, size_t n)
{
	r->n_tau = GS_MIN(n, (size_t)ROLLUP_EMA_MAX);
	memcpy(r->tau_ns, tau_ns, r->n_tau * sizeof(*tau_ns));
}

static int64_t *passed_of(struct rollup *r, const struct host *h)
{
	size_t old = r->passed_cap;

	GS_GROW(r->passed, &r->passed_cap, (size_t)h->index + 1);
	memset(r->passed + old, 0, (r->passed_cap - old) *
	    sizeof(*r->passed));
	return &r->passed[h->index];
}

void rollup_ema_cover(struct rollup *r, const struct host *h)
{
	if (r->n_tau > 0)
		*passed_of(r, h) = gs_sum(*passed_of(r, h),
		    diff_elapsed_ns(h));
}

static double faded(const struct rollup *r, size_t i, int64_t ns)
{
	return exp(-(double)ns / (double)r->tau_ns[i]);
}

static void bring_up(const struct rollup *r, struct ema *e, int64_t now_ns)
{
	size_t i;
	unsigned k;

	if (e->at_ns == now_ns)
		return;
	for (i = 0; i < r->n_tau; i++) {
		double f = faded(r, i, gs_difference(now_ns, e->at_ns));

		for (k = 0; k < r->n_col; k++)
			e->v[i * r->n_col + k] *= f;
	}
	e->at_ns = now_ns;
}

void rollup_ema_book(struct rollup *r, struct part *p, unsigned k, uint64_t d)
{
	int64_t dt_ns = diff_elapsed_ns(p->host);
	size_t i;

	if (d == 0 || dt_ns <= 0)
		return;
	if (!p->ema) {
		p->ema = gs_calloc(1, sizeof(*p->ema) +
		    r->n_tau * r->n_col * sizeof(double));
		p->ema->at_ns = *passed_of(r, p->host);
	}
	bring_up(r, p->ema, *passed_of(r, p->host));
	for (i = 0; i < r->n_tau; i++)
		p->ema->v[i * r->n_col + k] += (double)d /
		    ((double)dt_ns / 1e9) * (1 - faded(r, i, dt_ns));
}

void rollup_forget_ema(struct rollup *r)
{
	size_t i, k;

	if (r->n_tau == 0)
		return;
	for (i = 0; i < r->n_group; i++) {
		struct group *g = r->group[i];

		for (k = 0; k < g->n_part; k++) {
			free(g->part[k]->ema);
			g->part[k]->ema = NULL;
		}
	}
	if (r->passed_cap > 0)
		memset(r->passed, 0, r->passed_cap * sizeof(*r->passed));
}

/* Raw units per second. */
static double average_of(const struct rollup *r, const struct part *p,
	size_t i, int k)
{
	int64_t passed = r->passed[p->host->index];

	return p->ema->v[i * r->n_col + (size_t)k] *
	    faded(r, i, passed - p->ema->at_ns) / (1 - faded(r, i, passed));
}

bool group_ema(const struct rollup *r, const struct group *g, unsigned col,
	double scale, size_t i, double *ret)
{
	const struct metric *m = metric_get(r->entity, col);
	int k = r->pos[col];
	double sum = 0;
	bool any = false;
	size_t n;

	if (k < 0 || i >= r->n_tau)
		return false;
	for (n = 0; n < g->n_part; n++) {
		const struct part *p = g->part[n];
		struct unit_env env = diff_env(p->host);

		any |= rollup_bit(part_present(r, p), (unsigned)k);
		if (p->ema && p->host->index < r->passed_cap &&
		    r->passed[p->host->index] > 0)
			sum += average_of(r, p, i, k) * unit_to_base(
			    (enum unit_id)m->unit, 1000000000, &env) / 1e9;
	}
	*ret = sum * scale;
	return any;
}
