/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_left_out.c - samples of ticks that were left out when a recording was
 * thinned.
 *
 * Thinning samples every tick, as a replay does.  With each tick that it keeps
 * it writes the sums since the one before (waits_take()), which a reader adds
 * (waits_add_told()).  Of each server there is one more entry with what is not a
 * sum over backends: covered time, sessions, the highest load; and of each stream
 * one with its time and samples.  What is left of these, and told of no activity, a
 * backend that is idle now was idle: most are all the time.
 * Amounts may come from a crafted file: sums wrap around.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/waits_int.h"
#include "base/arith.h"
#include "base/compiler.h"

/* Amounts of an activity are the members of struct wait_sum, in order; but for two,
 * what they lack is told, which mostly is 0. */
_Static_assert(sizeof(struct wait_sum) == WAITED_AMOUNTS * sizeof(int64_t),
    "amounts");

/* Amounts of a server. */
enum {
	COVERED, SAMPLES, SESSION_TIME, PEAK, PEAK_WEIGHT, IO_WORKERS,
	IO_WORKERS_BUSY
};

/* kind of struct row_waited; of an activity: wait_kind + 1 */
#define OF_SERVER 0u
#define OF_STREAM 5u

/* Amounts of a stream, and the first ones of an activity. */
enum { TIME, TIMES };

/* Or the other way round. */
static int64_t lacking_sleep(const struct wait_sum *s)
{
	if (s->with_io_ns == 0)
		return s->asleep_ns;
	return gs_difference(gs_difference(s->with_io_ns, s->asleep_ns),
	    gs_sum(gs_sum(s->cpu_ns, s->queue_ns), s->io_ns));
}

static struct wait_sum told(struct wait_sum s)
{
	s.asleep_ns = lacking_sleep(&s);
	s.with_io_ns = gs_difference(s.time_ns, s.with_io_ns);
	return s;
}

static struct wait_sum untold(struct wait_sum s)
{
	s.with_io_ns = gs_difference(s.time_ns, s.with_io_ns);
	s.asleep_ns = lacking_sleep(&s);
	return s;
}

static void add(int64_t *to, int64_t more)
{
	*to = gs_sum(*to, more);
}

/* ---- taking ----------------------------------------------------------- */

static struct seen *seen_of(const struct row_entry *e)
{
	/* the backend is its first member */
	return (struct seen *)(uintptr_t)e->key.backend;
}

static const struct wait_sum *sum_of(const struct row_entry *e)
{
	return e->row.backend->content < 0 ? &e->row.sum : &e->row.segment;
}

static bool is_idle(const struct row_entry *e)
{
	return e->row.event->kind < WAIT_CPU;
}

/* In all samples of its stream, this tick's too: its idle time is what others leave.
 * Of one that came since the last tick that was taken nobody could tell that. */
static bool is_rest(const struct row_entry *e)
{
	const struct seen *b = seen_of(e);

	return is_idle(e) && b->kept && b->backend.open &&
	    b->backend.event == e->row.event && b->stream->sampled &&
	    b->sample == b->stream->number &&
	    b->taken_ns == b->stream->sum_ns && b->n_taken > 0 &&
	    b->n_taken == b->stream->n_sample;
}

static void sum_up(struct waits *s)
{
	size_t i;

	for (i = 0; i < s->n_all; i++) {
		s->all[i]->taken_ns = 0;
		s->all[i]->n_taken = 0;
	}
	for (i = 0; i < s->n_row; i++) {
		const struct wait_sum *sum = sum_of(s->row[i]);
		struct seen *b = seen_of(s->row[i]);

		add(&b->taken_ns, sum->time_ns);
		b->n_taken += sum->samples;
	}
}

/* Of what is idle neither queries nor lengths are shown. */
static void set_amounts(const struct row_entry *e, struct row_waited *to)
{
	const struct wait_sum sum = told(*sum_of(e));

	if (is_idle(e)) {
		to->amount[TIME] = sum.time_ns;
		to->amount[TIMES] = (int64_t)sum.samples;
		return;
	}
	memcpy(to->amount, &sum, sizeof(to->amount));
	if (!e->row.query)
		return;
	to->query = e->row.query->text;
	to->has_query_id = e->row.query->has_id;
	to->query_id = to->has_query_id ? e->row.query->id : 0;
}

static void give_entry(const struct row_entry *e, waits_take_fn fn, void *ctx)
{
	const struct wait_event *event = e->row.event;
	char none[] = "";
	struct row_waited what = { .kind = (uint32_t)event->kind + 1,
		.query = none };
	struct buf name = BUF_INIT;

	buf_add_str(&name, event->class);
	if (event->event[0])
		buf_printf(&name, ":%s", event->event);
	what.event = name.ptr;
	set_amounts(e, &what);
	fn(ctx, seen_of(e)->serial, &what);
	buf_release(&name);
}

