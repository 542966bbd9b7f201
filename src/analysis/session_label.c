/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels of a session: its leader, its state, its start.
 */
#include "analysis/sessions_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/own.h"

static bool is_older(const struct proc *a, const struct proc *b)
{
	uint64_t a_start = proc_number(a, COL(PROCESS, START));
	uint64_t b_start = proc_number(b, COL(PROCESS, START));

	return a_start != b_start ? a_start < b_start
	    : proc_number(a, COL(PROCESS, PID)) <
	    proc_number(b, COL(PROCESS, PID));
}

/* The process that speaks for a session whose leading process is not
 * recorded: an active one, with the highest counter; of several the oldest,
 * whatever the order of their rows. */
static struct proc *stand_in(const struct session *n)
{
	struct proc *best = NULL, *p;

	for (p = n->procs; p; p = p->next) {
		bool open = state_is_open(p->title.state);
		bool most = best && state_is_open(best->title.state);

		if (!best || open > most || (open == most &&
		    (p->title.cmd > best->title.cmd ||
		    (p->title.cmd == best->title.cmd && is_older(p, best)))))
			best = p;
	}
	return best;
}

/* Executors' counters, if they differ from the leading process's. */
static void set_range(struct session *n)
{
	const struct proc *p;

	n->has_range = false;
	for (p = n->procs; p; p = p->next) {
		if (p == n->leader || !p->title.has_cmd)
			continue;
		if (!n->has_range) {
			n->cmd_low = n->cmd_high = p->title.cmd;
			n->has_range = true;
		}
		n->cmd_low = GS_MIN(n->cmd_low, p->title.cmd);
		n->cmd_high = GS_MAX(n->cmd_high, p->title.cmd);
	}
}

/* ---- titles and catalog ------------------------------------------------ */

static void by_title(struct doing *d, const struct title *t)
{
	d->state = t->state;
	d->has_cmd = t->has_cmd;
	d->cmd = t->cmd;
	d->verb = title_verb(t);
}

/* The kind of wait, which titles show and the catalog does not. */
static enum title_state waiting_of(enum title_state catalog,
	const struct proc *p)
{
	enum title_state t = p ? p->title.state : TITLE_STATE_NONE;

	if (catalog == TITLE_WAITING &&
	    (t == TITLE_QUEUED || t == TITLE_REPLICATION))
		return t;
	return catalog;
}

static struct span first_word(struct span text)
{
	struct span w = { text.ptr, text.ptr };

	(void)scan_word(&text, &w); /* none: empty */
	return w;
}

/* Tick at which the catalog of a backend was asked last. */
static uint64_t asked_tick(const struct sessions *s, const struct tie *t)
{
	const struct source *of = catalog_source(s, t->row->host);

	return of ? of->asked_tick : 0;
}

/* The catalog is asked a moment after titles are read, or less often. */
static void by_catalog(const struct sessions *s, const struct world *w,
	const struct session *n, const struct tie *t, const struct proc *p,
	struct doing *d)
{
	enum title_state state = catalog_state(w, t->row);

	if (state == TITLE_STATE_NONE ||
	    (p && p == n->leader && p->changed_tick > asked_tick(s, t)))
		return;
	if (!p || p != n->leader ||
	    state_is_open(state) != state_is_open(p->title.state)) {
		d->has_cmd = false;
		d->cmd = 0;
		d->verb = state_is_open(state) ? first_word(row_text(w,
		    t->row, COL(BACKEND, QUERY))) : span_str("idle");
	}
	d->state = waiting_of(state, p);
	if (d->state == TITLE_WAITING && (!p || !proc_waits(p)) &&
	    catalog_queues(w, t->row))
		d->state = TITLE_QUEUED;
	d->tie = t;
	d->has_start = catalog_instant(s, t->row, COL(BACKEND, QUERY_START),
	    &d->start_us, &d->start_ns);
}

static bool state_waits(enum title_state state)
{
	return state == TITLE_WAITING || state == TITLE_QUEUED ||
	    state == TITLE_REPLICATION;
}

bool proc_waits(const struct proc *p)
{
	return state_waits(p->title.state);
}

/* A session waits if any of its processes waits: the leading process may only
 * know that it sent a command to the others. */
static void by_executors(const struct session *n, struct doing *d)
{
	const struct proc *p;

	for (p = n->procs; p && d->state == TITLE_ACTIVE; p = p->next) {
		if (p->title.kind == TITLE_QE && proc_waits(p))
			d->state = p->title.state;
	}
}

/* ---- labels ------------------------------------------------------------ */

/* What tells since when a session is in that state. */
static unsigned since_column(enum title_state state)
{
	return state_is_open(state) ? COL(BACKEND, QUERY_START)
	                            : COL(BACKEND, STATE_CHANGE);
}

