/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/rollup_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"
#include "model/diff.h"

/* The next column is a counter. */
static void add_counter(struct rollup *r)
{
	rollup_bit_set(r->counters, r->n_col);
	r->counter[r->n_counter++] = (uint8_t)r->n_col;
}

/* It is a level. */
static void add_level(struct rollup *r)
{
	r->nth_level[r->n_col] = (uint8_t)r->n_level;
	r->level[r->n_level++] = (uint8_t)r->n_col;
}

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
			add_counter(r);
		else
			add_level(r);
		if (m->flags & F_REAPED)
			rollup_bit_set(r->reaped, r->n_col);
		r->n_col++;
	}
	r->n_word = (unsigned)COL_WORDS(r->n_col);
	return r;
}

void rollup_free(struct rollup *r)
{
	size_t i;

	if (!r)
		return;
	rollup_unfold(r);
	for (i = 0; i < r->n_group; i++)
		rollup_group_drop(r, r->group[i]);
	for (i = 0; i < r->member_cap; i++)
		free(r->member[i]);
	free(r->group);
	free(r->member);
	free(r->live);
	free(r->moved);
	free(r->covered);
	free(r->passed);
	free(r->life.event);
	free(r->ending);
	free(r);
}

/* ---- gauges: rows that are in a group now ----------------------------- */

/* Subtracts the member's level at position k from its group. */
static void take_level(const struct rollup *r, struct member *m, unsigned k)
{
	m->part->v[k] = gs_difference(m->part->v[k],
	    m->v[r->nth_level[k]]);
	--*rollup_holders(r, m->part, k);
	rollup_bit_set(m->in->changed, k);
}

/* Subtracts all of them. */
static void take_out(const struct rollup *r, struct member *m)
{
	unsigned w;

	for (w = 0; w < r->n_word; w++) {
		uint64_t bits = m->present[w]; /* no counter is in it */

		for (; bits; bits &= bits - 1)
			take_level(r, m, w * 64 + gs_ctz64(bits));
		m->present[w] = 0;
	}
}

static void put_level(const struct rollup *r, struct member *m, unsigned k,
	uint64_t v)
{
	m->v[r->nth_level[k]] = (int64_t)v;
	m->part->v[k] = gs_sum(m->part->v[k], (int64_t)v);
	++*rollup_holders(r, m->part, k);
	rollup_bit_set(m->present, k);
	rollup_bit_set(part_present(r, m->part), k);
	rollup_bit_set(m->in->changed, k);
}

/* Its group has the levels of the row now.  Few of them change. */
static void update_levels(const struct rollup *r, struct member *m,
	const struct row *row)
{
	unsigned i;

	for (i = 0; i < r->n_level; i++) {
		unsigned k = r->level[i];
		bool had = rollup_bit(m->present, k), has;
		uint64_t v;

		has = row_get(row, r->col[k], &v);
		if (had && has && (int64_t)v == m->v[i])
			continue;
		if (had) {
			take_level(r, m, k);
			rollup_bit_clear(m->present, k);
		}
		/* "max" is no number that could be added */
		if (has && !metric_is_max(metric_get(r->entity, r->col[k]), v))
			put_level(r, m, k, v);
	}
}

/* Keeps the sums of a group that is about to lose its last row. */
static void keep_last(struct rollup *r, struct group *g)
{
	size_t i;
	unsigned k;

	if (g->ended || g->n_live == 0)
		return;
	memset(g->last, 0, r->n_level * sizeof(*g->last));
	memset(g->last_present, 0, rollup_bits_size(r));
	for (i = 0; i < g->n_part; i++) {
		const struct part *p = g->part[i];

		for (k = 0; k < r->n_level; k++)
			g->last[k] = gs_sum(g->last[k], p->v[r->level[k]]);
		for (k = 0; k < r->n_col; k++) {
			if (rollup_part_has(r, p, k))
				rollup_bit_set(g->last_present, k);
		}
	}
	g->ended = true; /* undone below if a row is still in it */
	GS_GROW(r->ending, &r->ending_cap, r->n_ending + 1);
	r->ending[r->n_ending++] = g;
}

