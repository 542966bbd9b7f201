/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_server.c - the database server of a session.
 *
 * Postmasters are known by their processes.  A catalog belongs to the
 * postmaster from which one of its backends descends, or which has its port on
 * its host; if neither is known, it gets a placeholder server.  A segment
 * belongs to the server of its coordinator.
 */
#include "analysis/sessions_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Values of process.role */
#define PROCESS_IS_POSTMASTER 1

static uint32_t new_number(struct sessions *s)
{
	if (s->n_free > 0)
		return s->free_number[--s->n_free];
	GS_GROW(s->server, &s->server_cap, s->n_server + 1);
	return (uint32_t)++s->n_server;
}

struct server *server_make(struct sessions *s, struct server_key key)
{
	struct server *v = NULL;

	HASH_FIND(hh, s->servers, &key, sizeof(key), v);
	if (v)
		return v;
	v = gs_calloc(1, sizeof(*v));
	v->key = key;
	v->is.pid = key.pid;
	v->is.name = gs_strdup("");
	v->cluster = gs_strdup("");
	v->datadir = gs_strdup("");
	v->is.number = new_number(s);
	v->made = ++s->n_servers_made;
	s->server[v->is.number - 1] = v;
	HASH_ADD(hh, s->servers, key, sizeof(v->key), v);
	return v;
}

uint32_t server_of(struct sessions *s, const struct row *r)
{
	struct server_key key = { r->host->index,
		(uint32_t)r->host->boot_ids, 0 };
	bool known = row_get(r, COL(PROCESS, POSTMASTER), &key.pid) &&
	    key.pid != 0;
	struct server *v;

	if (!known && !row_get(r, COL(PROCESS, PPID), &key.pid))
		return 0;
	v = server_make(s, key);
	v->is_postmaster |= known;
	v->is_server |= known;
	return v->is.number;
}

struct server *server_get(const struct sessions *s, uint32_t number)
{
	return number ? s->server[number - 1] : NULL;
}

static void server_free(struct sessions *s, struct server *v)
{
	HASH_DEL(s->servers, v);
	s->server[v->is.number - 1] = NULL;
	free(v->is.name);
	free(v->cluster);
	free(v->datadir);
	logins_free(v->logins);
	free(v);
}

void servers_forget(struct sessions *s)
{
	struct server *v, *next;

	HASH_ITER (hh, s->servers, v, next)
		server_free(s, v);
	free(s->server);
	free(s->free_number);
	free(s->listed);
}

/* ---- what is known of them --------------------------------------------- */

static void set_text(struct sessions *s, char **to, struct span text)
{
	if (span_empty(text) || span_eq(text, *to))
		return;
	gs_set_text(to, text);
	s->unnamed = true;
}

static void set_port(struct sessions *s, struct server *v, uint64_t port)
{
	if (v->is.has_port && v->is.port == port)
		return;
	v->is.has_port = true;
	v->is.port = port;
	s->unnamed = true;
}

void server_lead(struct sessions *s, struct server *v, uint32_t coordinator)
{
	s->new_logins |= v->coordinator != coordinator;
	v->coordinator = coordinator;
}

static void count_executor(struct server *v, struct proc *p, bool is)
{
	v->n_executors += is && !p->executor;
	v->n_executors -= !is && p->executor;
	p->executor = is;
}

void server_join(struct sessions *s, const struct proc *p)
{
	struct server *v = server_get(s, p->server);

	if (!v)
		return;
	v->n_procs++;
	v->n_holds++;
}

void server_leave(struct sessions *s, struct proc *p)
{
	struct server *v = server_get(s, p->server);

	if (!v)
		return;
	v->n_procs--;
	count_executor(v, p, false);
}

void server_drop(struct sessions *s, const struct proc *p)
{
	struct server *v = server_get(s, p->server);

	if (!v || --v->n_holds > 0 || v->is_server)
		return;
	GS_GROW(s->free_number, &s->free_cap, s->n_free + 1);
	s->free_number[s->n_free++] = v->is.number;
	server_free(s, v);
}

