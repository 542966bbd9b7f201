#include "model/rollup_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"
#include "model/diff.h"

struct rollup *rollup_new(enum entity_id e,
	const uint64_t want[COL_WORDS_MAX], const struct rollup_by *by)
{
	struct rollup *r = gs_calloc(1, sizeof(*r));
	const struct entity *en = entity_get(e);
	unsigned i;

	r->entity = e;
	r->by = *by;
	for (i = 0; i < COLS_MAX; i++)
		r->pos[i] = -1;
	for (i = 0; i < en->ncols; i++) {
		const struct metric *m = &en->metrics[i];

		if (!(want[i / 64] >> (i % 64) & 1) || metric_is_text(m))
			continue;
		r->pos[i] = (int16_t)r->n_col;
		r->col[r->n_col] = i;
		if (metric_is_counter(m))
			rollup_bit_set(&r->counters, r->n_col);
		if (m->flags & F_REAPED)
			rollup_bit_set(&r->reaped, r->n_col);
		r->n_col++;
	}
	r->n_word = (unsigned)COL_WORDS(r->n_col);
	return r;
}

static void part_free(struct part *p)
{
	free(p->ema);
	free(p);
}

void rollup_group_free(struct rollup *r, struct group *g)
{
	size_t i;

	if (r->by.gone)
		r->by.gone(r->by.ctx, g);
	for (i = 0; i < g->n_part; i++)
		part_free(g->part[i]);
	free(g->part);
	free(g->peak);
	free(g->last);
	if (g->row)
		row_drop(g->row);
	free((void *)(uintptr_t)g->key);
}

void rollup_free(struct rollup *r)
{
	struct rollup_entry *e, *tmp;
	size_t i;

	if (!r)
		return;
	rollup_unfold(r);
	HASH_ITER (hh, r->by_key, e, tmp) {
		HASH_DEL(r->by_key, e);
		rollup_group_free(r, &e->group);
		free(e);
	}
	for (i = 0; i < r->member_cap; i++)
		free(r->member[i]);
	free(r->group);
	free(r->member);
	free(r->live);
	free(r->covered);
	free(r->passed);
	free(r->ending);
	free(r);
}

struct group *rollup_group(struct rollup *r, const void *key, size_t len,
	bool *ret_new)
{
	struct rollup_entry *e = NULL;

	HASH_FIND(hh, r->by_key, key, len, e);
	*ret_new = e == NULL;
	if (e)
		return &e->group;
	e = gs_calloc(1, sizeof(*e));
	e->group.key = gs_strndup(key, len);
	e->group.key_len = len;
	e->group.peak = gs_calloc(r->n_col, sizeof(int64_t));
	e->group.last = gs_calloc(r->n_col, sizeof(int64_t));
	HASH_ADD_KEYPTR(hh, r->by_key, e->group.key, len, e);
	GS_GROW(r->group, &r->group_cap, r->n_group + 1);
	r->group[r->n_group++] = &e->group;
	return &e->group;
}

struct group *rollup_find(const struct rollup *r, const void *key,
	size_t len)
{
	struct rollup_entry *e = NULL;

	HASH_FIND(hh, r->by_key, key, len, e);
	return e ? &e->group : NULL;
}

static int64_t *covered_of(struct rollup *r, const struct host *h)
{
	size_t old = r->covered_cap;

	GS_GROW(r->covered, &r->covered_cap, (size_t)h->index + 1);
	memset(r->covered + old, 0, (r->covered_cap - old) *
	    sizeof(*r->covered));
	return &r->covered[h->index];
}

/* Where ticks were left out, a row may have worked between two. */
static bool in_tick(const struct row *row)
{
	return row->sum_tick == row->touched_tick || row_ended_late(row);
}

/* The host's covered time at its sample before. */
static int64_t before_tick(struct rollup *r, const struct row *row)
{
	return gs_difference(*covered_of(r, row->host), row->host->sampled
	    ? diff_elapsed_ns(row->host) : 0);
}

/* fresh: rows of it existed before they were seen, so that their figures
 * start where the host's covered time is now. */
