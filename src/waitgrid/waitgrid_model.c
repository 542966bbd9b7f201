/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid_model.c - the time model, and the screen of the largest waits:
 * classes of DB time with their events, and idle time outside of it.
 */
#include <stdio.h>
#include <string.h>

#include "base/arith.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "waitgrid/waitgrid_int.h"

#define TIME_COLS \
	GRID_COL("seconds", "TIME", Q_SECONDS, 80, "time that backends spent in it"), \
	GRID_COL("db_percent", "DB%", Q_PERCENT, 80, "its share of DB time"), \
	GRID_COL("sessions", "AAS", Q_NUMBER, 80, "average number of backends in it"), \
	GRID_COL("segment_processes", "SEGAAS", Q_NUMBER, GRID_ON_REQUEST, \
	    "average number of segments' processes in it"), \
	GRID_COL("samples", "SAMPLES", Q_COUNT, 80, "samples of a backend in it")

const struct grid_col wait_model_cols[6] = {
	GRID_COL("stat", "STAT", Q_TEXT, 80,
	    "DB time, its classes and their events; in parentheses: not part of it"),
	TIME_COLS
};

const struct grid_col wait_screen_cols[7] = {
	GRID_COL("kind", "KIND", Q_TEXT, 80,
	    "all, class, idle (not part of DB time), event, session"),
	GRID_COL("stat", "WHAT", Q_TEXT, 80,
	    "name; of a session also its user and what most of its time was; its figures are of all of it", .flexible = true),
	TIME_COLS
};

#define N_TIME_COLS 5

/* ---- classes --------------------------------------------------------- */

/* A class of DB time, with the sum of its events in each window. */
struct class_sum {
	const char *name;
	struct wait_at at[WAIT_WINDOWS_MAX];
	bool cpu;
	int64_t order_ns;
};

static int by_class_time(const void *a, const void *b)
{
	const struct class_sum *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu ? -1 : 1;
	if (x->order_ns != y->order_ns)
		return x->order_ns < y->order_ns ? 1 : -1;
	return strcmp(x->name, y->name);
}

static void add_class(struct class_sum *c, size_t n_class,
	const struct wait_item *it, size_t k)
{
	size_t i;

	for (i = 0; i < n_class; i++) {
		if (strcmp(c[i].name, it->event->class) != 0)
			continue;
		c[i].at[k].ns = gs_sum(c[i].at[k].ns, it->time_ns);
		c[i].at[k].segment_ns = gs_sum(c[i].at[k].segment_ns,
		    it->segment->time_ns);
		c[i].at[k].samples += it->sum->samples;
	}
}

/* Of the longest window; the caller frees it. */
static struct class_sum *sum_classes(const struct wait_lines *l,
	size_t *ret_n)
{
	const struct wait_items *all = wait_lines_all(l);
	struct class_sum *c = gs_calloc(all->n + 1, sizeof(*c));
	size_t i, k, n = 0;

	for (i = 0; i < all->n; i++) {
		const struct wait_event *e = all->item[i].event;

		for (k = 0; k < n; k++) {
			if (strcmp(c[k].name, e->class) == 0)
				break;
		}
		if (k < n || !wait_event_works(e))
			continue;
		c[n].name = e->class;
		c[n++].cpu = e->kind == WAIT_CPU;
	}
	for (k = 0; k < l->n_window; k++) {
		for (i = 0; i < l->of[k].n; i++) {
			if (wait_event_works(l->of[k].item[i].event))
				add_class(c, n, &l->of[k].item[i], k);
		}
	}
	for (i = 0; i < n; i++)
		c[i].order_ns = c[i].at[l->n_window - 1].ns;
	qsort(c, n, sizeof(*c), by_class_time);
	*ret_n = n;
	return c;
}

/* ---- the time model -------------------------------------------------- */

static void add_db_time(struct wait_lines *l, const char *kind)
{
	struct wait_line *line = wait_lines_add(l, kind, "DB time", true);
	size_t k;

	for (k = 0; k < l->n_window; k++) {
		line->at[k].ns = l->of[k].db_time_ns;
		line->at[k].segment_ns = l->of[k].total.segment_time_ns;
	}
}