void session_retime(struct sessions *s, struct session *n)
{
	int64_t us, ns;

	if (!n->backend)
		return;
	if (n->query && n->query->has_start && catalog_instant(s, n->backend,
	    COL(BACKEND, QUERY_START), &us, &ns) && us == n->query->start_us)
		n->query->start_ns = ns;
	if (n->since_known && catalog_instant(s, n->backend,
	    since_column(n->state), &us, &ns) && us == n->since_us)
		n->since_ns = ns;
}

static void set_since(struct sessions *s, struct session *n,
	const struct doing *d, const struct proc *p)
{
	int64_t us, ns;

	if (d->tie && catalog_instant(s, d->tie->row, since_column(d->state), &us,
	    &ns)) {
		if (!n->since_known || n->since_us != us)
			n->since_ns = ns;
		n->since_us = us;
		n->since_known = n->since_exact = true;
	} else if (n->since_known || n->state != d->state ||
	    n->has_cmd != d->has_cmd || n->cmd != d->cmd ||
	    !span_eq(d->verb, n->activity)) {
		n->since_exact = n->state != TITLE_STATE_NONE ||
		    (p && p->row->opened == OPEN_BORN);
		n->since_ns = s->wall_ns;
		n->since_known = false;
	}
}

void session_set_since(struct proc *p, int64_t since_ns, bool seen)
{
	struct session *n = p->session;

	if (n->since_known)
		return;
	n->since_ns = since_ns;
	n->since_exact = seen;
}

static void set_title_labels(struct session *n, const struct world *w,
	const struct proc *p)
{
	const struct title *t = &p->title;

	gs_set_text(&n->title, span_of(p->text, p->text_len));
	if (!span_empty(t->user_db)) {
		gs_set_text(&n->user, span_empty(t->user) ? t->user_db
		                                               : t->user);
		gs_set_text(&n->database, t->database);
	}
	if (t->kind != TITLE_QE && !span_empty(t->client))
		gs_set_text(&n->client, t->client);
	if (t->kind == TITLE_POSTMASTER)
		gs_set_text(&n->command, span_str("postmaster"));
	else
		gs_set_text(&n->command, !span_empty(t->name) ? t->name
		    : row_text(w, p->row, COL(PROCESS, COMM)));
}

static void set_client(struct sessions *s, struct session *n,
	const struct world *w, const struct row *r)
{
	struct span addr = row_text(w, r, COL(BACKEND, CLIENT_ADDR));
	uint64_t port = 0;

	(void)row_get(r, COL(BACKEND, CLIENT_PORT), &port); /* 0: unsaid */
	buf_reset(&s->scratch);
	buf_add(&s->scratch, addr.ptr, span_len(addr));
	if (span_empty(addr) && cells_has(r->now, COL(BACKEND, CLIENT_PORT)))
		buf_add_str(&s->scratch, "[local]");
	else if (!span_empty(addr) && (int64_t)port > 0)
		buf_printf(&s->scratch, "(%d)", (int)port);
	if (s->scratch.len > 0)
		gs_set_text(&n->client, span_of(buf_str(&s->scratch),
		    s->scratch.len));
}

static void set_ages(struct sessions *s, struct session *n,
	const struct row *r)
{
	uint64_t xid = 0, xmin = 0, id;
	int64_t us;
	bool has = row_get(r, COL(BACKEND, XID_AGE), &xid);

	has |= row_get(r, COL(BACKEND, XMIN_AGE), &xmin);
	n->has_xid_age = has;
	n->xid_age = GS_MAX((int64_t)xid, (int64_t)xmin);
	n->has_xact = catalog_instant(s, r, COL(BACKEND, XACT_START), &us,
	    &n->xact_ns);
	n->has_query_id = row_get(r, COL(BACKEND, QUERY_ID), &id) && id != 0;
	n->query_id = n->has_query_id ? (int64_t)id : 0;
}

static void set_catalog_labels(struct sessions *s, const struct world *w,
	struct session *n)
{
	const struct row *r = n->backend;
	const struct {
		char **to;
		unsigned col;
		bool lasts; /* kept while the catalog has no value */
	} text[] = {
		{ &n->user, COL(BACKEND, USER), true },
		{ &n->database, COL(BACKEND, DATABASE), true },
		{ &n->application, COL(BACKEND, APPLICATION), true },
		{ &n->group, COL(BACKEND, GROUP), true },
		{ &n->text, COL(BACKEND, QUERY), true },
		{ &n->wait_type, COL(BACKEND, WAIT_TYPE), false },
		{ &n->wait_event, COL(BACKEND, WAIT_EVENT), false },
		{ &n->blockers, COL(BACKEND, BLOCKERS), false },
	};
	size_t i;

