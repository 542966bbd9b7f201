/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - from ticks in which a rule holds to times.
 */
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/mem.h"
#include "findings/findings_int.h"

void run_free(struct run *r)
{
	if (!r)
		return;
	free(r->subject);
	free(r->session);
	free(r->host);
	free(r->says);
	free(r->next);
	grid_free(r->own);
	grid_free(r->named);
	free(r);
}

/* ---- the row ------------------------------------------------------------ */

static uint64_t add_cell(uint64_t h, const struct cell *c)
{
	if (c->kind == CELL_TEXT)
		h = fnv_add(h, c->text, c->len);
	else if (c->kind != CELL_ABSENT)
		h = fnv_add(h, &c->i, sizeof(c->i));
	return (h ^ (unsigned)c->kind) * FNV_PRIME;
}

/* The subject identifies it for a reader, so it does for us. */
static uint64_t key_of(const struct judged *j, const struct grid_row *row)
{
	uint64_t h = FNV_BASIS;
	size_t i;

	for (i = 0; i < j->n_subject; i++)
		h = add_cell(h, &row->cell[j->subject[i]]);
	return h;
}

static char *text_of(const struct grid *g, const struct grid_row *row,
	const size_t *col, size_t n)
{
	struct buf b = BUF_INIT;
	size_t i;
	char *r;

	for (i = 0; i < n; i++) {
		const struct cell *c = &row->cell[col[i]];

		if (c->kind == CELL_ABSENT)
			continue;
		if (b.len > 0)
			buf_add_char(&b, ' ');
		sentence_add_cell(&b, g->col[col[i]].quantity, c);
	}
	r = b.len > 0 ? gs_strndup(b.ptr, b.len) : NULL;
	buf_release(&b);
	return r;
}

static char *one_text(const struct grid *g, const struct grid_row *row,
	int col)
{
	size_t at = (size_t)col;

	return col >= 0 ? text_of(g, row, &at, 1) : NULL;
}

static bool number(const struct grid_row *row, int col, double *ret)
{
	const struct cell *c = col >= 0 ? &row->cell[col] : NULL;

	if (!c || (c->kind != CELL_INT && c->kind != CELL_REAL))
		return false;
	*ret = c->kind == CELL_INT ? (double)c->i : c->r;
	return true;
}

/* Of equal rows the same is taken whatever file they come from, in which order:
 * ids are no more than a place in memory. */
static uint64_t name_of(const struct grid *g, const struct grid_row *row)
{
	uint64_t h = FNV_BASIS;
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		const struct cell *c = &row->cell[i];

		if (c->kind == CELL_TEXT)
			h = fnv_add(h, c->text, c->len);
		else if (c->kind == CELL_INT && g->col[i].quantity == Q_ID)
			h = fnv_add(h, &c->i, sizeof(c->i));
	}
	return h;
}

/* Whether a row of those who may be named is on the host of the run. */
static bool is_on(const struct judged *j, const struct run *r,
	const struct grid_row *row)
{
	struct span rest, one;
	bool more = true;

	if (j->who_on < 0 || !r->host ||
	    row->cell[j->who_on].kind != CELL_TEXT)
		return true;
	rest = cell_span(&row->cell[j->who_on]);
	while (more) {
		more = scan_until(&rest, ',', &one);
		if (span_eq(more ? one : rest, r->host))
			return true;
	}
	return false;
}

/* It is on other hosts, too, so its figures are not of the run's host alone. */
static bool is_spread(const struct judged *j, const struct run *r,
	const struct grid_row *row)
{
	struct span one;

	if (j->who_on < 0 || !r->host ||
	    row->cell[j->who_on].kind != CELL_TEXT)
		return false;
	one = cell_span(&row->cell[j->who_on]);
	return !span_eq(one, r->host);
}

/* Of those on its host the one with the highest value, of at least that; NULL: none
 * has one. */
