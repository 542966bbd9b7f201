/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dbtime.c - see dbtime.h.
 */
#include "query/dbtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/arith.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "model/cursor.h"
#include "query/remark.h"
#include "query/server_waits.h"

/* A session has few events.  What a crafted file has more, and names of events that are
 * told, count as one. */
#define PARTS_MAX 256u
#define TOLD_MAX 4096u

static const struct wait_event further = { .kind = WAIT_EVENT,
	.class = (char *)(uintptr_t)"Unknown", .event = (char *)(uintptr_t)"" };

struct entry {
	uint64_t of;
	struct dbtime_part *part; /* most time first, once sorted */
	size_t n, cap;
	bool sorted;
	UT_hash_handle hh;
};

/* "Lock:relation" */
struct told {
	struct wait_event is;
	char *key;
	UT_hash_handle hh;
};

struct dbtime {
	const struct engine *engine;
	dbtime_of_fn of;
	void *ctx;
	bool events; /* of catalogs only */
	bool sampled; /* some tick of the range was looked at */
	struct server_waits *waits;
	struct entry *entry;
	struct told *told; /* events of ticks that were not sampled */
	struct buf key;
};

uint64_t dbtime_of_session(void *ctx, const struct session *s)
{
	(void)ctx; /* not needed */
	return s->key_hash;
}

size_t dbtime_event_name(const struct wait_event *e, char to[DBTIME_NAME_MAX])
{
	int n = e->event[0] != '\0'
	    ? snprintf(to, DBTIME_NAME_MAX, "%s:%s", e->class, e->event)
	    : snprintf(to, DBTIME_NAME_MAX, "%s", e->class);

	return GS_MIN((size_t)n, (size_t)DBTIME_NAME_MAX - 1);
}

/* ---- sums --------------------------------------------------------------- */

static void forget(struct dbtime *d)
{
	struct entry *e, *next;

	HASH_ITER(hh, d->entry, e, next) {
		HASH_DEL(d->entry, e);
		free(e->part);
		free(e);
	}
}

static struct entry *entry_of(struct dbtime *d, uint64_t of)
{
	struct entry *e;

	HASH_FIND(hh, d->entry, &of, sizeof(of), e);
	if (e)
		return e;
	e = gs_calloc(1, sizeof(*e));
	e->of = of;
	HASH_ADD(hh, d->entry, of, sizeof(e->of), e);
	return e;
}

bool dbtime_same_event(const struct wait_event *a, const struct wait_event *b)
{
	return a == b || (a->kind == b->kind &&
	    strcmp(a->class, b->class) == 0 && strcmp(a->event, b->event) == 0);
}

/* The place of its part; e->n: it has none. */
static size_t part_of(const struct entry *e, const struct wait_event *event)
{
	size_t i;

	for (i = 0; i < e->n; i++) {
		if (e->part[i].event == event)
			return i;
	}
	for (i = 0; i < e->n; i++) {
		if (dbtime_same_event(e->part[i].event, event))
			return i;
	}
	return i;
}

static void add(struct entry *e, const struct wait_event *event, int64_t ns)
{
	size_t i = part_of(e, event);

	if (i == e->n && e->n >= PARTS_MAX - 1) {
		event = &further;
		i = part_of(e, event);
	}
	if (i == e->n) {
		GS_GROW(e->part, &e->cap, e->n + 1);
		e->part[e->n++] = (struct dbtime_part) { .event = event };
	}
	e->part[i].time_ns = gs_sum(e->part[i].time_ns, ns);
	e->sorted = false;
}

static const struct session *session_of(const struct engine *e,
	const struct row *row)
{
	const struct proc *p;

	if (row->entity == ENTITY_BACKEND)
		return row->closed
		    ? sessions_of_ended_backend(e->sessions, row)
		    : sessions_of_backend(e->sessions, row);
	p = sessions_proc(e->sessions, row);
	return p ? p->session : NULL;
}

static void note(void *ctx, const struct row *row,
	const struct wait_event *event, int64_t time_ns)
{
	struct dbtime *d = ctx;
	const struct session *s = session_of(d->engine, row);
	uint64_t of = s ? d->of(d->ctx, s) : 0;

	if (of != 0)
		add(entry_of(d, of), event, time_ns);
}

/* ---- ticks that are not sampled ------------------------------------------- */

static void set_event(struct wait_event *e, const struct tick_wait *w)
{
	struct span name = w->event, class;
	bool has_event = scan_until(&name, ':', &class);

	e->kind = w->kind == WAIT_CPU + 1 ? WAIT_CPU : WAIT_EVENT;
	if (!has_event)
		class = name;
	e->class = gs_strndup(class.ptr, span_len(class));
	e->event = has_event ? gs_strndup(name.ptr, span_len(name))
	                     : gs_strdup("");
}

