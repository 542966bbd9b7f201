/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_past.c - the earlier values of rows: usual() and spread().
 *
 * The values of a row are counted in buckets whose bounds grow by an eighth of
 * a power of two, so that a quantile is exact within 5 % and a day of samples
 * needs no more memory than a minute.  Only values of tables in which the
 * condition did not hold are counted: what is compared does not become usual by
 * lasting.
 *
 * Limits: ROWS_MAX rows; of further rows nothing is known.
 */
#include <math.h>
#include <stdlib.h>

#include <uthash.h>

#include "base/mem.h"
#include "query/filter_int.h"

#define ROWS_MAX 4096u

/* With fewer values there is no usual one. */
#define VALUES_MIN 20u

/* Buckets: values up to 2^-16, then eight for each power of two to 2^48. */
#define LEAST_EXP (-16)
#define OCTAVES 64
#define PER_OCTAVE 8
#define BUCKETS (OCTAVES * PER_OCTAVE + 1)

struct counts {
	uint32_t n[BUCKETS];
	uint64_t all;
};

struct past {
	uint64_t id;
	struct counts *col[FUNCTION_COLS];
	UT_hash_handle hh;
};

static size_t bucket_of(double v)
{
	double at;

	if (!(v > ldexp(1, LEAST_EXP)))
		return 0;
	at = (log2(v) - LEAST_EXP) * PER_OCTAVE;
	return at >= BUCKETS - 2 ? BUCKETS - 1 : (size_t)at + 1;
}

/* The middle of a bucket. */
static double value_of(size_t bucket)
{
	return bucket == 0 ? 0 : exp2(((double)bucket - 0.5) / PER_OCTAVE +
	    LEAST_EXP);
}

static double quantile(const struct counts *c, double share)
{
	double want = share * (double)c->all;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < BUCKETS - 1; i++) {
		sum += c->n[i];
		if ((double)sum >= want)
			break;
	}
	return value_of(i);
}

static struct past *find(const struct filter *f, uint64_t id)
{
	struct past *p = NULL;

	HASH_FIND(hh, f->past, &id, sizeof(id), p);
	return p;
}

bool filter_past_value(const struct filter *f, const struct term *t,
	uint64_t id, double *ret)
{
	const struct past *p = find(f, id);
	const struct counts *c = p ? p->col[t->slot] : NULL;

	if (!c || c->all < VALUES_MIN)
		return false;
	*ret = t->kind == TERM_USUAL ? quantile(c, 0.5)
	    : (quantile(c, 5.0 / 6) - quantile(c, 1.0 / 6)) / 2;
	return true;
}

void filter_learn(struct filter *f, const struct grid_row *row)
{
	struct past *p = f->n_past_col > 0 ? find(f, row->id) : NULL;
	size_t i;

	if (f->n_past_col == 0 || (!p && HASH_COUNT(f->past) >= ROWS_MAX))
		return;
	if (!p) {
		p = gs_calloc(1, sizeof(*p));
		p->id = row->id;
		HASH_ADD(hh, f->past, id, sizeof(p->id), p);
	}
	for (i = 0; i < f->n_past_col; i++) {
		double v;

		if (!filter_number(&row->cell[f->past_col[i]], &v))
			continue;
		if (!p->col[i])
			p->col[i] = gs_calloc(1, sizeof(*p->col[i]));
		p->col[i]->n[bucket_of(v)]++;
		p->col[i]->all++;
	}
}

void filter_forget(struct filter *f)
{
	struct past *p, *tmp;
	size_t i;

	filter_slope_forget(f);
	HASH_ITER (hh, f->past, p, tmp) {
		HASH_DEL(f->past, p);
		for (i = 0; i < FUNCTION_COLS; i++)
			free(p->col[i]);
		free(p);
	}
}
