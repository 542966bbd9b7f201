/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/waits.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/waits_int.h"
#include "base/arith.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "model/diff.h"

static int64_t gap_of_interval(int64_t interval_ns)
{
	return interval_ns > INT64_MAX / WAITS_GAP_INTERVALS ? INT64_MAX
	    : interval_ns * WAITS_GAP_INTERVALS;
}

void waits_set_interval(struct waits *s, int64_t interval_ns)
{
	s->gap_ns = gap_of_interval(interval_ns);
}

struct waits *waits_new(unsigned by, int64_t interval_ns,
	waits_process_fn process, void *ctx)
{
	struct waits *s = gs_calloc(1, sizeof(*s));

	s->by = by;
	s->catalog[SEGMENTS].is_held = true;
	waits_set_interval(s, interval_ns);
	s->process = process;
	s->ctx = ctx;
	return s;
}

void waits_set_server(struct waits *s, waits_server_fn fn, void *ctx)
{
	s->of_server = fn;
	s->server_ctx = ctx;
}

void waits_set_note(struct waits *s, waits_note_fn fn, void *ctx)
{
	s->note = fn;
	s->note_ctx = ctx;
}

static void free_rows(struct waits *s)
{
	size_t i;

	HASH_CLEAR(hh, s->rows);
	for (i = 0; i < s->n_row; i++)
		waits_entry_free(s->row[i]);
	s->n_row = 0;
}

void waits_free(struct waits *s)
{
	struct stream *h, *next;
	size_t i;

	if (!s)
		return;
	HASH_CLEAR(hh, s->working); /* its table is reached by one of them */
	free_rows(s);
	wait_names_release(&s->names);
	free(s->ended.item);
	HASH_ITER(hh, s->hosts, h, next) {
		HASH_DEL(s->hosts, h);
		free(h->awake);
		free(h->due);
		free(h);
	}
	for (i = 0; i < s->n_all; i++)
		waits_seen_free(s->all[i]);
	free(s->all);
	for (i = 0; i < CATALOGS; i++) {
		free(s->catalog[i].awake);
		free(s->catalog[i].due);
	}
	free(s->lively);
	free(s->seen);
	free(s->row);
	waits_forget_active(s);
	buf_release(&s->key);
	free(s);
}

/* ---- the catalog ----------------------------------------------------- */

/* When the database answered the query of these rows; false if it never did. */
static bool answered(const struct world *w, const struct host *c,
	unsigned which, uint64_t *ret, uint64_t *ret_period_ms)
{
	const struct row *r = waits_answers(w, c, which);

	*ret_period_ms = 0;
	if (r)
		(void)row_get(r, COL(COLLECTOR, PERIOD), ret_period_ms);
	return r && row_get(r, COL(COLLECTOR, LAST), ret);
}

/* Time since the sample before; 0 for the first, after a change of machine, or
 * after a reboot. */
static void step(const struct waits *s, struct stream *t, const struct row *of,
	int64_t mono_ns)
{
	int64_t ns = t->begun ? mono_ns - t->mono_ns : 0;

	if (!t->steady)
		t->unsteady_tick = s->tick;
	t->steady |= t->begun;
	t->begun = t->known = true;
	t->mono_ns = mono_ns;
	t->weight_ns = t->is_told ? 0 : GS_MIN(GS_MAX(ns, 0), t->gap_ns);
	t->row = of ? of->serial : t->row;
	t->sample_ns = t->held_to_ns = mono_ns;
	t->sum_ns += t->is_held ? 0 : t->weight_ns;
	t->n_sample += t->weight_ns > 0;
	t->sampled = true;
	t->number++;
}

/* Answers have stopped; the next one starts the stream again.  What it holds counts up
 * to its newest tick. */
static void stop(struct waits *s, struct stream *t)
{
	t->known = true;
	if (!t->begun)
		return;
	waits_hold(s, t);
	waits_wake_sleepers(s, t);
	t->all = true;
	t->begun = false;
	t->number++; /* a sample of no backend */
}

/* How processes of a host, or backends of a catalog, are looked at. */
struct look {
	struct waits *s;
	const struct world *w;
	const struct sessions *sessions;
	struct stream *from;
};