static const struct wait_event *told_event(struct dbtime *d,
	const struct tick_wait *w)
{
	struct told *t;

	buf_reset(&d->key);
	buf_add_int(&d->key, w->kind);
	buf_add(&d->key, w->event.ptr, span_len(w->event));
	HASH_FIND(hh, d->told, d->key.ptr, d->key.len, t);
	if (t)
		return &t->is;
	if (HASH_COUNT(d->told) == TOLD_MAX)
		return &further;
	t = gs_calloc(1, sizeof(*t));
	t->key = gs_strndup(d->key.ptr, d->key.len);
	set_event(&t->is, w);
	HASH_ADD_KEYPTR(hh, d->told, t->key, d->key.len, t);
	return &t->is;
}

static void forget_told(struct dbtime *d)
{
	struct told *t, *next;

	HASH_ITER(hh, d->told, t, next) {
		HASH_DEL(d->told, t);
		free(t->is.class);
		free(t->is.event);
		free(t->key);
		free(t);
	}
}

static const struct row *row_of_wait(const struct engine *e,
	const struct tick_wait *w)
{
	const struct host *h = world_host_of(e->world, w->host);

	return remark_row(e->world, w->host, h && h->catalog ? ENTITY_BACKEND
	    : ENTITY_PROCESS, w->slot);
}

void dbtime_add(struct dbtime *d, const struct tick_wait *w, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct row *r = row_of_wait(d->engine, &w[i]);

		if (r)
			note(d, r, told_event(d, &w[i]), w[i].time_ns);
	}
}

/* ---- ticks -------------------------------------------------------------- */

static void follow(void *self, const struct engine *e)
{
	struct dbtime *d = self;

	if (d->events && !world_catalog(e->world, 0))
		return;
	if (e->unsampled)
		server_waits_pass(d->waits, e->world, e->sessions,
		    e->interval_ns);
	else
		server_waits_tick(d->waits, e->world, e->sessions,
		    e->interval_ns);
	dbtime_add(d, e->wait, e->n_wait);
	d->sampled = true;
}

/* What it tells, and ticks that show what backends do, must count for the same as all
 * ticks would. */
static bool takes_gist(void *self, const struct engine *e,
	const struct gist_about *g)
{
	const struct dbtime *d = self;

	if (d->events && !world_catalog(e->world, 0))
		return true;
	return g->has_catalog && (g->shows_waits ||
	    (!server_waits_is_full(d->waits) && g->relations ==
	    sessions_relations(e->sessions, e->world)));
}

static void restart(void *self, const struct engine *e)
{
	struct dbtime *d = self;

	forget(d);
	d->sampled = false;
	server_waits_restart(d->waits, e->before_ns > 0);
}

struct dbtime *dbtime_new(struct engine *e, dbtime_of_fn of, void *ctx,
	bool events)
{
	struct dbtime *d = gs_calloc(1, sizeof(*d));
	const struct follower f = { .self = d, .tick = follow,
		.restart = restart, .takes_gist = takes_gist };

	d->engine = e;
	d->of = of;
	d->ctx = ctx;
	d->events = events;
	d->waits = server_waits_new(0, note, d);
	engine_add_follower(e, &f);
	return d;
}

void dbtime_free(struct dbtime *d)
{
	if (!d)
		return;
	forget(d);
	server_waits_free(d->waits);
	forget_told(d);
	buf_release(&d->key);
	free(d);
}

/* ---- results ------------------------------------------------------------ */

static int by_time(const void *a, const void *b)
{
	const struct dbtime_part *x = a, *y = b;
	int r = strcmp(x->event->class, y->event->class);

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? 1 : -1;
	return r ? r : strcmp(x->event->event, y->event->event);
}

const struct dbtime_part *dbtime_parts(const struct dbtime *d, uint64_t of,
	size_t *ret_n)
{
	struct entry *e;

	*ret_n = 0;
	HASH_FIND(hh, d->entry, &of, sizeof(of), e);
	if (!e)
		return NULL;
	if (!e->sorted)
		qsort(e->part, e->n, sizeof(*e->part), by_time);
	e->sorted = true;
	*ret_n = e->n;
	return e->part;
}

uint64_t dbtime_steady_after(const struct dbtime *d)
{
	return server_waits_steady_after(d->waits);
}

uint64_t *dbtime_list(const struct dbtime *d, size_t *ret_n)
{
	uint64_t *list = gs_calloc(HASH_COUNT(d->entry) + 1, sizeof(*list));
	const struct entry *e;
	size_t n = 0;

	for (e = d->entry; e; e = e->hh.next)
		list[n++] = e->of;
	*ret_n = n;
	return list;
}

bool dbtime_is_sampled(const struct dbtime *d)
{
	return d->sampled;
}

int64_t dbtime_sum(const struct dbtime *d, uint64_t of)
{
	size_t i, n;
	const struct dbtime_part *p = dbtime_parts(d, of, &n);
	int64_t sum = 0;

	for (i = 0; i < n; i++)
		sum = gs_sum(sum, p[i].time_ns);
	return sum;
}

const struct dbtime_part *dbtime_main_wait(const struct dbtime *d,
	uint64_t of)
{
	size_t i, n;
	const struct dbtime_part *p = dbtime_parts(d, of, &n);

	for (i = 0; i < n; i++) {
		if (p[i].event->kind == WAIT_EVENT && p[i].time_ns > 0 &&
		    strcmp(p[i].event->class, "Unknown") != 0)
			return &p[i];
	}
	return NULL;
}
