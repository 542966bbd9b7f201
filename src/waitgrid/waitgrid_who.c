/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid_who.c - tables of waits by backend and by query.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/compiler.h"
#include "base/decimal.h"
#include "base/mem.h"
#include "waitgrid/waitgrid_int.h"

struct cell waitgrid_session(struct grid *g, const struct wait_backend *b)
{
	char name[GS_DECIMAL_MAX];

	if (b->session > INT64_MAX) /* -1: in utility mode */
		return (struct cell) { .kind = CELL_ABSENT };
	return cell_text(grid_text(g, name, gs_put_decimal(name, b->session)));
}

/* ---- backends -------------------------------------------------------- */

const struct grid_col wait_backend_cols[15] = {
	WAIT_BACKEND_NAMED_BY,
	GRID_COL("type", "TYPE", Q_TEXT, 80, "kind of backend"),
	GRID_COL("user", "USER", Q_TEXT, 80, "user"),
	GRID_COL("database", "DB", Q_TEXT, 80, "database", .also = "db"),
	GRID_COL("application", "APP", Q_TEXT, 120, "application name"),
	GRID_COL("seconds", "DBTIME", Q_SECONDS, 80,
	    "active time, waits included", .additive = true),
	GRID_COL("db_percent", "DB%", Q_PERCENT, 80, "its share of DB time",
	    .additive = true, .of_server = true),
	GRID_COL("cpu_percent", "CPU*%", Q_PERCENT, 80, "share of its DB time without a known wait"),
	GRID_COL("wait_percent", "WAIT%", Q_PERCENT, 80, "share of its DB time spent waiting"),
	GRID_COL("process_cpu_percent", "CPU%", Q_PERCENT, 120,
	    "CPU time of its process in the range, % of one core", .additive = true),
	GRID_COL("process_io_bytes_per_second", "IO/s", Q_BYTES_RATE, 120,
	    "bytes that its process read from and wrote to storage", .additive = true),
	GRID_COL("process_memory", "MEM", Q_BYTES, 120,
	    "private memory of its process, at the end", .additive = true),
	GRID_COL("top_wait", "TOPWAIT", Q_TEXT, 80, "its main wait", .flexible = true),
};

enum { PID, SESSION, SEGMENT, TYPE, USER, DATABASE, APPLICATION, SECONDS,
	DB_SHARE, CPU_SHARE, WAIT_SHARE, PROCESS_CPU, PROCESS_IO,
	PROCESS_MEMORY, TOP_WAIT };

struct backend_sum {
	const struct wait_backend *b;
	int64_t cpu_ns, wait_ns, top_ns;
	const struct wait_event *top;
};

static int64_t time_of(const struct wait_item *it)
{
	return it->sum->time_ns + it->segment->time_ns;
}

static int by_backend(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct wait_item *)a)->backend;
	uintptr_t y = (uintptr_t)((const struct wait_item *)b)->backend;

	return x < y ? -1 : x > y;
}

static int by_work(const void *a, const void *b)
{
	const struct backend_sum *x = a, *y = b;
	int64_t xs = gs_sum(x->cpu_ns, x->wait_ns);
	int64_t ys = gs_sum(y->cpu_ns, y->wait_ns);

	if (xs != ys)
		return xs < ys ? 1 : -1;
	return x->b->pid != y->b->pid ? x->b->pid < y->b->pid ? -1 : 1
	    : x->b->content < y->b->content ? -1
	    : x->b->content > y->b->content;
}

/* Of equal ones, the first by name. */
static bool is_more(const struct backend_sum *b, const struct wait_event *e,
	int64_t ns)
{
	return ns > b->top_ns || (b->top && ns == b->top_ns &&
	    wait_by_event(e, b->top) < 0);
}

static void add_item(struct backend_sum *b, const struct wait_item *it)
{
	int64_t ns = time_of(it);

	if (it->event->kind == WAIT_CPU)
		b->cpu_ns = gs_sum(b->cpu_ns, ns);
	if (it->event->kind != WAIT_EVENT)
		return;
	b->wait_ns = gs_sum(b->wait_ns, ns);
	if (is_more(b, it->event, ns)) {
		b->top_ns = ns;
		b->top = it->event;
	}
}

/* The caller frees it. */
static struct backend_sum *sum_backends(struct wait_items *of, size_t *ret_n)
{
	struct backend_sum *sum = gs_calloc(of->n + 1, sizeof(*sum));
	size_t i, n = 0;

