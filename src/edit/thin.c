/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/thin.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/life.h"
#include "analysis/reap.h"
#include "base/arith.h"
#include "base/buf.h"
#include "base/mem.h"
#include "edit/thin_threads.h"
#include "edit/thin_waits.h"
#include "model/diff.h"

/* Changes of one row since it was written. */
struct tally {
	struct row *row; /* held */
	struct cells was; /* when it was written; all absent if it was not */
	bool born; /* since then */
	/* its first sample, and its last one, by its host's clocks */
	struct instant {
		bool known;
		int64_t mono_ns, wall_ns;
	} begin, end;
	struct thread_time threads;
	uint64_t *grown; /* increase by column */
	uint64_t seen[COL_WORDS_MAX]; /* columns of which it is known */
	uint32_t own; /* bit per reap_col whose not_own is valid */
	uint32_t unknown; /* bit per reap_col */
	uint64_t left[REAP_COUNT];
	uint64_t not_own[REAP_COUNT]; /* of grown */
};

struct thin {
	int64_t every_ns;
	int64_t kept; /* number of the current interval */
	bool any;
	struct reap *reap;
	struct thin_waits *waits;
	struct tally **of; /* by serial of the row; NULL: no changes */
	size_t of_cap;
	struct tally **all;
	size_t n_all, all_cap;
	struct thin_covered covered;
	bool *fresh; /* by position of the host */
	size_t n_fresh, fresh_cap;
	uint64_t counters[ENTITY_COUNT][COL_WORDS_MAX];
	struct tick_sum *sum;
	size_t n_sum, sum_cap;
	struct row_waited *waited; /* of one row */
	size_t waited_cap;
};

static void find_counters(struct thin *t)
{
	int e;
	unsigned i;

	for (e = 0; e < ENTITY_COUNT; e++) {
		const struct entity *en = entity_get((enum entity_id)e);

		for (i = 0; i < en->ncols; i++) {
			if (metric_is_counter(&en->metrics[i]))
				t->counters[e][i / 64] |= UINT64_C(1)
				    << (i % 64);
		}
	}
}

struct thin *thin_new(int64_t every_ns)
{
	struct thin *t = gs_calloc(1, sizeof(*t));

	t->every_ns = every_ns;
	t->reap = reap_new();
	t->waits = thin_waits_new();
	find_counters(t);
	return t;
}

static void tally_free(struct tally *a)
{
	row_drop(a->row);
	cells_free(a->was);
	free(a->grown);
	free(a);
}

void thin_free(struct thin *t)
{
	if (!t)
		return;
	thin_written(t);
	reap_free(t->reap);
	thin_waits_free(t->waits);
	free(t->of);
	free(t->all);
	free(t->fresh);
	thin_covered_release(&t->covered);
	free(t->sum);
	free(t->waited);
	free(t);
}

void thin_written(struct thin *t)
{
	size_t i;

	for (i = 0; i < t->n_all; i++) {
		t->of[t->all[i]->row->serial] = NULL;
		tally_free(t->all[i]);
	}
	t->n_all = 0;
	t->n_fresh = 0;
	thin_covered_kept(&t->covered);
	thin_waits_written(t->waits);
}

void thin_header(const struct thin *t, struct header *h, bool numbered)
{
	if (h->thinned_ns == 0)
		h->thinned_ns = h->interval_ns;
	h->interval_ns = t->every_ns;
	h->incompat &= ~FEATURE_LEFT_OUT;
	h->incompat |= FEATURE_THINNED | (numbered ? FEATURE_LEFT_OUT : 0);
}

/* ---- accumulating ----------------------------------------------------- */

static struct tally *tally_of(struct thin *t, const struct world *w,
	struct row *r)
{
	size_t old = t->of_cap;
	enum entity_id e = r->entity;
	struct tally *a;

	GS_GROW(t->of, &t->of_cap, (size_t)r->serial + 1);
	memset(t->of + old, 0, (t->of_cap - old) * sizeof(*t->of));
	if (t->of[r->serial])
		return t->of[r->serial];
	a = gs_calloc(1, sizeof(*a));
	a->row = r;
	row_hold(r);
	a->was = cells_new(e);
	if (r->touched_tick == world_ticks(w))
		cells_copy(e, a->was, r->was);
	else
		cells_copy(e, a->was, r->now);
	a->born = r->first_tick == world_ticks(w) &&
	    r->opened == OPEN_BORN;
	if (e == ENTITY_PROCESS && r->first_tick != world_ticks(w))
		thread_time_begin(&a->threads, &t->covered, r,
		    life_threads_in(a->was));
	a->grown = gs_calloc(entity_get(e)->ncols, sizeof(*a->grown));
	t->of[r->serial] = a;
	GS_GROW(t->all, &t->all_cap, t->n_all + 1);
	t->all[t->n_all++] = a;
	return a;
}

