/* SPDX-License-Identifier: Apache-2.0 */
#include "view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "query/all_threads.h"
#include "query/dbtime.h"
#include "query/labelcol.h"
#include "view/host_usage.h"
#include "view/metric_figure.h"
#include "view/view_use.h"

/* The columns of the entity that figures need. */
static void wanted(const struct view_use *u, uint64_t want[COL_WORDS_MAX])
{
	size_t i;
	unsigned k;

	memset(want, 0, COL_WORDS_MAX * sizeof(*want));
	for (i = 0; i < u->n_figure; i++) {
		for (k = 0; k < u->figure[i].n_from; k++) {
			unsigned col = u->figure[i].from[k];

			want[col / 64] |= UINT64_C(1) << (col % 64);
		}
	}
}

static struct grouping *open_disks(void)
{
	static const unsigned cols[] = { COL(DISK, READS), COL(DISK, WRITES),
		COL(DISK, READ_TIME), COL(DISK, WRITE_TIME),
		COL(DISK, IO_TIME), COL(DISK, READ), COL(DISK, WRITTEN) };
	uint64_t want[COL_WORDS_MAX] = { 0 };
	size_t i;

	for (i = 0; i < GS_LEN(cols); i++)
		want[cols[i] / 64] |= UINT64_C(1) << (cols[i] % 64);
	return grouping_new(GROUPING_ROW, ENTITY_DISK, want, NULL, 0);
}

/* CPU time by segment. */
static struct grouping *open_segments(enum grouping_kind kind)
{
	static const unsigned cols[] = { COL(PROCESS, CPU),
		COL(PROCESS, UTIME), COL(PROCESS, STIME) };
	uint64_t want[COL_WORDS_MAX] = { 0 };
	size_t i;

	for (i = 0; i < GS_LEN(cols); i++)
		want[cols[i] / 64] |= UINT64_C(1) << (cols[i] % 64);
	return grouping_new(kind, ENTITY_PROCESS, want, NULL, 0);
}

/* Threads under the keys of the groups of their processes, for figures that the
 * kernel tells of main threads only. */
static void open_threads(struct view_use *u, struct engine *e)
{
	enum grouping_kind kind = grouping_kind(u->grouping);
	uint64_t want[COL_WORDS_MAX] = { 0 };
	struct grouping *l;
	size_t i;

	for (i = 0; i < u->n_figure && !u->figure[i].by_threads; i++)
		;
	if (i == u->n_figure || u->view->entity != ENTITY_PROCESS)
		return;
	all_threads_columns(want);
	l = grouping_new(kind == GROUPING_ROW ? GROUPING_PROCESS : kind,
	    ENTITY_THREAD, want, u->ask->key, u->ask->n_key);
	grouping_set_normal(l, &u->ask->normal);
	if (u->view->last_tick || u->ask->last_tick)
		grouping_set_last_tick(l);
	engine_add_grouping(e, l);
	if (u->bounded)
		grouping_bound_as(l, u->grouping);
	u->threads = l;
}

/* Its rows are labels. */
static bool is_keyed(const struct view *v)
{
	return v->grouping == GROUPING_LABELS;
}

/* The view makes its rows itself. */
static bool makes_list(const struct view_use *u)
{
	return u->view->rows && !u->ask->nested && (is_keyed(u->view) ||
	    grouping_kind(u->grouping) != GROUPING_LABELS);
}

/* NAN: the view's list makes nothing of it. */
static double rank_needed(void *ctx, const struct group *g)
{
	const struct view_use *u = ctx;

	return u->view->rows->needs(grouping_rollup(u->grouping), g) ? 0 : NAN;
}

/* True if a wanted column is made by that function, so that its data is needed. */
static bool needs(const struct view_use *u, figure_fn fn)
{
	size_t i;

	for (i = 0; u->ask->pick && i < u->n_figure; i++) {
		if (u->figure[i].fn == fn)
			return true;
	}
	return !u->ask->pick;
}