	for (i = 0; i < GS_LEN(text); i++) {
		struct span t = r ? row_text(w, r, text[i].col)
		                  : span_str("");

		if (!text[i].lasts || !span_empty(t))
			gs_set_text(text[i].to, t);
	}
	if (!r) {
		n->has_xact = n->has_xid_age = n->has_query_id = false;
		return;
	}
	n->own = strcmp(n->application, OWN_APPLICATION) == 0;
	set_client(s, n, w, r);
	set_ages(s, n, r);
}

static enum session_class class_of(const struct session *n)
{
	if (n->kind == SESSION_OS || n->own ||
	    (n->n_procs == 0 && !n->backend))
		return SESSION_OTHER;
	if (!state_is_open(n->state))
		return SESSION_OTHER;
	return n->state == TITLE_ACTIVE ? SESSION_ACTIVE : SESSION_WAITING;
}

static void classify(struct sessions *s, struct session *n)
{
	enum session_class c = class_of(n);

	if (n->class == c)
		return;
	if (n->class != SESSION_OTHER)
		s->in_class[n->class]--;
	if (c != SESSION_OTHER)
		s->in_class[c]++;
	n->class = c;
}

static struct proc *choose_leader(struct session *n)
{
	struct proc *p = n->leader;

	if (!p || !proc_leads(n, p)) {
		for (p = n->procs; p && !proc_leads(n, p); p = p->next)
			;
		n->leader = p;
	}
	session_entry(n)->led |= p != NULL;
	return p ? p : stand_in(n);
}

const struct row *session_row(const struct session *n)
{
	const struct proc *p = n->leader ? n->leader : stand_in(n);

	return p ? p->row : NULL;
}

/* A backend in utility mode is a session of its segment. */
static void set_segment(struct session *n, const struct row *r)
{
	uint64_t content;

	n->has_seg = row_get(r, COL(BACKEND, CONTENT), &content) &&
	    (int64_t)content >= 0 && n->leader != NULL &&
	    n->kind == SESSION_GREENPLUM;
	n->seg = n->has_seg ? (int32_t)content : 0;
}

static void set_doing(struct session *n, const struct doing *d)
{
	n->state = d->state;
	n->has_cmd = d->has_cmd;
	n->cmd = d->cmd;
	gs_set_text(&n->activity, d->verb);
}

/* What it does, by this process, which may be NULL, and its backends. */
static struct doing find_doing(const struct sessions *s, const struct world *w,
	struct session *n, const struct proc *p)
{
	struct entry *e = session_entry(n);
	struct doing d = { .verb = span_str("") };

	catalog_choose_lead(e);
	n->backend = e->lead ? e->lead->row : NULL;
	if (p)
		by_title(&d, &p->title);
	if (e->lead)
		by_catalog(s, w, n, e->lead, p, &d);
	by_executors(n, &d);
	return d;
}

void session_update(struct sessions *s, const struct world *w,
	struct session *n)
{
	struct proc *p = choose_leader(n);
	struct doing d = find_doing(s, w, n, p);

	set_range(n);
	session_set_query(s, w, n, p || n->backend ? &d : NULL);
	if (p || n->backend) {
		set_since(s, n, &d, p);
		set_doing(n, &d);
	}
	if (p)
		set_title_labels(n, w, p);
	set_catalog_labels(s, w, n);
	if (n->backend)
		set_segment(n, n->backend);
	classify(s, n);
}

void session_relabel(struct sessions *s, const struct world *w,
	struct session *n)
{
	char **text[] = { &n->user, &n->database, &n->client, &n->title,
		&n->command, &n->application, &n->group, &n->text };
	const struct proc *p = n->leader ? n->leader : stand_in(n);
	size_t i;

	if (!p && !n->backend) {
		/* it has ended, or may come back with its host */
		n->state = TITLE_STATE_NONE;
		n->since_known = n->has_cmd = false;
		gs_set_text(&n->activity, span_str(""));
		return;
	}
	for (i = 0; i < GS_LEN(text); i++)
		gs_set_text(text[i], span_str(""));
	if (p)
		set_title_labels(n, w, p);
	set_catalog_labels(s, w, n);
}

void session_label_brief(struct sessions *s, const struct world *w,
	struct session *n)
{
	struct doing d;

	if (session_entry(n)->over_tick == s->tick)
		return; /* it has the labels of its leading process */
	d = find_doing(s, w, n, choose_leader(n));
	/* of one that was there before, the update compares with that */
	if (n->first_ns == s->wall_ns)
		set_doing(n, &d);
	session_relabel(s, w, n);
}

void session_label_last(struct sessions *s, const struct world *w,
	struct session *n)
{
	const struct doing d = find_doing(s, w, n, n->leader);

	set_doing(n, &d);
	session_relabel(s, w, n);
}
