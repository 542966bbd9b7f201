/* SPDX-License-Identifier: Apache-2.0 */
#include "query/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/diff.h"

/* CPU time of one host, or requests of one disk. */
struct sums {
	const void *of; /* host or row */
	double part, second, all;
	bool has_second;
	double cpu[CPU_COUNT];
};

struct stretch {
	struct sums *host; /* part: busy, second: steal, all: CPU time */
	size_t n_host, host_cap;
	struct sums *disk; /* part: ms of requests, all: requests */
	size_t n_disk, disk_cap;
	size_t ticks, n_running; /* with the number of some host's runnable tasks */
	double running, active, waiting;
	double load[LOAD_COUNT];
};

struct timeline {
	struct stretch at[TIMELINE_MAX];
	struct stretch across; /* counters over holes, of no stretch */
	int64_t start_ns, step_ns, last_ns; /* last_ns: of the last tick */
	int64_t length_ns; /* as passed by the caller */
};

struct timeline *timeline_new(int64_t length_ns)
{
	struct timeline *t = gs_calloc(1, sizeof(*t));

	t->length_ns = length_ns;
	return t;
}

static void stretch_clear(struct stretch *s)
{
	free(s->host);
	free(s->disk);
	*s = (struct stretch) { 0 };
}

static void clear(struct timeline *t)
{
	size_t i;

	for (i = 0; i < TIMELINE_MAX; i++)
		stretch_clear(&t->at[i]);
	stretch_clear(&t->across);
}

void timeline_free(struct timeline *t)
{
	if (!t)
		return;
	clear(t);
	free(t);
}

void timeline_restart(struct timeline *t, const struct engine *e)
{
	int64_t step = GS_MAX(e->interval_ns, 1);
	int64_t n = (t->length_ns + step - 1) / step;

	clear(t);
	t->start_ns = t->last_ns = e->to_ns;
	/* whole intervals, so that every stretch has equally many ticks */
	t->step_ns = GS_MAX((n + TIMELINE_MAX - 1) / TIMELINE_MAX, 1) * step;
}

static struct sums *sums_of(struct sums **all, size_t *n, size_t *cap,
	const void *of)
{
	size_t i;

	for (i = 0; i < *n; i++) {
		if ((*all)[i].of == of)
			return &(*all)[i];
	}
	GS_GROW(*all, cap, *n + 1);
	(*all)[*n] = (struct sums) { .of = of };
	return &(*all)[(*n)++];
}

static void add_all(double *to, const double *from, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		to[i] += from[i];
}

static void add(struct sums *to, const struct sums *from)
{
	to->part += from->part;
	to->second += from->second;
	to->has_second |= from->has_second;
	to->all += from->all;
	add_all(to->cpu, from->cpu, CPU_COUNT);
}

static void join(struct stretch *to, const struct stretch *from)
{
	size_t i;

	for (i = 0; i < from->n_host; i++)
		add(sums_of(&to->host, &to->n_host, &to->host_cap,
		    from->host[i].of), &from->host[i]);
	for (i = 0; i < from->n_disk; i++)
		add(sums_of(&to->disk, &to->n_disk, &to->disk_cap,
		    from->disk[i].of), &from->disk[i]);
	to->ticks += from->ticks;
	to->n_running += from->n_running;
	to->running += from->running;
	to->active += from->active;
	to->waiting += from->waiting;
	add_all(to->load, from->load, LOAD_COUNT);
}

static void halve(struct timeline *t)
{
	size_t i;

	for (i = 0; i < TIMELINE_MAX / 2; i++) {
		struct stretch s = { 0 };

		join(&s, &t->at[2 * i]);
		join(&s, &t->at[2 * i + 1]);
		stretch_clear(&t->at[2 * i]);
		stretch_clear(&t->at[2 * i + 1]);
		t->at[i] = s;
	}
	t->step_ns *= 2;
}

