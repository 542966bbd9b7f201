/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_name.c - names of database servers, and their list.
 *
 * A server of Greenplum without sessions and without a catalog is not in the list: it may
 * be a segment.
 */
#include "analysis/sessions_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void base_name(const struct server *v, char to[SERVER_BASE_MAX])
{
	if (v->cluster[0] != '\0')
		(void)snprintf(to, SERVER_BASE_MAX, "%.120s", v->cluster);
	else if (v->is.has_port)
		(void)snprintf(to, SERVER_BASE_MAX, "%" PRIu64, v->is.port);
	else if (v->datadir[0] != '\0')
		(void)snprintf(to, SERVER_BASE_MAX, "%.120s", v->datadir);
	else if (v->is.pid)
		(void)snprintf(to, SERVER_BASE_MAX, "pid %" PRIu64, v->is.pid);
	else if (v->is.catalog && v->is.catalog->server) /* it is gone */
		(void)snprintf(to, SERVER_BASE_MAX, "%.120s",
		    v->is.catalog->server);
	else
		(void)snprintf(to, SERVER_BASE_MAX, "%.120s",
		    v->is.catalog ? v->is.catalog->name : "");
}

static bool same_port(const struct server *a, const struct server *b)
{
	return a->is.has_port == b->is.has_port &&
	    a->is.port == b->is.port;
}

/* A restarted server is the same. */
static bool same_place(const struct server *a, const struct server *b)
{
	return a->is.host == b->is.host && same_port(a, b) &&
	    server_may_share(a, b);
}

/* Servers of one name that are compared with each other; with more, each gets
 * all its attributes. */
#define SAME_NAME_MAX 64u

/* Attributes that distinguish a server from others. */
struct difference {
	bool host, port, pid;
};

/* Compares n servers with its name, itself included. */
static struct difference find_difference(const struct server *v,
	struct server *const *same, size_t n)
{
	struct difference d = { n > SAME_NAME_MAX, n > SAME_NAME_MAX,
		n > SAME_NAME_MAX };
	size_t i;

	for (i = 0; i < n && n <= SAME_NAME_MAX; i++) {
		const struct server *u = same[i];

		if (u == v || same_place(u, v))
			continue;
		d.host |= u->is.host != v->is.host;
		d.port |= u->is.host == v->is.host && !same_port(u, v);
		d.pid |= u->is.host == v->is.host && same_port(u, v);
	}
	return d;
}

/* A catalog that has not answered yet, so that only its name is known. */
static bool is_silent(const struct sessions *s, const struct server *v)
{
	const struct source *of = v->key.pid == 0 && v->is.catalog
	    ? catalog_source(s, v->is.catalog) : NULL;

	return of && !of->answered;
}

/* Servers of one name are a server and its catalog, which has not answered: when it
 * does, they are one, and its time before that is not that of another. */
static bool is_one_server(const struct sessions *s, struct server *const *same,
	size_t n)
{
	const struct server *first = NULL;
	size_t i, silent = 0;

	for (i = 0; i < n; i++) {
		if (is_silent(s, same[i]))
			silent++;
		else if (first && !same_place(first, same[i]))
			return false;
		else
			first = same[i];
	}
	return silent == 1 && first;
}

static void name_server(struct sessions *s, struct server *v,
	const struct difference *d)
{
	buf_reset(&s->scratch);
	if (d->host && v->is.host)
		buf_printf(&s->scratch, "%s:", v->is.host->name);
	else if (d->host && v->is.catalog)
		buf_printf(&s->scratch, "%s:", v->is.catalog->name);
	buf_add_str(&s->scratch, v->base);
	if (d->port && v->cluster[0] != '\0' && v->is.has_port)
		buf_printf(&s->scratch, ":%" PRIu64, v->is.port);
	if (d->pid && v->is.pid)
		buf_printf(&s->scratch, " (pid %" PRIu64 ")", v->is.pid);
	gs_set_text(&v->is.name, span_of(buf_str(&s->scratch),
	    s->scratch.len));
}

static int by_base(const void *a, const void *b)
{
	const struct server *x = *(const struct server *const *)a;
	const struct server *y = *(const struct server *const *)b;
	int order = strcmp(x->base, y->base);

	return order ? order : x->made < y->made ? -1 : 1;
}

