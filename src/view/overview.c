/* SPDX-License-Identifier: Apache-2.0 */
#include "view/overview.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "query/sort.h"
#include "query/timeline.h"
#include "view/findings_view.h"
#include "view/report.h"
#include "view/view_int.h"

#define TOP 5
#define EVENTS_SHOWN 20
#define FINDINGS_SHOWN 10

static const char *const tops[] = { "sessions", "processes", "hosts" };

struct overview {
	struct view_use *use[GS_LEN(tops)];
	struct view_ask ask[GS_LEN(tops)];
	struct timeline *line;
	struct report_most most;
	struct findings *findings; /* NULL: not looked for */
};

static void follow(void *self, const struct engine *e)
{
	struct overview *o = self;

	timeline_tick(o->line, e);
	report_take_most(&o->most, e);
}

/* What the range begins with is a part of it. */
static void restart(void *self, const struct engine *e)
{
	struct overview *o = self;

	timeline_restart(o->line, e);
	o->most = (struct report_most) { .sessions = 0 };
	report_take_most(&o->most, e);
}

const struct report_most *overview_most(const struct overview *o)
{
	return &o->most;
}

/* The ask of one of the tables. */
static struct view_ask ask_like(const struct view *v, const struct view_ask *like)
{
	struct view_ask ask = { .wait = WAIT_ASK_INIT, .light = true, .most = TOP,
		.sort = view_default_sort(v) };

	if (!like || !like->brief)
		return ask;
	ask.brief = ask.sort;
	ask.width = like->width;
	ask.settled = like->settled;
	ask.few_texts = like->few_texts;
	return ask;
}

struct overview *overview_open(struct engine *e, int64_t length_ns, int64_t whole_ns,
	const struct zone *zone, const struct view_ask *like)
{
	struct overview *o = gs_calloc(1, sizeof(*o));
	struct follower f = { .self = o, .tick = follow, .restart = restart };
	size_t i;

	for (i = 0; i < GS_LEN(tops); i++) {
		const struct view *v = view_find(tops[i]);

		o->ask[i] = ask_like(v, like);
		o->use[i] = view_open(v, e, &o->ask[i]);
	}
	o->line = timeline_new(length_ns);
	if (findings_are_cheap(whole_ns, e->interval_ns))
		o->findings = findings_new(&findings_views, e, zone);
	e->gists &= !o->findings; /* they look at each tick */
	engine_add_follower(e, &f);
	return o;
}

void overview_ask_again(struct overview *o, bool brief)
{
	size_t i;

	for (i = 0; i < GS_LEN(tops); i++) {
		o->ask[i].brief = brief ? o->ask[i].sort : NULL;
		view_ask_again(o->use[i], &o->ask[i]);
	}
}

void overview_close(struct overview *o)
{
	size_t i;

	if (!o)
		return;
	for (i = 0; i < GS_LEN(tops); i++)
		view_close(o->use[i]);
	timeline_free(o->line);
	findings_free(o->findings);
	free(o);
}

static struct grid *new_grid(const char *name, const char *title,
	const struct grid_col *col, size_t n, const struct engine *e)
{
	struct grid *g = grid_new(name, title);
	size_t i;

	for (i = 0; i < n; i++)
		grid_add_col(g, &col[i]);
	g->from_ns = e->from_ns;
	g->to_ns = e->to_ns;
	g->covered_s = engine_covered_s(e);
	return g;
}

static struct cell known(double v)
{
	return v >= 0 ? cell_real(v) : (struct cell) { .kind = CELL_ABSENT };
}

static struct cell text(struct grid *g, const char *s)
{
	return *s ? cell_text(grid_text(g, s, strlen(s)))
	          : (struct cell) { .kind = CELL_ABSENT };
}

static struct grid *time_grid(const struct overview *o,
	const struct engine *e)
{
	static const struct grid_col cols[] = {
		GRID_COL("from", "FROM", Q_TIME, 80, "start of the interval",
		    .kept = true),
		GRID_COL("to", "TO", Q_TIME, 80, "its end", .kept = true, .yields = 1),
		GRID_COL("busy_percent", "BUSY%", Q_PERCENT, 80,
		    "CPU time used, of the busiest host", .kept = true),
		GRID_COL("busy_host", "HOST", Q_TEXT, 80, "the busiest host"),
		GRID_COL("steal_percent", "STEAL%", Q_PERCENT, 80,
		    "CPU time taken by the hypervisor, of the host with the highest value",
		    .yields = 3),
		GRID_COL("disk_await_ms", "AWAIT", Q_NUMBER, 80,
		    "ms per request of the slowest disk", .yields = 1),
		GRID_COL("running", "RUNNING", Q_NUMBER, 80,
		    "runnable tasks of all hosts, average", .yields = 2),
		GRID_COL("sessions_active", "ACTIVE", Q_NUMBER, 80,
		    "active database sessions, average", .kept = true),
		GRID_COL("sessions_waiting", "WAITING", Q_NUMBER, 80,
		    "database sessions that wait for a lock, a queue or a standby, average",
		    .kept = true),
	};
	struct grid *g = new_grid("time", "time", cols, GS_LEN(cols), e);
	size_t i;

	for (i = 0; i < timeline_count(o->line); i++) {
		struct timeline_point p = timeline_get(o->line, e, i);
		struct grid_row *r = grid_add_row(g);

		r->cell[0] = cell_int(p.from_ns);
		r->cell[1] = cell_int(p.to_ns);
		if (p.ticks == 0)
			continue; /* a hole: the rest is absent */
		r->cell[2] = known(p.busy_percent);
		r->cell[3] = text(g, p.busy_host);
		r->cell[4] = known(p.steal_percent);
		r->cell[5] = known(p.await_ms);
		r->cell[6] = known(p.running);
		r->cell[7] = cell_real(p.active);
		r->cell[8] = cell_real(p.waiting);
	}
	return g;
}

