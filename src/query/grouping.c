/* SPDX-License-Identifier: Apache-2.0 */
#include "query/grouping.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/instances.h"
#include "base/buf.h"
#include "base/mem.h"
#include "query/serverkey.h"
#include "query/threadproc.h"

struct grouping {
	enum grouping_kind kind;
	enum entity_id entity;
	enum label_kind key[LABEL_COUNT];
	size_t n_key;
	struct rollup *rollup;
	bool last_tick; /* sums are of one tick */
	const struct world *w; /* of the current tick */
	const struct sessions *s;
	struct buf scratch;
	struct threadproc processes; /* of threads */
	struct serverkeys servers; /* GROUPING_SERVER */
	grouping_rank_fn rank; /* grouping_bound() */
	void *rank_ctx;
};

/* ---- labels ----------------------------------------------------------- */

static void set(char **to, struct span s)
{
	if (*to && span_eq(s, *to))
		return;
	free(*to);
	*to = gs_strndup(s.ptr, span_len(s));
}

static void set_uid(struct label *n, const struct world *w,
	const struct row *row)
{
	char text[32];
	struct span name;
	uint64_t uid;

	if (n->uid || row->entity != ENTITY_PROCESS ||
	    !row_get(row, COL(PROCESS, UID), &uid))
		return;
	name = row_text(w, row, COL(PROCESS, OS_USER));
	(void)snprintf(text, sizeof(text), "uid %" PRIu64, uid);
	n->uid = span_empty(name) ? gs_strdup(text)
	                          : gs_strndup(name.ptr, span_len(name));
}

static void set_session(struct label *n, struct session *s)
{
	if (n->session == s)
		return;
	if (s)
		session_hold(s);
	session_drop(n->session);
	n->session = s;
}

static void label_free(struct label *n)
{
	int k;

	if (!n)
		return;
	query_drop(n->query);
	session_drop(n->session);
	session_drop(n->of);
	for (k = 0; k < LABEL_COUNT; k++)
		free(n->key[k]);
	free(n->name);
	free(n->title);
	free(n->command);
	free(n->thread);
	free(n->cgroup);
	free(n->operator);
	free(n->uid);
	free(n);
}

/* Name of a row that is not a process. */
static void add_identity(struct buf *b, const struct world *w,
	const struct row *r)
{
	const struct entity *en = entity_get(r->entity);
	size_t start = b->len;
	unsigned i;

	for (i = 0; i < en->ncols; i++) {
		const struct metric *m = &en->metrics[i];
		uint64_t v;

		if (!(m->flags & F_ID) || m->flags & F_BIRTH ||
		    !row_get(r, i, &v))
			continue;
		if (b->len > start)
			return; /* the first one names it */
		if (metric_is_text(m)) {
			struct span s = row_text(w, r, i);

			buf_add(b, s.ptr, span_len(s));
		} else {
			buf_printf(b, "%" PRIu64, v);
		}
	}
}

/* Keeps the server for a process that has ended. */
static void describe_server(const struct grouping *l, struct label *n,
	const struct row *r)
{
	struct span s = row_text(l->w, r, COL(PROCESS, SPILL_OPERATOR));
	uint64_t pid = process_postmaster(r);

	n->host = r->host;
	if (pid)
		n->postmaster = pid;
	if (!span_empty(s))
		set(&n->operator, s);
}

static void set_name(struct grouping *l, struct label *n, const struct row *r)
{
	buf_reset(&l->scratch);
	add_identity(&l->scratch, l->w, r);
	set(&n->name, span_of(buf_str(&l->scratch), l->scratch.len));
}

/* keyed: the names are part of the group's key, and never change. */
static void describe(struct grouping *l, struct label *n, const struct row *r,
	bool keyed)
{
	const struct proc *p;

	if (!keyed || !n->name)
		set_name(l, n, r);
	if (r->entity == ENTITY_THREAD) {
		set(&n->thread, row_text(l->w, r, COL(THREAD, COMM)));
		r = threadproc_find(&l->processes, l->w, r);
	}
	if (!r || r->entity != ENTITY_PROCESS)
		return;
	set_uid(n, l->w, r);
	describe_server(l, n, r);
	p = sessions_proc(l->s, r);
	set_session(n, p ? p->session : NULL);
	set(&n->title, row_text(l->w, r, COL(PROCESS, TITLE)));
	set(&n->command, row_text(l->w, r, COL(PROCESS, COMM)));
	set(&n->cgroup, row_text(l->w, r, COL(PROCESS, CGROUP)));
}

