/* SPDX-License-Identifier: Apache-2.0 */
#include "view/executions.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"

/* Durations that are kept of a statement; of more, every second one goes. */
#define KEPT_MAX 4096u

struct sums {
	struct executed is; /* p95_s is made at the end */
	double *took_s;
	size_t n, cap;
	uint64_t every; /* one of so many is kept */
	UT_hash_handle hh; /* by is.of */
};

/* The execution that a session runs or ran last. */
struct current {
	uint64_t session; /* hash of its key */
	uint64_t start_us; /* query_start */
	const struct statement *of;
	bool running, counted;
	double ran_s; /* while it runs: so far */
	uint64_t tick; /* the last that saw the session */
	UT_hash_handle hh;
};

struct executions {
	const struct engine *engine;
	struct sums *sums;
	struct current *current;
	uint64_t tick;
};

/* ---- sums --------------------------------------------------------------- */

static void add_duration(struct sums *s, double took_s, bool bound)
{
	size_t i;

	s->is.total_s += took_s;
	s->is.bounds |= bound;
	if (took_s > s->is.worst_s || s->n == 0) {
		s->is.worst_s = took_s;
		s->is.worst_is_bound = bound;
	}
	if (s->is.n % s->every != 0)
		return;
	if (s->n == KEPT_MAX) {
		for (i = 0; 2 * i < s->n; i++)
			s->took_s[i] = s->took_s[2 * i];
		s->n = i;
		s->every *= 2;
	}
	GS_GROW(s->took_s, &s->cap, s->n + 1);
	s->took_s[s->n++] = took_s;
}

static struct sums *sums_of(struct executions *x, const struct statement *of)
{
	struct sums *s;

	HASH_FIND_PTR(x->sums, &of, s);
	if (s)
		return s;
	s = gs_calloc(1, sizeof(*s));
	s->is.of = of;
	s->is.first_ns = x->engine->to_ns;
	s->every = 1;
	HASH_ADD_PTR(x->sums, is.of, s);
	return s;
}

static void sums_free(struct sums *s)
{
	free(s->took_s);
	free(s);
}

static void forget(struct executions *x)
{
	struct sums *s, *next;

	HASH_ITER(hh, x->sums, s, next) {
		HASH_DEL(x->sums, s);
		sums_free(s);
	}
}

/* ---- ticks -------------------------------------------------------------- */

static void end(struct executions *x, struct current *c, double took_s,
	bool bound)
{
	if (c->counted)
		add_duration(sums_of(x, c->of), took_s, bound);
	c->running = false;
}

static struct current *current_of(struct executions *x, uint64_t session,
	bool *ret_new)
{
	struct current *c;

	HASH_FIND(hh, x->current, &session, sizeof(session), c);
	*ret_new = !c;
	if (c)
		return c;
	c = gs_calloc(1, sizeof(*c));
	c->session = session;
	HASH_ADD(hh, x->current, session, sizeof(c->session), c);
	return c;
}

/* An execution that was over before the range is not of it. */
static void count(struct executions *x, struct current *c, uint64_t change_us)
{
	struct sums *s;

	if (!c->counted && !c->running && (x->tick <= 1 ||
	    (int64_t)change_us * 1000 < x->engine->from_ns))
		return;
	s = sums_of(x, c->of);
	s->is.n += !c->counted;
	s->is.last_ns = x->engine->to_ns;
	c->counted = true;
}

static void set_ran(const struct executions *x, struct current *c,
	const struct session *n)
{
	c->ran_s = (double)GS_MAX(gs_difference(x->engine->to_ns,
	    n->query->start_ns), 0) / (double)GS_NSEC_PER_SEC;
}

