/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid_events.c - tables of events: of all backends, of one backend or
 * session, of one query.
 */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "waitgrid/waitgrid_int.h"

const struct grid_col wait_event_cols[9] = {
	GRID_COL("event", "EVENT", Q_TEXT, 80, "class and event"),
	GRID_COL("seconds", "TIME", Q_SECONDS, 80,
	    "time that backends waited for it", .additive = true),
	GRID_COL("db_percent", "DB%", Q_PERCENT, 80,
	    "its share of DB time: of all, or of the selected backend or session",
	    .additive = true, .of_server = true),
	GRID_COL("query_percent", "QUERY%", Q_PERCENT, 80,
	    "with --query-id: its share of all time of the query",
	    .additive = true, .of_server = true),
	GRID_COL("sessions", "AAS", Q_NUMBER, 80,
	    "average number of backends that waited for it", .additive = true),
	GRID_COL("segment_processes", "SEGAAS", Q_NUMBER, GRID_ON_REQUEST,
	    "average number of segments' processes that waited for it", .additive = true),
	GRID_COL("samples", "SAMPLES", Q_COUNT, 80,
	    "samples of a backend in it", .additive = true),
	GRID_COL("waits", "WAITS", Q_COUNT, 80,
	    "unbroken runs of samples: lower bound of the number of waits"),
	GRID_COL("longest_seconds", "LONGEST", Q_SECONDS, 80,
	    "longest run, first to last sample: lower bound of the longest wait"),
};

enum { EVENT, SECONDS, DB_SHARE, QUERY_SHARE, AVERAGE, SEGMENTS, SAMPLES,
	WAITS, LONGEST };

static void event_row(struct grid *g, const struct wait_items *of,
	const struct wait_item *it, const struct wait_ask *a)
{
	bool segment = wait_is_detail(a) && it->sum->samples == 0;
	const struct wait_sum *sum = segment ? it->segment : it->sum;
	struct grid_row *r = grid_add_row(g);
	char name[WAIT_NAME_MAX];

	(void)wait_event_name(it->event, name);
	r->cell[EVENT] = wait_text(g, name);
	r->cell[SECONDS] = wait_seconds(it->time_ns);
	r->cell[DB_SHARE] = wait_percent(it->time_ns, a->query_id
	    ? of->total.db_time_ns : of->db_time_ns);
	if (a->query_id)
		r->cell[QUERY_SHARE] = wait_percent(it->time_ns,
		    of->db_time_ns);
	r->cell[AVERAGE] = wait_average(it->time_ns, of->total.covered_ns);
	if (of->total.segments)
		r->cell[SEGMENTS] = wait_average(it->segment->time_ns,
		    of->total.covered_ns);
	r->cell[SAMPLES] = cell_count(sum->samples);
	r->cell[WAITS] = wait_at_least(cell_count(sum->runs));
	r->cell[LONGEST] = wait_at_least(cell_real((double)sum->longest_ns /
	    1e9));
}

static struct grid *events(const char *name, const struct wait_window *w,
	const struct wait_ask *a)
{
	struct grid *g = wait_grid_new(name, wait_event_cols,
	    GS_LEN(wait_event_cols), w);
	struct wait_items of;
	size_t i;

	wait_items_init(&of, w->waits, a, 0);
	if (!a->query_id)
		g->col[QUERY_SHARE].min_width = GRID_ON_REQUEST;
	for (i = 0; i < of.n; i++) {
		if (wait_event_works(of.item[i].event) &&
		    !wait_is_little(a, 0, of.item[i].time_ns, of.db_time_ns))
			event_row(g, &of, &of.item[i], a);
	}
	g->n_total = g->n_row;
	wait_items_release(&of);
	return g;
}

struct grid *waitgrid_events(const struct wait_window *w, size_t n,
	const struct wait_ask *a)
{
	(void)n;
	return events("system_event", w, a);
}

struct grid *waitgrid_of_query(const struct wait_window *w, size_t n,
	const struct wait_ask *a)
{
	(void)n;
	return events("query_event", w, a);
}

/* Windows side by side: events and their times. */
static struct grid *beside(const struct wait_window *w, size_t n,
	const struct wait_ask *a)
{
	struct grid *g = wait_grid_new("session_event", wait_event_cols, 1,
	    &w[n - 1]);
	const struct wait_items *all;
	char name[WAIT_NAME_MAX];
	struct wait_lines l;
	size_t i;

	wait_lines_init(&l, w, n, a, 0);
	wait_lines_add_cols(&l, g, NULL, 0);
	all = wait_lines_all(&l);
	for (i = 0; i < all->n; i++) {
		const struct wait_event *e = all->item[i].event;

		(void)wait_event_name(e, name);
		if (wait_event_works(e) && !wait_is_little(a, 0,
		    all->item[i].time_ns, all->db_time_ns))
			(void)wait_lines_add_event(&l, "event", name, e);
	}
	wait_lines_list(&l, g, false, wait_line_is_seen);
	wait_lines_release(&l);
	return g;
}

struct grid *waitgrid_detail(const struct wait_window *w, size_t n,
	const struct wait_ask *a)
{
	return n > 1 ? beside(w, n, a) : events("session_event", w, a);
}
