/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_locks.c - the table of blocking sessions: of each pile-up in the range the
 * session at its root, and below it the tree of those that waited for it when they
 * were most.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/lockgraph.h"
#include "base/arith.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "query/columns.h"
#include "view/label_figures.h"
#include "view/lock_history.h"
#include "view/view_int.h"

static const struct cell absent = { .kind = CELL_ABSENT };

static struct cell root(FIGURE_ARGS)
{
	const struct locknode *n = v->subject;

	if (n->root == LOCKGRAPH_NONE)
		return absent;
	return locknode_name(v, lockgraph_get(n->graph, n->root));
}

static struct cell session(FIGURE_ARGS)
{
	return locknode_name(v, v->subject);
}

static struct cell state(FIGURE_ARGS)
{
	static const struct { const char *is, *shown; } names[] = {
		{ "fastpath function call", "active" },
		{ "idle in transaction", "idle-tx" },
		{ "idle in transaction (aborted)", "aborted" },
	};
	const struct locknode *n = v->subject;
	struct span s;
	size_t i;

	if (n->deadlock)
		return figure_text(v, "deadlock");
	if (n->waits)
		return figure_text(v, "lock");
	if (!n->backend)
		return n->proc ? figure_text(v,
		    state_text(n->proc->title.state)) : absent;
	s = row_text(v->engine->world, n->backend, COL(BACKEND, STATE));
	for (i = 0; i < GS_LEN(names); i++) {
		if (span_eq(s, names[i].is))
			return figure_text(v, names[i].shown);
	}
	return span_empty(s) ? absent
	    : cell_text(grid_text(v->grid, s.ptr, span_len(s)));
}

/* The database server's clock. */
static int64_t now_ns(const struct locknode *n)
{
	return lockgraph_catalog(n->graph)->clock.wall_ns;
}

static struct cell age(int64_t now, int64_t since)
{
	int64_t ns = gs_difference(now, since);

	return cell_real(ns > 0 ? (double)ns / (double)GS_NSEC_PER_SEC : 0);
}

static struct cell xact_age(FIGURE_ARGS)
{
	const struct locknode *n = v->subject;
	uint64_t start_us;

	if (!n->backend || !row_get(n->backend, f->from[0], &start_us) ||
	    (int64_t)start_us > INT64_MAX / 1000 ||
	    (int64_t)start_us < INT64_MIN / 1000)
		return absent;
	return age(now_ns(n), (int64_t)start_us * 1000);
}

static struct cell waited(FIGURE_ARGS)
{
	const struct locknode *n = v->subject;
	struct cell c;

	if (!n->waits)
		return absent;
	c = age(now_ns(n), n->since_ns);
	if (!n->since_exact)
		c.mark = '>';
	return c;
}

static const struct row *lock_of(const struct locknode *n)
{
	return n->waits ? n->wants : n->holds;
}

/* "AccessExclusive": without the common suffix. */
static struct cell mode(FIGURE_ARGS)
{
	const struct row *r = lock_of(v->subject);
	struct cell c = figure_row_cell(v, f, r);

	if (c.kind != CELL_TEXT)
		return absent;
	if (c.len > 4 && memcmp(cell_span(&c).end - 4, "Lock", 4) == 0)
		c.len -= 4;
	return c;
}

static void add_number(struct buf *b, const struct row *r, unsigned col,
	const char *before)
{
	uint64_t v;

	if (row_get(r, col, &v))
		buf_printf(b, "%s%" PRIu64, before, v);
}

static void add_relation(struct buf *b, const struct world *w,
	const struct row *r)
{
	struct span s = row_text(w, r, COL(LOCK, OBJECT));

	if (!span_empty(s))
		buf_add(b, s.ptr, span_len(s));
	else
		add_number(b, r, COL(LOCK, RELATION), "");
}

/* As a ctid: "26,104". */
static void add_place(struct buf *b, const struct row *r)
{
	uint64_t tuple;

	add_number(b, r, COL(LOCK, PAGE), row_get(r, COL(LOCK, TUPLE), &tuple)
	    ? "" : "page ");
	add_number(b, r, COL(LOCK, TUPLE), ",");
}