static struct part *part_of(struct rollup *r, struct group *g,
	const struct row *row, bool fresh)
{
	struct host *h = row->host;
	struct part *p;
	size_t i;

	for (i = 0; i < g->n_part; i++) {
		if (g->part[i]->host == h)
			return g->part[i];
	}
	p = gs_calloc(1, sizeof(*p) + r->n_col * sizeof(int64_t));
	p->host = h;
	p->since_ns = !fresh ? 0 : in_tick(row) ? before_tick(r, row)
	    : *covered_of(r, h);
	p->left_ns = -1;
	g->part = gs_realloc(g->part, (g->n_part + 1) * sizeof(*g->part));
	g->part[g->n_part++] = p;
	return p;
}

/* ---- gauges: rows that are in a group now ----------------------------- */

/* Takes the member's gauges out of its group. */
static void take_out(const struct rollup *r, struct member *m)
{
	unsigned w;

	for (w = 0; w < r->n_word; w++) {
		uint64_t bits = m->present.w[w]; /* no counter is in it */

		for (; bits; bits &= bits - 1) {
			unsigned k = w * 64 + gs_ctz64(bits);

			m->part->v[k] = gs_difference(m->part->v[k],
			    m->v[k]);
		}
		m->present.w[w] = 0;
	}
}

static void put_in(const struct rollup *r, struct member *m,
	const struct row *row)
{
	unsigned k;

	for (k = 0; k < r->n_col; k++) {
		uint64_t v;

		if (rollup_bit(&r->counters, k))
			continue;
		/* kernel threads and zombies have no memory to speak of */
		if (!row_get(row, r->col[k], &v))
			continue;
		m->v[k] = (int64_t)v;
		m->part->v[k] = gs_sum(m->part->v[k], m->v[k]);
		rollup_bit_set(&m->present, k);
		rollup_bit_set(&m->part->present, k);
	}
}

/* Before a group loses its last row, its sums are kept. */
static void keep_last(struct rollup *r, struct group *g)
{
	size_t i;
	unsigned k;

	if (g->ended || g->n_live == 0)
		return;
	memset(g->last, 0, r->n_col * sizeof(*g->last));
	g->last_present = (struct rollup_bits) { { 0 } };
	for (i = 0; i < g->n_part; i++) {
		rollup_bits_add(&g->last_present, &g->part[i]->present);
		for (k = 0; k < r->n_col; k++)
			g->last[k] = gs_sum(g->last[k], g->part[i]->v[k]);
	}
	g->ended = true; /* taken back below if a row is still in it */
	GS_GROW(r->ending, &r->ending_cap, r->n_ending + 1);
	r->ending[r->n_ending++] = g;
}

static void settle_ending(struct rollup *r)
{
	size_t i;

	for (i = 0; i < r->n_ending; i++) {
		struct group *g = r->ending[i];

		g->ended = g->n_live == 0;
		if (g->ended && g->row && !r->by.keeps_rows) {
			row_drop(g->row);
			g->row = NULL;
		}
	}
	r->n_ending = 0;
}

static struct member **slot_of(struct rollup *r, const struct row *row)
{
	size_t old = r->member_cap;

	GS_GROW(r->member, &r->member_cap, (size_t)row->serial + 1);
	memset(r->member + old, 0, (r->member_cap - old) *
	    sizeof(*r->member));
	return &r->member[row->serial];
}

/* What exited does nothing any more; what is only seen no more may. */
static void part_lost_row(struct rollup *r, struct part *p,
	const struct row *row)
{
	if (--p->n_live == 0 && row->closed && row->closed != CLOSE_EXITED)
		p->left_ns = in_tick(row) ? *covered_of(r, row->host)
		    : before_tick(r, row);
}

static void part_got_row(struct rollup *r, struct part *p,
	const struct row *row)
{
	if (p->n_live++ == 0 && p->left_ns >= 0)
		p->since_ns = gs_sum(p->since_ns, GS_MAX(0, gs_difference(
		    in_tick(row) ? before_tick(r, row) :
		    *covered_of(r, row->host), p->left_ns)));
	p->left_ns = -1;
}