static const struct grid_row *find_highest(const struct judged *j,
	const struct run *r, const struct grid *g)
{
	const struct grid_row *best = NULL;
	double most = 0;
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		double v;

		if (!number(&g->row[i], j->who_by, &v) || (best && (v < most ||
		    (v == most && name_of(g, &g->row[i]) >
		    name_of(g, best)))) || !is_on(j, r, &g->row[i]))
			continue;
		best = &g->row[i];
		most = v;
	}
	return most > 0 && most >= j->who_least ? best : NULL;
}

static char *expand(const char *text, const struct sentence_row *of,
	const struct sentence_row *who, bool is_command)
{
	struct buf b = BUF_INIT;
	char *r;

	(void)sentence_add(&b, text, of, who, is_command); /* "?" stands for
	                                                    * what is absent */
	r = gs_strndup(buf_str(&b), b.len);
	buf_release(&b);
	return r;
}

/* A watch tells of one row, the worst one: it names its session, too. */
static void name_row(const struct judged *j, struct run *r,
	const struct grid *g, const struct grid_row *row)
{
	if (!j->in->ask.tell || j->n_subject > 0)
		return;
	free(r->session);
	free(r->host);
	r->session = one_text(g, row, j->session);
	r->host = one_text(g, row, j->host);
}

/* A row alone; its table is freed earlier.  The columns stay while the rule does. */
static struct grid *keep_row(const struct grid *g, const struct grid_row *row)
{
	struct grid *to = grid_new(g->name, NULL);
	struct cell *cell;
	size_t k;

	for (k = 0; k < g->n_col; k++)
		grid_add_col(to, &g->col[k]);
	cell = grid_add_row(to)->cell;
	for (k = 0; k < g->n_col; k++)
		cell[k] = grid_copy_cell(to, &row->cell[k]);
	return to;
}

/* Who is named is the worst of the ticks that were looked at.  True: it is
 * another, or a worse one. */
static bool find_who(const struct judged *j, struct run *r,
	const struct engine *e)
{
	struct grid *all = table_all(j->who, e);
	const struct grid_row *most = find_highest(j, r, all);
	double v = 0;
	bool better;

	if (most)
		(void)number(most, j->who_by, &v);
	better = most && v > r->who;
	if (better) {
		r->who = v;
		grid_free(r->named);
		r->named = is_spread(j, r, most) ? NULL : keep_row(all, most);
	}
	grid_free(all);
	return better;
}

static struct sentence_row only_row(const struct grid *g)
{
	return (struct sentence_row) { g, g ? &g->row[0] : NULL };
}

static void say(const struct judged *j, struct run *r,
	const struct sentence_row *of)
{
	struct sentence_row who = only_row(r->named);

	free(r->says);
	free(r->next);
	r->says = expand(j->rule->says, of, &who, false);
	r->next = j->rule->next ? expand(j->rule->next, of, &who, true) : NULL;
}

/* What is said is of the worst tick: worse. look: for who is to be named. */
static void tell(const struct judged *j, struct run *r, const struct grid *g,
	const struct grid_row *row, const struct engine *e, bool worse,
	bool look)
{
	struct sentence_row of = { g, row };
	bool news = j->who && look && find_who(j, r, e);

	if (worse) {
		name_row(j, r, g, row);
		if (j->who) {
			grid_free(r->own);
			r->own = keep_row(g, row);
		}
	}
	if (r->own)
		of = only_row(r->own);
	if (worse || news)
		say(j, r, &of);
}

/* ---- who is told -------------------------------------------------------- */

static void news(const struct run *r, bool begins, const struct grid *g,
	struct tick_pace pace)
{
	const struct findings *f = r->of->in;
	struct buf says = BUF_INIT, next = BUF_INIT;
	struct finding_news n = { .rule = r->of->rule, .begins = begins,
		.from_ns = r->from_ns, .to_ns = r->to_ns,
		.subject = r->subject, .session = r->session,
		.host = r->host, .grid = g, .row = g ? r->row : NULL };

	run_add_text(f, r, r->says ? r->says : "", pace, &says);
	run_add_text(f, r, r->next ? r->next : "", pace, &next);
	n.says = buf_str(&says);
	n.next = r->next ? buf_str(&next) : NULL;
	f->ask.tell(f->ask.ctx, &n);
	buf_release(&says);
	buf_release(&next);
}

