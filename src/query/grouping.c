/* SPDX-License-Identifier: Apache-2.0 */
#include "query/grouping_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/instances.h"
#include "base/mem.h"
#include "query/row_key.h"

/* ---- groups ------------------------------------------------------------ */

/* Once a tick; known: the row has a key of its own. */
static void describe(struct grouping *l, struct label *n,
	const struct row *row, bool known)
{
	n->changed_tick = world_ticks(l->from.w);
	n->serial = row->serial;
	label_describe(&l->from, n, row, known && row->entity == ENTITY_PROCESS);
}

/* Most rows are one line, even if they were not seen for some time. */
static struct group *row_group(struct grouping *l, struct rollup *r,
	struct row *row)
{
	uint64_t key[ROW_KEY];
	bool known = row_key(l->from.w, row, key);
	struct label *n;
	struct group *g = grouping_group(l, r, row, key, sizeof(key), &n);

	/* a tick may end it and add it again */
	if (n->changed_tick != world_ticks(l->from.w) || row->serial > n->serial)
		describe(l, n, row, known);
	return g;
}

/* Its names have changed, and it is what it was. */
static bool describe_again(struct grouping *l, struct label *n,
	const struct row *row, const struct group *g)
{
	uint64_t key[ROW_KEY];
	bool known = row_key(l->from.w, row, key);

	if (row->serial != n->serial || g->key_len != sizeof(key) ||
	    memcmp(key, g->key, sizeof(key)) != 0)
		return false;
	if (n->changed_tick != world_ticks(l->from.w))
		describe(l, n, row, known);
	return true;
}

static struct group *process_group(struct grouping *l, struct rollup *r,
	const struct row *thread)
{
	const struct row *process = label_row_of(&l->from, thread).process;
	uint64_t key[ROW_KEY];
	struct label *n;

	if (!process || !row_key(l->from.w, process, key))
		return NULL;
	return grouping_group(l, r, process, key, sizeof(key), &n);
}

static struct group *session_group(const struct grouping *l, struct rollup *r,
	const struct row *row, struct session *s)
{
	struct label *n;
	struct group *g = grouping_group(l, r, row, &s, sizeof(s), &n);

	label_set_owner(n, l->from.w, row, s);
	return g;
}

static struct group *query_group(const struct grouping *l, struct rollup *r,
	const struct row *row, struct query *q)
{
	struct label *n;
	struct group *g = grouping_group(l, r, row, &q, sizeof(q), &n);

	if (!n->query)
		query_hold(q);
	label_set_session(n, q->session);
	n->query = q;
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
	k = serverkeys_of(&l->servers, l->from.w, row, p, pid);
	g = grouping_group(l, r, row, k->of, sizeof(k->of), &n);
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
	g = grouping_group(l, r, row, &key, sizeof(key), &n);
	if (q && !n->query)
		query_hold(q);
	n->query = q;
	label_set_session(n, p->session);
	n->segment = p->title.seg;
	n->has_slice = has_slice;
	n->slice = p->title.slice;
	return g;
}

/* The process whose work a row is; NULL: not known. */
static const struct proc *proc_of(struct grouping *l, const struct row *row)
{
	return label_row_of(&l->from, row).p;
}

static bool is_own_label(const struct grouping *l)
{
	return l->kind == GROUPING_LABELS && label_is_own(l->entity);
}

static struct group *member(void *ctx, struct rollup *r, struct row *row)
{
	struct grouping *l = ctx;
	const struct proc *p;

	if (l->kind == GROUPING_ROW)
		return row_group(l, r, row);
	if (l->kind == GROUPING_PROCESS)
		return process_group(l, r, row);
	p = proc_of(l, row);
	if (!p || !grouping_wants(l, p))
		return !l->only && is_own_label(l) ? grouping_label_group(l, r, row, NULL) : NULL;
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
	case GROUPING_PROCESS:
	case GROUPING_LABELS:
		break;
	}
	return grouping_label_group(l, r, row, grouping_query(p));
}

/* What label_describe() takes from a process. */
static const unsigned described[] = { COL(PROCESS, TITLE), COL(PROCESS, COMM),
	COL(PROCESS, CGROUP), COL(PROCESS, OS_USER), COL(PROCESS, UID),
	COL(PROCESS, SPILL_OPERATOR), COL(PROCESS, POSTMASTER),
	COL(PROCESS, OS_SESSION) };

