/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_waits.c - the views of waits: waitgrid.h on an engine.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/buf.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/when.h"
#include "view/view_int.h"
#include "waitgrid/waitgrid_int.h"

/* Number of servers that are kept apart; further ones count for the first. */
#define SERVERS_MAX 64

/* Columns of a query in a heading. */
#define QUERY_SHOWN ((size_t)60)

/* Index of the column of the server in tables, which have at least two columns. */
#define SERVER_AT 1

/* The waits of one server: DB time is of one server. */
struct server_waits {
	const struct wait_use *use;
	const struct dbserver *server; /* NULL: none was seen yet */
	struct waits *waits;
};

struct wait_use {
	enum wait_table table;
	const struct wait_ask *ask;
	const struct engine *engine;
	struct server_waits **part; /* in order of appearance; at least one */
	size_t n_part, cap;
	struct waits *none; /* of an unknown server */
	struct view_use *processes; /* for a histogram of a metric; else NULL */
};

static const struct row *process_of(void *ctx, const struct row *backend)
{
	const struct server_waits *p = ctx;
	const struct proc *proc = sessions_proc_of_backend(
	    p->use->engine->sessions, backend);

	return proc ? proc->row : NULL;
}

/* ---- servers --------------------------------------------------------- */

static const char *name_of(const struct server_waits *p)
{
	return p->server ? p->server->name : "";
}

static struct server_waits *part_named(const struct wait_use *u, const char *name)
{
	size_t i;

	for (i = 0; i < u->n_part; i++) {
		if (strcmp(name_of(u->part[i]), name) == 0)
			return u->part[i];
	}
	return NULL;
}

/* The server, or its restarted successor; NULL: gone. */
static const struct dbserver *listed_as(const struct sessions *s,
	const struct dbserver *v)
{
	size_t i;

	for (i = 0; v && i < sessions_servers(s); i++) {
		const struct dbserver *u = sessions_server_get(s, i);

		if (u == v || strcmp(u->name, v->name) == 0)
			return u;
	}
	return NULL;
}

/* Waits without a known server count for the first. */
static bool is_of(void *ctx, const struct dbserver *server)
{
	const struct server_waits *p = ctx;
	const struct server_waits *of = server ? part_named(p->use, server->name)
	                               : NULL;

	return of ? of == p : p == p->use->part[0];
}

static void add_part(struct wait_use *u, const struct dbserver *server)
{
	struct server_waits *p = gs_calloc(1, sizeof(*p));

	p->use = u;
	p->server = server;
	p->waits = waits_new(waitgrid_by(u->table, u->ask),
	    u->engine->interval_ns, process_of, p);
	if (u->n_part > 0)
		waits_begin_as(p->waits, u->part[0]->waits);
	GS_GROW(u->part, &u->cap, u->n_part + 1);
	u->part[u->n_part++] = p;
}

static bool has_server(const struct wait_use *u, const struct dbserver *v)
{
	size_t i;

	for (i = 0; i < u->n_part; i++) {
		if (u->part[i]->server == v ||
		    strcmp(name_of(u->part[i]), v->name) == 0)
			return true;
	}
	return false;
}

static void find_servers(struct wait_use *u, const struct sessions *s)
{
	size_t i;

	/* the newest of its name: the older one will lose it */
	for (i = 0; i < u->n_part; i++) {
		const struct dbserver *v = listed_as(s, u->part[i]->server);

		u->part[i]->server = v ? v : u->part[i]->server;
	}

	for (i = 0; i < sessions_servers(s); i++) {
		const struct dbserver *v = sessions_server_get(s, i);

		if (!u->part[0]->server)
			u->part[0]->server = v;
		else if (!has_server(u, v) && u->n_part < SERVERS_MAX)
			add_part(u, v);
	}
}

static void follow(void *self, const struct engine *e)
{
	struct wait_use *u = self;
	size_t i;

	find_servers(u, e->sessions);
	for (i = 0; i < u->n_part; i++) {
		waits_set_server(u->part[i]->waits,
		    u->n_part > 1 ? is_of : NULL, u->part[i]);
		waits_set_interval(u->part[i]->waits, e->interval_ns);
		waits_tick(u->part[i]->waits, e->world, e->sessions);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(name_of(*(struct server_waits *const *)a),
	    name_of(*(struct server_waits *const *)b));
}

static bool is_one_of(struct server_waits *const *part, size_t n,
	const struct dbserver *v)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (part[i]->server == v)
			return true;
	}
	return false;
}

