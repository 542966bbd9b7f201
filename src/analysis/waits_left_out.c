/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_left_out.c - samples of ticks that were left out when a recording was
 * thinned.
 *
 * Each tick that was kept tells the sums since the one before (waits_take.c); they
 * are added in place of its own sample.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/waits_told.h"
#include "base/compiler.h"

static struct wait_sum untold(struct wait_sum s)
{
	s.with_io_ns = gs_difference(s.time_ns, s.with_io_ns);
	s.asleep_ns = waits_lacking_sleep(&s);
	return s;
}

/* Other kinds tell something else of a row, or are of a newer version. */
static bool tells_waits(const struct left_out *l)
{
	uint32_t k;

	for (k = 0; k < l->n_waited; k++) {
		if (l->waited[k].kind <= OF_WORK)
			return true;
	}
	return false;
}

/* What the current tick tells; NULL if no waits. */
static const struct left_out *told_by(const struct row *r, const struct world *w)
{
	const struct left_out *l = row_left_out(r);

	return l && l->tick == world_ticks(w) && tells_waits(l) ? l : NULL;
}

/* Others are of a newer version. */
static bool is_activity(const struct row_waited *t)
{
	return t->kind > OF_SERVER && t->kind <= WAIT_EVENT + 1u;
}

/* The stream that a row stands for; NULL: none. */
static struct stream *stream_of_row(struct waits *s, const struct world *w,
	const struct host *catalog, const struct row *r)
{
	unsigned k;

	if (r->entity == ENTITY_HOST && !r->host->catalog)
		return waits_stream_of(s, r->host);
	for (k = 0; r->host == catalog && k < CATALOGS; k++) {
		if (waits_is_answers(w, r, k))
			return &s->catalog[k];
	}
	return NULL;
}

static void forget_told(struct waits *s)
{
	struct stream *t, *next;
	unsigned k;

	for (k = 0; k < CATALOGS; k++)
		s->catalog[k].is_told = false;
	HASH_ITER(hh, s->hosts, t, next)
		t->is_told = false;
}

void waits_find_told(struct waits *s, const struct world *w,
	const struct host *catalog)
{
	size_t i, n;
	struct row *const *touched = world_touched(w, &n);

	forget_told(s);
	for (i = 0; world_is_thinned(w) && i < n; i++) {
		const struct row *r = touched[i];
		const int64_t *a = left_out_amounts(told_by(r, w), OF_STREAM);
		struct stream *t = a ? stream_of_row(s, w, catalog, r) : NULL;

		if (!t)
			continue;
		t->is_told = true;
		t->told_ns = a[TIME];
		t->n_told = (uint64_t)a[TIMES];
	}
}

/* "Lock:relation" */
static struct wait_what what_of(const struct row_waited *t)
{
	struct span rest = span_str(t->event), class;
	bool has_event = scan_until(&rest, ':', &class);

	return (struct wait_what) {
		(enum wait_kind)(t->kind - 1),
		has_event ? class : rest, has_event ? rest : span_str("") };
}

static bool is_of(const struct row_waited *t, const struct wait_event *event)
{
	struct wait_what what = what_of(t);

	return what.kind == event->kind && span_eq(what.class, event->class) &&
	    span_eq(what.event, event->event);
}

static struct seen *known(const struct waits *s, const struct row *r)
{
	return r->serial < s->seen_cap ? s->seen[r->serial] : NULL;
}

/* Time and samples of the stream that no activity of the row has; false: none, or
 * it was not in all of them. */
static bool rest_of(const struct row *r, const struct world *w,
	const struct stream *t, const struct wait_event *event, int64_t *ret_ns,
	uint64_t *ret_n)
{
	const struct left_out *l = told_by(r, w);
	uint32_t k;

	*ret_ns = t->told_ns;
	*ret_n = t->n_told;
	for (k = 0; l && k < l->n_waited; k++) {
		const struct row_waited *of = &l->waited[k];

		if (!is_activity(of))
			continue;
		if (is_of(of, event))
			return false;
		*ret_ns = gs_difference(*ret_ns, of->amount[TIME]);
		*ret_n -= (uint64_t)of->amount[TIMES];
	}
	return *ret_n > 0 && *ret_n <= t->n_told && *ret_ns >= 0;
}

void waits_count_told(struct waits *s, const struct world *w,
	const struct row *r)
{
	struct seen *b = world_is_thinned(w) ? known(s, r) : NULL;
	struct row_entry *e;
	struct wait_sum *sum;
	int64_t ns;
	uint64_t n;

	/* of a row that the tick opens all activities are told, or by earlier
	 * versions some: it was not in all samples */
	if (!b || r->first_tick == world_ticks(w) || !b->stream->is_told ||
	    b->backend.event->kind >= WAIT_CPU ||
	    !rest_of(r, w, b->stream, b->backend.event, &ns, &n))
		return;
	e = waits_entry(s, b, b->backend.event, NULL);
	sum = waits_entry_sum(e, b->backend.content >= 0);
	waits_add(&sum->time_ns, ns);
	sum->samples += n;
}

