/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_query.c - the page of a session's queries: a list of them, as in
 * queries, then about each of the longest: its text and figures, what it waited
 * for, its processes, its course; then about the session: its figures, and the
 * locks that it waited for or kept from others.
 *
 * List, session, locks and processes are other views, of this session only, so
 * that all figures are theirs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "query/columns.h"
#include "query/sort.h"
#include "view/query_track.h"
#include "view/view_int.h"

#define PAGES_MAX 5u /* queries with a page */

/* Keys of processes. */
static const enum label_kind keys[] = { LABEL_QUERY, LABEL_SLICE,
	LABEL_SEGMENT, LABEL_PROCESS, LABEL_HOST };

struct page_use {
	const struct engine *engine;
	const struct wait_ask *wait;
	struct view_ask list_ask, process_ask, lock_ask;
	struct view_use *list, *processes, *session, *locks;
	struct query_track *track;
};

/* ---- which session ------------------------------------------------------ */

static bool is_asked(void *ctx, const struct session *s)
{
	const struct page_use *u = ctx;
	const char *want = u->wait->session;
	const struct dbserver *server;
	char name[SESSION_NAME_MAX];

	if (s->kind == SESSION_OS)
		return false;
	session_name(s, name);
	if (strcmp(want, name) != 0 && strcmp(want, s->name) != 0)
		return false;
	if (!u->wait->server)
		return true;
	server = sessions_server(u->engine->sessions, s);
	return server && strcmp(server->name, u->wait->server) == 0;
}

static void *open_page(struct engine *e, const struct view_ask *ask)
{
	static const struct view_ask plain = VIEW_ASK_INIT;
	struct page_use *u = gs_calloc(1, sizeof(*u));

	u->engine = e;
	u->wait = &ask->wait;
	u->list_ask = plain;
	if (!u->wait->session) { /* only the list */
		u->list_ask.sort = ask->sort;
		u->list_ask.most = ask->most;
		u->list = view_open(&view_queries, e, &u->list_ask);
		return u;
	}
	u->list_ask.only = is_asked;
	u->list_ask.only_ctx = u;
	u->process_ask = u->list_ask;
	memcpy(u->process_ask.key, keys, sizeof(keys));
	u->process_ask.n_key = GS_LEN(keys);
	u->list = view_open(&view_queries, e, &u->list_ask);
	u->processes = view_open(&view_processes, e, &u->process_ask);
	u->session = view_open(&view_sessions, e, &u->list_ask);
	u->lock_ask = plain;
	u->lock_ask.zone = ask->zone;
	u->locks = view_open(&view_locks, e, &u->lock_ask);
	u->track = query_track_new(e, is_asked, u);
	return u;
}

static void close_page(void *self)
{
	struct page_use *u = self;

	view_close(u->list);
	view_close(u->processes);
	view_close(u->session);
	view_close(u->locks);
	query_track_free(u->track);
	free(u);
}

/* ---- tables ------------------------------------------------------------- */

static struct cell text(struct grid *g, const char *s)
{
	return s && *s ? cell_text(grid_text(g, s, strlen(s)))
	    : (struct cell) { .kind = CELL_ABSENT };
}

static struct cell named(struct grid *g, struct span name)
{
	return cell_text(grid_text(g, name.ptr, span_len(name)));
}

static struct span text_of(const struct grid *g, const struct grid_row *r,
	const char *name)
{
	int col = grid_find_col(g, name, strlen(name));

	return col >= 0 && r->cell[col].kind == CELL_TEXT
	    ? cell_span(&r->cell[col]) : span_of("", 0);
}

static struct grid *new_grid(const char *name, const char *title,
	const struct grid_col *col, size_t n, const struct engine *e)
{
	struct grid *g = grid_new(name, NULL);
	size_t i;

	for (i = 0; i < n; i++)
		grid_add_col(g, &col[i]);
	if (title)
		g->title = grid_text(g, title, strlen(title) + 1).ptr;
	g->from_ns = e->from_ns;
	g->to_ns = e->to_ns;
	g->covered_s = engine_covered_s(e);
	return g;
}