/* Servers of one name are adjacent. */
static void name_listed(struct sessions *s)
{
	struct server **v = s->listed;
	size_t i, n, from;
	bool one;

	if (s->n_listed > 1)
		qsort(v, s->n_listed, sizeof(*v), by_base);
	for (from = 0; from < s->n_listed; from += n) {
		for (n = 1; from + n < s->n_listed && strcmp(v[from]->base,
		    v[from + n]->base) == 0; n++)
			;
		one = is_one_server(s, v + from, n);
		for (i = 0; i < n; i++) {
			struct difference d = { false, false, false };

			if (!one)
				d = find_difference(v[from + i], v + from, n);
			name_server(s, v[from + i], &d);
		}
	}
}

/* A postmaster of PostgreSQL, which works, is a server without sessions, too; one of
 * Greenplum may be that of a segment. */
static bool is_plain(const struct server *v)
{
	return v->is_postmaster && v->has_titles && !v->has_ports && v->n_procs > 0;
}

/* A catalog without any answer may be of a server in the list. */
static bool is_listed(const struct sessions *s, const struct server *v)
{
	const struct source *of = v->is.catalog
	    ? catalog_source(s, v->is.catalog) : NULL;

	if (v->leads)
		return server_root(s, (struct server *)(uintptr_t)v) == v;
	if (!of)
		return false;
	return v->key.pid ? true : !of->tied && of->host->blocks > 0;
}

static void list_servers(struct sessions *s)
{
	size_t i;

	s->n_listed = 0;
	for (i = 0; i < s->n_server; i++) {
		struct server *v = s->server[i];

		if (!v)
			continue;
		base_name(v, v->base);
		v->leads |= is_plain(v);
		if (is_listed(s, v)) {
			GS_GROW(s->listed, &s->listed_cap, s->n_listed + 1);
			s->listed[s->n_listed++] = v;
		} else if (v->is.host) {
			gs_set_text(&v->is.name, span_str(v->base));
		}
	}
}

static int by_name(const void *a, const void *b)
{
	const struct server *x = *(const struct server *const *)a;
	const struct server *y = *(const struct server *const *)b;
	int order = strcmp(x->is.name, y->is.name);

	return order ? order : x->made < y->made ? 1 : -1;
}

static void order_names(struct sessions *s)
{
	size_t i;

	if (s->n_listed > 1)
		qsort(s->listed, s->n_listed, sizeof(*s->listed), by_name);
	s->n_names = 0;
	for (i = 0; i < s->n_listed; i++)
		s->n_names += i == 0 || strcmp(s->listed[i]->is.name,
		    s->listed[i - 1]->is.name) != 0;
}

/* led: its leading process works, or did since the tick before; not for a range that
 * begins with this tick. */
static void find_leading(struct sessions *s, const struct session *n, bool led)
{
	struct server *v = led && n->kind != SESSION_OS
	    ? server_root(s, server_get(s, n->server)) : NULL;

	/* the parent of orphans is not a server */
	if (!v || v->leads || v->n_executors > 0 ||
	    (v->key.pid <= 1 && !v->is_postmaster))
		return;
	v->leads = true;
	s->unnamed = true;
}

void servers_name(struct sessions *s)
{
	size_t i;

	s->named++;
	for (i = 0; i < s->n_changed; i++)
		find_leading(s, s->changed[i], s->changed[i]->leader ||
		    s->changed[i]->over);
	if (!s->unnamed)
		return;
	s->unnamed = false;
	list_servers(s);
	name_listed(s);
	order_names(s);
}

void sessions_forget_servers(struct sessions *s)
{
	struct server *v;
	size_t i;

	for (v = s->servers; v; v = v->hh.next) {
		const struct source *of = v->is.catalog
		    ? catalog_source(s, v->is.catalog) : NULL;

		v->leads = false;
		if (of && of->server != v->is.number && v->key.pid)
			v->is.catalog = NULL;
	}
	for (i = 0; i < s->n; i++)
		find_leading(s, &s->all[i]->session,
		    s->all[i]->session.leader != NULL);
	s->unnamed = true;
	servers_name(s);
}
