/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_relations.c - who belongs to whom, as a number: of a reader who has seen what
 * came before it may be something else than of one who begins here, and so it may go on
 * otherwise.
 *
 * A sum of hashes, of what rows say: neither slots, numbers of servers nor names depend on
 * the rows alone.
 */
#include "analysis/sessions_int.h"

#include <string.h>

#include "base/fnv.h"

static uint64_t mixed(uint64_t a, uint64_t b)
{
	uint64_t v[] = { a, b };

	return fnv_add(FNV_BASIS, (const char *)v, sizeof(v));
}

static uint64_t host_hash(const struct host *h)
{
	return h ? fnv_add(FNV_BASIS, h->name, strlen(h->name)) : 0;
}

static uint64_t cell_hash(uint64_t h, const struct row *r, unsigned col)
{
	uint64_t v = 0;

	(void)row_get(r, col, &v);
	return mixed(h, v);
}

static uint64_t row_hash(const struct row *r)
{
	uint64_t h = mixed(host_hash(r->host), r->entity);

	if (r->entity == ENTITY_PROCESS)
		return cell_hash(cell_hash(h, r, COL(PROCESS, PID)), r,
		    COL(PROCESS, START));
	h = cell_hash(h, r, COL(BACKEND, CONTENT));
	return cell_hash(cell_hash(h, r, COL(BACKEND, PID)), r,
	    COL(BACKEND, START));
}

static uint64_t server_hash(const struct server *v)
{
	return v ? mixed(mixed(v->key.pid, host_hash(v->is.host)), v->is.port)
	         : 0;
}

/* With the coordinator of a segment's, which is learned from sessions. */
static uint64_t servers_hash(const struct sessions *s, uint32_t number)
{
	const struct server *v = server_get(s, number);

	return mixed(server_hash(v), v ? server_hash(server_get(s,
	    v->coordinator)) : 0);
}

/* Not of the operating system alone. */
static bool is_related(const struct proc *p)
{
	return p && p->session && (p->title.kind != TITLE_NONE || p->tied ||
	    p->session->kind != SESSION_OS);
}

typedef void (*proc_fn)(struct sessions *s, const struct proc *p,
	uint64_t *sum);

static void each_proc(struct sessions *s, const struct world *w, proc_fn fn,
	uint64_t *sum)
{
	size_t i, k;

	for (i = 0; i < world_hosts(w); i++) {
		const struct table *t =
		    &world_host(w, i)->table[ENTITY_PROCESS];

		for (k = 0; k < t->n_slot; k++) {
			const struct proc *p = t->slot[k]
			    ? sessions_proc(s, t->slot[k]) : NULL;

			if (is_related(p))
				fn(s, p, sum);
		}
	}
}

static void add_member(const struct sessions *s, struct entry *e, uint64_t hash)
{
	if (e->members_at != s->n_relations)
		e->members = 0;
	e->members_at = s->n_relations;
	e->members += hash;
}

static void note_member(struct sessions *s, const struct proc *p, uint64_t *sum)
{
	(void)sum; /* members come first */
	add_member(s, session_entry(p->session), row_hash(p->row));
}

static uint64_t members_of(const struct sessions *s, const struct entry *e)
{
	return e && e->members_at == s->n_relations ? e->members : 0;
}

static void add_proc(struct sessions *s, const struct proc *p, uint64_t *sum)
{
	const struct session *n = p->session;
	uint64_t is = (uint64_t)n->kind << 8 | (n->leader == p ? 4u : 0u) |
	    (p->tied ? 2u : 0u) | (p->detects ? 1u : 0u);

	*sum += mixed(mixed(row_hash(p->row),
	    members_of(s, session_entry(p->session))),
	    mixed(servers_hash(s, p->server), is));
}

static void add_tie(const struct sessions *s, const struct tie *t,
	uint64_t *sum)
{
	*sum += mixed(mixed(row_hash(t->row), members_of(s, t->entry)),
	    mixed(t->proc ? row_hash(t->proc->row) : 0,
	    t->entry && t->entry->lead == t));
}

/* One that is not tied has a server only by number. */
static void add_source(const struct sessions *s, const struct source *of,
	uint64_t *sum)
{
	*sum += mixed(host_hash(of->host), of->tied
	    ? 1 + server_hash(server_get(s, of->server)) : 0);
}

/* Nobody is left in it, but who comes may be of it. */
static void add_empty(const struct session *n, uint64_t *sum)
{
	if (n->kind != SESSION_OS && n->n_procs == 0 && !n->backend && !n->over)
		*sum += n->key_hash;
}

/* Several have one name: which of them is found first. */
static void add_order(const struct sessions *s, const struct entry *e,
	uint64_t *sum)
{
	if (e->index_key && e->same)
		*sum += mixed(members_of(s, e), members_of(s, e->same));
}

uint64_t sessions_relations(struct sessions *s, const struct world *w)
{
	uint64_t sum = 0;
	size_t i;

	s->n_relations++;
	each_proc(s, w, note_member, &sum);
	for (i = 0; i < s->n_tie; i++) {
		if (s->tie[i]->entry)
			add_member(s, s->tie[i]->entry,
			    row_hash(s->tie[i]->row));
	}
	each_proc(s, w, add_proc, &sum);
	for (i = 0; i < s->n_tie; i++)
		add_tie(s, s->tie[i], &sum);
	for (i = 0; i < s->n_source; i++)
		add_source(s, &s->source[i], &sum);
	for (i = 0; i < s->n; i++) {
		add_empty(&s->all[i]->session, &sum);
		add_order(s, s->all[i], &sum);
	}
	return sum;
}