/* False: it has no sample, until its row says something else. */
static bool look_at_backend(void *ctx, struct row *r)
{
	const struct look *k = ctx;
	struct seen *b = waits_quiet(k->s, r, k->from);
	int64_t now_ns = r->host->clock.wall_ns;
	struct wait_sample l;

	if (b) {
		waits_sample_again(k->s, b, now_ns, k->from->weight_ns);
	} else {
		if ((waits_content_of_row(r) >= 0) !=
			(k->from == &k->s->catalog[SEGMENTS]) ||
		    !waits_sample_backend(k->s, k->w, k->sessions, r,
			waits_told(k->s, r, k->from), &l))
			return false;
		waits_sample(k->s, k->w, k->from, &l, now_ns,
		    k->from->weight_ns);
		waits_quiet_note_row(k->s, &l);
	}
	waits_count_told(k->s, k->w, r);
	return true;
}

static void sample_rows(struct waits *s, const struct world *w,
	const struct host *c, const struct sessions *sessions, unsigned which)
{
	struct look k = { s, w, sessions, &s->catalog[which] };
	const struct table *t = &c->table[ENTITY_BACKEND];
	size_t i;

	if (which == COORDINATOR) {
		waits_count_asleep(s, k.from);
		waits_look(k.from, look_at_backend, &k);
		return;
	}
	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i])
			(void)look_at_backend(&k, t->slot[i]);
	}
}

/* The database may be sampled less often than hosts. */
static int64_t gap_of(int64_t gap_ns, uint64_t period_ms)
{
	return GS_MAX(gap_ns, WAITS_GAP_INTERVALS * GS_NSEC_PER_MSEC *
	    (int64_t)GS_MIN(period_ms, 86400000u));
}

/* How old an answer may be: where ticks were left out, as old as in their source, whose
 * samples were of titles from there on. */
static int64_t oldest(const struct waits *s, const struct world *w,
	uint64_t period_ms)
{
	return gap_of(world_is_thinned(w) ? gap_of_interval(world_thinned_ns(w))
	    : s->gap_ns, period_ms);
}

/* The catalog is used (begun) while its last answer is not older than a gap. */
static void sample_catalog(struct waits *s, const struct world *w,
	const struct sessions *sessions, const struct host *c,
	unsigned which)
{
	struct stream *t = &s->catalog[which];
	uint64_t stamp, period_ms;

	t->sampled = false;
	t->all |= t->host != c;
	t->host = c;
	if (!c || !answered(w, c, which, &stamp, &period_ms)) {
		stop(s, t);
		return;
	}
	t->gap_ns = gap_of(s->gap_ns, period_ms);
	t->now_ns = c->clock.mono_ns;
	if (gs_difference(s->now_ns / 1000, (int64_t)stamp) >
	    oldest(s, w, period_ms) / 1000) {
		stop(s, t);
		return;
	}
	if (!c->sampled || (t->begun && stamp == t->stamp))
		return;
	waits_hold(s, t);
	t->stamp = stamp;
	step(s, t, waits_answers(w, c, which), c->clock.mono_ns);
	if (!s->passes)
		sample_rows(s, w, c, sessions, which);
	if (which == COORDINATOR)
		s->total.newest_ns = c->clock.wall_ns;
}

/* ---- titles ---------------------------------------------------------- */

static bool is_wanted(const struct look *k, const struct proc *p, int content)
{
	return waits_asks_row(k->s, k->sessions, p->row) &&
	    k->s->wanted[content >= 0 ? SEGMENTS : COORDINATOR];
}

static void sample_title(const struct look *k, const struct proc *p,
	struct wait_sample *l)
{
	if (p->session && p->session->leader == p)
		waits_split(k->w, p->session, p, l);
	waits_sample(k->s, k->w, k->from, l, k->from->host->clock.wall_ns,
	    k->from->weight_ns);
	waits_quiet_note(k->s, p, l);
}

/* False: it has no sample, whatever its state is. */
static bool look_at(void *ctx, struct row *r)
{
	const struct look *k = ctx;
	const struct proc *p = sessions_proc(k->sessions, r);
	struct seen *b = waits_quiet(k->s, r, k->from);
	struct wait_sample l;

	if (!p)
		return true;
	if (!is_wanted(k, p, b ? b->backend.content : waits_content_of(p))) {
		if (b)
			b->quiet = false;
		return false;
	}
	if (!b && !waits_sample_title(k->w, p, waits_told(k->s, r, k->from),
	    &k->s->key, &l))
		return waits_may_sample_title(p);
	if (b)
		waits_sample_again(k->s, b, k->from->host->clock.wall_ns,
		    k->from->weight_ns);
	else
		sample_title(k, p, &l);
	waits_count_told(k->s, k->w, p->row);
	return true;
}