/* ---- groups ------------------------------------------------------------ */

static struct group *group_of(const struct grouping *l, struct rollup *r,
	const struct row *row, const void *key, size_t len,
	struct label **ret)
{
	bool fresh;
	struct group *g = rollup_group(r, key, len, &fresh);

	if (fresh) {
		g->label = gs_calloc(1, sizeof(struct label));
		set_uid(g->label, l->w, row);
	}
	*ret = g->label;
	return g;
}

/* A process, thread or host is one line, even if it was not seen for some time. */
static struct group *row_group(struct grouping *l, struct rollup *r,
	struct row *row)
{
	uint64_t key[5] = { row->serial };
	struct label *n;
	struct group *g;
	bool known = false;

	if (row->entity == ENTITY_PROCESS)
		known = row_get(row, COL(PROCESS, PID), &key[0]) &&
		    row_get(row, COL(PROCESS, START), &key[1]);
	else if (row->entity == ENTITY_THREAD)
		known = row_get(row, COL(THREAD, TID), &key[0]) &&
		    row_get(row, COL(THREAD, START), &key[1]) &&
		    row_get(row, COL(THREAD, PID), &key[4]);
	if (known) {
		key[2] = row->host->index;
		key[3] = row->host->boot_ids;
	} else if (row->entity == ENTITY_HOST) {
		key[0] = row->host->index;
	}
	g = group_of(l, r, row, key, sizeof(key), &n);

	/* a tick may end it and add it again */
	if (n->changed_tick != world_ticks(l->w) || row->serial > n->serial) {
		n->changed_tick = world_ticks(l->w);
		n->serial = row->serial;
		describe(l, n, row, known && row->entity == ENTITY_PROCESS);
	}
	return g;
}

static struct group *session_group(const struct grouping *l, struct rollup *r,
	const struct row *row, struct session *s)
{
	struct label *n;
	struct group *g = group_of(l, r, row, &s, sizeof(s), &n);

	set_session(n, s);
	return g;
}

static struct group *query_group(const struct grouping *l, struct rollup *r,
	const struct row *row, struct query *q)
{
	struct label *n;
	struct group *g = group_of(l, r, row, &q, sizeof(q), &n);

	if (!n->query)
		query_hold(q);
	set_session(n, q->session);
	n->query = q;
	return g;
}

static void add_label(struct grouping *l, struct buf *b, enum label_kind k,
	const struct row *row, const struct proc *p, const struct query *q)
{
	const struct session *s = p->session;
	const struct dbserver *server;
	char name[SESSION_NAME_MAX];
	struct span t;

	session_name(s, name);
	switch (k) {
	case LABEL_SESSION:
		buf_add_str(b, name);
		break;
	case LABEL_QUERY:
		if (q->number)
			buf_printf(b, "%s/%" PRIu32, name, q->number);
		else
			buf_printf(b, "%s/mixed", name);
		break;
	case LABEL_PROCESS:
		add_identity(b, l->w, row);
		break;
	case LABEL_USER:
		buf_add_str(b, s->user);
		break;
	case LABEL_DATABASE:
		buf_add_str(b, s->database);
		break;
	case LABEL_CLIENT:
		buf_add_str(b, s->client);
		break;
	case LABEL_STATE:
		buf_add_str(b, state_text(s->state));
		break;
	case LABEL_HOST:
		buf_add_str(b, row->host->name);
		break;
	case LABEL_SERVER:
		server = s->kind == SESSION_OS ? sessions_server_of(l->s, row)
		                               : sessions_server(l->s, s);
		buf_add_str(b, server ? server->name : "");
		break;
	case LABEL_SEGMENT:
		if (p->title.has_seg)
			buf_printf(b, "%" PRId32, p->title.seg);
		break;
	case LABEL_COMMAND:
		t = row_text(l->w, row, COL(PROCESS, COMM));
		buf_add(b, t.ptr, span_len(t));
		break;
	case LABEL_CGROUP:
		t = row_text(l->w, row, COL(PROCESS, CGROUP));
		buf_add(b, t.ptr, span_len(t));
		break;
	case LABEL_COUNT:
		break;
	}
}

