/* SPDX-License-Identifier: Apache-2.0 */
#include "view/ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/scan.h"
#include "base/units.h"
#include "query/compare.h"
#include "query/filter.h"
#include "query/labelcol.h"
#include "query/nest.h"
#include "query/sort.h"

struct ask {
	struct ask_words words;
	const struct view *view;
	struct view_ask of_view;
	struct view_metric *metric; /* of of_view */
	size_t metric_cap;
	struct filter *filter; /* made with the first grid */
	struct buf brief; /* of of_view */
};

static bool has_key(const struct ask *a, enum label_kind k)
{
	size_t i;

	for (i = 0; i < a->of_view.n_key; i++) {
		if (a->of_view.key[i] == k)
			return true;
	}
	return false;
}

static int parse_keys(struct ask *a, struct gs_err *err)
{
	size_t i;
	int r;

	if (!a->words.group_by)
		return GS_OK;
	r = label_parse(a->words.group_by, a->of_view.key, &a->of_view.n_key,
	    err);
	if (r == GS_OK && !view_can_group(a->view))
		r = gs_fail(err, GS_E_USAGE, "--group-by sums processes, "
		    "threads, or IO of control groups: it goes with the views "
		    "sessions, queries, processes, threads and cgroup_io, not "
		    "with %s", view_name(a->view));
	if (r == GS_OK && view_sums_processes(a->view) &&
	    has_key(a, LABEL_THREAD))
		r = gs_fail(err, GS_E_USAGE, "%s can't be grouped by thread: "
		    "their figures are of whole processes; use -V threads",
		    view_name(a->view));
	for (i = 0; r == GS_OK && i < a->of_view.n_key; i++) {
		if (!view_has_key(a->view, a->of_view.key[i]))
			r = gs_fail(err, GS_E_USAGE, "%s can't be grouped by "
			    "%s", view_name(a->view),
			    label_name(a->of_view.key[i]));
	}
	if (r == GS_OK && view_groups_by_session_only(a->view) &&
	    (a->of_view.n_key != 1 || a->of_view.key[0] != LABEL_SESSION))
		r = gs_fail(err, GS_E_USAGE, "%s can be grouped by session "
		    "only", view_name(a->view));
	return r;
}

static int check_globs(const struct ask_words *w, struct gs_err *err)
{
	struct normal *n = normal_new(NORMAL_NONE);
	int r = GS_OK;
	size_t i;

	for (i = 0; r == GS_OK && i < w->n_flatten; i++)
		r = normal_flatten(n, w->flatten[i], err);
	normal_free(n);
	if (r < 0)
		gs_err_prefix(err, "--cgroup-flatten");
	return r;
}

static bool has_cgroup_key(const struct ask *a)
{
	return has_key(a, LABEL_CGROUP) || has_key(a, LABEL_CGROUP_CPU) ||
	    has_key(a, LABEL_CGROUP_MEMORY);
}

static int check_normal(struct ask *a, struct gs_err *err)
{
	const struct ask_words *w = &a->words;

	if (w->normalize && !has_key(a, LABEL_COMMAND) &&
	    !has_cgroup_key(a) && !has_key(a, LABEL_THREAD))
		return gs_fail(err, GS_E_USAGE, "--normalize: expected command, "
		    "cgroup or thread in --group-by");
	if (w->n_flatten > 0 && !has_cgroup_key(a))
		return gs_fail(err, GS_E_USAGE, "--cgroup-flatten: expected "
		    "cgroup in --group-by");
	a->of_view.normal = (struct normal_ask) { .on = w->normalize,
		.glob = w->flatten, .n_glob = w->n_flatten };
	return check_globs(w, err);
}

/* A sum over all servers is not one of the server that is asked for. */
static int check_nested(struct ask *a, struct gs_err *err)
{
	const struct ask_words *w = &a->words;
	const struct view_ask *v = &a->of_view;

	if (!w->nested)
		return GS_OK;
	if (v->n_key < 2)
		return gs_fail(err, GS_E_USAGE, "--nested: expected "
		    "--group-by with two keys or more");
	if ((w->server && v->key[0] != LABEL_SERVER) ||
	    (w->session && v->key[0] != LABEL_SESSION))
		return gs_fail(err, GS_E_USAGE, "--nested with --%s: expected "
		    "%s as the first key of --group-by",
		    w->server ? "server" : "session",
		    w->server ? "server" : "session");
	a->of_view.nested = true;
	if (w->top > 0)
		a->of_view.n_key = GS_MIN(v->n_key, w->top);
	return GS_OK;
}