/* The processes of a host that the catalog does not cover. */
static void sample_titles(struct waits *s, const struct world *w,
	const struct sessions *sessions, struct stream *from)
{
	struct look k = { s, w, sessions, from };

	/* of several servers, which one a process is of can change */
	from->all |= s->of_server != NULL;
	waits_count_asleep(s, from);
	waits_look(from, look_at, &k);
}

static void begin_host_as(struct waits *s, const struct stream *from)
{
	struct stream *t = waits_stream_of(s, from->host);

	t->begun = from->begun;
	t->now_ns = from->now_ns;
	t->mono_ns = from->mono_ns;
	t->weight_ns = from->weight_ns;
	t->gap_ns = from->gap_ns;
	t->number = from->number;
	t->sum_ns = from->sum_ns;
	t->n_sample = from->n_sample;
	t->row = from->row;
	t->elapsed_ns = from->elapsed_ns;
	t->unsteady_tick = from->unsteady_tick;
	t->steady = from->steady;
}

void waits_begin_as(struct waits *s, const struct waits *other)
{
	struct stream *t, *next;

	HASH_ITER(hh, other->hosts, t, next)
		begin_host_as(s, t);
	s->gap_ns = other->gap_ns;
	s->from_tick = other->from_tick;
	s->total.samples = other->total.samples;
	s->total.covered_ns = other->total.covered_ns;
	s->total.newest_ns = other->total.newest_ns;
	s->total.processes = other->total.processes;
}

/* Whether CPU times of processes are recorded. */
static bool has_cpu(const struct table *processes)
{
	size_t i;

	for (i = 0; i < processes->n_slot; i++) {
		const struct row *r = processes->slot[i];

		if (r && cells_has(r->now, COL(PROCESS, CPU)))
			return true;
	}
	return false;
}

/* All hosts that answered, each by its own clock; returns the longest time
 * since one's sample before. */
static int64_t step_hosts(struct waits *s, const struct world *w)
{
	int64_t most = 0;
	size_t i;

	for (i = 0; i < world_hosts(w); i++) {
		const struct host *h = world_host(w, i);
		struct stream *t;

		if (h->sampled)
			s->now_ns = GS_MAX(s->now_ns, gs_difference(
			    h->clock.wall_ns, h->clock.offset_ns));
		if (h->catalog)
			continue;
		t = waits_stream_of(s, h);
		t->sampled = false;
		t->now_ns = h->clock.mono_ns;
		if (!h->sampled)
			continue;
		step(s, t, host_row(h), h->clock.mono_ns);
		t->elapsed_ns = gs_sum(t->elapsed_ns, diff_elapsed_ns(h));
		s->total.processes |= has_cpu(&h->table[ENTITY_PROCESS]);
		most = GS_MAX(most, t->weight_ns);
	}
	return most;
}

/* ---- ticks ----------------------------------------------------------- */

/* The tick was a complete sample: number of active sessions. */
static void end_sample(struct waits *s, int64_t weight_ns)
{
	s->total.session_time_ns += (int64_t)s->n_active * weight_ns;
	s->total.samples++;
	s->total.covered_ns += weight_ns;
	if (s->total.peak_weight_ns == 0 ||
	    (double)s->active_ns / (double)weight_ns >
	    (double)s->total.peak_ns / (double)s->total.peak_weight_ns) {
		s->total.peak_ns = s->active_ns;
		s->total.peak_weight_ns = weight_ns;
	}
}

/* A lost host is not sampled any more, but its rows have ended. */
static bool is_seen(const struct seen *b)
{
	return b->sample == b->stream->number &&
	    !(b->row && b->row->closed);
}

static void close_unseen(struct waits *s)
{
	size_t i;

	for (i = 0; i < s->n_lively; i++) {
		struct seen *b = s->lively[i];

		if (!b->backend.open || is_seen(b))
			continue;
		b->backend.open = false;
		b->n_run = 0;
		waits_set_worker(s, b, NULL);
		if (b->told_tick != s->tick)
			b->ended = b->row && b->row->closed == CLOSE_EXITED;
		if (b->row && b->row->closed) {
			s->seen[b->row->serial] = NULL;
			row_drop(b->row);
			b->row = NULL;
		}
	}
}

/* Processes without a catalog.  Returns true if this makes the tick a complete
 * sample. */
