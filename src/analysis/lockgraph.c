/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/lockgraph_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"

#define WORD 64u
/* Locks of a transaction that are looked at for its table. */
#define EARLY ((size_t)16)
#define WORDS_MAX (LOCKGRAPH_NODES_MAX / WORD)

/* Identity of a node: {1, session id, 0}, {2, content, pid}, or {3, content,
 * text of a virtual transaction}. */
struct who {
	uint64_t kind, a, b;
};

struct lockgraph {
	struct lockholders of;
	struct locknode *node;
	struct who *who;
	size_t n_node, node_cap, who_cap;
	struct lockwants wants;
	size_t words; /* of a row of the matrices */
	uint64_t *direct; /* bit b of row a: a waits for b */
	uint64_t *all; /* the same, directly or not */
	uint64_t *ahead; /* bit b of row m: b has or wants the object in mode m,
	                  * and comes before the current lock */
};

/* ---- nodes ------------------------------------------------------------- */

/* The node of an identity; NONE if there are too many. */
static size_t node_of(struct lockgraph *g, struct who who)
{
	size_t i;

	for (i = 0; i < g->n_node; i++) {
		if (g->who[i].kind == who.kind && g->who[i].a == who.a &&
		    g->who[i].b == who.b)
			return i;
	}
	if (g->n_node == LOCKGRAPH_NODES_MAX)
		return LOCKGRAPH_NONE;
	GS_GROW(g->node, &g->node_cap, g->n_node + 1);
	GS_GROW(g->who, &g->who_cap, g->n_node + 1);
	g->node[g->n_node] = (struct locknode) { .root = LOCKGRAPH_NONE,
		.graph = g, .has_session = who.kind == 1 };
	if (who.kind == 1)
		g->node[g->n_node].session = (int64_t)who.a;
	g->who[g->n_node] = who;
	return g->n_node++;
}

/* The representative process of the node: the coordinator's, or the oldest. */
static void speak(struct lockgraph *g, struct locknode *n,
	int64_t content, uint64_t pid)
{
	const struct row *r = lockholders_backend(&g->of, content, pid);
	bool better = !n->has_pid || (content < 0 && n->content >= 0);

	if (!better && content == n->content && r && n->backend)
		better = (int64_t)lock_cell(r, COL(BACKEND, START)) <
		    (int64_t)lock_cell(n->backend, COL(BACKEND, START));
	if (!better && !(r && !n->backend && content == n->content))
		return;
	n->has_pid = true;
	n->content = content;
	n->pid = pid;
	n->backend = r;
	n->proc = r ? NULL : lockholders_proc(&g->of, content, pid);
}

static size_t node_of_pid(struct lockgraph *g, int64_t content, uint64_t pid,
	int64_t session)
{
	const struct row *r = lockholders_backend(&g->of, content, pid);
	uint64_t v;
	size_t n;

	if (session <= 0 && r && row_get(r, COL(BACKEND, SESSION), &v))
		session = (int64_t)v;
	if (session > 0) {
		n = node_of(g, (struct who) { 1, (uint64_t)session, 0 });
	} else {
		if (r && row_get(r, COL(BACKEND, LEADER), &v) && v > 0)
			pid = v;
		n = node_of(g, (struct who) { 2, (uint64_t)content, pid });
	}
	if (n != LOCKGRAPH_NONE)
		speak(g, &g->node[n], content, pid);
	return n;
}

static size_t node_of_lock(struct lockgraph *g, const struct row *r)
{
	int64_t content = (int64_t)lock_cell(r, COL(LOCK, CONTENT));
	uint64_t pid;

	if (row_get(r, COL(LOCK, PID), &pid) && pid > 0)
		return node_of_pid(g, content, pid,
		    (int64_t)lock_cell(r, COL(LOCK, SESSION)));
	return node_of(g, (struct who) { 3, (uint64_t)content,
	    lock_cell(r, COL(LOCK, VIRTUAL_TRANSACTION)) });
}

/* Sessions with locks on segments are represented by the coordinator's
 * backends. */