/* Of what costs more than the table itself. */
static bool asks_for(const struct view_use *u, figure_fn fn)
{
	return (u->ask->pick || u->ask->dear) && needs(u, fn);
}

/* ---- living rows ------------------------------------------------------- */

static void count_rows(void *self, const struct engine *e)
{
	struct view_use *u = self;
	const struct host *c;
	size_t i, n = 0;

	for (i = 0; (c = world_catalog(e->world, i)) != NULL; i++)
		n += c->table[u->view->entity].n_live;
	if (n <= u->crest)
		return;
	u->crest = n;
	u->crest_ns = e->to_ns;
}

/* What the range begins with is a part of it. */
static void restart_rows(void *self, const struct engine *e)
{
	struct view_use *u = self;

	u->crest = 0;
	count_rows(u, e);
}

static void follow_rows(struct view_use *u, struct engine *e)
{
	if (u->view->living && u->view->catalog)
		engine_add_follower(e, &(struct follower) {
			.self = u, .tick = count_rows, .restart = restart_rows });
}

bool view_is_still(const struct view_use *u)
{
	const struct rollup *r = u->clock ? grouping_rollup(u->grouping) : NULL;
	size_t i, n = r ? rollup_count(r) : 0;
	double s;
	bool part;

	for (i = 0; i < n; i++) {
		if (group_sum(r, rollup_get(r, i), u->clock->col, 1, &s,
		    &part) && s > 0)
			return false;
	}
	return n > 0;
}

bool view_crest(const struct view_use *u, size_t *ret_n, int64_t *ret_ns)
{
	*ret_n = u->crest;
	*ret_ns = u->crest_ns;
	return u->crest > 0;
}

/* ---- open and close ----------------------------------------------------- */

/* Not the recorder's own. */
static bool is_of_others(void *ctx, const struct session *s)
{
	(void)ctx; /* none */
	return !s->own;
}

/* The grouping of its rows, not yet in the engine. */
static struct grouping *open_rows(const struct view_use *u, bool by_session,
	const uint64_t want[COL_WORDS_MAX])
{
	const struct view *v = u->view;
	struct grouping *l = grouping_new(by_session
	    ? (enum grouping_kind)v->session_grouping
	    : u->ask->n_key ? GROUPING_LABELS : (enum grouping_kind)v->grouping,
	    v->entity, want, is_keyed(v) ? &v->key : u->ask->key,
	    is_keyed(v) ? 1 : u->ask->n_key);

	if (entity_get(v->entity)->has_birth)
		grouping_rest_rows(l);
	grouping_set_normal(l, &u->ask->normal);
	rollup_set_ema(grouping_rollup(l), u->ask->ema_ns, u->ask->n_ema);
	grouping_set_only(l, is_keyed(v) ? is_of_others : u->ask->only,
	    u->ask->only_ctx);
	return l;
}

/* Columns for which open_more() takes what a light table does not have. */
static void drop_heavy(struct view_use *u)
{
	static const figure_fn heavy[] = { labelcol_skew, labelcol_wait,
		labelcol_wait_seconds, labelcol_db_time };
	size_t i, k, n = 0;

	for (i = 0; i < u->n_figure; i++) {
		for (k = 0; k < GS_LEN(heavy) && u->figure[i].fn != heavy[k]; k++)
			;
		if (k == GS_LEN(heavy))
			u->figure[n++] = u->figure[i];
	}
	u->n_figure = n;
}