static int parse_averages(struct ask *a, struct gs_err *err)
{
	struct view_ask *v = &a->of_view;
	struct span all = span_str(a->words.ema ? a->words.ema : ""), one;
	char word[32];
	int r = GS_OK;

	while (r == GS_OK && !span_empty(all)) {
		if (!scan_until(&all, ',', &one)) {
			one = all;
			all.ptr = all.end;
		}
		if (v->n_ema == ROLLUP_EMA_MAX)
			return gs_fail(err, GS_E_USAGE, "--ema: expected at "
			    "most %d times", ROLLUP_EMA_MAX);
		(void)snprintf(word, sizeof(word), "%.*s",
		    (int)GS_MIN(span_len(one), sizeof(word) - 1), one.ptr);
		r = units_duration(word, &v->ema_ns[v->n_ema], err);
		if (r == GS_OK && v->ema_ns[v->n_ema++] == 0)
			r = gs_fail(err, GS_E_USAGE,
			    "\"%s\": expected more than 0", word);
	}
	if (r < 0)
		gs_err_prefix(err, "--ema");
	else if (a->words.ema && !view_has_averages(a->view))
		r = gs_fail(err, GS_E_USAGE, "--ema goes with the views "
		    "sessions, queries, processes, top and hosts, not with %s",
		    view_name(a->view));
	return r;
}

static bool has_metric(const struct ask *a, const struct view_metric *m)
{
	size_t i;

	for (i = 0; i < a->of_view.n_metric; i++) {
		if (a->metric[i].metric == m->metric &&
		    a->metric[i].full == m->full)
			return true;
	}
	return false;
}

static void add_metric(struct ask *a, const struct view_metric *m)
{
	GS_GROW(a->metric, &a->metric_cap, a->of_view.n_metric + 1);
	a->metric[a->of_view.n_metric++] = *m;
	a->of_view.metric = a->metric;
}

/* Names that are not columns of the view may be metrics; unknown names are
 * reported when there is a table. */
static void find_metrics(struct ask *a)
{
	struct span rest = span_str(a->words.columns ? a->words.columns : "");
	struct grid *g = view_columns(a->view, &a->of_view);
	struct view_metric m = { .rate = a->words.rates };
	struct span name;

	while (grid_next_name(&rest, &name)) {
		bool add = !span_empty(name) && *name.ptr == '+';

		name.ptr += add;
		if (grid_find_col(g, name.ptr, span_len(name)) >= 0 ||
		    !view_find_metric(a->view, name.ptr, span_len(name), &m) ||
		    has_metric(a, &m))
			continue;
		add_metric(a, &m);
		m.stands_in = a->words.stand_ins;
		if (m.stands_in)
			add_metric(a, &m);
		m.stands_in = false;
	}
	grid_free(g);
}

/* All metrics that are no columns, and have a meaning for groups. */
static void add_all_metrics(struct ask *a)
{
	const char *kind = view_metrics(a->view);
	int entity = kind ? entity_by_name(kind, strlen(kind)) : -1;
	struct grid *g = view_columns(a->view, &a->of_view);
	unsigned i;

	for (i = 0; entity >= 0 &&
	    i < entity_get((enum entity_id)entity)->ncols; i++) {
		struct view_metric m = { .rate = a->words.rates,
			.metric = metric_get((enum entity_id)entity, i) };

		if (m.metric->flags & (F_ID | F_BIRTH | F_RETIRED) ||
		    m.metric->agg == AGG_NONE || grid_find_col(g,
		    m.metric->name, strlen(m.metric->name)) >= 0)
			continue;
		add_metric(a, &m);
		m.stands_in = a->words.stand_ins;
		if (m.stands_in)
			add_metric(a, &m);
	}
	grid_free(g);
}

