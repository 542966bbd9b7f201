/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/reap.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/parents.h"
#include "base/mem.h"
#include "model/diff.h"

/* State of one parent: usage of ended children that has not appeared in the
 * parent's growth yet. */
struct book {
	struct row *parent; /* held */
	/* Debt, by age: since the newest key, and before it. */
	uint64_t debt[REAP_COUNT], old_debt[REAP_COUNT];
	uint64_t known[REAP_COUNT]; /* totals of children that ended in this
	                             * tick */
	uint64_t unseen[REAP_COUNT]; /* part of known, of children that ended in
	                              * a hole */
	/* The part of that which was not in the growth across the hole; kept
	 * for one tick. */
	uint64_t unsure[REAP_COUNT], next_unsure[REAP_COUNT];
	bool vanished;
	size_t at; /* index in list of the last tick + 1; 0: not in it */
};

struct reap {
	struct book **book; /* by serial of the parent */
	size_t cap;
	uint32_t *open; /* serials that have a book */
	size_t n_open, open_cap;
	struct residual *list;
	size_t n_list, list_cap;
	struct parents parents;
	bool after_key; /* the tick before was a key: debts age */
	bool begins; /* a range begins at the tick before: debts are dropped */
	bool used_debts; /* in the last tick */
};

struct reap *reap_new(void)
{
	return gs_calloc(1, sizeof(struct reap));
}

void reap_free(struct reap *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->n_open; i++) {
		row_drop(r->book[r->open[i]]->parent);
		free(r->book[r->open[i]]);
	}
	free(r->book);
	free(r->open);
	free(r->list);
	free(r);
}

unsigned reap_column(enum reap_col c)
{
	return usage_cols(c)->own;
}

static struct book *book_of(struct reap *r, struct row *parent)
{
	size_t old = r->cap;
	struct book *b;

	GS_GROW(r->book, &r->cap, (size_t)parent->serial + 1);
	memset(r->book + old, 0, (r->cap - old) * sizeof(*r->book));
	b = r->book[parent->serial];
	if (b)
		return b;
	b = gs_calloc(1, sizeof(*b));
	b->parent = parent;
	row_hold(parent);
	r->book[parent->serial] = b;
	GS_GROW(r->open, &r->open_cap, r->n_open + 1);
	r->open[r->n_open++] = parent->serial;
	return b;
}

static void child_vanished(struct reap *r, const struct world *w,
	const struct row *child)
{
	struct row *parent = parents_find(&r->parents, w, child);
	const struct book *own;
	uint64_t tick_us;
	struct book *b;
	int c;

	/* the first values of one that appears contain the child */
	if (!parent || parent->first_tick == world_ticks(w))
		return;
	tick_us = diff_tick_ns(child->host) / 1000;
	b = book_of(r, parent);
	b->vanished = true;
	own = child->serial < r->cap ? r->book[child->serial] : NULL;
	for (c = 0; c < REAP_COUNT; c++) {
		uint64_t v = usage_total(child->now, (enum reap_col)c,
		    tick_us);
		uint64_t owed = own ? own->debt[c] + own->old_debt[c] +
		    own->unsure[c] : 0; /* of its own children */

		r->used_debts |= owed > 0;
		v += owed;
		b->known[c] += v;
		if (child->closed == CLOSE_UNSEEN)
			b->unseen[c] += v;
	}
}

/* Growth of the parent's counter in the last tick; false if it is absent. */
static bool grown_by(const struct row *p, enum reap_col c, uint64_t *ret)
{
	uint64_t u, s;

	if (c != REAP_CPU)
		return diff_counter(p, usage_cols(c)->reaped, ret);
	if (!diff_counter(p, COL(PROCESS, CUTIME), &u) ||
	    !diff_counter(p, COL(PROCESS, CSTIME), &s))
		return false;
	*ret = (u + s) * (diff_tick_ns(p->host) / 1000);
	return true;
}

/* The part of it that other rows counted before.  The agent sets the cell when
 * there is some for the first time: absent is 0. */
