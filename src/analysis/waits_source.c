/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_source.c - what is sampled: the catalog of the server, the processes of a
 * host, and one row of either.
 */
#include "analysis/waits_int.h"
#include "base/mem.h"

static bool is_asked(const struct waits *s, const struct dbserver *server)
{
	return !s->of_server || s->of_server(s->server_ctx, server);
}

bool waits_is_answers(const struct world *w, const struct row *r,
	unsigned which)
{
	static const char *const collectors[CATALOGS] = {
		[COORDINATOR] = "activity", [SEGMENTS] = "segment_activity"
	};

	return r->entity == ENTITY_COLLECTOR && span_eq(row_text(w, r,
	    COL(COLLECTOR, NAME)), collectors[which]);
}

const struct row *waits_answers(const struct world *w, const struct host *c,
	unsigned which)
{
	const struct table *t = &c->table[ENTITY_COLLECTOR];
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i] && waits_is_answers(w, t->slot[i], which))
			return t->slot[i];
	}
	return NULL;
}

/* The catalog of the server; one with an answer before one without. */
const struct host *waits_catalog(const struct waits *s, const struct world *w,
	const struct sessions *sessions)
{
	const struct host *found = NULL, *c;
	size_t i;

	for (i = 0; (c = world_catalog(w, i)) != NULL; i++) {
		if (sessions && !is_asked(s,
			sessions_server_of_catalog(sessions, c)))
			continue;
		if (!found || (found->table[ENTITY_COLLECTOR].n_live == 0 &&
			c->table[ENTITY_COLLECTOR].n_live > 0))
			found = c;
	}
	return found;
}

struct stream *waits_stream_of(struct waits *s, const struct host *h)
{
	struct stream *t;

	HASH_FIND_PTR(s->hosts, &h, t);
	if (!t) {
		t = gs_calloc(1, sizeof(*t));
		t->host = h;
		t->all = true;
		HASH_ADD_PTR(s->hosts, host, t);
	}
	t->gap_ns = s->gap_ns;
	return t;
}

/* The backend's session, if it is the representative one. */
static const struct session *led_by(const struct sessions *sessions,
	const struct row *backend)
{
	const struct session *n = sessions
	    ? sessions_of_backend(sessions, backend) : NULL;

	return n && n->backend == backend ? n : NULL;
}

bool waits_sample_backend(const struct waits *s, const struct world *w,
	const struct sessions *sessions, struct row *r,
	const struct wait_backend *told, struct wait_sample *ret)
{
	const struct proc *p = sessions
	    ? sessions_proc_of_backend(sessions, r) : NULL;

	const struct row *process = p ? p->row
	    : s->process ? s->process(s->ctx, r) : NULL;

	if (!waits_sample_row(w, r, process, p, told, ret))
		return false;
	if (waits_may_split(ret))
		waits_split(w, led_by(sessions, r), p, ret);
	return true;
}

/* Only searched if it is needed. */
static const struct dbserver *server_of(const struct waits *s,
	const struct sessions *sessions, const struct row *process)
{
	return s->of_server ? sessions_server_of(sessions, process) : NULL;
}

bool waits_asks_row(const struct waits *s, const struct sessions *sessions,
	const struct row *r)
{
	return !sessions || !s->of_server || is_asked(s, r->entity == ENTITY_BACKEND
	    ? sessions_server_of_catalog(sessions, r->host)
	    : server_of(s, sessions, r));
}

bool waits_sample_of(struct waits *s, const struct world *w,
	const struct sessions *sessions, struct row *r, struct wait_sample *ret)
{
	const struct proc *p;

	if (r->entity == ENTITY_BACKEND)
		return waits_sample_backend(s, w, sessions, r, NULL, ret);
	p = sessions ? sessions_proc(sessions, r) : NULL;
	return p && waits_sample_title(w, p, NULL, &s->key, ret);
}