static int check_overview(const struct ask_words *w, struct gs_err *err)
{
	const char *given = w->sort ? "--sort" : w->where ? "--where"
	    : w->columns ? "--columns" : w->session ? "--session"
	    : w->server ? "--server" : NULL;

	return given ? gs_fail(err, GS_E_USAGE, "%s needs a view: "
	    "-V sessions, -V hosts, ...", given) : GS_OK;
}

/* Checks which distribution a histogram shows. */
static int check_metric(const struct ask *a, struct gs_err *err)
{
	const struct wait_ask *w = &a->words.wait;
	bool histogram = strcmp(view_name(a->view), "histogram") == 0;

	if (!w->metric)
		return GS_OK;
	if (!histogram)
		return gs_fail(err, GS_E_USAGE, "--metric goes with "
		    "-V histogram, not with %s", view_name(a->view));
	if (w->event || w->classes || w->query_id || w->pid)
		return gs_fail(err, GS_E_USAGE, "--metric counts processes, "
		    "--event counts waits: use one of them");
	if (a->words.server || a->words.session)
		return gs_fail(err, GS_E_USAGE, "--metric counts all "
		    "processes: leave out --%s", a->words.server ? "server"
		    : "session");
	if (view_metric(w->metric, err) >= 0)
		return GS_OK;
	gs_err_prefix(err, "--metric");
	return GS_E_USAGE;
}

/* A condition may name any column: it is looked at where no other ask follows. */
static void be_brief(struct ask *a)
{
	const struct ask_words *w = &a->words;
	struct view_ask *v = &a->of_view;

	if (w->where && !w->settled)
		return;
	v->brief = view_brief(&a->brief, v->sort, w->columns);
	v->settled = w->settled;
	v->where = w->where;
	/* a comparison shows on narrow lines what it found in wide columns */
	v->width = w->compared ? 0 : w->width;
	v->few_texts = w->settled && !w->compared && !w->nested &&
	    !w->session && !w->server;
	v->compared_width = w->settled && !ask_names_columns(w) ? w->width : 0;
}

static int choose_view(struct ask *a, struct gs_err *err)
{
	const struct ask_words *w = &a->words;
	int r;

	/* grouping and choosing need a table of their own */
	a->view = view_find(w->group_by && strcmp(w->view, "overview") == 0
	    ? "sessions" : w->view);
	if (!a->view)
		return view_unknown(w->view, err);
	if (w->sort && w->sort[0] == '\0')
		return gs_fail(err, GS_E_USAGE, "--sort: expected a column");
	r = parse_keys(a, err);
	if (r == GS_OK)
		r = check_normal(a, err);
	if (r == GS_OK)
		r = check_nested(a, err);
	if (r == GS_OK)
		r = parse_averages(a, err);
	if (r == GS_OK && view_is_overview(a->view))
		r = check_overview(w, err);
	if (r == GS_OK)
		r = check_metric(a, err);
	if (r == GS_OK)
		find_metrics(a);
	if (r == GS_OK && w->all_metrics)
		add_all_metrics(a);
	a->of_view.wait = w->wait;
	a->of_view.zone = w->zone;
	if (view_asks_session(a->view) || view_is_page(a->view)) {
		a->of_view.wait.session = w->session;
		a->of_view.wait.server = w->server;
	}
	a->of_view.dear = view_names_dear(a->view, w->columns) ||
	    view_names_dear(a->view, w->where) ||
	    view_names_dear(a->view, w->sort);
	a->of_view.sort = w->sort ? w->sort : w->group_by
	    ? view_group_sort(a->view) : view_default_sort(a->view);
	if (w->brief)
		be_brief(a);
	if (w->compared && !w->sort)
		a->of_view.sort = "";
	/* Rows that a condition or a comparison may choose must be kept. */
	a->of_view.most = w->where || w->session || w->server || w->compared
	    ? 0 : w->limit;
	return r;
}

int ask_new(const struct ask_words *words, struct ask **ret,
	struct gs_err *err)
{
	struct ask *a = gs_calloc(1, sizeof(*a));
	int r;