/* Further data, where its columns need them. */
static void open_more(struct view_use *u, struct engine *e,
	const struct view_ask *ask)
{
	const struct view *v = u->view;
	struct grouping *l;

	if (v->segment_grouping && !ask->light && ask->n_key == 0 &&
	    needs(u, labelcol_skew)) {
		l = open_segments((enum grouping_kind)v->segment_grouping);
		grouping_set_only(l, ask->only, ask->only_ctx);
		if (ask->last_tick)
			grouping_set_last_tick(l);
		engine_add_grouping(e, l);
		if (u->bounded)
			grouping_bound_as(l, u->grouping);
		u->segments = l;
	}
	if (v->entity == ENTITY_HOST && (needs(u, labelcol_worst_disk) ||
	    needs(u, labelcol_worst_await) ||
	    needs(u, labelcol_worst_util) || asks_for(u, unattributed_io))) {
		l = open_disks();
		if (ask->last_tick)
			grouping_set_last_tick(l);
		engine_add_grouping(e, l);
		u->disks = l;
	}
	if (v->entity == ENTITY_HOST && (asks_for(u, unattributed_cpu) ||
	    asks_for(u, unattributed_io))) {
		l = usage_processes();
		if (ask->last_tick)
			grouping_set_last_tick(l);
		engine_add_grouping(e, l);
		u->processes = l;
		e->leaps = false; /* summaries know no processes */
	}
	if (v->grouping == GROUPING_SESSION && !ask->light && !ask->last_tick &&
	    u->ask->n_key == 0 && (needs(u, labelcol_wait) ||
	    needs(u, labelcol_wait_seconds) || needs(u, labelcol_db_time))) {
		bool titles = asks_for(u, labelcol_db_time);

		u->dbtime = dbtime_new(e, dbtime_of_session, NULL, !titles);
		e->gists &= !titles; /* they do not have each sample */
	}
}

struct view_use *view_open(const struct view *v, struct engine *e,
	const struct view_ask *ask)
{
	static const struct view_ask plain = VIEW_ASK_INIT;
	struct view_use *u = gs_calloc(1, sizeof(*u));
	uint64_t want[COL_WORDS_MAX];
	struct grouping *l;
	bool by_session;

	u->view = v;
	if (v->table) {
		u->table = v->table->open(e, ask);
		return u;
	}
	by_session = v->session_grouping && ask->n_key > 0;
	u->own = plain;
	u->own.metric = ask->metric;
	u->own.n_metric = ask->n_metric;
	u->brief = ask->brief;
	u->ask = by_session ? &u->own : ask;
	u->clock = metric_by_name(v->entity, VIEW_CLOCK, strlen(VIEW_CLOCK));
	view_choose_figures(u, u->ask);
	if (u->ask->light)
		drop_heavy(u);
	if (u->ask->settled)
		view_drop_figures(u);
	wanted(u, want);
	l = open_rows(u, by_session, want);
	if (v->last_tick || ask->last_tick)
		grouping_set_last_tick(l);
	engine_add_grouping(e, l);
	u->grouping = l;
	if (u->ask->nested)
		view_open_levels(u, e, want);
	if (v->session_grouping)
		u->segments = l;
	u->engine = e;
	follow_rows(u, e);
	if (makes_list(u) && v->rows->needs)
		grouping_bound_needed(l, rank_needed, u);
	view_bound(u, l, ask);
	open_threads(u, e);
	if (v->rows && v->rows->open)
		u->state = v->rows->open(e, ask->last_tick);
	open_more(u, e, ask);
	return u;
}

const struct view *view_of(const struct view_use *u)
{
	return u->view;
}

void view_close(struct view_use *u)
{
	size_t i;

	if (!u)
		return;
	if (u->table)
		u->view->table->close(u->table);
	if (u->state)
		u->view->rows->close(u->state);
	dbtime_free(u->dbtime);
	for (i = 0; i < u->n_name; i++)
		free(u->name[i]);
	free(u->name);
	free(u->figure);
	free(u->late);
	free(u->scratch);
	free(u->made);
	free(u);
}

struct grid *view_columns(const struct view *v, const struct view_ask *ask)
{
	struct view_use *u = gs_calloc(1, sizeof(*u));
	struct grid *g = grid_new(v->name, NULL);
	struct grid_col col;
	size_t i;