static void give_stream(struct stream *t, waits_take_fn fn, void *ctx)
{
	char none[] = "";
	struct row_waited what = { .kind = OF_STREAM, .event = none,
		.query = none };

	what.amount[TIME] = t->sum_ns;
	what.amount[TIMES] = (int64_t)t->n_sample;
	if (t->n_sample > 0 || t->sum_ns > 0)
		fn(ctx, t->row, &what);
	t->sum_ns = 0;
	t->n_sample = 0;
}

static void give_streams(struct waits *s, waits_take_fn fn, void *ctx)
{
	struct stream *t, *next;
	unsigned k;

	for (k = 0; k < CATALOGS; k++)
		give_stream(&s->catalog[k], fn, ctx);
	HASH_ITER(hh, s->hosts, t, next)
		give_stream(t, fn, ctx);
}

/* A backend that was sampled; if possible one that is still there. */
static const struct seen *any_backend(const struct waits *s)
{
	const struct seen *any = NULL;
	size_t i;

	for (i = 0; i < s->n_row && !(any && any->backend.open); i++) {
		const struct seen *b = seen_of(s->row[i]);

		if (sum_of(s->row[i])->samples > 0 &&
		    (!any || b->backend.open))
			any = b;
	}
	return any;
}

static void give_server(const struct waits *s, waits_take_fn fn, void *ctx)
{
	const struct waits_total *t = &s->total;
	const struct seen *b = any_backend(s);
	char none[] = "";
	struct row_waited what = { .kind = OF_SERVER, .event = none,
		.query = none };

	if (!b)
		return;
	what.amount[COVERED] = t->covered_ns;
	what.amount[SAMPLES] = (int64_t)t->samples;
	what.amount[SESSION_TIME] = t->session_time_ns;
	what.amount[PEAK] = t->peak_ns;
	what.amount[PEAK_WEIGHT] = t->peak_weight_ns;
	what.amount[IO_WORKERS] = t->io_workers_ns;
	what.amount[IO_WORKERS_BUSY] = t->part_ns[WAIT_IO_WORKER];
	fn(ctx, b->serial, &what);
}

static bool has_run(const struct row_entry *e)
{
	const struct seen *b = seen_of(e);
	size_t i;

	for (i = 0; b->backend.open && i < b->n_run; i++) {
		if (b->run[i].entry == e)
			return true;
	}
	return false;
}

/* Entries of current runs stay, without sums. */
static void forget_entries(struct waits *s)
{
	size_t i, kept = 0;

	for (i = 0; i < s->n_row; i++) {
		struct row_entry *e = s->row[i];

		if (has_run(e)) {
			memset(&e->row.sum, 0, sizeof(e->row.sum));
			memset(&e->row.segment, 0, sizeof(e->row.segment));
			s->row[kept++] = e;
		} else {
			HASH_DEL(s->rows, e);
			free(e);
		}
	}
	s->n_row = kept;
}

void waits_take(struct waits *s, waits_take_fn fn, void *ctx)
{
	int64_t newest_ns = s->total.newest_ns;
	size_t i;

	s->is_taken = true;
	waits_settle(s);
	sum_up(s);
	for (i = 0; i < s->n_row; i++) {
		const struct row_entry *e = s->row[i];

		if ((sum_of(e)->samples || sum_of(e)->time_ns) && !is_rest(e))
			give_entry(e, fn, ctx);
	}
	give_server(s, fn, ctx);
	give_streams(s, fn, ctx);
	forget_entries(s);
	waits_forget_gone(s);
	for (i = 0; i < s->n_all; i++)
		s->all[i]->kept = true;
	s->total = (struct waits_total) { .newest_ns = newest_ns };
}

/* ---- adding ------------------------------------------------------------ */

/* What the current tick tells; NULL if no waits. */
static const struct left_out *told_by(const struct row *r, const struct world *w)
{
	const struct left_out *l = row_left_out(r);

	return l && l->tick == world_ticks(w) && l->n_waited > 0 ? l : NULL;
}

/* Others are of a newer version. */
static bool is_activity(const struct row_waited *t)
{
	return t->kind > OF_SERVER && t->kind <= WAIT_EVENT + 1u;
}