/* The last row has closed. */
static void end_row(const struct rollup *r, struct group *g)
{
	struct row *was = g->row;

	if (r->by.keeps_rows && !r->rests_rows)
		return;
	g->row = r->by.keeps_rows ? row_resting(was) : NULL;
	row_drop(was);
}

static void settle_ending(struct rollup *r)
{
	size_t i;

	for (i = 0; i < r->n_ending; i++) {
		struct group *g = r->ending[i];

		g->ended = g->n_live == 0;
		if (g->ended && g->row)
			end_row(r, g);
	}
	r->n_ending = 0;
}

static void leave(struct rollup *r, struct row *row)
{
	struct member **m = rollup_slot(r, row);

	if (!*m)
		return;
	keep_last(r, (*m)->in);
	(*m)->in->stirred = true;
	take_out(r, *m);
	(*m)->in->n_live--;
	rollup_life_leave(r, *m);
	rollup_life_lost(r, (*m)->part, row);
	r->live[(*m)->at] = r->live[--r->n_live];
	r->live[(*m)->at]->at = (*m)->at;
	free(*m);
	*m = NULL;
}

static struct member *join(struct rollup *r, struct row *row, struct group *g)
{
	struct member *m = gs_calloc(1, rollup_member_size(r));

	*rollup_slot(r, row) = m;
	m->in = g;
	m->part = rollup_part(r, g, row, rollup_is_fresh(r, row));
	m->row = row;
	m->at = r->n_live;
	GS_GROW(r->live, &r->live_cap, r->n_live + 1);
	r->live[r->n_live++] = m;
	rollup_life_got(r, m->part, row);
	rollup_life_join(r, m);
	g->n_live++;
	g->n_rows++;
	g->n_born += rollup_is_born(r, row);
	g->ended = false;
	rollup_set_row(g, row);
	return m;
}

/* Puts the row into its group and adds its current gauges. */
static void enter(struct rollup *r, struct row *row)
{
	struct member **m = rollup_slot(r, row);
	struct group *was = *m ? (*m)->in : NULL, *g;

	if (was && r->by.stays && r->by.stays(r->by.ctx, row, was))
		g = was;
	else
		g = r->by.member(r->by.ctx, r, row);
	if (was && was != g)
		leave(r, row);
	if (g) {
		g->stirred = true;
		if (g == was)
			rollup_life_change(r, *m);
		update_levels(r, g == was ? *m : join(r, row, g), row);
	}
	if (g != was)
		rollup_life_moved(r, row, *m);
}

/* ---- ticks ------------------------------------------------------------ */

static void cover(struct rollup *r, const struct world *w)
{
	size_t i;

	if (r->tick == world_ticks(w))
		return;
	r->tick = world_ticks(w);
	r->sampled_ns = world_thinned_ns(w);
	r->life.in_tick = world_is_thinned(w);
	for (i = 0; i < world_hosts(w); i++) {
		const struct host *h = world_host(w, i);

		if (!h->sampled)
			continue;
		*rollup_covered(r, h) = gs_sum(*rollup_covered(r, h),
		    diff_elapsed_ns(h));
		rollup_ema_cover(r, h);
	}
}

/* A level that did not change is no higher than it was. */
static void note_peaks(struct rollup *r, struct group *g)
{
	const int64_t *only = g->n_part == 1 ? g->part[0]->v : NULL;
	unsigned w;

	for (w = 0; w < r->n_word; w++) {
		uint64_t bits = g->changed[w];

		for (; bits; bits &= bits - 1) {
			unsigned k = w * 64 + gs_ctz64(bits);
			int64_t sum = only ? only[k] : rollup_level_at(g, k);
			int64_t *peak = rollup_peak_at(r, g, k);

			*peak = GS_MAX(*peak, sum);
		}
		g->changed[w] = 0;
	}
}

static void keep_counters(const struct rollup *r, uint64_t *b)
{
	unsigned w;

	for (w = 0; w < r->n_word; w++)
		b[w] &= r->counters[w];
}

/* A row that came and went between two ticks counts its counters in its group,
 * but not its levels, unless the group has no other row. */
static void take_brief(struct rollup *r, const struct residual *res,
	struct row *row)
{
	struct group *g = r->by.member(r->by.ctx, r, row);
	struct part *p;