static void name_sessions(struct lockgraph *g)
{
	size_t i, k;

	for (i = 0; i < g->of.n_backend; i++) {
		const struct lockbackend *b = &g->of.backend[i];
		uint64_t session;

		if (b->content >= 0 ||
		    !row_get(b->row, COL(BACKEND, SESSION), &session))
			continue;
		for (k = 0; k < g->n_node; k++) {
			if (g->node[k].has_session &&
			    g->node[k].session == (int64_t)session)
				speak(g, &g->node[k], b->content, b->pid);
		}
	}
}

/* Of the locks, only those of a node are kept. */
static void name_wants(struct lockgraph *g)
{
	size_t i, kept = 0;

	for (i = 0; i < g->wants.n; i++) {
		struct lockwant l = g->wants.lock[i];

		l.node = node_of_lock(g, l.row);
		if (l.node != LOCKGRAPH_NONE)
			g->wants.lock[kept++] = l;
	}
	g->wants.n = kept;
}

/* ---- edges ------------------------------------------------------------- */

static bool bit(const uint64_t *m, size_t words, size_t a, size_t b)
{
	return m[a * words + b / WORD] >> (b % WORD) & 1;
}

static void set_bit(uint64_t *m, size_t words, size_t a, size_t b)
{
	m[a * words + b / WORD] |= UINT64_C(1) << (b % WORD);
}

static void note_wait(struct lockgraph *g, const struct lockwant *l)
{
	struct locknode *n = &g->node[l->node];

	if (n->wants && n->since_ns <= l->waits_ns)
		return;
	n->waits = true;
	n->wants = l->row;
	n->since_ns = l->waits_ns;
	n->since_exact = cells_has(l->row->now, COL(LOCK, WAIT_START));
}

/* Nodes of prepared transactions: pg_blocking_pids() has 0 for each of them. */
static uint64_t prepared_of(const struct lockgraph *g, size_t word)
{
	uint64_t bits = 0;
	size_t i;

	for (i = word * WORD; i < GS_MIN((word + 1) * WORD, g->n_node); i++) {
		if (!g->node[i].has_pid && !g->node[i].has_session)
			bits |= UINT64_C(1) << (i % WORD);
	}
	return bits;
}

/* A waiting lock waits for conflicting locks before it, except those of its own
 * session; if the server has told its blockers, only for prepared transactions,
 * which have no pid. */
static void link_wait(struct lockgraph *g, const struct lockwant *l)
{
	uint64_t *to = g->direct + l->node * g->words;
	size_t i;
	int mode;

	for (mode = 1; mode <= LOCK_MODES; mode++) {
		const uint64_t *ahead = g->ahead + (size_t)mode * g->words;

		if (!lockwants_conflict(l->mode, mode))
			continue;
		for (i = 0; i < g->words; i++)
			to[i] |= ahead[i] & (l->told ? prepared_of(g, i)
			                             : UINT64_MAX);
	}
	to[l->node / WORD] &= ~(UINT64_C(1) << (l->node % WORD));
}

/* The locks of one object, holders first, then the queue in its order. */
static void link_object(struct lockgraph *g, const struct lockwant *l, size_t n)
{
	size_t i;

	memset(g->ahead, 0, (LOCK_MODES + 1) * g->words * sizeof(*g->ahead));
	for (i = 0; i < n; i++) {
		if (!l[i].granted) {
			note_wait(g, &l[i]);
			link_wait(g, &l[i]);
		}
		set_bit(g->ahead, g->words, (size_t)l[i].mode, l[i].node);
	}
}

static void link_locks(struct lockgraph *g)
{
	size_t i, k;

	for (i = 0; i < g->wants.n; i = k) {
		k = lockwants_object_end(&g->wants, i);
		link_object(g, &g->wants.lock[i], k - i);
	}
}