static bool describes_work(const struct label *n, const struct title *t)
{
	return n->works_on_segment == t->has_seg && n->own_segment == t->seg &&
	    n->works_in_slice == t->has_slice && n->own_slice == t->slice &&
	    n->works_for_cmd == t->has_cmd && n->own_cmd == t->cmd;
}

/* The label of a process is the same as after the tick before. */
static bool is_described(const struct grouping *l, const struct label *n,
	const struct row *r)
{
	const struct proc *p = sessions_proc(l->from.s, r);
	size_t i;

	if (r->entity != ENTITY_PROCESS || r->serial != n->serial ||
	    r->first_tick == r->touched_tick ||
	    n->session != (p ? p->session : NULL) ||
	    (p && !describes_work(n, &p->title)))
		return false;
	for (i = 0; i < GS_LEN(described); i++) {
		unsigned c = described[i];

		if (cells_has(r->was, c) != cells_has(r->now, c) ||
		    r->was.val[c] != r->now.val[c])
			return false;
	}
	return true;
}

/* The group of a session, of its query, or of labels that come from it, needs no
 * search while the row stays there. */
static bool stays(void *ctx, const struct row *row, const struct group *g)
{
	struct grouping *l = ctx;
	const struct label *n = grouping_label(g);
	const struct proc *p;

	if (l->kind == GROUPING_ROW)
		return is_described(l, n, row) ||
		    describe_again(l, g->label, row, g);
	if (l->kind != GROUPING_SESSION && l->kind != GROUPING_QUERY &&
	    !l->steady)
		return false;
	p = sessions_proc(l->from.s, row);
	if (!p || l->kind == GROUPING_SESSION)
		return p && n->session == p->session;
	if (l->kind == GROUPING_QUERY)
		return n->query && n->query == p->session->query;
	if (!grouping_label_stays(l, n, row, p))
		return false;
	label_follow(&l->from, g->label, row);
	return true;
}

/* in: the group of an open row since this tick began, for the query of its
 * session; others look for theirs. */
static struct group *charged(struct grouping *l, struct rollup *r,
	struct row *row, const struct proc *p, struct query *q,
	struct group *in)
{
	if (!q)
		return NULL;
	if (in && !row->closed && q == grouping_query(p))
		return in;
	if (l->kind == GROUPING_QUERY_SEGMENT)
		return segment_group(l, r, row, p, q);
	return l->kind == GROUPING_QUERY ? query_group(l, r, row, q) :
	    grouping_label_group(l, r, row, q);
}

static struct charge charge(void *ctx, struct rollup *r, struct row *row,
	struct group *in)
{
	struct grouping *l = ctx;
	const struct proc *p;
	struct query_charge c;

	if (l->kind == GROUPING_ROW)
		return (struct charge) { .to = row_group(l, r, row) };
	if (!l->by_query && in && !row->closed)
		return (struct charge) { .to = in };
	p = proc_of(l, row);
	if (grouping_wants(l, p) && !p && is_own_label(l))
		return (struct charge) { .to = grouping_label_group(l, r, row, NULL) };
	if (!p || !grouping_wants(l, p) || (l->kind == GROUPING_QUERY &&
	    p->session->kind == SESSION_OS))
		return (struct charge) { NULL, NULL, 0 };
	if (l->kind == GROUPING_SESSION)
		return (struct charge) {
			.to = session_group(l, r, row, p->session) };
	if (l->kind != GROUPING_QUERY && l->kind != GROUPING_QUERY_SEGMENT &&
	    l->kind != GROUPING_LABELS) /* of a parent's residual */
		return (struct charge) { .to = member(ctx, r, row) };
	c = sessions_charge_of(l->from.s, p);
	return (struct charge) { charged(l, r, row, p, c.to, in),
		charged(l, r, row, p, c.also, in), c.share };
}

/* A postmaster's children are sessions of their own; the usage of short-lived
 * ones has a line of its own.  Children of other processes worked for their
 * parent's session. */
static struct charge residual(void *ctx, struct rollup *r, struct row *row)
{
	struct grouping *l = ctx;
	struct { uint32_t serial, mark; } key = { row->serial, 1 };
	const struct proc *p = sessions_proc(l->from.s, row);
	struct label *n;
	struct group *g;
	char text[64];
	uint64_t pid = 0;