/* On Greenplum: sessions that were active on the coordinator or a segment, and
 * the time of segments' processes. */
static void add_sessions(struct wait_lines *l, const struct wait_ask *a)
{
	struct wait_line *line;
	size_t k;

	if (!wait_lines_all(l)->total.segments || wait_is_detail(a) ||
	    a->classes || a->event || a->query_id)
		return;
	line = wait_lines_add(l, "all", "  sessions at work", false);
	for (k = 0; k < l->n_window; k++)
		line->at[k] = (struct wait_at) {
			l->of[k].total.session_time_ns, WAIT_NOT_SAID, 0 };
	line = wait_lines_add(l, "all", "  segments' processes", false);
	for (k = 0; k < l->n_window; k++)
		line->at[k] = (struct wait_at) {
			l->of[k].total.segment_time_ns, WAIT_NOT_SAID, 0 };
}

/* DB time by kind of backend, if not all of it is of clients, or if tables of steps
 * are added up; IO workers, too. */
static void add_parts(struct wait_lines *l, const struct wait_ask *a)
{
	static const char *const name[WAIT_PARTS] = {
		[WAIT_FOREGROUND] = "  of clients",
		[WAIT_MAINTENANCE] = "  of autovacuum",
		[WAIT_BACKGROUND] = "  of other processes",
		[WAIT_IO_WORKER] = "(IO workers)",
	};
	const struct waits_total *all = &wait_lines_all(l)->total;
	size_t part, k;

	if (wait_is_detail(a) || a->classes || a->event || a->query_id ||
	    (a->min_percent != 0 && gs_sum(all->db_time_ns,
	    all->io_workers_ns) == all->part_ns[WAIT_FOREGROUND]))
		return;
	for (part = 0; part < WAIT_PARTS; part++) {
		struct wait_line *line;

		if (all->part_ns[part] == 0)
			continue;
		line = wait_lines_add(l, "all", name[part],
		    part != WAIT_IO_WORKER);
		for (k = 0; k < l->n_window; k++)
			line->at[k] = (struct wait_at) {
				l->of[k].total.part_ns[part], WAIT_NOT_SAID,
				0 };
	}
}

/* What processes did while their backends had no known wait.  The parts add up to
 * the whole, also over tables of ticks: what was not measured is not known. */
enum split { ON_CPU, RUNNABLE, BLOCK_IO, ASLEEP, NOT_KNOWN, SPLITS };

static void split_of(const struct wait_sum *s, int64_t ret[SPLITS])
{
	ret[ON_CPU] = s->cpu_ns;
	ret[RUNNABLE] = s->queue_ns;
	ret[BLOCK_IO] = s->io_ns;
	ret[ASLEEP] = s->asleep_ns;
	ret[NOT_KNOWN] = GS_MAX(0, gs_difference(gs_difference(s->time_ns,
	    gs_sum(s->cpu_ns, s->queue_ns)), gs_sum(s->io_ns, s->asleep_ns)));
}

/* Those of CPU* need no name before them: a line's name tells it from all others. */
static void split_name(const char *class, bool cpu, int part,
	char to[WAIT_NAME_MAX])
{
	static const char *const name[SPLITS] = { "on CPU", "runnable",
		"block IO", "asleep", "not known" };

	(void)snprintf(to, WAIT_NAME_MAX, "  %s%s%s", cpu ? "" : class,
	    cpu ? "" : ":", name[part]);
}

