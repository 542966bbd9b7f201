#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/when.h"
#include "view/labelcol.h"
#include "view/known.h"
#include "view/view_int.h"

struct view_use {
	const struct view *view;
	const struct lens *lens;
	const struct lens *disks, *segments;
	struct figure *figure; /* keys, then the view's or the groups' */
	size_t n_figure;
	bool *late; /* per figure: of kept rows only; NULL: no row goes */
	struct cell *scratch; /* of a row that may go */
	void *table; /* of a view that makes its table itself */
	void *state; /* of view->rows */
	const struct view_ask *ask;
	const struct engine *engine;
	const struct figure *order; /* what rows are worth keeping by */
	double direction; /* -1: ascending */
	char **name; /* that columns of averages have */
	size_t n_name;
};

struct view_sink {
	const struct view_use *use;
	struct figure_env env;
	struct known_shown shown;
};

const char *view_name(const struct view *v)
{
	return v->name;
}

const char *view_help(const struct view *v)
{
	return v->help;
}

const char *view_default_sort(const struct view *v)
{
	return v->sort;
}

bool view_is_overview(const struct view *v)
{
	return v->lens == OVERVIEW;
}

bool view_can_group(const struct view *v)
{
	return v->lens >= 0 && v->entity == ENTITY_PROCESS &&
	    (!v->rows || v->session_lens || v->groups);
}

bool view_groups_by_session_only(const struct view *v)
{
	return v->session_lens != 0;
}

bool view_is_fixed(const struct view *v)
{
	return v->table && v->table->fixed;
}

/* ---- columns ----------------------------------------------------------- */

static const char *const key_titles[LABEL_COUNT] = {
	[LABEL_SESSION] = "SESSION",
	[LABEL_QUERY] = "QUERY",
	[LABEL_PROCESS] = "PROCESS",
	[LABEL_USER] = "USER",
	[LABEL_DATABASE] = "DB",
	[LABEL_CLIENT] = "CLIENT",
	[LABEL_STATE] = "STATE",
	[LABEL_HOST] = "HOST",
	[LABEL_SERVER] = "SERVER",
	[LABEL_SEGMENT] = "SEGMENT",
	[LABEL_COMMAND] = "COMMAND",
	[LABEL_CGROUP] = "CGROUP",
};

static struct figure key_figure(enum label_kind k)
{
	return (struct figure) {
		.col = { .name = label_name(k), .title = key_titles[k],
		    .quantity = Q_TEXT, .min_width = 80,
		    .help = "what the rows are grouped by" },
		.fn = labelcol_key,
		.scale = (double)k,
	};
}

/* Rates that everybody looks at have averages, the others would drown them. */
static bool has_average(const struct figure *f)
{
	return f->col.min_width <= 80 && (f->fn == figure_rate ||
	    f->fn == figure_cpu_rate || f->fn == figure_share);
}

bool view_has_averages(const struct view *v)
{
	return v->entity == ENTITY_PROCESS ? view_can_group(v) && !v->rows
	    : v->entity == ENTITY_HOST && v->lens >= 0;
}

/* "cpu_percent" "_ema_" "5m" */
static const char *keep_name(struct view_use *u, const char *of,
	const char *between, int64_t ns)
{
	char span[WHEN_SPAN_MAX], text[160];

	when_span(span, ns);
	(void)snprintf(text, sizeof(text), "%s%s%s", of, between,
	    span); /* fits */
	u->name = gs_realloc(u->name, (u->n_name + 1) * sizeof(*u->name));
	u->name[u->n_name] = gs_strdup(text);
	return u->name[u->n_name++];
}

static void add_averages(struct view_use *u, const struct figure *f,
	const struct view_ask *ask)
{
	size_t i;

	for (i = 0; i < ask->n_ema && has_average(f); i++) {
		struct figure *a = &u->figure[u->n_figure++];

		*a = *f;
		a->ema = (unsigned)i + 1;
		a->col.name = keep_name(u, f->col.name, "_ema_",
		    ask->ema_ns[i]);
		a->col.title = keep_name(u, f->col.title, "~",
		    ask->ema_ns[i]);
		a->col.help = keep_name(u, f->col.help,
		    ": moving average over ", ask->ema_ns[i]);
	}
}

