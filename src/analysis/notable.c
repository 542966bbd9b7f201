/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/notable_int.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "model/diff.h"

struct notables *notables_new(void)
{
	return gs_calloc(1, sizeof(struct notables));
}

void notables_free(struct notables *n)
{
	if (!n)
		return;
	notable_forget_servers(n);
	free(n->item);
	free(n->late);
	buf_release(&n->texts);
	free(n);
}

static bool was_noted(const struct notables *n, enum event_kind kind)
{
	size_t i;

	for (i = 0; i < n->t->n_event; i++) {
		if (n->t->event[i].kind == kind)
			return true;
	}
	return false;
}

/* ---- hosts ------------------------------------------------------------------ */

static void check_clock(struct notables *n, const struct host *h)
{
	int64_t wall = gs_difference(h->clock.wall_ns, h->prev.wall_ns);
	int64_t boot = gs_difference(h->clock.boot_ns, h->prev.boot_ns);
	int64_t step = gs_difference(wall, boot);

	if (h->blocks < 2 || h->rebooted || was_noted(n, EVENT_CLOCK_STEP) ||
	    (step < NOTABLE_STEP_NS && step > -NOTABLE_STEP_NS))
		return;
	notable_begin(n, EVENT_CLOCK_STEP, h, step);
	buf_printf(&n->texts, "the clock was set %s by %.1f s",
	    step > 0 ? "forward" : "back", (double)(step < 0 ? -step : step) /
	    (double)GS_NSEC_PER_SEC);
	notable_end(n);
}

static void check_host(struct notables *n, const struct host *h)
{
	if (!h->sampled || h->catalog)
		return;
	if (h->rebooted) {
		notable_begin(n, EVENT_REBOOT, h, 0);
		buf_add_str(&n->texts, "was booted");
		notable_end(n);
	}
	check_clock(n, h);
	notable_memory(n, h);
}

/* ---- segments, sessions ------------------------------------------------------ */

static bool add_change(struct notables *n, const struct row *r, unsigned col,
	bool any)
{
	uint64_t was, now;

	if (!cells_get(r->was, col, &was) || !row_get(r, col, &now) ||
	    was == now)
		return false;
	if (!any) {
		struct span host = row_text(n->w, r, COL(SEGMENT, HOSTNAME));

		notable_begin(n, EVENT_SEGMENT, NULL,
		    (int64_t)notable_cell(r, COL(SEGMENT, CONTENT)));
		buf_printf(&n->texts, "segment %" PRId64 " (%.*s port %"
		    PRIu64 "):", (int64_t)notable_cell(r, COL(SEGMENT, CONTENT)),
		    (int)span_len(host), host.ptr, notable_cell(r, COL(SEGMENT,
		    PORT)));
	}
	buf_printf(&n->texts, "%s %s %c to %c", any ? "," : "",
	    metric_get(ENTITY_SEGMENT, col)->name, (char)was, (char)now);
	return true;
}

static void check_segment(struct notables *n, const struct row *r)
{
	static const unsigned cols[] = { COL(SEGMENT, ROLE),
		COL(SEGMENT, MODE), COL(SEGMENT, STATUS) };
	bool any = false;
	size_t i;

	if (r->closed || r->first_tick == world_ticks(n->w))
		return;
	for (i = 0; i < GS_LEN(cols); i++)
		any |= add_change(n, r, cols[i], any);
	if (any)
		notable_end(n);
}

static void check_catalog(struct notables *n)
{
	size_t k, i;
	struct row *const *touched = world_touched(n->w, &k);

	if (!world_catalog(n->w, 0) || was_noted(n, EVENT_SEGMENT))
		return;
	for (i = 0; i < k; i++) {
		if (touched[i]->entity == ENTITY_SEGMENT)
			check_segment(n, touched[i]);
	}
}

/* If there is a catalog, its query notes this event. */
static void check_sessions(struct notables *n)
{
	size_t k, i;
	const struct session_renamed *r = sessions_renamed(n->s, &k);

	for (i = 0; i < k; i++) {
		const struct session *s = r[i].session;

		if (s->backend || !s->leader || s->own)
			continue;
		notable_begin(n, EVENT_SESSION, s->leader->row->host,
		    (int64_t)r[i].to);
		buf_printf(&n->texts, "con%" PRIu32 " continues as con%" PRIu32
		    " (pid %" PRIu64 ")", r[i].from, r[i].to,
		    notable_cell(s->leader->row, COL(PROCESS, PID)));
		notable_end(n);
	}
}

void notable_tick(struct notables *n, const struct world *w,
	const struct sessions *s, const struct tick *t)
{
	size_t i;

	n->w = w;
	n->s = s;
	n->t = t;
	n->wall_ns = t->wall_ns;
	n->n = 0;
	buf_reset(&n->texts);
	notable_late_kills(n);
	for (i = 0; i < world_hosts(w); i++)
		check_host(n, world_host(w, i));
	notable_servers(n);
	check_catalog(n);
	check_sessions(n);
}
