/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_login.c - user and database of titles whose names have blanks, by
 * names in the same server's catalog and in other titles.
 *
 * Names for a process come from its postmaster's processes, its cluster's
 * coordinator's, and its cluster's catalog.
 */
#include "analysis/sessions_int.h"

#include "base/compiler.h"
#include "base/mem.h"

static struct logins *list_of(struct logins **l)
{
	if (!*l)
		*l = logins_new();
	return *l;
}

/* The catalog of a server; NULL: none, or not known. */
static const struct source *source_of(const struct sessions *s,
	const struct server *v)
{
	size_t i;

	for (i = 0; v && i < s->n_source; i++) {
		if (s->source[i].tied && s->source[i].server == v->is.number)
			return &s->source[i];
	}
	return NULL;
}

static bool split(const struct sessions *s, struct proc *p)
{
	const struct server *v = server_get(s, p->server);
	const struct server *root = server_root(s, server_get(s, p->server));
	const struct source *catalog = source_of(s, root);
	const struct logins *of[] = { v ? v->logins : NULL,
		root && root != v ? root->logins : NULL,
		catalog ? catalog->logins : NULL };

	return logins_split(of, GS_LEN(of), &p->title);
}

static void learn(struct sessions *s, const struct proc *p)
{
	struct server *v = server_get(s, p->server);

	/* orphans of many servers have the same parent */
	if (v && (v->is_postmaster || v->key.pid > 1) &&
	    p->title.kind != TITLE_NONE)
		s->new_logins |= logins_learn(list_of(&v->logins), &v->names,
		    &p->title);
}

void session_login_read(struct sessions *s, struct proc *p)
{
	learn(s, p);
	(void)split(s, p); /* else it stays one text */
}

static void learn_backend(struct sessions *s, const struct world *w,
	const struct row *r)
{
	struct source *of = catalog_source(s, r->host);

	if (!of)
		return;
	s->new_logins |= logins_add(list_of(&of->logins), LOGIN_USER,
	    row_text(w, r, COL(BACKEND, USER)));
	s->new_logins |= logins_add(list_of(&of->logins), LOGIN_DATABASE,
	    row_text(w, r, COL(BACKEND, DATABASE)));
}

static void split_all(struct sessions *s)
{
	size_t i;

	s->new_logins = false;
	for (i = 0; i < s->proc_cap; i++) {
		struct proc *p = s->proc[i];

		if (p && !p->row->closed && split(s, p) && p->session)
			session_mark_changed(s, p->session);
	}
}

void session_logins_update(struct sessions *s, const struct world *w)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);

	for (i = 0; i < n && s->n_source > 0; i++) {
		if (touched[i]->entity == ENTITY_BACKEND &&
		    !touched[i]->closed)
			learn_backend(s, w, touched[i]);
	}
	if (s->new_logins)
		split_all(s);
}

static void forget(struct sessions *s)
{
	struct server *v;
	size_t i;

	for (v = s->servers; v; v = v->hh.next) {
		logins_free(v->logins);
		v->logins = NULL;
	}
	for (i = 0; i < s->n_source; i++) {
		logins_free(s->source[i].logins);
		s->source[i].logins = NULL;
	}
}

void session_logins_begin(struct sessions *s, const struct world *w)
{
	size_t i;

	forget(s);
	for (i = 0; i < s->n_tie; i++)
		learn_backend(s, w, s->tie[i]->row);
	for (i = 0; i < s->proc_cap; i++) {
		struct proc *p = s->proc[i];

		if (!p || p->row->closed)
			continue;
		logins_unsplit(&p->title);
		learn(s, p);
	}
	split_all(s);
}
