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

static int64_t threads_of(const struct row *row)
{
	uint64_t n;

	if (row->entity != ENTITY_PROCESS ||
	    !row_get(row, COL(PROCESS, THREADS), &n))
		return 1;
	return (int64_t)GS_MIN(n, UINT64_C(1) << 22);
}

/* For how long the row has existed, of those that were born; at most since the
 * sample before. */
static int64_t age_ns(const struct row *row)
{
	unsigned col = row->entity == ENTITY_THREAD ? COL(THREAD, START)
	                                            : COL(PROCESS, START);
	int64_t elapsed = diff_elapsed_ns(row->host), age;
	uint64_t start;

	if ((row->entity != ENTITY_THREAD && row->entity != ENTITY_PROCESS) ||
	    !row_get(row, col, &start) || start > INT64_MAX / 1000000000)
		return elapsed;
	age = gs_difference(row->host->clock.boot_ns,
	    (int64_t)(start * diff_tick_ns(row->host)));
	return GS_MAX(0, GS_MIN(age, elapsed));
}

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
	int64_t age = age_ns(row), late = 0;
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

	return rollup_in_tick(row) && rollup_is_born(row) &&
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

/* The host's covered time at which a row began to count in a part. */
static int64_t begins_at(struct rollup *r, const struct row *row, bool moved)
{
	if (rollup_is_born(row))
		return gs_difference(*rollup_covered(r, row->host), age_ns(row));
	return moved && !rollup_in_tick(row) ? rollup_before_tick(r, row)
	    : rollup_begin(r, row);
}

void rollup_life_join(struct rollup *r, struct member *m, bool moved)
{
	m->threads = threads_of(m->row);
	m->part->threaded |= m->threads > 1;
	rollup_lived_add(&m->part->threads, begins_at(r, m->row, moved),
	    m->threads);
}

void rollup_life_change(struct rollup *r, struct member *m)
{
	int64_t threads = threads_of(m->row);

	if (threads == m->threads)
		return;
	m->part->threaded |= threads > 1;
	rollup_lived_add(&m->part->threads, rollup_before_tick(r, m->row), threads - m->threads);
	m->threads = threads;
}

void rollup_life_leave(struct rollup *r, struct member *m)
{
	rollup_lived_add(&m->part->threads, rollup_end(r, m->row), -m->threads);
}

void rollup_life_brief(struct rollup *r, struct part *p, const struct row *row)
{
	int64_t threads = threads_of(row), before;

	if (!row_told_end(row, &before))
		return;
	p->threaded |= threads > 1;
	rollup_lived_add(&p->threads, begins_at(r, row, false), threads);
	rollup_lived_add(&p->threads, rollup_end(r, row), -threads);
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