/* Where the name stands in the list of what is picked; n_col: nowhere. */
static size_t picked(const struct view_pick *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->n_col; i++) {
		if (strcmp(p->col[i], name) == 0)
			break;
	}
	return i;
}

static void pick_figures(struct view_use *u, const struct view_pick *p)
{
	size_t i, n = 0;

	if (!p)
		return;
	u->late = gs_calloc(u->n_figure + 1, sizeof(*u->late));
	u->scratch = gs_calloc(u->n_figure + 1, sizeof(*u->scratch));
	for (i = 0; i < u->n_figure; i++) {
		size_t at = picked(p, u->figure[i].col.name);

		if (at == p->n_col)
			continue;
		u->late[n] = at >= p->n_first;
		u->figure[n++] = u->figure[i];
	}
	u->n_figure = n;
}

static void choose_figures(struct view_use *u, const struct view_ask *ask)
{
	const struct figure *f = u->view->figure;
	size_t n = u->view->n_figure;
	size_t i;

	if (ask->n_key > 0)
		f = view_group_figures(&n);
	u->figure = gs_calloc(n * (1 + ask->n_ema) + ask->n_key,
	    sizeof(*u->figure));
	for (i = 0; i < ask->n_key; i++)
		u->figure[u->n_figure++] = key_figure(ask->key[i]);
	for (i = 0; i < n; i++) {
		u->figure[u->n_figure++] = f[i];
		add_averages(u, &f[i], ask);
	}
	pick_figures(u, ask->pick);
}

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

static struct lens *open_disks(void)
{
	static const unsigned cols[] = { COL(DISK, READS), COL(DISK, WRITES),
		COL(DISK, READ_TIME), COL(DISK, WRITE_TIME),
		COL(DISK, IO_TIME) };
	uint64_t want[COL_WORDS_MAX] = { 0 };
	size_t i;

	for (i = 0; i < GS_LEN(cols); i++)
		want[cols[i] / 64] |= UINT64_C(1) << (cols[i] % 64);
	return lens_new(LENS_ROW, ENTITY_DISK, want, NULL, 0);
}

/* CPU time by segment. */
static struct lens *open_segments(enum lens_kind kind)
{
	static const unsigned cols[] = { COL(PROCESS, CPU),
		COL(PROCESS, UTIME), COL(PROCESS, STIME) };
	uint64_t want[COL_WORDS_MAX] = { 0 };
	size_t i;

	for (i = 0; i < GS_LEN(cols); i++)
		want[cols[i] / 64] |= UINT64_C(1) << (cols[i] % 64);
	return lens_new(kind, ENTITY_PROCESS, want, NULL, 0);
}

/* Groups that are kept beside those that are shown, so that folding is seldom
 * and what changes its place a little later is still there. */
#define KEPT_AT_LEAST 4096

static double rank(void *ctx, const struct group *g)
{
	const struct view_use *u = ctx;
	const struct figure_env env = { .engine = u->engine,
		.lens = u->lens, .rollup = lens_rollup(u->lens),
		.disks = u->disks, .state = u->state };
	struct cell c = u->order->fn(&env, u->order, g);

	if (c.kind != CELL_INT && c.kind != CELL_REAL)
		return -HUGE_VAL; /* absent stands last in either order */
	return u->direction * (c.kind == CELL_INT ? (double)c.i : c.r);
}

/* The column that decides which rows are shown; NULL: no sum of counters or
 * levels does. */
static const struct figure *order_of(const struct view_use *u,
	const char *sort, double *ret_direction)
{
	size_t len = sort ? strcspn(sort, ",") : 0;
	struct grid *g = grid_new("", NULL);
	size_t i;
	int col;

	*ret_direction = len > 0 && *sort == '+' ? -1 : 1;
	if (len > 0 && (*sort == '+' || *sort == '-')) {
		sort++;
		len--;
	}
	for (i = 0; i < u->n_figure; i++)
		grid_add_col(g, &u->figure[i].col);
	col = len > 0 ? grid_find_col(g, sort, len) : -1;
	grid_free(g);
	if (col < 0 || u->figure[col].n_from == 0 ||
	    u->figure[col].col.quantity == Q_TEXT)
		return NULL;
	return &u->figure[col];
}

