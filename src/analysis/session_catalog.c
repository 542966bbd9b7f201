/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_catalog.c - rows of pg_stat_activity: the process and the session of
 * each.
 */
#include "analysis/sessions_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/mem.h"
#include "model/diff.h"

/* ---- ties ---------------------------------------------------------------- */

/*
 * Rows from segments are older than the last answer of the coordinator, which
 * is asked more often.  Such a row neither keeps nor makes a session that the
 * coordinator does not list and that has no process.  If the coordinator was
 * not asked, they are the only source.
 */
static bool is_outdated(const struct sessions *s, const struct tie *t)
{
	return !t->proc && s->n_main > 0 && !t->main;
}

static bool is_vouched(const struct entry *e)
{
	return e->session.n_procs > 0 || e->n_main > 0;
}

/* Ends a session that exists only because of this backend. */
static void leave_alone(struct sessions *s, struct tie *t,
	const struct session *to)
{
	struct entry *old = t->entry;

	if (!old || &old->session == to)
		return;
	tie_detach(s, t);
	if (!old->tie && old->session.n_procs == 0)
		old->session.over = true;
}

/* The catalog's postmaster: its backend is a process below that postmaster. */
static void learn_server(struct sessions *s, const struct proc *p,
	const struct row *r)
{
	struct source *of = catalog_source(s, r->host);

	if (of && row_signed(r, COL(BACKEND, CONTENT), -1) == -1)
		source_tie(s, of, p->server);
}

static struct session *postgres_session(struct sessions *s,
	const struct row *r)
{
	char name[32];
	int64_t pid = row_signed(r, COL(BACKEND, PID), 0);
	size_t i;

	if (backend_is_worker(r)) {
		for (i = 0; i < s->n_tie; i++) {
			const struct tie *t = s->tie[i];

			if (t->entry && t->row->host == r->host &&
			    row_signed(t->row, COL(BACKEND, PID), 0) ==
			    row_signed(r, COL(BACKEND, LEADER), 0))
				return &t->entry->session;
		}
		return NULL; /* its leader may appear later */
	}
	(void)snprintf(name, sizeof(name), "%" PRId64, pid);
	buf_reset(&s->key);
	buf_printf(&s->key, "backend %s %" PRId64, name,
	    row_signed(r, COL(BACKEND, START), 0));
	if (s->n_source > 0 && r->host != s->source[0].host)
		buf_printf(&s->key, " %" PRIu32, r->host->index);
	return session_named(s) ? &session_named(s)->session
	                        : session_new(s, SESSION_POSTGRES, name);
}

/* The session of a backend whose process does not identify it. */
static struct session *session_by_row(struct sessions *s,
	const struct row *r)
{
	int64_t number = row_signed(r, COL(BACKEND, SESSION), 0);
	const struct source *of = catalog_source(s, r->host);

	if (of && number > 0 && number <= UINT32_MAX)
		return session_of_catalog(s, of, (uint32_t)number);
	return postgres_session(s, r);
}

static struct session *session_of_outdated(struct sessions *s,
	const struct row *r)
{
	int64_t number = row_signed(r, COL(BACKEND, SESSION), 0);
	const struct source *of = catalog_source(s, r->host);
	struct session *n = of && number > 0 && number <= UINT32_MAX
	    ? session_in_catalog(s, of, (uint32_t)number) : NULL;

	return n && is_vouched(session_entry(n)) ? n : NULL;
}

/* Drops sessions that only outdated rows mention. */
static void drop_outdated(struct sessions *s)
{
	size_t i;

	if (s->n_main == 0 || s->n_main == s->n_tie)
		return; /* none is outdated */
	for (i = 0; i < s->n_tie; i++) {
		struct tie *t = s->tie[i];

		if (t->entry && is_outdated(s, t) && !is_vouched(t->entry))
			leave_alone(s, t, NULL);
	}
}

static void tie_up(struct sessions *s, const struct world *w, struct tie *t)
{
	struct proc *p = t->proc ? t->proc : backend_find_proc(s, t->row);
	bool of_session = backend_is_of_session(w, t->row);

	if (p && !t->proc) {
		t->proc = p;
		p->tied = true;
		learn_server(s, p, t->row);
		/* the title has no information: update_process_title is off */
		if (p->session->kind == SESSION_OS && of_session &&
		    !p->detects)
			session_join(s, session_by_row(s, t->row), p);
		leave_alone(s, t, p->session);
	}
	if (!of_session)
		return;
	if (p && p->session->kind != SESSION_OS)
		tie_attach(s, t, p->session);
	else if (!t->entry)
		tie_attach(s, t, is_outdated(s, t)
		    ? session_of_outdated(s, t->row)
		    : session_by_row(s, t->row));
}

/* What a process, or a session, may still come for.  Those of other processes of a server
 * have none. */
static void tie_up_loose(struct sessions *s, const struct world *w)
{
	size_t i;

	s->loose = false;
	for (i = 0; i < s->n_tie; i++) {
		struct tie *t = s->tie[i];

		if (t->proc && t->entry)
			continue;
		tie_up(s, w, t);
		s->loose |= !t->proc ||
		    (!t->entry && backend_is_of_session(w, t->row));
	}
}

static struct tie *tie_new(struct sessions *s, struct row *r)
{
	struct tie *t = gs_calloc(1, sizeof(*t));