static struct cell estimate(int64_t ns)
{
	struct cell c = cell_real((double)ns / (double)GS_NSEC_PER_SEC);

	c.mark = '~';
	return c;
}

/* Column 0 of all tables of a page, for programs. */
#define QUERY_COL \
	GRID_COL("query", "QUERY", Q_TEXT, GRID_ON_REQUEST, "query that the table is about")

#define FACT_COLS(VIEW) \
	GRID_COL("figure", "FIGURE", Q_TEXT, 80, "name of a column of " VIEW), \
	GRID_COL("value", "VALUE", Q_BY_ROW, 80, "its value"), \
	GRID_COL("help", "", Q_TEXT, 80, "what it is", .flexible = true), \
	GRID_COL("text", "TEXT", Q_TEXT, GRID_ON_REQUEST, "text of the query, in its row")

static const struct grid_col fact_cols[] = { QUERY_COL, FACT_COLS("queries") };

static const struct grid_col session_cols[] = {
	GRID_COL("session", "SESSION", Q_TEXT, GRID_ON_REQUEST,
	    "session that the table is about"),
	FACT_COLS("sessions"),
};

/* A table of facts. */
struct about {
	const char *grid;
	const char *what; /* before the name, in its title */
	const struct grid_col *col;
	bool (*is_fact)(const struct grid_col *c);
};

static bool is_of_query(const struct grid_col *c)
{
	return strcmp(c->name, "query") != 0 && (c->min_width <= 200 ||
	    strcmp(c->name, "session") == 0 ||
	    strcmp(c->name, "memory_peak") == 0 ||
	    strcmp(c->name, "wait_segments") == 0);
}

static bool is_of_session(const struct grid_col *c)
{
	return strcmp(c->name, "session") != 0 && (c->min_width <= 120 ||
	    strcmp(c->name, "application") == 0 ||
	    strcmp(c->name, "client") == 0 ||
	    strcmp(c->name, "xact_age_seconds") == 0);
}

static const struct about query_facts = { "query_figures", "query", fact_cols,
	is_of_query };
static const struct about session_facts = { "session_figures", "session",
	session_cols, is_of_session };

/* One row of a table, a figure per line, below its text. */
static struct grid *facts(const struct page_use *u, const struct about *about,
	const struct grid *list, const struct grid_row *of, struct span name)
{
	struct span sql = text_of(list, of, "text");
	struct buf title = BUF_INIT;
	struct grid *g;
	struct grid_row *r;
	size_t i;

	buf_printf(&title, "%s %.*s", about->what, (int)span_len(name),
	    name.ptr);
	if (!span_empty(sql)) {
		buf_add_str(&title, ": ");
		buf_add(&title, sql.ptr, span_len(sql));
	}
	g = new_grid(about->grid, buf_str(&title), about->col,
	    GS_LEN(fact_cols), u->engine);
	buf_release(&title);
	for (i = 0; i < list->n_col; i++) {
		const struct grid_col *c = &list->col[i];

		if (of->cell[i].kind == CELL_ABSENT ||
		    strcmp(c->name, "text") == 0 || !about->is_fact(c))
			continue;
		r = grid_add_row(g);
		r->cell[0] = named(g, name);
		r->quantity = grid_quantity(c, of);
		r->cell[1] = text(g, c->name);
		r->cell[2] = grid_copy_cell(g, &of->cell[i]);
		r->cell[3] = text(g, c->help);
	}
	if (g->n_row > 0 && !span_empty(sql))
		g->row[0].cell[4] = named(g, sql);
	return g;
}

static const struct grid_col wait_cols[] = {
	QUERY_COL,
	GRID_COL("event", "EVENT", Q_TEXT, 80,
	    "what its backends were seen doing: a wait event, or CPU*"),
	GRID_COL("time_seconds", "TIME", Q_SECONDS, 80, "for how long, by sampling",
	    .additive = true, .grows = true),
	GRID_COL("percent", "%", Q_PERCENT, 80, "of the query's DB time"),
};

static struct grid *waits(const struct page_use *u, struct span name)
{
	struct grid *g = new_grid("query_waits", "waits", wait_cols,
	    GS_LEN(wait_cols), u->engine);
	size_t i, n;
	struct dbtime_part *p = query_track_waits(u->track, name, NULL, &n);
	int64_t all = 0;