	if (view_is_page(v)) /* its list */
		v = &view_queries;
	u->view = v;
	for (i = 0; v->table && view_table_column(v->table, i, &col); i++)
		grid_add_col(g, &col);
	if (!v->table && v->grouping >= 0)
		view_choose_figures(u, ask);
	if (!v->table && ask)
		label_name_keys(ask->key, ask->n_key, g);
	for (i = 0; i < u->n_figure; i++)
		grid_add_col(g, &u->figure[i].col);
	/* names of averages are freed with the use */
	for (i = 0; i < g->n_col; i++) {
		struct grid_col *c = &g->col[i];

		c->name = grid_text(g, c->name, strlen(c->name) + 1).ptr;
		c->title = grid_text(g, c->title, strlen(c->title) + 1).ptr;
		c->help = grid_text(g, c->help, strlen(c->help) + 1).ptr;
	}
	view_close(u);
	return g;
}

/* ---- rows -------------------------------------------------------------- */

/* Sums of counters over the range. */
static bool is_amount(const struct view_use *u, const struct figure *f)
{
	unsigned i;

	if (f->fn == figure_cpu_sum)
		return true;
	for (i = 0; f->fn == figure_sum && i < f->n_from; i++) {
		if (metric_is_counter(metric_get(u->view->entity,
		    f->from[i])))
			return true;
	}
	return false;
}

static void add_columns(const struct view_use *u, const struct engine *e,
	struct grid *g)
{
	size_t i;

	for (i = 0; i < u->n_figure; i++) {
		struct grid_col c = u->figure[i].col;

		if (c.min_width == MANY_HOSTS)
			c.min_width = engine_hosts(e) > 1 ? 80
			                                  : GRID_ON_REQUEST;
		if (c.min_width == MANY_SERVERS)
			c.min_width = sessions_server_names(e->sessions) > 1
			    ? 80 : GRID_ON_REQUEST;
		if (c.min_width == WHERE_UNEVEN)
			c.min_width = engine_is_uneven(e) ? 80
			                                  : GRID_ON_REQUEST;
		c.grows |= is_amount(u, &u->figure[i]);
		grid_add_col(g, &c);
	}
}

/* The recorder's own backends are hidden. */
static bool is_own(const struct grouping *l, const struct group *g)
{
	const struct session *s = grouping_label(g)->session;

	return s && s->own && (grouping_kind(l) == GROUPING_SESSION ||
	    grouping_kind(l) == GROUPING_QUERY);
}

/* Adds the groups that were not kept to the row of others. */
static void put_folded(struct view_sink *to)
{
	const struct view_use *u = to->use;
	struct label none = { .name = NULL };
	struct group g;
	size_t n, k;
	const struct group *folded = rollup_folded(to->env.rollup, &n);

	if (!folded)
		return;
	g = *folded;
	g.label = &none;
	grid_set_folded(to->env.grid, n);
	figure_cache_next_row(to->env.cache);
	for (k = 0; k < u->n_figure; k++) {
		const struct figure *f = &u->figure[k];

		if (f->col.additive)
			to->env.grid->folded.cell[k] = f->fn(&to->env, f, &g);
	}
}

static bool is_of_queries(const struct view_sink *to)
{
	return to->use->view->known == KNOWN_QUERIES;
}

/* Those from the i-th on. */
static void fetch_groups(const struct view_sink *to, size_t i)
{
	const struct rollup *r = to->env.rollup;
	const struct view_pick *p = to->use->ask->pick;
	const struct group_memo *m[ROLLUP_FETCH_GROUPS];
	size_t n = GS_MIN(rollup_count(r) - i, ROLLUP_FETCH_GROUPS), k;

	grouping_fetch(to->use->grouping, i, n);
	if (!p || !p->fetch)
		return;
	for (k = 0; k < n; k++)
		m[k] = rollup_get(r, i + k)->memo;
	p->fetch(p->ctx, m, n);
}

static void put_group(struct view_sink *to, const struct group *g)
{
	if (!view_has_group(to->use->view, g) || is_own(to->use->grouping, g))
		return;
	view_put(to, NULL, g);
	if (to->use->view->known)
		known_note_shown(&to->shown, g, is_of_queries(to));
}

/* Rows take the memory of the groups that they were made of: in few steps, each of
 * which costs a look at all that is free. */
#define SPEND_STEPS 16
#define SPEND_LEAST ((size_t)1024)