	if (g && g->n_rows == 0) {
		enter(r, row);
		rollup_charge(r, row, NULL, res);
		note_peaks(r, g);
		leave(r, row);
		g->brief_tick = r->tick;
		return;
	}
	rollup_charge(r, row, g, res); /* may be of another group */
	if (!g)
		return;
	p = rollup_part(r, g, row, true);
	rollup_life_got(r, p, row);
	rollup_life_lost(r, p, row);
	rollup_life_brief(r, p, row);
	g->n_rows++;
	g->n_born += row->opened == OPEN_BORN;
	if (g->n_live == 0 && r->by.keeps_rows)
		rollup_set_row(g, row);
	if (g->brief_tick == r->tick)
		keep_counters(r, g->last_present);
}

/* The residual of a row may be larger than its last growth if ticks were left
 * out, and its levels may have changed. */
static void take_closed(struct rollup *r, const struct reap *reap,
	struct row *row)
{
	const struct residual *res = reap ? reap_of(reap, row) : NULL;
	struct member *m = *rollup_slot(r, row);

	if (row_is_brief(row)) {
		take_brief(r, res, row);
		return;
	}
	if (row_ended_late(row)) {
		rollup_charge(r, row, NULL, res);
		if (m && r->by.stays) /* its texts may have, too */
			(void)r->by.stays(r->by.ctx, row, m->in);
		if (m)
			update_levels(r, m, row);
		if (m && m->in->n_live == 1)
			note_peaks(r, m->in);
	}
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
	rollup_charge(r, row, NULL, reap ? reap_of(reap, row) : NULL);
	m = *rollup_slot(r, row);
	if (m)
		m->in->touched_tick = r->tick;
}

/* The part has all columns that its row has: what did not change counts 0. */
static void note_columns(const struct rollup *r, const struct member *m)
{
	unsigned k;

	for (k = 0; m && k < r->n_col; k++) {
		if (cells_has(m->row->now, r->col[k]))
			rollup_bit_set(part_present(r, m->part), k);
	}
}

void rollup_moved(struct rollup *r, const struct world *w, struct row *row)
{
	const struct member *m;

	cover(r, w);
	if (row->closed)
		return;
	enter(r, row);
	m = *rollup_slot(r, row);
	note_columns(r, m);
	if (m) {
		GS_GROW(r->moved, &r->moved_cap, r->n_moved + 1);
		r->moved[r->n_moved++] = m->in;
	}
}

/* Of the groups that a row of this tick is in, or moved to. */
static void note_tick_peaks(struct rollup *r, struct row *const *touched,
	size_t n)
{
	size_t i;

	for (i = 0; i < r->n_moved; i++)
		note_peaks(r, r->moved[i]);
	for (i = 0; i < n; i++) {
		struct member *m = touched[i]->entity == r->entity
		    ? *rollup_slot(r, touched[i]) : NULL;

		if (m && m->in->touched_tick == r->tick) {
			note_peaks(r, m->in);
			m->in->touched_tick = 0;
		}
	}
}

/* Of a thinned recording. */
static void take_in_order(struct rollup *r, const struct world *w, const struct reap *reap)
{
	size_t n, i;
	struct row **row = rollup_life_order(r, w, &n);

	for (i = 0; i < n; i++)
		take_row(r, reap, row[i]);
	free(row);
}

static void take_rows(struct rollup *r, const struct world *w, const struct reap *reap)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);

	for (i = 0; i < n; i++) {
		if (i % GS_FETCH_ROWS == 0)
			rollup_fetch(r, touched + i,
			    GS_MIN(n - i, GS_FETCH_ROWS));
		if (touched[i]->entity == r->entity)
			take_row(r, reap, touched[i]);
	}
}

void rollup_tick(struct rollup *r, const struct world *w,
	const struct reap *reap)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);
	const struct residual *res;

	cover(r, w);
	if (!world_touches(w, r->entity))
		n = 0;
	else if (world_is_thinned(w))
		take_in_order(r, w, reap);
	else
		take_rows(r, w, reap);
	if (r->n_level > 0)
		note_tick_peaks(r, touched, n);
	r->n_moved = 0;
	settle_ending(r);
	res = reap ? reap_list(reap, &n) : NULL;
	for (i = 0; res && i < n; i++)
		rollup_charge_residual(r, &res[i]);
	rollup_life_end_tick(r);
	rollup_fold(r);
}

