#include "view/waitgrid.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "view/waitgrid_int.h"

unsigned waitgrid_by(enum wait_table t, const struct wait_ask *ask)
{
	unsigned by = 0;

	if (t == WAIT_SESSION_EVENT || t == WAIT_ACTIVE || ask->pid != 0)
		by |= WAITS_BY_BACKEND;
	if (t == WAIT_QUERY_EVENT || ask->query_id)
		by |= WAITS_BY_QUERY;
	return by;
}

/* ---- what is asked for ----------------------------------------------- */

static bool is_listed(const char *list, const char *word)
{
	struct span all = span_str(list), item;
	bool more = true;

	while (more) {
		more = scan_until(&all, ',', &item);
		if (!more)
			item = all;
		if (span_eq(item, word))
			return true;
	}
	return false;
}

size_t wait_event_name(const struct wait_event *e, char to[WAIT_NAME_MAX])
{
	int n = e->event[0] != '\0'
	    ? snprintf(to, WAIT_NAME_MAX, "%s:%s", e->class, e->event)
	    : snprintf(to, WAIT_NAME_MAX, "%s", e->class);

	return GS_MIN((size_t)n, (size_t)WAIT_NAME_MAX - 1);
}

static bool is_query(const struct wait_query *q, const char *want)
{
	char id[24];

	if (!q)
		return false;
	(void)snprintf(id, sizeof(id), "%" PRId64, q->id);
	return (q->has_id && strcmp(id, want) == 0) ||
	    (q->text[0] != '\0' && strncmp(q->text, want, strlen(want)) == 0);
}

static bool is_asked(const struct wait_ask *a, const struct wait_row *r)
{
	char name[WAIT_NAME_MAX];

	if (a->classes && !is_listed(a->classes, r->event->class))
		return false;
	(void)wait_event_name(r->event, name);
	if (a->event && strcmp(a->event, name) != 0)
		return false;
	if (a->query_id && !is_query(r->query, a->query_id))
		return false;
	return a->pid == 0 || r->backend->pid == a->pid;
}

bool wait_event_works(const struct wait_event *e)
{
	return e->kind >= WAIT_CPU;
}

/* ---- cells ----------------------------------------------------------- */

struct grid *wait_grid_new(const char *name, const struct grid_col *col,
	size_t n, const struct waits *s, int64_t from_ns, int64_t to_ns)
{
	struct grid *g = grid_new(name, NULL);
	struct waits_total t;
	size_t i;

	waits_total(s, &t);
	for (i = 0; i < n; i++)
		grid_add_col(g, &col[i]);
	g->from_ns = from_ns;
	g->to_ns = to_ns;
	g->covered_s = (double)t.covered_ns / 1e9;
	return g;
}

struct cell wait_text(struct grid *g, const char *s)
{
	return s && *s ? cell_text(grid_text(g, s, strlen(s)))
	               : (struct cell) { .kind = CELL_ABSENT };
}

struct cell wait_seconds(int64_t ns)
{
	struct cell c = cell_real((double)ns / 1e9);

	c.mark = '~';
	return c;
}

struct cell wait_percent(int64_t part_ns, int64_t of_ns)
{
	struct cell c = { .kind = CELL_ABSENT };

	if (of_ns <= 0)
		return c;
	c = cell_real(100.0 * (double)part_ns / (double)of_ns);
	c.mark = '~';
	return c;
}

struct cell wait_at_least(struct cell c)
{
	c.mark = '>';
	return c;
}

static struct cell average(int64_t part_ns, int64_t of_ns)
{
	struct cell c = { .kind = CELL_ABSENT };

	if (of_ns <= 0)
		return c;
	c = cell_real((double)part_ns / (double)of_ns);
	c.mark = '~';
	return c;
}

/* ---- rows, summed and in order --------------------------------------- */

static int by_time(const void *a, const void *b)
{
	const struct wait_item *x = a, *y = b;
	int r;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? 1 : -1;
	r = strcmp(x->row->event->class, y->row->event->class);
	return r != 0 ? r : strcmp(x->row->event->event, y->row->event->event);
}

struct wait_item *wait_items(const struct waits *s, const struct wait_ask *a,
	size_t *ret_n)
{
	size_t i, n = 0, all = waits_count(s);
	struct wait_item *item = gs_calloc(all + 1, sizeof(*item));

	for (i = 0; i < all; i++) {
		const struct wait_row *r = waits_get(s, i);

		if (is_asked(a, r))
			item[n++] = (struct wait_item) { r, r->sum.time_ns };
	}
	qsort(item, n, sizeof(*item), by_time);
	*ret_n = n;
	return item;
}

/* Of one backend or one query: what it had itself. */
static int64_t db_time_of(const struct wait_item *item, size_t n,
	const struct wait_ask *a, const struct waits_total *t)
{
	int64_t ns = 0;
	size_t i;

	if (a->pid == 0 && !a->query_id)
		return t->db_time_ns;
	for (i = 0; i < n; i++)
		ns += wait_event_works(item[i].row->event)
		    ? item[i].time_ns : 0;
	return ns;
}