static const struct stream *stream_of(struct waits *s, const struct row *r,
	const struct wait_sample *l)
{
	return r->entity == ENTITY_PROCESS ? waits_stream_of(s, r->host)
	    : &s->catalog[l->content >= 0 ? SEGMENTS : COORDINATOR];
}

/* Whose it was, and nothing else. */
static struct wait_sample unknown_sample(struct row *r)
{
	uint64_t pid = 0;

	(void)row_get(r, r->entity == ENTITY_BACKEND
	    ? COL(BACKEND, PID) : COL(PROCESS, PID), &pid);
	return (struct wait_sample) { .row = r, .content = -1,
		.pid = (int)pid, .session = pid };
}

/* A backend that ended since the tick before, or is no longer counted: by its
 * last cells.  Those of a zombie say whose it was, but not what it did. */
static void sample_gone(struct waits *s, const struct world *w,
	const struct sessions *sessions, struct row *r)
{
	struct wait_sample l = { .row = NULL };

	if (!waits_sample_of(s, w, sessions, r, &l)) {
		if (span_empty(l.type))
			l = unknown_sample(r);
		wait_set(&l.what, WAIT_IDLE, "Client", "ClientRead");
	}
	waits_sample(s, w, stream_of(s, r, &l), &l, r->host->clock.wall_ns, 0);
	if (known(s, r)) {
		known(s, r)->backend.open = false;
		known(s, r)->ended = r->closed == CLOSE_EXITED;
	}
}

static const struct wait_query *query_of(struct waits *s,
	const struct row_waited *t)
{
	const struct wait_sample l = { .has_query_id = t->has_query_id,
		.query_id = t->query_id, .query = span_str(t->query) };

	return wait_names_query(&s->names, &l, NULL);
}

/* One of which nothing but its time is told: it goes on since before the range, if this is
 * the first that the range is told; later it is one of those that are known. */
static bool goes_on(const struct waits *s, const struct wait_sum *more)
{
	size_t i;

	if (s->is_taken || s->tick != s->from_tick + 1 || more->samples == 0 ||
	    more->runs > 0)
		return false;
	for (i = 0; i < WAITS_BUCKETS; i++) {
		if (more->bucket[i] != 0)
			return false;
	}
	return true;
}

/* A run that goes on leaves its bucket for the next, modulo 2^64.  If it began
 * before the range, it is one of the range from there on. */
static void add_runs(const struct waits *s, struct wait_sum *to,
	const struct wait_sum *more)
{
	size_t i;

	to->runs += more->runs;
	for (i = 0; i < WAITS_BUCKETS; i++) {
		uint64_t less = 0 - more->bucket[i], before = 0;

		if (!s->is_taken && less < more->bucket[i] &&
		    less > to->bucket[i])
			before = less - to->bucket[i];
		to->bucket[i] += more->bucket[i] + before;
		to->runs += before;
	}
	if (goes_on(s, more)) {
		to->bucket[waits_bucket(more->longest)]++;
		to->runs++;
	}
	to->longest = GS_MAX(to->longest, more->longest);
	to->longest_ns = GS_MAX(to->longest_ns, more->longest_ns);
}

static void add_sum(const struct waits *s, struct wait_sum *to,
	const struct row_waited *t)
{
	struct wait_sum more;

	memcpy(&more, t->amount, sizeof(more));
	more = untold(more);
	waits_add(&to->time_ns, more.time_ns);
	to->samples += more.samples;
	add_runs(s, to, &more);
	waits_add(&to->cpu_ns, more.cpu_ns);
	waits_add(&to->queue_ns, more.queue_ns);
	waits_add(&to->with_io_ns, more.with_io_ns);
	waits_add(&to->io_ns, more.io_ns);
	waits_add(&to->asleep_ns, more.asleep_ns);
}

static void add_time(struct waits *s, struct seen *b,
	const struct wait_event *event, int64_t time_ns)
{
	if (event->kind < WAIT_CPU)
		return;
	waits_add(&b->backend.db_time_ns, time_ns);
	if (b->backend.content >= 0) {
		waits_add(&s->total.segment_time_ns, time_ns);
		return;
	}
	waits_add(&s->total.part_ns[b->backend.part], time_ns);
	waits_add(&s->total.db_time_ns, time_ns);
	if (s->note && b->row)
		s->note(s->note_ctx, b->row, event, time_ns);
}