static void end(struct judged *j, struct run *r)
{
	struct findings *f = j->in;

	HASH_DEL(j->open, r);
	f->n_open--;
	if (r->told && f->ask.tell)
		news(r, false, NULL, (struct tick_pace) { 0 });
	if (!run_counts(r)) {
		run_free(r);
		return;
	}
	if (f->n_done == FINDINGS_MAX) {
		f->n_more++;
		run_free(r);
		return;
	}
	GS_GROW(f->done, &f->done_cap, f->n_done + 1);
	f->done[f->n_done++] = r;
}

/* ---- time --------------------------------------------------------------- */

static bool is_subject(const struct judged *j, int col)
{
	size_t i;

	for (i = 0; i < j->n_subject; i++) {
		if ((int)j->subject[i] == col)
			return true;
	}
	return false;
}

static struct run *begin(struct judged *j, uint64_t key,
	const struct grid *g, const struct grid_row *row,
	const struct tick_span *t)
{
	struct run *r = gs_calloc(1, sizeof(*r));

	r->key = key;
	r->of = j;
	r->kind = j->rule->name;
	r->by = j->rule->by;
	r->severity = j->rule->severity;
	r->from_ns = t->from_ns;
	r->cut = t->cut;
	r->blind = t->blind && !j->until;
	if (r->blind)
		r->from_ns = t->to_ns;
	r->subject = text_of(g, row, j->subject, j->n_subject);
	/* of several rows that are one finding none is its session */
	r->session = is_subject(j, j->session)
	    ? one_text(g, row, j->session) : NULL;
	r->host = one_text(g, row, j->host);
	if (j->time >= 0 && row->cell[j->time].kind == CELL_INT)
		r->from_ns = row->cell[j->time].i;
	HASH_ADD(hh, j->open, key, sizeof(r->key), r);
	j->in->n_open++;
	return r;
}

/* The names in a sentence cost a table of those who may be named: only at the
 * first ticks, then ever more seldom. */
static bool is_sampled(const struct run *r)
{
	return r->ticks < 5 || (r->ticks & (r->ticks - 1)) == 0;
}

/* What was so at the last tick before a hole may have lasted into it. */
static void end_in_hole(struct judged *j, struct run *r,
	const struct tick_span *t)
{
	if (t->cut & CUT_HOLE_BEFORE && r->to_ns == j->in->before_ns)
		r->cut |= CUT_HOLE_AFTER;
	end(j, r);
}

/* A hole ends what holds before and after it, unless it is a pause: in between
 * nothing is known. */
static bool hole_ends(const struct judged *j, const struct run *r,
	const struct tick_span *t)
{
	return t->blind && j->time < 0 && !j->until && r->tick_ns != t->to_ns &&
	    t->from_ns - r->to_ns > j->gap_ns;
}

static struct run *run_of(struct judged *j, const struct grid *g,
	const struct grid_row *row, const struct tick_span *t)
{
	uint64_t key = key_of(j, row);
	struct run *r = NULL;

	HASH_FIND(hh, j->open, &key, sizeof(key), r);
	if (r && hole_ends(j, r, t)) {
		end_in_hole(j, r, t);
		r = NULL;
	}
	if (!r && j->in->n_open >= RUNS_MAX) {
		j->in->n_more++;
		return NULL;
	}
	return r ? r : begin(j, key, g, row, t);
}

/* For so long it held with this tick: the one after a hole is an instant. */
static int64_t held_in(const struct run *r, const struct tick_span *t)
{
	return r->blind && r->from_ns == t->to_ns ? 0 : t->to_ns - t->from_ns;
}

/* The first row of the run in this tick. */
static void hold_tick(const struct judged *j, struct run *r,
	const struct grid_row *row, const struct tick_span *t)
{
	r->to_ns = j->time >= 0 && row->cell[j->time].kind == CELL_INT
	    ? row->cell[j->time].i : t->to_ns;
	r->tick_ns = t->to_ns;
	r->range = j->in->range;
	r->held_ns += held_in(r, t);
	r->ticks++;
	r->rows = 0;
}