	for (i = 0; i < n; i++)
		all += p[i].time_ns;
	for (i = 0; i < n && all > 0; i++) {
		struct grid_row *r = grid_add_row(g);
		char event[DBTIME_NAME_MAX];

		(void)dbtime_event_name(p[i].event, event);
		r->cell[0] = named(g, name);
		r->cell[1] = text(g, event);
		r->cell[2] = estimate(p[i].time_ns);
		r->cell[3] = cell_real(100 * (double)p[i].time_ns / (double)all);
		r->cell[3].mark = '~';
	}
	free(p);
	return g;
}

static const struct grid_col point_cols[] = {
	QUERY_COL,
	GRID_COL("from", "FROM", Q_TIME, 80, "start of the interval"),
	GRID_COL("to", "TO", Q_TIME, 80, "its end"),
	GRID_COL("cpu_percent", "CPU%", Q_PERCENT, 80,
	    "CPU time of its processes, % of one core"),
	GRID_COL("io_bytes_per_second", "IO/s", Q_BYTES_RATE, 80,
	    "bytes that they read from and wrote to storage"),
	GRID_COL("memory_peak", "MEM", Q_BYTES, 80, "highest private memory at a tick"),
	GRID_COL("spill_peak", "SPILL", Q_BYTES, 80, "largest temporary files at a tick"),
	GRID_COL("wait", "WAIT", Q_TEXT, 80, "what it was seen doing most"),
	GRID_COL("wait_seconds", "TIME", Q_SECONDS, 80, "for how long, by sampling"),
	GRID_COL("blockers", "BLOCKERS", Q_TEXT, 80,
	    "who kept it waiting, and who that session, the last one of the interval",
	    .flexible = true),
};

static void add_point(struct grid *g, const struct page_use *u,
	struct span name, const struct query_point *p)
{
	double s = (double)(p->to_ns - p->from_ns) / (double)GS_NSEC_PER_SEC;
	struct grid_row *r = grid_add_row(g);
	char event[DBTIME_NAME_MAX];
	struct dbtime_part *w;
	size_t n;

	r->cell[0] = named(g, name);
	r->cell[1] = cell_int(p->from_ns);
	r->cell[2] = cell_int(p->to_ns);
	if (p->has_cpu && s > 0)
		r->cell[3] = cell_real(100 * p->cpu_s / s);
	if (p->has_io && s > 0)
		r->cell[4] = cell_real(p->io_bytes / s);
	if (p->has_memory)
		r->cell[5] = cell_real(p->memory);
	if (p->has_spill)
		r->cell[6] = cell_real(p->spill);
	w = query_track_waits(u->track, name, p, &n);
	if (n > 0) {
		(void)dbtime_event_name(w[0].event, event);
		r->cell[7] = text(g, event);
		r->cell[8] = estimate(w[0].time_ns);
	}
	free(w);
	r->cell[9] = text(g, p->blocker);
}

static struct grid *course(const struct page_use *u, struct span name)
{
	struct grid *g = new_grid("query_times", "times", point_cols,
	    GS_LEN(point_cols), u->engine);
	const struct query_course *c = query_track_find(u->track, name);
	size_t i;

	for (i = 0; c && i < c->n; i++)
		add_point(g, u, name, &c->point[i]);
	return g;
}

/* The query's rows of the table of processes. */
static struct grid *processes(const struct page_use *u,
	const struct grid *all, struct span name)
{
	int of = grid_find_col(all, "query", strlen("query"));
	struct grid *g = new_grid("query_processes", "processes", all->col,
	    all->n_col, u->engine);
	size_t i, k;

	for (i = 0; i < all->n_row && of >= 0; i++) {
		const struct cell *c = all->row[i].cell;
		struct grid_row *r;

		if (c[of].kind != CELL_TEXT || !span_same(cell_span(&c[of]), name))
			continue;
		r = grid_add_row(g);
		for (k = 0; k < all->n_col; k++)
			r->cell[k] = grid_copy_cell(g, &c[k]);
	}
	if (of >= 0)
		g->col[of].min_width = GRID_ON_REQUEST;
	for (k = 0; k < GS_LEN(keys); k++)
		g->col[k].if_any = true;
	(void)sort_grid(g, "+slice,+segment,-cpu_seconds", NULL);
	return g;
}

