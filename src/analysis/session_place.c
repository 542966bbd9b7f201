/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_place.c - where segments run, from catalogs.  What one has told stays valid
 * while it does not answer: its database, or a part of it, may be started again then.
 */
#include "analysis/sessions_int.h"

#include "base/mem.h"

static const struct host *host_named(const struct world *w, struct span name)
{
	size_t i;

	if (span_empty(name))
		return NULL;
	for (i = 0; i < world_hosts(w); i++) {
		const struct host *h = world_host(w, i);

		if (!h->catalog && h->name && span_eq(name, h->name))
			return h;
	}
	return NULL;
}

static void add_place(struct sessions *s, const struct world *w,
	const struct row *r, int64_t content, unsigned host, unsigned port)
{
	struct span name = row_text(w, r, host);
	struct place p = { .catalog = r->host, .content = content, .acts = true,
		.host = host_named(w, name) };

	(void)row_get(r, port, &p.port); /* 0: not known */
	if (!p.host && !span_empty(name))
		s->place_missing = true;
	GS_GROW(s->place, &s->place_cap, s->n_place + 1);
	s->place[s->n_place++] = p;
}

static void make_places(struct sessions *s, const struct world *w,
	const struct host *c)
{
	const struct table *cluster = &c->table[ENTITY_CLUSTER];
	const struct table *segment = &c->table[ENTITY_SEGMENT];
	size_t i;

	for (i = 0; i < cluster->n_slot; i++) {
		if (cluster->slot[i])
			add_place(s, w, cluster->slot[i], -1,
			    COL(CLUSTER, HOST), COL(CLUSTER, PORT));
	}
	for (i = 0; i < segment->n_slot; i++) {
		const struct row *r = segment->slot[i];

		if (!r)
			continue;
		add_place(s, w, r, row_signed(r, COL(SEGMENT, CONTENT), -1),
		    COL(SEGMENT, HOST), COL(SEGMENT, PORT));
		s->place[s->n_place - 1].acts = row_signed(r,
		    COL(SEGMENT, ROLE), 0) == 'p';
	}
}

/* Leaves those of catalogs that don't answer. */
static void drop_places(struct sessions *s)
{
	size_t i, kept = 0;

	for (i = 0; i < s->n_place; i++) {
		if (!catalog_answers(s->place[i].catalog))
			s->place[kept++] = s->place[i];
	}
	s->n_place = kept;
}

void catalog_places(struct sessions *s, const struct world *w)
{
	size_t i;

	if (s->n_source == 0 || (!s->place_old && !s->place_missing))
		return;
	s->place_old = s->place_missing = false;
	drop_places(s);
	for (i = 0; i < s->n_source; i++) {
		if (catalog_answers(s->source[i].host))
			make_places(s, w, s->source[i].host);
	}
}

/* The coordinator may be listed twice; one entry may have no known host. */
const struct place *catalog_place(const struct sessions *s,
	const struct host *catalog, int64_t content)
{
	const struct place *found = NULL;
	size_t i;

	for (i = 0; i < s->n_place; i++) {
		const struct place *p = &s->place[i];

		if (p->acts && p->catalog == catalog &&
		    p->content == content &&
		    (!found || !found->host))
			found = p;
		if (found && found->host)
			break;
	}
	return found;
}

const struct source *catalog_of(const struct sessions *s,
	const struct host *h, uint64_t port)
{
	size_t i;

	for (i = 0; i < s->n_place; i++) {
		if (s->place[i].host == h && s->place[i].port == port)
			return catalog_source(s, s->place[i].catalog);
	}
	return NULL;
}

struct source *catalog_source(const struct sessions *s,
	const struct host *catalog)
{
	size_t i;

	for (i = 0; i < s->n_source; i++) {
		if (s->source[i].host == catalog)
			return &s->source[i];
	}
	return NULL;
}
