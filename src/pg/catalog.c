/* SPDX-License-Identifier: Apache-2.0 */
/*
 * catalog.c - the calls of the event loop: which collectors are due, what the
 * caller gets.  link.c runs the connections.
 */
#include "pg/catalog_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

struct catalog *catalog_new(const struct catalog_options *opt,
	struct gs_err *err)
{
	struct catalog *c = gs_calloc(1, sizeof(*c));
	int i;

	c->opt = *opt;
	if (params_init(&c->params, opt, err) < 0) {
		free(c);
		return NULL;
	}
	for (i = 0; i < COLLECTOR_COUNT; i++)
		c->collector[i].on = opt->collectors >> i & 1;
	for (i = 0; i < LINKS; i++)
		link_retry_now(&c->link[i]);
	c->described = true;
	rowset_init(&c->rowset);
	return c;
}

void catalog_free(struct catalog *c)
{
	int i;

	if (!c)
		return;
	for (i = 0; i < LINKS; i++)
		conn_close(&c->link[i].conn);
	names_release(&c->names);
	params_release(&c->params);
	ident_release(&c->ident);
	ident_release(&c->asked);
	topology_release(&c->topology);
	rowset_release(&c->rowset);
	tick_release(&c->events);
	buf_release(&c->sql);
	buf_release(&c->scratch);
	free(c);
}

/* A lost connection is noticed before the next one is made. */
void catalog_move(struct catalog *c, const struct catalog_options *opt)
{
	struct params params;
	int i;

	if (params_init(&params, opt, NULL) < 0)
		return; /* a dsn that libpq can't parse does not move */
	params_release(&c->params);
	c->params = params;
	c->opt.as_uid = opt->as_uid;
	for (i = 0; i < LINKS; i++)
		link_retry_now(&c->link[i]);
}

/* ---- the caller's side ----------------------------------------------- */

size_t catalog_waits(const struct catalog *c,
	struct catalog_wait ret[CATALOG_WAITS_MAX], int64_t *ret_due_ns)
{
	size_t n = 0;
	int i;

	*ret_due_ns = INT64_MAX;
	for (i = 0; i < LINKS; i++)
		n += conn_wait(&c->link[i].conn, &ret[n], ret_due_ns);
	n += names_wait(&c->names, &ret[n], ret_due_ns);
	return n;
}

void catalog_advance(struct catalog *c)
{
	int i;

	for (i = 0; i < LINKS; i++)
		link_advance(c, &c->link[i]);
	if (names_advance(&c->names, gs_clock_mono_ns()))
		c->collector[COLLECT_LOCKS].due |= c->waiting ||
		    c->waiting_hint; /* shows them */
	/* one connection may wait for an answer of the other */
	for (i = 0; i < LINKS; i++)
		link_ask_next(c, &c->link[i]);
}

/* The activity is recorded and shows no WAL sender. */
static bool has_no_replica(const struct catalog *c)
{
	const struct collector *activity = &c->collector[COLLECT_ACTIVITY];
	const struct query *q = c->collector[COLLECT_REPLICATION].query;

	return q && !q->sent && activity->query && !activity->refused &&
	    activity->runs > 0 && !c->replicates;
}

/* Only if the server has connections to spare. */
static void connect_names(struct catalog *c, int64_t now_ns)
{
	if (!c->up || c->names.n_wanted == 0)
		return;
	params_settings(&c->params, c->extra & ~c->extra_bad,
	    NAMES_TIMEOUT_NS, c->plain);
	names_connect(&c->names, &c->params, c->opt.as_uid,
	    answer_has_room(c), now_ns);
}

void catalog_tick(struct catalog *c)
{
	int64_t now_ns = gs_clock_mono_ns();
	int i;

	c->tick++;
	for (i = 0; i < COLLECTOR_COUNT; i++) {
		struct collector *col = &c->collector[i];

		if (i == COLLECT_LOCKS && !c->waiting_hint && !c->waiting)
			continue;
		/* on one connection locks come after the activity, which
		 * shows the waits */
		if (i == COLLECT_LOCKS && col->query && !col->query->sent &&
		    c->collector[COLLECT_ACTIVITY].query)
			continue;
		if (i == COLLECT_REPLICATION && has_no_replica(c))
			continue;
		col->due |= collect_is_time(col, &c->opt, false, now_ns);
	}
	for (i = 0; i < LINKS; i++)
		link_connect(c, &c->link[i], now_ns);
	connect_names(c, now_ns);
	catalog_advance(c);
}

bool catalog_is_waiting(const struct catalog *c)
{
	const struct link *l = &c->link[MAIN];

	return l->tick == c->tick && (l->conn.state == CONN_CONNECTING ||
	    l->conn.state == CONN_BUSY);
}

const struct world *catalog_world(struct catalog *c, bool *ret_fresh)
{
	*ret_fresh = c->fresh;
	c->fresh = false;
	return c->rowset.has_key ? c->rowset.world : NULL;
}

struct tick *catalog_events(struct catalog *c)
{
	return &c->events;
}

static bool is_listed(const struct header *h, const char *what, const char *why)
{
	size_t i;

	for (i = 0; i < h->n_refused; i++) {
		if (strcmp(h->refused[i].what, what) == 0 &&
		    strcmp(h->refused[i].why, why) == 0)
			return true;
	}
	return false;
}

bool catalog_describe(struct catalog *c, struct header *h, uint32_t index)
{
	int i;

	if (c->described)
		return false;
	c->described = true;
	ident_describe(&c->ident, h, index);
	for (i = 0; i < COLLECTOR_COUNT; i++) {
		const struct collector *col = &c->collector[i];
		const char *name = collector_name((enum collector_id)i);

		if (col->refused && !is_listed(h, name, col->why))
			header_add_refused(h, name, col->why);
	}
	return true;
}

size_t catalog_own_pids(const struct catalog *c, int *ret, size_t max)
{
	size_t n = 0;
	int i;

	for (i = 0; i < LINKS && n < max; i++) {
		if (c->link[i].conn.state >= CONN_READY)
			ret[n++] = c->link[i].conn.pid;
	}
	if (n < max && c->names.conn.state >= CONN_READY)
		ret[n++] = c->names.conn.pid;
	return n;
}

void catalog_set_hosts(struct catalog *c,
	const char *(*host_of)(void *arg, const char *hostname,
	    const char *address))
{
	c->host_of = host_of;
}

void catalog_rename_hosts(struct catalog *c)
{
	struct collector *col = &c->collector[COLLECT_TOPOLOGY];

	if (col->query && !col->refused)
		col->due = true;
}

void catalog_somebody_waits(struct catalog *c, bool waits)
{
	c->waiting_hint = waits;
}

size_t catalog_segments(const struct catalog *c, uint64_t *ret_generation)
{
	*ret_generation = c->topology.generation;
	return c->topology.n;
}

struct catalog_segment catalog_segment(const struct catalog *c, size_t i)
{
	const struct instance *s = &c->topology.list[i];

	return (struct catalog_segment) {
		.content = (int)s->content,
		.role = s->role,
		.up = s->status == 'u',
		.port = (int)s->port,
		.hostname = s->hostname,
		.address = s->address,
		.datadir = s->datadir,
	};
}