/* ---- the page ----------------------------------------------------------- */

struct long_query {
	double age;
	size_t row;
};

/* The longest first. */
static int by_age(const void *a, const void *b)
{
	const struct long_query *x = a, *y = b;

	if (x->age != y->age)
		return x->age < y->age ? 1 : -1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static struct long_query *longest(const struct grid *list, size_t *ret_n)
{
	int age = grid_find_col(list, "age_seconds", strlen("age_seconds"));
	struct long_query *q = gs_calloc(list->n_row + 1, sizeof(*q));
	size_t i, n = 0;

	for (i = 0; i < list->n_row && age >= 0; i++) {
		if (list->row[i].cell[age].kind == CELL_REAL)
			q[n++] = (struct long_query) {
				list->row[i].cell[age].r, i };
	}
	qsort(q, n, sizeof(*q), by_age);
	*ret_n = GS_MIN(n, (size_t)PAGES_MAX);
	return q;
}

static void append(struct grid ***end, struct grid *g)
{
	if (g->n_row == 0) {
		grid_free(g);
		return;
	}
	**end = g;
	*end = &g->more;
}

/* The trees of locks in which the session is. */
static struct grid *locks(const struct page_use *u, struct span session)
{
	struct grid *all = view_grid(u->locks, u->engine);
	struct grid *g = new_grid("query_locks", "locks", all->col, all->n_col,
	    u->engine);
	struct span root = span_of("", 0);
	size_t i, k, m;

	for (i = 0; i < all->n_row; i++) {
		if (!span_same(text_of(all, &all->row[i], "session"), session))
			continue;
		if (span_same(text_of(all, &all->row[i], "root"), root))
			continue; /* it is in this tree twice */
		root = text_of(all, &all->row[i], "root");
		for (k = 0; k < all->n_row; k++) {
			struct grid_row *r;

			if (!span_same(text_of(all, &all->row[k], "root"), root))
				continue;
			r = grid_add_row(g);
			for (m = 0; m < all->n_col; m++)
				r->cell[m] = grid_copy_cell(g, &all->row[k].cell[m]);
		}
	}
	grid_free(all);
	return g;
}

/* What the session is and did, below its queries' pages. */
static void add_session(const struct page_use *u, struct grid ***end)
{
	struct grid *of = view_grid(u->session, u->engine);
	size_t i;

	for (i = 0; i < of->n_row; i++) {
		struct span name = text_of(of, &of->row[i], "session");

		append(end, facts(u, &session_facts, of, &of->row[i], name));
		append(end, locks(u, name));
	}
	grid_free(of);
}

static struct grid *grid_of(void *self, const struct engine *e)
{
	struct page_use *u = self;
	struct grid *list = view_grid(u->list, e);
	struct grid **end = &list->more, *all;
	struct long_query *q;
	size_t i, n;

	list->name = "query";
	if (!u->processes) {
		list->title = "with --session ID: a page about each of the "
		    "longest queries of a session";
		return list;
	}
	all = view_grid(u->processes, e);
	q = longest(list, &n);
	for (i = 0; i < n; i++) {
		const struct grid_row *r = &list->row[q[i].row];
		struct span name = text_of(list, r, "query");

		append(&end, facts(u, &query_facts, list, r, name));
		append(&end, waits(u, name));
		append(&end, processes(u, all, name));
		append(&end, course(u, name));
	}
	free(q);
	grid_free(all);
	add_session(u, &end);
	if (list->n_row == 0 && list->more) {
		list->title = "no query of the session ran";
		list->says_empty = true;
	}
	return list;
}

static const struct view_table page = {
	.open = open_page, .grid = grid_of, .close = close_page, .page = true,
};

const struct view view_query = { .name = "query",
	.help = "the queries of one session, a page about each of the longest",
	.grouping = TABLE, .entity = ENTITY_PROCESS, .sort = "+began",
	.table = &page };