static void see(struct executions *x, const struct session *n)
{
	uint64_t start_us, change_us = 0;
	bool fresh, running, was_running;
	struct current *c;

	if (!row_get(n->backend, COL(BACKEND, QUERY_START), &start_us))
		return;
	(void)row_get(n->backend, COL(BACKEND, STATE_CHANGE), &change_us);
	c = current_of(x, n->key_hash, &fresh);
	c->tick = x->tick;
	if (fresh || c->start_us != start_us) {
		if (!fresh && c->running)
			end(x, c, c->ran_s, true);
		c->start_us = start_us;
		c->of = statement_of_session(x->engine->statements, n);
		c->running = c->counted = false;
		fresh = true;
	}
	if (!c->of)
		return;
	running = n->query && n->query->has_start &&
	    (uint64_t)n->query->start_us == start_us;
	was_running = c->running || fresh;
	c->running = running;
	count(x, c, change_us);
	if (running)
		set_ran(x, c, n);
	else if (was_running && change_us >= start_us)
		end(x, c, (double)(change_us - start_us) / 1e6, false);
	else if (was_running)
		end(x, c, c->ran_s, true);
}

/* Sessions that ended. */
static void drop_unseen(struct executions *x)
{
	struct current *c, *next;

	HASH_ITER(hh, x->current, c, next) {
		if (c->tick == x->tick)
			continue;
		if (c->running)
			end(x, c, c->ran_s, true);
		HASH_DEL(x->current, c);
		free(c);
	}
}

static void follow(void *self, const struct engine *e)
{
	struct executions *x = self;
	size_t i;

	x->tick++;
	for (i = 0; i < sessions_count(e->sessions); i++) {
		const struct session *n = sessions_get(e->sessions, i);

		if (n->backend && !n->own && n->kind != SESSION_OS)
			see(x, n);
	}
	drop_unseen(x);
}

/* At the start of a range, sessions have their starts by the clock offset there. */
static void follow_times(struct executions *x)
{
	size_t i;

	for (i = 0; i < sessions_count(x->engine->sessions); i++) {
		const struct session *n = sessions_get(x->engine->sessions, i);
		struct current *c;

		if (!n->query || !n->query->has_start)
			continue;
		HASH_FIND(hh, x->current, &n->key_hash, sizeof(n->key_hash), c);
		if (c && c->running && (uint64_t)n->query->start_us == c->start_us)
			set_ran(x, c, n);
	}
}

/* What still runs is of the next range, too. */
static void restart(void *self, const struct engine *e)
{
	struct executions *x = self;
	struct current *c, *next;

	(void)e; /* it is x->engine */
	forget(x);
	follow_times(x);
	HASH_ITER(hh, x->current, c, next) {
		c->counted = false;
		if (c->running && c->of)
			count(x, c, 0);
	}
}

struct executions *executions_new(struct engine *e)
{
	struct executions *x = gs_calloc(1, sizeof(*x));
	const struct follower f = { .self = x, .tick = follow,
		.restart = restart };

	x->engine = e;
	engine_add_follower(e, &f);
	return x;
}

void executions_free(struct executions *x)
{
	struct current *c, *next;

	if (!x)
		return;
	forget(x);
	HASH_ITER(hh, x->current, c, next) {
		HASH_DEL(x->current, c);
		free(c);
	}
	free(x);
}

/* ---- results ------------------------------------------------------------ */

static int by_length(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Nearest rank. */
static void set_p95(struct sums *s)
{
	if (s->n == 0)
		return;
	qsort(s->took_s, s->n, sizeof(*s->took_s), by_length);
	s->is.p95_s = s->took_s[(s->n * 95 + 99) / 100 - 1];
	s->is.p95_is_rough = s->is.bounds || s->every > 1;
}

/* A copy with what runs now. */
static struct executed result(const struct executions *x, const struct sums *s)
{
	struct sums all = *s;
	const struct current *c;
	struct executed r;

	all.took_s = gs_calloc(s->n + 1, sizeof(*all.took_s));
	all.cap = s->n + 1;
	if (s->n > 0)
		memcpy(all.took_s, s->took_s, s->n * sizeof(*all.took_s));
	for (c = x->current; c; c = c->hh.next) {
		if (c->running && c->counted && c->of == s->is.of)
			add_duration(&all, c->ran_s, true);
	}
	set_p95(&all);
	r = all.is;
	free(all.took_s);
	return r;
}

struct executed *executions_list(const struct executions *x, size_t *ret_n)
{
	struct executed *r = gs_calloc(HASH_COUNT(x->sums) + 1, sizeof(*r));
	const struct sums *s;
	size_t n = 0;

	for (s = x->sums; s; s = s->hh.next)
		r[n++] = result(x, s);
	*ret_n = n;
	return r;
}