static void leave(struct rollup *r, struct row *row)
{
	struct member **m = slot_of(r, row);

	if (!*m)
		return;
	keep_last(r, (*m)->in);
	take_out(r, *m);
	(*m)->in->n_live--;
	part_lost_row(r, (*m)->part, row);
	r->live[(*m)->at] = r->live[--r->n_live];
	r->live[(*m)->at]->at = (*m)->at;
	free(*m);
	*m = NULL;
}

static void set_row(struct group *g, struct row *row)
{
	if (g->row == row)
		return;
	row_hold(row);
	if (g->row)
		row_drop(g->row);
	g->row = row;
}

/* Puts the row where it belongs and counts its gauges as they are now. */
static void enter(struct rollup *r, struct row *row)
{
	struct member **slot = slot_of(r, row);
	struct group *g;

	if (*slot && r->by.stays &&
	    r->by.stays(r->by.ctx, row, (*slot)->in))
		g = (*slot)->in;
	else
		g = r->by.member(r->by.ctx, r, row);
	if (*slot && (*slot)->in != g)
		leave(r, row);
	if (!g)
		return;
	if (!*slot) {
		*slot = gs_calloc(1, sizeof(**slot) +
		    r->n_col * sizeof(int64_t));
		(*slot)->in = g;
		(*slot)->part = part_of(r, g, row,
		    row->opened != OPEN_BORN &&
		    row->first_tick == row->touched_tick);
		(*slot)->row = row;
		(*slot)->at = r->n_live;
		GS_GROW(r->live, &r->live_cap, r->n_live + 1);
		r->live[r->n_live++] = *slot;
		part_got_row(r, (*slot)->part, row);
		g->n_live++;
		g->n_rows++;
		g->n_born += row->opened == OPEN_BORN &&
		    row->first_tick == row->touched_tick;
		g->ended = false;
		set_row(g, row);
	}
	take_out(r, *slot);
	put_in(r, *slot, row);
}


/* ---- counters --------------------------------------------------------- */

/* Where one of the groups of a charge counts. */
struct account {
	struct group *group;
	struct part *part;
};

static bool is_fresh(const struct row *row)
{
	return row->opened != OPEN_BORN &&
	    row->first_tick == row->touched_tick;
}

static void open_account(struct rollup *r, struct account *a,
	struct group *g, struct row *row, bool fresh)
{
	const struct member *m = *slot_of(r, row);

	a->group = g;
	a->part = m && m->in == g ? m->part
	                          : part_of(r, g, row, fresh);
	/* another row may have come to the group only now */
	if (in_tick(row))
		a->part->since_ns = GS_MIN(a->part->since_ns,
		    before_tick(r, row));
	if (!g->row)
		set_row(g, row);
}

static uint64_t share_of(uint64_t d, uint32_t share)
{
	return (d / CHARGE_WHOLE) * share +
	    (d % CHARGE_WHOLE) * share / CHARGE_WHOLE;
}

/* Adds an amount to one account, or shares it out between two. */
static void book(struct rollup *r, const struct account a[2], unsigned k,
	uint64_t d, uint32_t share)
{
	uint64_t one = a[1].part ? share_of(d, share) : d;

	rollup_bit_set(&a[0].part->present, k);
	a[0].part->v[k] = gs_sum(a[0].part->v[k], (int64_t)one);
	rollup_ema_book(r, a[0].part, k, one);
	if (!a[1].part)
		return;
	rollup_bit_set(&a[1].part->present, k);
	a[1].part->v[k] = gs_sum(a[1].part->v[k], (int64_t)(d - one));
	rollup_ema_book(r, a[1].part, k, d - one);
}

static void open_accounts(struct rollup *r, struct account a[2],
	const struct charge *c, struct row *row, bool fresh)
{
	open_account(r, &a[0], c->to, row, fresh);
	if (!c->also || c->also == c->to)
		return;
	open_account(r, &a[1], c->also, row, fresh);
	c->to->estimated = c->also->estimated = true;
}

/* The counter holds something that is not in the residual. */
static bool is_own(const struct rollup *r, const struct residual *res,
	unsigned k)
{
	return !res || !res->reaping || res->mixed || !rollup_bit(&r->reaped, k);
}

static bool growth(const struct row *row, const struct residual *res,
	unsigned col, uint64_t *ret)
{
	return (res && res->mixed && row_sum(row, col, SUM_OWN, ret)) ||
	    diff_counter(row, col, ret);
}

