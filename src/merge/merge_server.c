/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_server.c - identifies the database server of a catalog.
 *
 * A recorder names catalogs by their order, so two recorders may use one name
 * for different servers.  So a catalog is identified by its server: host and
 * data directory, else host and port; or the time of its start.  If the only
 * catalog of a recording does not have these, it is matched with the only one
 * of the others.
 */
#include "merge/merge_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* ---- the identity of a server ------------------------------------------ */

static const struct row *first_row(const struct host *h, unsigned entity)
{
	const struct table *t = &h->table[entity];
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i])
			return t->slot[i];
	}
	return NULL;
}

static bool has_rows(const struct host *h)
{
	unsigned e;

	for (e = 0; e < ENTITY_COUNT; e++) {
		if (first_row(h, e))
			return true;
	}
	return false;
}

static char *text_of(const struct input *l, const struct row *r, unsigned col)
{
	struct span s = row_text(l->filter.world, r, col);

	return gs_strndup(s.ptr, span_len(s));
}

static bool read_server(const struct input *l, size_t at,
	struct merge_server *ret)
{
	const struct row *r = first_row(world_host(l->filter.world, at),
	    ENTITY_CLUSTER);

	*ret = (struct merge_server) { .known = r != NULL };
	if (!r)
		return false;
	ret->has_port = row_get(r, COL(CLUSTER, PORT), &ret->port);
	ret->has_start = row_get(r, COL(CLUSTER, START), &ret->start);
	ret->host = text_of(l, r, COL(CLUSTER, HOST));
	ret->datadir = text_of(l, r, COL(CLUSTER, DATADIR));
	ret->is_clear = ret->has_port && ret->host[0] != '\0' &&
	    span_eq(row_text(l->filter.world, r, COL(CLUSTER, FLAVOUR)),
	    "postgresql");
	return true;
}

void merge_server_release(struct merge_server *s)
{
	free(s->host);
	free(s->datadir);
	*s = (struct merge_server) { .known = false };
}

/* A restarted server is the same, even on another port, although one of two
 * recorders may not know that yet. */
static bool is_same(const struct merge_server *a, const struct merge_server *b)
{
	bool other_port = a->has_port && b->has_port && a->port != b->port;

	if (a->has_start && b->has_start && a->start == b->start &&
	    !other_port)
		return true;
	if (merge_differ(span_str(a->host), span_str(b->host)) ||
	    merge_differ(span_str(a->datadir), span_str(b->datadir)))
		return false;
	if (a->host[0] != '\0' && b->host[0] != '\0' &&
	    a->datadir[0] != '\0' && b->datadir[0] != '\0')
		return true;
	return !other_port;
}

/* ---- the catalog of a server ------------------------------------------- */

static size_t catalogs_of(const struct input *l)
{
	size_t i, n = 0;

	for (i = 0; i < world_hosts(l->filter.world); i++)
		n += world_host(l->filter.world, i)->catalog;
	return n;
}

static size_t catalogs(const struct merge *m)
{
	size_t i, n = 0;

	for (i = 0; i < m->n_host; i++)
		n += m->host[i].catalog;
	return n;
}

static size_t of_server(const struct merge *m, const struct merge_server *s)
{
	size_t i;

	for (i = 0; i < m->n_host; i++) {
		if (m->host[i].catalog && m->host[i].server.known &&
		    is_same(&m->host[i].server, s))
			return i;
	}
	return MERGE_NO_CATALOG;
}

/* A listed server of which nothing is known. */
static size_t of_nobody(const struct merge *m, const struct input *l)
{
	bool only = catalogs_of(l) == 1 && catalogs(m) == 1;
	size_t i;

	for (i = 0; i < m->n_host; i++) {
		const struct merge_host *x = &m->host[i];

		if (x->catalog && !x->server.known && (only || !x->owner))
			return i;
	}
	return MERGE_NO_CATALOG;
}

static size_t make_catalog(struct merge *m)
{
	char name[32] = "catalog";
	size_t n = catalogs(m);

	if (n > 0)
		(void)snprintf(name, sizeof(name), "catalog-%zu", n + 1);
	return merge_host_named(m, name, true);
}

static int refuse_unknown(const struct input *l, const struct host *h,
	struct gs_err *err)
{
	return gs_fail(err, GS_E_USAGE, "%s: the database server of its %s "
	    "was not recorded (entity cluster), and there are several: "
	    "merge other rows with --entities host,cpu,disk,...",
	    input_name(l), h->name);
}

static size_t the_only(const struct merge *m)
{
	size_t i = 0;

	while (!m->host[i].catalog)
		i++;
	return i;
}

/* The catalog does not identify its server. */
static int find_silent(struct merge *m, struct input *l, size_t at, size_t *ret,
	struct gs_err *err)
{
	const struct host *h = world_host(l->filter.world, at);

	if (catalogs_of(l) == 1 && catalogs(m) <= 1)
		*ret = catalogs(m) == 1 ? the_only(m) : make_catalog(m);
	else if (has_rows(h))
		return refuse_unknown(l, h, err);
	return GS_OK;
}

int merge_find_catalog(struct merge *m, struct input *l, size_t at, size_t *ret,
	struct gs_err *err)
{
	struct merge_server s;

	*ret = MERGE_NO_CATALOG;
	if (!read_server(l, at, &s))
		return find_silent(m, l, at, ret, err);
	*ret = of_server(m, &s);
	if (*ret == MERGE_NO_CATALOG)
		*ret = of_nobody(m, l);
	if (*ret == MERGE_NO_CATALOG)
		*ret = make_catalog(m);
	merge_server_release(&m->host[*ret].server);
	m->host[*ret].server = s;
	return GS_OK;
}

bool merge_is_other_server(struct merge *m, const struct input *l, size_t at)
{
	struct merge_host *x = &m->host[l->host[at].out];
	struct merge_server s;
	bool other;

	if (!read_server(l, at, &s))
		return false;
	other = !x->server.known || !is_same(&x->server, &s);
	if (!other && x->owner == l) { /* it may have been restarted */
		merge_server_release(&x->server);
		x->server = s;
	} else {
		merge_server_release(&s);
	}
	return other;
}
