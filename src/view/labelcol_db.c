/*
 * labelcol_db.c - columns of sessions and queries that the catalog fills, and
 * those about balance and waiting.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/arith.h"
#include "base/clock.h"
#include "view/labelcol.h"
#include "view/skew.h"
#include "view/view_int.h"

static const struct cell absent = { .kind = CELL_ABSENT };

/* The session that a line of sessions or queries is about. */
static const struct session *session_of(const struct group *g)
{
	return g->residual ? NULL : lens_label(g)->session;
}

struct cell labelcol_application(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	const struct session *s = session_of(g);

	(void)f;
	return s ? figure_text(v, s->application) : absent;
}

struct cell labelcol_group(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	const struct session *s = session_of(g);

	(void)f;
	return s ? figure_text(v, s->group) : absent;
}

struct cell labelcol_xact_age(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	const struct session *s = session_of(g);
	int64_t ns;

	(void)f;
	if (!s || !s->has_xact)
		return absent;
	ns = gs_difference(v->engine->to_ns, s->xact_ns);
	return cell_real(ns > 0 ? (double)ns / (double)GS_NSEC_PER_SEC : 0);
}

struct cell labelcol_text(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	const struct query *q = lens_label(g)->query;
	const struct session *s = session_of(g);
	struct span t;

	(void)f;
	if (!s)
		return absent;
	if (!q)
		return figure_text(v, s->text);
	t = query_text(q);
	return span_empty(t) ? absent
	    : cell_text(grid_text(v->grid, t.ptr, span_len(t)));
}

static size_t node_of(const struct lockgraph *g, const struct session *s)
{
	switch (s->kind) {
	case SESSION_GREENPLUM:
		return lockgraph_find_session(g, s->number);
	case SESSION_POSTGRES:
		return lockgraph_find_pid(g, -1, strtoull(s->name, NULL, 10));
	case SESSION_OS:
		break;
	}
	return LOCKGRAPH_NONE;
}

struct cell labelcol_blocker(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	const struct query *q = lens_label(g)->query;
	const struct session *s = session_of(g);
	const struct lockgraph *graph;
	const struct locknode *n;
	size_t i;

	(void)f;
	if (!s || s->ended || (q && !q->open))
		return absent;
	graph = figure_graph(v);
	i = node_of(graph, s);
	if (i == LOCKGRAPH_NONE)
		return absent;
	n = lockgraph_get(graph, i);
	if (!n->waits || n->root == LOCKGRAPH_NONE)
		return absent;
	return locknode_name(v, lockgraph_get(graph, n->root));
}

struct cell labelcol_skew(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	const struct session *s = session_of(g);

	(void)f;
	if (!s || !v->segments)
		return absent;
	return skew_ratio(v, skews_find(figure_skews(v), s,
	    lens_label(g)->query));
}