static void add_activity(struct waits *s, struct seen *b,
	const struct row_waited *t)
{
	struct wait_what what = what_of(t);
	const struct wait_event *event = wait_names_event(&s->names, &what,
	    b->backend.event);
	struct row_entry *e = waits_entry(s, b, event, query_of(s, t));

	add_sum(s, waits_entry_sum(e, b->backend.content >= 0), t);
	add_time(s, b, event, t->amount[TIME]);
}

static void add_row(struct waits *s, const struct world *w,
	const struct sessions *sessions, struct row *r, const struct left_out *l)
{
	struct seen *b = known(s, r);
	uint32_t k;

	if (!b)
		sample_gone(s, w, sessions, r);
	b = known(s, r);
	for (k = 0; b && k < l->n_waited; k++) {
		if (is_activity(&l->waited[k]))
			add_activity(s, b, &l->waited[k]);
		else if (l->waited[k].kind == OF_WORK)
			waits_add_told_work(s, w, sessions, b, r,
			    l->waited[k].amount);
	}
}

static void add_server(struct waits_total *t, const int64_t *amount)
{
	waits_add(&t->session_time_ns, amount[SESSION_TIME]);
	waits_add(&t->io_workers_ns, amount[IO_WORKERS]);
	waits_add(&t->part_ns[WAIT_IO_WORKER], amount[IO_WORKERS_BUSY]);
	if (amount[PEAK_WEIGHT] > 0 && (t->peak_weight_ns == 0 ||
	    (double)amount[PEAK] / (double)amount[PEAK_WEIGHT] >
	    (double)t->peak_ns / (double)t->peak_weight_ns)) {
		t->peak_ns = amount[PEAK];
		t->peak_weight_ns = amount[PEAK_WEIGHT];
	}
}

static void add_stream(struct stream *t)
{
	if (t->is_told) {
		waits_add(&t->sum_ns, t->told_ns);
		t->n_sample += t->n_told;
	}
}

static void add_streams(struct waits *s)
{
	struct stream *t, *next;
	unsigned k;

	for (k = 0; k < CATALOGS; k++)
		add_stream(&s->catalog[k]);
	HASH_ITER(hh, s->hosts, t, next)
		add_stream(t);
}

const struct stream *waits_covered_stream(const struct waits *s)
{
	const struct stream *best = &s->catalog[COORDINATOR];
	struct stream *t, *next;

	if (best->is_told)
		return best;
	HASH_ITER(hh, s->hosts, t, next) {
		if (t->is_told && t->told_ns > best->told_ns)
			best = t;
	}
	return best->is_told ? best : NULL;
}

/* What a server was, of which no backend tells. */
static const int64_t *unseen_server(const struct waits *s, const struct world *w)
{
	const int64_t *amount;
	size_t i, n;
	struct row *const *touched = world_touched(w, &n);

	if (s->answers)
		return left_out_amounts(told_by(s->answers, w), OF_UNSEEN);
	for (i = 0; i < n; i++) {
		amount = touched[i]->entity == ENTITY_HOST
		    ? left_out_amounts(told_by(touched[i], w), OF_UNSEEN) : NULL;
		if (amount)
			return amount;
	}
	return NULL;
}

static void add_covered(struct waits *s, int64_t ns, uint64_t samples)
{
	waits_add(&s->total.covered_ns, ns);
	s->total.samples += samples;
}

/* No backend was seen. */
static void add_unseen(struct waits *s, const struct world *w)
{
	const int64_t *server = unseen_server(s, w);
	const struct stream *t = server ? NULL : waits_covered_stream(s);

	if (server) {
		add_server(&s->total, server);
		add_covered(s, server[COVERED], (uint64_t)server[SAMPLES]);
	} else if (t) {
		add_covered(s, t->told_ns, t->n_told);
	}
}

void waits_add_told(struct waits *s, const struct world *w,
	const struct sessions *sessions)
{
	int64_t covered_ns = 0, samples = 0;
	bool told = false;
	size_t i, n;
	struct row *const *touched = world_touched(w, &n);

	for (i = 0; i < n; i++) {
		struct row *r = touched[i];
		const struct left_out *l = told_by(r, w);
		const int64_t *server;

		if ((r->entity != ENTITY_BACKEND &&
		    r->entity != ENTITY_PROCESS) || !l ||
		    !waits_asks_row(s, sessions, r))
			continue;
		add_row(s, w, sessions, r, l);
		server = left_out_amounts(l, OF_SERVER);
		if (!server)
			continue;
		add_server(&s->total, server);
		told = true;
		/* by earlier versions a server that was restarted has two */
		covered_ns = GS_MAX(covered_ns, server[COVERED]);
		samples = GS_MAX(samples, server[SAMPLES]);
	}
	add_streams(s);
	if (told)
		add_covered(s, covered_ns, (uint64_t)samples);
	else
		add_unseen(s, w);
}
