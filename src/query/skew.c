/* SPDX-License-Identifier: Apache-2.0 */
#include "query/skew.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "model/diff.h"
#include "query/work_figures.h"

/* An executor that used less of a tick only woke up: its interconnect's thread
 * does so every 250 ms. */
#define BUSY_SHARE 0.002

struct segment {
	uint32_t server;
	int32_t content;
	bool absent; /* its server is not recorded */
};

struct skews {
	const struct engine *engine;
	struct segment *segment; /* in order, with absent ones */
	size_t n_segment, segment_cap;
	struct skew *skew; /* by session and query */
	size_t n, cap;
};

/* ---- servers ----------------------------------------------------------- */

/* A restarted server keeps its number; if there is only one server, everything
 * belongs to it. */
static uint32_t number_of(const struct skews *s, const struct dbserver *v)
{
	const struct sessions *all = s->engine->sessions;
	size_t low = 0, n = sessions_servers(all), high = n;

	if (!v || sessions_server_names(all) <= 1)
		return 0;
	while (low < high) { /* they are sorted by name */
		size_t mid = (low + high) / 2;

		if (strcmp(sessions_server_get(all, mid)->name, v->name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < n && strcmp(sessions_server_get(all, low)->name, v->name) == 0)
		return (uint32_t)low + 1;
	return (uint32_t)n + v->number; /* not in the list */
}

static uint32_t server_of(const struct skews *s, const struct session *n)
{
	return number_of(s, sessions_server(s->engine->sessions, n));
}

static uint32_t server_at(const struct skews *s, const struct instance *in)
{
	const struct sessions *all = s->engine->sessions;
	const struct dbserver *v = in->catalog
	    ? sessions_server_of_catalog(all, in->catalog) : NULL;

	if (!v && in->pid)
		v = sessions_server_at(all, in->host, in->pid);
	return number_of(s, v);
}

/* ---- segments ---------------------------------------------------------- */

static int compare_segments(const void *pa, const void *pb)
{
	const struct segment *a = pa, *b = pb;

	if (a->server != b->server)
		return a->server < b->server ? -1 : 1;
	if (a->absent != b->absent)
		return a->absent ? 1 : -1;
	return (a->content > b->content) - (a->content < b->content);
}

static bool is_segment(const struct skews *s, uint32_t server,
	int32_t content)
{
	const struct segment key = { .server = server, .content = content };

	return s->n_segment > 0 && bsearch(&key, s->segment, s->n_segment,
	    sizeof(key), compare_segments) != NULL;
}

static void add_segment(struct skews *s, struct segment add)
{
	GS_GROW(s->segment, &s->segment_cap, s->n_segment + 1);
	s->segment[s->n_segment++] = add;
}

static void sort_segments(struct skews *s)
{
	size_t i, kept = 0;

	if (s->n_segment > 0)
		qsort(s->segment, s->n_segment, sizeof(*s->segment),
		    compare_segments);
	for (i = 0; i < s->n_segment; i++) {
		if (kept == 0 || s->segment[i].absent || compare_segments(
		    &s->segment[kept - 1], &s->segment[i]) != 0)
			s->segment[kept++] = s->segment[i];
	}
	s->n_segment = kept;
}

static bool has_catalog(const uint32_t *known, size_t n, uint32_t server)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (known[i] == server)
			return true;
	}
	return false;
}

static void find_segments(struct skews *s, const struct grouping *grouping,
	const struct instances *t)
{
	const struct rollup *r = grouping_rollup(grouping);
	size_t i, n = instances_count(t), n_known = 0;
	uint32_t *known = gs_calloc(n + 1, sizeof(*known));

	for (i = 0; i < n; i++) {
		const struct instance *in = instances_get(t, i);
		uint32_t server = server_at(s, in);

		if (in->segment && !has_catalog(known, n_known, server))
			known[n_known++] = server;
		if (instance_is_primary(in))
			add_segment(s, (struct segment) { .server = server,
				.content = (int32_t)in->content,
				.absent = in->pid == 0 });
	}
	for (i = 0; i < rollup_count(r); i++) {
		const struct label *l = grouping_label(rollup_get(r, i));
		uint32_t server = server_of(s, l->session);

		if (!has_catalog(known, n_known, server))
			add_segment(s, (struct segment) { .server = server,
				.content = l->segment });
	}
	sort_segments(s);
	free(known);
}

static void count_segments(const struct skews *s, struct skew *k)
{
	size_t i;

	for (i = 0; i < s->n_segment; i++) {
		if (s->segment[i].server != k->server)
			continue;
		k->n_segment += !s->segment[i].absent;
		k->n_absent += s->segment[i].absent;
	}
}

/* ---- sums -------------------------------------------------------------- */

static int compare_of(const void *pa, const void *pb)
{
	const struct skew *a = pa, *b = pb;

	if (a->session != b->session)
		return (uintptr_t)a->session < (uintptr_t)b->session ? -1 : 1;
	if (a->query != b->query)
		return (uintptr_t)a->query < (uintptr_t)b->query ? -1 : 1;
	return 0;
}