static uint64_t counted(const struct row *p, enum reap_col c)
{
	unsigned col = usage_cols(c)->counted;

	return p->now.val[col] > p->was.val[col]
	    ? p->now.val[col] - p->was.val[col] : 0;
}

/* The part of it that no row has; counted usage makes no debt, since not every
 * child is reaped by its parent. */
static bool growth(const struct row *p, enum reap_col c, uint64_t *ret)
{
	if (!grown_by(p, c, ret))
		return false;
	*ret -= GS_MIN(*ret, counted(p, c));
	return true;
}

static bool grew(const struct row *p, unsigned col)
{
	uint64_t d;

	return diff_counter(p, col, &d) && d > 0;
}

/* True if the parent reaped children since the sample before. */
static bool reaped_some(const struct row *p)
{
	return grew(p, COL(PROCESS, CMINFLT)) ||
	    grew(p, COL(PROCESS, CUTIME)) ||
	    grew(p, COL(PROCESS, CSTIME)) ||
	    grew(p, COL(PROCESS, CMAJFLT));
}

/* CPU time that the host had in the last tick, idle or not, in us, plus a
 * margin for differing clocks; false if it is not known. */
static bool had(const struct host *h, uint64_t *ret_us)
{
	static const unsigned col[] = { COL(HOST, CPU_USER),
		COL(HOST, CPU_NICE), COL(HOST, CPU_SYSTEM),
		COL(HOST, CPU_IDLE), COL(HOST, CPU_IOWAIT),
		COL(HOST, CPU_IRQ), COL(HOST, CPU_SOFTIRQ),
		COL(HOST, CPU_STEAL) };
	const struct row *r = host_row(h);
	uint64_t d, ticks = 0;
	size_t i;

	for (i = 0; r && i < GS_LEN(col); i++)
		ticks += diff_counter(r, col[i], &d) ? d : 0;
	*ret_us = ticks * (diff_tick_ns(h) / 1000) / 4 * 5 + 1000000;
	return ticks > 0;
}

/* Usage above the host's CPU time since the last sample is not of this tick. */
static void refuse_old(struct residual *res)
{
	uint64_t most;

	if (!had(res->parent->host, &most) || res->amount[REAP_CPU] <= most)
		return;
	res->missing = res->present; /* CPU time among it */
	res->present = 0;
	memset(res->amount, 0, sizeof(res->amount));
}

static bool has(const struct residual *res, enum reap_col c)
{
	return res->present >> c & 1;
}

/* The CPU clock is finer than the ticks of user and system time: each seen
 * child may have used half a tick that its parent's counters contain and its
 * own do not.  So user and system time are limited to CPU time, if that is
 * known, even if 0. */
static void fit_ticks(struct residual *res, bool knows_cpu)
{
	uint64_t tick_us = diff_tick_ns(res->parent->host) / 1000;
	uint64_t u = has(res, REAP_UTIME) ? res->amount[REAP_UTIME] : 0;
	uint64_t s = has(res, REAP_STIME) ? res->amount[REAP_STIME] : 0;
	uint64_t cpu = res->amount[REAP_CPU], sum = (u + s) * tick_us;

	if (!knows_cpu || sum <= cpu)
		return;
	res->present |= 1U << REAP_CPU;
	res->amount[REAP_UTIME] = (uint64_t)((double)cpu * (double)u /
	    (double)sum + 0.5);
	res->amount[REAP_STIME] = (uint64_t)((double)cpu * (double)s /
	    (double)sum + 0.5);
}

static uint64_t pay(uint64_t *debt, uint64_t left)
{
	uint64_t paid = GS_MIN(*debt, left);

	*debt -= paid;
	return left - paid;
}

/* The rest of the growth: minus known usage of children, minus debt. */
static uint64_t settle(struct reap *r, struct book *b, int c, uint64_t grown)
{
	uint64_t sure = b->known[c] - b->unseen[c], rest;

	if (grown < b->known[c]) {
		b->debt[c] += sure > grown ? sure - grown : 0;
		b->next_unsure[c] = GS_MIN(b->unseen[c],
		    b->known[c] - grown);
		return 0;
	}
	grown -= b->known[c];
	rest = pay(&b->debt[c], pay(&b->old_debt[c], pay(&b->unsure[c],
	    grown)));
	r->used_debts |= rest < grown;
	return rest;
}