/* Makes nodes of pg_blocking_pids() of one backend; with `link`, edges too. */
static void each_blocker(struct lockgraph *g, const struct lockbackend *b,
	bool link)
{
	struct span s = row_text(g->of.w, b->row, COL(BACKEND, BLOCKERS));
	size_t waiter, blocker;
	uint64_t pid;

	if (span_empty(s))
		return;
	waiter = node_of_pid(g, b->content, b->pid, 0);
	if (waiter == LOCKGRAPH_NONE)
		return;
	while (scan_u64(&s, &pid)) {
		blocker = pid ? node_of_pid(g, b->content, pid, 0)
		              : LOCKGRAPH_NONE; /* a prepared transaction */
		if (link && blocker != LOCKGRAPH_NONE && blocker != waiter)
			set_bit(g->direct, g->words, waiter, blocker);
		if (!span_empty(s))
			s.ptr++; /* the comma */
	}
	if (link && !g->node[waiter].waits) {
		int64_t ns;

		/* its locks have not been sampled yet */
		g->node[waiter].waits = true;
		if (!g->of.sessions || !sessions_seen_to_wait(g->of.sessions,
		    NULL, b->row, &ns))
			ns = 0;
		g->node[waiter].since_ns = lockwants_not_before_query(b->row,
		    gs_difference(g->of.h->clock.wall_ns, ns));
	}
}

static void each_backend(struct lockgraph *g, bool link)
{
	size_t i;

	for (i = 0; i < g->of.n_backend; i++)
		each_blocker(g, &g->of.backend[i], link);
}

/* ---- what follows ------------------------------------------------------ */

/* All that node a waits for: follows edges until no new node is reached.
 * Cycles terminate, too. */
static void reach(struct lockgraph *g, size_t a)
{
	uint64_t done[WORDS_MAX] = { 0 };
	uint64_t *all = g->all + a * g->words;
	size_t i, k;
	bool more = true;

	memcpy(all, g->direct + a * g->words, g->words * sizeof(*all));
	while (more) {
		more = false;
		for (i = 0; i < g->words; i++) {
			uint64_t bits = all[i] & ~done[i];

			for (; bits; bits &= bits - 1) {
				size_t b = i * WORD + gs_ctz64(bits);
				const uint64_t *from = g->direct +
				    b * g->words;

				done[i] |= UINT64_C(1) << (b % WORD);
				more = true;
				for (k = 0; k < g->words; k++)
					all[k] |= from[k];
			}
		}
	}
}

static bool is_end(const struct lockgraph *g, size_t b)
{
	size_t i;

	for (i = 0; i < g->words; i++) {
		if (g->direct[b * g->words + i])
			return false;
	}
	return true;
}

/* The node at the end of the chain that blocks most; in a deadlock the first.
 * A node that waits, and of whose blocker nothing is known, has no root, but it
 * ends the chains of those behind it: nobody nearer to the end is known. */
static size_t root_of(const struct lockgraph *g, size_t a)
{
	size_t best = LOCKGRAPH_NONE, cycle = LOCKGRAPH_NONE, b;

	if (is_end(g, a))
		return g->node[a].waits ? LOCKGRAPH_NONE : a;
	for (b = 0; b < g->n_node; b++) {
		if (!bit(g->all, g->words, a, b))
			continue;
		if (g->node[b].deadlock && cycle == LOCKGRAPH_NONE)
			cycle = b;
		if (is_end(g, b) && (best == LOCKGRAPH_NONE ||
		    g->node[b].blocks > g->node[best].blocks))
			best = b;
	}
	return best != LOCKGRAPH_NONE ? best : cycle;
}

static void conclude(struct lockgraph *g)
{
	size_t a, b;

	for (a = 0; a < g->n_node; a++)
		reach(g, a);
	for (a = 0; a < g->n_node; a++) {
		g->node[a].deadlock = bit(g->all, g->words, a, a);
		for (b = 0; b < g->n_node; b++) {
			if (a != b && bit(g->all, g->words, b, a))
				g->node[a].blocks++;
		}
	}
	for (a = 0; a < g->n_node; a++)
		g->node[a].root = root_of(g, a);
}

/* The strongest lock by which a node blocks others. */
static void note_holds(struct lockgraph *g)
{
	int best[LOCKGRAPH_NODES_MAX] = { 0 };
	size_t i;

	for (i = 0; i < g->wants.n; i++) {
		const struct lockwant *l = &g->wants.lock[i];

		if (!l->granted || l->mode <= best[l->node])
			continue;
		best[l->node] = l->mode;
		g->node[l->node].holds = l->row;
	}
}