static void bound(struct view_use *u, struct lens *l,
	const struct view_ask *ask)
{
	/* moving averages of what is folded would be lost */
	if (ask->most == 0 || ask->n_ema > 0 || u->view->living ||
	    u->view->rows ||
	    u->view->last_tick || u->view->entity != ENTITY_PROCESS)
		return;
	u->order = order_of(u, ask->sort, &u->direction);
	if (u->order)
		lens_bound(l, GS_MAX(ask->most, (size_t)KEPT_AT_LEAST), rank,
		    u);
}

/* True if a column that is wanted is made by that function, so that what it
 * looks at is needed. */
static bool needs(const struct view_use *u, figure_fn fn)
{
	size_t i;

	for (i = 0; u->ask->pick && i < u->n_figure; i++) {
		if (u->figure[i].fn == fn)
			return true;
	}
	return !u->ask->pick;
}

struct view_use *view_open(const struct view *v, struct engine *e,
	const struct view_ask *ask)
{
	static const struct view_ask plain = VIEW_ASK_INIT;
	struct view_use *u = gs_calloc(1, sizeof(*u));
	uint64_t want[COL_WORDS_MAX];
	struct lens *l;
	bool by_session;

	u->view = v;
	if (v->table) {
		u->table = v->table->open(e, ask);
		return u;
	}
	by_session = v->session_lens && ask->n_key > 0;
	u->ask = by_session ? &plain : ask;
	choose_figures(u, u->ask);
	wanted(u, want);
	l = lens_new(by_session ? (enum lens_kind)v->session_lens
	    : u->ask->n_key ? LENS_LABELS : (enum lens_kind)v->lens,
	    v->entity, want, u->ask->key, u->ask->n_key);
	rollup_set_ema(lens_rollup(l), u->ask->ema_ns, u->ask->n_ema);
	if (v->last_tick)
		lens_set_last_tick(l);
	engine_add_lens(e, l);
	u->lens = l;
	if (v->session_lens)
		u->segments = l;
	u->engine = e;
	bound(u, l, ask);
	if (v->rows && v->rows->open)
		u->state = v->rows->open(e);
	if (v->segment_lens && !ask->light && ask->n_key == 0 &&
	    needs(u, labelcol_skew)) {
		l = open_segments((enum lens_kind)v->segment_lens);
		engine_add_lens(e, l);
		if (u->order)
			lens_bound_as(l, u->lens);
		u->segments = l;
	}
	if (v->entity == ENTITY_HOST && (needs(u, labelcol_worst_disk) ||
	    needs(u, labelcol_worst_await) ||
	    needs(u, labelcol_worst_util))) {
		l = open_disks();
		engine_add_lens(e, l);
		u->disks = l;
	}
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
	for (i = 0; i < u->n_name; i++)
		free(u->name[i]);
	free(u->name);
	free(u->figure);
	free(u->late);
	free(u->scratch);
	free(u);
}

struct grid *view_columns(const struct view *v, const struct view_ask *ask)
{
	struct view_use *u = gs_calloc(1, sizeof(*u));
	struct grid *g = grid_new(v->name, NULL);
	struct grid_col col;
	size_t i;

	u->view = v;
	for (i = 0; v->table && view_table_column(v->table, i, &col); i++)
		grid_add_col(g, &col);
	if (!v->table && v->lens >= 0)
		choose_figures(u, ask);
	if (!v->table && ask)
		label_name_keys(ask->key, ask->n_key, g);
	for (i = 0; i < u->n_figure; i++)
		grid_add_col(g, &u->figure[i].col);
	/* names of averages end with the use */
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

/* The recorder's own backends are no session that anybody asks for. */
static bool is_own(const struct lens *l, const struct group *g)
{
	const struct session *s = lens_label(g)->session;

	return s && s->own && (lens_kind(l) == LENS_SESSION ||
	    lens_kind(l) == LENS_QUERY);
}

bool view_has_group(const struct view *v, const struct group *g)
{
	if (v->living)
		return g->n_live > 0;
	return g->n_live > 0 || g->ended || g->residual || g->n_part > 0;
}

const struct figure_env *view_env(const struct view_sink *to)
{
	return &to->env;
}

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

static uint64_t hash(uint64_t h, const void *p, size_t len)
{
	const unsigned char *c = p;
	size_t i;

	for (i = 0; i < len; i++)
		h = (h ^ c[i]) * FNV_PRIME;
	return h;
}

/* Of sessions and queries it does not rest on where they lie in memory, which
 * others may have later. */
static uint64_t row_id(const struct view_use *u, const struct group *g)
{
	enum lens_kind kind = u->lens ? lens_kind(u->lens) : LENS_ROW;
	const struct label *n = g ? g->label : NULL;
	uint64_t h = FNV_BASIS;

	if (!n)
		return 0;
	if (n->session && n->session->key)
		h = hash(h, n->session->key, strlen(n->session->key));
	if (kind == LENS_QUERY && n->query)
		h = hash(h, &n->query->number, sizeof(n->query->number));
	if ((kind != LENS_SESSION && kind != LENS_QUERY) || g->residual)
		h = hash(h, g->key, g->key_len);
	return h ? h : 1;
}

static void fill_cells(struct view_sink *to, const struct group *g,
	struct cell *cell, bool late)
{
	const struct view_use *u = to->use;
	size_t k;