void server_read_title(struct sessions *s, struct proc *p)
{
	struct server *v = server_get(s, p->server);
	const struct title *t = &p->title;

	if (v)
		count_executor(v, p, t->has_seg && t->seg >= 0);
	if (!v || t->kind == TITLE_NONE || t->kind == TITLE_POSTMASTER)
		return;
	v->is_server = true;
	v->is.host = p->row->host;
	s->unnamed |= !v->has_titles;
	v->has_titles = true;
	v->has_ports |= t->has_port;
	set_text(s, &v->cluster, t->cluster);
	if (t->has_port && !v->is.has_port)
		set_port(s, v, t->port);
}

static void update_postmaster(struct sessions *s, const struct world *w,
	const struct row *r)
{
	struct server_key key = { r->host->index,
		(uint32_t)r->host->boot_ids, 0 };
	struct server *v;
	uint64_t port;

	if (!row_get(r, COL(POSTMASTER, PID), &key.pid) || key.pid == 0)
		return;
	v = server_make(s, key);
	v->is_server = true;
	v->is.host = r->host;
	set_text(s, &v->datadir, row_text(w, r, COL(POSTMASTER, DATADIR)));
	if (row_get(r, COL(POSTMASTER, PORT), &port))
		set_port(s, v, port);
}

static void update_cluster(struct sessions *s, const struct world *w,
	const struct row *r)
{
	const struct source *of = catalog_source(s, r->host);
	const struct place *at = catalog_place(s, r->host, -1);
	struct server *v = of ? server_get(s, of->server) : NULL;
	uint64_t port;

	if (!v)
		return;
	if (!v->is.host && at)
		v->is.host = at->host;
	set_text(s, &v->cluster, row_text(w, r, COL(CLUSTER, NAME)));
	set_text(s, &v->datadir, row_text(w, r, COL(CLUSTER, DATADIR)));
	if (row_get(r, COL(CLUSTER, PORT), &port))
		set_port(s, v, port);
	s->unnamed = true; /* now it is a server of the list */
}

/* ---- whose postmaster -------------------------------------------------- */

void source_tie(struct sessions *s, struct source *of, uint32_t number)
{
	const struct server *was = server_get(s, of->server);
	struct server *v = server_get(s, number);
	size_t i;

	if (!v || (of->tied && of->server == number))
		return;
	set_text(s, &v->cluster, span_str(was->cluster));
	v->is_server = true;
	of->server = number;
	of->tied = true;
	v->is.catalog = of->host;
	s->unnamed = true;
	s->new_logins = true;
	for (i = 0; i < s->n_tie; i++) {
		struct entry *e = s->tie[i]->entry;

		if (e && s->tie[i]->row->host == of->host &&
		    !e->session.server)
			e->session.server = number;
	}
}

/* Another one was started at the port while the catalog does not answer. */
static bool is_other(const struct sessions *s, const struct source *of,
	const struct server *v)
{
	return !catalog_answers(of->host) &&
	    !server_may_share(server_get(s, of->server), v);
}

/* If one server at a time has the port, it is the catalog's. */
static uint32_t find_postmaster(const struct sessions *s,
	const struct source *of)
{
	const struct place *at = catalog_place(s, of->host, -1);
	uint32_t found = 0;
	size_t i;

	if (!at || !at->host || at->port == 0)
		return 0;
	for (i = 0; i < s->n_server; i++) {
		const struct server *v = s->server[i];

		if (!v || v->key.pid == 0 || v->is.host != at->host ||
		    !v->is.has_port || v->is.port != at->port ||
		    v->n_procs == 0 || v->key.boot != at->host->boot_ids ||
		    is_other(s, of, v))
			continue;
		if (found)
			return 0;
		found = v->is.number;
	}
	return found;
}

static void tie_sources(struct sessions *s)
{
	size_t i;

	for (i = 0; i < s->n_source; i++) {
		struct source *of = &s->source[i];

		if (!of->tied || server_get(s, of->server)->n_procs == 0)
			source_tie(s, of, find_postmaster(s, of));
	}
}

void servers_tie_segments(struct sessions *s)
{
	size_t i;

	if (!s->unnamed)
		return;
	for (i = 0; i < s->n_server && s->n_source > 0; i++) {
		struct server *v = s->server[i];
		const struct source *of;

		if (!v || !v->is.has_port || v->n_procs == 0)
			continue;
		of = catalog_of(s, v->is.host, v->is.port);
		if (of && of->tied && of->server != v->is.number)
			server_lead(s, v, of->server);
	}
}

