/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/sessions_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/mem.h"

struct sessions *sessions_new(void)
{
	struct sessions *s = gs_calloc(1, sizeof(*s));

	s->texts = texts_new();
	return s;
}

/* ---- a tick ----------------------------------------------------------- */

static bool is_leading(const struct proc *p)
{
	return p->title.kind == TITLE_QD || p->title.kind == TITLE_BACKEND;
}

/* Between two ticks of a thinned recording, the leader of parallel workers may have had
 * some that came and went: it ends after them. */
static bool ends_last(const struct sessions *s, const struct row *r,
	const struct proc *p)
{
	return s->thinned && p->title.kind == TITLE_BACKEND &&
	    !row_is_brief(r) && row_ended_late(r);
}

static void close_rows(struct sessions *s, const struct world *w,
	struct row *const *touched, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		struct proc *p = touched[i]->closed
		    ? sessions_proc(s, touched[i]) : NULL;

		if (!p)
			continue;
		if (s->thinned && row_ended_late(touched[i]))
			proc_ended_late(s, w, p);
		if (!ends_last(s, touched[i], p))
			proc_closed(s, p);
	}
}

static void close_last(struct sessions *s, struct row *const *touched, size_t n)
{
	size_t i;

	for (i = 0; i < n && s->thinned; i++) {
		struct proc *p = touched[i]->closed
		    ? sessions_proc(s, touched[i]) : NULL;

		if (p && ends_last(s, touched[i], p))
			proc_closed(s, p);
	}
}

/* Starts to load what is kept of the processes of rows. */
static void fetch_procs(const struct sessions *s, struct row *const *rows,
	size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (rows[i]->entity == ENTITY_PROCESS &&
		    rows[i]->serial < s->proc_cap)
			gs_fetch(&s->proc[rows[i]->serial], sizeof(*s->proc));
	}
	for (i = 0; i < n; i++) {
		const struct proc *p = sessions_proc(s, rows[i]);

		if (p)
			gs_fetch(p, sizeof(*p));
	}
}

static void open_rows(struct sessions *s, const struct world *w,
	struct row *const *touched, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		struct row *r = touched[i];
		struct proc *p;

		if (i % GS_FETCH_ROWS == 0)
			fetch_procs(s, touched + i, GS_MIN(n - i, GS_FETCH_ROWS));
		if (r->entity != ENTITY_PROCESS ||
		    (r->closed && !row_is_brief(r)))
			continue;
		p = sessions_proc(s, r);
		if (p)
			proc_changed(s, w, p);
		else
			proc_opened(s, w, r);
	}
}

static bool has_brief(struct row *const *touched, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (row_is_brief(touched[i]))
			return true;
	}
	return false;
}

/* A process, and its backend, that came and went between two ticks has worked for a
 * session, and no more may ever be known of it.  Mostly there are none. */
static void close_brief(struct sessions *s, const struct world *w,
	struct row *const *touched, size_t n)
{
	size_t n_tied, i, k;
	bool closes;

	if (!has_brief(touched, n))
		return;
	n_tied = catalog_open_brief(s, w);
	for (i = s->n_tie - n_tied; i < s->n_tie; i++) {
		if (s->tie[i]->entry)
			session_label_brief(s, w, &s->tie[i]->entry->session);
	}
	for (k = 0; k < 2; k++) {
		closes = k > 0;
		for (i = 0; i < n; i++) {
			struct proc *p = touched[i]->entity == ENTITY_PROCESS &&
			    row_is_brief(touched[i])
			    ? sessions_proc(s, touched[i]) : NULL;

			if (p && closes)
				proc_closed(s, p);
			else if (p)
				session_label_brief(s, w, p->session);
		}
	}
	catalog_close_brief(s, n_tied);
}

/* What an update compares: texts, each in memory of its own. */
static void fetch_texts(const struct session *n)
{
	const char *const text[] = { n->title, n->user, n->database, n->client,
		n->command, n->activity, n->wait_type, n->wait_event,
		n->blockers };
	size_t i;

	for (i = 0; i < GS_LEN(text); i++)
		gs_fetch(text[i], GS_LINE);
}

static void fetch_changed(const struct sessions *s, size_t from)
{
	size_t to = GS_MIN(s->n_changed, from + GS_FETCH_ROWS), i;

	for (i = from; i < to; i++)
		gs_fetch(s->changed[i], sizeof(struct entry));
	for (i = from; i < to; i++)
		fetch_texts(s->changed[i]);
}

static void update_changed(struct sessions *s, const struct world *w)
{
	size_t i;

	for (i = 0; i < s->n_changed; i++) {
		if (i % GS_FETCH_ROWS == 0)
			fetch_changed(s, i);
		session_update(s, w, s->changed[i]);
		session_note_quiet(s, session_entry(s->changed[i]));
	}
}

/* What ran before the last tick, and was over there, does not stand for this one. */
static void mark_ran_before(struct sessions *s)
{
	size_t i;

	s->n_changed = 0;
	for (i = 0; i < s->n_ran; i++)
		session_mark_changed(s, s->ran[i]);
	s->n_ran = 0;
}