/* The last of equally bad ticks counts, and of equally bad rows of a tick one
 * that does not depend on their order. */
static bool is_worse(const struct run *r, double v, uint64_t id, int64_t now)
{
	if (!r->has_peak || v > r->peak)
		return true;
	return v == r->peak && (r->peak_ns != now || id < r->peak_id);
}

void run_hold(struct judged *j, const struct grid *g,
	const struct grid_row *row, const struct tick_span *t,
	const struct engine *e)
{
	struct run *r = run_of(j, g, row, t);
	double v = 0, weight = 1;
	bool worse, first;

	if (!r)
		return;
	first = r->tick_ns != t->to_ns || r->ticks == 0;
	if (first)
		hold_tick(j, r, row, t);
	if (first)
		r->row = row;
	r->rows++;
	r->most_rows = GS_MAX(r->most_rows, r->rows);
	(void)number(row, j->cost, &weight); /* else 1 */
	r->cost += (double)held_in(r, t) / 1e9 * weight;
	if (number(row, j->sum, &v))
		r->sum += v;
	worse = number(row, j->peak, &v) &&
	    is_worse(r, v * j->side, name_of(g, row), t->to_ns);
	if (worse) {
		r->peak = v * j->side;
		r->has_peak = true;
		r->peak_id = name_of(g, row);
		r->peak_ns = t->to_ns;
		r->row = row;
	}
	worse |= !r->says;
	if (worse)
		r->at_ns = t->to_ns;
	tell(j, r, g, row, e, worse, first && is_sampled(r));
}

void runs_tell(struct judged *j, const struct grid *g, const struct engine *e)
{
	struct run *r, *tmp;

	HASH_ITER (hh, j->open, r, tmp) {
		if (r->told || !r->row || !run_counts(r) ||
		    run_is_said(j->in, r)) {
			r->row = NULL;
			continue;
		}
		r->told = true;
		news(r, true, g, engine_pace(e));
		r->row = NULL;
	}
}

void runs_drop(struct judged *j)
{
	struct run *r, *tmp;

	HASH_ITER (hh, j->open, r, tmp) {
		HASH_DEL(j->open, r);
		j->in->n_open--;
		run_free(r);
	}
}

void runs_restart(struct judged *j)
{
	struct run *r, *tmp;

	HASH_ITER (hh, j->open, r, tmp) {
		r->has_peak = false;
		r->who = 0;
		grid_free(r->named);
		r->named = NULL;
		free(r->says);
		r->says = NULL; /* the next tick says it */
	}
}

void run_over(struct judged *j, const struct grid_row *row)
{
	uint64_t key = key_of(j, row);
	struct run *r = NULL;

	HASH_FIND(hh, j->open, &key, sizeof(key), r);
	if (r)
		r->over = true;
}

void runs_cut(struct judged *j)
{
	struct run *r, *tmp;

	HASH_ITER (hh, j->open, r, tmp) {
		r->cut |= CUT_HOLE_AFTER;
		end(j, r);
	}
}

/* What lasts until something else happens.  It may be told with a time that the tick
 * has not reached: that of another clock. */
static void last(struct judged *j, struct run *r, const struct tick_span *t)
{
	int64_t more_ns = GS_MAX(t->to_ns - r->to_ns, 0);

	r->cost += (double)more_ns / 1e9;
	r->held_ns += more_ns;
	r->to_ns += more_ns;
	if (r->over)
		end(j, r);
}

void runs_end(struct judged *j, const struct tick_span *t)
{
	struct run *r, *tmp;

	HASH_ITER (hh, j->open, r, tmp) {
		if (j->until) {
			last(j, r, t);
			continue;
		}
		if (r->tick_ns == t->to_ns || t->to_ns - r->to_ns <= j->gap_ns)
			continue;
		end_in_hole(j, r, t);
	}
}