static void add_host(struct stretch *s, const struct row *r)
{
	static const unsigned all[] = { COL(HOST, CPU_USER),
		COL(HOST, CPU_NICE), COL(HOST, CPU_SYSTEM),
		COL(HOST, CPU_IRQ), COL(HOST, CPU_SOFTIRQ),
		COL(HOST, CPU_STEAL), COL(HOST, CPU_IDLE),
		COL(HOST, CPU_IOWAIT) };
	static const enum timeline_cpu is[] = { CPU_USER, CPU_USER,
		CPU_SYSTEM, CPU_SYSTEM, CPU_SYSTEM, CPU_STEAL, CPU_COUNT,
		CPU_IOWAIT };
	struct sums *to = sums_of(&s->host, &s->n_host, &s->host_cap,
	    r->host);
	size_t i;

	for (i = 0; i < GS_LEN(all); i++) {
		double d = diff_or_zero(r, all[i]);

		to->all += d;
		to->part += i < 6 ? d : 0; /* neither idle nor iowait */
		if (is[i] < CPU_COUNT)
			to->cpu[is[i]] += d;
	}
	to->second += diff_or_zero(r, COL(HOST, CPU_STEAL));
	to->has_second |= cells_has(r->now, COL(HOST, CPU_STEAL));
}

static void add_disk(struct stretch *s, const struct row *r)
{
	uint64_t part;
	struct sums *to;

	if (row_get(r, COL(DISK, PARTITION), &part) && part)
		return;
	to = sums_of(&s->disk, &s->n_disk, &s->disk_cap, r);
	to->part += diff_or_zero(r, COL(DISK, READ_TIME)) +
	    diff_or_zero(r, COL(DISK, WRITE_TIME));
	to->all += diff_or_zero(r, COL(DISK, READS)) + diff_or_zero(r, COL(DISK, WRITES));
}

static void add_running(struct stretch *s, const struct engine *e)
{
	bool any = false;
	size_t i;

	for (i = 0; i < world_hosts(e->world); i++) {
		const struct row *r = host_row(world_host(e->world, i));
		uint64_t n;

		if (!r || !row_get(r, COL(HOST, PROCS_RUNNING), &n))
			continue;
		s->running += (double)n;
		any = true;
	}
	s->n_running += any;
}

static enum timeline_load load_of(const struct session *n)
{
	static const struct {
		const char *class;
		enum timeline_load is;
	} classes[] = {
		{ "", LOAD_CPU },
		{ "IO", LOAD_IO },
		{ "BufferIO", LOAD_IO },
		{ "LWLock", LOAD_LWLOCK },
		{ "LWLockNamed", LOAD_LWLOCK },
		{ "LWLockTranche", LOAD_LWLOCK },
		{ "Lock", LOAD_LOCK },
	};
	const char *class = n->wait_type ? n->wait_type : "";
	size_t i;

	if (n->class == SESSION_WAITING)
		return LOAD_LOCK;
	for (i = 0; i < GS_LEN(classes); i++) {
		if (strcmp(class, classes[i].class) == 0)
			return classes[i].is;
	}
	return LOAD_OTHER;
}

static void add_load(struct stretch *s, const struct sessions *all)
{
	size_t i;

	for (i = 0; i < sessions_count(all); i++) {
		const struct session *n = sessions_get(all, i);

		if (n->class != SESSION_OTHER)
			s->load[load_of(n)]++;
	}
}

/* Where the counters of a tick belong that is in that stretch: they count from the last
 * tick on, which may be long before the stretch. */
static struct stretch *counted_in(struct timeline *t, const struct engine *e, int64_t i)
{
	int64_t begins = t->start_ns + i * t->step_ns;
	int64_t before = begins - t->last_ns, in_it = e->to_ns - begins;

	if (in_it < 0) /* a little early, or the clock was set back */
		return &t->at[i];
	return before > in_it + e->interval_ns ? &t->across : &t->at[i];
}