static void add_object(struct buf *b, const struct world *w,
	const struct row *r)
{
	struct span s = row_text(w, r, COL(LOCK, TYPE));

	if (!span_eq(s, "relation"))
		buf_printf(b, "%.*s ", (int)span_len(s), s.ptr);
	if (!span_eq(s, "tuple"))
		add_relation(b, w, r);
	s = row_text(w, r, COL(LOCK, VIRTUALXID));
	buf_add(b, s.ptr, span_len(s));
	add_place(b, r);
	add_number(b, r, COL(LOCK, XID), "");
	add_number(b, r, COL(LOCK, CLASSID), "");
	add_number(b, r, COL(LOCK, OBJID), "/");
}

/* "public.orders", "public.orders (tuple 26,104)", "public.orders
 * (transactionid 7461)", "advisory 5/7". */
static struct cell object(FIGURE_ARGS)
{
	const struct locknode *n = v->subject;
	const struct row *r = lock_of(n), *of;
	const struct world *w = v->engine->world;
	struct buf b = BUF_INIT;
	struct cell c;

	if (!r)
		return absent;
	of = lockgraph_relation(n->graph, r);
	if (of)
		add_relation(&b, w, of);
	buf_add_str(&b, of ? " (" : "");
	add_object(&b, w, r);
	buf_add_str(&b, of ? ")" : "");
	c = figure_text(v, buf_str(&b));
	buf_release(&b);
	return c;
}

static struct cell where(FIGURE_ARGS)
{
	return figure_row_cell(v, f, lock_of(v->subject));
}

static struct cell blocks(FIGURE_ARGS)
{
	const struct locknode *n = v->subject;

	return cell_int((int64_t)n->blocks);
}

/* The members of the session's cycle, with or without itself. */
static struct cell members(const struct figure_env *v, bool with_self)
{
	const struct locknode *n = v->subject;
	const struct lockgraph *graph = n->graph;
	struct buf b = BUF_INIT;
	struct cell c;
	size_t i, self = 0;

	if (!n->deadlock)
		return absent;
	while (lockgraph_get(graph, self) != n)
		self++;
	for (i = 0; i < lockgraph_count(graph); i++) {
		if (!lockgraph_waits(graph, self, i) ||
		    !lockgraph_waits(graph, i, self) ||
		    (i == self && !with_self))
			continue;
		c = locknode_name(v, lockgraph_get(graph, i));
		buf_printf(&b, "%s%.*s", b.len ? "," : "",
		    (int)c.len, c.text);
	}
	c = figure_text(v, buf_str(&b));
	buf_release(&b);
	return c;
}

static struct cell cycle(FIGURE_ARGS)
{
	return members(v, true);
}

static struct cell cycle_others(FIGURE_ARGS)
{
	return members(v, false);
}

static struct cell pid(FIGURE_ARGS)
{
	const struct locknode *n = v->subject;

	return n->has_pid ? cell_int((int64_t)n->pid) : absent;
}

static struct cell host(FIGURE_ARGS)
{
	const struct instances *t = figure_instances(v);
	const struct locknode *n = v->subject;
	const struct proc *p = n->proc;
	size_t i;

	if (!p && n->backend)
		p = sessions_proc_of_backend(v->engine->sessions, n->backend);
	if (p)
		return figure_text(v, p->row->host->name);
	for (i = 0; n->has_pid && i < instances_count(t); i++) {
		const struct instance *at = instances_get(t, i);

		if (at->host && at->has_content && at->role != 'm' &&
		    at->content == n->content)
			return figure_text(v, at->host->name);
	}
	return absent;
}

static struct cell of_backend(FIGURE_ARGS)
{
	const struct locknode *n = v->subject;

	return figure_row_cell(v, f, n->backend);
}

static struct cell server(FIGURE_ARGS)
{
	const struct locknode *n = v->subject;

	return labelcol_catalog_server(v, lockgraph_catalog(n->graph));
}

/* If the catalog does not list it, its title shows user and database. */
static struct cell of_login(FIGURE_ARGS)
{
	const struct locknode *n = v->subject;
	struct label of = { .session = n->proc ? n->proc->session : NULL };
	const struct group session = { .label = &of };

