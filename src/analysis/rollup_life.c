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

/* A row was sampled at multiples of the source's interval: after its birth, and until it
 * ended. */
static int64_t first_sample(struct rollup *r, const struct row *row)
{
	const struct host *h = row->host;
	int64_t age = life_age_ns(row);
	int64_t at = gs_difference(*rollup_covered(r, h), age);
	int64_t late = r->sampled_ns - pace_late(gs_difference(gs_difference(
		h->clock.wall_ns, h->clock.offset_ns), age), r->sampled_ns);

	return GS_MIN(gs_sum(at, late), row->closed ? rollup_end(r, row)
	    : *rollup_covered(r, h));
}

int64_t rollup_came(struct rollup *r, const struct row *row)
{
	int64_t before;

	return r->sampled_ns > 0 && rollup_is_born(r, row) &&
	    !row_told_begin(row, &before) ? first_sample(r, row)
	    : rollup_begin(r, row);
}

enum turn { TURN_CLOSED, TURN_BRIEF, TURN_OPEN };

struct arrival {
	enum turn turn;
	int64_t at_ns; /* of TURN_BRIEF */
	size_t nth;
	struct row *row;
};

static enum turn turn_of(const struct row *row)
{
	return !row->closed ? TURN_OPEN : row_is_brief(row) ? TURN_BRIEF : TURN_CLOSED;
}

static int by_turn(const void *a, const void *b)
{
	const struct arrival *x = a, *y = b;

	if (x->turn != y->turn)
		return x->turn < y->turn ? -1 : 1;
	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return x->nth < y->nth ? -1 : 1;
}

static size_t find_touched(struct rollup *r, const struct world *w,
	struct arrival **ret)
{
	size_t n, i, k = 0;
	struct row *const *touched = world_touched(w, &n);
	struct arrival *a = gs_calloc(n, sizeof(*a));

	for (i = 0; i < n; i++) {
		enum turn turn = turn_of(touched[i]);

		if (touched[i]->entity != r->entity)
			continue;
		a[k] = (struct arrival) { turn, turn == TURN_BRIEF
			? rollup_came(r, touched[i]) : 0, k, touched[i] };
		k++;
	}
	*ret = a;
	return k;
}

struct row **rollup_life_order(struct rollup *r, const struct world *w,
	size_t *ret_n)
{
	struct arrival *a;
	size_t n = find_touched(r, w, &a), i;
	struct row **row = gs_calloc(n, sizeof(struct row *));

	if (n > 1)
		qsort(a, n, sizeof(*a), by_turn);
	for (i = 0; i < n; i++)
		row[i] = a[i].row;
	free(a);
	*ret_n = n;
	return row;
}

/* ---- when rows came and left -------------------------------------------- */

static void apply_came(struct part *p, const struct life_event *e)
{
	if (p->n_live++ == 0 && p->left_ns >= 0)
		p->since_ns = gs_sum(p->since_ns,
		    GS_MAX(0, gs_difference(e->at_ns, p->left_ns)));
	p->left_ns = -1;
}

static void apply_left(struct part *p, const struct life_event *e)
{
	if (--p->n_live == 0 && e->unseen)
		p->left_ns = e->at_ns;
	if (p->gone_ns < 0 && e->goes_on)
		p->gone_ns = e->at_ns;
}

/* Its part may have been made for a row that came later. */
static void settle_first(const struct rollup *r, const struct life_event *e)
{
	struct part *p = e->part;

	if (p->made_tick == (uint32_t)r->tick && e->came) {
		p->fresh = e->fresh;
		p->since_ns = e->fresh ? e->at_ns : 0;
		p->made_tick = 0;
	}
}

static void apply(const struct life_event *e)
{
	if (e->came)
		apply_came(e->part, e);
	else
		apply_left(e->part, e);
}

static void note(struct rollup *r, const struct row *row, struct life_event e)
{
	if (!r->life.in_tick) {
		apply(&e);
		return;
	}
	e.nth = r->life.n;
	e.order_ns = rollup_is_born(r, row) ? gs_sum(e.at_ns, r->sampled_ns / 4)
	                               : e.at_ns;
	GS_GROW(r->life.event, &r->life.cap, r->life.n + 1);
	r->life.event[r->life.n++] = e;
}