void timeline_tick(struct timeline *t, const struct engine *e)
{
	struct row *const *touched;
	struct stretch *s, *counts;
	int64_t at; /* a tick ends its stretch, even a little early or late */
	size_t n, i;

	at = e->to_ns - t->start_ns - e->interval_ns / 2;
	if (t->step_ns <= 0)
		return;
	while (at >= (int64_t)TIMELINE_MAX * t->step_ns)
		halve(t);
	at = at > 0 ? at / t->step_ns : 0;
	s = &t->at[at];
	counts = counted_in(t, e, at);
	t->last_ns = e->to_ns;
	touched = world_touched(e->world, &n);
	for (i = 0; i < n; i++) {
		if (touched[i]->entity == ENTITY_HOST)
			add_host(counts, touched[i]);
		else if (touched[i]->entity == ENTITY_DISK)
			add_disk(counts, touched[i]);
	}
	s->ticks++;
	add_running(s, e);
	s->active += (double)(e->has_census ? e->census.active
	    : sessions_in(e->sessions, SESSION_ACTIVE));
	s->waiting += (double)(e->has_census ? e->census.waiting
	    : sessions_in(e->sessions, SESSION_WAITING));
	if (!e->has_census) /* else the classes of sessions are not known */
		add_load(s, e->sessions);
}

size_t timeline_count(const struct timeline *t)
{
	size_t n = TIMELINE_MAX;

	while (n > 0 && t->at[n - 1].ticks == 0)
		n--;
	return n;
}

static void judge_host(struct timeline_point *p, const struct sums *s)
{
	const struct host *h = s->of;
	size_t i;

	if (s->all <= 0)
		return;
	if (s->part / s->all * 100 > p->busy_percent) {
		p->busy_host = h->name;
		for (i = 0; i < CPU_COUNT; i++)
			p->cpu[i] = s->cpu[i] / s->all * 100;
	}
	p->busy_percent = GS_MAX(p->busy_percent, s->part / s->all * 100);
	if (s->has_second)
		p->steal_percent = GS_MAX(p->steal_percent,
		    s->second / s->all * 100);
}

/* Without its start and end. */
static struct timeline_point point_of(const struct stretch *s)
{
	struct timeline_point p = { .ticks = s->ticks, .busy_host = "",
		.busy_percent = -1, .steal_percent = -1, .await_ms = -1,
		.running = -1 };
	size_t k;

	for (k = 0; k < s->n_host; k++)
		judge_host(&p, &s->host[k]);
	for (k = 0; k < s->n_disk; k++) {
		if (s->disk[k].all > 0)
			p.await_ms = GS_MAX(p.await_ms,
			    s->disk[k].part / s->disk[k].all);
	}
	if (s->n_running > 0)
		p.running = s->running / (double)s->n_running;
	if (s->ticks > 0) {
		p.active = s->active / (double)s->ticks;
		p.waiting = s->waiting / (double)s->ticks;
		for (k = 0; k < LOAD_COUNT; k++)
			p.load[k] = s->load[k] / (double)s->ticks;
	}
	return p;
}

struct timeline_point timeline_get(const struct timeline *t,
	const struct engine *e, size_t i)
{
	struct timeline_point p = point_of(&t->at[i]);

	p.from_ns = t->start_ns + (int64_t)i * t->step_ns;
	p.to_ns = GS_MIN(p.from_ns + t->step_ns, e->to_ns);
	return p;
}

struct timeline_point timeline_whole(const struct timeline *t,
	const struct engine *e)
{
	struct stretch all = { 0 };
	struct timeline_point p;
	size_t i;

	for (i = 0; i < TIMELINE_MAX; i++)
		join(&all, &t->at[i]);
	join(&all, &t->across);
	p = point_of(&all);
	p.from_ns = t->start_ns;
	p.to_ns = e->to_ns;
	stretch_clear(&all);
	return p;
}