static double cpu_of(const struct figure_env *v, const struct group *g)
{
	static const struct figure cpu = { .scale = 1, FROM_CPU };
	struct cell c = figure_cpu_sum(v, &cpu, g);

	return c.kind == CELL_REAL ? c.r : 0;
}

/* One group per segment first, then those of one session and query merged. */
static void add_groups(struct skews *s, const struct engine *e,
	const struct grouping *grouping)
{
	struct figure_env v = { .engine = e, .grouping = grouping,
		.rollup = grouping_rollup(grouping) };
	size_t i;

	for (i = 0; i < rollup_count(v.rollup); i++) {
		const struct group *g = rollup_get(v.rollup, i);
		const struct label *n = grouping_label(g);
		double cpu_s = cpu_of(&v, g);
		uint32_t server = server_of(s, n->session);

		if (!is_segment(s, server, n->segment) || g->n_part == 0)
			continue;
		GS_GROW(s->skew, &s->cap, s->n + 1);
		s->skew[s->n++] = (struct skew) { .session = n->session,
			.query = n->query, .cpu_s = cpu_s, .max_s = cpu_s,
			.hot = n->segment, .hot_host = g->part[0]->host,
			.server = server };
	}
}

static void join(struct skews *s)
{
	size_t i, kept = 0;

	if (s->n > 0)
		qsort(s->skew, s->n, sizeof(*s->skew), compare_of);
	for (i = 0; i < s->n; i++) {
		struct skew k = s->skew[i], *to;

		if (kept == 0 || compare_of(&s->skew[kept - 1], &k) != 0) {
			s->skew[kept++] = k;
			continue;
		}
		to = &s->skew[kept - 1];
		k.cpu_s += to->cpu_s;
		if (to->max_s > k.max_s || (to->max_s == k.max_s &&
		    to->hot < k.hot)) {
			k.max_s = to->max_s;
			k.hot = to->hot;
			k.hot_host = to->hot_host;
		}
		*to = k;
	}
	s->n = kept;
	for (i = 0; i < s->n; i++)
		count_segments(s, &s->skew[i]);
}

struct skews *skews_new(const struct engine *e, const struct grouping *grouping,
	const struct instances *t)
{
	struct skews *s = gs_calloc(1, sizeof(*s));

	s->engine = e;
	find_segments(s, grouping, t);
	add_groups(s, e, grouping);
	join(s);
	return s;
}

void skews_free(struct skews *s)
{
	if (!s)
		return;
	free(s->segment);
	free(s->skew);
	free(s);
}

size_t skews_count(const struct skews *s)
{
	return s->n;
}

const struct skew *skews_get(const struct skews *s, size_t i)
{
	return &s->skew[i];
}

const struct skew *skews_find(const struct skews *s,
	const struct session *session, const struct query *query)
{
	const struct skew key = { .session = (void *)(uintptr_t)session,
		.query = (void *)(uintptr_t)query };

	return s->n == 0 ? NULL : bsearch(&key, s->skew, s->n, sizeof(key),
	    compare_of);
}

double skew_average_s(const struct skew *k)
{
	return k->n_segment ? k->cpu_s / (double)k->n_segment : 0;
}

static int compare_numbers(const void *pa, const void *pb)
{
	const int32_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* ---- now --------------------------------------------------------------- */

static bool grew(const struct row *r, unsigned col, double least)
{
	uint64_t d;

	return diff_counter(r, col, &d) && (double)d > least;
}

static bool is_busy(const struct world *w, const struct row *r)
{
	double elapsed_us = (double)diff_elapsed_ns(r->host) / 1e3;
	double tick_us = (double)diff_tick_ns(r->host) / 1e3;
	double least_us = elapsed_us * BUSY_SHARE;
	uint64_t state;

	if (row_get(r, COL(PROCESS, STATE), &state) && state == 'D')
		return true;
	if (r->touched_tick != world_ticks(w))
		return false;
	if (grew(r, COL(PROCESS, READ_BYTES), 0) ||
	    grew(r, COL(PROCESS, WRITE_BYTES), 0))
		return true;
	if (cells_has(r->now, COL(PROCESS, CPU)))
		return grew(r, COL(PROCESS, CPU), least_us);
	return grew(r, COL(PROCESS, UTIME), least_us / tick_us) ||
	    grew(r, COL(PROCESS, STIME), least_us / tick_us);
}

size_t skew_busy(const struct skews *s, const struct engine *e,
	const struct session *session, int32_t *ret, size_t max)
{
	const struct proc *p;
	int32_t *busy = gs_calloc(session->n_procs + 1, sizeof(*busy));
	uint32_t server = server_of(s, session);
	size_t n = 0, i, kept = 0;

	for (p = session->procs; p; p = p->next) {
		if (p->title.has_seg && is_segment(s, server, p->title.seg) &&
		    is_busy(e->world, p->row))
			busy[n++] = p->title.seg;
	}
	qsort(busy, n, sizeof(*busy), compare_numbers);
	for (i = 0; i < n; i++) {
		if (kept > 0 && busy[kept - 1] == busy[i])
			continue;
		busy[kept++] = busy[i];
		if (kept <= max)
			ret[kept - 1] = busy[i];
	}
	free(busy);
	return kept;
}
