/* SPDX-License-Identifier: Apache-2.0 */
/*
 * server_waits.c - see server_waits.h.
 */
#include "query/server_waits.h"

#include <stdlib.h>

#include "base/mem.h"

#define SERVERS_MAX 64 /* further ones count for the first */

struct server {
	struct server_waits *in;
	uint32_t number; /* struct dbserver; 0: none was seen yet */
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

static size_t find_server(const struct server_waits *s, uint32_t number)
{
	size_t i = 0;

	while (i < s->n && s->server[i]->number != number)
		i++;
	return i < s->n ? i : 0;
}

static bool is_of(void *ctx, const struct dbserver *server)
{
	const struct server *v = ctx;

	return v->in->server[find_server(v->in, server ? server->number : 0)] ==
	    v;
}

static const struct row *process_of(void *ctx, const struct row *backend)
{
	const struct server *v = ctx;
	const struct proc *p = sessions_proc_of_backend(v->in->sessions,
	    backend);

	return p ? p->row : NULL;
}

static void add_server(struct server_waits *s, uint32_t number)
{
	struct server *v;

	if (s->n == SERVERS_MAX)
		return;
	v = gs_calloc(1, sizeof(*v));
	v->in = s;
	v->number = number;
	v->waits = waits_new(s->by, 0, process_of, v);
	waits_set_note(v->waits, s->note, s->ctx);
	if (s->n > 0)
		waits_begin_as(v->waits, s->server[0]->waits);
	s->server[s->n++] = v;
}

static void find_servers(struct server_waits *s, const struct sessions *all)
{
	size_t i;

	for (i = 0; i < sessions_servers(all); i++) {
		uint32_t number = sessions_server_get(all, i)->number;
		size_t at = find_server(s, number);

		if (s->server[at]->number == 0)
			s->server[at]->number = number;
		else if (s->server[at]->number != number)
			add_server(s, number);
	}
}

struct server_waits *server_waits_new(unsigned by, waits_note_fn note,
	void *ctx)
{
	struct server_waits *s = gs_calloc(1, sizeof(*s));

	s->by = by;
	s->note = note;
	s->ctx = ctx;
	add_server(s, 0);
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

void server_waits_tick(struct server_waits *s, const struct world *w,
	const struct sessions *sessions, int64_t interval_ns)
{
	size_t i;

	s->sessions = sessions;
	find_servers(s, sessions);
	for (i = 0; i < s->n; i++) {
		waits_set_server(s->server[i]->waits,
		    s->n > 1 ? is_of : NULL, s->server[i]);
		waits_set_interval(s->server[i]->waits, interval_ns);
		waits_tick(s->server[i]->waits, w, sessions);
	}
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
