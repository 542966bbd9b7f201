/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_events.c - the table of events: those of the recorder, and those
 * derived from rows (analysis/notable.h).
 */
#include "base/compiler.h"
#include "query/columns.h"
#include "view/view_int.h"

static const struct cell absent = { .kind = CELL_ABSENT };

static struct cell when(FIGURE_ARGS)
{
	const struct engine_event *e = v->subject;

	return cell_int(e->wall_ns);
}

static struct cell what(FIGURE_ARGS)
{
	const struct engine_event *e = v->subject;

	return figure_text(v, event_name(e->kind));
}

static struct cell host(FIGURE_ARGS)
{
	const struct engine_event *e = v->subject;

	return figure_text(v, e->host);
}

static struct cell value(FIGURE_ARGS)
{
	const struct engine_event *e = v->subject;

	return event_has_value(e->kind) ? cell_int(e->value) : absent;
}

static struct cell details(FIGURE_ARGS)
{
	const struct engine_event *e = v->subject;

	return figure_text(v, e->text);
}

static const struct figure events[] = {
	COLUMN("time", "TIME", Q_TIME, 80, "when it was noticed", ALONE(when)),
	COLUMN("event", "EVENT", Q_TEXT, 80, "what happened", ALONE(what)),
	COLUMN("host", "HOST", Q_TEXT, 80, "host of the event", ALONE(host)),
	COLUMN("value", "VALUE", Q_ID, GRID_ON_REQUEST,
	    "hole: ticks lost; clock set, host late, host in time, stood still, suspended: ns; crash reset: processes lost; out of memory: processes killed",
	    ALONE(value)),
	COLUMN("text", "TEXT", Q_TEXT, 80, "details", ALONE(details), FLEXES),
};

static void list_events(struct view_sink *to)
{
	const struct engine *e = view_env(to)->engine;
	size_t i = view_is_of_last_tick(view_use_of(to)) ? e->tick_event : 0;

	for (; i < e->n_event; i++)
		view_put(to, &e->event[i], NULL);
}

static const struct view_rows rows = { .list = list_events };

ROW_VIEW(events, CLUSTER, "events noted by the recorder, and changes of servers and hosts seen in samples",
    "+time", .rows = &rows);