	if (!grouping_wants(l, p))
		return (struct charge) { NULL, NULL, 0 };
	if (l->kind != GROUPING_ROW && !(l->kind == GROUPING_SESSION && p &&
	    p->title.kind == TITLE_POSTMASTER))
		return charge(ctx, r, row, NULL);
	g = grouping_group(l, r, row, &key, sizeof(key), &n);
	if (g->residual)
		return (struct charge) { .to = g };
	g->residual = true;
	(void)row_get(row, COL(PROCESS, PID), &pid); /* 0 where absent */
	(void)snprintf(text, sizeof(text), "exited children of %" PRIu64,
	    pid);
	gs_set_text(&n->name, span_str(""));
	gs_set_text(&n->title, span_str(text));
	gs_set_text(&n->command, span_str(text));
	label_set_session(n, p ? p->session : NULL);
	return (struct charge) { .to = g };
}

/* What stays() looks at, or all. */
static void fetch(const void *label, bool all)
{
	gs_fetch(label, all ? sizeof(struct label) : LABEL_OWNER_BYTES);
}

/* What rows show of sessions. */
static void fetch_texts(const struct session *s)
{
	const char *const text[] = { s->key, s->name, s->user, s->database,
		s->client, s->title, s->activity, s->command, s->application,
		s->text };
	size_t i;

	for (i = 0; i < GS_LEN(text); i++)
		gs_fetch(text[i], GS_LINE);
}

void grouping_fetch(const struct grouping *l, size_t from, size_t n)
{
	size_t i;

	rollup_fetch_groups(l->rollup, from, n);
	for (i = from; i < from + n; i++) {
		const struct group *g = rollup_get(l->rollup, i);
		const struct label *k = g->label;

		gs_fetch(k->session, sizeof(*k->session));
		gs_fetch(k->query, sizeof(*k->query));
		gs_fetch(g->row, sizeof(*g->row));
		gs_fetch(k->title, GS_LINE);
		gs_fetch(k->command, GS_LINE);
	}
	for (i = from; i < from + n; i++) {
		const struct label *k = rollup_get(l->rollup, i)->label;

		if (k->session)
			fetch_texts(k->session);
	}
}

static void gone(void *ctx, struct group *g)
{
	(void)ctx;
	label_free(g->label);
}

static bool has_key(const struct grouping *l, enum label_kind kind)
{
	size_t i = 0;

	while (i < l->n_key && l->key[i] != kind)
		i++;
	return i < l->n_key;
}

struct grouping *grouping_new(enum grouping_kind kind, enum entity_id e,
	const uint64_t want[COL_WORDS_MAX], const enum label_kind *key,
	size_t n_key)
{
	struct grouping *l = gs_calloc(1, sizeof(*l));
	struct rollup_by by = { .ctx = l, .member = member,
		.stays = stays, .charge = charge, .residual = residual,
		.fetch = fetch, .gone = gone, .done = grouping_done, .rank = grouping_rank };

	l->kind = kind;
	l->entity = e;
	l->steady = kind == GROUPING_LABELS && e == ENTITY_PROCESS;
	for (; l->n_key < n_key; l->n_key++) {
		l->key[l->n_key] = key[l->n_key];
		l->steady &= grouping_is_of_session(key[l->n_key]) ||
		    label_is_compared(key[l->n_key]);
	}
	l->by_query = kind == GROUPING_QUERY ||
	    kind == GROUPING_QUERY_SEGMENT || has_key(l, LABEL_QUERY) ||
	    has_key(l, LABEL_STATEMENT);
	if (!l->by_query && kind != GROUPING_LABELS)
		by.charge = NULL;
	by.keeps_rows = kind == GROUPING_ROW;
	by.only_members = kind == GROUPING_QUERY;
	l->rollup = rollup_new(e, want, &by);
	return l;
}

void grouping_rest_rows(struct grouping *l)
{
	rollup_rest_rows(l->rollup);
}

void grouping_free(struct grouping *l)
{
	int k;

	if (!l)
		return;
	for (k = 0; k < LABEL_COUNT; k++)
		normal_free(l->normal[k]);
	rollup_free(l->rollup);
	label_source_release(&l->from);
	serverkeys_release(&l->servers);
	free(l);
}

static void move_processes(struct grouping *l, const struct session *s)
{
	const struct proc *p;

	for (p = s->procs; p; p = p->next)
		rollup_moved(l->rollup, l->from.w, p->row);
}

/* Queries that go on are numbered from the start of a range. */
static void follow_numbers(struct grouping *l)
{
	size_t i;

	for (i = 0; l->from.s && i < sessions_count(l->from.s); i++)
		move_processes(l, sessions_get(l->from.s, i));
}

