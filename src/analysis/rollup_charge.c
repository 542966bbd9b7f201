/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rollup_charge.c - counters: the groups that count a row's growth in a tick.
 */
#include "analysis/rollup_int.h"

#include <string.h>

#include "base/arith.h"
#include "model/diff.h"

/* The part of a group in which a charge is counted. */
struct account {
	struct group *group;
	struct part *part;
};

static void open_account(struct rollup *r, struct account *a,
	struct group *g, struct row *row, bool fresh)
{
	const struct member *m = *rollup_slot(r, row);

	a->group = g;
	a->part = m && m->in == g ? m->part
	                          : rollup_part(r, g, row, fresh);
	/* another row may have joined the group in this tick */
	if (life_in_tick(row))
		a->part->since_ns = GS_MIN(a->part->since_ns,
		    rollup_came(r, row));
	if (!g->row && (g->n_live > 0 || !r->by.only_members))
		rollup_set_row(g, row);
}

/* What a fresh row did before is not known.  A process that comes after a hole
 * that is not covered began in it. */
static void note_late(struct rollup *r, struct account a[2],
	const struct row *row)
{
	if (*rollup_covered(r, row->host) == 0 ||
	    (entity_get(row->entity)->has_birth &&
		diff_elapsed_ns(row->host) == 0))
		return;
	a[0].part->late = true;
	if (a[1].part)
		a[1].part->late = true;
}

/* Its part has the column. */
static inline void add_growth(struct rollup *r, struct part *p, unsigned k,
	uint64_t d)
{
	p->v[k] = gs_sum(p->v[k], (int64_t)d);
	if (r->n_tau > 0)
		rollup_ema_book(r, p, k, d);
}

/* Most counters of a row that did something did not grow. */
static inline void book_part(struct rollup *r, struct part *p, unsigned k,
	uint64_t d)
{
	rollup_bit_set(part_present(r, p), k);
	if (d != 0)
		add_growth(r, p, k, d);
}

/* Adds an amount to one account, or splits it between two. */
static inline void book(struct rollup *r, const struct account a[2],
	unsigned k, uint64_t d, uint32_t share)
{
	uint64_t one = a[1].part ? rollup_share(d, share) : d;

	book_part(r, a[0].part, k, one);
	if (a[1].part)
		book_part(r, a[1].part, k, d - one);
}

static void open_accounts(struct rollup *r, struct account a[2],
	const struct charge *c, struct row *row, bool fresh)
{
	struct group *also = rollup_also(c);

	open_account(r, &a[0], c->to, row, fresh);
	if (also)
		open_account(r, &a[1], also, row, fresh);
}

/* The counter contains usage that is not in the residual. */
static bool is_own(const struct rollup *r, const struct residual *res,
	unsigned k)
{
	return !res || !res->reaping || res->mixed || !rollup_bit(r->reaped, k);
}

static bool growth(const struct row *row, const struct residual *res,
	unsigned col, uint64_t *ret)
{
	return (res && res->mixed && row_sum(row, col, SUM_OWN, ret)) ||
	    diff_counter(row, col, ret);
}

/* The counter is as it was, as most are, and nothing else tells of it. */
static bool is_idle(const struct row *row, const struct residual *res,
	unsigned col)
{
	return !res && !row->left_out &&
	    row->now.val[col] == row->was.val[col] &&
	    cells_has(row->now, col) && cells_has(row->was, col);
}

/* Adds the growth of the counter at position k. */
static void charge_counter(struct rollup *r, struct row *row,
	const struct account a[2], unsigned k, const struct residual *res,
	uint32_t share)
{
	uint64_t d;

	if (is_idle(row, res, r->col[k])) {
		book(r, a, k, 0, share);
		return;
	}
	if (!is_own(r, res, k))
		return;
	if (!growth(row, res, r->col[k], &d)) {
		rollup_bit_set(part_missing(r, a[0].part), k);
		if (a[1].part)
			rollup_bit_set(part_missing(r, a[1].part), k);
		return;
	}
	book(r, a, k, d, share);
	if (d == 0 && diff_was_reset(row, r->col[k]))
		a[0].part->resets++;
}