/* Keeps only servers of the range. */
static void restart(void *self, const struct engine *e)
{
	struct wait_use *u = self;
	size_t i, kept = 0;

	for (i = 0; i < u->n_part; i++) {
		struct server_waits *p = u->part[i];
		const struct dbserver *v = listed_as(e->sessions, p->server);

		if (v && !is_one_of(u->part, kept, v)) {
			p->server = v;
			u->part[kept++] = p;
		} else if (i == u->n_part - 1 && kept == 0) {
			p->server = NULL;
			u->part[kept++] = p;
		} else {
			waits_free(p->waits);
			free(p);
		}
	}
	u->n_part = kept;
	qsort(u->part, u->n_part, sizeof(*u->part), by_name);
	for (i = 0; i < u->n_part; i++)
		waits_restart(u->part[i]->waits, e->before_ns > 0);
}

static void *open_table(struct engine *e, const struct view_ask *ask,
	enum wait_table table)
{
	static const struct view_ask plain = VIEW_ASK_INIT;
	static const uint64_t none[COL_WORDS_MAX];
	struct wait_use *u = gs_calloc(1, sizeof(*u));
	struct follower f = { .self = u, .tick = follow, .restart = restart };

	u->table = table;
	u->ask = &ask->wait;
	u->engine = e;
	if (table == WAIT_HISTOGRAM && u->ask->metric) {
		u->processes = view_open(&view_processes, e, &plain);
		return u;
	}
	u->none = waits_new(waitgrid_by(table, u->ask), e->interval_ns, NULL,
	    NULL);
	add_part(u, NULL);
	/* covered time is that of hosts */
	engine_add_grouping(
	    e, grouping_new(GROUPING_ROW, ENTITY_HOST, none, NULL, 0));
	engine_add_follower(e, &f);
	return u;
}

/* "12 of 40 backends at work" */
static void add_backends(struct buf *to, const struct waits *waits)
{
	size_t i, n = 0, working = 0;

	for (i = 0; i < waits_backends(waits); i++) {
		const struct wait_backend *b = waits_backend(waits, i);

		n += b->open;
		working += b->open && b->event->kind >= WAIT_CPU;
	}
	if (n > 0)
		buf_printf(to, "%zu of %zu backends at work", working, n);
}

/* ", server up 32m15s" */
static void add_uptime(struct buf *to, const struct engine *e,
	const struct host *c)
{
	char up[WHEN_SPAN_MAX];
	uint64_t start_us;
	int64_t up_us;
	size_t i;

	for (i = 0; c && i < c->table[ENTITY_CLUSTER].n_slot; i++) {
		const struct row *r = c->table[ENTITY_CLUSTER].slot[i];

		if (!r || !row_get(r, COL(CLUSTER, START), &start_us))
			continue;
		up_us = gs_difference(e->to_ns / 1000, (int64_t)start_us);
		if (up_us < 0)
			continue;
		when_age(up, (double)up_us / 1e6);
		buf_printf(to, "%sserver up %s", to->len > 0 ? ", " : "",
		    up);
		return;
	}
}

/* The session's own backend, whose pid is the session's in PostgreSQL, else the
 * last one; and how many there are. */
static const struct wait_backend *first_backend(const struct wait_ask *ask,
	const struct waits *waits, size_t *ret_n)
{
	const struct wait_backend *first = NULL;
	size_t i;

	*ret_n = 0;
	for (i = waits_backends(waits); i-- > 0;) {
		const struct wait_backend *b = waits_backend(waits, i);
		bool own = (uint64_t)b->pid == b->session;

		if (!waitgrid_is_asked(ask, b) ||
		    (ask->pid == 0 && !own && b->content >= 0))
			continue;
		++*ret_n;
		if (!first || (own && (uint64_t)first->pid != first->session))
			first = b;
	}
	return first;
}

/* ", active: UPDATE ..." */
static void add_query(struct buf *to, const struct wait_backend *b)
{
	const char *text = b->open && b->query ? b->query->text : "";
	size_t len = strlen(text), fit = utf8_fit(text, len, QUERY_SHOWN);

	if (len > 0)
		buf_printf(to, ", %s: %.*s%s", b->state[0] ? b->state : "query",
		    (int)fit, text, fit < len ? "..." : "");
}

/* "backend 4711: client backend of app in shop, and 2 more, active: UPDATE ..." */
static void add_backend(struct buf *to, const struct wait_ask *ask,
	const struct waits *waits)
{
	size_t n;
	const struct wait_backend *b = first_backend(ask, waits, &n);

	if (!b)
		return;
	buf_printf(to, "backend %d: %s%s%.40s%s%.40s", b->pid,
	    b->type[0] ? b->type : "client backend",
	    b->user[0] ? " of " : "", b->user,
	    b->database[0] ? " in " : "", b->database);
	if (n > 1)
		buf_printf(to, ", and %zu more", n - 1);
	add_query(to, b);
}