static void put_groups(struct view_sink *to)
{
	struct rollup *r = grouping_rollup(to->use->grouping);
	size_t step = GS_MAX(rollup_count(r) / SPEND_STEPS, SPEND_LEAST);
	size_t i, k, n, given = 0;

	for (i = 0; i < rollup_count(r); i += n) {
		n = GS_MIN(rollup_count(r) - i, ROLLUP_FETCH_GROUPS);
		fetch_groups(to, i);
		for (k = i; k < i + n; k++)
			put_group(to, rollup_get(r, k));
		if (!to->spends)
			continue;
		rollup_spend(r, i, n);
		if (i + n - given >= step) {
			gs_give_back();
			given = i + n;
		}
	}
	if (to->spends) {
		rollup_close_up(r);
		gs_give_back(); /* what prints it needs large blocks */
	}
	put_folded(to);
}

static struct grid *grid_of_rows(const struct view_use *u,
	const struct engine *e, bool last)
{
	struct grid *grid = grid_new(u->view->name, NULL);
	struct figure_cache cache = { 0 };
	struct view_sink to = { .use = u, .env = { .engine = e,
		.grouping = u->grouping, .rollup = grouping_rollup(u->grouping),
		.disks = u->disks, .processes = u->processes,
		.threads = u->threads,
		.segments = u->segments, .dbtime = u->dbtime, .grid = grid,
		.cache = &cache, .state = u->state }, .spends = last };
	bool *left_out;

	add_columns(u, e, grid);
	to.left_out = left_out = view_left_out(u, grid);
	label_name_keys(u->ask->key, u->ask->n_key, grid);
	if (!u->ask->pick && !u->ask->nested && !view_is_fixed(u->view))
		view_top_open(&to.top, u->ask->most, u->ask->sort, grid);
	grid->from_ns = e->from_ns;
	grid->to_ns = e->to_ns;
	grid->covered_s = engine_covered_s(e);
	if (u->ask->nested)
		view_put_levels(u, e, grid, left_out);
	else if (makes_list(u))
		u->view->rows->list(&to);
	else
		put_groups(&to);
	if (u->view->known == KNOWN_HOSTS)
		known_put_hosts(&to, u->view);
	else if (u->view->known &&
		 grouping_kind(u->grouping) != GROUPING_LABELS)
		known_put(&to, &to.shown, is_of_queries(&to));
	known_release(&to.shown);
	view_top_close(&to.top);
	figure_cache_release(&cache);
	free(left_out);
	return grid;
}

struct grid *view_grid(const struct view_use *u, const struct engine *e)
{
	return u->table ? u->view->table->grid(u->table, e)
	                : grid_of_rows(u, e, false);
}

struct grid *view_grid_last(struct view_use *u, const struct engine *e)
{
	return u->table ? u->view->table->grid(u->table, e)
	                : grid_of_rows(u, e, true);
}

struct grid *view_grid_as(const struct view_use *u, const struct view *v,
	const struct engine *e)
{
	return v->table->grid_as(u->table, e);
}

/* ---- windows ----------------------------------------------------------- */

bool view_is_of_waits(const struct view *v)
{
	return v->table && v->table->waits;
}

bool view_is_page(const struct view *v)
{
	return v->table && v->table->page;
}

bool view_is_single(const struct view *v)
{
	return !view_is_overview(v) && !view_is_page(v) && !v->last_tick;
}

bool view_asks_session(const struct view *v)
{
	return v->table && v->table->is_beside;
}

bool view_is_beside(const struct view *v, const struct view_ask *ask,
	size_t n, size_t width)
{
	return n > 1 && n <= VIEW_WINDOWS_MAX && v->table &&
	    v->table->is_beside && width >= waitgrid_width(n) &&
	    v->table->is_beside(ask);
}

struct grid *view_grid_beside(const struct view_window *w, size_t n)
{
	void *self[VIEW_WINDOWS_MAX];
	size_t i;

	for (i = 0; i < n; i++)
		self[i] = w[i].use->table;
	return w[0].use->view->table->beside(self, w, n);
}