static void add_split(struct wait_lines *l, const char *class, bool cpu,
	const struct wait_ask *a)
{
	char name[WAIT_NAME_MAX];
	struct wait_event e = { .kind = cpu ? WAIT_CPU : WAIT_EVENT,
		.class = (char *)(uintptr_t)class,
		.event = (char *)(uintptr_t)"" };
	const struct wait_items *of = wait_lines_all(l);
	const struct wait_item *all = wait_items_find(of, &e);
	int i;
	size_t k;

	if (!all || !of->total.processes)
		return;
	/* "not known" only says nothing more, but in a sum over tables */
	if (!cpu && a->min_percent != 0 && gs_sum(all->sum->with_io_ns,
	    gs_sum(all->sum->cpu_ns, all->sum->queue_ns)) == 0)
		return;
	for (i = 0; i < SPLITS; i++) {
		struct wait_line *line;

		split_name(class, cpu, i, name);
		line = wait_lines_add(l, "class", name, true);
		for (k = 0; k < l->n_window; k++) {
			const struct wait_item *it =
			    wait_items_find(&l->of[k], &e);
			int64_t part[SPLITS];

			if (!it)
				continue;
			split_of(it->sum, part);
			line->at[k] = (struct wait_at) { part[i],
				WAIT_NOT_SAID, 0 };
		}
	}
}

/* Whether it is among the top of its class in one of the windows, and not
 * negligible there. */
static bool is_top(const struct wait_lines *l, const struct wait_event *e,
	const struct wait_ask *a)
{
	size_t i, k;

	for (k = 0; k < l->n_window; k++) {
		const struct wait_items *of = &l->of[k];
		const struct wait_item *it = wait_items_find(of, e);
		unsigned before = 0;

		if (!it || it->time_ns == 0 ||
		    wait_is_little(a, 1, it->time_ns, of->db_time_ns))
			continue;
		for (i = 0; i < of->n && &of->item[i] != it; i++)
			before += of->item[i].event->event[0] != '\0' &&
			    strcmp(of->item[i].event->class, e->class) == 0;
		if (before < a->top)
			return true;
	}
	return false;
}

static void add_events(struct wait_lines *l, const char *class,
	const struct wait_ask *a)
{
	const struct wait_items *all = wait_lines_all(l);
	char name[WAIT_NAME_MAX + 2];
	size_t i;

	for (i = 0; i < all->n; i++) {
		const struct wait_event *e = all->item[i].event;

		if (!wait_event_works(e) || strcmp(e->class, class) != 0 ||
		    e->event[0] == '\0' || !is_top(l, e, a))
			continue;
		(void)snprintf(name, sizeof(name), "  %s:%s", e->class,
		    e->event);
		(void)wait_lines_add_event(l, "event", name, e);
	}
}

/* Merges idle events of background processes into one line. */
static void add_activity(struct wait_lines *l)
{
	struct wait_line *line = wait_lines_add(l, "idle", "(Activity)",
	    false);
	size_t i, k;

	for (k = 0; k < l->n_window; k++) {
		for (i = 0; i < l->of[k].n; i++) {
			const struct wait_item *it = &l->of[k].item[i];

			if (strcmp(it->event->class, "Activity") != 0)
				continue;
			line->at[k].ns = gs_sum(line->at[k].ns, it->time_ns);
			line->at[k].segment_ns = gs_sum(line->at[k].segment_ns,
			    it->segment->time_ns);
			line->at[k].samples += it->sum->samples;
		}
	}
}

static void add_idle(struct wait_lines *l, size_t most)
{
	const struct wait_items *all = wait_lines_all(l);
	char name[WAIT_NAME_MAX], row[WAIT_NAME_MAX + 2];
	size_t i;

	for (i = 0; i < all->n && most > 0; i++) {
		const struct wait_event *e = all->item[i].event;

		if (wait_event_works(e) || strcmp(e->class, "Activity") == 0)
			continue;
		(void)wait_event_name(e, name);
		(void)snprintf(row, sizeof(row), "(%s)", name);
		(void)wait_lines_add_event(l, "idle", row, e);
		most--;
	}
}

/* DB time is shown even if there was none. */
static bool is_shown(const struct wait_lines *l, size_t i)
{
	return strcmp(l->line[i].kind, "all") == 0 || wait_line_is_seen(l, i);
}

