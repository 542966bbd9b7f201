/* SPDX-License-Identifier: Apache-2.0 */
#include "history/plan.h"

#include <stdlib.h>

#include "base/compiler.h"

static int order(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

static int compare_files(const void *a, const void *b)
{
	const struct plan_file *x = a, *y = b;
	int r = order(x->first_seq, y->first_seq);

	return r ? r : order(y->last_seq, x->last_seq);
}

void plan_sort(struct plan_file *f, size_t *n)
{
	size_t i, kept = 0;

	if (*n > 1)
		qsort(f, *n, sizeof(*f), compare_files);
	for (i = 0; i < *n; i++) {
		if (kept == 0 || f[i].last_seq > f[kept - 1].last_seq)
			f[kept++] = f[i];
	}
	*n = kept;
}

static int compare_parts(const void *a, const void *b)
{
	const struct plan_part *x = a, *y = b;

	return order(x->first_seq, y->first_seq);
}

void plan_join(struct plan_part *p, size_t *n)
{
	size_t i, kept = 0;

	if (*n > 1)
		qsort(p, *n, sizeof(*p), compare_parts);
	for (i = 0; i < *n; i++) {
		struct plan_part *last = kept ? &p[kept - 1] : NULL;

		if (!last || p[i].first_seq > last->last_seq) {
			p[kept++] = p[i];
		} else if (p[i].last_seq > last->last_seq) {
			last->last_seq = p[i].last_seq;
			last->last_ns = p[i].last_ns;
		}
	}
	*n = kept;
}

/* The part that contains a tick; NULL: none. */
static const struct plan_part *part_of(const struct plan_part *p, size_t n,
	uint64_t seq)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (p[i].first_seq <= seq && seq <= p[i].last_seq)
			return &p[i];
	}
	return NULL;
}

/* The beginning of the first part after a tick. */
static uint64_t next_part(const struct plan_part *p, size_t n, uint64_t seq)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (p[i].first_seq > seq)
			return p[i].first_seq;
	}
	return UINT64_MAX;
}

/* The first tick of a file, at or after seq, whose next tick is not loaded;
 * false: there is none. */
static bool begin_of(const struct plan_file *f, const struct plan_part *p,
	size_t n_part, uint64_t seq, struct plan_run *ret)
{
	uint64_t at = GS_MAX(seq, f->first_seq);
	const struct plan_part *in = part_of(p, n_part, at);

	if (at > f->last_seq || (at == f->last_seq && at > f->first_seq) ||
	    (in && in->last_seq >= f->last_seq))
		return false;
	*ret = (struct plan_run) { .n = 1,
		.from_seq = in ? in->last_seq : at,
		.from_ns = in ? in->last_ns : INT64_MIN };
	return true;
}

bool plan_next(const struct plan_file *f, size_t n,
	const struct plan_part *p, size_t n_part, uint64_t *seq,
	struct plan_run *ret)
{
	struct plan_run run;
	size_t i = 0;

	while (i < n && !begin_of(&f[i], p, n_part, *seq, &run))
		i++;
	if (i == n)
		return false;
	run.first = i;
	run.to_seq = next_part(p, n_part, run.from_seq);
	while (i + 1 < n && f[i + 1].first_seq < run.to_seq &&
	    f[i + 1].first_seq <= f[i].last_seq + 1) {
		run.n++;
		i++;
	}
	if (i + 1 < n && f[i].last_seq < run.to_seq)
		run.to_seq = GS_MAX(f[i].last_seq, run.from_seq + 1);
	*seq = run.to_seq;
	*ret = run;
	return true;
}