	return n->backend || !of.session ? of_backend(v, f, g)
	    : labelcol_text_of_session(v, f, &session);
}

/* ---- the pile-up, and its lines ------------------------------------------- */

/* The line of a pile-up; NULL: the table is of the last tick alone, and its
 * subjects are nodes of the lock graph. */
static const struct lock_line *line_of(const struct figure_env *v)
{
	return v->state ? v->subject : NULL;
}

static struct cell started(FIGURE_ARGS)
{
	const struct lock_line *l = line_of(v);

	return !l || l->depth > 0 ? absent : cell_int(l->pile->from_ns);
}

static struct cell lasted(FIGURE_ARGS)
{
	const struct lock_line *l = line_of(v);
	struct cell c;

	if (!l || l->depth > 0)
		return absent;
	c = age(l->pile->to_ns, l->pile->from_ns);
	/* it was longer if it goes on, or if nobody knows when it began */
	if (l->pile->open || l->pile->cut || !l->pile->from_exact)
		c.mark = '>';
	return c;
}

static struct cell blocked(FIGURE_ARGS)
{
	const struct lock_line *l = line_of(v);
	struct cell c;

	if (!l || l->depth > 0)
		return absent;
	c = cell_real(l->pile->waited_s);
	c.mark = '~';
	return c;
}

static struct cell worst(FIGURE_ARGS)
{
	const struct lock_line *l = line_of(v);

	return l ? cell_int(l->pile->most_ns) : absent;
}

static struct cell depth(FIGURE_ARGS)
{
	const struct lock_line *l = line_of(v);

	return l ? cell_int((int64_t)l->depth) : absent;
}

/* The cell that f->inner made at the worst instant. */
static struct cell kept(FIGURE_ARGS);

/* The same, indented by its place in the tree. */
static struct cell indented(FIGURE_ARGS);

#define KEPT(FN) .fn = kept, .inner = FN, .scale = 1, .alone = true
#define BACKEND(SYM) KEPT(of_backend), FROM(BACKEND, SYM)
#define LOGIN(MEMBER, SYM) KEPT(of_login), FROM(BACKEND, SYM), \
	.member = offsetof(struct session, MEMBER)

static const struct figure locks[] = {
	COLUMN("from", "FROM", Q_TIME, 80,
	    "since when the first waits for it; of the session at the root",
	    ALONE(started)),
	COLUMN("lasted_seconds", "LASTED", Q_AGE, 80,
	    "how long some session waited; of the session at the root", ALONE(lasted),
	    YIELDS(5)),
	COLUMN("root", "ROOT", Q_TEXT, 200,
	    "session at the end of its wait chain, or pid and segment if its session is not known; itself if it waits for nobody",
	    KEPT(root)),
	COLUMN("session", "SESSION", Q_TEXT, 80,
	    "con: Greenplum session; else pid, @ and segment; prepared: a prepared transaction; in text, below the one that it waits for",
	    .fn = indented, .inner = session, .scale = 1, .alone = true,
	    KEPT_COLUMN, WHOLE),
	COLUMN("server", "SERVER", Q_TEXT, MANY_SERVERS,
	    "database server: its cluster_name, else its port", KEPT(server), YIELDS(3)),
	COLUMN("pid", "PID", Q_ID, 200,
	    "its representative process: on the coordinator, else on the segment that has the lock",
	    KEPT(pid)),
	COLUMN("host", "HOST", Q_TEXT, 200, "host of that process, if recorded",
	    KEPT(host)),
	COLUMN("state", "STATE", Q_TEXT, 80,
	    "lock: waits; deadlock: is part of a cycle; else as in sessions",
	    KEPT(state)),
	COLUMN("xact_age_seconds", "XACT AGE", Q_AGE, 120, "how long its transaction is open",
	    KEPT(xact_age), FROM(BACKEND, XACT_START)),
	COLUMN("waited_seconds", "WAITED", Q_AGE, 80,
	    "time it has waited; a lower bound if the server does not report it", KEPT(waited)),
	COLUMN("mode", "MODE", Q_TEXT, 100,
	    "lock that it waits for; if it does not wait, lock that it holds",
	    KEPT(mode), FROM(LOCK, MODE)),
	COLUMN("object", "OBJECT", Q_TEXT, 80, "locked object, and the table where a row or a transaction is waited for",
	    KEPT(object), KEPT_COLUMN, LEAST(16), OF_SCHEMA),
	COLUMN("segment", "SEG", Q_ID, 160, "segment of the lock; -1: the coordinator",
	    KEPT(where), FROM(LOCK, CONTENT)),
	COLUMN("blocks", "BLOCKS", Q_COUNT, 80, "sessions that wait for it, directly or not",
	    KEPT(blocks), .col.also = "waiters", YIELDS(1)),
	COLUMN("blocked_seconds", "BLOCKED", Q_SECONDS, 140,
	    "time of all that waited for it together, by samples; of the session at the root",
	    ALONE(blocked)),
	COLUMN("user", "USER", Q_TEXT, 80, "user", LOGIN(user, USER), YIELDS(4)),
	COLUMN("database", "DB", Q_TEXT, 200, "database", LOGIN(database, DATABASE)),
	COLUMN("application", "APP", Q_TEXT, 160, "application name", BACKEND(APPLICATION)),
	COLUMN("cycle", "CYCLE", Q_TEXT, 200, "sessions of its deadlock",
	    KEPT(cycle)),
	COLUMN("cycle_others", "CYCLE OTHERS", Q_TEXT, GRID_ON_REQUEST,
	    "sessions of its deadlock without itself", KEPT(cycle_others)),
	COLUMN("at", "AT", Q_TIME, 200, "an instant when most sessions waited: the line is of then",
	    ALONE(worst)),
	COLUMN("depth", "DEPTH", Q_COUNT, GRID_ON_REQUEST,
	    "place in the tree: 0 is the root, 1 waits for it, and so on", ALONE(depth)),
	COLUMN("query", "QUERY", Q_TEXT, 80, "text of its query, or of its last one",
	    BACKEND(QUERY), FLEXES, LEAST(10), YIELDS(2)),
};