static void settle_book(struct reap *r, struct book *b, bool touched,
	bool reaped)
{
	struct residual *res;
	bool knows_cpu = false;
	int c;

	GS_GROW(r->list, &r->list_cap, r->n_list + 1);
	res = &r->list[r->n_list++];
	*res = (struct residual) { .parent = b->parent,
		.reaping = touched && (reaped || b->vanished) };
	b->at = r->n_list;
	for (c = 0; c < REAP_COUNT; c++) {
		uint64_t grown = 0, left;

		if (touched && !growth(b->parent, (enum reap_col)c, &grown))
			continue;
		if (touched && c >= REAP_FIRST_IO && !res->reaping)
			continue;
		left = settle(r, b, c, grown);
		if (left > 0) {
			res->amount[c] = left;
			res->present |= 1U << c;
		}
		knows_cpu |= c == REAP_CPU;
	}
	fit_ticks(res, knows_cpu);
	refuse_old(res);
}

static void age_debts(struct book *b)
{
	memcpy(b->old_debt, b->debt, sizeof(b->debt));
	memset(b->debt, 0, sizeof(b->debt));
}

/* A new tick: totals of the last one are dropped. */
static void begin_books(struct reap *r)
{
	size_t i;

	for (i = 0; i < r->n_open; i++) {
		struct book *b = r->book[r->open[i]];

		b->vanished = false;
		b->at = 0;
		memset(b->known, 0, sizeof(b->known));
		memset(b->unseen, 0, sizeof(b->unseen));
		memcpy(b->unsure, b->next_unsure, sizeof(b->unsure));
		memset(b->next_unsure, 0, sizeof(b->next_unsure));
		if (r->after_key)
			age_debts(b);
	}
	r->n_list = 0;
}

/* Frees the books of ended parents; or all. */
static void drop_books(struct reap *r, bool all)
{
	size_t i, kept = 0;

	for (i = 0; i < r->n_open; i++) {
		uint32_t serial = r->open[i];
		struct book *b = r->book[serial];

		if (!all && !b->parent->closed) {
			r->open[kept++] = serial;
			continue;
		}
		r->book[serial] = NULL;
		row_drop(b->parent);
		free(b);
	}
	r->n_open = kept;
}

/* Reads the recorded residual of one parent. */
static bool read_sums(const struct row *row, struct residual *res)
{
	uint64_t v;
	int c;

	for (c = 0; c < REAP_COUNT; c++) {
		unsigned col = reap_column((enum reap_col)c);

		if (row_sum(row, col, SUM_LEFT, &v)) {
			res->amount[c] = v;
			res->present |= 1U << c;
		}
		if (row_sum(row, col, SUM_LEFT_UNKNOWN, &v))
			res->missing |= 1U << c;
		if (row_sum(row, col, SUM_OWN, &v))
			res->reaping = res->mixed = true;
	}
	return res->present || res->missing || res->reaping;
}

static void read_list(struct reap *r, const struct world *w)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);

	for (i = 0; i < n; i++) {
		struct residual res = { .parent = touched[i] };

		if (touched[i]->entity != ENTITY_PROCESS ||
		    !row_left_out(touched[i]) ||
		    !read_sums(touched[i], &res))
			continue;
		GS_GROW(r->list, &r->list_cap, r->n_list + 1);
		r->list[r->n_list++] = res;
		book_of(r, touched[i])->at = r->n_list;
	}
}

static int by_serial(const void *pa, const void *pb)
{
	const struct residual *a = pa, *b = pb;

	return (a->parent->serial > b->parent->serial) -
	    (a->parent->serial < b->parent->serial);
}

/* In the order in which parents came: that of touched rows depends on who has read the
 * ticks. */
static void put_in_order(struct reap *r)
{
	size_t i;

	if (r->n_list < 2)
		return;
	qsort(r->list, r->n_list, sizeof(*r->list), by_serial);
	for (i = 0; i < r->n_list; i++)
		r->book[r->list[i].parent->serial]->at = i + 1;
}

