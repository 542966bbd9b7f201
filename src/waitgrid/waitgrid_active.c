/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid_active.c - active backends at the end of the range: their events,
 * and for how long.
 */
#include "base/arith.h"
#include "base/compiler.h"
#include "waitgrid/waitgrid_int.h"

const struct grid_col wait_active_cols[13] = {
	WAIT_BACKEND_NAMED_BY,
	GRID_COL("state", "STATE", Q_TEXT, 80,
	    "on cpu: waits for nothing known; active: the same, of a background process; waiting; idle in tx",
	    .varies = true),
	GRID_COL("event", "EVENT", Q_TEXT, 80, "wait event", .varies = true),
	GRID_COL("wait_segment", "AT", Q_ID, 120,
	    "segment of its executor with this state; absent: the state is its own", .varies = true),
	GRID_COL("wait_time_seconds", "SINCE", Q_AGE, 80,
	    "time without a change: lower bound, by the samples that saw it"),
	GRID_COL("wait_at_most_seconds", "ATMOST", Q_AGE, 120,
	    "upper bound, by its last change of state or query"),
	GRID_COL("db_time_seconds", "DBTIME", Q_SECONDS, 80,
	    "active time in the range", .additive = true),
	GRID_COL("type", "TYPE", Q_TEXT, 120, "kind of backend"),
	GRID_COL("user", "USER", Q_TEXT, 80, "user"),
	GRID_COL("database", "DB", Q_TEXT, 120, "database", .also = "db"),
	GRID_COL("query", "QUERY", Q_TEXT, 80, "text, where recorded", .flexible = true),
};

enum { PID, SESSION, SEGMENT, STATE, EVENT, AT, SINCE, AT_MOST, DB_TIME, TYPE,
	USER, DATABASE, QUERY };

static const char *state_of(const struct wait_backend *b)
{
	switch (b->event->kind) {
	case WAIT_IDLE:
		return "idle";
	case WAIT_IDLE_TX:
		return "idle in tx";
	case WAIT_CPU:
		return b->part == WAIT_FOREGROUND ? "on cpu" : "active";
	case WAIT_EVENT:
		return "waiting";
	}
	return "";
}

static struct cell age(int64_t since_ns, int64_t now_ns)
{
	/* its host's clock may be ahead of the tick */
	return cell_real((double)GS_MAX(0, gs_difference(now_ns, since_ns)) / 1e9);
}

static void active_row(struct grid *g, const struct wait_backend *b,
	int64_t now_ns)
{
	struct grid_row *r = grid_add_row(g);
	char name[WAIT_NAME_MAX];

	r->cell[PID] = cell_int(b->pid);
	r->cell[SESSION] = waitgrid_session(g, b);
	r->cell[SEGMENT] = cell_int(b->content);
	r->cell[STATE] = wait_text(g, state_of(b));
	(void)wait_event_name(b->event, name);
	if (b->event->kind == WAIT_EVENT)
		r->cell[EVENT] = wait_text(g, name);
	if (b->has_at)
		r->cell[AT] = cell_int(b->at);
	r->cell[SINCE] = wait_at_least(age(b->seen_ns, now_ns));
	if (b->changed_ns > 0 && b->changed_ns <= now_ns)
		r->cell[AT_MOST] = age(b->changed_ns, now_ns);
	r->cell[DB_TIME] = wait_seconds(b->db_time_ns);
	r->cell[TYPE] = wait_text(g, b->type);
	r->cell[USER] = wait_text(g, b->user);
	r->cell[DATABASE] = wait_text(g, b->database);
	r->cell[QUERY] = wait_text(g, b->query ? b->query->text : "");
}

struct grid *waitgrid_active(const struct wait_window *w, size_t n,
	const struct wait_ask *a)
{
	struct grid *g = wait_grid_new("active", wait_active_cols,
	    GS_LEN(wait_active_cols), w);
	struct waits_total t;
	size_t i;

	(void)n;
	waits_total(w->waits, &t);
	for (i = 0; i < waits_backends(w->waits); i++) {
		const struct wait_backend *b = waits_backend(w->waits, i);

		if (b->open && b->event->kind != WAIT_IDLE &&
		    waitgrid_is_asked(a, b))
			active_row(g, b, t.newest_ns);
	}
	g->n_total = g->n_row;
	return g;
}
