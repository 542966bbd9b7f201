/* SPDX-License-Identifier: Apache-2.0 */
#include "view/lock_history.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/mem.h"

/* Sessions whose tree is made at each tick. */
#define MANY 200

struct lock_history {
	const struct figure *figure;
	size_t n_figure;
	struct lock_pile **pile;
	size_t n, cap;
	struct lock_pile **shown; /* for lock_history_get() */
	size_t n_shown, shown_cap;
	int64_t last_ns; /* the tick before */
	int64_t base_ns; /* the tick at which the range begins */
};

static void pile_free(struct lock_pile *p)
{
	free(p->line);
	free(p->cell);
	grid_free(p->grid);
	free(p);
}

/* ---- the tree below a root ------------------------------------------------ */

/* The members of a tree, by their position in the graph. */
struct tree {
	const struct lockgraph *graph;
	size_t *node;
	size_t *depth; /* members that it waits for, the root among them */
	size_t n;
};

static size_t waits_for(const struct tree *t, size_t i)
{
	size_t k, n = 0;

	for (k = 0; k < t->n; k++)
		n += k != i && lockgraph_waits(t->graph, t->node[i],
		    t->node[k]);
	return n;
}

/* The root first. */
static void find_members(struct tree *t, const struct lockgraph *g,
	size_t root, size_t *ret_left_out)
{
	size_t i, count = lockgraph_count(g);

	*t = (struct tree) { .graph = g,
		.node = gs_calloc(count, sizeof(size_t)),
		.depth = gs_calloc(count, sizeof(size_t)) };
	*ret_left_out = 0;
	t->node[t->n++] = root;
	for (i = 0; i < count; i++) {
		if (i == root || lockgraph_get(g, i)->root != root)
			continue;
		if (t->n < LOCK_LINES_MAX)
			t->node[t->n++] = i;
		else
			++*ret_left_out;
	}
	for (i = 1; i < t->n; i++)
		t->depth[i] = waits_for(t, i);
}

typedef bool (*waits_fn)(const struct lockgraph *g, size_t a, size_t b);

/* Of those that it waits for, the one that waits for most others itself; in a
 * deadlock, where all wait for each other, the root. */
static size_t parent_among(const struct tree *t, size_t i, waits_fn waits)
{
	size_t k, best = 0;

	for (k = 1; k < t->n; k++) {
		if (k != i && t->depth[k] < t->depth[i] &&
		    t->depth[k] > t->depth[best] &&
		    waits(t->graph, t->node[i], t->node[k]))
			best = k;
	}
	return best;
}

/* Who waits for one of a deadlock waits for all of it, but stands below that one. */
static size_t parent_of(const struct tree *t, size_t i)
{
	size_t direct = parent_among(t, i, lockgraph_waits_directly);

	if (direct > 0 || lockgraph_waits_directly(t->graph, t->node[i],
	    t->node[0]))
		return direct;
	return parent_among(t, i, lockgraph_waits);
}

static bool is_before(const struct tree *t, size_t a, size_t b)
{
	const struct locknode *x = lockgraph_get(t->graph, t->node[a]);
	const struct locknode *y = lockgraph_get(t->graph, t->node[b]);

	return x->blocks != y->blocks ? x->blocks > y->blocks
	    : x->since_ns < y->since_ns;
}

/* In the order of lines: each below the one that it waits for; among equals
 * who blocks most, then who waits longest.  depth becomes that in the tree. */
static void put_in_order(const struct tree *t, size_t order[], size_t level[])
{
	size_t *parent = gs_calloc(t->n, sizeof(*parent));
	bool *done = gs_calloc(t->n, sizeof(*done));
	size_t i, at = 0, n = 1, best;

	for (i = 1; i < t->n; i++)
		parent[i] = parent_of(t, i);
	order[0] = 0;
	level[0] = 0;
	done[0] = true;
	/* at: the line whose children are looked for; up where it has none */
	while (n < t->n) {
		for (best = 0, i = 1; i < t->n; i++) {
			if (!done[i] && parent[i] == at &&
			    (best == 0 || is_before(t, i, best)))
				best = i;
		}
		if (best == 0) {
			at = parent[at];
			continue;
		}
		done[best] = true;
		order[n] = best;
		level[best] = level[at] + 1;
		n++;
		at = best;
	}
	free(parent);
	free(done);
}