static bool by_titles(struct waits *s, const struct world *w,
	const struct sessions *sessions)
{
	bool changed = false, any = false;
	struct stream *t, *next;
	size_t k;

	for (k = 0; k < CATALOGS; k++) {
		changed |= s->wanted[k] == s->catalog[k].begun;
		s->wanted[k] = !s->catalog[k].begun;
	}
	HASH_ITER(hh, s->hosts, t, next) {
		t->all |= changed;
		if (!t->sampled)
			continue;
		if (!s->passes)
			sample_titles(s, w, sessions, t);
		if (s->wanted[COORDINATOR])
			s->total.newest_ns = any ? GS_MAX(s->total.newest_ns,
			    t->host->clock.wall_ns)
			    : t->host->clock.wall_ns;
		any = true;
	}
	s->by_titles |= any && s->wanted[COORDINATOR];
	return any && s->wanted[COORDINATOR];
}

static const struct row *sampled_host(const struct world *w)
{
	size_t i;

	for (i = 0; i < world_hosts(w); i++) {
		const struct host *h = world_host(w, i);

		if (h->sampled && !h->catalog && host_row(h))
			return host_row(h);
	}
	return NULL;
}

void waits_step(struct waits *s, const struct world *w,
	const struct sessions *sessions)
{
	struct stream *c = &s->catalog[COORDINATOR];
	const struct host *catalog;
	int64_t hosts_ns;

	s->n_active = 0;
	s->active_ns = 0;
	s->now_ns = INT64_MIN;
	catalog = waits_catalog(s, w, sessions);
	s->answers = catalog ? waits_answers(w, catalog, COORDINATOR) : NULL;
	s->host = sampled_host(w);
	waits_find_told(s, w, catalog);
	hosts_ns = step_hosts(s, w);
	sample_catalog(s, w, sessions, catalog, COORDINATOR);
	sample_catalog(s, w, sessions, catalog, SEGMENTS);
	if (sessions && by_titles(s, w, sessions) && hosts_ns > 0)
		end_sample(s, hosts_ns);
	if (c->sampled && c->weight_ns > 0)
		end_sample(s, c->weight_ns);
}

void waits_tick(struct waits *s, const struct world *w,
	const struct sessions *sessions)
{
	waits_wake(s, w, sessions);
	waits_step(s, w, sessions);
	if (world_is_thinned(w))
		waits_add_told(s, w, sessions);
	close_unseen(s);
	if (s->by & WAITS_BY_BACKEND)
		waits_add_work(s, w);
	waits_sleep(s);
}

/* Time before the newest tick counts for no sample of the range. */
static void restart_streams(struct waits *s)
{
	struct stream *t, *next;
	size_t k;

	for (k = 0; k < CATALOGS; k++) {
		t = &s->catalog[k];
		t->mono_ns = t->held_to_ns = t->now_ns;
		t->unsteady_tick = 0;
		t->steady = false;
		t->all = true;
	}
	HASH_ITER(hh, s->hosts, t, next) {
		t->mono_ns = t->now_ns;
		t->elapsed_ns = 0;
		t->unsteady_tick = 0;
		t->steady = false;
		t->all = true;
	}
}

void waits_restart(struct waits *s, bool knows)
{
	int64_t newest_ns = s->total.newest_ns;
	size_t i;

	waits_catch_up(s);
	s->from_tick = s->tick;
	s->by_titles = false;
	free_rows(s);
	restart_streams(s);
	s->n_lively = 0;
	waits_forget_gone(s);
	for (i = 0; i < s->n_all; i++) {
		struct seen *b = s->all[i];

		b->n_run = 0;
		b->quiet = b->told = b->asleep = b->listed = false;
		waits_list_lively(s, b);
		b->backend.db_time_ns = 0;
		waits_forget_work(b);
		if (!knows)
			b->backend.seen_ns = newest_ns;
	}
	s->total = (struct waits_total) { .newest_ns = newest_ns };
}

size_t waits_count(const struct waits *s)
{
	return s->n_row;
}

const struct wait_row *waits_get(const struct waits *s, size_t i)
{
	return &s->row[i]->row;
}

size_t waits_backends(const struct waits *s)
{
	return s->n_all;
}

const struct wait_backend *waits_backend(const struct waits *s, size_t i)
{
	return &s->all[i]->backend;
}

void waits_total(const struct waits *s, struct waits_total *ret)
{
	*ret = s->total;
}
