/* SPDX-License-Identifier: Apache-2.0 */
/*
 * labelcol_db.c - columns of sessions and queries from the catalog, and those
 * of skew and waits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arith.h"
#include "base/buf.h"
#include "base/clock.h"
#include "query/dbtime.h"
#include "query/labelcol.h"
#include "query/skew.h"
#include "view/view_int.h"

static const struct cell absent = { .kind = CELL_ABSENT };

/* The server of a process or of a session. */
static const struct dbserver *server_of(const struct figure_env *v,
	const struct group *g)
{
	const struct sessions *s = v->engine->sessions;
	const struct label *n = grouping_label(g);
	uint64_t pid;

	if (grouping_kind(v->grouping) == GROUPING_SERVER)
		return sessions_server_at(s, n->host, n->postmaster);
	if (g->row && g->row->host->catalog)
		return sessions_server_of_catalog(s, g->row->host);
	if (g->row && g->row->entity == ENTITY_POSTMASTER)
		return row_peek(g->row, COL(POSTMASTER, PID), &pid)
		    ? sessions_server_at(s, g->row->host, pid) : NULL;
	if (n->session && n->session->kind != SESSION_OS)
		return sessions_server(s, n->session);
	if (n->session && !g->row)
		return sessions_server_left(s, n->session);
	return g->row && g->row->entity == ENTITY_PROCESS
	    ? sessions_server_of(s, g->row) : NULL;
}

struct cell labelcol_server(FIGURE_ARGS)
{
	const struct dbserver *server = g->residual ? NULL : server_of(v, g);

	return server ? figure_text(v, server->name) : absent;
}

struct cell labelcol_catalog_server(const struct figure_env *v,
	const struct host *catalog)
{
	const struct dbserver *server = sessions_server_of_catalog(
	    v->engine->sessions, catalog);

	return server ? figure_text(v, server->name) : absent;
}

/* The session of a line of sessions or queries. */
static const struct session *session_of(const struct group *g)
{
	return g->residual ? NULL : grouping_label(g)->session;
}

struct cell labelcol_xact_age(FIGURE_ARGS)
{
	const struct session *s = session_of(g);
	int64_t ns;

	if (!s || !s->has_xact)
		return absent;
	ns = gs_difference(v->engine->to_ns, s->xact_ns);
	return cell_real(ns > 0 ? (double)ns / (double)GS_NSEC_PER_SEC : 0);
}

struct cell labelcol_text(FIGURE_ARGS)
{
	const struct query *q = grouping_label(g)->query;
	const struct session *s = session_of(g);
	struct span t;

	if (!s)
		return absent;
	if (!q)
		return figure_text(v, s->text);
	t = query_text(q);
	return span_empty(t) ? absent
	    : cell_text(grid_text(v->grid, t.ptr, span_len(t)));
}

/* What an active session waits for now. */
static struct cell current_wait(const struct figure_env *v,
	const struct session *s)
{
	char name[DBTIME_NAME_MAX];

	if (s->ended || s->class == SESSION_OTHER || s->wait_type[0] == '\0')
		return absent;
	(void)snprintf(name, sizeof(name), "%s%s%s", s->wait_type,
	    s->wait_event[0] ? ":" : "", s->wait_event);
	return figure_text(v, name);
}

/* The wait that took most of its time in the range; before there is time, the
 * present one. */
struct cell labelcol_wait(FIGURE_ARGS)
{
	const struct session *s = session_of(g);
	const struct dbtime_part *p;
	char name[DBTIME_NAME_MAX];

	if (!s || s->kind == SESSION_OS || !v->dbtime)
		return absent;
	p = dbtime_main_wait(v->dbtime, s->key_hash);
	if (!p)
		return current_wait(v, s);
	(void)dbtime_event_name(p->event, name);
	return figure_text(v, name);
}

/* By sampling. */
static struct cell estimate(int64_t ns)
{
	struct cell c = cell_real((double)ns / (double)GS_NSEC_PER_SEC);

	c.mark = '~';
	return c;
}

/* One that the catalog lists and that no sample saw waiting has none. */
struct cell labelcol_wait_seconds(FIGURE_ARGS)
{
	const struct session *s = session_of(g);
	const struct dbtime_part *p = s && v->dbtime
	    ? dbtime_main_wait(v->dbtime, s->key_hash) : NULL;

	if (p)
		return estimate(p->time_ns);
	return s && v->dbtime && s->catalog ? cell_none() : absent;
}

struct cell labelcol_db_time(FIGURE_ARGS)
{
	const struct session *s = session_of(g);

	return s && v->dbtime && dbtime_is_sampled(v->dbtime) &&
	    s->kind != SESSION_OS ? estimate(dbtime_sum(v->dbtime, s->key_hash)) : absent;
}

/* The segment of a session in utility mode, or -1. */
static int64_t content_of(const struct figure_env *v, const struct session *s)
{
	const struct instance *i = s->leader
	    ? instances_of(figure_instances(v), s->leader->row) : NULL;

	return i && i->has_content ? i->content : -1;
}

static size_t node_of(const struct figure_env *v, const struct lockgraph *g,
	const struct session *s)
{
	switch (s->kind) {
	case SESSION_GREENPLUM:
		return lockgraph_find_session(g, s->session_id);
	case SESSION_POSTGRES:
		return lockgraph_find_pid(g, content_of(v, s),
		    strtoull(s->name, NULL, 10));
	case SESSION_OS:
		break;
	}
	return LOCKGRAPH_NONE;
}

