/*
 * lockholders.c - the backends and processes that locks are of, and whether
 * they have them still.
 */
#include "model/lockgraph_int.h"

#include <stdlib.h>

#include "base/mem.h"

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

/* What is known of who holds or wants a lock and is in no list of backends. */
enum presence {
	PRESENCE_UNKNOWN, /* its host is not recorded */
	PRESENCE_GONE,
	PRESENCE_THERE
};

/* Whether it is of the catalog's cluster; where that is the only one, those
 * that the catalog does not name are. */
static bool is_of_catalog(const struct lockholders *g,
	const struct instance *i)
{
	return i->catalog ? i->catalog == g->h : !world_catalog(g->w, 1);
}

/* The acting primary of a segment; NULL: not recorded now. */
static const struct instance *primary_of(const struct lockholders *g,
	int64_t content)
{
	size_t i;

	for (i = 0; i < instances_count(g->instances); i++) {
		const struct instance *s = instances_get(g->instances, i);

		if (s->has_content && s->content == content &&
		    s->role != 'm' && s->host && s->pid &&
		    is_of_catalog(g, s))
			return s;
	}
	return NULL;
}

static uint64_t server_pid(const struct row *r)
{
	uint64_t pid = lock_cell(r, COL(PROCESS, NS_PID));

	return pid ? pid : lock_cell(r, COL(PROCESS, PID));
}

/* Looks for the process of a backend; ret: where it is there. */
static enum presence find_process(const struct lockholders *g, int64_t content,
	uint64_t pid, const struct proc **ret)
{
	const struct instance *at = g->instances ? primary_of(g, content)
	                                         : NULL;
	const struct table *t;
	size_t i;

	if (!at || !g->sessions)
		return PRESENCE_UNKNOWN;
	t = &at->host->table[ENTITY_PROCESS];
	for (i = 0; i < t->n_slot; i++) {
		const struct row *r = t->slot[i];

		if (!r || server_pid(r) != pid ||
		    process_postmaster(r) != at->pid)
			continue;
		*ret = sessions_proc(g->sessions, r);
		if (*ret)
			return PRESENCE_THERE;
	}
	return PRESENCE_GONE;
}

/* Locks are asked for less often than backends. */
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

/* The backend of a lock, or on a segment the one that it works for. */
static const struct row *owner_of(const struct lockholders *g,
	const struct row *r, const struct row *b)
{
	uint64_t session, v;
	size_t i;

	if (b || !row_get(r, COL(LOCK, SESSION), &session) ||
	    (int64_t)session <= 0)
		return b; /* in utility mode it has no session id */
	for (i = 0; i < g->n_backend; i++) {
		if (g->backend[i].content < 0 && row_get(g->backend[i].row,
			COL(BACKEND, SESSION), &v) && v == session)
			return g->backend[i].row;
	}
	return NULL;
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

/* Whether a lock is there still by the process that has or wants it, which no
 * list of backends names: of the coordinator's, all are listed. */
static bool is_current_process(const struct lockholders *g,
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

/* Whether the lock is there still, now that backends were asked again: a lock
 * ends with its transaction, unless it is a session's own, and a wait with its
 * statement.  On a segment only the transaction is known, and what the
 * process is seen to do. */
bool lockholders_has(const struct lockholders *g, const struct row *r,
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

const struct proc *lockholders_proc(const struct lockholders *g,
	int64_t content, uint64_t pid)
{
	const struct proc *p = NULL;

	(void)find_process(g, content, pid, &p); /* not there: NULL */
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
}