/* Books by how much the counter at position k grew. */
static void charge_counter(struct rollup *r, struct row *row,
	const struct account a[2], unsigned k, const struct residual *res,
	uint32_t share)
{
	uint64_t d;

	if (!is_own(r, res, k))
		return;
	if (!growth(row, res, r->col[k], &d)) {
		rollup_bit_set(&a[0].part->missing, k);
		if (a[1].part)
			rollup_bit_set(&a[1].part->missing, k);
		return;
	}
	book(r, a, k, d, share);
	if (d == 0 && diff_was_reset(row, r->col[k]))
		a[0].part->resets++;
}

/* in: the group, if the row is in none any more. */
static void charge(struct rollup *r, struct row *row, struct group *in,
	const struct residual *res)
{
	const struct member *m = *slot_of(r, row);
	struct charge c = { .to = m ? m->in : in };
	struct account a[2] = { { NULL, NULL }, { NULL, NULL } };
	unsigned w;

	if (r->by.charge)
		c = r->by.charge(r->by.ctx, r, row);
	if (!c.to)
		return;
	open_accounts(r, a, &c, row, is_fresh(row));
	for (w = 0; w < r->n_word; w++) {
		uint64_t bits = r->counters.w[w];

		for (; bits; bits &= bits - 1)
			charge_counter(r, row, a, w * 64 + gs_ctz64(bits),
			    res, c.share);
	}
}

static void charge_residual(struct rollup *r, const struct residual *res)
{
	struct account a[2] = { { NULL, NULL }, { NULL, NULL } };
	struct row *parent = res->parent;
	struct charge to;
	int c;

	if (!(res->present | res->missing) || !r->by.residual)
		return;
	to = r->by.residual(r->by.ctx, r, parent);
	if (!to.to)
		return;
	open_accounts(r, a, &to, parent, false);
	if (to.to->residual && *slot_of(r, parent)) /* covers as long */
		a[0].part->since_ns = (*slot_of(r, parent))->part->since_ns;
	a[0].part->reaped_old |= res->missing != 0;
	for (c = 0; c < REAP_COUNT; c++) {
		int k = r->pos[reap_column((enum reap_col)c)];

		if (k >= 0 && res->missing >> c & 1)
			rollup_bit_set(&a[0].part->missing, (unsigned)k);
		if (k < 0 || !(res->present >> c & 1))
			continue;
		book(r, a, (unsigned)k, res->amount[c], to.share);
		to.to->reaped |= res->amount[c] > 0;
	}
}

static void cover(struct rollup *r, const struct world *w)
{
	size_t i;

	if (r->tick == world_ticks(w))
		return;
	r->tick = world_ticks(w);
	for (i = 0; i < world_hosts(w); i++) {
		const struct host *h = world_host(w, i);

		if (!h->sampled)
			continue;
		*covered_of(r, h) = gs_sum(*covered_of(r, h),
		    diff_elapsed_ns(h));
		rollup_ema_cover(r, h);
	}
}

static void note_peaks(struct rollup *r, struct group *g)
{
	unsigned k;
	size_t i;

	for (k = 0; k < r->n_col; k++) {
		int64_t sum = 0;

		if (rollup_bit(&r->counters, k))
			continue;
		for (i = 0; i < g->n_part; i++)
			sum = gs_sum(sum, g->part[i]->v[k]);
		g->peak[k] = GS_MAX(g->peak[k], sum);
	}
}

static void keep_counters(const struct rollup *r, struct rollup_bits *b)
{
	unsigned w;

	for (w = 0; w < COL_WORDS_MAX; w++)
		b->w[w] &= r->counters.w[w];
}

/* A row that came and went between two ticks works for its group, but is in
 * none of its levels, unless it is all that the group ever had. */
static void take_brief(struct rollup *r, const struct residual *res,
	struct row *row)
{
	struct group *g = r->by.member(r->by.ctx, r, row);
	struct part *p;

