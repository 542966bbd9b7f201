/*
 * views_waits.c - the views of waits: waitgrid.h on an engine.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/when.h"
#include "view/view_int.h"
#include "view/waitgrid_int.h"
#include "view/waitgrid_metric.h"

struct wait_use {
	enum wait_table table;
	const struct wait_ask *ask;
	const struct engine *engine;
	struct waits *waits;
	struct view_use *processes; /* of a histogram of a metric; NULL */
};

static const struct row *process_of(void *ctx, const struct row *backend)
{
	const struct wait_use *u = ctx;
	const struct proc *p = sessions_proc_of_backend(u->engine->sessions,
	    backend);

	return p ? p->row : NULL;
}

static void follow(void *self, const struct engine *e)
{
	struct waits *s = ((struct wait_use *)self)->waits;

	waits_set_interval(s, e->interval_ns);
	waits_tick(s, e->world, e->sessions);
}

static void restart(void *self, const struct engine *e)
{
	(void)e;
	waits_restart(((struct wait_use *)self)->waits);
}

static void *open_table(struct engine *e, const struct view_ask *ask,
	enum wait_table table)
{
	static const struct view_ask plain = VIEW_ASK_INIT;
	static const uint64_t none[COL_WORDS_MAX];
	struct wait_use *u = gs_calloc(1, sizeof(*u));
	struct follower f = { u, follow, restart };

	u->table = table;
	u->ask = &ask->wait;
	u->engine = e;
	if (table == WAIT_HISTOGRAM && u->ask->metric) {
		u->processes = view_open(&view_processes, e, &plain);
		return u;
	}
	u->waits = waits_new(waitgrid_by(table, u->ask), e->interval_ns,
	    process_of, u);
	/* covered time is that of hosts */
	engine_add_lens(e, lens_new(LENS_ROW, ENTITY_HOST, none, NULL, 0));
	engine_add_follower(e, &f);
	return u;
}

/* "12 of 40 backends at work" */
static void add_backends(struct buf *to, const struct wait_use *u)
{
	size_t i, n = 0, working = 0;

	for (i = 0; i < waits_backends(u->waits); i++) {
		const struct wait_backend *b = waits_backend(u->waits, i);

		n += b->open;
		working += b->open && b->event->kind >= WAIT_CPU;
	}
	if (n > 0)
		buf_printf(to, "%zu of %zu backends at work", working, n);
}

/* ", server up 32m15s" */
static void add_uptime(struct buf *to, const struct engine *e)
{
	const struct host *c = world_catalog(e->world);
	char up[WHEN_SPAN_MAX];
	uint64_t start_us;
	size_t i;

	for (i = 0; c && i < c->table[ENTITY_CLUSTER].n_slot; i++) {
		const struct row *r = c->table[ENTITY_CLUSTER].slot[i];

		if (!r || !row_get(r, COL(CLUSTER, START), &start_us) ||
		    (int64_t)start_us > e->to_ns / 1000)
			continue;
		when_age(up, (double)(e->to_ns / 1000 - (int64_t)start_us) /
		    1e6);
		buf_printf(to, "%sserver up %s", to->len > 0 ? ", " : "",
		    up);
		return;
	}
}

/* "backend 4711: client backend of app in shop" */
static void add_backend(struct buf *to, const struct wait_use *u)
{
	size_t i;

	for (i = waits_backends(u->waits); i-- > 0;) {
		const struct wait_backend *b = waits_backend(u->waits, i);

		if (!waitgrid_is_asked(u->ask, b) || (u->ask->pid == 0 &&
		    (uint64_t)b->pid != b->session && b->content >= 0))
			continue;
		buf_printf(to, "backend %d: %s%s%.40s%s%.40s", b->pid,
		    b->type[0] ? b->type : "client backend",
		    b->user[0] ? " of " : "", b->user,
		    b->database[0] ? " in " : "", b->database);
		return;
	}
}

