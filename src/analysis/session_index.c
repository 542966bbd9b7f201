/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_index.c - what is found by what: processes by row, sessions by key; the list of
 * sessions, their end and that of queries.
 */
#include "analysis/sessions_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/mem.h"

struct proc *sessions_proc(const struct sessions *s, const struct row *r)
{
	return r->serial < s->proc_cap ? s->proc[r->serial] : NULL;
}

/* Ticks for which an ended session or query is still listed. */
#define LINGER 2

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
	free(s->mixed);
	free(s->key);
	free(s->name);
	gs_free_text(s->user);
	gs_free_text(s->database);
	gs_free_text(s->client);
	gs_free_text(s->title);
	gs_free_text(s->activity);
	gs_free_text(s->command);
	gs_free_text(s->application);
	gs_free_text(s->wait_type);
	gs_free_text(s->wait_event);
	gs_free_text(s->group);
	gs_free_text(s->text);
	gs_free_text(s->blockers);
	free(e);
}

void session_drop(struct session *n)
{
	if (n && --session_entry(n)->holds == 0)
		session_free(session_entry(n));
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
	e->listed = ++s->n_came;
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
		*text[i] = gs_no_text;
	n->first_ns = n->since_ns = s->wall_ns;
	name_it(s, e);
	list(s, e);
	s->n_made++;
	return n;
}

/* Takes those that ended from the list of all. */
static void unlist_ended(struct sessions *s)
{
	size_t i, kept = 0;

	for (i = 0; i < s->n; i++) {
		if (s->all[i]->session.ended)
			session_drop(&s->all[i]->session);
		else
			s->all[kept++] = s->all[i];
	}
	s->n = kept;
}

/* The same for one, without a look at each of the others. */
static void unlist(struct sessions *s, struct entry *e)
{
	size_t low = 0, high = s->n - 1;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->all[mid]->listed < e->listed)
			low = mid + 1;
		else
			high = mid;
	}
	s->n--;
	memmove(&s->all[low], &s->all[low + 1],
	    (s->n - low) * sizeof(struct entry *));
	session_drop(&e->session);
}

#define FEW 16

/* Frees sessions that ended some ticks ago. */
void sessions_forget_quiet(struct sessions *s)
{
	struct entry *over[FEW];
	size_t i, kept = 0, n_over = 0;

	for (i = 0; i < s->n_quiet; i++) {
		struct entry *e = s->quiet[i];

		if (e->quiet_tick && e->quiet_tick + LINGER > s->tick) {
			s->quiet[kept++] = e;
			continue;
		}
		if (e->quiet_tick) {
			e->session.ended = true;
			over[n_over++ % FEW] = e;
		}
		e->quiet_tick = 0;
		e->on_quiet = false;
	}
	s->n_quiet = kept;
	if (n_over > FEW)
		unlist_ended(s);
	else
		while (n_over-- > 0)
			unlist(s, over[n_over]);
}

void session_note_quiet(struct sessions *s, struct entry *e)
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

void session_mark_changed(struct sessions *s, struct session *n)
{
	if (n->changed_tick == s->tick)
		return;
	n->changed_tick = s->tick;
	GS_GROW(s->changed, &s->changed_cap, s->n_changed + 1);
	s->changed[s->n_changed++] = n;
}