struct lockgraph *lockgraph_new(const struct world *w,
	const struct host *catalog, const struct sessions *s,
	const struct instances *t)
{
	struct lockgraph *g = gs_calloc(1, sizeof(*g));

	lockholders_init(&g->of, w, catalog, s, t);
	if (!g->of.h)
		return g;
	lockwants_init(&g->wants, &g->of);
	name_wants(g);
	each_backend(g, false);
	name_sessions(g);
	g->words = (g->n_node + WORD - 1) / WORD;
	g->direct = gs_calloc(g->n_node * g->words + 1, sizeof(uint64_t));
	g->all = gs_calloc(g->n_node * g->words + 1, sizeof(uint64_t));
	g->ahead = gs_calloc((LOCK_MODES + 1) * g->words + 1,
	    sizeof(uint64_t));
	link_locks(g);
	each_backend(g, true);
	conclude(g);
	note_holds(g);
	return g;
}

void lockgraph_free(struct lockgraph *g)
{
	if (!g)
		return;
	free(g->node);
	free(g->who);
	lockholders_release(&g->of);
	lockwants_release(&g->wants);
	free(g->direct);
	free(g->all);
	free(g->ahead);
	free(g);
}

const struct host *lockgraph_catalog(const struct lockgraph *g)
{
	return g->of.h;
}

size_t lockgraph_count(const struct lockgraph *g)
{
	return g->n_node;
}

const struct locknode *lockgraph_get(const struct lockgraph *g, size_t i)
{
	return &g->node[i];
}

bool lockgraph_waits(const struct lockgraph *g, size_t a, size_t b)
{
	return bit(g->all, g->words, a, b);
}

bool lockgraph_waits_directly(const struct lockgraph *g, size_t a, size_t b)
{
	return bit(g->direct, g->words, a, b);
}

/* ---- the table ---------------------------------------------------------- */

static bool is_of_type(const struct lockgraph *g, const struct row *r,
	const char *type)
{
	return span_eq(row_text(g->of.w, r, COL(LOCK, TYPE)), type);
}

/* The tuple that a node has locked on a segment: until it has the row, it waits
 * for the transactions that changed it. */
static const struct row *tuple_of(const struct lockgraph *g, size_t node,
	uint64_t content)
{
	size_t i;

	for (i = 0; i < g->wants.n; i++) {
		const struct lockwant *l = &g->wants.lock[i];

		if (l->node == node && l->granted &&
		    lock_cell(l->row, COL(LOCK, CONTENT)) == content &&
		    is_of_type(g, l->row, "tuple"))
			return l->row;
	}
	return NULL;
}

const struct row *lockgraph_relation(const struct lockgraph *g,
	const struct row *r)
{
	const struct row *of = NULL;
	size_t i, at = 0, end;

	if (is_of_type(g, r, "tuple"))
		return r;
	if (!is_of_type(g, r, "transactionid") &&
	    !is_of_type(g, r, "virtualxid"))
		return NULL;
	while (at < g->wants.n && g->wants.lock[at].row != r)
		at++;
	if (at == g->wants.n)
		return NULL;
	while (at > 0 && lockwants_object_end(&g->wants, at - 1) > at)
		at--;
	/* one of those who wait has the tuple, and began early */
	end = GS_MIN(lockwants_object_end(&g->wants, at), at + EARLY);
	for (i = at; i < end && !of; i++) {
		const struct lockwant *l = &g->wants.lock[i];

		if (!l->granted)
			of = tuple_of(g, l->node,
			    lock_cell(r, COL(LOCK, CONTENT)));
	}
	return of;
}

size_t lockgraph_find_session(const struct lockgraph *g, int64_t session)
{
	size_t i;

	for (i = 0; i < g->n_node; i++) {
		if (g->node[i].has_session && g->node[i].session == session)
			return i;
	}
	return LOCKGRAPH_NONE;
}

size_t lockgraph_find_pid(const struct lockgraph *g, int64_t content,
	uint64_t pid)
{
	size_t i;

	for (i = 0; i < g->n_node; i++) {
		if (g->who[i].kind == 2 &&
		    g->who[i].a == (uint64_t)content && g->who[i].b == pid)
			return i;
	}
	return LOCKGRAPH_NONE;
}