	a->words = *words;
	r = choose_view(a, err);
	if (r < 0) {
		ask_free(a);
		return r;
	}
	*ret = a;
	return GS_OK;
}

void ask_free(struct ask *a)
{
	if (!a)
		return;
	filter_free(a->filter);
	buf_release(&a->brief);
	free(a->metric);
	free(a);
}

const struct view *ask_view(const struct ask *a)
{
	return a->view;
}

bool ask_leaps(const struct ask *a)
{
	return !a->words.server && !a->words.session &&
	    view_leaps(a->view, &a->of_view);
}

bool ask_takes_gists(const struct ask *a)
{
	return view_takes_gists(a->view, &a->of_view);
}

const struct view_ask *ask_of_view(const struct ask *a)
{
	return &a->of_view;
}

/* ---- rows and columns --------------------------------------------------- */

static int make_filter(struct ask *a, const struct grid *g,
	const struct when_env *when, struct gs_err *err)
{
	if (!a->words.where || a->filter)
		return GS_OK;
	a->filter = filter_new(a->words.where, g, when, err);
	if (a->filter)
		return GS_OK;
	gs_err_prefix(err, "--where");
	return GS_E_USAGE;
}

/* Columns have the number of a Greenplum session, "7", or its name, "con7". */
static bool is_session(const struct cell *c, const char *name)
{
	char text[64];

	if (strncmp(name, "con", strlen("con")) == 0)
		name += strlen("con");
	if (c->kind == CELL_INT) {
		(void)snprintf(text, sizeof(text), "%lld", (long long)c->i);
		return strcmp(text, name) == 0;
	}
	if (c->kind != CELL_TEXT)
		return false;
	(void)snprintf(text, sizeof(text), "con%.50s", name);
	return span_eq(cell_span(c), name) || span_eq(cell_span(c), text);
}

/* PostgreSQL has no number of sessions: there it is the pid of the backend. */
static bool is_row_of(const struct grid_row *row, int session, int pid,
	const char *name)
{
	const struct cell *c = &row->cell[session];
	bool none = c->kind == CELL_ABSENT || (c->kind == CELL_INT && c->i < 0);

	return is_session(none && pid >= 0 ? &row->cell[pid] : c, name);
}

/* Keeps only the rows of one session: "7", "con7", or the pid of a backend. */
static int keep_session(const struct ask *a, struct grid *g,
	struct gs_err *err)
{
	int col = grid_find_col(g, "session", strlen("session"));
	int pid = grid_find_col(g, "pid", strlen("pid"));
	size_t i, kept = 0;

	if (col < 0)
		return gs_fail(err, GS_E_USAGE, "--session: %s has no "
		    "sessions", g->name);
	for (i = 0; i < g->n_row; i++) {
		if (is_row_of(&g->row[i], col, pid, a->words.session))
			g->row[kept++] = g->row[i];
	}
	g->n_row = g->n_total = kept;
	return GS_OK;
}

/* Keeps only the rows of one server; a table of sums has all servers. */
static int keep_server(const struct ask *a, struct grid *g,
	struct gs_err *err)
{
	int col = grid_find_exactly(g, "server");
	size_t i, kept = 0;

	if (col < 0 && a->words.group_by)
		return gs_fail(err, GS_E_USAGE, "--server: these groups have "
		    "no server: add server to --group-by");
	if (col < 0)
		return gs_fail(err, GS_E_USAGE, "--server: %s has no "
		    "servers", g->name);
	for (i = 0; i < g->n_row; i++) {
		const struct cell *c = &g->row[i].cell[col];

		if (c->kind == CELL_TEXT && span_eq(cell_span(c), a->words.server))
			g->row[kept++] = g->row[i];
	}
	g->n_row = g->n_total = kept;
	return GS_OK;
}

/* An unknown column may have been meant as a metric. */
static void name_metrics(const struct ask *a, struct gs_err *err)
{
	size_t len = err ? strlen(err->msg) : 0;

	if (err && view_metrics(a->view) && !grid_list_is_mixed(a->words.columns))
		(void)snprintf(err->msg + len, sizeof(err->msg) - len,
		    "; and the metrics of %s, see gpsnap-metrics(7)",
		    view_metrics(a->view)); /* cut is fine */
}