/* Distinguishes equal names: sessions of two hosts, a process that has the pid
 * of an ended one. */
static void add_identifier(struct buf *b, enum label_kind k,
	const struct row *row, const struct proc *p)
{
	if (k == LABEL_SESSION || k == LABEL_QUERY)
		buf_add_str(b, p->session->key);
	else if (k == LABEL_PROCESS)
		buf_add(b, &row->serial, sizeof(row->serial));
	buf_add_char(b, '\0');
}

static struct group *label_group(struct grouping *l, struct rollup *r,
	const struct row *row, const struct query *q)
{
	const struct proc *p = sessions_proc(l->s, row);
	struct buf *b = &l->scratch;
	struct label *n;
	struct group *g;
	size_t at[LABEL_COUNT + 1];
	size_t i;

	if (!p)
		return NULL;
	buf_reset(b);
	/* a label can't contain a NUL: it ends each */
	for (i = 0; i < l->n_key; i++) {
		at[i] = b->len;
		add_label(l, b, l->key[i], row, p, q);
		buf_add_char(b, '\0');
	}
	at[i] = b->len;
	for (i = 0; i < l->n_key; i++)
		add_identifier(b, l->key[i], row, p);
	g = group_of(l, r, row, b->ptr, b->len, &n);
	for (i = 0; i < l->n_key; i++) {
		enum label_kind k = l->key[i];

		if (!n->of && (k == LABEL_SESSION || k == LABEL_QUERY ||
		    k == LABEL_PROCESS)) {
			n->of = p->session;
			session_hold(n->of);
		}
		if (!n->key[l->key[i]])
			n->key[l->key[i]] = gs_strndup(b->ptr + at[i],
			    at[i + 1] - at[i] - 1);
	}
	return g;
}

static struct group *server_group(struct grouping *l, struct rollup *r,
	const struct row *row, const struct proc *p)
{
	uint64_t pid = process_postmaster(row);
	const struct serverkey *k;
	struct label *n;
	struct group *g;

	if (pid == 0)
		return NULL;
	k = serverkeys_of(&l->servers, l->w, row, p, pid);
	g = group_of(l, r, row, k->of, sizeof(k->of), &n);
	n->host = row->host;
	if (!n->postmaster || !row->closed)
		n->postmaster = pid;
	n->has_port = k->has_port;
	n->port = k->port;
	return g;
}

/* The group of an executor's segment and q, or its session if q is NULL.  Other
 * processes are in no group. */
static struct group *segment_group(struct grouping *l, struct rollup *r,
	const struct row *row, const struct proc *p, struct query *q)
{
	bool has_slice = l->kind == GROUPING_SLICE && p->title.has_slice;
	struct { const void *of; int64_t segment, slice; } key = {
		q ? (const void *)q : (const void *)p->session,
		p->title.seg, has_slice ? (int64_t)p->title.slice : -1 };
	struct label *n;
	struct group *g;

	if (!p->title.has_seg ||
	    (p->title.seg < 0 && l->kind != GROUPING_SLICE))
		return NULL;
	g = group_of(l, r, row, &key, sizeof(key), &n);
	if (q && !n->query)
		query_hold(q);
	n->query = q;
	set_session(n, p->session);
	n->segment = p->title.seg;
	n->has_slice = has_slice;
	n->slice = p->title.slice;
	return g;
}

static const struct query *current(const struct proc *p)
{
	return p->session->query ? p->session->query : &p->session->mixed;
}

static struct group *member(void *ctx, struct rollup *r, struct row *row)
{
	struct grouping *l = ctx;
	struct proc *p;

