/* SPDX-License-Identifier: Apache-2.0 */
#include "view/query_track.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/fnv.h"
#include "base/mem.h"
#include "model/diff.h"
#include "query/figure.h"
#include "query/labelcol.h"

#define QUERY_NAME_MAX (SESSION_NAME_MAX + 16)

/* More are not followed: a page is about few. */
#define COURSES_MAX 4096u

struct course {
	char name[QUERY_NAME_MAX];
	struct query_course is;
	struct query_point point[QUERY_POINTS_MAX];
	uint32_t merged; /* ticks in a whole interval */
	UT_hash_handle hh;
};

struct query_track {
	const struct engine *engine;
	grouping_only_fn only;
	void *ctx;
	struct course *course;
	struct dbtime *dbtime; /* of a query at a tick */
	uint32_t tick; /* since the start of the range, from 1 */
};

/* ---- courses ------------------------------------------------------------ */

static void name_of(const struct query *q, char to[QUERY_NAME_MAX])
{
	char session[SESSION_NAME_MAX];

	session_name(q->session, session);
	(void)snprintf(to, QUERY_NAME_MAX, "%s/%" PRIu32, session, q->number);
}

static void forget(struct query_track *t)
{
	struct course *c, *next;
	size_t i;

	HASH_ITER(hh, t->course, c, next) {
		HASH_DEL(t->course, c);
		for (i = 0; i < c->is.n; i++)
			free(c->point[i].blocker);
		free(c);
	}
}

static struct course *course_of(struct query_track *t, const struct query *q)
{
	struct course *c;
	char name[QUERY_NAME_MAX];

	name_of(q, name);
	HASH_FIND(hh, t->course, name, strlen(name), c);
	if (c || HASH_COUNT(t->course) >= COURSES_MAX)
		return c;
	c = gs_calloc(1, sizeof(*c));
	memcpy(c->name, name, sizeof(name));
	c->is.name = c->name;
	c->is.point = c->point;
	c->merged = 1;
	HASH_ADD_KEYPTR(hh, t->course, c->name, strlen(c->name), c);
	return c;
}

static void merge(struct query_point *to, struct query_point *from)
{
	to->to_ns = from->to_ns;
	to->last = from->last;
	to->has_cpu |= from->has_cpu;
	to->has_io |= from->has_io;
	to->has_memory |= from->has_memory;
	to->has_spill |= from->has_spill;
	to->cpu_s += from->cpu_s;
	to->io_bytes += from->io_bytes;
	to->memory = GS_MAX(to->memory, from->memory);
	to->spill = GS_MAX(to->spill, from->spill);
	if (from->blocker) {
		free(to->blocker);
		to->blocker = from->blocker;
	}
	*from = (struct query_point) { .first = 0 };
}

static void halve(struct course *c)
{
	size_t i, n = 0;

	for (i = 0; i < c->is.n; i += 2) {
		if (i + 1 < c->is.n)
			merge(&c->point[i], &c->point[i + 1]);
		if (n != i) {
			c->point[n] = c->point[i];
			c->point[i] = (struct query_point) { .first = 0 };
		}
		n++;
	}
	c->is.n = n;
	c->merged *= 2;
}

/* The interval of the newest tick. */
static struct query_point *point_of(struct query_track *t, struct course *c,
	int64_t from_ns, int64_t to_ns)
{
	struct query_point *p = c->is.n > 0 ? &c->point[c->is.n - 1] : NULL;

	if (p && (p->last == t->tick || t->tick - p->first < c->merged)) {
		p->last = t->tick;
		p->to_ns = to_ns;
		return p;
	}
	if (c->is.n == QUERY_POINTS_MAX)
		halve(c);
	p = &c->point[c->is.n++];
	*p = (struct query_point) { .from_ns = from_ns, .to_ns = to_ns,
		.first = t->tick, .last = t->tick };
	return p;
}

/* ---- ticks -------------------------------------------------------------- */