static void add_title(struct grid *g, const struct wait_use *u,
	const struct engine *e)
{
	struct buf text = BUF_INIT;

	if (wait_is_detail(u->ask)) {
		add_backend(&text, u);
	} else {
		add_backends(&text, u);
		add_uptime(&text, e);
	}
	if (text.len > 0)
		g->title = grid_text(g, buf_str(&text), text.len + 1).ptr;
	buf_release(&text);
}

static void add_unseen(struct grid *g, const struct wait_use *u)
{
	struct buf text = BUF_INIT;

	if (waitgrid_unseen(u->waits, u->ask, &text))
		g->unseen = grid_text(g, buf_str(&text), text.len + 1).ptr;
	buf_release(&text);
}

static struct grid *metric_of(const struct wait_use *u,
	const struct engine *e)
{
	struct grid *of = view_grid(u->processes, e);
	/* there is such a column: that was looked at first */
	size_t col = (size_t)GS_MAX(view_metric(u->ask->metric, NULL), 0);
	struct grid *g = waitgrid_metric(of, col);

	grid_free(of);
	return g;
}

static struct grid *grid_of(void *self, const struct engine *e)
{
	const struct wait_use *u = self;
	struct wait_window w = { u->waits, e->from_ns, e->to_ns, 0, true };
	struct grid *g;

	if (u->processes)
		return metric_of(u, e);
	g = waitgrid_new(u->table, &w, 1, u->ask);
	add_title(g, u, e);
	add_unseen(g, u);
	return g;
}

static struct grid *beside_of(void *const *self, const struct view_window *v,
	size_t n)
{
	struct wait_window w[WAIT_WINDOWS_MAX];
	const struct wait_use *u = self[0];
	struct grid *g;
	size_t i;

	for (i = 0; i < n; i++)
		w[i] = (struct wait_window) {
			((const struct wait_use *)self[i])->waits,
			v[i].engine->from_ns, v[i].engine->to_ns,
			v[i].length_ns, v[i].filled };
	g = waitgrid_new(u->table, w, n, u->ask);
	add_title(g, self[n - 1], v[n - 1].engine);
	add_unseen(g, self[n - 1]);
	return g;
}

static void close_table(void *self)
{
	struct wait_use *u = self;

	waits_free(u->waits);
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
	static const struct view_table table_##sym = {                  \
		.open = open_##sym, .grid = grid_of,                    \
		.close = close_table, .col = cols,                      \
		.n_col = GS_LEN(cols), .fixed = fixed_,                 \
		.waits = (TABLE_) != WAIT_ACTIVE,                       \
		.is_beside = is_beside_##sym, .beside = beside_of };    \
	const struct view view_##sym = { .name = name_, .help = help_,  \
		.lens = TABLE, .entity = ENTITY_BACKEND, .sort = sort_, \
		.table = &table_##sym }

WAIT_VIEW(waits, WAIT_SCREEN, "waits",
    "what sessions wait for, on one screen", wait_screen_cols, true, "");
WAIT_VIEW(time_model, WAIT_TIME_MODEL, "time_model",
    "database time by wait class and event, by sampling", wait_model_cols,
    true, "");
WAIT_VIEW(system_event, WAIT_SYSTEM_EVENT, "system_event",
    "wait events", wait_event_cols, false, "");
WAIT_VIEW(session_event, WAIT_SESSION_EVENT, "session_event",
    "backends by database time; with --pid or --session the events of one",
    wait_backend_cols, false, "");
WAIT_VIEW(query_event, WAIT_QUERY_EVENT, "query_event",
    "queries and what they waited for", wait_query_cols, false, "");
WAIT_VIEW(histogram, WAIT_HISTOGRAM, "histogram",
    "how long waits were seen to take: bounds", wait_histogram_cols, true,
    "");
WAIT_VIEW(active, WAIT_ACTIVE, "active",
    "backends at work at the end of the range", wait_active_cols, false,
    "wait_time");