	t->row = r;
	t->at = s->n_tie;
	t->main = row_signed(r, COL(BACKEND, CONTENT), -1) < 0;
	s->n_main += t->main;
	s->loose = true;
	HASH_ADD_PTR(s->tie_of, row, t);
	GS_GROW(s->tie, &s->tie_cap, s->n_tie + 1);
	s->tie[s->n_tie++] = t;
	return t;
}

static void tie_free(struct sessions *s, struct tie *t)
{
	HASH_DEL(s->tie_of, t);
	s->n_main -= t->main;
	s->tie[t->at] = s->tie[--s->n_tie];
	s->tie[t->at]->at = t->at;
	free(t->blockers);
	free(t);
}

static void backend_closed(struct sessions *s, struct tie *t)
{
	struct entry *e = t->entry;
	bool led = e && e->lead == t;

	if (e) {
		GS_GROW(s->gone, &s->gone_cap, s->n_gone + 1);
		s->gone[s->n_gone++] = (struct ended_backend) { t->row,
			&e->session };
	}
	if (t->proc)
		t->proc->tied = false;
	tie_detach(s, t);
	if (led && e->session.n_procs == 0 &&
	    t->row->closed == CLOSE_EXITED)
		e->session.over = true;
	tie_free(s, t);
}

/* Catalogs are known from their first answer. */
static void find_sources(struct sessions *s, const struct world *w)
{
	struct host *c;
	size_t i;

	for (i = 0; (c = world_catalog(w, i)) != NULL; i++) {
		struct server_key key = { c->index, 0, 0 };
		struct source *of = catalog_source(s, c);
		struct server *v;

		if (!of) {
			GS_GROW(s->source, &s->source_cap, s->n_source + 1);
			of = &s->source[s->n_source++];
			v = server_make(s, key);
			v->is_server = true;
			v->is.catalog = c;
			*of = (struct source) { .host = c,
				.server = v->is.number };
			s->place_old = true;
		}
		if (c->sampled)
			of->asked_tick = s->tick;
		of->answered |= catalog_answers(c);
	}
}

void catalog_close(struct sessions *s, const struct world *w)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);

	s->n_gone = 0;
	find_sources(s, w);
	if (s->n_source == 0)
		return;
	if (s->place_hosts != world_hosts(w))
		s->place_old = true;
	s->place_hosts = world_hosts(w);
	for (i = 0; i < n; i++) {
		const struct row *r = touched[i];

		if (r->entity == ENTITY_SEGMENT || r->entity == ENTITY_CLUSTER)
			s->place_old = true;
		if (r->entity == ENTITY_BACKEND && r->closed) {
			struct tie *t = tie_of_row(s, r);

			if (t)
				backend_closed(s, t);
		}
	}
}

void catalog_tie(struct sessions *s, const struct world *w)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);

	if (s->n_source == 0)
		return;
	for (i = 0; i < n; i++) {
		struct tie *t;

		if (touched[i]->entity != ENTITY_BACKEND ||
		    touched[i]->closed || !touched[i]->host->catalog)
			continue;
		t = tie_of_row(s, touched[i]);
		if (!t)
			t = tie_new(s, touched[i]);
		session_note_wait(&t->waits_ns, s->wall_ns,
		    catalog_state(w, t->row));
		session_note_blockers(t, w, s->wall_ns);
		if (t->entry)
			session_mark_changed(s, &t->entry->session);
		else
			s->loose = true;
	}
	drop_outdated(s);
	if (s->loose)
		tie_up_loose(s, w);
}

size_t catalog_open_brief(struct sessions *s, const struct world *w)
{
	size_t n, i, before = s->n_tie;
	struct row *const *touched = world_touched(w, &n);

	for (i = 0; s->n_source > 0 && i < n; i++) {
		if (touched[i]->entity == ENTITY_BACKEND &&
		    row_is_brief(touched[i]) && touched[i]->host->catalog)
			(void)tie_new(s, touched[i]);
	}
	for (i = before; i < s->n_tie; i++)
		tie_up(s, w, s->tie[i]);
	return s->n_tie - before;
}

void catalog_close_brief(struct sessions *s, size_t n)
{
	while (n-- > 0)
		backend_closed(s, s->tie[s->n_tie - 1]);
	drop_outdated(s); /* processes have gone since */
}

/* The backend of the leading process, else the oldest on the coordinator:
 * executors there start later. */
void catalog_choose_lead(struct entry *e)
{
	const struct proc *leader = e->session.leader;
	struct tie *t, *best = NULL;

	for (t = e->tie; t; t = t->next) {
		if (t->proc && t->proc == leader) {
			best = t;
			break;
		}
		/* a parallel worker, or an executor, never leads */
		if (backend_is_worker(t->row) ||
		    (t->proc && t->proc->title.kind == TITLE_QE))
			continue;
		if (!best || backend_is_before(t->row, best->row))
			best = t;
	}
	e->lead = best;
}

void catalog_release(struct sessions *s)
{
	size_t i;

	while (s->n_tie > 0)
		tie_free(s, s->tie[0]);
	for (i = 0; i < s->n_source; i++)
		logins_free(s->source[i].logins);
	free(s->tie);
	free(s->gone);
	free(s->place);
	free(s->source);
}