void servers_update(struct sessions *s, const struct world *w)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);

	for (i = 0; i < n; i++) {
		if (touched[i]->closed && !row_is_brief(touched[i]))
			continue;
		if (touched[i]->entity == ENTITY_POSTMASTER)
			update_postmaster(s, w, touched[i]);
		else if (touched[i]->entity == ENTITY_CLUSTER)
			update_cluster(s, w, touched[i]);
	}
	tie_sources(s);
}

bool server_may_share(const struct server *a, const struct server *b)
{
	return a->datadir[0] == '\0' || b->datadir[0] == '\0' ||
	    strcmp(a->datadir, b->datadir) == 0;
}

/* ---- answers ----------------------------------------------------------- */

struct server *server_root(const struct sessions *s, struct server *v)
{
	const struct source *of;

	if (!v)
		return NULL;
	if (v->coordinator)
		return server_get(s, v->coordinator);
	of = v->is.has_port && v->key.pid
	    ? catalog_of(s, v->is.host, v->is.port) : NULL;
	return of ? server_get(s, of->server) : v;
}

static const struct dbserver *answer(const struct server *v)
{
	return v ? &v->is : NULL;
}

const struct dbserver *sessions_server_at(const struct sessions *s,
	const struct host *h, uint64_t pid)
{
	struct server_key key = { h ? h->index : 0,
		h ? (uint32_t)h->boot_ids : 0, pid };
	struct server *v = NULL;

	if (h && pid)
		HASH_FIND(hh, s->servers, &key, sizeof(key), v);
	return answer(server_root(s, v));
}

const struct dbserver *sessions_server_of(const struct sessions *s,
	const struct row *process)
{
	const struct proc *p = sessions_proc(s, process);
	uint64_t pid = 0, role = 0;

	if (p && (p->title.kind != TITLE_NONE || p->session->backend) &&
	    p->title.kind != TITLE_POSTMASTER)
		return answer(server_root(s, server_get(s, p->server)));
	(void)row_peek(process, COL(PROCESS, ROLE), &role);
	(void)row_peek(process, role == PROCESS_IS_POSTMASTER
	    ? COL(PROCESS, PID) : COL(PROCESS, POSTMASTER), &pid);
	return sessions_server_at(s, process->host, pid);
}

const struct dbserver *sessions_server_of_catalog(const struct sessions *s,
	const struct host *catalog)
{
	const struct source *of = catalog_source(s, catalog);

	return of ? answer(server_get(s, of->server)) : NULL;
}

static const struct dbserver *server_of_procs(const struct sessions *s,
	const struct session *n)
{
	const struct proc *p;

	for (p = n->procs; p; p = p->next) {
		struct server *v = server_get(s, p->server);
		const struct server *root = server_root(s, v);

		if (v && root != v)
			return answer(root);
	}
	return s->n_listed == 1 ? &s->listed[0]->is : NULL;
}

/* Called for each process of the session, and searched once in a tick. */
static const struct dbserver *known_of_procs(const struct sessions *s,
	const struct session *n)
{
	struct entry *e = session_entry((struct session *)(uintptr_t)n);

	if (e->of_procs_at != s->named) {
		e->of_procs = server_of_procs(s, n);
		e->of_procs_at = s->named;
	}
	return e->of_procs;
}

const struct dbserver *sessions_server_left(const struct sessions *s,
	const struct session *n)
{
	return answer(server_root(s, server_get(s, n->left_server)));
}

const struct dbserver *sessions_server(const struct sessions *s,
	const struct session *n)
{
	if (n->kind == SESSION_OS)
		return NULL;
	if (n->server)
		return answer(server_root(s, server_get(s, n->server)));
	if (n->catalog)
		return sessions_server_of_catalog(s, n->catalog);
	return known_of_procs(s, n);
}

size_t sessions_servers(const struct sessions *s)
{
	return s->n_listed;
}

const struct dbserver *sessions_server_get(const struct sessions *s,
	size_t i)
{
	return &s->listed[i]->is;
}

size_t sessions_server_names(const struct sessions *s)
{
	return s->n_names;
}
