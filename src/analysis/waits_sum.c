/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_sum.c - one backend at one sample: continues or starts its run, and
 * adds the time to its activity.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/waits_told.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "model/diff.h"

/* Of what has no sum yet. */
static const struct wait_sum nothing;

struct wait_sum *waits_entry_sum(struct row_entry *e, bool of_segments)
{
	const struct wait_sum **of = of_segments ? &e->row.segment : &e->row.sum;

	if (*of == &nothing)
		*of = e->row.sum == &e->own || e->row.segment == &e->own
		    ? gs_calloc(1, sizeof(**of)) : &e->own;
	return (struct wait_sum *)(uintptr_t)*of; /* it is not const here */
}

static void drop(const struct row_entry *e, const struct wait_sum *sum)
{
	if (sum != &nothing && sum != &e->own)
		free((void *)(uintptr_t)sum);
}

void waits_entry_forget(struct row_entry *e)
{
	drop(e, e->row.sum);
	drop(e, e->row.segment);
	e->row.sum = e->row.segment = &nothing;
	memset(&e->own, 0, sizeof(e->own));
}

void waits_entry_free(struct row_entry *e)
{
	waits_entry_forget(e);
	free(e);
}

struct row_entry *waits_entry(struct waits *s, const struct seen *b,
	const struct wait_event *event, const struct wait_query *query)
{
	struct row_key key = { .event = event };
	struct row_entry *e = b->n_run > 0 ? b->run[0].entry : NULL;

	if (s->by & WAITS_BY_BACKEND)
		key.backend = &b->backend;
	if (s->by & WAITS_BY_QUERY && event->kind >= WAIT_CPU)
		key.query = query;
	/* mostly that of the sample before */
	if (e && memcmp(&e->key, &key, sizeof(key)) == 0)
		return e;
	HASH_FIND(hh, s->rows, &key, sizeof(key), e);
	if (e)
		return e;
	e = gs_calloc(1, sizeof(*e));
	e->key = key;
	e->row.event = event;
	e->row.backend = key.backend;
	e->row.query = key.query;
	e->row.sum = e->row.segment = &nothing;
	HASH_ADD(hh, s->rows, key, sizeof(e->key), e);
	GS_GROW(s->row, &s->row_cap, s->n_row + 1);
	s->row[s->n_row++] = e;
	return e;
}

/* ---- backends -------------------------------------------------------- */

static struct seen *seen_of(struct waits *s, struct row *r)
{
	struct seen *b;
	size_t old = s->seen_cap;

	if (r->serial >= old) {
		GS_GROW(s->seen, &s->seen_cap, (size_t)r->serial + 1);
		memset(s->seen + old, 0,
		    (s->seen_cap - old) * sizeof(*s->seen));
	}
	b = s->seen[r->serial];
	if (b)
		return b;
	b = gs_calloc(1, sizeof(*b));
	b->row = r;
	b->serial = r->serial;
	row_hold(r);
	s->seen[r->serial] = b;
	GS_GROW(s->all, &s->all_cap, s->n_all + 1);
	s->all[s->n_all++] = b;
	return b;
}

void waits_seen_free(struct seen *b)
{
	if (b->row)
		row_drop(b->row);
	free(b->backend.type);
	free(b->backend.user);
	free(b->backend.database);
	free(b->backend.application);
	free(b->backend.state);
	free(b->run);
	free(b);
}

void waits_forget_active(struct waits *s)
{
	struct active *a, *next;

	HASH_ITER(hh, s->active, a, next) {
		HASH_DEL(s->active, a);
		free(a);
	}
}

void waits_forget_gone(struct waits *s)
{
	size_t i, kept = 0;

	waits_forget_active(s);
	for (i = 0; i < s->n_all; i++) {
		struct seen *b = s->all[i];

		b->active = NULL;
		if (b->backend.open) {
			s->all[kept++] = b;
			continue;
		}
		if (b->row)
			s->seen[b->row->serial] = NULL;
		waits_set_worker(s, b, NULL);
		waits_seen_free(b);
	}
	s->n_all = kept;
}

void waits_list_lively(struct waits *s, struct seen *b)
{
	if (b->listed)
		return;
	b->listed = true;
	GS_GROW(s->lively, &s->lively_cap, s->n_lively + 1);
	s->lively[s->n_lively++] = b;
}

