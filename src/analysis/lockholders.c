/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockholders.c - the backends and processes of locks, and whether they still
 * have them.
 */
#include "analysis/lockgraph_int.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "base/mem.h"

/* ---- finding ----------------------------------------------------------- */

static int compare_keys(const void *pa, const void *pb)
{
	const struct lockkey *a = pa, *b = pb;
	size_t i;

	for (i = 0; i < GS_LEN(a->key); i++) {
		if (a->key[i] != b->key[i])
			return a->key[i] < b->key[i] ? -1 : 1;
	}
	return 0;
}

static int compare_items(const void *pa, const void *pb)
{
	const struct lockkey *a = pa, *b = pb;
	int order = compare_keys(a, b);

	return order ? order : a->at < b->at ? -1 : 1;
}

static void index_add(struct lockindex *x, struct lockkey k)
{
	GS_GROW(x->item, &x->cap, x->n + 1);
	k.at = x->n;
	x->item[x->n++] = k;
}

/* Call once all entries were added. */
static void index_make(struct lockindex *x)
{
	size_t i, kept = 0;

	x->made = true;
	if (x->n > 1)
		qsort(x->item, x->n, sizeof(*x->item), compare_items);
	for (i = 0; i < x->n; i++) {
		if (kept == 0 || compare_keys(&x->item[kept - 1],
		    &x->item[i]) != 0)
			x->item[kept++] = x->item[i];
	}
	x->n = kept;
}

static const void *index_find(const struct lockindex *x, struct lockkey k)
{
	const struct lockkey *found = x->n == 0 ? NULL
	    : bsearch(&k, x->item, x->n, sizeof(k), compare_keys);

	return found ? found->is : NULL;
}

/* ---- backends ---------------------------------------------------------- */

static int compare_backends(const void *pa, const void *pb)
{
	const struct lockbackend *a = pa, *b = pb;

	if (a->content != b->content)
		return a->content < b->content ? -1 : 1;
	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

static void read_backends(struct lockholders *g)
{
	const struct table *t = &g->h->table[ENTITY_BACKEND];
	size_t i;

	g->backend = gs_calloc(t->n_live + 1, sizeof(*g->backend));
	for (i = 0; i < t->n_slot; i++) {
		const struct row *r = t->slot[i];

		if (!r)
			continue;
		g->backend[g->n_backend++] = (struct lockbackend) {
			.content = (int64_t)lock_cell(r, COL(BACKEND, CONTENT)),
			.pid = lock_cell(r, COL(BACKEND, PID)), .row = r };
	}
	qsort(g->backend, g->n_backend, sizeof(*g->backend),
	    compare_backends);
	for (i = 0; i < g->n_backend; i++) {
		const struct lockbackend *b = &g->backend[i];
		uint64_t session;

		if (b->content < 0 &&
		    row_get(b->row, COL(BACKEND, SESSION), &session))
			index_add(&g->owners, (struct lockkey) {
				.key = { session }, .is = b->row });
	}
	index_make(&g->owners);
}

const struct row *lockholders_backend(const struct lockholders *g,
	int64_t content, uint64_t pid)
{
	const struct lockbackend key = { .content = content, .pid = pid }, *b;

	if (g->n_backend == 0)
		return NULL;
	b = bsearch(&key, g->backend, g->n_backend, sizeof(key),
	    compare_backends);
	return b ? b->row : NULL;
}

/* ---- processes --------------------------------------------------------- */

/* The state of a holder or waiter that no list of backends contains. */
enum presence {
	PRESENCE_UNKNOWN, /* its host is not recorded */
	PRESENCE_GONE,
	PRESENCE_THERE
};

/* Whether it belongs to the catalog's cluster.  If that is the only cluster,
 * servers that the catalog does not list belong to it, too. */
static bool is_of_catalog(const struct lockholders *g,
	const struct instance *i)
{
	return i->catalog ? i->catalog == g->h : !world_catalog(g->w, 1);
}

static void index_primaries(struct lockholders *g)
{
	size_t i;

	for (i = 0; i < instances_count(g->instances); i++) {
		const struct instance *s = instances_get(g->instances, i);

		if (s->has_content && s->role != 'm' && s->host && s->pid &&
		    is_of_catalog(g, s))
			index_add(&g->primaries, (struct lockkey) {
				.key = { (uint64_t)s->content }, .is = s });
	}
	index_make(&g->primaries);
}

static uint64_t server_pid(const struct row *r)
{
	uint64_t pid = lock_cell(r, COL(PROCESS, NS_PID));

	return pid ? pid : lock_cell(r, COL(PROCESS, PID));
}

static void index_processes(struct lockholders *g)
{
	size_t i, k;

	for (i = 0; i < world_hosts(g->w); i++) {
		const struct host *h = world_host(g->w, i);
		const struct table *t = &h->table[ENTITY_PROCESS];

		for (k = 0; k < t->n_slot; k++) {
			const struct row *r = t->slot[k];
			const struct proc *p = r
			    ? sessions_proc(g->sessions, r) : NULL;

			if (p)
				index_add(&g->procs, (struct lockkey) {
					.key = { h->index,
					    process_postmaster(r),
					    server_pid(r) }, .is = p });
		}
	}
	index_make(&g->procs);
}

/* Finds the process of a backend of a segment's acting primary; ret: the
 * process, if it exists. */
static enum presence find_process(struct lockholders *g, int64_t content,
	uint64_t pid, const struct proc **ret)
{
	const struct instance *at;

	if (!g->instances || !g->sessions)
		return PRESENCE_UNKNOWN;
	if (!g->primaries.made)
		index_primaries(g);
	at = index_find(&g->primaries, (struct lockkey) {
		.key = { (uint64_t)content } });
	if (!at)
		return PRESENCE_UNKNOWN;
	if (!g->procs.made)
		index_processes(g);
	*ret = index_find(&g->procs, (struct lockkey) {
		.key = { at->host->index, at->pid, pid } });
	return *ret ? PRESENCE_THERE : PRESENCE_GONE;
}

/* Locks are sampled less often than backends. */
static void date_locks(struct lockholders *g)
{
	const struct table *t = &g->h->table[ENTITY_COLLECTOR];
	uint64_t v;
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		const struct row *r = t->slot[i];

		if (!r || !span_eq(row_text(g->w, r, COL(COLLECTOR, NAME)),
			"locks") || !row_get(r, COL(COLLECTOR, LAST), &v))
			continue;
		g->dated = true;
		g->asked_us = (int64_t)v;
	}
}

