/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries: where one begins and ends, and which query counts a tick.
 */
#include "analysis/sessions_int.h"

#include "base/arith.h"
#include "base/mem.h"
#include "model/diff.h"

bool state_is_open(enum title_state state)
{
	switch (state) {
	case TITLE_ACTIVE:
	case TITLE_WAITING:
	case TITLE_QUEUED:
	case TITLE_REPLICATION:
		return true;
	case TITLE_STATE_NONE:
	case TITLE_IDLE:
	case TITLE_IDLE_TX:
	case TITLE_IDLE_ABORTED:
	case TITLE_STARTUP:
	case TITLE_AUTHENTICATION:
		return false;
	}
	return false;
}

struct span title_verb(const struct title *t)
{
	struct span a = t->activity, w, rest;

	if (t->state != TITLE_WAITING && t->state != TITLE_QUEUED)
		return a;
	rest = a;
	w = (struct span) { a.ptr, a.ptr };
	while (scan_word(&rest, &w)) {
		if (span_eq(w, "waiting") || span_eq(w, "queuing"))
			break;
		a.end = w.end;
	}
	return a.end > a.ptr ? a : t->activity;
}

static bool same_title(const struct session *n, const struct query *q,
	const struct doing *d)
{
	if (q->has_cmd != d->has_cmd || q->cmd != d->cmd)
		return false;
	return n->kind == SESSION_GREENPLUM || span_eq(d->verb, q->activity);
}

/* The start that the catalog tells is not that of q: another query. */
static bool is_other_start(const struct sessions *s, const struct query *q,
	const struct doing *d)
{
	if (!d->has_start)
		return false;
	if (q->has_start)
		return q->start_us != d->start_us;
	return d->start_ns > s->before_ns; /* after the tick that saw q */
}

/* Titles, which have no start times, and the catalog may alternate. */
static bool same_query(const struct sessions *s, const struct session *n,
	const struct query *q, const struct doing *d)
{
	if (is_other_start(s, q, d))
		return false;
	return (d->has_start && q->has_start) || same_title(n, q, d);
}

static void set_start(struct sessions *s, const struct world *w,
	struct query *q, const struct doing *d)
{
	const struct row *r = d->tie ? d->tie->row : NULL;
	uint64_t id;
	uint32_t text;

	if (!d->has_start)
		return;
	/* by the clock as it was then: it moves by milliseconds */
	if (!q->has_start || q->start_us != d->start_us)
		q->start_ns = d->start_ns;
	q->has_start = true;
	q->start_us = d->start_us;
	if (row_get(r, COL(BACKEND, QUERY_ID), &id)) {
		q->has_id = id != 0;
		q->id = (int64_t)id;
	}
	if (cells_has(r->now, COL(BACKEND, QUERY))) {
		struct span t = row_text(w, r, COL(BACKEND, QUERY));

		text = texts_intern(s->texts, t.ptr, span_len(t), NULL);
		texts_unref(s->texts, q->text);
		q->text = text;
	}
}

static struct query *query_new(struct sessions *s, const struct world *w,
	struct session *n, const struct doing *d)
{
	struct query *q = gs_calloc(1, sizeof(*q));

	q->session = n;
	q->texts = s->texts;
	q->number = ++n->n_queries;
	q->has_cmd = d->has_cmd;
	q->cmd = d->cmd;
	q->activity = gs_strndup(d->verb.ptr, span_len(d->verb));
	q->first_ns = q->last_ns = s->wall_ns;
	q->open = true;
	q->holds = 1; /* the session's, as query and then as before */
	set_start(s, w, q, d);
	return q;
}

/* The tick of the leading process on its host's wall clock. */
static bool tick_edges(const struct sessions *s, const struct session *n,
	int64_t *ret_from, int64_t *ret_to)
{
	const struct host *h = n->leader ? n->leader->row->host : NULL;
	int64_t elapsed = h ? diff_elapsed_ns(h)
	                    : gs_difference(s->wall_ns, s->before_ns);

	if (elapsed <= 0 || (!h && s->before_ns == 0))
		return false;
	*ret_to = h ? h->clock.wall_ns : s->wall_ns;
	*ret_from = gs_difference(*ret_to, elapsed);
	return true;
}