static void add_growth(struct thin *t, struct tally *a)
{
	enum entity_id e = a->row->entity;
	size_t w, words = COL_WORDS(entity_get(e)->ncols);

	for (w = 0; w < words; w++) {
		uint64_t bits = t->counters[e][w];

		for (; bits; bits &= bits - 1) {
			unsigned col = (unsigned)(w * 64) + gs_ctz64(bits);
			uint64_t d;

			if (!diff_counter(a->row, col, &d))
				continue;
			a->grown[col] += d;
			a->seen[w] |= UINT64_C(1) << (col % 64);
		}
	}
}

/* For counters that include children, the part that is not the row's own. */
static void add_not_own(struct tally *a, const struct residual *res)
{
	int c;

	for (c = REAP_FIRST_IO; c < REAP_COUNT; c++) {
		unsigned col = reap_column((enum reap_col)c);
		uint64_t d, own = 0;

		if (!diff_counter(a->row, col, &d))
			continue;
		a->own |= 1U << c;
		if (res->mixed)
			(void)row_sum(a->row, col, SUM_OWN, &own);
		a->not_own[c] += d - own;
	}
}

static void add_residual(struct tally *a, const struct residual *res)
{
	int c;

	for (c = 0; c < REAP_COUNT; c++) {
		if (res->present >> c & 1)
			a->left[c] += res->amount[c];
	}
	a->unknown |= res->missing;
	if (res->reaping)
		add_not_own(a, res);
}

/* Where ticks were left out before and nothing is told, nobody knows it. */
static void note_begin(struct tally *a, const struct world *w)
{
	const struct row *r = a->row;
	const struct sample_clock *c = &r->host->clock;
	int64_t before = 0;

	if (a->begin.known || a->born || r->first_tick != world_ticks(w))
		return;
	if (row_told_begin(r, &before) || !world_is_thinned(w))
		a->begin = (struct instant) { true,
			gs_difference(c->mono_ns, before),
			gs_difference(c->wall_ns, before) };
}

static void note_end(struct tally *a)
{
	const struct row *r = a->row;
	const struct host *h = r->host;
	int64_t before;

	if (!r->closed)
		return;
	if (row_told_end(r, &before))
		a->end = (struct instant) { true,
			gs_difference(h->clock.mono_ns, before), r->last_ns };
	else if (!row_left_out(r) && !row_is_brief(r))
		a->end = (struct instant) { true, h->prev.mono_ns, r->last_ns };
}

static bool has_counters(const struct thin *t, enum entity_id e)
{
	unsigned w;

	for (w = 0; w < COL_WORDS_MAX; w++) {
		if (t->counters[e][w])
			return true;
	}
	return false;
}

/* Of others nobody shows how long they lived, or divides by that time. */
static void note_life(const struct thin *t, struct tally *a, const struct world *w)
{
	enum entity_id e = a->row->entity;

	if ((!entity_get(e)->has_birth && e != ENTITY_BACKEND && !has_counters(t, e)) ||
	    !a->row->host->sampled)
		return;
	note_begin(a, w);
	note_end(a);
	if (e == ENTITY_PROCESS)
		thread_time_tick(&a->threads, &t->covered, a->row);
}

static void note_hosts(struct thin *t, const struct world *w)
{
	size_t i;

	GS_GROW(t->fresh, &t->fresh_cap, world_hosts(w));
	while (t->n_fresh < world_hosts(w))
		t->fresh[t->n_fresh++] = false;
	for (i = 0; i < t->n_fresh; i++)
		t->fresh[i] |= world_host(w, i)->sampled;
}

static bool passes(struct thin *t, int64_t nominal_ns)
{
	int64_t at = nominal_ns / t->every_ns -
	    (nominal_ns % t->every_ns < 0);
	bool is = !t->any || at != t->kept;

	t->kept = at;
	t->any = true;
	return is;
}

static void add_tick(struct thin *t, const struct world *w, bool key)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);
	const struct residual *res;

	reap_tick(t->reap, w, key);
	for (i = 0; i < n; i++) {
		struct tally *a = tally_of(t, w, touched[i]);

		add_growth(t, a);
		note_life(t, a, w);
	}
	res = reap_list(t->reap, &n);
	for (i = 0; i < n; i++) {
		if (res[i].present || res[i].missing || res[i].reaping)
			add_residual(tally_of(t, w, res[i].parent), &res[i]);
	}
}

bool thin_tick(struct thin *t, const struct world *w,
	const struct sessions *sessions, int64_t interval_ns, bool key,
	int64_t nominal_ns)
{
	note_hosts(t, w);
	thin_covered_tick(&t->covered, w);
	add_tick(t, w, key);
	thin_waits_tick(t->waits, w, sessions, interval_ns);
	return passes(t, nominal_ns);
}