struct cell labelcol_blocker(FIGURE_ARGS)
{
	const struct query *q = grouping_label(g)->query;
	const struct session *s = session_of(g);
	const struct lockgraph *graph;
	const struct locknode *n;
	size_t i;

	if (!s || s->ended || (q && !q->open))
		return absent;
	graph = figure_graph_of(v, s->catalog);
	i = graph ? node_of(v, graph, s) : LOCKGRAPH_NONE;
	if (i == LOCKGRAPH_NONE)
		return absent;
	n = lockgraph_get(graph, i);
	if (!n->waits || n->root == LOCKGRAPH_NONE)
		return absent;
	return locknode_name(v, lockgraph_get(graph, n->root));
}

static int by_number(const void *a, const void *b)
{
	const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return x < y ? -1 : x > y;
}

/* Segments of waiting processes, each once; returns their number. */
static size_t waiting_segments(const struct session *s, int32_t to[],
	size_t max)
{
	const struct proc *p;
	size_t n = 0, i, kept = 0;

	for (p = s->procs; p && n < max; p = p->next) {
		if (proc_waits(p))
			to[n++] = p->title.has_seg ? p->title.seg : -1;
	}
	qsort(to, n, sizeof(*to), by_number);
	for (i = 0; i < n; i++) {
		if (kept == 0 || to[kept - 1] != to[i])
			to[kept++] = to[i];
	}
	return kept;
}

#define WAITING_MAX 64 /* processes that are checked */

/* "0,2": segments on which its processes wait. */
struct cell labelcol_wait_segment(FIGURE_ARGS)
{
	const struct query *q = grouping_label(g)->query;
	const struct session *s = session_of(g);
	int32_t at[WAITING_MAX];
	struct buf text = BUF_INIT;
	struct cell c;
	size_t i, n;

	if (!s || s->ended || s->kind != SESSION_GREENPLUM || (q && !q->open))
		return absent;
	n = waiting_segments(s, at, WAITING_MAX);
	for (i = 0; i < n; i++)
		buf_printf(&text, "%s%" PRId32, i ? "," : "", at[i]);
	c = figure_text(v, buf_str(&text));
	buf_release(&text);
	return c;
}

struct cell labelcol_skew(FIGURE_ARGS)
{
	const struct session *s = session_of(g);

	if (!s || !v->segments)
		return absent;
	return skew_ratio(skews_find(figure_skews(v), s,
	    grouping_label(g)->query));
}

/* The coordinator knows its session: it lists it, or leads it. */
static bool is_led(const struct locknode *n)
{
	return !n->has_pid || n->content < 0 || (n->proc &&
	    n->proc->session && n->proc->session->leader);
}

#define NODE_NAME_MAX 64

static void node_name(const struct locknode *n, char to[NODE_NAME_MAX])
{
	if (n->has_session && is_led(n))
		(void)snprintf(to, NODE_NAME_MAX, "con%" PRId64, n->session);
	else if (!n->has_pid)
		(void)snprintf(to, NODE_NAME_MAX, "prepared");
	else if (n->content >= 0)
		(void)snprintf(to, NODE_NAME_MAX, "%" PRIu64 "@seg%" PRId64,
		    n->pid, n->content);
	else
		(void)snprintf(to, NODE_NAME_MAX, "%" PRIu64, n->pid);
}

struct cell locknode_name(const struct figure_env *v,
	const struct locknode *n)
{
	char text[NODE_NAME_MAX];

	node_name(n, text);
	return figure_text(v, text);
}

#define CHAIN_MAX 8u /* sessions that are named */

/* How many of the chain's nodes that node waits for. */
static size_t depth_of(const struct lockgraph *g, const size_t *chain, size_t n,
	size_t node)
{
	size_t i, depth = 0;

	for (i = 0; i < n; i++)
		depth += lockgraph_waits(g, node, chain[i]);
	return depth;
}

/* The nodes that one waits for, directly or not, and itself; the end of the chain
 * first. */
static size_t chain_of(const struct lockgraph *g, size_t self,
	size_t to[CHAIN_MAX])
{
	size_t i, k, n = 0;

	for (i = 0; i < lockgraph_count(g) && n < CHAIN_MAX - 1; i++) {
		if (i != self && lockgraph_waits(g, self, i))
			to[n++] = i;
	}
	if (n == 0)
		return 0;
	to[n++] = self;
	for (i = 1; i < n; i++) {
		for (k = i; k > 0 && depth_of(g, to, n, to[k]) <
		    depth_of(g, to, n, to[k - 1]); k--) {
			size_t was = to[k];

			to[k] = to[k - 1];
			to[k - 1] = was;
		}
	}
	return n;
}

bool labelcol_add_chain(const struct figure_env *v, const struct session *s,
	struct buf *to)
{
	const struct lockgraph *g = figure_graph_of(v, s->catalog);
	size_t self = g ? node_of(v, g, s) : LOCKGRAPH_NONE;
	size_t chain[CHAIN_MAX], i, n;
	char name[NODE_NAME_MAX];

	if (self == LOCKGRAPH_NONE)
		return false;
	n = chain_of(g, self, chain);
	for (i = 0; i < n; i++) {
		node_name(lockgraph_get(g, chain[i]), name);
		buf_printf(to, "%s%s", i ? " < " : "", name);
	}
	return n > 0;
}

struct cell skew_ratio(const struct skew *k)
{
	double average_s = k ? skew_average_s(k) : 0;

	if (!k || k->cpu_s < SKEW_CPU_LEAST_S || average_s <= 0)
		return absent;
	return cell_real(k->max_s / average_s);
}