static void move_rows(struct grouping *l, struct row *const *row, size_t n)
{
	size_t i;

	rollup_fetch(l->rollup, row, n);
	for (i = 0; i < n; i++)
		rollup_moved(l->rollup, l->from.w, row[i]);
}

/* If state or query of a session changed, all its processes change groups. */
static void follow_sessions(struct grouping *l)
{
	size_t n, i, n_row = 0;
	struct session *const *s = sessions_changed(l->from.s, &n);
	struct row *row[GS_FETCH_ROWS];
	const struct proc *p;

	for (i = 0; i < n; i++) {
		for (p = s[i]->procs; p; p = p->next) {
			if (n_row == GS_FETCH_ROWS) {
				move_rows(l, row, n_row);
				n_row = 0;
			}
			row[n_row++] = p->row;
		}
	}
	move_rows(l, row, n_row);
}

static void move_many(struct grouping *l, struct row *const *row, size_t n)
{
	size_t i;

	for (i = 0; i < n; i += GS_FETCH_ROWS)
		move_rows(l, row + i, GS_MIN(n - i, GS_FETCH_ROWS));
}

static void follow_switched(struct grouping *l)
{
	size_t n;
	struct row *const *row = sessions_switched(l->from.s, &n);

	move_many(l, row, n);
}

static void moved(void *ctx, struct row *thread)
{
	struct grouping *l = ctx;

	rollup_moved(l->rollup, l->from.w, thread);
}

/* What works for them follows sessions, and threads their processes. */
static void follow_work(struct grouping *l)
{
	if (l->entity == ENTITY_THREAD && l->kind != GROUPING_ROW)
		thread_process_follow(&l->from.processes, l->from.w, l->from.s,
		    moved, l);
	else if (l->entity == ENTITY_PROCESS && (l->kind == GROUPING_QUERY ||
	    l->kind == GROUPING_LABELS || l->kind == GROUPING_QUERY_SEGMENT))
		follow_sessions(l);
	else if (l->entity == ENTITY_PROCESS && l->from.s)
		follow_switched(l);
}

/* Of a copy: rows that move change places in the list. */
static void move_all(struct grouping *l)
{
	const struct group *in;
	size_t n = rollup_live(l->rollup), i;
	struct row **row = gs_calloc(n, sizeof(struct row *));

	for (i = 0; i < n; i++)
		row[i] = (struct row *)(uintptr_t)rollup_live_row(l->rollup, i, &in);
	move_many(l, row, n);
	free(row);
}

/* After sessions_forget_ran(). */
static void follow_ran(struct grouping *l)
{
	size_t n, i;
	struct session *const *s = sessions_ran(l->from.s, &n);

	if (l->entity == ENTITY_THREAD && n > 0)
		move_all(l);
	for (i = 0; i < n && l->entity == ENTITY_PROCESS; i++)
		move_processes(l, s[i]);
}

static void begin_again(struct grouping *l)
{
	int k;

	rollup_restart(l->rollup);
	for (k = 0; k < LABEL_COUNT; k++) {
		if (l->normal[k])
			grouping_add_names(l, (enum label_kind)k);
	}
}

void grouping_restart(struct grouping *l)
{
	if (has_key(l, LABEL_QUERY) && l->entity == ENTITY_PROCESS)
		follow_numbers(l);
	else if (has_key(l, LABEL_STATEMENT) && l->from.s)
		follow_ran(l);
	begin_again(l);
}

void grouping_tick(struct grouping *l, const struct world *w,
	const struct sessions *s, struct statements *st, const struct reap *reap,
	enum grouping_when when)
{
	l->from.w = w;
	l->from.s = s;
	l->from.statements = st;
	if (l->last_tick && when == GROUPING_TICK)
		begin_again(l);
	follow_work(l);
	(when == GROUPING_BEFORE ? rollup_follow : rollup_tick)(l->rollup, w,
	    l->entity == ENTITY_PROCESS ? reap : NULL);
}

void grouping_set_only(struct grouping *l, grouping_only_fn fn, void *ctx)
{
	l->only = fn;
	l->only_ctx = ctx;
}

void grouping_set_last_tick(struct grouping *l)
{
	l->last_tick = true;
}

bool grouping_is_of_last_tick(const struct grouping *l)
{
	return l->last_tick;
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