static const int64_t *amounts_of(const struct left_out *l, uint32_t kind)
{
	uint32_t k;

	for (k = 0; l && k < l->n_waited; k++) {
		if (l->waited[k].kind == kind)
			return l->waited[k].amount;
	}
	return NULL;
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
		const int64_t *a = amounts_of(told_by(r, w), OF_STREAM);
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
	sum = b->backend.content < 0 ? &e->row.sum : &e->row.segment;
	add(&sum->time_ns, ns);
	sum->samples += n;
}

static const struct stream *stream_of(struct waits *s, const struct row *r,
	const struct wait_sample *l)
{
	return r->entity == ENTITY_PROCESS ? waits_stream_of(s, r->host)
	    : &s->catalog[l->content >= 0 ? SEGMENTS : COORDINATOR];
}

/* A backend that ended since the tick before, or is no longer counted: by its
 * last cells. */
static void sample_gone(struct waits *s, const struct world *w,
	const struct sessions *sessions, struct row *r)
{
	struct wait_sample l;
	uint64_t pid = 0;

	if (!waits_sample_of(s, w, sessions, r, &l)) {
		(void)row_get(r, r->entity == ENTITY_BACKEND
		    ? COL(BACKEND, PID) : COL(PROCESS, PID), &pid);
		l = (struct wait_sample) { .row = r, .content = -1,
			.pid = (int)pid, .session = pid };
		wait_set(&l.what, WAIT_IDLE, "Client", "ClientRead");
	}
	waits_sample(s, w, stream_of(s, r, &l), &l, r->host->clock.wall_ns, 0);
	if (known(s, r))
		known(s, r)->backend.open = false;
}

static const struct wait_query *query_of(struct waits *s,
	const struct row_waited *t)
{
	const struct wait_sample l = { .has_query_id = t->has_query_id,
		.query_id = t->query_id, .query = span_str(t->query) };

	return wait_names_query(&s->names, &l);
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
	to->longest = GS_MAX(to->longest, more->longest);
	to->longest_ns = GS_MAX(to->longest_ns, more->longest_ns);
}

static void add_sum(const struct waits *s, struct wait_sum *to,
	const struct row_waited *t)
{
	struct wait_sum more;

	memcpy(&more, t->amount, sizeof(more));
	more = untold(more);
	add(&to->time_ns, more.time_ns);
	to->samples += more.samples;
	add_runs(s, to, &more);
	add(&to->cpu_ns, more.cpu_ns);
	add(&to->queue_ns, more.queue_ns);
	add(&to->with_io_ns, more.with_io_ns);
	add(&to->io_ns, more.io_ns);
	add(&to->asleep_ns, more.asleep_ns);
}

static void add_time(struct waits *s, struct seen *b,
	const struct wait_event *event, int64_t time_ns)
{
	if (event->kind < WAIT_CPU)
		return;
	add(&b->backend.db_time_ns, time_ns);
	if (b->backend.content >= 0) {
		add(&s->total.segment_time_ns, time_ns);
		return;
	}
	add(&s->total.part_ns[b->backend.part], time_ns);
	add(&s->total.db_time_ns, time_ns);
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

	add_sum(s, b->backend.content < 0 ? &e->row.sum : &e->row.segment, t);
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
	}
}

static void add_server(struct waits_total *t, const int64_t *amount)
{
	add(&t->session_time_ns, amount[SESSION_TIME]);
	add(&t->io_workers_ns, amount[IO_WORKERS]);
	add(&t->part_ns[WAIT_IO_WORKER], amount[IO_WORKERS_BUSY]);
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
		add(&t->sum_ns, t->told_ns);
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

/* No backend was seen: the samples are those of the catalog or of hosts. */
static void add_samples(struct waits *s)
{
	const struct stream *best = &s->catalog[COORDINATOR];
	struct stream *t, *next;

	if (!best->is_told) {
		HASH_ITER(hh, s->hosts, t, next) {
			if (t->is_told && t->told_ns > best->told_ns)
				best = t;
		}
	}
	if (best->is_told) {
		add(&s->total.covered_ns, best->told_ns);
		s->total.samples += best->n_told;
	}
}

void waits_add_told(struct waits *s, const struct world *w,
	const struct sessions *sessions)
{
	int64_t covered_ns = 0, samples = 0;
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
		server = amounts_of(l, OF_SERVER);
		if (!server)
			continue;
		add_server(&s->total, server);
		/* a server that was restarted has two */
		covered_ns = GS_MAX(covered_ns, server[COVERED]);
		samples = GS_MAX(samples, server[SAMPLES]);
	}
	add_streams(s);
	add(&s->total.covered_ns, covered_ns);
	s->total.samples += (uint64_t)samples;
	if (samples == 0)
		add_samples(s);
}