	for (k = 0; k < u->n_figure; k++) {
		const struct figure *f = &u->figure[k];

		if ((g || f->alone) && (!u->late || u->late[k] == late))
			cell[k] = f->fn(&to->env, f, g);
	}
}

/* What keep looks at is worked out first, the rest for rows that stay. */
static void put_kept(struct view_sink *to, const struct group *g,
	const struct view_pick *p)
{
	const struct view_use *u = to->use;
	struct grid_row row = { .cell = u->scratch, .id = row_id(u, g) };
	struct grid_row *added;

	memset(row.cell, 0, u->n_figure * sizeof(*row.cell));
	fill_cells(to, g, row.cell, false);
	if (p->keep && !p->keep(p->ctx, &row))
		return;
	fill_cells(to, g, row.cell, true);
	added = grid_add_row(to->env.grid);
	memcpy(added->cell, row.cell, u->n_figure * sizeof(*row.cell));
	added->id = row.id;
	added->residual = g && g->residual;
}

void view_put(struct view_sink *to, const void *subject,
	const struct group *g)
{
	const struct view_use *u = to->use;
	struct grid_row *row;

	to->env.subject = subject;
	if (u->ask->pick) {
		put_kept(to, g, u->ask->pick);
		return;
	}
	row = grid_add_row(to->env.grid);
	row->residual = g && g->residual;
	row->id = row_id(u, g);
	fill_cells(to, g, row->cell, false);
}

/* The groups that were not kept: what is summed in a row of others. */
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

static void put_groups(struct view_sink *to)
{
	size_t i;

	for (i = 0; i < rollup_count(to->env.rollup); i++) {
		const struct group *g = rollup_get(to->env.rollup, i);

		if (!view_has_group(to->use->view, g) ||
		    is_own(to->use->lens, g))
			continue;
		view_put(to, NULL, g);
		if (to->use->view->known)
			known_note_shown(&to->shown, g, is_of_queries(to));
	}
	put_folded(to);
}

static struct grid *grid_of_rows(const struct view_use *u,
	const struct engine *e)
{
	struct grid *grid = grid_new(u->view->name, NULL);
	struct figure_cache cache = { 0 };
	struct view_sink to = { .use = u, .env = { .engine = e,
		.lens = u->lens, .rollup = lens_rollup(u->lens),
		.disks = u->disks, .segments = u->segments, .grid = grid, .cache = &cache,
		.state = u->state } };

	add_columns(u, e, grid);
	label_name_keys(u->ask->key, u->ask->n_key, grid);
	grid->from_ns = e->from_ns;
	grid->to_ns = e->to_ns;
	grid->covered_s = engine_covered_s(e);
	if (u->view->rows && lens_kind(u->lens) != LENS_LABELS)
		u->view->rows->list(&to);
	else
		put_groups(&to);
	if (u->view->known == KNOWN_HOSTS)
		view_put_silent(&to, u->view);
	else if (u->view->known && lens_kind(u->lens) != LENS_LABELS)
		known_put(&to, &to.shown, is_of_queries(&to));
	known_release(&to.shown);
	figure_cache_release(&cache);
	return grid;
}

struct grid *view_grid(const struct view_use *u, const struct engine *e)
{
	return u->table ? u->view->table->grid(u->table, e)
	                : grid_of_rows(u, e);
}

/* ---- windows ----------------------------------------------------------- */

bool view_is_of_waits(const struct view *v)
{
	return v->table && v->table->waits;
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