/* The row is charged to its own part, and to no other, by its cells alone. */
static bool is_plain(const struct row *row, const struct member *m,
	const struct account a[2], const struct residual *res)
{
	return m && !res && !row->left_out && a[0].part == m->part &&
	    !a[1].part;
}

static bool has_same_cells(const struct row *row)
{
	return memcmp(row->now.present, row->was.present,
	    COL_WORDS(entity_get(row->entity)->ncols) *
	    sizeof(*row->now.present)) == 0;
}

/* Only the counters that are not what they were. */
static void charge_changes(struct rollup *r, struct row *row,
	const struct account a[2])
{
	const uint64_t *now = row->now.val, *was = row->was.val;
	unsigned i;

	for (i = 0; i < r->n_counter; i++) {
		unsigned k = r->counter[i], col = r->col[k];

		if (now[col] > was[col])
			add_growth(r, a[0].part, k, now[col] - was[col]);
		else if (now[col] < was[col])
			charge_counter(r, row, a, k, NULL, 0);
	}
}

/* All counters: one that was absent counts from 0, if the row was born. */
static void charge_cells(struct rollup *r, struct row *row,
	const struct account a[2])
{
	const uint64_t *now = row->now.val, *was = row->was.val;
	bool born = life_is_born(row);
	unsigned i;

	for (i = 0; i < r->n_counter; i++) {
		unsigned k = r->counter[i], col = r->col[k];

		if (!cells_has(row->now, col))
			rollup_bit_set(part_missing(r, a[0].part), k);
		else if (now[col] < was[col])
			charge_counter(r, row, a, k, NULL, 0);
		else
			book_part(r, a[0].part, k, born ||
			    cells_has(row->was, col) ? now[col] - was[col]
			    : 0);
	}
}

static void charge_all(struct rollup *r, struct row *row,
	const struct account a[2], const struct residual *res, uint32_t share)
{
	unsigned i;

	for (i = 0; i < r->n_counter; i++)
		charge_counter(r, row, a, r->counter[i], res, share);
}

void rollup_charge(struct rollup *r, struct row *row, struct group *in,
	const struct residual *res)
{
	struct member *m = *rollup_slot(r, row);
	struct charge c = { .to = m ? m->in : in };
	struct account a[2] = { { NULL, NULL }, { NULL, NULL } };
	bool fresh = rollup_is_fresh(r, row), plain;

	if (r->by.charge)
		c = r->by.charge(r->by.ctx, r, row, c.to);
	if (!c.to)
		return;
	open_accounts(r, a, &c, row, fresh);
	if (fresh)
		note_late(r, a, row);
	plain = is_plain(row, m, a, res);
	if (plain && m->charged && has_same_cells(row))
		charge_changes(r, row, a);
	else if (plain)
		charge_cells(r, row, a);
	else
		charge_all(r, row, a, res, c.share);
	if (plain)
		m->charged = true;
}

/* Exited children's time is that of their parent. */
static void cover_as(const struct rollup *r, const struct member *m,
	struct part *p)
{
	bool found = m->row->opened != OPEN_BORN && m->row->first_tick > 1;

	p->since_ns = m->part->since_ns;
	p->fresh = m->part->fresh || (found &&
	    m->row->first_tick == r->from_tick);
	p->later = found && !p->fresh;
}

void rollup_charge_residual(struct rollup *r, const struct residual *res)
{
	struct account a[2] = { { NULL, NULL }, { NULL, NULL } };
	struct row *parent = res->parent;
	const struct member *m = *rollup_slot(r, parent);
	struct charge to;
	int c;

	if (!(res->present | res->missing) || !r->by.residual)
		return;
	to = r->by.residual(r->by.ctx, r, parent);
	if (!to.to)
		return;
	open_accounts(r, a, &to, parent, false);
	if (to.to->residual && m)
		cover_as(r, m, a[0].part);
	a[0].part->reaped_old |= res->missing != 0;
	for (c = 0; c < REAP_COUNT; c++) {
		int k = r->pos[reap_column((enum reap_col)c)];

		if (k >= 0 && res->missing >> c & 1)
			rollup_bit_set(part_missing(r, a[0].part), (unsigned)k);
		if (k < 0 || !(res->present >> c & 1))
			continue;
		book(r, a, (unsigned)k, res->amount[c], to.share);
		to.to->reaped |= res->amount[c] > 0;
	}
}