/* What it is, in a sample that tells. */
static void apply_told(struct seen *b, const struct wait_sample *l,
	struct wait_query *q)
{
	b->backend.content = l->content;
	b->backend.pid = l->pid;
	b->backend.session = l->session;
	b->backend.part = l->part;
	gs_set_text(&b->backend.type, l->type);
	gs_set_text(&b->backend.user, l->user);
	gs_set_text(&b->backend.database, l->database);
	gs_set_text(&b->backend.application, l->application);
	gs_set_text(&b->backend.state, l->state);
	b->backend.changed_ns = l->changed_ns;
	b->backend.query = q;
	b->query_start = l->start_ns;
}

/* Stores the sample; true if the backend continues the same query. */
static bool apply_sample(struct waits *s, struct seen *b,
	const struct stream *from, const struct wait_sample *l, int64_t now_ns)
{
	const struct wait_event *event = wait_names_event(&s->names,
	    &l->what, b->backend.event);
	struct wait_query *q = l->told ? b->backend.query
	                               : wait_names_query(&s->names, l,
	                                     b->backend.query);
	bool goes_on = b->sample + 1 == from->number && b->sample > 0 &&
	    (l->told || (b->query_start == l->start_ns &&
	    b->backend.query == q));

	if (!l->told)
		apply_told(b, l, q);
	if (!goes_on || b->backend.event != event)
		b->backend.seen_ns = now_ns;
	b->backend.event = event;
	b->backend.has_at = l->has_at;
	b->backend.at = l->at;
	b->backend.open = true;
	b->stream = from;
	b->sample = from->number;
	waits_list_lively(s, b);
	return goes_on;
}

/* ---- sums ------------------------------------------------------------ */

unsigned waits_bucket(uint64_t n)
{
	unsigned k = 0;

	while (n > 1 && k < WAITS_BUCKETS - 1) {
		n >>= 1;
		k++;
	}
	return k;
}

/* Sums for the backend's content. */
static struct wait_sum *sum_of(const struct seen *b, struct row_entry *e)
{
	return waits_entry_sum(e, b->backend.content >= 0);
}

/* The run of an activity; a new one if the sample before had another activity. */
static struct run *run_of(struct seen *b, struct row_entry *e, bool goes_on,
	int64_t now_ns)
{
	struct run *r;
	size_t at = 0;

	while (at < b->n_run && b->run[at].entry != e)
		at++;
	if (at == b->n_run) {
		GS_GROW(b->run, &b->run_cap, b->n_run + 1);
		b->run[b->n_run++] = (struct run) { .entry = e };
	}
	r = &b->run[at];
	if (!goes_on || r->n == 0 || r->sample + 1 != b->sample) {
		r->n = 0;
		r->from_ns = now_ns;
	}
	r->sample = b->sample;
	return r;
}

/* Ends runs of activities that have ended. */
static void forget_runs(struct seen *b)
{
	size_t i, kept = 0;

	for (i = 0; i < b->n_run; i++) {
		if (b->run[i].sample == b->sample)
			b->run[kept++] = b->run[i];
	}
	b->n_run = kept;
}

/* One more sample of a run. */
static void count_run(struct run *r, struct wait_sum *sum, int64_t now_ns)
{
	r->n++;
	sum->runs += r->n == 1;
	sum->longest = GS_MAX(sum->longest, r->n);
	sum->longest_ns = GS_MAX(sum->longest_ns, now_ns - r->from_ns);
	if ((r->n & (r->n - 1)) != 0 || r->n >= UINT64_C(1) << WAITS_BUCKETS)
		return;
	sum->bucket[waits_bucket(r->n)]++;
	if (r->n > 1)
		sum->bucket[waits_bucket(r->n) - 1]--;
}

/* Not known in the first sample of a process that was there before. */
static bool grown(const struct row *p, unsigned col, uint64_t *ret)
{
	uint64_t now, was = 0;

	if (!cells_get(p->now, col, &now))
		return false;
	if (!cells_get(p->was, col, &was) && (p->opened != OPEN_BORN ||
	    p->first_tick != p->touched_tick))
		return false;
	*ret = now > was ? now - was : 0;
	return true;
}

/* By the kernel's own clock, or in clock ticks; not known if it does not measure
 * this process. */
static bool waited_for_io(const struct row *p, uint64_t *ret_us)
{
	uint64_t ticks;

	*ret_us = 0;
	if (grown(p, COL(PROCESS, DELAY_BLKIO), ret_us))
		return true;
	if (!grown(p, COL(PROCESS, BLKIO_DELAY), &ticks))
		return false;
	*ret_us = ticks * diff_tick_ns(p->host) / 1000;
	return true;
}

