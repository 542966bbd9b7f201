/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/gist_waits.h"

#include <stdlib.h>

#include "base/arith.h"
#include "base/compiler.h"
#include "query/dbtime.h"

/* The first tick of a world, with which the stretch begins, has number 1. */
uint64_t gist_waits_from(const struct dbtime *all)
{
	return dbtime_is_sampled(all) ? GS_MAX(dbtime_steady_after(all), 1) : 0;
}

/* Its time in the event. */
static int64_t time_of(const struct dbtime *d, uint64_t session,
	const struct wait_event *event)
{
	size_t i, n;
	const struct dbtime_part *p = dbtime_parts(d, session, &n);

	for (i = 0; i < n; i++) {
		if (dbtime_same_event(p[i].event, event))
			return p[i].time_ns;
	}
	return 0;
}

/* ---- saying ------------------------------------------------------------- */

/* A row of the session; NULL: it has none. */
static const struct row *row_of(const struct session *s)
{
	return s->backend ? s->backend : s->leader ? s->leader->row
	    : s->procs ? s->procs->row : NULL;
}

/* All that the gist has not told of it. */
static void say(struct gistwaits *to, const struct dbtime *all,
	struct dbtime *told, const struct session *s, uint32_t tick)
{
	size_t i, n, before = to->n;
	const struct dbtime_part *p = dbtime_parts(all, s->key_hash, &n);
	const struct row *r = row_of(s);

	for (i = 0; r && i < n; i++) {
		char name[DBTIME_NAME_MAX];
		struct tick_wait w = { .tick = tick, .host = r->host->index,
			.slot = r->slot,
			.kind = (uint32_t)p[i].event->kind + 1 };

		w.time_ns = gs_difference(p[i].time_ns,
		    time_of(told, s->key_hash, p[i].event));
		(void)dbtime_event_name(p[i].event, name);
		w.event = span_str(name);
		if (w.time_ns > 0)
			gistwaits_add(to, &w);
	}
	if (to->n > before)
		dbtime_add(told, &to->wait[before], to->n - before);
}

static const struct session *session_of(const struct engine *e,
	const struct row *r)
{
	const struct proc *p;

	if (r->closed)
		return NULL;
	if (r->entity == ENTITY_BACKEND)
		return sessions_of_backend(e->sessions, r);
	p = r->entity == ENTITY_PROCESS ? sessions_proc(e->sessions, r) : NULL;
	return p ? p->session : NULL;
}

/* Of a session that comes later a row is touched then. */
void gist_waits_tick(struct gistwaits *to, const struct dbtime *all,
	struct dbtime *told, const struct engine *e, uint32_t i, bool last)
{
	struct row *const *touched;
	size_t n, k;

	if (!to->any || i < to->from)
		return;
	if (i == to->from || last) {
		for (k = 0; k < sessions_count(e->sessions); k++)
			say(to, all, told, sessions_get(e->sessions, k), i);
		return;
	}
	touched = world_touched(e->world, &n);
	for (k = 0; k < n; k++) {
		const struct session *s = session_of(e, touched[k]);

		if (s)
			say(to, all, told, s, i);
	}
}

/* ---- comparison --------------------------------------------------------- */

/* All time that a has, b has too. */
static bool has_all(const struct dbtime *a, const struct dbtime *b)
{
	size_t n_session, n, i, k;
	uint64_t *session = dbtime_list(a, &n_session);
	bool all = true;

	for (i = 0; all && i < n_session; i++) {
		const struct dbtime_part *p = dbtime_parts(a, session[i], &n);

		for (k = 0; all && k < n; k++)
			all = p[k].time_ns ==
			    time_of(b, session[i], p[k].event);
	}
	free(session);
	return all;
}

bool gist_waits_same(const struct dbtime *a, const struct dbtime *b)
{
	return has_all(a, b) && has_all(b, a);
}
