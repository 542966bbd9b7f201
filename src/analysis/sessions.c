/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/sessions_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/mem.h"

/* Ticks for which an ended session or query is still listed. */
#define LINGER 2

struct sessions *sessions_new(void)
{
	struct sessions *s = gs_calloc(1, sizeof(*s));

	s->texts = texts_new();
	return s;
}

/* ---- queries and sessions -------------------------------------------- */

void query_hold(struct query *q)
{
	q->holds++;
}

void query_drop(struct query *q)
{
	if (!q || --q->holds > 0)
		return;
	texts_unref(q->texts, q->text);
	free(q->activity);
	free(q);
}

struct span query_text(const struct query *q)
{
	return q->texts ? texts_get(q->texts, q->text) : span_str("");
}

void session_hold(struct session *n)
{
	session_entry(n)->holds++;
}

static void session_free(struct entry *e)
{
	struct session *s = &e->session;

	session_unname(e);
	query_drop(s->query);
	query_drop(s->before);
	free(s->mixed.activity);
	free(s->key);
	free(s->name);
	free(s->user);
	free(s->database);
	free(s->client);
	free(s->title);
	free(s->activity);
	free(s->command);
	free(s->application);
	free(s->wait_type);
	free(s->wait_event);
	free(s->group);
	free(s->text);
	free(s->blockers);
	free(e);
}

void session_drop(struct session *n)
{
	if (n && --session_entry(n)->holds == 0)
		session_free(session_entry(n));
}

void session_set_text(char **to, struct span s)
{
	if (*to && span_eq(s, *to))
		return;
	free(*to);
	*to = gs_strndup(s.ptr, span_len(s));
}

struct entry *session_named(const struct sessions *s)
{
	struct entry *e = NULL;

	HASH_FIND(hh, s->by_key, buf_str(&s->key), s->key.len, e);
	return e;
}

static void name_it(struct sessions *s, struct entry *e)
{
	struct entry *head = session_named(s);

	e->index_key = gs_strdup(buf_str(&s->key));
	e->same = head;
	if (head)
		HASH_DEL(s->by_key, head);
	HASH_ADD_KEYPTR(hh, s->by_key, e->index_key, strlen(e->index_key),
	    e);
}

void session_unname(struct entry *e)
{
	struct sessions *s = e->owner;
	struct entry *head = NULL, **at;

	if (!e->index_key)
		return;
	HASH_FIND(hh, s->by_key, e->index_key, strlen(e->index_key), head);
	if (head == e) {
		HASH_DEL(s->by_key, e);
		head = e->same;
		if (head)
			HASH_ADD_KEYPTR(hh, s->by_key, head->index_key,
			    strlen(head->index_key), head);
	} else {
		for (at = &head->same; *at != e; at = &(*at)->same)
			;
		*at = e->same;
	}
	free(e->index_key);
	e->index_key = NULL;
	e->same = NULL;
}

void session_rename(struct sessions *s, struct entry *e)
{
	session_unname(e);
	name_it(s, e);
}

static void list(struct sessions *s, struct entry *e)
{
	GS_GROW(s->all, &s->cap, s->n + 1);
	s->all[s->n++] = e;
	e->session.ended = false;
	e->holds++;
}

struct session *session_new(struct sessions *s, enum session_kind kind,
	const char *name)
{
	struct entry *e = gs_calloc(1, sizeof(*e));
	struct session *n = &e->session;
	char **text[] = { &n->user, &n->database, &n->client, &n->title,
		&n->activity, &n->command, &n->application, &n->wait_type,
		&n->wait_event, &n->group, &n->text, &n->blockers };
	size_t i;

	e->owner = s;
	n->kind = kind;
	buf_reset(&s->scratch);
	buf_add(&s->scratch, s->key.ptr, s->key.len);
	if (session_named(s)) /* that one has the plain key */
		buf_printf(&s->scratch, " %" PRIu64, s->n_made);
	n->key = gs_strdup(buf_str(&s->scratch));
	n->key_hash = fnv_add(FNV_BASIS, n->key, s->scratch.len);
	n->name = gs_strdup(name);
	for (i = 0; i < GS_LEN(text); i++)
		*text[i] = gs_strdup("");
	n->first_ns = n->since_ns = s->wall_ns;
	n->mixed = (struct query) { .session = n, .holds = 1,
		.activity = gs_strdup(""), .first_ns = s->wall_ns };
	name_it(s, e);
	list(s, e);
	s->n_made++;
	return n;
}