/* ---- cells ---------------------------------------------------------------- */

static void add_line(const struct lock_history *h, struct lock_pile *p,
	struct figure_env *v, size_t depth, const struct locknode *n)
{
	size_t k, first = p->n_line * h->n_figure;

	v->subject = n;
	p->line[p->n_line++] = (struct lock_line) { p, depth, first };
	for (k = 0; k < h->n_figure; k++) {
		const struct figure *f = &h->figure[k];

		if (f->inner)
			p->cell[first + k] = f->inner(v, f, NULL);
	}
}

/* Keeps what the graph shows now. */
static void keep_lines(const struct lock_history *h, struct lock_pile *p,
	struct figure_env *v, const struct lockgraph *g, size_t root)
{
	struct tree t;
	size_t *order, *level, i;

	find_members(&t, g, root, &p->n_left_out);
	order = gs_calloc(t.n, sizeof(*order));
	level = gs_calloc(t.n, sizeof(*level));
	put_in_order(&t, order, level);
	grid_free(p->grid);
	free(p->line);
	free(p->cell);
	p->grid = grid_new("locks", NULL);
	p->line = gs_calloc(t.n, sizeof(*p->line));
	p->cell = gs_calloc(t.n * h->n_figure, sizeof(*p->cell));
	p->n_line = 0;
	v->grid = p->grid;
	for (i = 0; i < t.n; i++)
		add_line(h, p, v, level[order[i]],
		    lockgraph_get(g, t.node[order[i]]));
	free(order);
	free(level);
	free(t.node);
	free(t.depth);
}

/* ---- ticks ---------------------------------------------------------------- */

static bool is_of(const struct lock_pile *p, uint32_t catalog,
	const struct locknode *n)
{
	return p->catalog == catalog && p->has_session == n->has_session &&
	    p->has_pid == n->has_pid && p->session == n->session &&
	    p->content == n->content && p->pid == n->pid;
}

static struct lock_pile *pile_of(struct lock_history *h, uint32_t catalog,
	const struct locknode *n)
{
	struct lock_pile *p;
	size_t i;

	for (i = 0; i < h->n; i++) {
		if (h->pile[i]->open && is_of(h->pile[i], catalog, n))
			return h->pile[i];
	}
	if (h->n == LOCK_PILES_MAX)
		return NULL;
	p = gs_calloc(1, sizeof(*p));
	p->catalog = catalog;
	p->has_session = n->has_session;
	p->has_pid = n->has_pid;
	p->session = n->session;
	p->content = n->content;
	p->pid = n->pid;
	p->from_ns = INT64_MAX;
	GS_GROW(h->pile, &h->cap, h->n + 1);
	h->pile[h->n++] = p;
	return p;
}

/* When the first of its waiters began to wait, by the recorder's clock. */
static void note_start(struct lock_pile *p, const struct engine *e,
	const struct lockgraph *g, size_t root)
{
	const struct host *catalog = lockgraph_catalog(g);
	size_t i;

	for (i = 0; i < lockgraph_count(g); i++) {
		const struct locknode *n = lockgraph_get(g, i);
		int64_t ns;

		if (!n->waits || n->root != root)
			continue;
		/* by the server's clock: how long ago */
		ns = gs_difference(e->to_ns, gs_difference(
		    catalog->clock.wall_ns, n->since_ns));
		if (ns >= p->from_ns)
			continue;
		p->from_ns = ns;
		p->from_exact = n->since_exact;
	}
}

/* Whether the lines of this tick tell more than those that are kept: more wait, or
 * as many, and longer.  A large tree is made again only for a quarter more. */
static bool is_worth(const struct lock_pile *p, size_t blocks)
{
	int64_t before = gs_difference(p->most_ns, p->from_ns);
	int64_t now = gs_difference(p->to_ns, p->from_ns);

	if (blocks != p->most)
		return blocks > p->most;
	return blocks <= MANY || now / 5 >= before / 4;
}

static void take_root(struct lock_history *h, const struct engine *e,
	struct figure_env *v, const struct lockgraph *g, size_t root)
{
	const struct host *catalog = lockgraph_catalog(g);
	const struct locknode *n = lockgraph_get(g, root);
	struct lock_pile *p = pile_of(h, catalog->index, n);