	qsort(of->item, of->n, sizeof(*of->item), by_backend);
	for (i = 0; i < of->n; i++) {
		if (n == 0 || sum[n - 1].b != of->item[i].backend)
			sum[n++].b = of->item[i].backend;
		add_item(&sum[n - 1], &of->item[i]);
	}
	qsort(sum, n, sizeof(*sum), by_work);
	*ret_n = n;
	return sum;
}

static void put_process(struct grid_row *r, const struct wait_work *w)
{
	double s = (double)w->covered_ns / 1e9;

	if (w->covered_ns > 0 && w->has_cpu)
		r->cell[PROCESS_CPU] = cell_real(100 * (double)w->cpu_us /
		    1e6 / s);
	if (w->covered_ns > 0 && w->has_io)
		r->cell[PROCESS_IO] = cell_real((double)w->io_bytes / s);
	if (w->has_memory)
		r->cell[PROCESS_MEMORY] = cell_count(w->memory);
}

static void backend_row(struct grid *g, const struct backend_sum *s,
	int64_t db_ns)
{
	struct grid_row *r = grid_add_row(g);
	int64_t all_ns = s->cpu_ns + s->wait_ns;
	char name[WAIT_NAME_MAX] = "";

	if (s->top)
		(void)wait_event_name(s->top, name);
	r->cell[PID] = cell_int(s->b->pid);
	r->cell[SESSION] = waitgrid_session(g, s->b);
	r->cell[SEGMENT] = cell_int(s->b->content);
	r->cell[TYPE] = wait_text(g, s->b->type);
	r->cell[USER] = wait_text(g, s->b->user);
	r->cell[DATABASE] = wait_text(g, s->b->database);
	r->cell[APPLICATION] = wait_text(g, s->b->application);
	r->cell[SECONDS] = wait_seconds(all_ns);
	if (s->b->content < 0)
		r->cell[DB_SHARE] = wait_percent(all_ns, db_ns);
	r->cell[CPU_SHARE] = wait_percent(s->cpu_ns, all_ns);
	r->cell[WAIT_SHARE] = wait_percent(s->wait_ns, all_ns);
	put_process(r, &s->b->work);
	r->cell[TOP_WAIT] = wait_text(g, name);
}

struct grid *waitgrid_backends(const struct wait_window *w, size_t n,
	const struct wait_ask *a)
{
	struct grid *g = wait_grid_new("session_event", wait_backend_cols,
	    GS_LEN(wait_backend_cols), w);
	struct backend_sum *sum;
	struct wait_items of;
	size_t n_sum, i;

	(void)n;
	wait_items_collect(&of, w->waits, a, WAITS_BY_BACKEND);
	sum = sum_backends(&of, &n_sum);
	for (i = 0; i < n_sum; i++) {
		if (gs_sum(sum[i].cpu_ns, sum[i].wait_ns) > 0)
			backend_row(g, &sum[i], of.total.db_time_ns);
	}
	g->n_total = g->n_row;
	free(sum);
	wait_items_release(&of);
	return g;
}

/* ---- queries --------------------------------------------------------- */

const struct grid_col wait_query_cols[9] = {
	GRID_COL("query_id", "QUERYID", Q_TEXT, 80, "the server's identifier, where it has one"),
	GRID_COL("event", "EVENT", Q_TEXT, 80, "class and event"),
	GRID_COL("seconds", "TIME", Q_SECONDS, 80,
	    "time that backends spent in the event for it", .additive = true),
	GRID_COL("db_percent", "DB%", Q_PERCENT, 80, "its share of DB time",
	    .additive = true, .of_server = true),
	GRID_COL("event_percent", "EVENT%", Q_PERCENT, 120,
	    "its share of all time of the event; with --event on any screen", .additive = false),
	GRID_COL("query_percent", "QUERY%", Q_PERCENT, 120,
	    "its share of all time of the query", .additive = false),
	GRID_COL("segment_processes", "SEGAAS", Q_NUMBER, GRID_ON_REQUEST,
	    "average number of segments' processes in the event for it", .additive = true),
	GRID_COL("waits", "WAITS", Q_COUNT, 80,
	    "unbroken runs of samples: lower bound of the number of waits"),
	GRID_COL("query", "QUERY", Q_TEXT, 80, "its text, as first seen", .flexible = true),
};