static bool grew(const struct row *r, uint64_t tick, unsigned col, double *to)
{
	uint64_t d;

	if (!cells_has(r->now, col))
		return false;
	if (r->touched_tick == tick && diff_counter(r, col, &d))
		*to += (double)d;
	return true;
}

static void add_level(const struct row *r, unsigned col, double scale,
	bool *ret_has, double *to)
{
	uint64_t v;

	if (!row_get(r, col, &v))
		return;
	*ret_has = true;
	*to += (double)v * scale;
}

static void add_process(struct query_point *u, const struct row *r,
	uint64_t tick, double share)
{
	double us = 0, ticks = 0, bytes = 0;

	if (grew(r, tick, COL(PROCESS, CPU), &us)) {
		u->has_cpu = true;
	} else if (grew(r, tick, COL(PROCESS, UTIME), &ticks) &&
	    grew(r, tick, COL(PROCESS, STIME), &ticks)) {
		u->has_cpu = true;
		us = ticks * (double)diff_tick_ns(r->host) / 1000;
	}
	u->cpu_s += us / 1e6 * share;
	u->has_io |= grew(r, tick, COL(PROCESS, READ_BYTES), &bytes);
	u->has_io |= grew(r, tick, COL(PROCESS, WRITE_BYTES), &bytes);
	u->io_bytes += bytes * share;
	if (cells_has(r->now, COL(PROCESS, RSS_ANON))) {
		add_level(r, COL(PROCESS, RSS_ANON), 1024, &u->has_memory,
		    &u->memory);
		add_level(r, COL(PROCESS, VM_SWAP), 1024, &u->has_memory,
		    &u->memory);
	} else {
		add_level(r, COL(PROCESS, PRIVATE), 1024, &u->has_memory,
		    &u->memory);
	}
	add_level(r, COL(PROCESS, SPILL), 1024, &u->has_spill, &u->spill);
}

static void add_use(struct query_track *t, const struct session *s,
	const struct query *q, const struct query_charge *by, int64_t from_ns)
{
	struct course *c = q && q->number ? course_of(t, q) : NULL;
	struct query_point u = { .first = t->tick }, *to;
	double share = (double)by->share / CHARGE_WHOLE;
	const struct proc *p;

	if (!c)
		return;
	share = by->to == q ? share : by->also == q ? 1 - share : 0;
	for (p = s->procs; p; p = p->next)
		add_process(&u, p->row, world_ticks(t->engine->world), share);
	if (q != s->query) { /* it has ended: levels are the next one's */
		u.has_memory = u.has_spill = false;
		u.memory = u.spill = 0;
	}
	to = point_of(t, c, from_ns, t->engine->to_ns);
	u.last = t->tick;
	u.to_ns = t->engine->to_ns;
	merge(to, &u);
}

/* All queries that worked in the tick, or work now. */
static void add_uses(struct query_track *t, const struct session *s)
{
	struct query_charge by = { .to = s->query, .share = CHARGE_WHOLE };
	int64_t from_ns = t->engine->to_ns - t->engine->interval_ns;

	if (s->procs)
		by = sessions_charge_of(t->engine->sessions, s->procs);
	add_use(t, s, by.to, &by, from_ns);
	add_use(t, s, by.also, &by, from_ns);
	if (s->query != by.to && s->query != by.also)
		add_use(t, s, s->query, &by, from_ns);
}

/* "80 < 79 < 89": who waits for whom, from the one that keeps it waiting. */
static void add_blockers(struct query_track *t, const struct session *s)
{
	struct figure_cache cache = { 0 };
	const struct figure_env env = { .engine = t->engine, .cache = &cache };
	struct buf chain = BUF_INIT;
	struct course *c;

	if (!s->query || s->class != SESSION_WAITING)
		return;
	c = course_of(t, s->query);
	if (c && c->is.n > 0 && labelcol_add_chain(&env, s, &chain)) {
		struct query_point *p = &c->point[c->is.n - 1];

		free(p->blocker);
		p->blocker = gs_strdup(buf_str(&chain));
	}
	buf_release(&chain);
	figure_cache_release(&cache);
}

