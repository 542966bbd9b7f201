/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_cluster.c - the reports of every host, one host below the other.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "sar/sar_int.h"

/* The first host writes at once; each other one waits for those before it. */
struct member {
	struct sar_cluster *cluster;
	uint32_t host; /* its index */
	struct sar *sar;
	struct spool spool;
	bool enough; /* it takes no more samples */
};

struct sar_cluster {
	struct sar_opt opt;
	struct member **member;
	size_t n, cap;
	bool stopped; /* the output takes no more */
};

static void *cluster_new(const struct sar_opt *opt)
{
	struct sar_cluster *f = gs_calloc(1, sizeof(*f));

	f->opt = *opt;
	return f;
}

static void cluster_free(void *run)
{
	struct sar_cluster *f = run;
	size_t i;

	if (!f)
		return;
	for (i = 0; i < f->n; i++) {
		sar_free(f->member[i]->sar);
		spool_release(&f->member[i]->spool);
		free(f->member[i]);
	}
	free(f->member);
	free(f);
}

static bool write_out(void *arg, const char *p, size_t len)
{
	struct member *m = arg;
	struct sar_cluster *f = m->cluster;

	if (m != f->member[0])
		spool_add(&m->spool, p, len);
	else if (!f->stopped && !f->opt.write(f->opt.arg, p, len))
		f->stopped = true;
	return !f->stopped;
}

static struct member *add_member(struct sar_cluster *f, uint32_t host)
{
	struct member *m = gs_calloc(1, sizeof(*m));
	struct sar_opt opt = f->opt;

	*m = (struct member) { .cluster = f, .host = host,
		.spool = SPOOL_INIT };
	opt.write = write_out;
	opt.arg = m;
	m->sar = sar_new(&opt);
	GS_GROW(f->member, &f->cap, f->n + 1);
	f->member[f->n++] = m;
	return m;
}

static struct member *find_member(const struct sar_cluster *f,
	const struct host *h)
{
	size_t i;

	for (i = 0; i < f->n; i++) {
		if (f->member[i]->host == h->index)
			return f->member[i];
	}
	return NULL;
}

static struct member *member_of(struct sar_cluster *f, const struct host *h)
{
	struct member *m = find_member(f, h);

	return m ? m : add_member(f, h->index);
}

static bool has_enough(struct sar_cluster *f, const struct host *h)
{
	const struct member *m = find_member(f, h);

	return m && m->enough;
}

static bool have_all_enough(struct sar_cluster *f, const struct world *w)
{
	size_t i, n = f->opt.one_host ? 0 : world_hosts(w);

	for (i = 0; i < n; i++) {
		const struct host *h = world_host(w, i);

		if (world_is_host(h) && !has_enough(f, h))
			return false;
	}
	return true;
}

/* The run ends when all hosts have enough reports. */
static bool tick(void *self, const struct world *w, const struct host *h,
	bool is_sample)
{
	struct sar_cluster *f = self;
	struct member *m = member_of(f, h);

	m->enough = !sar_resample.tick(m->sar, w, h, is_sample);
	return !f->stopped && !(m->enough && have_all_enough(f, w));
}

static void restart(void *self, const struct world *w, const struct host *h)
{
	sar_resample.restart(member_of(self, h)->sar, w, h);
}

static void hole(void *self, const struct resample_hole *hole)
{
	const struct sar_cluster *f = self;
	size_t i;

	for (i = 0; i < f->n; i++)
		sar_resample.hole(f->member[i]->sar, hole);
}

static void lost(void *self, const struct host *h)
{
	struct member *m = find_member(self, h);

	if (m)
		sar_lost(m->sar);
}

static void mark(void *self, int64_t wall_ns, struct span text)
{
	const struct sar_cluster *f = self;
	size_t i;

	for (i = 0; i < f->n; i++)
		sar_resample.mark(f->member[i]->sar, wall_ns, text);
}

static const struct resample_ops resample = { .tick = tick,
	.restart = restart, .hole = hole, .lost = lost, .mark = mark };

/* The activities that no host recorded. */
static uint64_t missing_of(const struct sar_cluster *f)
{
	uint64_t seen = 0;
	size_t i;

	for (i = 0; i < f->n; i++)
		seen |= sar_seen(f->member[i]->sar);
	return sar_missing(f->opt.activities, seen, f->opt.choice);
}

static void add_result(struct sar_result *r, const struct member *m)
{
	r->reports += m->sar->n_reports;
	r->holes += m->sar->n_holes;
	if (!r->error)
		r->error = m->sar->error ? m->sar->error : m->spool.error;
}

static struct sar_result cluster_end(void *run)
{
	struct sar_cluster *f = run;
	struct sar_result r = { .empty = missing_of(f) == f->opt.activities };
	size_t i;

	for (i = 0; i < f->n && !r.empty; i++) {
		struct member *m = f->member[i];

		sar_end_stretch(m->sar);
		if (i > 0 && !f->stopped)
			f->stopped = !f->opt.write(f->opt.arg, "\n", 1) ||
			    !spool_flush(&m->spool, f->opt.write,
			    f->opt.arg);
	}
	for (i = 0; i < f->n; i++)
		add_result(&r, f->member[i]);
	if (!f->stopped && r.reports > 0)
		sar_report_missing(missing_of(f), f->opt.choice,
		    f->n == 1 ? &f->member[0]->sar->data : NULL,
		    f->opt.notice, f->opt.arg);
	return r;
}

const struct sar_layout sar_host_by_host = { &resample, cluster_new,
	cluster_end, cluster_free };