static void add_part_title(struct buf *to, const struct server_waits *p,
	const struct engine *e, bool named)
{
	const struct host *c = p->server ? p->server->catalog : NULL;
	struct buf text = BUF_INIT;

	if (wait_is_detail(p->use->ask)) {
		add_backend(&text, p->use->ask, p->waits);
	} else {
		add_backends(&text, p->waits);
		add_uptime(&text, e, c ? c : named ? NULL
		    : world_catalog(e->world, 0));
	}
	if (text.len > 0)
		buf_printf(to, "%s%s%s%s", to->len > 0 ? "; " : "",
		    named ? name_of(p) : "", named ? ": " : "",
		    buf_str(&text));
	buf_release(&text);
}

/* True if the server is selected, and has data in the range. */
static bool is_shown(const struct server_waits *p)
{
	const char *want = p->use->ask->server;

	if (part_named(p->use, name_of(p)) != p)
		return false; /* another server took over its name */
	if (want)
		return strcmp(name_of(p), want) == 0;
	return p == p->use->part[0] ||
	    listed_as(p->use->engine->sessions, p->server);
}

static void add_title(struct grid *g, const struct wait_use *u,
	const struct engine *e)
{
	struct buf text = BUF_INIT;
	size_t i;

	for (i = 0; i < u->n_part; i++) {
		if (is_shown(u->part[i]))
			add_part_title(&text, u->part[i], e, u->n_part > 1);
	}
	if (text.len > 0)
		g->title = grid_text(g, buf_str(&text), text.len + 1).ptr;
	buf_release(&text);
}

/* The selected event was seen on no selected server. */
static void add_unseen(struct grid *g, const struct wait_use *u)
{
	struct buf text = BUF_INIT;
	bool seen = false;
	size_t i;

	for (i = 0; i < u->n_part && !seen; i++) {
		if (!is_shown(u->part[i]) ||
		    waits_count(u->part[i]->waits) == 0)
			continue;
		buf_reset(&text);
		seen = !waitgrid_unseen(u->part[i]->waits, u->ask, &text);
	}
	if (!seen && text.len > 0)
		g->unseen = grid_text(g, buf_str(&text), text.len + 1).ptr;
	buf_release(&text);
}

static struct grid *metric_of(const struct wait_use *u,
	const struct engine *e)
{
	struct grid *of = view_grid(u->processes, e);
	/* the column exists: this was checked before */
	size_t col = (size_t)GS_MAX(view_metric(u->ask->metric, NULL), 0);
	struct grid *g = waitgrid_metric(of, col);

	grid_free(of);
	return g;
}

/* ---- tables of servers, one below the other -------------------------- */

static struct cell copy_cell(struct grid *to, struct cell c)
{
	if (c.kind == CELL_TEXT)
		c.text = grid_text(to, c.text, c.len).ptr;
	return c;
}

static const struct grid_col server_col = {
	.name = "server", .title = "SERVER", .quantity = Q_TEXT,
	.min_width = MANY_SERVERS,
	.help = "database server: its cluster_name, else its port"
};

static void add_columns(struct grid *to, const struct grid *from,
	const struct wait_use *u)
{
	struct grid_col server = server_col;
	bool many = u->n_part > 1;
	size_t i;

	server.min_width = many ? 80 : GRID_ON_REQUEST;
	for (i = 0; i < from->n_col; i++) {
		struct grid_col c = from->col[i];

		if (i == SERVER_AT)
			grid_add_col(to, &server);

		c.title = grid_text(to, c.title, strlen(c.title) + 1).ptr;
		c.name = grid_text(to, c.name, strlen(c.name) + 1).ptr;
		c.additive &= !(c.of_server && many && !u->ask->server);
		grid_add_col(to, &c);
	}
}

static void add_rows(struct grid *to, const struct grid *from,
	const struct server_waits *p)
{
	const char *name = name_of(p);
	size_t i, k;

	for (i = 0; i < from->n_row; i++) {
		struct grid_row *r = grid_add_row(to);

		r->id = from->row[i].id;
		if (name[0] != '\0')
			r->cell[SERVER_AT] = cell_text(grid_text(to, name,
			    strlen(name)));
		for (k = 0; k < from->n_col; k++)
			r->cell[k + (k >= SERVER_AT)] = copy_cell(to,
			    from->row[i].cell[k]);
	}
}

static struct grid *table_of(const struct wait_use *u,
	struct wait_window *w, size_t n, void *const *self, const char *name)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct wait_use *v = self[i];
		const struct server_waits *p = part_named(v, name);

		if (p)
			waits_settle(p->waits);
		w[i].waits = p ? p->waits : v->none;
	}
	return waitgrid_new(u->table, w, n, u->ask);
}

/* Of the same columns and time. */
static struct grid *grid_like(const struct grid *one, const struct wait_use *u)
{
	struct grid *g = grid_new(one->name, NULL);