void sessions_forget_ran(struct sessions *s)
{
	size_t i;

	for (i = 0; i < s->n_ran; i++)
		s->ran[i]->ran_tick = 0;
}

void sessions_tick(struct sessions *s, const struct world *w,
	int64_t wall_ns)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);

	procs_forget_ended(s);
	s->tick = world_ticks(w);
	s->thinned = world_is_thinned(w);
	s->before_ns = s->wall_ns;
	s->wall_ns = wall_ns;
	s->n_moving = s->n_renamed = s->n_switched = 0;
	mark_ran_before(s);
	sessions_forget_quiet(s);
	/* ended rows are closed first: new ones may have the same pid */
	close_rows(s, w, touched, n);
	catalog_close(s, w);
	catalog_places(s, w);
	servers_learn(s, w, touched, n);
	open_rows(s, w, touched, n);
	servers_update(s, w);
	servers_learn_settings(s, w);
	servers_tie_segments(s);
	for (i = 0; i < s->n_moving; i++) {
		if (is_leading(s->moving[i]))
			session_place(s, s->moving[i]);
	}
	for (i = 0; i < s->n_moving; i++) {
		if (!is_leading(s->moving[i]))
			session_place(s, s->moving[i]);
	}
	catalog_tie(s, w);
	close_brief(s, w, touched, n);
	close_last(s, touched, n);
	session_logins_update(s, w);
	session_adopt_detectors(s);
	update_changed(s, w);
	servers_name(s);
}

void sessions_begin(struct sessions *s, const struct world *w)
{
	size_t i;

	sessions_forget_servers(s);
	session_begin_waits(s);
	session_logins_begin(s, w);
	for (i = 0; i < s->n; i++) {
		struct session *n = &s->all[i]->session;

		session_relabel(s, w, n);
		session_retime(s, n);
		n->first_ns = s->wall_ns;
		if (!n->since_known)
			n->since_ns = s->wall_ns;
		n->since_exact = false;
		if (n->mixed)
			n->mixed->first_ns = s->wall_ns;
		n->n_queries = n->query ? 1 : 0;
		if (n->query) {
			n->query->number = 1;
			n->query->first_ns = s->wall_ns;
		}
	}
}

void sessions_free(struct sessions *s)
{
	size_t i;
	struct pid_entry *e, *e_next;

	if (!s)
		return;
	catalog_release(s);
	for (i = 0; i < s->n; i++) {
		struct proc *p = s->all[i]->session.procs;

		while (p) {
			struct proc *next = p->next;

			proc_free(p);
			p = next;
		}
		session_drop(&s->all[i]->session);
	}
	for (i = 0; i < s->n_ended; i++)
		proc_free(s->ended[i]);
	servers_forget(s);
	HASH_ITER (hh, s->by_pid, e, e_next) {
		HASH_DEL(s->by_pid, e);
		free(e);
	}
	free(s->all);
	free(s->proc);
	free(s->ended);
	free(s->moving);
	free(s->switched);
	free(s->changed);
	free(s->ran);
	free(s->quiet);
	free(s->renamed);
	free(s->detector);
	texts_free(s->texts);
	buf_release(&s->scratch);
	buf_release(&s->key);
	free(s);
}

/* ---- answers ---------------------------------------------------------- */

struct session *const *sessions_ran(const struct sessions *s, size_t *ret_n)
{
	*ret_n = s->n_ran;
	return s->ran;
}

struct session *const *sessions_changed(const struct sessions *s,
	size_t *ret_n)
{
	*ret_n = s->n_changed;
	return s->changed;
}

struct row *const *sessions_switched(const struct sessions *s, size_t *ret_n)
{
	*ret_n = s->n_switched;
	return s->switched;
}

const struct session_renamed *sessions_renamed(const struct sessions *s,
	size_t *ret_n)
{
	*ret_n = s->n_renamed;
	return s->renamed;
}

size_t sessions_in(const struct sessions *s, enum session_class c)
{
	return s->in_class[c];
}

bool session_is_shown(const struct session *s)
{
	return s->kind != SESSION_OS && !s->own && !s->ended &&
	    (s->n_procs > 0 || s->backend);
}

struct tick_census sessions_census(const struct sessions *s)
{
	struct tick_census c = {
		.active = (uint32_t)sessions_in(s, SESSION_ACTIVE),
		.waiting = (uint32_t)sessions_in(s, SESSION_WAITING) };
	size_t i;

	for (i = 0; i < s->n; i++) {
		const struct session *one = &s->all[i]->session;

		if (!session_is_shown(one))
			continue;
		c.shown++;
		c.shown_active += one->class == SESSION_ACTIVE;
		c.shown_waiting += one->class == SESSION_WAITING;
	}
	return c;
}

size_t sessions_count(const struct sessions *s)
{
	return s->n;
}

struct session *sessions_get(const struct sessions *s, size_t i)
{
	return &s->all[i]->session;
}