/* One that comes before one that leaves. */
static int by_time(const void *a, const void *b)
{
	const struct life_event *x = a, *y = b;

	if (x->order_ns != y->order_ns)
		return x->order_ns < y->order_ns ? -1 : 1;
	if (x->came != y->came)
		return x->came ? -1 : 1;
	return x->nth < y->nth ? -1 : 1;
}

void rollup_life_settle(struct rollup *r)
{
	size_t i;

	if (r->life.n > 1)
		qsort(r->life.event, r->life.n, sizeof(*r->life.event), by_time);
	for (i = 0; i < r->life.n; i++) {
		settle_first(r, &r->life.event[i]);
		apply(&r->life.event[i]);
	}
	r->life.n = 0;
}

void rollup_life_end_tick(struct rollup *r)
{
	r->life.in_tick = false;
	rollup_life_settle(r);
}

void rollup_life_got(struct rollup *r, struct part *p, const struct row *row)
{
	rollup_lived_add(&p->rows, rollup_before_tick(r, row), 1);
	note(r, row, (struct life_event) { .part = p, .at_ns = rollup_came(r, row),
		.came = true, .fresh = rollup_is_fresh(r, row) });
}

void rollup_life_lost(struct rollup *r, struct part *p, const struct row *row)
{
	rollup_lived_add(&p->rows, rollup_before_tick(r, row), -1);
	note(r, row, (struct life_event) { .part = p, .at_ns = rollup_end(r, row),
		.unseen = row->closed && row->closed != CLOSE_EXITED,
		.goes_on = may_go_on(row) });
}

/* ---- threads -------------------------------------------------------------- */

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

/* In the tick before, in another group or in none. */
static bool was_there(const struct rollup *r, const struct row *row)
{
	return row->first_tick < r->tick;
}

void rollup_life_join(struct rollup *r, struct member *m)
{
	int64_t covered = *rollup_covered(r, m->row->host);
	int64_t from = rollup_is_touched(r, m->row) ? life_threads_begin(m->row,
	    covered, was_there(r, m->row)) : life_before(m->row, covered);

	m->threads = life_threads(m->row);
	m->part->threaded |= m->threads > 1;
	m->told_tick = r->tick;
	rollup_lived_add(&m->part->threads, from, m->threads);
	if (!m->row->closed && rollup_is_touched(r, m->row))
		add_told(r, m->part, m->row, m->threads, from);
}

/* A group that rows are never in, as what counts for no query in a view of queries, has
 * no time. */
static void add_time(struct rollup *r, struct group *g, const struct row *row, int64_t ns)
{
	struct part *p;

	if (r->by.only_members && g->n_rows == 0)
		return;
	p = rollup_part(r, g, row, false);
	p->threads.ns = gs_sum(p->threads.ns, ns);
}

/* Its threads' time of the tick. */
static int64_t time_of_tick(struct rollup *r, const struct row *row)
{
	int64_t covered = *rollup_covered(r, row->host), ns;

	return __builtin_mul_overflow(gs_difference(covered,
	    life_before(row, covered)), life_threads(row), &ns) ? 0 : ns;
}

/* Where the row worked in ticks that were left out, nobody knows when it moved. */
void rollup_life_moved(struct rollup *r, struct row *row, struct member *m)
{
	int64_t ns, one;
	struct group *also;
	struct charge c;

	if (!r->by.charge || !was_there(r, row) ||
	    (rollup_is_touched(r, row) && life_in_tick(row)))
		return;
	ns = time_of_tick(r, row);
	if (ns <= 0)
		return;
	c = r->by.charge(r->by.ctx, r, row, m ? m->in : NULL);
	also = c.to ? rollup_also(&c) : NULL;
	if (!c.to || (m && c.to == m->in && !also))
		return;
	one = also ? (int64_t)rollup_share((uint64_t)ns, c.share) : ns;
	if (m)
		m->part->threads.ns = gs_difference(m->part->threads.ns, ns);
	add_time(r, c.to, row, one);
	if (also)
		add_time(r, also, row, gs_difference(ns, one));
}

void rollup_life_change(struct rollup *r, struct member *m)
{
	int64_t threads = life_threads(m->row), from;

	/* one that joined is looked at again in its tick */
	if (threads == m->threads && (!row_left_out(m->row) ||
	    m->told_tick == r->tick))
		return;
	m->told_tick = r->tick;
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

	rollup_lived_add(&m->part->threads, row->closed || rollup_is_touched(r, row)
	    ? life_end(row, covered) : life_before(row, covered), -m->threads);
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