static bool has_io(const struct row *p)
{
	return cells_has(p->now, COL(PROCESS, DELAY_BLKIO)) ||
	    cells_has(p->now, COL(PROCESS, BLKIO_DELAY));
}

bool waits_used(const struct world *w, const struct row *p,
	struct wait_used *ret)
{
	*ret = (struct wait_used) { .cpu_us = 0 };
	if (!p || !p->host->sampled || p->host->gap)
		return false;
	if (p->touched_tick != world_ticks(w)) { /* it did not run */
		ret->with_io = has_io(p);
		return true;
	}
	if (!grown(p, COL(PROCESS, CPU), &ret->cpu_us))
		return false;
	if (!grown(p, COL(PROCESS, DELAY_CPU), &ret->queue_us))
		(void)grown(p, COL(PROCESS, RUN_DELAY), &ret->queue_us);
	ret->with_io = waited_for_io(p, &ret->io_us);
	return true;
}

/* At most what is left of it; takes that away. */
static int64_t part_of(uint64_t us, int64_t *left_ns)
{
	int64_t ns = (int64_t)GS_MIN(us, (uint64_t)*left_ns / 1000) * 1000;

	*left_ns -= ns;
	return ns;
}

/* Splits part_ns without a known wait by what the process did. runnable: state
 * R, either on a CPU or in the queue. */
static void split_part(struct wait_sum *sum, const struct wait_used *used,
	bool runnable, int64_t part_ns)
{
	int64_t left_ns = part_ns;
	int64_t cpu_ns = part_of(used->cpu_us, &left_ns);
	int64_t queue_ns = part_of(used->queue_us, &left_ns);

	if (runnable && cpu_ns + queue_ns > 0) {
		cpu_ns = (int64_t)((double)part_ns * (double)cpu_ns /
		    (double)(cpu_ns + queue_ns));
		queue_ns = part_ns - cpu_ns;
		left_ns = 0;
	}
	sum->cpu_ns += cpu_ns;
	sum->queue_ns += queue_ns;
	if (!used->with_io)
		return;
	sum->with_io_ns += part_ns;
	sum->io_ns += part_of(used->io_us, &left_ns);
	sum->asleep_ns += left_ns;
}

static struct active *active_of(struct waits *s, uint64_t session)
{
	struct active *a;

	HASH_FIND(hh, s->active, &session, sizeof(session), a);
	if (a)
		return a;
	a = gs_calloc(1, sizeof(*a));
	a->session = session;
	HASH_ADD(hh, s->active, session, sizeof(a->session), a);
	return a;
}

/* Each session once in a tick. */
static void count_session(struct waits *s, struct seen *b)
{
	if (!b->active || b->active->session != b->backend.session)
		b->active = active_of(s, b->backend.session);
	s->n_active += b->active->tick != s->tick;
	b->active->tick = s->tick;
}

/* Adds the time of an active backend to its sums. */
static void count_work(struct waits *s, struct seen *b, int64_t weight_ns)
{
	struct wait_backend *w = &b->backend;

	w->db_time_ns += weight_ns;
	if (w->part == WAIT_FOREGROUND)
		count_session(s, b);
	if (w->content >= 0) {
		s->total.segment_time_ns += weight_ns;
		return;
	}
	s->total.part_ns[w->part] += weight_ns;
	s->total.db_time_ns += weight_ns;
	s->active_ns += weight_ns;
}

/* One activity in a part of the sample's time; returns its sums. */
static struct wait_sum *count_event(struct waits *s, struct seen *b,
	const struct wait_event *event, bool goes_on, int64_t now_ns,
	int64_t part_ns)
{
	struct row_entry *e = waits_entry(s, b, event,
	    b->backend.query);
	struct wait_sum *sum = sum_of(b, e);

	sum->time_ns += part_ns;
	sum->samples++;
	count_run(run_of(b, e, goes_on, now_ns), sum, now_ns);
	if (s->note && b->row && b->backend.content < 0 &&
	    event->kind >= WAIT_CPU)
		s->note(s->note_ctx, b->row, event, part_ns);
	return sum;
}

static struct wait_sum *count_part(struct waits *s, struct seen *b,
	const struct wait_what *what, bool goes_on, int64_t now_ns,
	int64_t part_ns)
{
	return count_event(s, b, wait_names_event(&s->names, what,
	    b->backend.event), goes_on, now_ns, part_ns);
}