static void settle_books(struct reap *r, const struct world *w)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);

	for (i = 0; i < n; i++) {
		if (touched[i]->entity == ENTITY_PROCESS &&
		    touched[i]->closed)
			child_vanished(r, w, touched[i]);
	}
	drop_books(r, false);
	for (i = 0; i < n; i++) {
		struct row *row = touched[i];
		struct book *b = row->serial < r->cap
		    ? r->book[row->serial] : NULL;
		bool reaped;

		if (row->entity != ENTITY_PROCESS || row->closed)
			continue;
		reaped = reaped_some(row);
		if (reaped && !b)
			b = book_of(r, row);
		if (b)
			settle_book(r, b, true, reaped);
	}
	for (i = 0; i < r->n_open; i++) {
		struct book *b = r->book[r->open[i]];

		if (b->at == 0 && b->vanished)
			settle_book(r, b, false, false);
	}
	put_in_order(r);
}

void reap_tick(struct reap *r, const struct world *w, bool key)
{
	parents_tick(&r->parents, w, key);
	begin_books(r);
	r->used_debts = false;
	if (r->begins)
		drop_books(r, true);
	r->after_key = key;
	r->begins = false;
	if (world_is_thinned(w)) {
		drop_books(r, false);
		read_list(r, w);
	} else {
		settle_books(r, w);
	}
}

void reap_begin(struct reap *r)
{
	r->begins = true;
}

bool reap_used_debts(const struct reap *r)
{
	return r->used_debts;
}

const struct residual *reap_list(const struct reap *r, size_t *ret_n)
{
	*ret_n = r->n_list;
	return r->list;
}

const struct residual *reap_of(const struct reap *r, const struct row *row)
{
	const struct book *b = row->serial < r->cap ? r->book[row->serial]
	                                            : NULL;

	return b && b->at ? &r->list[b->at - 1] : NULL;
}

/* ---- another world ------------------------------------------------------ */

struct owed {
	uint32_t host;
	uint64_t pid, start; /* of the parent */
	struct book is;
};

struct reap_debts {
	struct owed *owed;
	size_t n;
	bool after_key, begins; /* as in reap */
};

struct reap_debts *reap_debts(const struct reap *r)
{
	struct reap_debts *d = gs_calloc(1, sizeof(*d));
	size_t i;

	d->after_key = r->after_key;
	d->begins = r->begins;
	d->owed = gs_calloc(r->n_open + 1, sizeof(*d->owed));
	for (i = 0; i < r->n_open; i++) {
		const struct book *b = r->book[r->open[i]];
		struct owed *to = &d->owed[d->n];

		*to = (struct owed) { .host = b->parent->host->index,
			.is = *b };
		d->n += row_get(b->parent, COL(PROCESS, PID), &to->pid) &&
		    row_get(b->parent, COL(PROCESS, START), &to->start);
	}
	return d;
}

void reap_debts_free(struct reap_debts *d)
{
	if (d)
		free(d->owed);
	free(d);
}

static struct row *find_same(struct reap *reap, const struct world *w,
	const struct owed *o)
{
	const struct host *h = world_host_of(w, o->host);
	struct row *r = h ? parents_live(&reap->parents, h, o->pid) : NULL;
	uint64_t start;

	return r && row_get(r, COL(PROCESS, START), &start) &&
	    start == o->start ? r : NULL;
}

void reap_take_debts(struct reap *r, const struct world *w,
	const struct reap_debts *d)
{
	size_t i;

	drop_books(r, true);
	r->parents = (struct parents) { .near = 0 }; /* another world's */
	r->after_key = d->after_key;
	r->begins = d->begins;
	for (i = 0; i < d->n; i++) {
		struct row *parent = find_same(r, w, &d->owed[i]);
		struct book *b = parent ? book_of(r, parent) : NULL;

		if (!b)
			continue;
		*b = d->owed[i].is;
		b->parent = parent;
		b->at = 0;
	}
}