	if (l->kind == GROUPING_ROW)
		return row_group(l, r, row);
	p = sessions_proc(l->s, row);
	if (!p)
		return NULL;
	switch (l->kind) {
	case GROUPING_SESSION:
		return session_group(l, r, row, p->session);
	case GROUPING_QUERY:
		return p->session->query && p->session->kind != SESSION_OS
		    ? query_group(l, r, row, p->session->query) : NULL;
	case GROUPING_SERVER:
		return server_group(l, r, row, p);
	case GROUPING_QUERY_SEGMENT:
		return p->session->query ? segment_group(l, r, row, p,
		    p->session->query) : NULL;
	case GROUPING_SESSION_SEGMENT:
	case GROUPING_SLICE:
		return segment_group(l, r, row, p, NULL);
	case GROUPING_ROW:
	case GROUPING_LABELS:
		break;
	}
	return label_group(l, r, row, current(p));
}

/* A session's group needs no search while the row stays in the session. */
static bool stays(void *ctx, const struct row *row, const struct group *g)
{
	struct grouping *l = ctx;
	const struct proc *p;

	if (l->kind != GROUPING_SESSION)
		return false;
	p = sessions_proc(l->s, row);
	return p && grouping_label(g)->session == p->session;
}

static struct group *charged(struct grouping *l, struct rollup *r,
	struct row *row, const struct proc *p, struct query *q)
{
	if (!q)
		return NULL;
	if (l->kind == GROUPING_QUERY_SEGMENT)
		return segment_group(l, r, row, p, q);
	return l->kind == GROUPING_QUERY ? query_group(l, r, row, q)
	                             : label_group(l, r, row, q);
}

static struct charge charge(void *ctx, struct rollup *r, struct row *row)
{
	struct grouping *l = ctx;
	struct proc *p;
	struct query_charge c;

	if (l->kind == GROUPING_ROW)
		return (struct charge) { .to = row_group(l, r, row) };
	p = sessions_proc(l->s, row);
	if (!p || (l->kind == GROUPING_QUERY && p->session->kind == SESSION_OS))
		return (struct charge) { NULL, NULL, 0 };
	if (l->kind == GROUPING_SESSION)
		return (struct charge) {
			.to = session_group(l, r, row, p->session) };
	if (l->kind != GROUPING_QUERY && l->kind != GROUPING_QUERY_SEGMENT &&
	    l->kind != GROUPING_LABELS) /* of a parent's residual */
		return (struct charge) { .to = member(ctx, r, row) };
	c = sessions_charge_of(l->s, p);
	return (struct charge) { charged(l, r, row, p, c.to),
		charged(l, r, row, p, c.also), c.share };
}

/* A postmaster's children are sessions of their own; the usage of short-lived
 * ones has a line of its own.  Children of other processes worked for their
 * parent's session. */
static struct charge residual(void *ctx, struct rollup *r, struct row *row)
{
	struct grouping *l = ctx;
	struct { uint32_t serial, mark; } key = { row->serial, 1 };
	const struct proc *p = sessions_proc(l->s, row);
	struct label *n;
	struct group *g;
	char text[64];
	uint64_t pid = 0;

	if (l->kind != GROUPING_ROW && !(l->kind == GROUPING_SESSION && p &&
	    p->title.kind == TITLE_POSTMASTER))
		return charge(ctx, r, row);
	g = group_of(l, r, row, &key, sizeof(key), &n);
	if (g->residual)
		return (struct charge) { .to = g };
	g->residual = true;
	(void)row_get(row, COL(PROCESS, PID), &pid); /* 0 where absent */
	(void)snprintf(text, sizeof(text), "exited children of %" PRIu64,
	    pid);
	set(&n->name, span_str(""));
	set(&n->title, span_str(text));
	set(&n->command, span_str(text));
	set_session(n, p ? p->session : NULL);
	return (struct charge) { .to = g };
}

static void gone(void *ctx, struct group *g)
{
	(void)ctx;
	label_free(g->label);
}

/* A query that ended one tick ago may still be charged with that tick. */
static bool query_done(const struct query *q)
{
	return q->number ? !q->open && q != q->session->before
	                 : q->session->ended;
}