/* The columns that were asked for; of a comparison for people, with those of the
 * other side. */
static int choose_columns(struct ask *a, struct grid *g, struct gs_err *err)
{
	struct buf list = BUF_INIT;
	int r;

	if (a->words.with_sides)
		compare_add_sides(g, a->words.columns, &list);
	else
		buf_add_str(&list, a->words.columns);
	r = grid_choose(g, buf_str(&list), err);
	buf_release(&list);
	if (r < 0)
		name_metrics(a, err);
	return r;
}

int ask_keep(struct ask *a, struct grid *g, const struct when_env *when,
	struct gs_err *err)
{
	struct nest_rows held = nest_hold(g);
	int r = make_filter(a, g, when, err);
	size_t n = g->n_row;

	if (r == GS_OK && a->words.session && !view_asks_session(a->view))
		r = keep_session(a, g, err);
	if (r == GS_OK && a->words.server && !view_asks_session(a->view))
		r = keep_server(a, g, err);
	if (r == GS_OK && a->filter)
		filter_grid(a->filter, g);
	nest_restore(g, &held);
	g->says_empty &= g->n_row == n; /* its title is about all rows */
	return r;
}

int ask_refine(struct ask *a, struct grid *g, const struct when_env *when,
	struct gs_err *err)
{
	const char *sort = a->of_view.sort;
	int r = ask_keep(a, g, when, err);

	if (r == GS_OK && sort[0] != '\0')
		r = sort_grid(g, sort, err);
	if (r == GS_OK && !a->words.compared)
		sort_show_keys(g, a->words.sort);
	if (r == GS_OK && a->of_view.nested)
		nest_arrange(g, a->words.limit);
	else if (r == GS_OK && !view_is_fixed(a->view))
		grid_limit(g, a->words.limit);
	return r == GS_OK && a->words.columns ? choose_columns(a, g, err) : r;
}

/* "; there are alpha, 5433"; false: the requested server is one of them. */
static bool list_others(const struct sessions *s, const char *want,
	struct buf *to)
{
	const char *last = "";
	size_t i;

	for (i = 0; i < sessions_servers(s); i++) {
		const char *name = sessions_server_get(s, i)->name;

		if (strcmp(name, want) == 0)
			return false;
		if (strcmp(name, last) != 0) /* else it was restarted */
			buf_printf(to, "%s%s", i ? ", " : "; there are ",
			    name);
		last = name;
	}
	if (i == 0)
		buf_add_str(to, "; no server is known");
	return true;
}

/* A session that is known now may have nothing in this view. */
static bool is_known(const struct sessions *s, const char *want)
{
	char name[SESSION_NAME_MAX];
	size_t i;

	for (i = 0; i < sessions_count(s); i++) {
		struct cell c;

		session_name(sessions_get(s, i), name);
		c = cell_text(span_str(name));
		if (is_session(&c, want))
			return true;
	}
	return false;
}

static void set_unseen(struct grid *g, struct buf *text)
{
	g->unseen = grid_text(g, buf_str(text), text->len + 1).ptr;
	if (g->n_row == 0)
		g->title = g->unseen;
}

void ask_note_session(const struct ask *a, const struct engine *e,
	struct grid *g)
{
	const char *want = a->words.session;
	/* views of waits have a row for the sum */
	size_t n_sums = view_asks_session(a->view) ? 1 : 0;
	struct buf text = BUF_INIT;

	if (!want || g->n_row > n_sums || is_known(e->sessions, want))
		return;
	buf_printf(&text, "--session %s: nothing of it here; -V sessions lists "
	    "those of the range", want);
	set_unseen(g, &text);
	buf_release(&text);
}

void ask_note_server(const struct ask *a, const struct engine *e,
	struct grid *g)
{
	const char *want = a->words.server;
	struct buf text = BUF_INIT;

	if (want)
		buf_printf(&text, "--server %s: no such server here", want);
	if (want && list_others(e->sessions, want, &text))
		set_unseen(g, &text);
	buf_release(&text);
}