/* If one query follows another, the start of the later one splits the tick. */
static void set_split(struct sessions *s, struct session *n)
{
	int64_t from, to, at;
	double share;

	if (!n->before || !n->query || !n->query->has_start ||
	    !tick_edges(s, n, &from, &to))
		return;
	at = n->leader ? n->query->start_us * 1000 : n->query->start_ns;
	share = (double)gs_difference(at, from) /
	    (double)gs_difference(to, from);
	share = share < 0 ? 0 : share > 1 ? 1 : share;
	n->split_tick = s->tick;
	n->split = (uint32_t)(share * CHARGE_WHOLE);
	if (n->split > 0 && n->split < CHARGE_WHOLE)
		n->before->estimated = n->query->estimated = true;
}

/* An idle session has the start of the last query that it ran.  Of one that was not
 * seen before, only what began after the tick before is known to be of this one. */
static void note_run(struct sessions *s, struct session *n,
	const struct doing *d)
{
	bool is_new;

	if (!d->has_start)
		return;
	is_new = n->has_start ? n->start_us != d->start_us
	    : s->before_ns != 0 && d->start_ns > s->before_ns;
	if (is_new && !state_is_open(d->state)) {
		n->ran_tick = s->tick;
		GS_GROW(s->ran, &s->ran_cap, s->n_ran + 1);
		s->ran[s->n_ran++] = n;
	}
	n->has_start = true;
	n->start_us = d->start_us;
}

void session_set_query(struct sessions *s, const struct world *w,
	struct session *n, const struct doing *d)
{
	struct query *q = n->query;
	bool open = d && state_is_open(d->state);

	if (d)
		note_run(s, n, d);
	if (q && open && same_query(s, n, q, d)) {
		/* one command may have several activities: the newest is used */
		gs_set_text(&q->activity, d->verb);
		q->has_cmd = d->has_cmd;
		q->cmd = d->cmd;
		q->last_ns = s->wall_ns;
		set_start(s, w, q, d);
		return;
	}
	if (!q && !open)
		return;
	if (q) {
		q->open = false;
		q->last_ns = s->before_ns;
	}
	/* an idle session has the start of the last query that it ran */
	if (q && d && !open && is_other_start(s, q, d))
		n->unseen_tick = s->tick;
	query_drop(n->before);
	n->before = q;
	n->query_tick = s->tick;
	n->query = open ? query_new(s, w, n, d) : NULL;
	set_split(s, n);
}

struct query *session_mixed(struct session *n)
{
	if (!n->mixed) {
		n->mixed = gs_calloc(1, sizeof(*n->mixed));
		*n->mixed = (struct query) { .session = n, .holds = 1,
			.activity = gs_no_text, .first_ns = n->first_ns };
	}
	return n->mixed;
}

struct query_charge sessions_charge_of(const struct sessions *s,
	const struct proc *p)
{
	struct session *n = p->session;
	struct query *a = n->query_tick == s->tick ? n->before : n->query;
	struct query *b = n->query;

	/* there may have been others between them */
	if (n->unseen_tick == s->tick ||
	    (s->thinned && n->query_tick == s->tick))
		return (struct query_charge) { .to = session_mixed(n),
			.share = CHARGE_WHOLE };
	if (a == b || !a || !b)
		return (struct query_charge) { .to = a ? a : b ? b :
		    session_mixed(n), .share = CHARGE_WHOLE };
	if (n->split_tick != s->tick)
		return (struct query_charge) { .to = session_mixed(n),
			.share = CHARGE_WHOLE };
	if (n->split == 0 || n->split == CHARGE_WHOLE)
		return (struct query_charge) { .to = n->split ? a : b,
			.share = CHARGE_WHOLE };
	return (struct query_charge) { a, b, n->split };
}