static bool is_little(const struct wait_ask *a, double usual, int64_t ns,
	int64_t db_ns)
{
	double least = a->min_percent < 0 ? usual : a->min_percent;

	return least > 0 && db_ns > 0 &&
	    100.0 * (double)ns / (double)db_ns < least;
}

/* ---- the time model -------------------------------------------------- */

const struct grid_col wait_model_cols[5] = {
	{ .name = "stat", .title = "STAT", .quantity = Q_TEXT,
	    .min_width = 80, .help = "DB time, its classes and their events; "
	        "in parentheses: not part of it" },
	{ .name = "seconds", .title = "TIME", .quantity = Q_SECONDS,
	    .min_width = 80, .help = "time that backends spent so" },
	{ .name = "db_percent", .title = "DB%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "its share of DB time" },
	{ .name = "sessions", .title = "AAS", .quantity = Q_NUMBER,
	    .min_width = 80, .help = "backends that did so at once, average" },
	{ .name = "samples", .title = "SAMPLES", .quantity = Q_COUNT,
	    .min_width = 80, .help = "times that a backend was seen so" },
};

static struct grid_row *model_row(struct grid *g, const char *name,
	int64_t ns, const struct waits_total *t, bool works)
{
	struct grid_row *r = grid_add_row(g);

	r->cell[0] = wait_text(g, name);
	r->cell[1] = wait_seconds(ns);
	if (works)
		r->cell[2] = wait_percent(ns, t->db_time_ns);
	r->cell[3] = average(ns, t->covered_ns);
	return r;
}

/* What the processes did while their backends waited for nothing known. */
static void model_cpu(struct grid *g, const struct wait_sum *sum,
	const struct waits_total *t)
{
	double share = sum->split_ns > 0
	    ? (double)sum->time_ns / (double)sum->split_ns : 0;
	int64_t cpu_ns = (int64_t)((double)sum->cpu_ns * share);
	int64_t queue_ns = (int64_t)((double)sum->queue_ns * share);

	if (sum->split_ns == 0)
		return;
	(void)model_row(g, "  on CPU", cpu_ns, t, true);
	(void)model_row(g, "  runnable", queue_ns, t, true);
	(void)model_row(g, "  not known", sum->time_ns - cpu_ns - queue_ns, t,
	    true);
}

static void model_events(struct grid *g, const struct wait_item *item,
	size_t n, const char *class, const struct wait_ask *a,
	const struct waits_total *t)
{
	char name[WAIT_NAME_MAX + 2];
	unsigned shown = 0;
	size_t i;

	for (i = 0; i < n && shown < a->top; i++) {
		const struct wait_event *e = item[i].row->event;

		if (!wait_event_works(e) || strcmp(e->class, class) != 0 ||
		    e->event[0] == '\0' ||
		    is_little(a, 1, item[i].time_ns, t->db_time_ns))
			continue;
		(void)snprintf(name, sizeof(name), "  %s:%s", e->class,
		    e->event);
		model_row(g, name, item[i].time_ns, t, true)->cell[4] =
		    cell_int((int64_t)item[i].row->sum.samples);
		shown++;
	}
}

/* A class of DB time, with the sum of its events. */
struct class_sum {
	const char *name;
	int64_t time_ns;
	uint64_t samples;
	const struct wait_sum *cpu; /* of CPU* */
};

static int by_class_time(const void *a, const void *b)
{
	const struct class_sum *x = a, *y = b;

	if (!x->cpu != !y->cpu)
		return x->cpu ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? 1 : -1;
	return strcmp(x->name, y->name);
}

static struct class_sum *sum_classes(const struct wait_item *item, size_t n,
	size_t *ret_n)
{
	struct class_sum *c = gs_calloc(n + 1, sizeof(*c));
	size_t i, k, n_class = 0;

	for (i = 0; i < n; i++) {
		const struct wait_event *e = item[i].row->event;

		if (!wait_event_works(e))
			continue;
		for (k = 0; k < n_class; k++) {
			if (strcmp(c[k].name, e->class) == 0)
				break;
		}
		if (k == n_class)
			c[n_class++].name = e->class;
		c[k].time_ns += item[i].time_ns;
		c[k].samples += item[i].row->sum.samples;
		if (e->kind == WAIT_CPU)
			c[k].cpu = &item[i].row->sum;
	}
	qsort(c, n_class, sizeof(*c), by_class_time);
	*ret_n = n_class;
	return c;
}

static void model_idle(struct grid *g, const struct wait_item *item,
	size_t n, const struct waits_total *t)
{
	char name[WAIT_NAME_MAX], row[WAIT_NAME_MAX + 2];
	size_t i;

	for (i = 0; i < n; i++) {
		const struct wait_event *e = item[i].row->event;

		/* What sleeps between its rounds is many events, one rest. */
		if (wait_event_works(e))
			continue;
		(void)wait_event_name(e, name);
		(void)snprintf(row, sizeof(row), "(%s)", name);
		model_row(g, row, item[i].time_ns, t, false)->cell[4] =
		    cell_int((int64_t)item[i].row->sum.samples);
	}
}

static struct grid *time_model(const struct waits *s,
	const struct wait_ask *a, int64_t from_ns, int64_t to_ns)
{
	struct grid *g = wait_grid_new("time_model", wait_model_cols,
	    GS_LEN(wait_model_cols), s, from_ns, to_ns);
	struct waits_total t;
	size_t n, n_class, i;
	struct wait_item *item = wait_items(s, a, &n);
	struct class_sum *c = sum_classes(item, n, &n_class);

	waits_total(s, &t);
	t.db_time_ns = db_time_of(item, n, a, &t);
	if (t.samples > 0)
		(void)model_row(g, "DB time", t.db_time_ns, &t, true);
	for (i = 0; i < n_class; i++) {
		model_row(g, c[i].name, c[i].time_ns, &t, true)->cell[4] =
		    cell_int((int64_t)c[i].samples);
		if (c[i].cpu)
			model_cpu(g, c[i].cpu, &t);
		model_events(g, item, n, c[i].name, a, &t);
	}
	model_idle(g, item, n, &t);
	g->n_total = g->n_row;
	free(c);
	free(item);
	return g;
}

/* ---- events ---------------------------------------------------------- */

const struct grid_col wait_event_cols[7] = {
	{ .name = "event", .title = "EVENT", .quantity = Q_TEXT,
	    .min_width = 80, .help = "class and event" },
	{ .name = "seconds", .title = "TIME", .quantity = Q_SECONDS,
	    .min_width = 80, .help = "time that backends waited so",
	    .additive = true },
	{ .name = "db_percent", .title = "DB%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "its share of DB time",
	    .additive = true },
	{ .name = "sessions", .title = "AAS", .quantity = Q_NUMBER,
	    .min_width = 80, .help = "backends that waited so at once, "
	        "average", .additive = true },
	{ .name = "samples", .title = "SAMPLES", .quantity = Q_COUNT,
	    .min_width = 80, .help = "times that a backend was seen so",
	    .additive = true },
	{ .name = "waits", .title = "WAITS", .quantity = Q_COUNT,
	    .min_width = 80, .help = "unbroken runs of samples: there were "
	        "at least so many waits" },
	{ .name = "longest_seconds", .title = "LONGEST",
	    .quantity = Q_SECONDS, .min_width = 80,
	    .help = "the longest run, first to last sample: the wait took at "
	        "least that" },
};

static void event_row(struct grid *g, const struct wait_item *item,
	int64_t of_ns, const struct waits_total *t)
{
	char name[WAIT_NAME_MAX];
	const struct wait_sum *sum = &item->row->sum;
	struct grid_row *r = grid_add_row(g);

	(void)wait_event_name(item->row->event, name);
	r->cell[0] = wait_text(g, name);
	r->cell[1] = wait_seconds(sum->time_ns);
	r->cell[2] = wait_percent(sum->time_ns, of_ns);
	r->cell[3] = average(sum->time_ns, t->covered_ns);
	r->cell[4] = cell_int((int64_t)sum->samples);
	r->cell[5] = wait_at_least(cell_int((int64_t)sum->runs));
	r->cell[6] = wait_at_least(cell_real((double)sum->longest_ns / 1e9));
}

static struct grid *events(const char *name, const struct waits *s,
	const struct wait_ask *a, int64_t from_ns, int64_t to_ns)
{
	struct grid *g = wait_grid_new(name, wait_event_cols, GS_LEN(wait_event_cols),
	    s, from_ns, to_ns);
	struct waits_total t;
	int64_t of_ns;
	size_t n, i;
	struct wait_item *item = wait_items(s, a, &n);

	waits_total(s, &t);
	of_ns = db_time_of(item, n, a, &t);
	for (i = 0; i < n; i++) {
		if (wait_event_works(item[i].row->event) &&
		    !is_little(a, 0, item[i].time_ns, of_ns))
			event_row(g, &item[i], of_ns, &t);
	}
	g->n_total = g->n_row;
	free(item);
	return g;
}

struct grid *waitgrid_new(enum wait_table t, const struct waits *s,
	const struct wait_ask *ask, int64_t from_ns, int64_t to_ns)
{
	switch (t) {
	case WAIT_TIME_MODEL:
		return time_model(s, ask, from_ns, to_ns);
	case WAIT_SYSTEM_EVENT:
		return events("system_event", s, ask, from_ns, to_ns);
	case WAIT_SESSION_EVENT:
		return ask->pid
		    ? events("session_event", s, ask, from_ns, to_ns)
		    : waitgrid_backends(s, ask, from_ns, to_ns);
	case WAIT_QUERY_EVENT:
		return ask->query_id && !ask->event
		    ? events("query_event", s, ask, from_ns, to_ns)
		    : waitgrid_queries(s, ask, from_ns, to_ns);
	case WAIT_HISTOGRAM:
		return waitgrid_histogram(s, ask, from_ns, to_ns);
	case WAIT_ACTIVE:
		return waitgrid_active(s, ask, from_ns, to_ns);
	}
	return NULL;
}