void thin_repeat(struct thin *t, const struct world *w)
{
	add_tick(t, w, false);
}

bool thin_is_fresh(const struct thin *t, size_t i)
{
	return i < t->n_fresh && t->fresh[i];
}

/* ---- writing ---------------------------------------------------------- */

static void add_sum(struct thin *t, unsigned col, enum sum_of of,
	uint64_t amount)
{
	GS_GROW(t->sum, &t->sum_cap, t->n_sum + 1);
	t->sum[t->n_sum++] = (struct tick_sum) { .col = (uint16_t)col,
		.of = (uint16_t)of, .amount = amount };
}

/* Whether a reader would compute it from the cells alone.  It may not have the cell any
 * more, as of a zombie. */
static bool is_concluded(const struct tally *a, unsigned col)
{
	struct row seen = *a->row;
	uint64_t d = 0;

	seen.was = a->was;
	seen.left_out = NULL; /* the sums of this tick come from here */
	seen.opened = a->born ? OPEN_BORN : OPEN_APPEARED;
	seen.touched_tick = seen.first_tick;
	return diff_counter(&seen, col, &d) ? d == a->grown[col]
	    : !(a->seen[col / 64] >> (col % 64) & 1);
}

static void add_growth_sums(struct thin *t, const struct tally *a)
{
	const struct entity *en = entity_get(a->row->entity);
	unsigned col;

	for (col = 0; col < en->ncols; col++) {
		if (metric_is_counter(&en->metrics[col]) &&
		    !is_concluded(a, col))
			add_sum(t, col, SUM_GROWN, a->grown[col]);
	}
}

static void add_left_sums(struct thin *t, const struct tally *a)
{
	int c;

	for (c = 0; c < REAP_COUNT; c++) {
		unsigned col = reap_column((enum reap_col)c);

		if (a->left[c])
			add_sum(t, col, SUM_LEFT, a->left[c]);
		if (a->unknown >> c & 1)
			add_sum(t, col, SUM_LEFT_UNKNOWN, 1);
		if (a->own >> c & 1)
			add_sum(t, col, SUM_OWN,
			    a->grown[col] - a->not_own[c]);
	}
}

/* NULL: nothing changed since it was written. */
static const struct tally *find_tally(const struct thin *t, const struct row *r)
{
	return r->serial < t->of_cap ? t->of[r->serial] : NULL;
}

const struct tick_sum *thin_sums(void *thin, const struct row *r, size_t *ret_n)
{
	struct thin *t = thin;
	const struct tally *a = find_tally(t, r);

	t->n_sum = 0;
	if (a) {
		add_growth_sums(t, a);
		if (r->entity == ENTITY_PROCESS)
			add_left_sums(t, a);
	}
	*ret_n = t->n_sum;
	return t->sum;
}

void thin_collect(struct thin *t)
{
	thin_waits_collect(t->waits);
}

static char no_text[] = "";

/* Adds when that was to the n that are told of a row; there is room. */
static size_t add_instant(struct thin *t, const struct sample_clock *now,
	uint32_t kind, const struct instant *at, size_t n)
{
	int64_t before = gs_difference(now->mono_ns, at->mono_ns);

	if (!at->known || before < 0)
		return n;
	t->waited[n] = (struct row_waited) { .kind = kind, .event = no_text,
		.query = no_text };
	t->waited[n].amount[0] = before;
	t->waited[n].amount[1] = gs_difference(
	    gs_difference(now->wall_ns, at->wall_ns), before);
	return n + 1;
}

static size_t add_threads(struct thin *t, const struct tally *a, size_t n)
{
	int64_t ns;

	if (!thread_time_get(&a->threads, &t->covered, a->row, &ns))
		return n;
	t->waited[n] = (struct row_waited) { .kind = WAITED_THREADS, .event = no_text,
		.query = no_text, .amount = { ns } };
	return n + 1;
}

const struct row_waited *thin_waited(void *thin, const struct row *r,
	size_t *ret_n)
{
	struct thin *t = thin;
	const struct tally *a = find_tally(t, r);
	const struct row_waited *of = thin_waits_of(t->waits, r, ret_n);
	const struct sample_clock *now = &r->host->clock;

	if (!a || (!a->begin.known && !a->end.known && !a->threads.varies))
		return of;
	GS_GROW(t->waited, &t->waited_cap, *ret_n + 3);
	if (*ret_n > 0)
		memcpy(t->waited, of, *ret_n * sizeof(*of));
	*ret_n = add_instant(t, now, WAITED_BEGIN, &a->begin, *ret_n);
	*ret_n = add_instant(t, now, WAITED_END, &a->end, *ret_n);
	*ret_n = add_threads(t, a, *ret_n);
	return t->waited;
}