enum { QUERY_ID, EVENT, TIME, Q_DB_SHARE, EVENT_SHARE, QUERY_SHARE,
	SEGMENTS, WAITS, QUERY };

/* Time by event or by query, in order of their addresses. */
struct time_of {
	const void *what;
	int64_t ns;
};

static int by_address(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct time_of *)a)->what;
	uintptr_t y = (uintptr_t)((const struct time_of *)b)->what;

	return x < y ? -1 : x > y;
}

/* Sums up equal ones. */
static size_t sum_times(struct time_of *t, size_t n)
{
	size_t i, kept = 0;

	qsort(t, n, sizeof(*t), by_address);
	for (i = 0; i < n; i++) {
		if (kept > 0 && t[kept - 1].what == t[i].what)
			t[kept - 1].ns = gs_sum(t[kept - 1].ns, t[i].ns);
		else
			t[kept++] = t[i];
	}
	return kept;
}

static int64_t total_of(const struct time_of *t, size_t n, const void *what)
{
	const struct time_of key = { what, 0 };
	const struct time_of *found = bsearch(&key, t, n, sizeof(*t),
	    by_address);

	return found ? found->ns : 0;
}

/* Total times of all events, and of all queries at work. */
struct query_times {
	struct time_of *event, *query;
	size_t n_event, n_query;
};

static void query_times_init(struct query_times *t, const struct waits *s)
{
	size_t i, n = waits_count(s);

	*t = (struct query_times) { 0 };
	t->event = gs_calloc(n + 1, sizeof(*t->event));
	t->query = gs_calloc(n + 1, sizeof(*t->query));
	for (i = 0; i < n; i++) {
		const struct wait_row *o = waits_get(s, i);

		t->event[t->n_event++] = (struct time_of) { o->event,
			o->sum->time_ns };
		if (wait_event_works(o->event))
			t->query[t->n_query++] = (struct time_of) { o->query,
				o->sum->time_ns };
	}
	t->n_event = sum_times(t->event, t->n_event);
	t->n_query = sum_times(t->query, t->n_query);
}

static void query_row(struct grid *g, const struct query_times *t,
	const struct wait_items *of, const struct wait_item *it)
{
	const struct wait_query *q = it->query;
	char name[WAIT_NAME_MAX], id[24] = "";
	struct grid_row *r = grid_add_row(g);

	if (q && q->has_id)
		(void)snprintf(id, sizeof(id), "%" PRId64, q->id);
	(void)wait_event_name(it->event, name);
	r->cell[QUERY_ID] = wait_text(g, id);
	r->cell[EVENT] = wait_text(g, name);
	r->cell[TIME] = wait_seconds(it->time_ns);
	r->cell[Q_DB_SHARE] = wait_percent(it->time_ns,
	    of->total.db_time_ns);
	r->cell[EVENT_SHARE] = wait_percent(it->time_ns,
	    total_of(t->event, t->n_event, it->event));
	if (q)
		r->cell[QUERY_SHARE] = wait_percent(it->time_ns,
		    total_of(t->query, t->n_query, q));
	if (of->total.segments)
		r->cell[SEGMENTS] = wait_average(it->segment->time_ns,
		    of->total.covered_ns);
	r->cell[WAITS] = wait_at_least(cell_count(it->sum->runs > 0
	    ? it->sum->runs : it->segment->runs));
	r->cell[QUERY] = wait_text(g, q ? q->text : "(not known)");
}

struct grid *waitgrid_queries(const struct wait_window *w, size_t n,
	const struct wait_ask *a)
{
	struct grid *g = wait_grid_new("query_event", wait_query_cols,
	    GS_LEN(wait_query_cols), w);
	struct query_times times;
	struct wait_items of;
	size_t i;

	(void)n;
	if (a->event) { /* each line has that event */
		g->col[EVENT].min_width = GRID_ON_REQUEST;
		g->col[EVENT_SHARE].min_width = 80;
	}
	wait_items_init(&of, w->waits, a, WAITS_BY_QUERY);
	query_times_init(&times, w->waits);
	for (i = 0; i < of.n; i++) {
		if (wait_event_works(of.item[i].event) && !wait_is_little(a,
		    0, of.item[i].time_ns, of.total.db_time_ns))
			query_row(g, &times, &of, &of.item[i]);
	}
	g->n_total = g->n_row;
	free(times.event);
	free(times.query);
	wait_items_release(&of);
	return g;
}
