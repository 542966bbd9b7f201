/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rollup_life.c - the time for which rows of a part existed, and that times their
 * threads, which delays and CPU time are parts of.
 *
 * A row adds nothing while it lives: its beginning is subtracted when it joins,
 * its end is added when it leaves, and the present in between.
 */
#include "analysis/rollup_int.h"

#include <stdlib.h>

#include "base/arith.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "model/diff.h"
#include "model/pace.h"

void rollup_lived_add(struct lived *l, int64_t at_ns, int64_t n)
{
	int64_t d;

	if (__builtin_mul_overflow(at_ns, n, &d))
		return;
	l->ns = gs_difference(l->ns, d);
	l->n += n;
}

/* Whether it may have used more in covered time.  A process that is not there
 * after a hole ended in the hole, which is not always covered. */
static bool may_go_on(const struct row *row)
{
	bool has_birth = entity_get(row->entity)->has_birth;

	switch (row->closed) {
	case CLOSE_LEFT:
	case CLOSE_UNREADABLE:
		return true;
	case CLOSE_HOST_LOST:
		return !has_birth;
	case CLOSE_UNSEEN:
		return !has_birth || diff_elapsed_ns(row->host) > 0;
	default: /* open, or ended */
		return false;
	}
}

void rollup_life_lost(struct rollup *r, struct part *p, const struct row *row)
{
	int64_t at = rollup_end(r, row);

	rollup_lived_add(&p->rows, rollup_before_tick(r, row), -1);
	if (--p->n_live == 0 && row->closed && row->closed != CLOSE_EXITED)
		p->left_ns = at;
	if (p->gone_ns < 0 && may_go_on(row))
		p->gone_ns = at;
}

/* A row was sampled at multiples of the source's interval: after its birth, and until it
 * ended. */
static int64_t first_sample(struct rollup *r, const struct row *row)
{
	const struct host *h = row->host;
	int64_t age = life_age_ns(row), late = 0;
	int64_t at = gs_difference(*rollup_covered(r, h), age);

	if (r->sampled_ns > 0)
		late = r->sampled_ns - pace_late(gs_difference(gs_difference(
		    h->clock.wall_ns, h->clock.offset_ns), age), r->sampled_ns);
	return GS_MIN(gs_sum(at, late), row->closed ? rollup_end(r, row)
	    : *rollup_covered(r, h));
}

/* One that was born since the sample before, of which nothing is told, by its age. */
static int64_t came_at(struct rollup *r, const struct row *row)
{
	int64_t before;

	return life_in_tick(row) && life_is_born(row) &&
	    !row_told_begin(row, &before) ? first_sample(r, row)
	    : rollup_begin(r, row);
}

struct arrival {
	int64_t at_ns;
	struct row *row;
};

static int by_arrival(const void *a, const void *b)
{
	const struct arrival *x = a, *y = b;

	return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

void rollup_life_sort(struct rollup *r, struct row **row, size_t n)
{
	struct arrival *a = gs_calloc(n, sizeof(*a));
	size_t i;

	for (i = 0; i < n; i++)
		a[i] = (struct arrival) { came_at(r, row[i]), row[i] };
	qsort(a, n, sizeof(*a), by_arrival);
	for (i = 0; i < n; i++)
		row[i] = a[i].row;
	free(a);
}

void rollup_life_got(struct rollup *r, struct part *p, const struct row *row)
{
	rollup_lived_add(&p->rows, rollup_before_tick(r, row), 1);
	if (p->n_live++ == 0 && p->left_ns >= 0)
		p->since_ns = gs_sum(p->since_ns, GS_MAX(0, gs_difference(
		    came_at(r, row), p->left_ns)));
	p->left_ns = -1;
}

/* What its threads add up to in this tick, told or by their number: n of them, from
 * then on. */
static void add_told(struct rollup *r, struct part *p, const struct row *row,
	int64_t n, int64_t from_ns)
{
	int64_t covered = *rollup_covered(r, row->host), told, known, to;

	if (!life_told_threads(row, covered, &told))
		return;
	to = row->closed ? life_end(row, covered) : covered;
	if (__builtin_mul_overflow(gs_difference(to, from_ns), n, &known))
		return;
	p->threaded = true;
	p->threads.ns = gs_sum(p->threads.ns, gs_difference(told, known));
}

void rollup_life_join(struct rollup *r, struct member *m, bool moved)
{
	int64_t from = life_threads_begin(m->row, *rollup_covered(r, m->row->host),
	    moved);

	m->threads = life_threads(m->row);
	m->part->threaded |= m->threads > 1;
	rollup_lived_add(&m->part->threads, from, m->threads);
	if (!m->row->closed)
		add_told(r, m->part, m->row, m->threads, from);
}

void rollup_life_change(struct rollup *r, struct member *m)
{
	int64_t threads = life_threads(m->row), from;

	if (threads == m->threads && !row_left_out(m->row))
		return;
	from = rollup_before_tick(r, m->row);
	m->part->threaded |= threads > 1;
	rollup_lived_add(&m->part->threads, from, threads - m->threads);
	m->threads = threads;
	add_told(r, m->part, m->row, threads, from);
}

void rollup_life_leave(struct rollup *r, struct member *m)
{
	const struct row *row = m->row;
	int64_t covered = *rollup_covered(r, row->host);

	rollup_lived_add(&m->part->threads, life_end(row, covered), -m->threads);
	if (row->closed)
		add_told(r, m->part, row, m->threads, row_is_brief(row)
		    ? life_threads_begin(row, covered, false)
		    : life_before(row, covered));
}

void rollup_life_brief(struct rollup *r, struct part *p, const struct row *row)
{
	int64_t threads = life_threads(row), from, before;

	if (!row_told_end(row, &before))
		return;
	from = life_threads_begin(row, *rollup_covered(r, row->host), false);
	p->threaded |= threads > 1;
	rollup_lived_add(&p->threads, from, threads);
	rollup_lived_add(&p->threads, rollup_end(r, row), -threads);
	add_told(r, p, row, threads, from);
}

double part_life_s(const struct rollup *r, const struct part *p)
{
	return rollup_lived_ns(&p->threads, rollup_covered_ns(r, p->host)) / 1e9;
}

bool group_is_threaded(const struct group *g)
{
	size_t i;

	for (i = 0; i < g->n_part; i++) {
		if (g->part[i]->threaded)
			return true;
	}
	return false;
}