/* Frees sessions that ended some ticks ago. */
static void forget_quiet(struct sessions *s)
{
	size_t i, kept = 0;
	bool any = false;

	for (i = 0; i < s->n_quiet; i++) {
		struct entry *e = s->quiet[i];

		if (e->quiet_tick && e->quiet_tick + LINGER > s->tick) {
			s->quiet[kept++] = e;
			continue;
		}
		if (e->quiet_tick)
			any = e->session.ended = true;
		e->quiet_tick = 0;
		e->on_quiet = false;
	}
	s->n_quiet = kept;
	if (!any)
		return;
	for (i = kept = 0; i < s->n; i++) {
		if (s->all[i]->session.ended)
			session_drop(&s->all[i]->session);
		else
			s->all[kept++] = s->all[i];
	}
	s->n = kept;
}

static void note_quiet(struct sessions *s, struct entry *e)
{
	const struct session *n = &e->session;
	bool quiet = n->n_procs == 0 && !e->tie && (n->over || e->exited);

	if (!quiet) {
		e->quiet_tick = 0;
		if (n->ended)
			list(s, e);
		return;
	}
	if (!e->on_quiet && !n->ended) {
		GS_GROW(s->quiet, &s->quiet_cap, s->n_quiet + 1);
		s->quiet[s->n_quiet++] = e;
		e->on_quiet = true;
	}
	e->quiet_tick = n->ended ? 0 : s->tick;
}

void sessions_need_settle(struct sessions *s, struct session *n)
{
	if (n->settled_tick == s->tick)
		return;
	n->settled_tick = s->tick;
	GS_GROW(s->settled, &s->settled_cap, s->n_settled + 1);
	s->settled[s->n_settled++] = n;
}

/* ---- a tick ----------------------------------------------------------- */

static bool is_leading(const struct proc *p)
{
	return p->title.kind == TITLE_QD || p->title.kind == TITLE_BACKEND;
}

static void close_rows(struct sessions *s, struct row *const *touched,
	size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		struct proc *p = touched[i]->closed
		    ? sessions_proc(s, touched[i]) : NULL;

		if (p)
			proc_closed(s, p);
	}
}

static void open_rows(struct sessions *s, const struct world *w,
	struct row *const *touched, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		struct row *r = touched[i];
		struct proc *p;

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

/* A process that came and went between two ticks has worked for a session, and
 * no more may ever be known of it. */
static void close_brief(struct sessions *s, const struct world *w,
	struct row *const *touched, size_t n)
{
	bool closes;
	size_t i, k;

	for (k = 0; k < 2; k++) {
		closes = k > 0;
		for (i = 0; i < n; i++) {
			struct proc *p = touched[i]->entity == ENTITY_PROCESS &&
			    row_is_brief(touched[i])
			    ? sessions_proc(s, touched[i]) : NULL;

			if (p && closes)
				proc_closed(s, p);
			else if (p)
				session_label_anew(s, w, p->session);
		}
	}
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
	s->n_settled = s->n_moving = s->n_renamed = 0;
	forget_quiet(s);
	/* ended rows are closed first: new ones may have the same pid */
	close_rows(s, touched, n);
	catalog_close(s, w);
	catalog_places(s, w);
	servers_learn(s, w, touched, n);
	open_rows(s, w, touched, n);
	servers_look(s, w);
	for (i = 0; i < s->n_moving; i++) {
		if (is_leading(s->moving[i]))
			session_place(s, s->moving[i]);
	}
	for (i = 0; i < s->n_moving; i++) {
		if (!is_leading(s->moving[i]))
			session_place(s, s->moving[i]);
	}
	close_brief(s, w, touched, n);
	catalog_tie(s, w);
	session_logins_look(s, w);
	session_adopt_detectors(s);
	for (i = 0; i < s->n_settled; i++) {
		session_settle(s, w, s->settled[i]);
		note_quiet(s, session_entry(s->settled[i]));
	}
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

		session_label_anew(s, w, n);
		n->first_ns = s->wall_ns;
		if (!n->since_known)
			n->since_ns = s->wall_ns;
		n->since_exact = false;
		n->mixed.first_ns = s->wall_ns;
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
	free(s->settled);
	free(s->quiet);
	free(s->renamed);
	free(s->detector);
	texts_free(s->texts);
	buf_release(&s->scratch);
	buf_release(&s->key);
	free(s);
}

/* ---- answers ---------------------------------------------------------- */

struct session *const *sessions_settled(const struct sessions *s,
	size_t *ret_n)
{
	*ret_n = s->n_settled;
	return s->settled;
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

size_t sessions_count(const struct sessions *s)
{
	return s->n;
}

struct session *sessions_get(const struct sessions *s, size_t i)
{
	return &s->all[i]->session;
}
