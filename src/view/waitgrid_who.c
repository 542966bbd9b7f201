/*
 * waitgrid_who.c - tables of waits by backend and by query, and of how long
 * they took.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "view/waitgrid_int.h"

static struct cell absent(void)
{
	return (struct cell) { .kind = CELL_ABSENT };
}

/* ---- backends -------------------------------------------------------- */

const struct grid_col wait_backend_cols[11] = {
	{ .name = "pid", .title = "PID", .quantity = Q_ID, .min_width = 80,
	    .help = "process id" },
	{ .name = "segment", .title = "SEG", .quantity = Q_ID,
	    .min_width = 120, .help = "segment; -1: the coordinator" },
	{ .name = "type", .title = "TYPE", .quantity = Q_TEXT,
	    .min_width = 80, .help = "kind of backend" },
	{ .name = "user", .title = "USER", .quantity = Q_TEXT,
	    .min_width = 80, .help = "user" },
	{ .name = "database", .title = "DB", .quantity = Q_TEXT,
	    .min_width = 80, .help = "database" },
	{ .name = "application", .title = "APP", .quantity = Q_TEXT,
	    .min_width = 120, .help = "application name" },
	{ .name = "seconds", .title = "DBTIME", .quantity = Q_SECONDS,
	    .min_width = 80, .help = "time that it was at work, waits "
	        "included", .additive = true },
	{ .name = "db_percent", .title = "DB%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "its share of DB time",
	    .additive = true },
	{ .name = "cpu_percent", .title = "CPU*%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "of its DB time, without a known wait" },
	{ .name = "wait_percent", .title = "WAIT%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "of its DB time, waiting" },
	{ .name = "top_wait", .title = "TOPWAIT", .quantity = Q_TEXT,
	    .min_width = 80, .flexible = true,
	    .help = "what it waited for most" },
};

struct backend_sum {
	const struct wait_backend *b;
	int64_t cpu_ns, wait_ns;
	const struct wait_item *top;
};

static int by_backend(const void *a, const void *b)
{
	const struct wait_item *x = a, *y = b;

	if (x->row->backend != y->row->backend)
		return (uintptr_t)x->row->backend < (uintptr_t)y->row->backend
		    ? -1 : 1;
	return x->time_ns != y->time_ns ? x->time_ns < y->time_ns ? 1 : -1 : 0;
}

static int by_work(const void *a, const void *b)
{
	const struct backend_sum *x = a, *y = b;
	int64_t xs = x->cpu_ns + x->wait_ns, ys = y->cpu_ns + y->wait_ns;

	if (xs != ys)
		return xs < ys ? 1 : -1;
	return x->b->pid != y->b->pid ? x->b->pid < y->b->pid ? -1 : 1
	    : x->b->content < y->b->content ? -1
	    : x->b->content > y->b->content;
}

/* item is in the order of backends. */
static struct backend_sum *sum_backends(const struct wait_item *item,
	size_t n, size_t *ret_n)
{
	struct backend_sum *sum = gs_calloc(n + 1, sizeof(*sum)), *b = NULL;
	size_t i, n_sum = 0;

	for (i = 0; i < n; i++) {
		const struct wait_row *r = item[i].row;

		if (!b || b->b != r->backend) {
			b = &sum[n_sum++];
			b->b = r->backend;
		}
		if (r->event->kind == WAIT_CPU)
			b->cpu_ns += item[i].time_ns;
		else if (r->event->kind == WAIT_EVENT)
			b->wait_ns += item[i].time_ns;
		if (r->event->kind == WAIT_EVENT && !b->top)
			b->top = &item[i];
	}
	qsort(sum, n_sum, sizeof(*sum), by_work);
	*ret_n = n_sum;
	return sum;
}

static void backend_row(struct grid *g, const struct backend_sum *s,
	int64_t db_ns)
{
	struct grid_row *r = grid_add_row(g);
	int64_t all_ns = s->cpu_ns + s->wait_ns;
	char name[WAIT_NAME_MAX] = "";

	if (s->top)
		(void)wait_event_name(s->top->row->event, name);
	r->cell[0] = cell_int(s->b->pid);
	r->cell[1] = cell_int(s->b->content);
	r->cell[2] = wait_text(g, s->b->type);
	r->cell[3] = wait_text(g, s->b->user);
	r->cell[4] = wait_text(g, s->b->database);
	r->cell[5] = wait_text(g, s->b->application);
	r->cell[6] = wait_seconds(all_ns);
	r->cell[7] = s->b->content < 0 ? wait_percent(all_ns, db_ns)
	                               : absent();
	r->cell[8] = wait_percent(s->cpu_ns, all_ns);
	r->cell[9] = wait_percent(s->wait_ns, all_ns);
	r->cell[10] = wait_text(g, name);
}

struct grid *waitgrid_backends(const struct waits *s,
	const struct wait_ask *a, int64_t from_ns, int64_t to_ns)
{
	struct grid *g = wait_grid_new("session_event", wait_backend_cols,
	    GS_LEN(wait_backend_cols), s, from_ns, to_ns);
	struct waits_total t;
	size_t n, n_sum, i;
	struct wait_item *item = wait_items(s, a, &n);
	struct backend_sum *sum;

	qsort(item, n, sizeof(*item), by_backend);
	sum = sum_backends(item, n, &n_sum);
	waits_total(s, &t);
	for (i = 0; i < n_sum; i++) {
		if (sum[i].cpu_ns + sum[i].wait_ns > 0)
			backend_row(g, &sum[i], t.db_time_ns);
	}
	g->n_total = g->n_row;
	free(sum);
	free(item);
	return g;
}

/* ---- queries --------------------------------------------------------- */

const struct grid_col wait_query_cols[8] = {
	{ .name = "query_id", .title = "QUERYID", .quantity = Q_TEXT,
	    .min_width = 80, .help = "the server's identifier, where it has "
	        "one" },
	{ .name = "event", .title = "EVENT", .quantity = Q_TEXT,
	    .min_width = 80, .help = "class and event" },
	{ .name = "seconds", .title = "TIME", .quantity = Q_SECONDS,
	    .min_width = 80, .help = "time that backends spent so for it",
	    .additive = true },
	{ .name = "db_percent", .title = "DB%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "its share of DB time",
	    .additive = true },
	{ .name = "event_percent", .title = "EVENT%", .quantity = Q_PERCENT,
	    .min_width = 120, .help = "its share of all time of the event",
	    .additive = false },
	{ .name = "query_percent", .title = "QUERY%", .quantity = Q_PERCENT,
	    .min_width = 120, .help = "its share of all time of the query",
	    .additive = false },
	{ .name = "waits", .title = "WAITS", .quantity = Q_COUNT,
	    .min_width = 80, .help = "unbroken runs of samples: there were "
	        "at least so many" },
	{ .name = "query", .title = "QUERY", .quantity = Q_TEXT,
	    .min_width = 80, .flexible = true,
	    .help = "its text, as first seen" },
};

/* Time of everything of the same event, and of the same query. */
static void sums_of(const struct waits *s, const struct wait_row *r,
	int64_t *ret_event_ns, int64_t *ret_query_ns)
{
	size_t i;

	*ret_event_ns = *ret_query_ns = 0;
	for (i = 0; i < waits_count(s); i++) {
		const struct wait_row *o = waits_get(s, i);

		if (o->event == r->event)
			*ret_event_ns += o->sum.time_ns;
		if (o->query == r->query && wait_event_works(o->event))
			*ret_query_ns += o->sum.time_ns;
	}
}

static void query_row(struct grid *g, const struct waits *s,
	const struct wait_item *item, int64_t db_ns)
{
	const struct wait_query *q = item->row->query;
	char name[WAIT_NAME_MAX], id[24] = "";
	struct grid_row *r = grid_add_row(g);
	int64_t event_ns, query_ns;

	if (q && q->has_id)
		(void)snprintf(id, sizeof(id), "%" PRId64, q->id);
	(void)wait_event_name(item->row->event, name);
	sums_of(s, item->row, &event_ns, &query_ns);
	r->cell[0] = wait_text(g, id);
	r->cell[1] = wait_text(g, name);
	r->cell[2] = wait_seconds(item->time_ns);
	r->cell[3] = wait_percent(item->time_ns, db_ns);
	r->cell[4] = wait_percent(item->time_ns, event_ns);
	r->cell[5] = q ? wait_percent(item->time_ns, query_ns) : absent();
	r->cell[6] = wait_at_least(cell_int((int64_t)item->row->sum.runs));
	r->cell[7] = wait_text(g, q ? q->text : "(not known)");
}

struct grid *waitgrid_queries(const struct waits *s,
	const struct wait_ask *a, int64_t from_ns, int64_t to_ns)
{
	struct grid *g = wait_grid_new("query_event", wait_query_cols,
	    GS_LEN(wait_query_cols), s, from_ns, to_ns);
	struct waits_total t;
	size_t n, i;
	struct wait_item *item = wait_items(s, a, &n);

	waits_total(s, &t);
	for (i = 0; i < n; i++) {
		if (wait_event_works(item[i].row->event))
			query_row(g, s, &item[i], t.db_time_ns);
	}
	g->n_total = g->n_row;
	free(item);
	return g;
}

/* ---- lengths --------------------------------------------------------- */

const struct grid_col wait_histogram_cols[6] = {
	{ .name = "event", .title = "EVENT", .quantity = Q_TEXT,
	    .min_width = 80, .help = "class and event" },
	{ .name = "longer_than_seconds", .title = "LONGER",
	    .quantity = Q_SECONDS, .min_width = 80,
	    .help = "the waits took longer than this; what was shorter than "
	        "the interval is in the first line, if it was seen at all" },
	{ .name = "shorter_than_seconds", .title = "SHORTER",
	    .quantity = Q_SECONDS, .min_width = 80,
	    .help = "and less than this" },
	{ .name = "waits", .title = "WAITS", .quantity = Q_COUNT,
	    .min_width = 80, .help = "runs of samples of such a length" },
	{ .name = "percent", .title = "%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "of all runs of the event" },
	{ .name = "bar", .title = "SHARE", .quantity = Q_TEXT, .min_width = 80,
	    .flexible = true, .help = "a # for 2 %" },
};

static void histogram_rows(struct grid *g, const struct wait_item *item,
	double weight_s)
{
	const struct wait_sum *sum = &item->row->sum;
	char name[WAIT_NAME_MAX], bar[51];
	size_t k, n;

	(void)wait_event_name(item->row->event, name);
	for (k = 0; k < WAITS_BUCKETS; k++) {
		struct grid_row *r;
		double share;

		if (sum->bucket[k] == 0)
			continue;
		share = (double)sum->bucket[k] / (double)sum->runs;
		r = grid_add_row(g);
		/* n samples: (n - 1, n + 1) intervals; n from 2^k up */
		r->cell[0] = wait_text(g, name);
		r->cell[1] = cell_real(weight_s *
		    (double)((UINT64_C(1) << k) - 1));
		if (k < WAITS_BUCKETS - 1)
			r->cell[2] = cell_real(weight_s *
			    (double)(UINT64_C(2) << k));
		r->cell[3] = cell_int((int64_t)sum->bucket[k]);
		r->cell[4] = cell_real(100 * share);
		n = (size_t)(share * 50 + 0.5);
		memset(bar, '#', n);
		bar[n] = '\0';
		r->cell[5] = wait_text(g, bar);
	}
}

struct grid *waitgrid_histogram(const struct waits *s,
	const struct wait_ask *a, int64_t from_ns, int64_t to_ns)
{
	struct grid *g = wait_grid_new("histogram", wait_histogram_cols,
	    GS_LEN(wait_histogram_cols), s, from_ns, to_ns);
	struct waits_total t;
	size_t n, i;
	struct wait_item *item = wait_items(s, a, &n);

	waits_total(s, &t);
	for (i = 0; i < n && t.samples > 0; i++) {
		if (wait_event_works(item[i].row->event))
			histogram_rows(g, &item[i], (double)t.covered_ns /
			    1e9 / (double)t.samples);
	}
	g->n_total = g->n_row;
	free(item);
	return g;
}

/* ---- now ------------------------------------------------------------- */

const struct grid_col wait_active_cols[11] = {
	{ .name = "pid", .title = "PID", .quantity = Q_ID, .min_width = 80,
	    .help = "process id" },
	{ .name = "segment", .title = "SEG", .quantity = Q_ID,
	    .min_width = 200, .help = "segment; -1: the coordinator" },
	{ .name = "state", .title = "STATE", .quantity = Q_TEXT,
	    .min_width = 80, .help = "on cpu: waits for nothing known; "
	        "waiting" },
	{ .name = "event", .title = "EVENT", .quantity = Q_TEXT,
	    .min_width = 80, .help = "what it waits for" },
	{ .name = "wait_seconds", .title = "SINCE", .quantity = Q_AGE,
	    .min_width = 80, .help = "it does the same for so long: at "
	        "least, by the samples that saw it" },
	{ .name = "wait_at_most_seconds", .title = "ATMOST",
	    .quantity = Q_AGE, .min_width = 120,
	    .help = "and at most so long, by its last change of state or "
	        "query" },
	{ .name = "db_seconds", .title = "DBTIME", .quantity = Q_SECONDS,
	    .min_width = 80, .help = "time at work in the range",
	    .additive = true },
	{ .name = "type", .title = "TYPE", .quantity = Q_TEXT,
	    .min_width = 120, .help = "kind of backend" },
	{ .name = "user", .title = "USER", .quantity = Q_TEXT,
	    .min_width = 80, .help = "user" },
	{ .name = "database", .title = "DB", .quantity = Q_TEXT,
	    .min_width = 120, .help = "database" },
	{ .name = "query", .title = "QUERY", .quantity = Q_TEXT,
	    .min_width = 80, .flexible = true,
	    .help = "text, where recorded" },
};

static const char *state_of(const struct wait_backend *b)
{
	switch (b->event->kind) {
	case WAIT_IDLE:
		return "idle";
	case WAIT_IDLE_TX:
		return "idle in tx";
	case WAIT_CPU:
		return "on cpu";
	case WAIT_EVENT:
		return "waiting";
	}
	return "";
}

static void active_row(struct grid *g, const struct wait_backend *b,
	int64_t now_ns)
{
	struct grid_row *r = grid_add_row(g);
	char name[WAIT_NAME_MAX];

	r->cell[0] = cell_int(b->pid);
	r->cell[1] = cell_int(b->content);
	r->cell[2] = wait_text(g, state_of(b));
	(void)wait_event_name(b->event, name);
	if (b->event->kind == WAIT_EVENT)
		r->cell[3] = wait_text(g, name);
	r->cell[4] = wait_at_least(cell_real((double)(now_ns - b->seen_ns) /
	    1e9));
	if (b->changed_ns > 0 && b->changed_ns <= now_ns)
		r->cell[5] = cell_real((double)(now_ns - b->changed_ns) /
		    1e9);
	r->cell[6] = wait_seconds(b->db_time_ns);
	r->cell[7] = wait_text(g, b->type);
	r->cell[8] = wait_text(g, b->user);
	r->cell[9] = wait_text(g, b->database);
	r->cell[10] = wait_text(g, b->query ? b->query->text : "");
}

struct grid *waitgrid_active(const struct waits *s,
	const struct wait_ask *a, int64_t from_ns, int64_t to_ns)
{
	struct grid *g = wait_grid_new("active", wait_active_cols,
	    GS_LEN(wait_active_cols), s, from_ns, to_ns);
	struct waits_total t;
	size_t i;

	waits_total(s, &t);
	for (i = 0; i < waits_backends(s); i++) {
		const struct wait_backend *b = waits_backend(s, i);

		if (!b->open || !wait_event_works(b->event) ||
		    (a->pid != 0 && b->pid != a->pid))
			continue;
		active_row(g, b, t.newest_ns);
	}
	g->n_total = g->n_row;
	return g;
}