static size_t position(const struct figure *f)
{
	size_t i = 0;

	while (i + 1 < GS_LEN(locks) && locks[i].col.name != f->col.name)
		i++;
	return i;
}

static struct cell kept(FIGURE_ARGS)
{
	struct cell c;

	if (!line_of(v))
		return f->inner(v, f, g);
	c = lock_history_cell(v->state, v->subject, position(f));
	if (c.kind == CELL_TEXT)
		c.text = grid_text(v->grid, c.text, c.len).ptr;
	return c;
}

static struct cell indented(FIGURE_ARGS)
{
	const struct lock_line *l = line_of(v);
	struct cell c = kept(v, f, g);

	if (l)
		c.indent = (unsigned char)GS_MIN(l->depth, (size_t)20);
	return c;
}

/* Sessions that wait or block others now. */
static void list_now(struct view_sink *to)
{
	const struct figure_env *v = view_env(to);
	size_t i, k;

	for (i = 0; i < figure_graphs(v); i++) {
		const struct lockgraph *graph = figure_graph(v, i);

		for (k = 0; k < lockgraph_count(graph); k++) {
			const struct locknode *n = lockgraph_get(graph, k);

			if (n->waits || n->blocks > 0)
				view_put(to, n, NULL);
		}
	}
}

static void list(struct view_sink *to)
{
	const struct figure_env *v = view_env(to);
	size_t i, k, n;

	if (!v->state) {
		list_now(to);
		return;
	}
	n = lock_history_count(v->state, v->engine);
	for (i = 0; i < n; i++) {
		const struct lock_pile *p = lock_history_get(v->state, i);

		for (k = 0; k < p->n_line; k++)
			view_put(to, &p->line[k], NULL);
	}
}

static void *open_history(struct engine *e, bool last_tick)
{
	return last_tick ? NULL : lock_history_new(e, locks, GS_LEN(locks));
}

static void close_history(void *state)
{
	lock_history_free(state);
}

static const struct view_rows rows = { .open = open_history,
	.close = close_history, .list = list };

ROW_VIEW(locks, CLUSTER, "who blocked whom, and when most sessions waited", "",
    .rows = &rows, .catalog = true,
    .collectors = 1u << COLLECT_ACTIVITY | 1u << COLLECT_LOCKS);