/* Scheduling of executors in their part of a sample's time: the average of
 * those for which it is known. */
static void split_share(const struct wait_share *x, struct wait_sum *sum,
	int64_t part_ns, int64_t weight_ns)
{
	double used = x->n_used, scale;
	struct wait_used each;

	if (x->n_used == 0)
		return;
	scale = (double)part_ns / (double)weight_ns / (double)x->n;
	each = (struct wait_used) {
		.cpu_us = (uint64_t)((double)x->used.cpu_us * scale),
		.queue_us = (uint64_t)((double)x->used.queue_us * scale),
		.io_us = (uint64_t)((double)x->used.io_us * scale),
		.with_io = x->used.with_io,
	};
	split_part(sum, &each, x->what.kind == WAIT_CPU,
	    (int64_t)((double)part_ns * used / (double)x->n));
}

/* Its executors' time, in equal parts that add up to the whole. */
static void count_shares(struct waits *s, struct seen *b,
	const struct wait_sample *l, bool goes_on, int64_t now_ns,
	int64_t weight_ns)
{
	int64_t done = 0, n = 0;
	size_t i;

	for (i = 0; i < l->n_share; i++) {
		const struct wait_share *x = &l->share[i];
		struct wait_sum *sum;
		int64_t to;

		n += x->n;
		to = (int64_t)((double)weight_ns * (double)n /
		    (double)l->n_executors);
		if (n == l->n_executors)
			to = weight_ns;
		sum = count_part(s, b, &x->what, goes_on, now_ns, to - done);
		if (wait_is_split(&x->what))
			split_share(x, sum, to - done, weight_ns);
		done = to;
	}
}

static void count(struct waits *s, const struct world *w, struct seen *b,
	const struct wait_sample *l, bool goes_on, int64_t now_ns,
	int64_t weight_ns)
{
	if (l->n_share > 0) {
		count_shares(s, b, l, goes_on, now_ns, weight_ns);
	} else {
		struct wait_sum *sum = count_part(s, b, &l->what, goes_on,
		    now_ns, weight_ns);
		struct wait_used used;

		if (wait_is_split(&l->what) &&
		    waits_used(w, l->process, &used))
			split_part(sum, &used, l->by_state &&
			    l->what.kind == WAIT_CPU, weight_ns);
	}
	forget_runs(b);
	if (l->what.kind >= WAIT_CPU)
		count_work(s, b, weight_ns);
}

/* IO workers serve other backends, which wait: their time is not DB time. */
static void count_io_worker(struct waits *s, const struct wait_sample *l,
	int64_t weight_ns)
{
	s->total.io_workers_ns += weight_ns;
	if (l->what.kind >= WAIT_CPU)
		s->total.part_ns[WAIT_IO_WORKER] += weight_ns;
}

void waits_sample(struct waits *s, const struct world *w,
	const struct stream *from, const struct wait_sample *l, int64_t now_ns,
	int64_t weight_ns)
{
	struct seen *b;
	bool goes_on;

	if (l->part == WAIT_IO_WORKER) {
		count_io_worker(s, l, weight_ns);
		return;
	}
	b = seen_of(s, l->row);
	goes_on = apply_sample(s, b, from, l, now_ns);
	if (weight_ns > 0)
		count(s, w, b, l, goes_on, now_ns,
		    from->is_held ? 0 : weight_ns);
	else
		b->n_run = 0; /* runs begin with the range */
}

void waits_sample_many(struct seen *b, uint64_t n, uint64_t number,
	int64_t now_ns, int64_t time_ns)
{
	struct run *r = &b->run[0];
	struct wait_sum *sum = sum_of(b, r->entry);

	b->sample = r->sample = number;
	sum->time_ns += time_ns;
	sum->samples += n;
	sum->bucket[waits_bucket(r->n)]--;
	r->n += n;
	sum->bucket[waits_bucket(r->n)]++;
	sum->longest = GS_MAX(sum->longest, r->n);
	sum->longest_ns = GS_MAX(sum->longest_ns, now_ns - r->from_ns);
}

void waits_sample_again(struct waits *s, struct seen *b, int64_t now_ns,
	int64_t weight_ns)
{
	b->sample = b->stream->number;
	if (weight_ns > 0) {
		(void)count_event(s, b, b->backend.event, true, now_ns,
		    weight_ns);
		forget_runs(b);
	} else {
		b->n_run = 0;
	}
}