struct grid *waitgrid_model(const struct wait_window *w, size_t n,
	const struct wait_ask *a)
{
	struct grid *g = wait_grid_new("time_model", wait_model_cols, 1,
	    &w[n - 1]);
	struct wait_lines l;
	struct class_sum *c;
	size_t n_class, i, k;

	wait_lines_init(&l, w, n, a, 0);
	wait_lines_add_cols(&l, g, &wait_model_cols[1], N_TIME_COLS);
	c = sum_classes(&l, &n_class);
	if (wait_lines_all(&l)->total.samples > 0) {
		add_db_time(&l, "all");
		add_parts(&l, a);
		add_sessions(&l, a);
	}
	for (i = 0; i < n_class; i++) {
		struct wait_line *line;

		if (c[i].order_ns == 0 && c[i].at[n - 1].segment_ns == 0)
			continue;
		line = wait_lines_add(&l, "class", c[i].name, true);
		for (k = 0; k < n; k++)
			line->at[k] = c[i].at[k];
		if (c[i].cpu || strcmp(c[i].name, "Unknown") == 0)
			add_split(&l, c[i].name, c[i].cpu, a);
		add_events(&l, c[i].name, a);
	}
	add_idle(&l, SIZE_MAX);
	add_activity(&l);
	wait_lines_list(&l, g, false, is_shown);
	free(c);
	wait_lines_release(&l);
	return g;
}

/* ---- one screen ------------------------------------------------------ */

/* Lines that fit below the head on a screen of 24. */
#define SCREEN_LINES 16
#define SCREEN_CLASSES 5
#define SCREEN_EVENTS 4

static void screen_classes(struct wait_lines *l)
{
	struct class_sum *c;
	size_t n, i, k;

	c = sum_classes(l, &n);
	for (i = 0; i < n; i++) {
		struct wait_line *line;

		if (i < SCREEN_CLASSES - 1 || n == SCREEN_CLASSES)
			line = wait_lines_add(l, "class", c[i].name, true);
		else if (i == SCREEN_CLASSES - 1)
			line = wait_lines_add(l, "class", "other classes",
			    true);
		else
			line = &l->line[l->n - 1];
		for (k = 0; k < l->n_window; k++) {
			line->at[k].ns = gs_sum(line->at[k].ns, c[i].at[k].ns);
			line->at[k].segment_ns = gs_sum(line->at[k].segment_ns,
			    c[i].at[k].segment_ns);
			line->at[k].samples += c[i].at[k].samples;
		}
	}
	free(c);
}

static void screen_events(struct wait_lines *l)
{
	const struct wait_items *all = wait_lines_all(l);
	char name[WAIT_NAME_MAX];
	size_t i, n = 0;

	for (i = 0; i < all->n && n < SCREEN_EVENTS; i++) {
		const struct wait_event *e = all->item[i].event;

		/* a class without events is one line */
		if (!wait_event_works(e) || e->event[0] == '\0')
			continue;
		(void)wait_event_name(e, name);
		(void)wait_lines_add_event(l, "event", name, e);
		n++;
	}
}

struct grid *waitgrid_screen(const struct wait_window *w, size_t n,
	const struct wait_ask *a)
{
	struct grid *g = wait_grid_new("waits", wait_screen_cols, 2,
	    &w[n - 1]);
	struct wait_lines l, by_backend;

	wait_lines_init(&l, w, n, a, 0);
	wait_lines_init(&by_backend, w, n, a, WAITS_BY_BACKEND);
	wait_lines_add_cols(&l, g, &wait_screen_cols[2], N_TIME_COLS);
	if (wait_lines_all(&l)->total.samples > 0)
		add_db_time(&l, "all");
	screen_classes(&l);
	add_idle(&l, 2);
	screen_events(&l);
	wait_add_sessions(&l, &by_backend, SCREEN_LINES -
	    GS_MIN(l.n, (size_t)SCREEN_LINES - 4));
	wait_lines_list(&l, g, true, is_shown);
	wait_lines_release(&by_backend);
	wait_lines_release(&l);
	return g;
}
