/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid_kit.c - shared by the tables of waits: the selection, its sums as
 * items, cells.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/arith.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "waitgrid/waitgrid_int.h"

bool wait_is_detail(const struct wait_ask *a)
{
	return a->pid != 0 || a->session;
}

bool waitgrid_is_listed(const char *list, const char *word)
{
	struct span all = span_str(list), item;
	bool more = true;

	while (more) {
		more = scan_until(&all, ',', &item);
		if (!more)
			item = all;
		if (span_eq(item, word))
			return true;
	}
	return false;
}

size_t wait_event_name(const struct wait_event *e, char to[WAIT_NAME_MAX])
{
	int n = e->event[0] != '\0'
	    ? snprintf(to, WAIT_NAME_MAX, "%s:%s", e->class, e->event)
	    : snprintf(to, WAIT_NAME_MAX, "%s", e->class);

	return GS_MIN((size_t)n, (size_t)WAIT_NAME_MAX - 1);
}

static bool is_query(const struct wait_query *q, const char *want)
{
	char id[24];

	if (!q)
		return false;
	(void)snprintf(id, sizeof(id), "%" PRId64, q->id);
	return (q->has_id && strcmp(id, want) == 0) ||
	    (q->text[0] != '\0' && strncmp(q->text, want, strlen(want)) == 0);
}

static bool is_session(const struct wait_backend *b, const char *want)
{
	char name[24];

	(void)snprintf(name, sizeof(name), "%" PRIu64, b->session);
	return strcmp(strncmp(want, "con", 3) == 0 ? want + 3 : want,
	    name) == 0;
}

bool waitgrid_is_asked(const struct wait_ask *a, const struct wait_backend *b)
{
	return (!a->session || is_session(b, a->session)) &&
	    (a->pid == 0 || b->pid == a->pid);
}

static bool is_asked(const struct wait_ask *a, const struct wait_row *r)
{
	char name[WAIT_NAME_MAX];

	if (a->classes && !waitgrid_is_listed(a->classes, r->event->class))
		return false;
	if (a->event) {
		(void)wait_event_name(r->event, name);
		if (strcmp(a->event, name) != 0)
			return false;
	}
	if (a->query_id && !is_query(r->query, a->query_id))
		return false;
	return !wait_is_detail(a) || waitgrid_is_asked(a, r->backend);
}

bool wait_event_works(const struct wait_event *e)
{
	return e->kind >= WAIT_CPU;
}

bool wait_is_little(const struct wait_ask *a, double usual, int64_t ns,
	int64_t db_ns)
{
	double least = a->min_percent < 0 ? usual : a->min_percent;

	return least > 0 && db_ns > 0 &&
	    100.0 * (double)ns / (double)db_ns < least;
}

int wait_by_event(const struct wait_event *a, const struct wait_event *b)
{
	int r = strcmp(a->class, b->class);

	return r ? r : strcmp(a->event, b->event);
}

static int by_time(const void *a, const void *b)
{
	const struct wait_item *x = a, *y = b;
	int r;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? 1 : -1;
	r = wait_by_event(x->event, y->event);
	if (r == 0 && x->backend && y->backend)
		r = x->backend->pid < y->backend->pid ? -1
		    : x->backend->pid > y->backend->pid;
	if (r == 0 && x->query && y->query)
		r = strcmp(x->query->text, y->query->text);
	return r ? r : x->nth < y->nth ? -1 : x->nth > y->nth;
}

static void add_sum(struct wait_sum *to, const struct wait_sum *s)
{
	size_t k;

	to->time_ns = gs_sum(to->time_ns, s->time_ns);
	to->samples += s->samples;
	to->runs += s->runs;
	to->longest = GS_MAX(to->longest, s->longest);
	to->longest_ns = GS_MAX(to->longest_ns, s->longest_ns);
	for (k = 0; k < WAITS_BUCKETS; k++)
		to->bucket[k] += s->bucket[k];
	to->cpu_ns = gs_sum(to->cpu_ns, s->cpu_ns);
	to->queue_ns = gs_sum(to->queue_ns, s->queue_ns);
	to->with_io_ns = gs_sum(to->with_io_ns, s->with_io_ns);
	to->io_ns = gs_sum(to->io_ns, s->io_ns);
	to->asleep_ns = gs_sum(to->asleep_ns, s->asleep_ns);
}

/* Of an item of several rows. */
struct own_sums {
	struct wait_sum sum, segment;
};

static void add_sums(struct own_sums *to, const struct wait_item *it)
{
	add_sum(&to->sum, it->sum);
	add_sum(&to->segment, it->segment);
}

/* The item gets sums of its own, which begin with those of its row. */
static struct own_sums *own_sums(struct wait_items *s, struct wait_item *it)
{
	struct own_sums *own;

	if (!s->sums)
		s->sums = arena_new();
	own = arena_zalloc(s->sums, sizeof(*own));
	add_sums(own, it);
	it->sum = &own->sum;
	it->segment = &own->segment;
	it->own = own;
	return own;
}

static bool same_key(const struct wait_item *x, const struct wait_item *y)
{
	return x->event == y->event && x->backend == y->backend &&
	    x->query == y->query;
}