	if (!p)
		return;
	note_start(p, e, g, root);
	p->open = true;
	p->to_ns = e->to_ns;
	p->waited_s += (double)n->blocks *
	    (double)gs_difference(e->to_ns, h->last_ns) /
	    (double)GS_NSEC_PER_SEC;
	if (!is_worth(p, n->blocks))
		return;
	p->most = n->blocks;
	p->most_ns = e->to_ns;
	keep_lines(h, p, v, g, root);
}

/* Nobody waits where the catalog has no lock that somebody waits for, and no
 * backend that is blocked. */
static bool may_wait(const struct engine *e)
{
	const struct host *c;
	size_t i;

	for (i = 0; (c = world_catalog(e->world, i)) != NULL; i++) {
		if (c->table[ENTITY_LOCK].n_live > 0 ||
		    c->table[ENTITY_BACKEND].n_live > 0)
			return true;
	}
	return false;
}

static void close_all(struct lock_history *h, const struct engine *e)
{
	size_t i;

	for (i = 0; i < h->n; i++) {
		struct lock_pile *p = h->pile[i];
		bool was = p->open;

		p->open = p->to_ns == e->to_ns;
		p->cut |= was && !p->open && !e->follows;
	}
}

static void take(struct lock_history *h, const struct engine *e)
{
	struct figure_cache cache = { 0 };
	struct figure_env v = { .engine = e, .cache = &cache };
	size_t i, k;

	if (!may_wait(e)) {
		close_all(h, e);
		h->last_ns = e->to_ns;
		return;
	}
	for (i = 0; i < figure_graphs(&v); i++) {
		const struct lockgraph *g = figure_graph(&v, i);

		for (k = 0; k < lockgraph_count(g); k++) {
			const struct locknode *n = lockgraph_get(g, k);

			if (n->root == k && n->blocks > 0)
				take_root(h, e, &v, g, k);
		}
	}
	figure_cache_release(&cache);
	close_all(h, e);
	h->last_ns = e->to_ns;
}

static void forget(struct lock_history *h)
{
	while (h->n > 0)
		pile_free(h->pile[--h->n]);
	h->n_shown = 0;
}

static void tick(void *self, const struct engine *e)
{
	take(self, e);
}

/* What the range begins with is a part of it. */
static void restart(void *self, const struct engine *e)
{
	struct lock_history *h = self;

	forget(h);
	h->last_ns = h->base_ns = e->to_ns;
	take(h, e);
}

struct lock_history *lock_history_new(struct engine *e,
	const struct figure *figure, size_t n_figure)
{
	struct lock_history *h = gs_calloc(1, sizeof(*h));

	h->figure = figure;
	h->n_figure = n_figure;
	engine_add_follower(e, &(struct follower) {
		.self = h, .tick = tick, .restart = restart });
	return h;
}

void lock_history_free(struct lock_history *h)
{
	if (!h)
		return;
	forget(h);
	free(h->pile);
	free(h->shown);
	free(h);
}

/* ---- reading -------------------------------------------------------------- */

static int by_waiting(const void *a, const void *b)
{
	const struct lock_pile *x = *(struct lock_pile *const *)a;
	const struct lock_pile *y = *(struct lock_pile *const *)b;

	if (x->waited_s < y->waited_s || x->waited_s > y->waited_s)
		return x->waited_s < y->waited_s ? 1 : -1;
	if (x->most != y->most)
		return x->most < y->most ? 1 : -1;
	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

size_t lock_history_count(struct lock_history *h, const struct engine *e)
{
	size_t i;

	h->n_shown = 0;
	for (i = 0; i < h->n; i++) {
		/* over before the only tick of the range */
		if (e->n_ticks == 1 && h->pile[i]->to_ns == h->base_ns)
			continue;
		GS_GROW(h->shown, &h->shown_cap, h->n_shown + 1);
		h->shown[h->n_shown++] = h->pile[i];
	}
	if (h->n_shown > 1)
		qsort(h->shown, h->n_shown, sizeof(*h->shown), by_waiting);
	return h->n_shown;
}

const struct lock_pile *lock_history_get(const struct lock_history *h,
	size_t i)
{
	return h->shown[i];
}

struct cell lock_history_cell(const struct lock_history *h,
	const struct lock_line *line, size_t k)
{
	(void)h;
	return line->pile->cell[line->cell + k];
}