/* The backend of a lock; for an executor on a segment, the backend that it
 * works for. */
static const struct row *owner_of(const struct lockholders *g,
	const struct row *r, const struct row *b)
{
	uint64_t session;

	if (b || !row_get(r, COL(LOCK, SESSION), &session) ||
	    (int64_t)session <= 0)
		return b; /* in utility mode it has no session id */
	return index_find(&g->owners, (struct lockkey) { .key = { session } });
}

static bool began_before(const struct lockholders *g, const struct row *b,
	unsigned col)
{
	uint64_t v;

	return row_get(b, col, &v) && (int64_t)v <= g->asked_us;
}

static bool waits_now(const struct lockholders *g, const struct row *b)
{
	return lock_cell(b, COL(BACKEND, WAITING)) != 0 ||
	    !span_empty(row_text(g->w, b, COL(BACKEND, BLOCKERS))) ||
	    span_eq(row_text(g->w, b, COL(BACKEND, WAIT_TYPE)), "Lock");
}

static bool is_advisory(const struct lockholders *g, const struct row *r)
{
	return span_eq(row_text(g->w, r, COL(LOCK, TYPE)), "advisory");
}

/* Whether a lock still exists, from its process, which no list of backends
 * contains.  The coordinator's processes are all listed. */
static bool is_current_process(struct lockholders *g,
	const struct row *r, bool granted)
{
	int64_t content = (int64_t)lock_cell(r, COL(LOCK, CONTENT));
	const struct proc *p = NULL;

	switch (find_process(g, content, lock_cell(r, COL(LOCK, PID)), &p)) {
	case PRESENCE_UNKNOWN:
		return content >= 0;
	case PRESENCE_GONE:
		return false;
	case PRESENCE_THERE:
		break;
	}
	if (p->title.state == TITLE_STATE_NONE)
		return true;
	if (!granted)
		return p->title.state == TITLE_WAITING;
	return is_advisory(g, r) || p->title.state != TITLE_IDLE;
}

/* Whether the lock still exists at the newer sample of backends: a lock ends
 * with its transaction, unless it is a session lock, and a wait ends with its
 * statement.  On a segment only the transaction and the state of the process
 * are known. */
bool lockholders_has(struct lockholders *g, const struct row *r,
	const struct row *b, bool granted)
{
	const struct row *owner = owner_of(g, r, b);

	if (!g->dated || !cells_has(r->now, COL(LOCK, PID)))
		return true;
	if (!owner)
		return is_current_process(g, r, granted);
	if (!granted && b)
		return waits_now(g, b) &&
		    began_before(g, b, COL(BACKEND, QUERY_START));
	if (!b && !is_current_process(g, r, granted))
		return false;
	return is_advisory(g, r) ||
	    began_before(g, owner, COL(BACKEND, XACT_START));
}

const struct proc *lockholders_proc(struct lockholders *g,
	int64_t content, uint64_t pid)
{
	const struct proc *p = NULL;

	(void)find_process(g, content, pid, &p); /* not found: NULL */
	return p;
}

void lockholders_init(struct lockholders *g, const struct world *w,
	const struct host *catalog, const struct sessions *s,
	const struct instances *t)
{
	*g = (struct lockholders) { .w = w, .h = catalog,
		.sessions = s, .instances = t };
	if (!g->h)
		return;
	read_backends(g);
	date_locks(g);
}

void lockholders_release(struct lockholders *g)
{
	free(g->backend);
	free(g->owners.item);
	free(g->primaries.item);
	free(g->procs.item);
}