static bool done(void *ctx, const struct group *g)
{
	const struct grouping *l = ctx;
	const struct label *n = grouping_label(g);

	switch (l->kind) {
	case GROUPING_ROW:
		return g->row && g->row->closed == CLOSE_EXITED;
	case GROUPING_SESSION:
	case GROUPING_SESSION_SEGMENT:
	case GROUPING_SLICE:
		return n->session && n->session->ended;
	case GROUPING_QUERY:
	case GROUPING_QUERY_SEGMENT:
		return n->query && query_done(n->query);
	case GROUPING_SERVER:
		return false;
	case GROUPING_LABELS:
		return n->of && n->of->ended;
	}
	return false;
}

static double rank(void *ctx, const struct group *g)
{
	const struct grouping *l = ctx;

	return l->rank(l->rank_ctx, g);
}

void grouping_bound(
    struct grouping *l, size_t keep, grouping_rank_fn fn, void *ctx)
{
	l->rank = fn;
	l->rank_ctx = ctx;
	rollup_bound(l->rollup, keep, keep);
}

/* New segment groups between two checks for groups to drop. */
#define SEGMENTS_EVERY 16384

static double rank_as(void *ctx, const struct group *g)
{
	const struct grouping *whole = ctx;
	const struct label *n = grouping_label(g);
	const void *key = whole->kind == GROUPING_QUERY ? (const void *)n->query
	                                            : (const void *)n->session;

	return rollup_find(whole->rollup, &key, sizeof(key)) ? 0 : NAN;
}

void grouping_bound_as(struct grouping *l, const struct grouping *whole)
{
	l->rank = rank_as;
	l->rank_ctx = (void *)(uintptr_t)whole;
	rollup_bound(l->rollup, SIZE_MAX, SEGMENTS_EVERY);
}

struct grouping *grouping_new(enum grouping_kind kind, enum entity_id e,
	const uint64_t want[COL_WORDS_MAX], const enum label_kind *key,
	size_t n_key)
{
	struct grouping *l = gs_calloc(1, sizeof(*l));
	struct rollup_by by = { .ctx = l, .member = member,
		.stays = stays, .charge = charge, .residual = residual,
		.gone = gone, .done = done, .rank = rank };

	l->kind = kind;
	l->entity = e;
	l->n_key = n_key;
	if (n_key)
		memcpy(l->key, key, n_key * sizeof(*key));
	if (kind != GROUPING_QUERY && kind != GROUPING_QUERY_SEGMENT &&
	    kind != GROUPING_LABELS)
		by.charge = NULL;
	by.keeps_rows = kind == GROUPING_ROW;
	l->rollup = rollup_new(e, want, &by);
	return l;
}

void grouping_free(struct grouping *l)
{
	if (!l)
		return;
	rollup_free(l->rollup);
	buf_release(&l->scratch);
	threadproc_release(&l->processes);
	serverkeys_release(&l->servers);
	free(l);
}

/* If state or query of a session changed, all its processes change groups. */
static void follow_sessions(struct grouping *l)
{
	size_t n, i;
	struct session *const *s = sessions_settled(l->s, &n);

	for (i = 0; i < n; i++) {
		const struct proc *p;

		for (p = s[i]->procs; p; p = p->next)
			rollup_moved(l->rollup, l->w, p->row);
	}
}

void grouping_tick(struct grouping *l, const struct world *w,
	const struct sessions *s, const struct reap *reap, bool again)
{
	l->w = w;
	l->s = s;
	if (l->last_tick && !again)
		rollup_restart(l->rollup);
	if (l->kind == GROUPING_QUERY || l->kind == GROUPING_LABELS ||
	    l->kind == GROUPING_QUERY_SEGMENT)
		follow_sessions(l);
	rollup_tick(l->rollup, w,
	    l->entity == ENTITY_PROCESS ? reap : NULL);
}

void grouping_set_last_tick(struct grouping *l)
{
	l->last_tick = true;
}

struct rollup *grouping_rollup(const struct grouping *l)
{
	return l->rollup;
}

const struct label *grouping_label(const struct group *g)
{
	return g->label;
}

enum grouping_kind grouping_kind(const struct grouping *l)
{
	return l->kind;
}

