/* SPDX-License-Identifier: Apache-2.0 */
/*
 * server_waits.c - see server_waits.h.
 */
#include "query/server_waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"

#define SERVERS_MAX 64 /* further ones count for the first */

struct server {
	struct server_waits *in;
	const struct dbserver *is; /* the newest of its name; NULL: none was seen yet */
	struct waits *waits;
};

struct server_waits {
	unsigned by;
	waits_note_fn note;
	void *ctx;
	const struct sessions *sessions; /* of the newest tick */
	struct server *server[SERVERS_MAX];
	size_t n;
};

/* Of its name; NULL: none.  One that was restarted is the same. */
static struct server *find_server(const struct server_waits *s,
	const struct dbserver *is)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		const struct dbserver *v = s->server[i]->is;

		if (v && (v == is || strcmp(v->name, is->name) == 0))
			return s->server[i];
	}
	return NULL;
}

static bool is_of(void *ctx, const struct dbserver *server)
{
	const struct server *v = ctx;
	const struct server *of = server ? find_server(v->in, server) : NULL;

	return of ? of == v : v == v->in->server[0];
}

static const struct row *process_of(void *ctx, const struct row *backend)
{
	const struct server *v = ctx;
	const struct proc *p = sessions_proc_of_backend(v->in->sessions,
	    backend);

	return p ? p->row : NULL;
}

static void add_server(struct server_waits *s, const struct dbserver *is)
{
	struct server *v;

	if (s->n == SERVERS_MAX)
		return;
	v = gs_calloc(1, sizeof(*v));
	v->in = s;
	v->is = is;
	v->waits = waits_new(s->by, 0, process_of, v);
	waits_set_note(v->waits, s->note, s->ctx);
	if (s->n > 0)
		waits_begin_as(v->waits, s->server[0]->waits);
	s->server[s->n++] = v;
}

/* The list has the newest of a name first. */
static void find_servers(struct server_waits *s, const struct sessions *all)
{
	size_t i, n = sessions_servers(all);

	for (i = n; i-- > 0; ) {
		const struct dbserver *is = sessions_server_get(all, i);
		struct server *v = find_server(s, is);

		if (v)
			v->is = is;
	}
	for (i = 0; i < n; i++) {
		const struct dbserver *is = sessions_server_get(all, i);

		if (!s->server[0]->is)
			s->server[0]->is = is;
		else if (!find_server(s, is))
			add_server(s, is);
	}
}

struct server_waits *server_waits_new(unsigned by, waits_note_fn note,
	void *ctx)
{
	struct server_waits *s = gs_calloc(1, sizeof(*s));

	s->by = by;
	s->note = note;
	s->ctx = ctx;
	add_server(s, NULL);
	return s;
}

void server_waits_free(struct server_waits *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->n; i++) {
		waits_free(s->server[i]->waits);
		free(s->server[i]);
	}
	free(s);
}

typedef void (*tick_fn)(struct waits *s, const struct world *w,
	const struct sessions *sessions);

static void tick_each(struct server_waits *s, const struct world *w,
	const struct sessions *sessions, int64_t interval_ns, tick_fn tick)
{
	size_t i;

	s->sessions = sessions;
	find_servers(s, sessions);
	for (i = 0; i < s->n; i++) {
		waits_set_server(s->server[i]->waits,
		    s->n > 1 ? is_of : NULL, s->server[i]);
		waits_set_interval(s->server[i]->waits, interval_ns);
		tick(s->server[i]->waits, w, sessions);
	}
}

void server_waits_tick(struct server_waits *s, const struct world *w,
	const struct sessions *sessions, int64_t interval_ns)
{
	tick_each(s, w, sessions, interval_ns, waits_tick);
}

void server_waits_pass(struct server_waits *s, const struct world *w,
	const struct sessions *sessions, int64_t interval_ns)
{
	tick_each(s, w, sessions, interval_ns, waits_pass);
}

bool server_waits_is_full(const struct server_waits *s)
{
	return s->n == SERVERS_MAX;
}

uint64_t server_waits_steady_after(const struct server_waits *s)
{
	uint64_t last = 0;
	size_t i;

	for (i = 0; i < s->n; i++)
		last = GS_MAX(last,
		    waits_steady_after(s->server[i]->waits));
	return last;
}

void server_waits_restart(struct server_waits *s, bool knows)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		waits_restart(s->server[i]->waits, knows);
}

void server_waits_take(struct server_waits *s, waits_take_fn fn, void *ctx)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		waits_take(s->server[i]->waits, fn, ctx);
}