	if (g && g->n_rows == 0) {
		enter(r, row);
		charge(r, row, NULL, res);
		leave(r, row);
		g->brief_tick = r->tick;
		return;
	}
	charge(r, row, g, res); /* may be of another group */
	if (!g)
		return;
	p = part_of(r, g, row, true);
	part_got_row(r, p, row);
	part_lost_row(r, p, row);
	g->n_rows++;
	g->n_born += row->opened == OPEN_BORN;
	if (g->n_live == 0 && r->by.keeps_rows)
		set_row(g, row);
	if (g->brief_tick == r->tick)
		keep_counters(r, &g->last_present);
}

/* What was left out may have more of it than its end. */
static void take_closed(struct rollup *r, const struct reap *reap,
	struct row *row)
{
	const struct residual *res = reap ? reap_of(reap, row) : NULL;

	if (row_is_brief(row)) {
		take_brief(r, res, row);
		return;
	}
	if (row_ended_late(row))
		charge(r, row, NULL, res);
	leave(r, row);
}

static void take_row(struct rollup *r, const struct reap *reap,
	struct row *row)
{
	struct member *m;

	if (row->closed) {
		take_closed(r, reap, row);
		return;
	}
	enter(r, row);
	charge(r, row, NULL, reap ? reap_of(reap, row) : NULL);
	m = *slot_of(r, row);
	if (m && m->in->touched_tick != r->tick)
		m->in->touched_tick = r->tick;
}

void rollup_moved(struct rollup *r, const struct world *w, struct row *row)
{
	cover(r, w);
	if (!row->closed)
		enter(r, row);
}

void rollup_tick(struct rollup *r, const struct world *w,
	const struct reap *reap)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);
	const struct residual *res;

	cover(r, w);
	for (i = 0; i < n; i++) {
		if (touched[i]->entity == r->entity)
			take_row(r, reap, touched[i]);
	}
	for (i = 0; i < n; i++) {
		struct member *m = touched[i]->entity == r->entity
		    ? *slot_of(r, touched[i]) : NULL;

		if (m && m->in->touched_tick == r->tick) {
			note_peaks(r, m->in);
			m->in->touched_tick = 0;
		}
	}
	settle_ending(r);
	res = reap ? reap_list(reap, &n) : NULL;
	for (i = 0; res && i < n; i++)
		charge_residual(r, &res[i]);
	rollup_fold(r);
}

static void restart_group(struct rollup *r, struct group *g)
{
	size_t i, kept = 0;
	unsigned c;

	g->n_rows = g->n_live;
	g->estimated = false;
	g->n_born = 0;
	g->reaped = false;
	for (i = 0; i < g->n_part; i++) {
		struct part *p = g->part[i];

		if (p->n_live == 0) {
			part_free(p);
			continue;
		}
		g->part[kept++] = p;
		p->since_ns = 0;
		p->resets = 0;
		p->missing = p->present = (struct rollup_bits) { { 0 } };
		p->reaped_old = false;
		for (c = 0; c < r->n_col; c++) {
			if (rollup_bit(&r->counters, c))
				p->v[c] = 0;
		}
	}
	g->n_part = kept;
	memset(g->peak, 0, r->n_col * sizeof(*g->peak));
	note_peaks(r, g);
}

/* What the rows have now is what a range knows that begins here. */
static void restart_presence(struct rollup *r)
{
	size_t i;
	unsigned c;

	for (i = 0; i < r->n_live; i++) {
		const struct member *m = r->live[i];

		for (c = 0; c < r->n_col; c++) {
			if (cells_has(m->row->now, r->col[c]))
				rollup_bit_set(&m->part->present, c);
		}
	}
}

void rollup_restart(struct rollup *r)
{
	size_t i, kept = 0;

	rollup_unfold(r);
	for (i = 0; i < r->n_group; i++) {
		struct group *g = r->group[i];
		struct rollup_entry *e = NULL;

		if (g->n_live > 0) {
			r->group[kept++] = g;
			restart_group(r, g);
			continue;
		}
		HASH_FIND(hh, r->by_key, g->key, g->key_len, e);
		HASH_DEL(r->by_key, e);
		rollup_group_free(r, g);
		free(e);
	}
	r->n_group = kept;
	restart_presence(r);
	if (r->covered_cap > 0)
		memset(r->covered, 0, r->covered_cap * sizeof(*r->covered));
}