static size_t hash_key(const struct wait_item *it)
{
	uint64_t h = (uintptr_t)it->event;

	h = (h ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15) + (uintptr_t)it->backend;
	h = (h ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15) + (uintptr_t)it->query;
	h = (h ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(h >> 32);
}

/* Where an equal item is among those that slot has, as number + 1; or is to be. */
static uint32_t *find_equal(const struct wait_items *s, uint32_t *slot,
	size_t mask, const struct wait_item *it)
{
	size_t k = hash_key(it) & mask;

	while (slot[k] && !same_key(&s->item[slot[k] - 1], it))
		k = (k + 1) & mask;
	return &slot[k];
}

/* Items while they are collected. */
struct collecting {
	struct wait_items *to;
	uint32_t *slot; /* find_equal() */
	size_t mask, cap; /* of slots; items */
};

/* For at most `most` different items. */
static struct collecting begin_collecting(struct wait_items *to, size_t most)
{
	struct collecting c = { .to = to, .cap = 1 };
	size_t n_slot = 16;

	while (n_slot < 2 * most)
		n_slot *= 2;
	c.slot = gs_calloc(n_slot, sizeof(*c.slot));
	c.mask = n_slot - 1;
	to->item = gs_calloc(c.cap, sizeof(*to->item));
	return c;
}

/* Items stand in order of the first of each that are equal. */
static void collect(struct collecting *c, const struct wait_item *it)
{
	struct wait_items *s = c->to;
	uint32_t *at = find_equal(s, c->slot, c->mask, it);
	struct wait_item *same;

	if (*at == 0) {
		GS_GROW(s->item, &c->cap, s->n + 1);
		s->item[s->n++] = *it;
		*at = (uint32_t)s->n;
		return;
	}
	same = &s->item[*at - 1];
	add_sums(same->own ? same->own : own_sums(s, same), it);
}

void wait_items_collect(struct wait_items *s, const struct waits *of,
	const struct wait_ask *a, unsigned by)
{
	size_t i, all = waits_count(of);
	bool some = wait_is_detail(a) || a->query_id;
	struct collecting c;

	*s = (struct wait_items) { .n = 0 };
	waits_total(of, &s->total);
	c = begin_collecting(s, all);
	for (i = 0; i < all; i++) {
		const struct wait_row *r = waits_get(of, i);

		if (is_asked(a, r))
			collect(&c, &(struct wait_item) { r->event,
			    by & WAITS_BY_BACKEND ? r->backend : NULL,
			    by & WAITS_BY_QUERY ? r->query : NULL,
			    r->sum, r->segment, .own = NULL });
	}
	free(c.slot);
	s->db_time_ns = some ? 0 : s->total.db_time_ns;
	for (i = 0; i < s->n; i++) {
		struct wait_item *it = &s->item[i];

		it->nth = i;
		/* a segment's backend was selected explicitly */
		it->time_ns = it->sum->time_ns +
		    (wait_is_detail(a) ? it->segment->time_ns : 0);
		if (some && wait_event_works(it->event))
			s->db_time_ns = gs_sum(s->db_time_ns, it->time_ns);
	}
}

void wait_items_init(struct wait_items *s, const struct waits *of,
	const struct wait_ask *a, unsigned by)
{
	wait_items_collect(s, of, a, by);
	qsort(s->item, s->n, sizeof(*s->item), by_time);
}

void wait_items_release(struct wait_items *s)
{
	free(s->item);
	arena_free(s->sums);
	*s = (struct wait_items) { .n = 0 };
}

const struct wait_item *wait_items_find(const struct wait_items *s,
	const struct wait_event *e)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		const struct wait_event *o = s->item[i].event;

		if (o->kind == e->kind && strcmp(o->class, e->class) == 0 &&
		    strcmp(o->event, e->event) == 0)
			return &s->item[i];
	}
	return NULL;
}

struct grid *wait_grid_new(const char *name, const struct grid_col *col,
	size_t n, const struct wait_window *w)
{
	struct grid *g = grid_new(name, NULL);
	struct waits_total t;
	size_t i;

	waits_total(w->waits, &t);
	for (i = 0; i < n; i++) {
		struct grid_col c = col[i];

		/* columns of segments are shown by default if there are
		 * segments */
		if (c.min_width == GRID_ON_REQUEST && t.segments)
			c.min_width = 80;
		grid_add_col(g, &c);
	}
	g->from_ns = w->from_ns;
	g->to_ns = w->to_ns;
	g->covered_s = (double)t.covered_ns / 1e9;
	return g;
}

static struct cell absent(void)
{
	return (struct cell) { .kind = CELL_ABSENT };
}

struct cell wait_text(struct grid *g, const char *s)
{
	return s && *s ? cell_text(grid_text(g, s, strlen(s))) : absent();
}

static struct cell estimate(double v)
{
	struct cell c = cell_real(v);

	c.mark = '~';
	return c;
}

struct cell wait_seconds(int64_t ns)
{
	return estimate((double)ns / 1e9);
}

struct cell wait_percent(int64_t part_ns, int64_t of_ns)
{
	return of_ns > 0 ? estimate(100.0 * (double)part_ns / (double)of_ns)
	                 : absent();
}

struct cell wait_average(int64_t part_ns, int64_t of_ns)
{
	return of_ns > 0 ? estimate((double)part_ns / (double)of_ns)
	                 : absent();
}

struct cell wait_at_least(struct cell c)
{
	c.mark = '>';
	return c;
}
