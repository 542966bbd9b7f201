/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_quiet.c - processes that do nothing for long, most of them in most
 * clusters: what their sample depends on is compared, not made again.
 *
 * Only samples of idle processes without a query, which the catalog does not
 * know: their activity comes from a title alone.
 */
#include "analysis/waits_int.h"

/* Nobody else says what it does. */
static bool is_alone(const struct session *n)
{
	return !n || (!n->own && !n->backend && !n->query);
}

void waits_quiet_note(struct waits *s, const struct world *w,
	const struct proc *p, const struct wait_sample *l)
{
	struct seen *b;

	if (l->part == WAIT_IO_WORKER)
		return;
	b = s->seen[l->row->serial];
	b->quiet_of = p->session;
	b->quiet_tick = l->what.kind < WAIT_CPU && l->n_share == 0 &&
	    !b->backend.query && is_alone(p->session) ? world_ticks(w) : 0;
}

/* The title, the state or the session is new in this tick. */
static bool has_news(const struct world *w, const struct proc *p)
{
	uint64_t now = world_ticks(w);

	return p->row->touched_tick == now || p->changed_tick == now ||
	    (p->session && p->session->changed_tick == now);
}

struct seen *waits_quiet(const struct waits *s, const struct world *w,
	const struct proc *p, const struct stream *from)
{
	struct seen *b = p->row->serial < s->seen_cap
	    ? s->seen[p->row->serial] : NULL;

	if (!b || b->quiet_tick == 0 ||
	    b->quiet_tick + 1 != world_ticks(w) || b->stream != from ||
	    b->sample + 1 != from->number || b->quiet_of != p->session ||
	    has_news(w, p) || !is_alone(p->session))
		return NULL;
	b->quiet_tick = world_ticks(w);
	return b;
}