	add_columns(g, one, u);
	g->from_ns = one->from_ns;
	g->to_ns = one->to_ns;
	g->covered_s = one->covered_s;
	g->window_s = one->window_s;
	return g;
}

/* The last of the uses has the longest window, with all servers. */
static struct grid *tables_of(void *const *self, struct wait_window *w,
	size_t n, const struct engine *e)
{
	const struct wait_use *u = self[n - 1];
	struct server_waits **part = gs_calloc(u->n_part, sizeof(*part));
	struct grid *g = NULL;
	size_t i;

	memcpy(part, u->part, u->n_part * sizeof(struct server_waits *));
	qsort(part, u->n_part, sizeof(*part), by_name);
	for (i = 0; i < u->n_part; i++) {
		const struct server_waits *p = part[i];
		struct grid *one;

		if (!is_shown(p))
			continue;
		one = table_of(u, w, n, self, name_of(p));
		if (!g)
			g = grid_like(one, u);
		add_rows(g, one, p);
		grid_free(one);
	}
	if (!g) {
		struct grid *one = table_of(u, w, n, self, u->ask->server);

		g = grid_like(one, u);
		grid_free(one);
	}
	free(part);
	add_title(g, u, e);
	add_unseen(g, u);
	return g;
}

static struct grid *grid_of(void *self, const struct engine *e)
{
	const struct wait_use *u = self;
	struct wait_window w = { NULL, e->from_ns, e->to_ns, 0, true };

	return u->processes ? metric_of(u, e) : tables_of(&self, &w, 1, e);
}

static struct grid *grid_as(const void *other, const struct engine *e,
	enum wait_table table)
{
	struct wait_use as = *(const struct wait_use *)other;

	as.table = table;
	return grid_of(&as, e);
}

static struct grid *beside_of(void *const *self, const struct view_window *v,
	size_t n)
{
	struct wait_window w[WAIT_WINDOWS_MAX];
	size_t i;

	for (i = 0; i < n; i++)
		w[i] = (struct wait_window) { NULL, v[i].engine->from_ns,
			v[i].engine->to_ns, v[i].length_ns, v[i].filled };
	return tables_of(self, w, n, v[n - 1].engine);
}

static void close_table(void *self)
{
	struct wait_use *u = self;
	size_t i;

	for (i = 0; i < u->n_part; i++) {
		waits_free(u->part[i]->waits);
		free(u->part[i]);
	}
	free(u->part);
	waits_free(u->none);
	view_close(u->processes);
	free(u);
}

#define WAIT_VIEW(sym, TABLE_, name_, help_, cols, fixed_, sort_)       \
	static void *open_##sym(struct engine *e,                       \
		const struct view_ask *ask)                             \
	{                                                               \
		return open_table(e, ask, TABLE_);                      \
	}                                                               \
	static bool is_beside_##sym(const struct view_ask *ask)         \
	{                                                               \
		return waitgrid_beside(TABLE_, &ask->wait);             \
	}                                                               \
	static struct grid *grid_as_##sym(void *other,                  \
		const struct engine *e)                                 \
	{                                                               \
		return grid_as(other, e, TABLE_);                       \
	}                                                               \
	static const struct view_table table_##sym = {                  \
		.open = open_##sym, .grid = grid_of,                    \
		.grid_as = grid_as_##sym,                               \
		.close = close_table, .second = &server_col, .col = cols, \
		.n_col = GS_LEN(cols), .fixed = fixed_,                 \
		.waits = (TABLE_) != WAIT_ACTIVE,                       \
		.is_beside = is_beside_##sym, .beside = beside_of };    \
	const struct view view_##sym = { .name = name_, .help = help_,  \
		.grouping = TABLE, .entity = ENTITY_BACKEND, .sort = sort_, \
		.table = &table_##sym }

WAIT_VIEW(waits, WAIT_SCREEN, "waits",
    "waits of sessions, on one screen", wait_screen_cols, true, "");
WAIT_VIEW(time_model, WAIT_TIME_MODEL, "time_model",
    "database time by wait class and event, by sampling", wait_model_cols,
    true, "");
WAIT_VIEW(system_event, WAIT_SYSTEM_EVENT, "system_event",
    "wait events", wait_event_cols, false, "");
WAIT_VIEW(session_event, WAIT_SESSION_EVENT, "session_event",
    "backends by database time; with --pid or --session, events of one",
    wait_backend_cols, false, "");
WAIT_VIEW(query_event, WAIT_QUERY_EVENT, "query_event",
    "queries and their waits", wait_query_cols, false, "");
WAIT_VIEW(histogram, WAIT_HISTOGRAM, "histogram",
    "lengths of waits: bounds", wait_histogram_cols, true,
    "");
WAIT_VIEW(active, WAIT_ACTIVE, "active",
    "backends that are active at the end of the range", wait_active_cols, false,
    "wait_time");