static void follow(void *self, const struct engine *e)
{
	struct query_track *t = self;
	size_t i;

	t->tick++;
	for (i = 0; i < sessions_count(e->sessions); i++) {
		struct session *s = sessions_get(e->sessions, i);

		if (s->kind == SESSION_OS || s->own ||
		    !t->only(t->ctx, s))
			continue;
		add_uses(t, s);
		add_blockers(t, s);
	}
}

static void restart(void *self, const struct engine *e)
{
	struct query_track *t = self;

	(void)e; /* it is t->engine */
	forget(t);
	t->tick = 0;
}

static uint64_t key_of(const char *name, size_t len, uint32_t tick)
{
	uint64_t h = fnv_add(FNV_BASIS, name, len);

	h = fnv_add(h, &tick, sizeof(tick));
	return h ? h : 1;
}

static uint64_t of_query(void *ctx, const struct session *s)
{
	const struct query_track *t = ctx;
	char name[QUERY_NAME_MAX];

	if (!s->query || s->own || !t->only(t->ctx, s))
		return 0;
	name_of(s->query, name);
	return key_of(name, strlen(name), t->tick);
}

struct query_track *query_track_new(struct engine *e, grouping_only_fn only,
	void *ctx)
{
	struct query_track *t = gs_calloc(1, sizeof(*t));
	const struct follower f = { .self = t, .tick = follow,
		.restart = restart };

	t->engine = e;
	t->only = only;
	t->ctx = ctx;
	engine_add_follower(e, &f); /* counts ticks before the waits do */
	t->dbtime = dbtime_new(e, of_query, t, false);
	return t;
}

void query_track_free(struct query_track *t)
{
	if (!t)
		return;
	forget(t);
	dbtime_free(t->dbtime);
	free(t);
}

/* ---- results ------------------------------------------------------------ */

const struct query_course *query_track_find(const struct query_track *t,
	struct span name)
{
	struct course *c;

	HASH_FIND(hh, t->course, name.ptr, span_len(name), c);
	return c ? &c->is : NULL;
}

static int by_time(const void *a, const void *b)
{
	const struct dbtime_part *x = a, *y = b;

	return x->time_ns < y->time_ns ? 1 : x->time_ns > y->time_ns ? -1
	    : strcmp(x->event->event, y->event->event);
}

static void add_parts(struct dbtime_part **all, size_t *n, size_t *cap,
	const struct dbtime_part *p, size_t n_p)
{
	size_t i, k;

	for (k = 0; k < n_p; k++) {
		for (i = 0; i < *n && (*all)[i].event != p[k].event; i++)
			;
		if (i == *n) {
			GS_GROW(*all, cap, *n + 1);
			(*all)[(*n)++] = (struct dbtime_part) {
				.event = p[k].event };
		}
		(*all)[i].time_ns += p[k].time_ns;
	}
}

struct dbtime_part *query_track_waits(const struct query_track *t,
	struct span name, const struct query_point *in, size_t *ret_n)
{
	const struct query_course *c = query_track_find(t, name);
	struct dbtime_part *all = NULL;
	size_t n = 0, cap = 0;
	uint32_t tick, last;

	*ret_n = 0;
	if (!c || c->n == 0)
		return NULL;
	last = in ? in->last : c->point[c->n - 1].last;
	for (tick = in ? in->first : c->point[0].first; tick <= last; tick++) {
		size_t n_p;
		const struct dbtime_part *p = dbtime_parts(t->dbtime,
		    key_of(name.ptr, span_len(name), tick), &n_p);

		add_parts(&all, &n, &cap, p, n_p);
	}
	if (n > 1)
		qsort(all, n, sizeof(*all), by_time);
	*ret_n = n;
	return all;
}