/* An event may be noted after a later one: the database answers by its own time. */
static void put_in_time(const struct engine *e, size_t at[], size_t n)
{
	size_t i, k;

	for (i = 1; i < n; i++) {
		for (k = i; k > 0 && e->event[at[k]].wall_ns <
		    e->event[at[k - 1]].wall_ns; k--) {
			size_t before = at[k - 1];

			at[k - 1] = at[k];
			at[k] = before;
		}
	}
}

/* The most important events, and of equally important ones the first, in order
 * of time: a thousand hosts that connect do not hide one that went down. */
static size_t choose_events(const struct engine *e,
	size_t ret[EVENTS_SHOWN])
{
	size_t of_weight[EVENT_WEIGHT_MAX + 1] = { 0 }, left = EVENTS_SHOWN;
	size_t i, n = 0;
	unsigned w;

	for (i = 0; i < e->n_event; i++)
		of_weight[event_weight(e->event[i].kind)]++;
	for (w = EVENT_WEIGHT_MAX + 1; w-- > 0; left -= of_weight[w])
		of_weight[w] = GS_MIN(of_weight[w], left);
	for (i = 0; i < e->n_event && n < EVENTS_SHOWN; i++) {
		w = event_weight(e->event[i].kind);
		if (of_weight[w] == 0)
			continue;
		of_weight[w]--;
		ret[n++] = i;
	}
	put_in_time(e, ret, n);
	return n;
}

static struct grid *event_grid(const struct engine *e)
{
	static const struct grid_col cols[] = {
		GRID_COL("time", "TIME", Q_TIME, 80, "when it was noticed"),
		GRID_COL("event", "EVENT", Q_TEXT, 80, "what happened"),
		GRID_COL("host", "HOST", Q_TEXT, 80, "host of the event"),
		GRID_COL("text", "TEXT", Q_TEXT, 80, "details", .flexible = true),
	};
	struct grid *g = new_grid("events", "events", cols, GS_LEN(cols), e);
	size_t shown[EVENTS_SHOWN], n = choose_events(e, shown), i;

	for (i = 0; i < n; i++) {
		const struct engine_event *ev = &e->event[shown[i]];
		struct grid_row *r = grid_add_row(g);

		r->cell[0] = cell_int(ev->wall_ns);
		r->cell[1] = text(g, event_name(ev->kind));
		r->cell[2] = text(g, ev->host);
		r->cell[3] = text(g, ev->text);
	}
	if (e->n_event > n) {
		char more[64];

		(void)snprintf(more, sizeof(more),
		    "and %zu more: -V events", e->n_event - n);
		grid_add_row(g)->cell[3] = text(g, more);
	}
	return g;
}

static const char unasked[] = "findings: not looked for in a range this long: -V findings";

const char *overview_unasked(const struct overview *o)
{
	return o->findings ? NULL : unasked;
}

static struct grid *unasked_grid(const struct engine *e)
{
	struct grid *g = new_grid("findings", unasked, findings_cols, FINDINGS_COLS, e);

	g->says_empty = true;
	return g;
}

static struct grid *top_grid(const struct overview *o, const struct engine *e,
	size_t i)
{
	struct grid *g = view_grid(o->use[i], e);

	g->title = tops[i];
	/* the view's default order uses its own columns */
	(void)sort_grid(g, view_default_sort(view_find(tops[i])), NULL);
	grid_limit(g, TOP);
	return g;
}

static bool show_grid(struct grid *g, overview_show_fn show, void *ctx)
{
	bool ok = show(ctx, g);

	grid_free(g);
	return ok;
}

bool overview_show(struct overview *o, const struct engine *e,
	overview_show_fn show, void *ctx)
{
	size_t i;

	if (!show_grid(o->findings
	    ? findings_grid(o->findings, e, FINDINGS_SHOWN)
	    : unasked_grid(e), show, ctx) || !show_grid(time_grid(o, e), show, ctx))
		return false;
	if (e->n_event > 0 && !show_grid(event_grid(e), show, ctx))
		return false;
	for (i = 0; i < GS_LEN(tops); i++) {
		if (!show_grid(top_grid(o, e, i), show, ctx))
			return false;
	}
	return true;
}
