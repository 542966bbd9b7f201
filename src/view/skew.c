#include "view/skew.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "model/diff.h"
#include "view/work_figures.h"

/* An executor that used less of a tick than this only woke up: its
 * interconnect's thread does so every 250 ms. */
#define BUSY_SHARE 0.002

struct skews {
	int32_t *segment; /* in order */
	size_t n_segment, segment_cap;
	size_t absent;
	struct skew *skew; /* by session and query */
	size_t n, cap;
};

/* ---- segments ---------------------------------------------------------- */

static int compare_segments(const void *pa, const void *pb)
{
	const int32_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

static bool is_segment(const struct skews *s, int32_t segment)
{
	return s->n_segment > 0 && bsearch(&segment, s->segment,
	    s->n_segment, sizeof(segment), compare_segments) != NULL;
}

static void add_segment(struct skews *s, int64_t segment)
{
	GS_GROW(s->segment, &s->segment_cap, s->n_segment + 1);
	s->segment[s->n_segment++] = (int32_t)segment;
}

static void settle_segments(struct skews *s)
{
	size_t i, kept = 0;

	if (s->n_segment > 0)
		qsort(s->segment, s->n_segment, sizeof(*s->segment),
		    compare_segments);
	for (i = 0; i < s->n_segment; i++) {
		if (kept == 0 || s->segment[kept - 1] != s->segment[i])
			s->segment[kept++] = s->segment[i];
	}
	s->n_segment = kept;
}

static void find_segments(struct skews *s, const struct lens *lens,
	const struct instances *t)
{
	const struct rollup *r = lens_rollup(lens);
	bool catalog = false;
	size_t i;

	for (i = 0; i < instances_count(t); i++) {
		const struct instance *in = instances_get(t, i);

		catalog |= in->segment != NULL;
		if (!instance_is_primary(in))
			continue;
		if (in->pid)
			add_segment(s, in->content);
		else
			s->absent++;
	}
	for (i = 0; !catalog && i < rollup_count(r); i++)
		add_segment(s, lens_label(rollup_get(r, i))->segment);
	settle_segments(s);
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

/* One per segment first, then those of one session and query joined. */
static void take_groups(struct skews *s, const struct engine *e,
	const struct lens *lens)
{
	struct figure_env v = { .engine = e, .lens = lens,
		.rollup = lens_rollup(lens) };
	size_t i;

	for (i = 0; i < rollup_count(v.rollup); i++) {
		const struct group *g = rollup_get(v.rollup, i);
		const struct label *n = lens_label(g);
		double cpu_s = cpu_of(&v, g);

		if (!is_segment(s, n->segment) || g->n_part == 0)
			continue;
		GS_GROW(s->skew, &s->cap, s->n + 1);
		s->skew[s->n++] = (struct skew) { .session = n->session,
			.query = n->query, .cpu_s = cpu_s, .max_s = cpu_s,
			.hot = n->segment, .hot_host = g->part[0]->host };
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
}

struct skews *skews_new(const struct engine *e, const struct lens *lens,
	const struct instances *t)
{
	struct skews *s = gs_calloc(1, sizeof(*s));

	find_segments(s, lens, t);
	take_groups(s, e, lens);
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

size_t skews_segments(const struct skews *s)
{
	return s->n_segment;
}

size_t skews_absent(const struct skews *s)
{
	return s->absent;
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

double skew_average_s(const struct skews *s, const struct skew *k)
{
	return s->n_segment ? k->cpu_s / (double)s->n_segment : 0;
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
	size_t n = 0, i, kept = 0;

	for (p = session->procs; p; p = p->next) {
		if (p->title.has_seg && is_segment(s, p->title.seg) &&
		    is_busy(e->world, p->row))
			busy[n++] = p->title.seg;
	}
	qsort(busy, n, sizeof(*busy), compare_segments);
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