/* A row that came and went may still name its group, and a charge others than the
 * row's. */
static void follow_row(struct rollup *r, struct row *row)
{
	struct member **m = rollup_slot(r, row);
	struct group *in = *m ? (*m)->in : NULL;

	if (!row->closed) {
		enter(r, row);
		m = rollup_slot(r, row);
		in = *m ? (*m)->in : NULL;
	} else if (row_is_brief(row)) {
		in = r->by.member(r->by.ctx, r, row);
	} else {
		leave(r, row);
	}
	if (r->by.charge && (!row->closed || row_is_brief(row) ||
	    row_ended_late(row)))
		(void)r->by.charge(r->by.ctx, r, row, in);
}

void rollup_follow(struct rollup *r, const struct world *w,
	const struct reap *reap)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);
	const struct residual *res;

	/* threads move */
	if (r->entity == ENTITY_THREAD) {
		rollup_tick(r, w, reap);
		return;
	}
	cover(r, w);
	r->n_moved = 0; /* no peaks are noted */
	for (i = 0; i < n; i++) {
		if (touched[i]->entity == r->entity)
			follow_row(r, touched[i]);
	}
	rollup_life_end_tick(r);
	settle_ending(r);
	res = reap && r->by.residual ? reap_list(reap, &n) : NULL;
	for (i = 0; res && i < n; i++) {
		if (res[i].present | res[i].missing)
			(void)r->by.residual(r->by.ctx, r, res[i].parent);
	}
}

static void restart_group(struct rollup *r, struct group *g)
{
	size_t i, kept = 0;
	unsigned c;

	g->n_rows = g->n_live;
	g->estimated = false;
	g->n_born = 0;
	g->reaped = false;
	memset(g->last_present, 0, rollup_bits_size(r));
	for (i = 0; i < g->n_part; i++) {
		struct part *p = g->part[i];

		if (p->n_live == 0) {
			rollup_part_free(p);
			continue;
		}
		g->part[kept++] = p;
		p->since_ns = 0;
		p->late = p->fresh = false;
		p->gone_ns = -1;
		p->threads.ns = 0;
		p->rows.ns = 0;
		p->resets = 0;
		memset(part_present(r, p), 0, rollup_bits_size(r));
		memset(part_missing(r, p), 0, rollup_bits_size(r));
		p->reaped_old = false;
		p->threaded = false;
		for (c = 0; c < r->n_col; c++) {
			if (rollup_bit(r->counters, c))
				p->v[c] = 0;
		}
	}
	g->n_part = kept;
	memset(g->peak, 0, r->n_level * sizeof(*g->peak));
	for (c = 0; c < r->n_level; c++)
		rollup_bit_set(g->changed, r->level[c]);
	note_peaks(r, g);
}

/* At the start of a range, only columns and threads of current rows count. */
static void restart_presence(struct rollup *r)
{
	size_t i;

	for (i = 0; i < r->n_live; i++) {
		if (!r->live[i]->in->stirred)
			continue;
		note_columns(r, r->live[i]);
		r->live[i]->charged = false;
		r->live[i]->part->threaded |= r->live[i]->threads > 1;
	}
	for (i = 0; i < r->n_group; i++)
		r->group[i]->stirred = false;
}

void rollup_restart(struct rollup *r)
{
	size_t i, kept = 0;

	rollup_life_settle(r);
	settle_ending(r); /* of rows that moved since the tick */
	r->n_moved = 0; /* all peaks begin again */
	r->from_tick = r->tick;
	rollup_unfold(r);
	for (i = 0; i < r->n_group; i++) {
		struct group *g = r->group[i];

		if (i % ROLLUP_FETCH_GROUPS == 0)
			rollup_fetch_groups(r, i, GS_MIN(r->n_group - i,
			    ROLLUP_FETCH_GROUPS));
		if (g->n_live > 0) {
			r->group[kept++] = g;
			if (g->stirred)
				restart_group(r, g);
		} else {
			rollup_group_drop(r, g);
		}
	}
	r->n_group = kept;
	restart_presence(r);
	if (r->covered_cap > 0)
		memset(r->covered, 0, r->covered_cap * sizeof(*r->covered));
}
